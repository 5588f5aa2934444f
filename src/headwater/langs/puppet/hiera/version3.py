"""``hiera.yaml`` version 3, which the global layer may have: backends over one hierarchy.

    :backends: [yaml, json]
    :hierarchy: [nodes/%{::trusted.certname}, common]
    :yaml: {:datadir: /etc/puppet/hieradata}
    :merge_behavior: deeper

Each backend is a level with all paths of the hierarchy.  The strategy of ``merge_behavior`` is for
``hiera_hash()`` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.merge import Strategy

_HIERARCHY = ["nodes/%{::trusted.certname}", "common"]
_DATADIR = "%{settings::codedir}/environments/%{::environment}/hieradata"
_OWN = {"yaml": "data_hash", "json": "data_hash", "eyaml": "lookup_key"}
_FUNCTIONS = {"yaml": "yaml_data", "json": "json_data", "eyaml": "eyaml_lookup_key"}
_DEEP = {"deep": "reverse_deep", "deeper": "unconstrained_deep"}


class WrongEntry(Exception):
    """What is wrong with a hiera.yaml of version 3, and where in it."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def entries(data: Hash) -> list[Hash]:
    """The backends as levels, as version 5 writes them; raises `WrongEntry`."""
    backends = _names(data, "backends", ["yaml"])
    hierarchy = _names(data, "hierarchy", _HIERARCHY)
    _check(data, backends)
    found: list[Hash] = []
    for index, backend in enumerate(backends):
        if backend in backends[:index]:
            raise WrongEntry(f"the backend {backend} is listed twice", "backends", index)
        config: Hash = data.get(backend) or Hash()
        ending = config.get("extension")
        entry = Hash({
            "name": backend,
            _OWN.get(backend, "hiera3_backend"): _FUNCTIONS.get(backend, backend),
            "paths": hierarchy,
            "datadir": str(config.get("datadir") or _DATADIR),
            "extension": f".{backend if ending is None else ending}",
        })  # fmt: skip
        if backend == "eyaml":
            entry.put("options", config.without(["datadir"]))
        found.append(entry)
    return found


def strategy(data: Hash) -> Strategy | None:
    """How ``hiera_hash()`` merges, if not as without a hiera.yaml."""
    name = _DEEP.get(data.get("merge_behavior") or "native")
    return None if name is None else Strategy(name, data.get("deep_merge_options") or Hash())


def _names(data: Hash, key: str, default: list[str]) -> list[str]:
    """One name or several."""
    given = data.get(key)
    if given is None or given is False:
        return default
    every = given if isinstance(given, list) else [given]
    for index, name in enumerate(every):
        if not _is_name(name):
            raise WrongEntry(f"{key} holds something else than names", key, index)
    return [*every]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _check(data: Hash, backends: list[str]) -> None:
    kinds: dict[str, tuple[str, Callable[[Any], bool]]] = {
        "version": ("3", lambda value: value == 3 and not isinstance(value, str)),
        "backends": ("", bool),
        "hierarchy": ("", bool),
        "logger": ("a name", _is_name),
        "merge_behavior": ("native, deep or deeper", lambda value: value in ("native", *_DEEP)),
        "deep_merge_options": ("a hash of texts and truth values", _are_options),
        **dict.fromkeys(backends, ("a hash", _is_config)),
    }
    defaulted = ("version", "backends", "hierarchy", "merge_behavior", "deep_merge_options")
    for key, value in data.pairs():
        if not isinstance(key, str) or key not in kinds:
            raise WrongEntry(f"there is no key {key} in version 3", str(key))
        wanted, fits = kinds[key]
        if key in defaulted and (value is None or value is False):
            continue
        if wanted and not fits(value):
            raise WrongEntry(f"{key} must be {wanted}", str(key))


def _are_options(value: object) -> bool:
    return isinstance(value, Hash) and all(
        _is_name(key) and isinstance(item, str | bool) for key, item in value.pairs()
    )


def _is_config(value: object) -> bool:
    return isinstance(value, Hash) and all(map(_is_name, value))
