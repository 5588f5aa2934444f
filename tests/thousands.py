"""A control repository of sixty classes, twelve roles and as many nodes as one likes.

Every catalog holds the name of its node, so that no two are equal.  Of every four nodes one has a
file of data of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROLES = ("web", "db", "cache", "queue", "mail", "dns", "proxy", "build", "log", "backup", "vpn",
         "desk")  # fmt: skip
SERVICES = 48
"""Classes beside those of the roles; each role has ten of them, the first two are everybody's."""

SYSTEMS = (("Debian", "Debian", "12"), ("Ubuntu", "Debian", "22.04"), ("RedHat", "RedHat", "8"))

ENVIRONMENT = "modulepath = modules\n"

BY_NODE = """\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: One node
    path: "nodes/%{trusted.certname}.yaml"
"""
"""A hierarchy of data whose first level is a node's own."""

HIERA = f"""\
{BY_NODE}\
  - name: Role
    path: "roles/%{{facts.role}}.yaml"
  - name: Operating system
    paths:
      - "os/%{{facts.os.name}}.yaml"
      - "os/%{{facts.os.family}}.yaml"
  - name: Everybody
    path: common.yaml
"""

SITE = "node default {\n  include \"role::${facts['role']}\"\n}\n"

SERVICE = """\
# Service {n}.
class service{n} (
  String $package = 'service{n}',
  Integer[1, 65535] $port = {port},
  Array[String] $servers = [],
  Hash[String, String] $options = {{}},
) {{
  package {{ $package:
    ensure => installed,
  }}
  $family = $facts['os']['family'] ? {{
    'RedHat' => 'sysconfig',
    default  => 'default',
  }}
  file {{ "/etc/service{n}.conf":
    content => template('service{n}/service.conf.erb'),
    mode    => '0644',
    require => Package[$package],
    notify  => Service['service{n}'],
  }}
  file {{ "/etc/${{family}}/service{n}":
    content => epp('service{n}/settings.epp', {{ 'options' => $options, 'port' => $port }}),
  }}
  $servers.each |Integer $at, String $server| {{
    service{n}::peer {{ "${{server}}-${{at}}":
      server => $server,
    }}
  }}
  service {{ 'service{n}':
    ensure => running,
    enable => true,
  }}
}}
"""

PEER = """\
# A peer of service {n}.
define service{n}::peer (
  String $server,
  Integer $weight = 1,
) {{
  file {{ "/etc/service{n}.d/${{title}}":
    content => "peer ${{server}} of ${{trusted['certname']}} weight ${{weight}}\\n",
    notify  => Service['service{n}'],
  }}
}}
"""

ERB = """\
# <%= @fqdn %>, service {n}
port <%= @port %>
<% @servers.each do |server| -%>
server <%= server %><% if server == @servers.first %> prefer<% end %>
<% end -%>
"""

EPP = """\
<%- | Hash $options, Integer $port | -%>
# port <%= $port %>
<% $options.each |$name, $value| { -%>
<%= $name %>=<%= $value %>
<% } -%>
"""


def services_of(role: int) -> list[int]:
    """The services of a role."""
    return [0, 1, *sorted({2 + (role * 4 + step) % (SERVICES - 2) for step in range(8)})]


def name_of(number: int) -> str:
    """The name of a node."""
    return f"{ROLES[number % 12]}{number // 12 + 1:04}.example.com"


def facts_of(number: int) -> dict[str, Any]:
    """What a machine says of itself."""
    system, family, major = SYSTEMS[number // 12 % 3]
    host = name_of(number).partition(".")[0]
    return {
        "role": ROLES[number % 12],
        "networking": {
            "hostname": host,
            "domain": "example.com",
            "fqdn": f"{host}.example.com",
            "ip": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
        },
        "os": {"name": system, "family": family, "release": {"major": major, "full": major}},
        "kernel": "Linux",
        "is_virtual": bool(number % 2),
        "memory": {"system": {"total_bytes": (number % 4 + 1) * 2**30}},
        "uptime_seconds": 1000 * number,
    }


def write(folder: Path, count: int) -> list[str]:
    """Writes the repository to a new folder; the names of its nodes in their order."""
    put(folder / "environment.conf", ENVIRONMENT)
    put(folder / "hiera.yaml", HIERA)
    put(folder / "manifests/site.pp", SITE)
    put(folder / "headwater.toml", '[puppet]\nenvironment = "."\n\n[nodes]\nfacts = "facts"\n')
    for n in range(SERVICES):
        module = folder / f"modules/service{n}"
        put(module / "manifests/init.pp", SERVICE.format(n=n, port=8000 + n))
        put(module / "manifests/peer.pp", PEER.format(n=n))
        put(module / "templates/service.conf.erb", ERB.format(n=n))
        put(module / "templates/settings.epp", EPP)
    for at, role in enumerate(ROLES):
        inside = "".join(f"  include service{n}\n" for n in services_of(at))
        motd = "  file { '/etc/motd':\n    content => \"${trusted['certname']}\\n\",\n  }\n"
        put(folder / f"modules/role/manifests/{role}.pp",
               f"# The role {role}.\nclass role::{role} {{\n{inside}{motd}}}\n")  # fmt: skip
        own = services_of(at)[3]
        put(folder / f"data/roles/{role}.yaml", f"service{own}::port: {9000 + at}\n")
    common = "".join(
        f"service{n}::servers:\n  - s{n}a.example.com\n  - s{n}b.example.com\n"
        f"service{n}::options:\n  level: '{n}'\n  mode: plain\n"
        for n in range(SERVICES)
    )
    put(folder / "data/common.yaml", common)
    put(folder / "data/os/RedHat.yaml", "service0::package: service0-el\n")
    names = []
    for number in range(count):
        name = name_of(number)
        names.append(name)
        put(folder / f"facts/{name}.json", json.dumps(facts_of(number)))
        if number % 4 == 0:
            text = f"service1::options: {{node: '{number}'}}\n"
            put(folder / f"data/nodes/{name}.yaml", text)
    return sorted(names)


def put(path: Path, text: str) -> None:
    """Writes a file, with the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
