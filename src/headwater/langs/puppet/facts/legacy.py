"""Facts that agents of level 8 no longer send, and where their values are now."""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_ALONE = """
architecture os.architecture
augeasversion augeas.version
bios_release_date dmi.bios.release_date
bios_vendor dmi.bios.vendor
bios_version dmi.bios.version
boardassettag dmi.board.asset_tag
boardmanufacturer dmi.board.manufacturer
boardproductname dmi.board.product
boardserialnumber dmi.board.serial_number
chassisassettag dmi.chassis.asset_tag
chassistype dmi.chassis.type
domain networking.domain
fqdn networking.fqdn
gid identity.group
hardwareisa processors.isa
hardwaremodel os.hardware
hostname networking.hostname
id identity.user
ipaddress networking.ip
ipaddress6 networking.ip6
ldom_domainchassis ldom.domainchassis
ldom_domaincontrol ldom.domaincontrol
ldom_domainname ldom.domainname
ldom_domainrole_control ldom.domainrole.control
ldom_domainrole_impl ldom.domainrole.impl
ldom_domainrole_io ldom.domainrole.io
ldom_domainrole_root ldom.domainrole.root
ldom_domainrole_service ldom.domainrole.service
ldom_domainuuid ldom.domainuuid
lsbdistcodename os.distro.codename
lsbdistdescription os.distro.description
lsbdistid os.distro.id
lsbdistrelease os.distro.release.full
lsbmajdistrelease os.distro.release.major
lsbminordistrelease os.distro.release.minor
lsbrelease os.distro.specification
macaddress networking.mac
macosx_buildversion os.macosx.build
macosx_productname os.macosx.product
macosx_productversion os.macosx.version.full
macosx_productversion_major os.macosx.version.major
macosx_productversion_minor os.macosx.version.minor
macosx_productversion_patch os.macosx.version.patch
manufacturer dmi.manufacturer
memoryfree memory.system.available
memorysize memory.system.total
netmask networking.netmask
netmask6 networking.netmask6
network networking.network
network6 networking.network6
operatingsystem os.name
operatingsystemmajrelease os.release.major
operatingsystemrelease os.release.full
osfamily os.family
physicalprocessorcount processors.physicalcount
processorcount processors.count
productname dmi.product.name
rubyplatform ruby.platform
rubysitedir ruby.sitedir
rubyversion ruby.version
scope6 networking.scope6
selinux os.selinux.enabled
selinux_config_mode os.selinux.config_mode
selinux_config_policy os.selinux.config_policy
selinux_current_mode os.selinux.current_mode
selinux_enforced os.selinux.enforced
selinux_policyversion os.selinux.policy_version
serialnumber dmi.product.serial_number
sp_boot_mode system_profiler.boot_mode
sp_boot_rom_version system_profiler.boot_rom_version
sp_boot_volume system_profiler.boot_volume
sp_cpu_type system_profiler.processor_name
sp_current_processor_speed system_profiler.processor_speed
sp_kernel_version system_profiler.kernel_version
sp_l2_cache_core system_profiler.l2_cache_per_core
sp_l3_cache system_profiler.l3_cache
sp_local_host_name system_profiler.computer_name
sp_machine_model system_profiler.model_identifier
sp_machine_name system_profiler.model_name
sp_number_processors system_profiler.cores
sp_os_version system_profiler.system_version
sp_packages system_profiler.processors
sp_physical_memory system_profiler.memory
sp_platform_uuid system_profiler.hardware_uuid
sp_secure_vm system_profiler.secure_virtual_memory
sp_serial_number system_profiler.serial_number
sp_smc_version_system system_profiler.smc_version
sp_uptime system_profiler.uptime
sp_user_name system_profiler.username
sshdsakey ssh.dsa.key
sshecdsakey ssh.ecdsa.key
sshed25519key ssh.ed25519.key
sshrsakey ssh.rsa.key
swapencrypted memory.swap.encrypted
swapfree memory.swap.available
swapsize memory.swap.total
system32 os.windows.system32
uptime system_uptime.uptime
uptime_days system_uptime.days
uptime_hours system_uptime.hours
uptime_seconds system_uptime.seconds
uuid dmi.product.uuid
windows_display_version os.windows.display_version
windows_edition_id os.windows.edition_id
windows_installation_type os.windows.installation_type
windows_product_name os.windows.product_name
windows_release_id os.windows.release_id
xendomains xen.domains
zonename solaris_zones.current
"""
_PATHS: dict[str, Path] = {
    name: tuple(path.split(".")) for name, path in map(str.split, _ALONE.strip().splitlines())
}

