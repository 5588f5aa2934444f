"""What did not happen, and because of what: the absence labels A of D+.

For everything that a branch not taken could have done there is a `Timeline` of the
decisions that kept it from happening.  What was read at some time depends on those
decided before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque
from headwater.langs.puppet.why.actions import ANY, Effects, effects
from headwater.why import NOTHING, Node

if TYPE_CHECKING:
    from headwater.langs.puppet.program.units import Unit
    from headwater.langs.puppet.why.replay import Replay

FOREVER = 1 << 60


class Untaken(NamedTuple):
    """A branch that was not taken: by which decision, and how many options were looked at."""

    guard: Guard
    options: int
    body: list[Any]


class Timeline:
    """Decisions in order, and the union of their causes up to any time."""

    __slots__ = ("causes", "unions", "whens")

    def __init__(self) -> None:
        self.whens: list[int] = []
        self.causes: list[Untaken] = []
        self.unions: list[Node] = [NOTHING]

    def until(self, replay: Replay, when: int) -> Node:
        """The causes of the decisions made up to a time."""
        count = bisect_right(self.whens, when)
        while len(self.unions) <= count:
            at = len(self.unions) - 1
            cause = self.causes[at]
            node = replay.running.deciding(cause.guard, cause.options)
            if len(self.unions) == at + 1:  # not reached meanwhile
                self.unions.append(replay.trace.union(self.unions[at], node))
        return self.unions[count]


class Absences:
    """The timelines of one compilation, made when the first question comes."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self._tables: dict[tuple[Any, ...], Timeline] = {}
        self._effects: dict[int, Effects] = {}
        self._kept: list[Any] = []
        noted = [*replay.compilation.record.decisions, *self._other_nodes()]
        noted += self._computed_names()
        for guard in sorted(noted, key=lambda guard: guard.when):
            for branch in untaken(guard):
                self._note(branch)
            self._note_jumps(guard)

    def _other_nodes(self) -> Iterator[Guard]:
        """The node definitions that do not match, as decisions."""
        compilation = self.replay.compilation
        scope = compilation.record.node_scope
        if scope is None:
            return
        for definition, _ in compilation.program.nodes.hosts:
            if definition.node is not scope.source.node and definition.unit is not None:
                yield Guard(
                    definition.unit,
                    definition.node,
                    scope,
                    None,
                    None,
                    compilation.record.node_when,
                )

    def _computed_names(self) -> Iterator[Guard]:
        """Declarations of classes whose names are computed: they might name any other class."""
        for acts in self.replay.compilation.record.declarations.values():
            for act in acts:
                if computed_name(act.node):
                    yield Guard(act.unit, act.node, act.frame, None, act.guard, act.when)

    def _note(self, branch: Untaken) -> None:
        guard = branch.guard
        found = self._effects_of(branch.body, guard.unit)
        for name in found.assigned:
            self._add(("variable", id(guard.frame), name), branch)
        for table, names in (
            ("class", found.classes), ("type", found.types), ("default", found.defaults),
            ("override", found.overrides), ("collected", found.collected),
        ):  # fmt: skip
            for name in names:
                self._add((table, name), branch)
        if found.relations:
            self._add(("relation",), branch)
        if found.tags:
            self._add(("tag",), branch)
        if found.grows:
            self._add(("growth",), branch)
        if found.jumps:
            self._add(("jump", id(guard.frame.scope)), branch)

    def _note_jumps(self, guard: Guard) -> None:
        """A branch taken that may have jumped keeps the rest of the body from running."""
        for body in taken(guard):
            if self._effects_of(body, guard.unit).jumps:
                source = guard.frame.scope.source
                rest = Untaken(guard, FOREVER, source.body)
                self._note(rest)

    def _effects_of(self, body: list[Any], unit: Unit) -> Effects:
        known = self._effects.get(id(body))
        if known is None:
            self._kept.append(body)
            known = self._effects[id(body)] = effects(body, unit, self.replay.compilation)
        return known

    def _add(self, key: tuple[Any, ...], branch: Untaken) -> None:
        line = self._tables.setdefault(key, Timeline())
        line.whens.append(branch.guard.when)
        line.causes.append(branch)

    def _until(self, keys: Iterable[tuple[Any, ...]], when: int) -> Node:
        lines = [self._tables[key] for key in keys if key in self._tables]
        return self.replay.trace.union(*(line.until(self.replay, when) for line in lines))

    # -- questions -------------------------------------------------------------------------------

    def variable(self, frame: Frame, name: str, when: int) -> Node:
        """A(α, x): why a variable was not assigned in a frame."""
        line = self._tables.get(("variable", id(frame), name))
        return NOTHING if line is None else line.until(self.replay, when)

    def declared(self, name: str, when: int) -> Node:
        """A_κ(a): why a class was not declared before."""
        return self._until((("class", name), ("class", ANY)), when)

    def of(self, table: str, name: str, when: int = FOREVER) -> Node:
        """A_t: why nothing was added, defaulted, overridden or collected of a type."""
        return self._until(((table, name), (table, ANY)), when)

    def jumped(self, frame: Frame, when: int) -> Node:
        """Why no jump left the body that a frame belongs to."""
        return self._until((("jump", id(frame.scope)),), when)

    def any(self, table: str, when: int = FOREVER) -> Node:
        """Why no relation, no tag, nothing at all came to be."""
        return self._until(((table,),), when)

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table."""
        return self._until([key for key in self._tables if key[0] == table], when)


def untaken(guard: Guard) -> Iterator[Untaken]:
    """The branches that a decision did not take, with what decided about each."""
    node, chosen = guard.node, guard.taken
    match node:
        case ast.If(then=then, otherwise=otherwise):
            yield Untaken(guard, FOREVER, otherwise if chosen else then)
            if isinstance(chosen, Opaque):
                yield Untaken(guard, FOREVER, then)
        case ast.Unless(then=then, otherwise=otherwise):
            yield Untaken(guard, FOREVER, then if chosen else otherwise)
        case ast.Case(options=options):
            bodies = [(option, option.body) for option in options]
            yield from _options(guard, bodies)
        case ast.Selector(options=options):
            yield from _options(guard, [(option, [option.value]) for option in options])
        case ast.Call(block=ast.Lambda(body=body)) | ast.Method(block=ast.Lambda(body=body)):
            yield Untaken(guard, FOREVER, body)
        case ast.Call() | ast.Method() | ast.Resource():
            yield Untaken(guard, FOREVER, [ast.Call(ast.Name("include"), [ast.Undef()])])
        case ast.Binary(right=right):
            if not chosen:
                yield Untaken(guard, FOREVER, [right])
        case ast.Node(body=body):
            yield Untaken(guard, FOREVER, body)


def computed_name(node: Any) -> bool:
    """Whether what a class is declared by is not its plain name."""
    match node:
        case ast.Call(function=ast.Name(value="hiera_include")):
            return True
        case ast.Call(args=names):
            pass
        case ast.Method(receiver=receiver):
            names = [receiver]
        case ast.Resource(bodies=bodies):
            names = [body.title for body in bodies]
        case _:
            return True
    return not all(isinstance(name, ast.Name | ast.String) for name in names)


def _options(guard: Guard, bodies: list[tuple[Any, list[Any]]]) -> Iterator[Untaken]:
    """An option before the one taken was decided by what was looked at so far."""
    chosen = guard.taken
    at = next((i for i, (option, _) in enumerate(bodies) if option is chosen), None)
    for index, (option, body) in enumerate(bodies):
        is_default = is_default_option(option)
        if option is chosen or (chosen is None and is_default):
            continue
        known = index if at is None else min(index, at)
        yield Untaken(guard, FOREVER if is_default and at is None else known, body)
        if is_default and at is not None and index < at:
            yield Untaken(guard, at, body)


def is_default_option(option: Any) -> bool:
    """Whether an option of a case or selector is the default."""
    values = option.values if isinstance(option, ast.When) else [option.match]
    return any(isinstance(value, ast.Default) for value in values)


def taken(guard: Guard) -> Iterator[list[Any]]:
    """The branch that a decision took."""
    node, chosen = guard.node, guard.taken
    match node:
        case ast.If(then=then, otherwise=otherwise):
            yield then if chosen else otherwise
        case ast.Unless(then=then, otherwise=otherwise):
            yield otherwise if chosen else then
        case ast.Case(options=options):
            for option in options:
                if option is chosen or (chosen is None and is_default_option(option)):
                    yield option.body
        case ast.Call(block=ast.Lambda(body=body)) | ast.Method(block=ast.Lambda(body=body)):
            yield body
        case _:
            return


__all__ = ["FOREVER", "Absences", "Timeline", "Untaken", "untaken"]
