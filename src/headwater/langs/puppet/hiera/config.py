"""``hiera.yaml``: the levels of a hierarchy and where their data lies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import Stamp, look, stamp
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.data import DataFile, read_data
from headwater.langs.puppet.hiera.globs import files_of, joined
from headwater.langs.puppet.hiera.merge import Strategy
from headwater.langs.puppet.hiera.validation import FUNCTIONS, LOCATIONS, check
from headwater.langs.puppet.types.value import Value
from headwater.text import Span
from headwater.text.reading import reach

_KNOWN = {
    "data_hash": ("yaml_data", "json_data"),
    "lookup_key": ("eyaml_lookup_key",),
}
_DEFAULTS = Hash({"datadir": "data", "data_hash": "yaml_data"})
_COMMON = [Hash({"name": "Common", "path": "common.yaml"})]
_COMMON_4 = [Hash({"name": "common", "backend": "yaml"})]
_KEYS_4 = ("backend", "name", "datadir", "path", "paths")


class Interpolating(Protocol):
    """The look-up that asks for the files of a level."""

    def interpolate(
        self, text: str, *, methods: bool = True, extra: dict[str, Any] | None = None,
        location: Level | None = None,
    ) -> Value:  # fmt: skip
        """A text with its interpolations done; `location`: whose files it says."""
        ...

    def variable(
        self, segments: Sequence[str | int], extra: dict[str, Any] | None = None,
        location: Level | None = None,
    ) -> Value:  # fmt: skip
        """A variable, or what lies in it."""
        ...

    def look_through(self, pattern: str) -> None:
        """Notes a pattern for files."""
        ...

    def locked(self, level: Level, problem: Problem) -> None:
        """Tells of a folder of data that may not be read; raises any other problem."""
        ...


class Level:
    """One entry of a hierarchy.  `unknown` names a backend that is not one of Puppet's own."""

    __slots__ = (
        "_base", "config", "datadir", "ending", "entry", "function", "index", "key", "kind",
        "located", "name", "options", "paths", "unknown",
    )  # fmt: skip

    def __init__(self, config: Config, entry: Hash, key: str, index: int) -> None:
        self.config = config
        self.entry = entry
        self.index = index
        self.key = key
        self.name = str(entry["name"])
        defaults = config.defaults
        owner = entry if any(kind in entry for kind in FUNCTIONS) else defaults
        self.kind = next(kind for kind in FUNCTIONS if kind in owner)
        self.function = str(owner[self.kind]).removeprefix("::").lower()
        known = self.function in _KNOWN.get(self.kind, ())
        self.unknown = None if known else f"{self.kind} {self.function}"
        self.ending = str(entry.get("extension") or "")
        """The ending that paths get which do not have it (version 3)."""
        self.datadir = str(entry.get("datadir") or defaults.get("datadir") or "data")
        options = entry.get("options")
        self.options: Hash = options if options is not None else defaults.get("options") or Hash()
        self._base: str | None = None
        self.located = any(name in entry for name in LOCATIONS if not name.startswith("uri"))
        """Whether it says in which files data are."""
        self.paths = [
            (name.startswith("path"), pattern)
            for name in ("path", "paths", "glob", "globs")
            for pattern in _listed(entry.get(name))
        ]
        """Its locations as they are written, each with whether it names one file."""

    @property
    def at(self) -> Span:
        """Where it is written."""
        key = self.key if self.config.version != 3 else "backends"
        return self.config.file.span((key, self.index))

    def refused(self, path: str | None) -> str | None:
        """Why a function of Puppet's own does not take what the level gives it."""
        if path is None:
            return f"the level {self.name}: {self.function} reads files, and there is no path"
        if self.kind == "data_hash" and self.options:
            option = next(iter(self.options))
            return f"the level {self.name}: {self.function} takes no option {option}"
        return None

    def locations(self, search: Interpolating) -> list[str]:
        """The files of the level for this node, in order."""
        return [path for _, paths in self.expanded(search) for path in paths]

    def expanded(self, search: Interpolating) -> Iterator[tuple[str, list[str]]]:
        """Each location as it is written, and the files that it means for this node."""
        if self._base is None:
            whole = self.config.version == 3
            self._base = self.datadir if whole else joined(self.config.root, self.datadir)
        root = self._base
        if "%{" in root:
            with self.blamed():
                root = str(search.interpolate(root, methods=False))
        for single, pattern in self.paths:
            path = self._location(search, pattern)
            full = joined(root, path if path.endswith(self.ending) else path + self.ending)
            if single:
                yield pattern, [full]
            else:
                search.look_through(full)
                yield pattern, files_of(full, partial(search.locked, self))
        if "mapped_paths" in self.entry:
            yield str(self.entry["mapped_paths"][2]), self._mapped(search, root)

    def resolved(self, search: Interpolating, paths: Sequence[str]) -> list[str]:
        """The files that other paths would mean here; they have the ending of the backend."""
        with self.blamed():
            root = str(search.interpolate(self.datadir, methods=False))
        ending = f".{self.name}"
        named = [self._location(search, path) for path in paths]
        return [joined(root, one if one.endswith(ending) else one + ending) for one in named]

    def uris(self, search: Interpolating) -> list[str]:
        """The URIs of the level for this node, in order."""
        patterns = [*_listed(self.entry.get("uri")), *_listed(self.entry.get("uris"))]
        return [self._location(search, uri) for uri in patterns]

    def _location(
        self, search: Interpolating, text: str, extra: dict[str, Any] | None = None
    ) -> str:
        """A location with its interpolations done."""
        if "%{" not in text:
            return text
        location = None if self.config.version == 3 else self
        try:  # as `blamed` does
            return str(search.interpolate(text, methods=False, extra=extra, location=location))
        except Problem as problem:
            raise problem.at(self.at) from None

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """What is wrong meanwhile is wrong with this level."""
        try:
            yield
        except Problem as problem:
            raise problem.at(self.at) from None

    def _mapped(self, search: Interpolating, root: str) -> list[str]:
        variable, name, template = (str(part) for part in self.entry["mapped_paths"])
        with self.blamed():
            value = search.variable(variable.split("."), location=self)
        if value is None:
            return []
        items = value if isinstance(value, list) else [value]
        if isinstance(value, Hash):
            items = [list(pair) for pair in value.pairs()]
        return [joined(root, self._location(search, template, {name: item})) for item in items]


