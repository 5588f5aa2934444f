"""The type checker of the engine: one pass with a work list and scopes that are undone.

The paper's sets Π, Σ and H are counters here; entering a block adds to them and the
entry on the work list behind the block takes away again.  Ω is `borders.Worlds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import Any

from headwater.langs.opal.codes import (
    MERGE_NAMES,
    NO_MERGE_OUTSIDE,
    WORLD_DROPPED,
    WORLD_IN_HANDLER,
)
from headwater.langs.opal.engine.borders import Status, Worlds
from headwater.langs.opal.printer import show_place
from headwater.langs.opal.scope import (
    COMMITTED,
    INSIDE_HANDLE,
    INSIDE_HYP,
    MOST_FOUND,
    OUTSIDE_HANDLE,
    OUTSIDE_HYP,
    Gone,
    Live,
    moved_to,
    no_permission,
    unavailable,
    undefined,
    unknown,
)
from headwater.langs.opal.syntax import (
    And,
    Assign,
    At,
    Com,
    Commit,
    Cons,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Seq,
    Sexp,
    Var,
    Weight,
    With,
    World,
    WorldVar,
)
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Span


def check(
    program: Com,
    known: Iterable[Place] = (),
    permitted: Iterable[str] = (),
    below: Container[Place] = (),
) -> tuple[Diagnostic, ...]:
    """What is wrong with a program over a store that binds the `known` places, by place.

    `below` are more such places, too many to list; `permitted` have given permission already.
    """
    return tuple(in_order(_Checker(known, permitted, below).check(program)))


class _Checker:
    def __init__(
        self, known: Iterable[Place], permitted: Iterable[str], below: Container[Place]
    ) -> None:
        self.found: list[Diagnostic] = []
        self.permitted: Counter[str] = Counter(list(permitted))
        self.below = below
        self.defined: Counter[Place] = Counter(list(known))
        self.operations: dict[str, list[Handle]] = {}
        self.handled: dict[Place, list[int]] = {}
        """For each place the number of hyps around each of its open handles."""
        self.hyps: list[bool] = []
        """The hyps around, and whether they can be committed."""
        self.worlds = Worlds()
        self.ended: dict[str | Place, Handle] = {}
        self.todo: list[tuple[Callable[..., None], Any]] = []
        self.visit: dict[type, Callable[[Any], None]] = {
            Seq: self.seq,
            If: self.if_,
            With: self.with_,
            At: lambda c: self.push(c.body),
            Assign: self.assign,
            Commit: self.commit,
            Op: self.op,
            Handle: self.handle,
            Var: lambda s: self.read(s.place, s.at),
            Cons: lambda s: self.push(s.left, s.right),
            Weight: self.weight,
            And: lambda b: self.push(b.left, b.right),
            Or: lambda b: self.push(b.left, b.right),
            Eq: lambda b: self.push(b.left, b.right),
            Mem: lambda b: self.push(b.left, b.right),
        }

    def check(self, program: Com) -> list[Diagnostic]:
        """Works off the list."""
        todo = self.todo
        self.push(program)
        while todo:
            action, argument = todo.pop()
            action(argument)
        return self.found

    def push(self, *nodes: object) -> None:
        """Visits these nodes next, the first one first."""
        for node in reversed(nodes):
            visit = self.visit.get(type(node))
            if visit is not None:
                self.todo.append((visit, node))

    def then(self, action: Callable[..., None], argument: object = None) -> None:
        """Does this after everything that is pushed later."""
        self.todo.append((action, argument))

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a diagnostic, up to a bound."""
        if not self.full:
            self.found.append(diagnostic)

    @property
    def full(self) -> bool:
        """Whether no more is reported; then there is no need to look for names alike."""
        return len(self.found) >= MOST_FOUND

    # --- commands ---------------------------------------------------------------------

    def seq(self, c: Seq) -> None:
        """Commands one after the other."""
        self.push(*c.commands)

    def op(self, c: Op) -> None:
        """A call needs an open handle."""
        if not self.operations.get(c.name) and not self.full:
            known = [name for name, handles in self.operations.items() if handles]
            self.report(unknown(c, known, self.ended.get(c.name)))

    def with_(self, c: With) -> None:
        """Permission inside the block."""
        self.permitted[c.node] += 1
        self.then(self.end_with, c.node)
        self.push(c.body)

    def end_with(self, node: str) -> None:
        """The permission ends."""
        self.permitted[node] -= 1

    def if_(self, c: If) -> None:
        """Both branches from the same worlds."""
        self.then(self.begin_then, c)
        self.push(c.test)

    def begin_then(self, c: If) -> None:
        """After the test."""
        self.worlds.branch()
        self.then(self.begin_else, c)
        self.push(c.then)

    def begin_else(self, c: If) -> None:
        """After the first branch."""
        after_then = self.worlds.undo()
        self.worlds.branch()
        self.then(self.join, (c, after_then))
        self.push(c.orelse)

    def join(self, saved: tuple[If, dict[str, Status]]) -> None:
        """After both branches."""
        c, after_then = saved
        self.worlds.join(after_then, self.worlds.undo(), c.at.at_start())

    def assign(self, c: Assign) -> None:
        """A hyp adds a world, a variable moves it."""
        self.then(self.assigned, c)
        self.world(c.world)

    def assigned(self, c: Assign) -> None:
        """After the world."""
        self.use_up(c.world, Gone(moved_to(c.name), c.at))
        before = self.worlds.get(c.name)
        if isinstance(before, Live):
            note = Note("the world that is dropped", before.at)
            line = before.at.first.line
            self.report(WORLD_DROPPED.at(c.at, world=c.name, line=line, labels=(note,)))
        self.worlds.set(c.name, Live(c.at))

    def commit(self, c: Commit) -> None:
        """The world is used up."""
        self.then(lambda c: self.use_up(c.world, Gone(COMMITTED, c.at)), c)
        self.world(c.world)

    def use_up(self, world: World, how: Gone) -> None:
        """A variable that was there is there no more."""
        if isinstance(world, WorldVar) and isinstance(self.worlds.get(world.name), Live):
            self.worlds.set(world.name, how)

    def handle(self, c: Handle) -> None:
        """Permission, names, the two expressions, then the body behind a border."""
        node = c.place.node
        if not self.permitted[node]:
            self.report(no_permission(node, c.place_at))
        names = (c.orig, c.hyp, c.curr)
        if len(set(names)) < 3:
            index = 1 if c.orig == c.hyp else 2
            self.report(MERGE_NAMES.at(c.names_at[index], name=names[index]))
        depths = self.handled.setdefault(c.place, [])
        if self.hyps and self.hyps[-1] and not (depths and depths[0] < len(self.hyps)):
            self.report(NO_MERGE_OUTSIDE.at(c.head, place=show_place(c.place)))
        self.permitted[node] += 1
        self.defined[c.place] += 1
        self.expression(c.handler)
        self.defined[c.place] -= 1
        merging = [Place(node, name) for name in names]
        self.defined.update(merging)
        self.expression(c.merge)
        self.defined.subtract(merging)
        self.defined[c.place] += 1
        self.operations.setdefault(c.op, []).append(c)
        depths.append(len(self.hyps))
        self.worlds = Worlds(self.worlds, Gone(OUTSIDE_HANDLE, c.head))
        self.then(self.end_handle, c)
        self.push(c.body)

    def end_handle(self, c: Handle) -> None:
        """The border again: back to the outer worlds."""
        self.permitted[c.place.node] -= 1
        self.defined[c.place] -= 1
        self.operations[c.op].pop()
        self.handled[c.place].pop()
        self.ended[c.op] = self.ended[c.place] = c
        self.worlds = self.worlds.leave(Gone(INSIDE_HANDLE, c.head))

    # --- expressions ------------------------------------------------------------------

    def expression(self, s: Sexp) -> None:
        """A handler or merge expression, checked at once: it may read no world."""
        todo = [s]
        while todo:
            part = todo.pop()
            if isinstance(part, Cons):
                todo += (part.right, part.left)
            elif isinstance(part, Weight):
                self.report(WORLD_IN_HANDLER.at(part.at))
            elif isinstance(part, Var):
                self.read(part.place, part.at)

    def read(self, place: Place, at: Span) -> None:
        """A read needs permission and an open handle or an existing key."""
        if not self.permitted[place.node]:
            self.report(no_permission(place.node, at))
        elif not self.defined[place] and not self.full and place not in self.below:
            known = [p for p, count in self.defined.items() if count > 0]
            self.report(undefined(place, at, known, self.ended.get(place)))

    def weight(self, s: Weight) -> None:
        """First the world, then the variable in it."""
        self.then(lambda s: self.read(s.place, s.at), s)
        self.world(s.world, committable=False)

    def world(self, w: World, *, committable: bool = True) -> None:
        """A variable must be live; a hyp is checked behind a border."""
        if isinstance(w, WorldVar):
            status = self.worlds.get(w.name)
            if not isinstance(status, Live) and not self.full:
                self.report(unavailable(w, status, self.worlds.live()))
            return
        self.worlds = Worlds(self.worlds, Gone(OUTSIDE_HYP, w.at.at_start()))
        self.hyps.append(committable)
        self.then(self.end_hyp, w)
        self.push(w.body)

    def end_hyp(self, w: Hyp) -> None:
        """The border again; of a hyp that is only read, nothing is remembered."""
        committable = self.hyps.pop()
        self.worlds = self.worlds.leave(Gone(INSIDE_HYP, w.at.at_start()) if committable else None)