_COMPUTED = {
    "blockdevices": "the names of $facts['disks'], joined by commas",
    "dhcp_servers": "dhcp in $facts['networking'] and in each of its interfaces",
    "interfaces": "the names of $facts['networking']['interfaces'], joined by commas",
    "memoryfree_mb": "$facts['memory']['system']['available_bytes'] in other units",
    "memorysize_mb": "$facts['memory']['system']['total_bytes'] in other units",
    "sshfp_dsa": "$facts['ssh']['dsa']['fingerprints'], joined by line ends",
    "sshfp_ecdsa": "$facts['ssh']['ecdsa']['fingerprints'], joined by line ends",
    "sshfp_ed25519": "$facts['ssh']['ed25519']['fingerprints'], joined by line ends",
    "sshfp_rsa": "$facts['ssh']['rsa']['fingerprints'], joined by line ends",
    "swapfree_mb": "$facts['memory']['swap']['available_bytes'] in other units",
    "swapsize_mb": "$facts['memory']['swap']['total_bytes'] in other units",
    "zones": "the number of $facts['solaris_zones']['zones']",
}
"""Facts whose value is nowhere as it was, and from what it can be computed."""

_OF_INTERFACES = re.compile(
    r"(ipaddress6|ipaddress|macaddress|mtu|netmask6|netmask|network6|network|scope6)_(\w++)"
)
_MEMBERS = {
    "ipaddress": "ip", "ipaddress6": "ip6", "macaddress": "mac", "mtu": "mtu", "netmask": "netmask",
    "netmask6": "netmask6", "network": "network", "network6": "network6", "scope6": "scope6",
}  # fmt: skip
_OF_DISKS = re.compile(r"blockdevice_(\w+)_(model|size|vendor)")
_OF_ZONES = re.compile(r"zone_(\w+)_(brand|id|iptype|name|path|status|uuid)")
_PROCESSOR = re.compile(r"processor(\d++)")


def is_legacy(name: str) -> bool:
    """Whether agents of level 8 no longer send the fact."""
    return name in _COMPUTED or structured(name) is not None


def structured(name: str) -> Path | None:
    """Where the value of a legacy fact is among the others; None if it is nowhere as it was."""
    found = _PATHS.get(name)
    if found is not None:
        return found
    if match := _OF_INTERFACES.fullmatch(name):
        return ("networking", "interfaces", match[2], _MEMBERS[match[1]])
    if match := _OF_DISKS.fullmatch(name):
        return ("disks", match[1], {"size": "size_bytes"}.get(match[2], match[2]))
    if match := _OF_ZONES.fullmatch(name):
        return ("solaris_zones", "zones", match[1], {"iptype": "ip_type"}.get(match[2], match[2]))
    if match := _PROCESSOR.fullmatch(name):
        return ("processors", "models", int(match[1]))
    return None


def instead(name: str) -> str:
    """What to use in place of a legacy fact, in words."""
    path = structured(name)
    return f"$facts{brackets(path)}" if path is not None else _COMPUTED[name]


def brackets(path: Path) -> str:
    """A path into a fact as it is written in a program: ``['os']['family']``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f"['{part}']" for part in path)
