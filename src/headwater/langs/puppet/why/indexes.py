"""The record, by what is asked for: reads by their call, acts by what they were done to."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from headwater.langs.puppet.catalog.metadata import RELATIONS
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.record.acts import Act, Changed, Collector, Read, Realize, Result
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.paths import Path
from headwater.text import Span
from headwater.why import Node

Found = TypeVar("Found")

_FEW = 12
"""So many parameters are looked through faster than they are put in a table."""

_ANY = "*"
"""Any parameter: ``* => $hash`` may set it."""


class Indexes:
    """Tables over one record, made when they are first needed."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._reads: dict[int, list[Read]] | None = None
        self._titled: dict[str, frozenset[Span]] | None = None
        self._calls: dict[tuple[int, int], int] | None = None
        self.changers: dict[int, list[Read]] | None = None
        """Templates that may change arrays and hashes, by their identity; see `changes`."""
        self.changed: dict[int, list[Act]] = {}
        """What Ruby did to arrays and hashes, by their identity."""
        for act in record.acts:
            if isinstance(act.subject, Changed):
                self.changed.setdefault(id(act.subject.value), []).append(act)
        self._acts: dict[tuple[str, Any], list[Act]] | None = None
        self._realizers: dict[str, Collector | Realize] | None = None
        self._overriders: dict[tuple[str, str], list[Collector]] | None = None
        self._takers: dict[str, list[Collector]] | None = None
        self._rewritten: dict[tuple[str, str], bool] = {}
        self.tests: dict[tuple[str, str], tuple[str, ...]] = {}
        """The attributes that any of the `overriders` of a type and a parameter tests."""
        self.own: dict[tuple[int, str, Path], tuple[int, Node]] = {}
        """Since when, and how, frames have their variables; see `variables`."""
        self.texts: dict[tuple[int, tuple[Node, ...]], Node] = {}
        """Texts with insertions, by what is inserted; see `strings`."""
        self.tellers: dict[str, list[Node]] = {}
        """The pieces of Ruby that tell what titles of a type mean; see `declarations`."""
        self.in_a_row: dict[Resource, bool] = {}
        """Whether what holds a resource, and that, is one thing each; see `tags`."""
        self._names: dict[Resource, dict[int, str]] = {}
        self._defaults: dict[int, dict[str, Any]] = {}
        self._elements: dict[tuple[int, int], dict[int, int]] = {}
        self._kept: list[Any] = []
        self._results: dict[tuple[int, int, str], list[Result]] | None = None
        self.told: dict[int, bool] = {}
        """Whether results of calls, by identity, are known, no secret and unchanged."""
        self._entered: dict[tuple[int, int], list[Frame]] | None = None
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """What is found for a key, looked for once."""
        known: Found | None = self._known.get(key)
        if known is None:
            known = self._known[key] = find()
        return known

    def reads_of(self, node: object) -> list[Read]:
        """What a call read beside its arguments."""
        if self._reads is None:
            reads: dict[int, list[Read]] = {}
            for read in self._record.reads:
                reads.setdefault(id(read.node), []).append(read)
            self._reads = reads
        return self._reads.get(id(node), [])

    def titled(self, type_: str) -> frozenset[Span]:
        """The pieces of Ruby that told what titles of a type mean."""
        if self._titled is None:
            reads = (read for read in self._record.reads if read.kind == "titles")
            self._titled = {read.text: read.detail for read in reads}
        return self._titled.get(type_, frozenset())

    def called(self, call: object, frame: Frame) -> int:
        """When a call of a lambda that does things was made in a frame."""
        if self._calls is None:
            self._calls = {
                (id(guard.node), id(guard.frame)): guard.when - 1
                for guard in self._record.decisions
                if isinstance(guard.node, ast.Call | ast.Method)
            }
        return self._calls.get((id(call), id(frame)), self._record.clock)

    def keep(self, value: object) -> None:
        """Keeps a value whose identity is written down somewhere."""
        self._kept.append(value)

    def result_of(self, node: object, frame: Frame, name: str) -> Result | None:
        """What a call gave in a frame, if it was made there once."""
        if self._results is None:
            results: dict[tuple[int, int, str], list[Result]] = {}
            for one in self._record.results:
                key = (id(one.node), id(one.frame), one.name)
                results.setdefault(key, []).append(one)
            self._results = results
        found = self._results.get((id(node), id(frame), name), ())
        return found[0] if len(found) == 1 else None

    def entered_by(self, call: object, frame: Frame) -> Frame | None:
        """The frame of the function that a call entered, if it did so once."""
        if self._entered is None:
            entered: dict[tuple[int, int], list[Frame]] = {}
            for one in self._record.entered:
                key = (id(one.origin.node), id(one.origin.frame))
                entered.setdefault(key, []).append(one)
            self._entered = entered
        found = self._entered.get((id(call), id(frame)), ())
        return found[0] if len(found) == 1 else None

    def acts_on(self, kind: str, subject: object) -> list[Act]:
        """What was done to a subject, in order."""
        if self._acts is None:
            acts: dict[tuple[str, Any], list[Act]] = {}
            for act in self._record.acts:
                acts.setdefault((act.kind, act.subject), []).append(act)
            self._acts = acts
        return self._acts.get((kind, subject), [])

    def realizer(self, ref: str) -> Collector | Realize | None:
        """The first collector or realize() that found a resource."""
        if self._realizers is None:
            realizers: dict[str, Collector | Realize] = {}
            for one in self._record.collectors:
                for found in one.collected:
                    realizers.setdefault(found, one)
            self._realizers = realizers
        return self._realizers.get(ref)

    def takers(self, ref: str) -> list[Collector]:
        """The collectors that set something and took a resource."""
        if self._takers is None:
            takers: dict[str, list[Collector]] = {}
            for one in self._record.collectors:
                if isinstance(one, Collector) and one.node.operations:
                    for taken in one.collected:
                        takers.setdefault(taken, []).append(one)
            self._takers = takers
        return self._takers.get(ref, [])

    def overriders(self, kind: str, name: str) -> list[Collector]:
        """The collectors of a type that set a parameter of what they take."""
        if self._overriders is None:
            overriders: dict[tuple[str, str], list[Collector]] = {}
            for one in self._record.collectors:
                if isinstance(one, Collector):
                    names = dict.fromkeys(one.given())
                    if any(isinstance(o, ast.Attributes) for o in one.node.operations or ()):
                        names = {_ANY: None}
                    for param in names:
                        overriders.setdefault((one.type, param), []).append(one)
            self._overriders = overriders
        found = self._overriders.get((kind, name), [])
        return [*found, *self._overriders.get((kind, _ANY), ())]

    def contested(self, kind: str, name: str) -> bool:
        """Whether something writes a parameter of single resources of a type after they are made.

        If not, what could have written it is the same for all resources of the type.
        """
        return name in RELATIONS or self.rewritten(kind, name)

    def rewritten(self, kind: str, name: str) -> bool:
        """Whether an override, a collector or an arrow writes a parameter of some of a type."""
        found = self._rewritten.get((kind, name))
        if found is None:
            record = self._record
            found = (
                kind in record.overrides
                or bool(self.overriders(kind, name))
                or any(arrow.parameter == name for arrow in record.arrows)
            )
            self._rewritten[kind, name] = found
        return found

    def name_of(self, resource: Resource, param: Param) -> str | None:
        """The name under which a resource has a parameter."""
        if len(resource.params) < _FEW:
            return next((n for n, own in resource.params.items() if own is param), None)
        known = self._names.get(resource)
        if known is None:
            known = self._names[resource] = {id(own): n for n, own in resource.params.items()}
        return known.get(id(param))

    def defaults_of(self, definition: Definition) -> dict[str, Any]:
        """The default expressions of a definition, by parameter."""
        known = self._defaults.get(id(definition))
        if known is None:
            params = getattr(definition.node, "params", None) or ()
            known = self._defaults[id(definition)] = {one.name: one.default for one in params}
        return known

    def index_of(self, frame: Frame, node: object, whole: list[Any], item: object) -> int | None:
        """The only place of an element in an array that an expression gave."""
        key = (id(node), id(frame))
        known = self._elements.get(key)
        if known is None:
            known = self._elements[key] = {}
            for index, one in enumerate(whole):
                known[id(one)] = -1 if id(one) in known else index
            self._kept.append(whole)
        found = known.get(id(item), -1)
        return found if found >= 0 else None