def _listed(value: object) -> list[str]:
    return (
        [] if value is None else [str(v) for v in (value if isinstance(value, list) else [value])]
    )


def _version(given: Value) -> int:
    """The version a file has; one that says none has version 3."""
    if given is None:
        return 3
    if not isinstance(given, int | float | str):
        return 0
    try:
        return int(given)
    except ValueError:
        return 0


class Config:
    """A hiera.yaml: levels, defaults and default hierarchy.

    `data` stands for one that is not written; `file` is then what asks for it.
    """

    def __init__(self, path: str, layer: str, data: Hash | None = None) -> None:
        self.path = path
        self.layer = layer
        self.root = os.path.dirname(path)
        self.module = os.path.basename(self.root) if layer == "module" else None
        self.file: DataFile = read_data(path, "yaml_data" if data is None else "json_data")
        found = self.file.data if data is None else data
        self.version = _version(found.get("version"))
        self.defaults: Hash = _DEFAULTS
        self.levels: list[Level] = []
        self.default_levels: list[Level] = []
        self.hash_strategy: Strategy | None = None
        """How ``hiera_hash()`` merges, if the file says it (version 3)."""
        match self.version:
            case 3 if layer == "global":
                self._read_3(found)
            case 3:
                pass
            case 4 if layer == "global":
                raise self.bad(f"{path} has version 4, which a global hiera.yaml cannot", "version")
            case 4:
                self.levels = [
                    Level(self, entry, "hierarchy", index)
                    for index, entry in enumerate(self._entries_4(found))
                ]
            case 5 if found["version"].__class__ is int:
                check(self, found)
                self.defaults = found.get("defaults") or _DEFAULTS
                self.levels = self._levels(found.get("hierarchy"), "hierarchy")
                self.default_levels = self._levels(
                    found.get("default_hierarchy", []), "default_hierarchy"
                )
            case _:
                raise self.bad(f"{path} has version {found['version']}, which is none", "version")

    def _levels(self, entries: list[Hash] | None, key: str) -> list[Level]:
        every = _COMMON if entries is None else entries
        return [Level(self, entry, key, index) for index, entry in enumerate(every)]

    def _read_3(self, data: Hash) -> None:
        from headwater.langs.puppet.hiera import version3

        try:
            self.levels = self._levels(version3.entries(data), "hierarchy")
        except version3.WrongEntry as wrong:
            raise self.bad(f"{self.path}: {wrong.message}", *wrong.path) from None
        self.hash_strategy = version3.strategy(data)

    def _entries_4(self, data: Hash) -> list[Hash]:
        """The levels of version 4, as version 5 writes them."""
        odd = [name for name in data if name not in ("version", "datadir", "hierarchy")]
        if odd:
            raise self.bad(f"{self.path} cannot have the key {odd[0]}", str(odd[0]))
        hierarchy = data.get("hierarchy") or _COMMON_4
        if not isinstance(hierarchy, list):
            raise self.bad(f"hierarchy in {self.path} is not a list of levels", "hierarchy")
        found: list[Hash] = []
        for index, entry in enumerate(hierarchy):
            if not isinstance(entry, Hash) or "name" not in entry or "backend" not in entry:
                raise self.bad("a level has no name or no backend", "hierarchy", index)
            odd = [name for name in entry if name not in _KEYS_4]
            backend, name = entry["backend"], str(entry["name"])
            if odd or backend not in ("yaml", "json") or name in [one["name"] for one in found]:
                message = f"the level {name} cannot be used: {odd[0] if odd else backend}"
                raise self.bad(message, "hierarchy", index)
            paths = _listed(entry.get("paths") or entry.get("path") or name)
            ending = f".{backend}"
            found.append(Hash({
                "name": name, "data_hash": f"{backend}_data",
                "paths": [p if p.endswith(ending) else p + ending for p in paths],
                "datadir": entry.get("datadir") or data.get("datadir") or "data",
            }))  # fmt: skip
        return found

    def bad(self, message: str, *path: str | int) -> Fault:
        """A refusal of something in this file."""
        return Fault(codes.HIERA_CONFIG.at(self.file.span(path), message=message))


_CONFIGS: dict[tuple[str, str], tuple[Stamp, Config]] = {}


def read_config(path: str, layer: str) -> Config:
    """The configuration in a file, read again only when it changed."""
    about = look(path)
    if about is None:
        raise Problem(codes.HIERA_CONFIG, message=f"{path} cannot be read: there is no such file")
    now = stamp(about)
    kept = _CONFIGS.get((path, layer))
    if kept is None or kept[0] != now or now[0] > reach().most_bytes:
        kept = _CONFIGS[path, layer] = (now, Config(path, layer))
    return kept[1]


def default_config(path: str, function: str | None = None) -> Config:
    """The configuration of a module whose metadata.json, at `path`, asks for data."""
    data = Hash({"version": 5})
    if function is not None:
        data.put("hierarchy", [Hash({"name": function, "v4_data_hash": function})])
    return Config(path, "module", data)


__all__ = ["Config", "Fault", "Level", "default_config", "read_config"]
