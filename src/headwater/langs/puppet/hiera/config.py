"""``hiera.yaml`` version 5: the levels of a hierarchy and where their data lies."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hiera.data import DataFile, read_data

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.lookup import Search

_FUNCTIONS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend")
_LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
_KNOWN = {
    "data_hash": ("yaml_data", "json_data"),
    "lookup_key": ("eyaml_lookup_key",),
}
_DEFAULTS = {"datadir": "data", "data_hash": "yaml_data"}
_COMMON = [{"name": "Common", "path": "common.yaml"}]


class Level:
    """One entry of a hierarchy."""

    __slots__ = ("config", "datadir", "entry", "function", "index", "name")

    def __init__(self, config: Config, entry: dict[str, Any], index: int) -> None:
        self.config = config
        self.entry = entry
        self.index = index
        self.name = str(entry.get("name", ""))
        defaults = config.defaults
        owner = entry if any(key in entry for key in _FUNCTIONS) else defaults
        kind = next((key for key in _FUNCTIONS if key in owner), "data_hash")
        self.function = str(owner.get(kind, "yaml_data"))
        if self.function not in _KNOWN.get(kind, ()):
            raise config.bad(f"the level {self.name} uses {kind} {self.function}: not supported")
        if sum(key in entry for key in _LOCATIONS) > 1:
            raise config.bad(f"the level {self.name} has more than one of {', '.join(_LOCATIONS)}")
        if "uri" in entry or "uris" in entry:
            raise config.bad(f"the level {self.name} reads from a URI: not supported")
        self.datadir = str(entry.get("datadir") or defaults.get("datadir") or "data")

    def locations(self, search: Search) -> list[str]:
        """The files of the level for this node, in order."""
        entry = self.entry
        root = os.path.join(self.config.root, search.interpolate(self.datadir, methods=False))
        if "path" in entry or "paths" in entry:
            written = entry["paths"] if "paths" in entry else [entry["path"]]
            return [os.path.join(root, search.interpolate(str(p), methods=False)) for p in written]
        if "glob" in entry or "globs" in entry:
            written = entry["globs"] if "globs" in entry else [entry["glob"]]
            found: list[str] = []
            for pattern in written:
                full = os.path.join(root, search.interpolate(str(pattern), methods=False))
                found += sorted(p for p in _glob(full) if not os.path.isdir(p))
            return found
        if "mapped_paths" in entry:
            return self._mapped(search, root)
        return []

    def _mapped(self, search: Search, root: str) -> list[str]:
        variable, name, template = (str(part) for part in self.entry["mapped_paths"])
        value = search.variable(variable.split("."))
        if value is None:
            return []
        items = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            items = [list(pair) for pair in value.items()]
        return [
            os.path.join(root, search.interpolate(template, methods=False, extra={name: item}))
            for item in items
        ]


def _glob(pattern: str) -> list[str]:
    """Files that a pattern of Ruby's means: braces are alternatives."""
    import glob

    start = pattern.find("{")
    if start < 0:
        return glob.glob(pattern, recursive=True)
    end = pattern.find("}", start)
    if end < 0:
        return []
    found: list[str] = []
    for part in pattern[start + 1 : end].split(","):
        found += _glob(pattern[:start] + part + pattern[end + 1 :])
    return found


class Config:
    """A hiera.yaml: levels, defaults and default hierarchy."""

    def __init__(self, path: str, layer: str) -> None:
        self.path = path
        self.layer = layer
        self.root = os.path.dirname(os.path.abspath(path))
        self.file: DataFile = read_data(path, "yaml_data")
        data = self.file.data
        version = data.get("version", 3)
        if version != 5:
            raise self.bad(f"{path} has version {version}; version 5 is supported")
        defaults = data.get("defaults")
        self.defaults: dict[str, Any] = defaults if isinstance(defaults, dict) else _DEFAULTS
        self.levels = self._levels(data.get("hierarchy", _COMMON), "hierarchy")
        self.default_levels = self._levels(data.get("default_hierarchy") or [], "default")

    def _levels(self, entries: Any, key: str) -> list[Level]:
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            raise self.bad(f"{key} in {self.path} is not a list of levels")
        names = [entry.get("name") for entry in entries]
        for name in names:
            if names.count(name) > 1:
                raise self.bad(f"{key} in {self.path} has two levels called {name}")
        return [Level(self, entry, index) for index, entry in enumerate(entries)]

    def bad(self, message: str) -> Problem:
        """A refusal of this file."""
        return Problem(codes.HIERA_CONFIG, message=message)


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
