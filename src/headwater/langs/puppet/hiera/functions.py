"""Levels served by functions written in Puppet: ``data_hash``, ``lookup_key`` and ``data_dig``."""

from __future__ import annotations

from typing import Any, Protocol

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import exists
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.config import Interpolating, Level
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.host import Frame, NotFound
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.merge import NOT_FOUND, Found, Strategy
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import LookupContext, Opaque, opaque_in
from headwater.text import Span

MOST_INSIDE = 40
"""Functions of data that may look up what other functions of data give."""


class Computed(DataFile):
    """What a function gave, in the form of a data file; every value stands at its name."""

    __slots__ = ("at", "node", "unit")

    def __init__(self, unit: Unit, node: ast.Function, data: Hash) -> None:
        self.unit = unit
        self.node = node
        self.at = unit.source.span(node.name_start, node.name_end)
        self.path = unit.source.name
        self.source = unit.source
        self.document = None
        self.data = data

    def document_place(self, path: tuple[str | int, ...]) -> Span | None:
        return self.at

    def span(self, path: tuple[str | int, ...], *, key: bool = False) -> Span:
        return self.at


class Given:
    """What a function has given for one place, and what it keeps there."""

    __slots__ = ("cache", "data", "values")

    def __init__(self) -> None:
        self.cache = Hash()
        self.data: Any = None
        self.values: dict[str, Any] = {}


class Search(Interpolating, Protocol):
    """The look-up that a function is called for."""

    frame: Frame
    record: LookupRecord
    segments: list[str | int]

    def interpolated(self, value: Value, *, methods: bool = True) -> Value:
        """A value of data with its interpolations done."""
        ...

    def interpolated_hash(self, value: Hash) -> Hash:
        """The options of a level with their interpolations done."""
        ...


