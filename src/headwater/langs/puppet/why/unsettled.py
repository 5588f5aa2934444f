"""What did not happen because of a guess: absences, told apart more finely than in D+."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.values import capitalised
from headwater.langs.puppet.why.absences import Absences, Untaken
from headwater.langs.puppet.why.classes import computed_name
from headwater.langs.puppet.why.consequences import ANY, Consequences, Lead, Summaries
from headwater.langs.puppet.why.constructs import Branch, branches
from headwater.langs.puppet.why.left import Left
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.why import NOTHING, Node


@branches(Resource)
def _latent(guard: Guard) -> Iterator[Branch]:
    """A virtual resource might have been made real."""
    yield Branch([declared(guard.node).node], False, FOREVER)


def sure_classes(left: Left, summaries: Summaries) -> set[str]:
    """The classes that are declared without any condition, by bodies that nothing leaves."""
    record = left.record
    found: set[str] = set()
    for name, acts in record.declarations.items():  # in the order of their declaration
        for act in acts:
            scope = act.frame.scope
            around = scope.source.name if scope.source.kind == "class" else None
            plain = act.guard is None and act.frame is scope and not computed_name(act.node)
            leaves = around in found and summaries.of(("class", str(around)))[0].jumps
            if plain and (scope is record.top or (around in found and not leaves)):
                found.add(name)
                break
    return found


QUERIED = frozenset(["type", "class", "tag"])


class _Summaries(Summaries):
    """What definitions do that may not be done anyway.

    Functions in Ruby do no more than declare resources; a class that is declared without any
    condition has done what it does.
    """

    def __init__(self, left: Left) -> None:
        super().__init__(left.program)
        self._sure: set[str] = set()
        self._sure = sure_classes(left, self)

    def of(self, lead: Lead) -> tuple[Consequences, set[Lead]]:
        """What a definition does by itself, and what it leads to."""
        if lead[0] == "class" and lead[1] in self._sure:
            return Consequences(), set()
        return super().of(lead)

    def unreadable(self, found: Consequences) -> None:
        """It may declare resources."""
        found.types.add(ANY)

    def any_class(self, found: Consequences) -> None:
        """And so may do anything."""
        found.everything()


class Unsettled(Absences):
    """What did not happen, with parameters by name and arrows by their ends."""

    def __init__(self, replay: Replay) -> None:
        self._unset: dict[tuple[str, str], Node] = {}
        super().__init__(replay, _Summaries(replay.left))
        self._ends: dict[tuple[str, Resource], list[tuple[Any, ...]]] | None = None

    def _noted(self) -> Iterator[Guard]:
        """Decisions, what is computed, and virtual resources that nothing made real."""
        yield from super()._noted()
        left = self.replay.left
        yield from left.record.guesses.computed
        for one in left.catalog.resources:
            at = declared(one)
            if one.virtual and at.unit is not None and at.frame is not None:
                yield Guard(at.unit, one, at.frame, None, at.guard, at.when)

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table, which are noted together."""
        return self._until([("every", table)], when)

    def _add(self, key: tuple[Any, ...], branch: Untaken) -> None:
        super()._add(key, branch)
        if key[0] in QUERIED:
            super()._add(("every", key[0]), branch)

    def _note(self, branch: Untaken, frame: Frame) -> None:
        super()._note(branch, frame)
        found = self._consequences(branch.body, branch.guard.unit)
        for end in found.related:
            self._add(("related", *end), branch)
        for name in found.contained:
            self._add(("contained", name), branch)
        owner = branch.guard.frame.scope.resource
        if found.tagged:
            self._add(("tagged", owner), branch)

    def writing(self, type_: str, name: str) -> Node:
        """Why a parameter of a type was not written."""
        known = self._unset.get((type_, name))
        if known is None:
            keys = [("written", t, n) for t in (type_, ANY) for n in (name, ANY)]
            known = self._unset[type_, name] = self._until(keys, FOREVER)
        return known

    def relating(self, parameter: str, resource: Resource) -> Node:
        """Why no arrow points from a resource."""
        if self._ends is None:
            self._ends = self._find_ends()
        found = [self._until(self._ends.get((parameter, resource), ()), FOREVER)]
        for type_ in (resource.type.lower(), ANY):
            line = self._tables.get(("related", parameter, type_, ANY))
            if line is not None:
                found.append(line.until(self.replay, FOREVER))
        return self.replay.trace.union(*found)

    def _find_ends(self) -> dict[tuple[str, Resource], list[tuple[Any, ...]]]:
        """The resources that arrows of untaken branches name: by title, alias or name."""
        found: dict[tuple[str, Resource], list[tuple[Any, ...]]] = {}
        for key in self._keys("related"):
            _, parameter, type_, title = key
            resource = self.replay.left.catalog.find(capitalised(type_), title)
            if title != ANY and resource is not None:
                found.setdefault((parameter, resource), []).append(key)
        return found

    def requiring(self, resource: Resource) -> Node:
        """Why a class or define does not require another class."""
        return self._until([("requires", resource)], FOREVER)

    def tagging(self, resource: Resource) -> Node:
        """Why a resource is not tagged by what runs in it."""
        return self._until([("tagged", resource)], FOREVER)

    def containing(self, resource: Resource) -> Node:
        """Why a class is not contained in more."""
        if resource.type != "Class" or resource.definition is None:
            return NOTHING
        return self._until([("contained", n) for n in (resource.definition.name, ANY)], FOREVER)

    def names(self, type_: str) -> Iterator[str]:
        """The parameters of a type that might have been written, by an unknown outcome."""
        for key in self._keys("written"):
            if key[1] in (type_, ANY) and self._until([key], FOREVER):
                yield key[2]

    def more(self) -> Iterator[tuple[str, Node]]:
        """The types of which there might be more resources."""
        for key in [*self._keys("type"), *self._keys("class")]:
            found = self._until([key], FOREVER)
            if found:
                yield ("class" if key[0] == "class" else key[1]), found

    def _keys(self, table: str) -> list[tuple[Any, ...]]:
        """The keys of a table, always in the same order."""
        return sorted(key for key in self._tables if key[0] == table)
