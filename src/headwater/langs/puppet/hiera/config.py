"""``hiera.yaml`` version 5: the levels of a hierarchy and where their data lies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hiera.data import DataFile, read_data
from headwater.langs.puppet.hiera.globs import files_of, joined
from headwater.text import Span

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.search import Search

_FUNCTIONS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend")
_LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
_KNOWN = {
    "data_hash": ("yaml_data", "json_data"),
    "lookup_key": ("eyaml_lookup_key",),
}
_TOP = ("version", "hierarchy", "default_hierarchy", "defaults")
_LEVEL = ("name", "options", "datadir", *_FUNCTIONS, *_LOCATIONS)
_DEFAULTS = {"datadir": "data", "data_hash": "yaml_data"}
_COMMON = [{"name": "Common", "path": "common.yaml"}]


class Level:
    """One entry of a hierarchy.  `unknown` names a backend that nobody here can run."""

    __slots__ = ("config", "datadir", "entry", "function", "index", "key", "name", "unknown")

    def __init__(self, config: Config, entry: dict[str, Any], key: str, index: int) -> None:
        self.config = config
        self.entry = entry
        self.index = index
        self.key = key
        self.name = str(entry.get("name", ""))
        defaults = config.defaults
        owner = entry if any(kind in entry for kind in _FUNCTIONS) else defaults
        kinds = [kind for kind in _FUNCTIONS if kind in owner] or ["data_hash"]
        if len(kinds) > 1:
            raise config.bad(f"the level {self.name} has {' and '.join(kinds)}", key, index)
        self.function = str(owner.get(kinds[0], "yaml_data"))
        known = self.function in _KNOWN.get(kinds[0], ())
        self.unknown = None if known else f"{kinds[0]} {self.function}"
        found = [name for name in _LOCATIONS if name in entry]
        if len(found) > 1:
            message = f"the level {self.name} has more than one of {', '.join(_LOCATIONS)}"
            raise config.bad(message, key, index)
        if known and found and found[0] in ("uri", "uris"):
            raise config.bad(f"the level {self.name}: {self.function} reads no URI", key, index)
        self._check(found, key)
        self.datadir = str(entry.get("datadir") or defaults.get("datadir") or "data")

    @property
    def at(self) -> Span:
        """Where it is written."""
        return self.config.file.span((self.key, self.index))

    def _check(self, found: list[str], key: str) -> None:
        """Refuses locations of the wrong kind."""
        for name in found:
            value = self.entry[name]
            several = name.endswith("s")
            good = isinstance(value, list) if several else isinstance(value, str)
            if name == "mapped_paths":
                good = good and len(value) == 3
            if not good:
                wanted = "three texts" if name == "mapped_paths" else "a text"
                wanted = "a list of texts" if several and name != "mapped_paths" else wanted
                message = f"the level {self.name}: {name} takes {wanted}"
                raise self.config.bad(message, key, self.index, name)

    def locations(self, search: Search) -> list[str]:
        """The files of the level for this node, in order."""
        return [path for _, paths in self.expanded(search) for path in paths]

    def expanded(self, search: Search) -> Iterator[tuple[str, list[str]]]:
        """Each location as it is written, and the files that it means for this node."""
        entry = self.entry
        root = search.interpolate(joined(self.config.root, self.datadir), methods=False)
        for name in ("path", "paths", "glob", "globs"):
            for written in _listed(entry.get(name)):
                full = joined(root, search.interpolate(written, methods=False))
                yield written, [full] if name.startswith("path") else files_of(full)
        if "mapped_paths" in entry:
            yield str(entry["mapped_paths"][2]), self._mapped(search, root)

    def _mapped(self, search: Search, root: str) -> list[str]:
        variable, name, template = (str(part) for part in self.entry["mapped_paths"])
        value = search.variable(variable.split("."))
        if value is None:
            return []
        items = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            items = [list(pair) for pair in value.items()]
        return [
            joined(root, search.interpolate(template, methods=False, extra={name: item}))
            for item in items
        ]


def _listed(value: Any) -> list[str]:
    return (
        [] if value is None else [str(v) for v in (value if isinstance(value, list) else [value])]
    )


class Config:
    """A hiera.yaml: levels, defaults and default hierarchy."""

    def __init__(self, path: str, layer: str) -> None:
        self.path = path
        self.layer = layer
        self.root = os.path.dirname(path)
        self.file: DataFile = read_data(path, "yaml_data")
        data = self.file.data
        version = data.get("version", 3)
        if version != 5:
            raise self.bad(f"{path} has version {version}; version 5 is supported", "version")
        unknown = [name for name in data if name not in _TOP]
        if unknown:
            raise self.bad(f"{path} cannot have the key {unknown[0]}", str(unknown[0]))
        defaults = data.get("defaults")
        self.defaults: dict[str, Any] = defaults if isinstance(defaults, dict) else _DEFAULTS
        self.levels = self._levels(data.get("hierarchy", _COMMON), "hierarchy")
        self.default_levels = self._levels(data.get("default_hierarchy") or [], "default_hierarchy")

    def _levels(self, entries: Any, key: str) -> list[Level]:
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            raise self.bad(f"{key} in {self.path} is not a list of levels", key)
        names = [entry.get("name") for entry in entries]
        for index, entry in enumerate(entries):
            if entry.get("name") in names[:index]:
                message = f"{key} in {self.path} has two levels called {entry.get('name')}"
                raise self.bad(message, key, index)
            odd = [name for name in entry if name not in _LEVEL]
            if odd:
                message = f"a level of {key} cannot have the key {odd[0]}"
                raise self.bad(message, key, index, str(odd[0]))
        return [Level(self, entry, key, index) for index, entry in enumerate(entries)]

    def bad(self, message: str, *path: str | int) -> Fault:
        """A refusal of something in this file."""
        return Fault(codes.HIERA_CONFIG.at(self.file.span(path), message=message))


_CONFIGS: dict[str, tuple[int, Config]] = {}


def read_config(path: str, layer: str) -> Config:
    """The configuration in a file, read again only when it changed."""
    try:
        stamp = os.stat(path).st_mtime_ns
    except OSError as error:
        raise Problem(
            codes.HIERA_CONFIG, message=f"{path} cannot be read: {error.strerror}"
        ) from None
    kept = _CONFIGS.get(path)
    if kept is None or kept[0] != stamp:
        kept = _CONFIGS[path] = (stamp, Config(path, layer))
    return kept[1]


__all__ = ["Config", "Fault", "Level", "read_config"]