class DataFunction:
    """The function of a level."""

    def __init__(self, layers: Layers, level: Level, unit: Unit, node: ast.Function) -> None:
        self._layers = layers
        self.level = level
        self._unit = unit
        self._node = node
        self._given: dict[str | None, Given] = {}
        self._calls: list[tuple[str | None, str]] = []
        self._whole = level.kind in ("data_hash", "v4_data_hash")
        """Whether it gives all data at once."""
        self._validated = self._is_validated()
        self._reads = _read_by(node)

    def find(self, search: Search, root: str, strategy: Strategy) -> Found:
        """The value of a key at all places of the level, or `NOT_FOUND`."""
        return strategy.search(self.asked_for(search), lambda where: self.at(search, where, root))

    def asked_for(self, search: Search) -> list[str | None]:
        """The files or URIs the function is called for; None stands for a call without one."""
        level = self.level
        if level.located:
            return [*level.locations(search)]
        return [*level.uris(search)] or [None]

    def at(self, search: Search, where: str | None, root: str) -> Found:
        """The value of a key at one place, or `NOT_FOUND`."""
        there = where is None or not self.level.located or exists(where)
        value = self._value(search, where, root) if there else NOT_FOUND
        found = value is not NOT_FOUND
        file = Computed(self._unit, self._node, Hash({root: value} if found else {}))
        name = f"{self.level.function}({where or ''})"
        layer = self.level.config.layer
        search.record.read += self._reads
        search.record.tried.append(Tried(root, layer, self.level.name, name, file, found))
        if value is NOT_FOUND or not self._whole:
            return value
        return search.interpolated(value)

    def _is_validated(self) -> bool:
        """Whether the type of the result says enough; a type that says too little is refused."""
        from headwater.langs.puppet.types import assignable
        from headwater.langs.puppet.types.aliases import RICH_DATA, RICH_DATA_KEY
        from headwater.langs.puppet.types.build import hash_of

        host = self._layers.host
        returns = host.result_type(self.level.function, self._unit, self._node)
        if returns is None:
            return False
        wanted = hash_of(RICH_DATA_KEY, RICH_DATA) if self._whole else RICH_DATA
        if not assignable(wanted, returns):
            raise self._bad("has a type for its result that data need not have")
        return True

    def _value(self, search: Search, where: str | None, root: str) -> Found:
        given = self._given.setdefault(where, Given())
        if self._whole:
            if given.data is None:
                data = self._call(search, where, given, [], root)
                if data is NOT_FOUND or isinstance(data, Opaque):
                    return data
                if not isinstance(data, Hash):
                    raise self._bad("gives no hash")
                given.data = data
            return self._checked(given.data.get(root, NOT_FOUND), root)
        dug = self.level.kind == "data_dig"
        segments: list[str | int] = [root]
        if dug and search.segments[0] == root:
            segments = search.segments
        key = ".".join(map(str, segments))
        if key not in given.values:
            asked: Value = list(segments) if dug else root
            value = self._checked(self._call(search, where, given, [asked], key), root)
            if value is NOT_FOUND:
                return NOT_FOUND
            given.values[key] = value
        return _wrapped(given.values[key], segments[1:])

    def _call(
        self, search: Search, where: str | None, given: Given, key: list[Any], name: str
    ) -> Found:
        level, host = self.level, self._layers.host
        if (where, name) in self._calls:
            raise self._bad(f"looks up {name}, for which it was called")
        if len(self._layers.calling) >= MOST_INSIDE:
            raise self._bad(f"looks up {name} inside {MOST_INSIDE} functions of data")
        with level.blamed():
            options = search.interpolated_hash(level.options)
        if where is not None:
            options = options.merged(Hash({"path" if level.located else "uri": where}))
        module = level.config.module
        context = LookupContext(given.cache, module, host.environment, search.interpolated)
        self._calls.append((where, name))
        self._layers.calling.append(level)
        try:
            args = [] if level.kind == "v4_data_hash" else [*key, options, context]
            return host.call(search.frame, level.function, self._unit, self._node, args)
        except NotFound:
            return NOT_FOUND
        except Problem as problem:
            raise problem.at(self._unit.span(self._node)) from None
        finally:
            self._calls.pop()
            self._layers.calling.pop()

    def _checked(self, value: Found, root: str) -> Found:
        if self._validated or value is NOT_FOUND or opaque_in(value) is not None:
            return value
        from headwater.langs.puppet.types.aliases import RICH_DATA
        from headwater.langs.puppet.types.matching import is_instance

        if not is_instance(RICH_DATA, value):
            raise self._bad(f"gives a value for {root} that cannot be looked up")
        return value

    def _bad(self, what: str) -> Fault:
        at = self._unit.source.span(self._node.name_start, self._node.name_end)
        return Fault(codes.LOOKUP_FAILED.at(at, message=f"{self.level.function} {what}"))


def _read_by(node: ast.Function) -> list[str]:
    """Facts, and variables of classes and the top, that stand in a function, as Hiera names them.

    Those of branches not taken are among them, those that other functions read are not.
    """
    found: list[str] = []
    todo: list[Any] = list(reversed(node.body))
    while todo:
        at = todo.pop()
        path: list[str] = []
        while (
            isinstance(at, ast.Access)
            and len(at.keys) == 1
            and isinstance(at.keys[0], ast.String)
            and isinstance(at.left, ast.Access | ast.Variable)
        ):
            path.insert(0, at.keys[0].value)
            at = at.left
        if isinstance(at, ast.Variable):
            if at.name in ("facts", "trusted") or "::" in at.name:
                plain = all("." not in part for part in path)
                found.append(".".join([at.name, *path]) if plain else at.name)
        elif isinstance(at, list):
            todo.extend(reversed(at))
        elif isinstance(at, ast.Record):
            todo.extend(reversed(list(ast.parts(at))))
    return list(dict.fromkeys(found))


def function_of(layers: Layers, level: Level) -> DataFunction | None:
    """The function of a level, if it is written in Puppet."""
    if level not in layers.functions:
        found = None
        if level.kind != "hiera3_backend":
            found = layers.host.function(level.function)
        made = None if found is None else DataFunction(layers, level, *found)
        layers.functions[level] = made
    kept: DataFunction | None = layers.functions[level]
    return kept


def _wrapped(value: Value, segments: list[str | int]) -> Value:
    """A value as it lies in what the first part of a key names."""
    for segment in reversed(segments):
        if isinstance(segment, int):
            value = [*[None] * segment, value]
        else:
            value = Hash({segment: value})
    return value
