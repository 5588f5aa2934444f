"""Language levels: in what the versions of Puppet and OpenVox differ, a column for each.

A program is judged and evaluated at one level.  Whatever depends on it asks the level for what
it does there, never for its number, so that another level is one more column here.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import msgspec


class LanguageLevel(msgspec.Struct, frozen=True, eq=False):
    """What one version does where others do something else."""

    number: int
    version: str
    """The version whose behaviour is followed, and what $serverversion and $clientversion say."""
    settings: MappingProxyType[str, Any]
    """Defaults of settings that are not those of settings.json; None: it has no such setting."""
    native_parameters: MappingProxyType[str, tuple[str, ...]]
    """Parameters that native types have beside those of natives.json."""
    keys_by_brackets: bool
    """Whether type names, ``x[k]`` (taken as ``[k]``) and ``-1`` are keys that can be read off."""
    literal_class_types: bool
    """Whether types of parameters of classes that are not literal are deprecated."""
    spared_locations: bool
    """Whether an unknown variable in a location of hiera.yaml is empty even if that is strict."""
    interpolates_defaults: bool
    """Whether ``default_values_hash`` stands for unknown variables in data even if it is strict."""
    takes_sensitive: frozenset[str]
    """Which of ``split`` and ``regsubst`` take Sensitive texts, and give what is Sensitive."""
    substitution_encoding: bool
    """Whether ``regsubst`` uses its fifth argument, an encoding."""
    compares_rich: bool
    """Whether ``max`` and ``min`` compare versions and times as such, not as texts."""
    exact_pairs: bool
    """Whether arrays that are added to a hash must be pairs."""
    node_groups: bool
    """Whether names of nodes keep the signs of a group ``(?…)``."""
    has_hiera_3: bool
    """Whether there are backends of Hiera 3."""
    empty_metadata: bool
    """Whether an empty metadata.json is as good as none."""


SEVEN = LanguageLevel(
    7,
    version="7.23.0",
    settings=MappingProxyType({"strict": "warning", "strict_variables": False}),
    native_parameters=MappingProxyType({}),
    keys_by_brackets=False,
    literal_class_types=False,
    spared_locations=False,
    interpolates_defaults=False,
    takes_sensitive=frozenset(),
    substitution_encoding=True,
    compares_rich=False,
    exact_pairs=False,
    node_groups=False,
    has_hiera_3=True,
    empty_metadata=False,
)

EIGHT = LanguageLevel(
    8,
    version="8.28.1",
    settings=MappingProxyType({
        "strict": "error",
        "strict_variables": True,
        "include_legacy_facts": False,
        "preprocess_deferred": False,
        "exclude_unchanged_resources": True,
        "number_of_facts_soft_limit": 10240,
        "crl_refresh_interval": 86400,
        "allow_pson_serialization": False,
        "ca_refresh_interval": 86400,
        "hostcert_renewal_interval": 2592000,
        "report_configured_environmentpath": True,
        "skip_logging_catalog_request_destination": False,
    }),
    native_parameters=MappingProxyType({"package": ("environment",)}),
    keys_by_brackets=True,
    literal_class_types=True,
    spared_locations=True,
    interpolates_defaults=True,
    takes_sensitive=frozenset(["split", "regsubst"]),
    substitution_encoding=False,
    compares_rich=True,
    exact_pairs=True,
    node_groups=True,
    has_hiera_3=False,
    empty_metadata=True,
)  # fmt: skip

LEVELS = {level.number: level for level in (SEVEN, EIGHT)}
DEFAULT = EIGHT


def level_of(given: object) -> LanguageLevel | None:
    """The level that an input ``puppet`` names; None if there is no such level."""
    return DEFAULT if given is None else LEVELS.get(given) if isinstance(given, int) else None
