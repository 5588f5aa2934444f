"""The built-in resource types of Puppet 7.23, as far as the dialect like-puppet needs them.

The calculus only asks whether a type t is built in.  Puppet also refuses attributes that a
type does not have, and two resources that would manage the same thing.
"""

from __future__ import annotations

METAPARAMETERS = frozenset(
    [
        "alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule", "stage",
        "subscribe", "tag",
    ]
)  # fmt: skip
RELATIONSHIPS = ("before", "require", "notify", "subscribe")

PRESET = frozenset(
    [
        "facts", "trusted", "server_facts", "environment", "clientcert", "clientversion",
        "clientnoop", "servername", "serverip", "serverversion", "module_name",
        "caller_module_name", "hostname", "domain", "fqdn", "name", "title",
    ]
) - {"name", "title"}  # fmt: skip
"""Variables that Puppet sets itself; the calculus has none of them."""

FORMER = frozenset(
    [
        "augeas", "computer", "cron", "host", "interface", "k5login", "macauthorization",
        "mailalias", "maillist", "mcx", "mount", "router", "scheduled_task", "selboolean",
        "selmodule", "ssh_authorized_key", "sshkey", "vlan", "yumrepo", "zfs", "zone", "zpool",
    ]
)  # fmt: skip
"""Types that were built in when the paper was written (Puppet 4.8) and are modules now."""


class Native:
    """A built-in type: its name attribute, whether that must be unique, its attributes."""

    __slots__ = ("attributes", "namevar", "unique")

    def __init__(self, namevar: str, unique: bool, attributes: str) -> None:
        self.namevar = namevar
        self.unique = unique
        self.attributes = frozenset(attributes.split()) | METAPARAMETERS


NATIVES = {
    "exec": Native(
        "command",
        False,
        """
        command creates cwd environment group logoutput onlyif path provider refresh
        refreshonly returns timeout tries try_sleep umask unless user
        """,
    ),
    "file": Native(
        "path",
        True,
        """
        backup checksum checksum_value content ctime ensure force group ignore links
        max_files mode mtime owner path provider purge recurse recurselimit replace
        selinux_ignore_defaults selrange selrole seltype seluser show_diff source
        source_permissions sourceselect staging_location target type validate_cmd
        validate_replacement
        """,
    ),
    "filebucket": Native(
        "name",
        True,
        """
        name path port server
        """,
    ),
    "group": Native(
        "name",
        True,
        """
        allowdupe attribute_membership attributes auth_membership ensure forcelocal gid
        ia_load_module members name provider system
        """,
    ),
    "notify": Native(
        "name",
        True,
        """
        message name withpath
        """,
    ),
    "package": Native(
        "name",
        True,
        """
        adminfile allow_virtual allowcdrom category command configfiles description
        enable_only ensure flavor install_only install_options instance mark name
        package_settings platform provider reinstall_on_refresh responsefile root source
        status uninstall_options vendor
        """,
    ),
    "resources": Native(
        "name",
        True,
        """
        name purge unless_system_user unless_uid
        """,
    ),
    "schedule": Native(
        "name",
        True,
        """
        name period periodmatch range repeat weekday
        """,
    ),
    "service": Native(
        "name",
        True,
        """
        binary control enable ensure flags hasrestart hasstatus logonaccount
        logonpassword manifest name path pattern provider restart start status stop
        timeout
        """,
    ),
    "stage": Native(
        "name",
        True,
        """
        name
        """,
    ),
    "tidy": Native(
        "path",
        False,
        """
        age backup matches max_files path recurse rmdirs size type
        """,
    ),
    "user": Native(
        "name",
        True,
        """
        allowdupe attribute_membership attributes auth_membership auths comment ensure
        expiry forcelocal gid groups home ia_load_module iterations key_membership keys
        loginclass managehome membership name password password_max_age password_min_age
        password_warn_days profile_membership profiles project provider purge_ssh_keys
        role_membership roles salt shell system uid
        """,
    ),
}


def native(kind: str) -> Native | None:
    """The built-in type of that name."""
    return NATIVES.get(kind)


def is_built_in(kind: str, *, like_puppet: bool) -> bool:
    """Whether t is built in: today, or for the paper in Puppet 4.8."""
    return kind in NATIVES or (kind in FORMER and not like_puppet)
