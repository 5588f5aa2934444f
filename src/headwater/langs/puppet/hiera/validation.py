"""What a hiera.yaml of version 5 may hold; anything else is refused before a key is looked up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.hashes import Hash
from headwater.text.patterns import LatePattern

FUNCTIONS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend", "v4_data_hash")
LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
_TOP = ("version", "hierarchy", "plan_hierarchy", "default_hierarchy", "defaults")
_OPTION = LatePattern(r"[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\Z")


class Config(Protocol):
    """The hiera.yaml that is checked."""

    path: str
    layer: str

    def bad(self, message: str, *path: str | int) -> Fault:
        """A refusal of something in this file."""
        ...


def _text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _three(value: object) -> bool:
    return isinstance(value, list) and _texts(value) and len(value) == 3


def _options(value: object) -> bool:
    """A hash of data whose keys are names of options."""
    if not isinstance(value, Hash):
        return False
    from headwater.langs.puppet.types.aliases import DATA
    from headwater.langs.puppet.types.matching import is_instance

    return all(
        isinstance(key, str) and _OPTION.match(key) is not None and is_instance(DATA, item)
        for key, item in value.pairs()
    )


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("name", "datadir", "path", "glob", "uri", *FUNCTIONS), (_text, "a text")),
    **dict.fromkeys(("paths", "globs", "uris"), (_texts, "a list of texts")),
    "mapped_paths": (_three, "three texts"),
    "options": (_options, "a hash of options"),
}
_DEFAULTS = ("data_hash", "lookup_key", "data_dig", "datadir", "options")


def check(config: Config, data: Hash) -> None:
    """Refuses what a hiera.yaml cannot hold."""
    for name in data:
        if name not in _TOP:
            raise config.bad(f"{config.path} cannot have the key {name}", str(name))
    defaults = data.get("defaults")
    if defaults is not None:
        _check_defaults(config, defaults)
    for key in ("hierarchy", "plan_hierarchy", "default_hierarchy"):
        if key in data and (data[key] is not None or key != "hierarchy"):
            _check_hierarchy(config, data[key], key, defaults)
    if data.get("hierarchy") is None and _without_function(defaults):
        message = f"neither the usual level nor defaults has one of {', '.join(FUNCTIONS[:4])}"
        raise config.bad(message, "defaults")
    if "default_hierarchy" in data and config.layer != "module":
        message = "only the hiera.yaml of a module can have a default_hierarchy"
        raise config.bad(message, "default_hierarchy")


def _check_defaults(config: Config, defaults: object) -> None:
    if not isinstance(defaults, Hash):
        raise config.bad("defaults is not a hash", "defaults")
    for name, value in defaults.pairs():
        if name not in _DEFAULTS:
            raise config.bad(f"defaults cannot have the key {name}", "defaults", str(name))
        fits, wanted = _KINDS[name]
        if not fits(value):
            raise config.bad(f"defaults: {name} takes {wanted}", "defaults", name)
    kinds = [kind for kind in FUNCTIONS if kind in defaults]
    if len(kinds) > 1:
        raise config.bad(f"defaults has {' and '.join(kinds)}", "defaults")
    _check_reserved(config, defaults, "defaults", "defaults")


def _check_hierarchy(config: Config, entries: object, key: str, defaults: object) -> None:
    if not isinstance(entries, list) or not all(isinstance(e, Hash) for e in entries):
        raise config.bad(f"{key} in {config.path} is not a list of levels", key)
    for index, entry in enumerate(entries):
        if "name" not in entry:
            raise config.bad(f"a level of {key} has no name", key, index)
        for name, value in entry.pairs():
            if not isinstance(name, str) or name not in _KINDS:
                message = f"a level of {key} cannot have the key {name}"
                raise config.bad(message, key, index, str(name))
            fits, wanted = _KINDS[name]
            if not fits(value):
                message = f"the level {entry['name']}: {name} takes {wanted}"
                raise config.bad(message, key, index, name)
    names: set[str] = set()
    for index, entry in enumerate(entries):
        _check_level(config, entry, key, index, defaults)
        if entry["name"] in names and key != "plan_hierarchy":
            message = f"{key} in {config.path} has two levels called {entry['name']}"
            raise config.bad(message, key, index)
        names.add(entry["name"])


def _without_function(defaults: object) -> bool:
    """Whether there are defaults that do not say what reads the data."""
    return isinstance(defaults, Hash) and not any(kind in defaults for kind in FUNCTIONS)


def _check_level(config: Config, entry: Hash, key: str, index: int, defaults: object) -> None:
    name = entry["name"]
    kinds = [kind for kind in FUNCTIONS if kind in entry]
    if len(kinds) > 1:
        raise config.bad(f"the level {name} has {' and '.join(kinds)}", key, index)
    if not kinds and _without_function(defaults):
        message = f"neither the level {name} nor defaults has one of {', '.join(FUNCTIONS[:4])}"
        raise config.bad(message, key, index)
    backend = entry.get("hiera3_backend")
    if backend is not None and (config.layer != "global" or backend in ("json", "yaml")):
        message = f"the level {name}: only the global hiera.yaml has backends of version 3"
        if config.layer == "global":
            message = f"the level {name}: data_hash: {backend}_data is what reads {backend}"
        raise config.bad(message, key, index, "hiera3_backend")
    if sum(location in entry for location in LOCATIONS) > 1:
        message = f"the level {name} has more than one of {', '.join(LOCATIONS)}"
        raise config.bad(message, key, index)
    _check_reserved(config, entry, f"the level {name}", key, index)


def _check_reserved(config: Config, entry: Hash, who: str, *path: str | int) -> None:
    for option in ("path", "uri"):
        if option in (entry.get("options") or ()):
            raise config.bad(f"{who} cannot set the option {option}", *path, "options", option)
