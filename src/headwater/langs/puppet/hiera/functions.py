"""Levels served by functions of modules: ``data_hash``, ``lookup_key`` and ``data_dig``."""

from __future__ import annotations

from typing import Any, Protocol

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.config import Interpolating, Level
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.hiera.evidence import Beside, LookupRecord, Tried
from headwater.langs.puppet.hiera.host import DataCallee, Frame, NotFound
from headwater.langs.puppet.hiera.layers import Layers
from headwater.langs.puppet.hiera.merge import NOT_FOUND, Found, Strategy
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import LookupContext, Opaque, opaque_in
from headwater.text import Span

MOST_INSIDE = 40
"""Functions of data that may look up what other functions of data give."""


class Computed(DataFile):
    """What a function gave, in the form of a data file; every value stands at its name."""

    __slots__ = ("at", "body")

    def __init__(self, callee: DataCallee, data: Hash) -> None:
        self.at = callee.at
        self.body = callee.body
        self.path = self.at.source.name
        self.source = self.at.source
        self.document = None
        self.data = data

    def document_place(self, path: tuple[str | int, ...]) -> Span | None:
        return self.at

    def span(self, path: tuple[str | int, ...], *, key: bool = False) -> Span:
        return self.at


class Given:
    """What a function has given for one place, and what it keeps there."""

    __slots__ = ("beside", "cache", "data", "own", "values")

    def __init__(self) -> None:
        self.beside = Beside()
        """What it read in all calls after which it kept anything."""
        self.own: dict[str, Beside] = {}
        """What it read in the call for each key."""
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

    def is_there(self, level: Level, path: str) -> bool:
        """Whether a file of a level is there."""
        ...

    def interpolated_hash(self, value: Hash) -> Hash:
        """The options of a level with their interpolations done."""
        ...


class DataFunction:
    """The function of a level."""

    def __init__(self, layers: Layers, level: Level, callee: DataCallee) -> None:
        self._layers = layers
        self.level = level
        self._callee = callee
        self._texts = Beside()
        """The pieces of Ruby that ran for any place."""
        self._given: dict[str | None, Given] = {}
        self._calls: list[tuple[str | None, str]] = []
        self._whole = level.kind in ("data_hash", "v4_data_hash")
        """Whether it gives all data at once."""
        self._validated = self._is_validated()

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
        there = where is None or not self.level.located or search.is_there(self.level, where)
        value = self._value(search, where, root) if there else NOT_FOUND
        found = value is not NOT_FOUND
        file = Computed(self._callee, Hash({root: value} if found else {}))
        name = f"{self.level.function}({where or ''})"
        layer = self.level.config.layer
        search.record.read += self._callee.variables
        search.record.beside += self._beside(where, root, search)
        search.record.tried.append(Tried(root, layer, self.level.name, name, file, found))
        if value is NOT_FOUND or not self._whole:
            return value
        return search.interpolated(value)

    def _beside(self, where: str | None, root: str, search: Search) -> list[Beside]:
        """What a value rests on beside the text of the function's own arguments."""
        given = self._given.get(where)
        if given is None:
            return []
        key = "" if self._whole else ".".join(map(str, self._asked(root, search)))
        own = given.own.get(key)
        kept = Beside()
        kept.add(given.beside)
        return [self._texts, kept, *([own] if own is not None else [])]

    def _is_validated(self) -> bool:
        """Whether the type of the result says enough; a type that says too little is refused."""
        from headwater.langs.puppet.types import assignable
        from headwater.langs.puppet.types.aliases import RICH_DATA, RICH_DATA_KEY
        from headwater.langs.puppet.types.build import hash_of

        wanted = hash_of(RICH_DATA_KEY, RICH_DATA) if self._whole else RICH_DATA
        every = self._callee.results()
        for returns in every:
            if returns is not None and not assignable(wanted, returns):
                raise self._bad("has a type for its result that data need not have")
        return None not in every

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
        segments = self._asked(root, search)
        key = ".".join(map(str, segments))
        if key not in given.values:
            asked: Any = list(segments) if self.level.kind == "data_dig" else root
            value = self._checked(self._call(search, where, given, [asked], key), root)
            if value is NOT_FOUND:
                return NOT_FOUND
            given.values[key] = value
        return _wrapped(given.values[key], segments[1:])

    def _asked(self, root: str, search: Search) -> list[str | int]:
        """The parts of a key that the function is asked for: only ``data_dig`` gets them all."""
        if self.level.kind == "data_dig" and search.segments[0] == root:
            return search.segments
        return [root]

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
        made = self._layers.made
        context = LookupContext(given.cache, module, host.environment, search.interpolated, made)
        beside = Beside()
        self._calls.append((where, name))
        self._layers.calling.append(level)
        try:
            args = [] if level.kind == "v4_data_hash" else [*key, options, context]
            return self._callee.call(search.frame, args, beside)
        except NotFound:
            return NOT_FOUND
        except Problem as problem:
            raise problem.at(self._callee.at) from None
        finally:
            self._texts.texts += [one for one in beside.texts if one not in self._texts.texts]
            beside.texts = []
            given.own["" if self._whole else name] = beside
            if given.cache:
                given.beside.add(beside)
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
        at = self._callee.at
        return Fault(codes.LOOKUP_FAILED.at(at, message=f"{self.level.function} {what}"))


def function_of(layers: Layers, level: Level) -> DataFunction | None:
    """The function of a level, if it is one of a module."""
    if level not in layers.functions:
        found = None
        if level.kind != "hiera3_backend":
            found = layers.host.data_function(level.function)
        made = None if found is None else DataFunction(layers, level, found)
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
