"""The machine: runs flat code in one loop, without recursion.

With a trace it records how every value came about, as the paper's engine does; without
one it computes values only, and a question is answered by running again with a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.opal.codes import (
    ENDORSEMENT_DENIED,
    PERMISSION_MISSING,
    TOO_MANY_STEPS,
    UNBOUND_VARIABLE,
    UNKNOWN_OPERATION,
    WORLD_GONE,
)
from headwater.langs.opal.distribution import Carried, Request, Visit
from headwater.langs.opal.effects import Effect
from headwater.langs.opal.engine.code import JUMP, LEAVE, Code, Pure, compile_more, postfix
from headwater.langs.opal.engine.layers import Bottom, Layer, Tried, above_bottom
from headwater.langs.opal.engine.sexps import Evaluator, Stop, Traced
from headwater.langs.opal.inputs import Inputs, Kept
from headwater.langs.opal.printer import show_name, show_place
from headwater.langs.opal.steps import MOST_STEPS
from headwater.langs.opal.syntax import (
    Assign,
    At,
    Commit,
    Cons,
    Eq,
    Handle,
    Hyp,
    Mem,
    Op,
    Place,
    Truth,
    Weight,
    With,
    WorldVar,
)
from headwater.langs.opal.values import NIL, SexpValue, from_plain
from headwater.langs.opal.writes import (
    Binding,
    Inside,
    Write,
    definition,
    literal,
    operation,
    reference,
)
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace

Decision = tuple[bool, Node]


class Machine(Evaluator):
    """The state of a run; `Evaluator` holds the part that expressions need."""

    def __init__(
        self, code: Code, inputs: Inputs, *, tracing: bool, trace: Trace | None = None
    ) -> None:
        super().__init__(tracing=tracing, trace=trace)
        self.code = code
        self.inputs = inputs
        self.location = inputs.location
        self.worlds: dict[str, Tried] = {}
        self.operations: dict[str, list[Handle]] = {}
        self.merges: dict[Place, list[Handle]] = {}
        self.saved: list[Any] = []
        """What blocks put aside: each kind of block knows what it left here."""
        self.values: list[Traced] = []
        self.tried: list[Tried] = []
        self.decisions: list[Decision] = []
        self.lent: list[set[str]] = []
        """For each hyp that is open: the nodes that have given their permission in it."""
        self.committed: set[Span] = set()
        """The hyps that were committed."""
        self.kept: list[Any] = []
        """What code refers to by identity and nothing else holds."""
        self.permitted.update(dict.fromkeys(inputs.permitted, 1))
        for place, handle in inputs.merges.items():
            self.code.merges[id(handle)] = postfix(handle.merge)
            self.merges[place] = [handle]
        if inputs.below is not None:
            self.layer = Bottom(inputs.below, self.heap, self.trace).above()
        for place, value in inputs.values(self.heap).items():
            at = inputs.initial[place].at
            node = self.trace.label(Label("argument", at, at.text))
            write = Write("initial", "", at, None, None, None)
            self.layer.new[place] = Binding(value, node, node, write)

    def take_up(self, name: str, kept: Kept) -> None:
        """A world that another run left."""
        orig = Bottom(kept.base, self.heap, self.trace).above()
        for place, (data, node) in kept.orig.items():
            orig.new[place] = Binding(self.value(data), node, NOTHING, None)
        hyp = orig.above()
        for place, (data, node, written) in kept.hyp.items():
            hyp.new[place] = Binding(self.value(data), node, written, None)
        hyp.absent = dict(kept.absent)
        hyp.frozen = True
        self.worlds[name] = Tried(orig, hyp, frozenset(kept.absent), kept.causes, kept.at)

    def value(self, data: object) -> SexpValue:
        """Plain data in this run's heap."""
        return from_plain(self.heap, data, atoms=True)

    def run(self) -> Layer:
        """Runs to the end and gives the final store; raises `Stop`."""
        instructions = self.code.instructions
        # Methods in order of the instruction numbers; those that jump return where to.
        methods: list[Callable[..., int | None]] = [
            self.op, self.pure, self.tick, self.tick, self.branch, self.jump, self.join,
            self.endorse, self.dismiss, self.arrive, self.leave, self.handle, self.unhandle,
            self.assign, self.commit, self.world, self.hyp, self.unhyp, self.pair, self.weight,
            self.truth, self.equal, self.member, self.short, self.both,
        ]  # fmt: skip
        at, end = 0, len(instructions)
        # Code that arrives later is put behind the end, which is never run, and jumps back.
        instructions.append([JUMP, end])
        while at != end:
            instruction = instructions[at]
            target = methods[instruction[0]](*instruction[1:])
            at = at + 1 if target is None else target
        return self.layer

    # --- commands ---------------------------------------------------------------------

    def tick(self, at: Span) -> None:
        """Counts a step."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Stop(TOO_MANY_STEPS.at(at, bound=MOST_STEPS))

    def jump(self, target: int) -> int:
        """Goes on elsewhere."""
        return target

    def branch(self, target: int, then: Effect, orelse: Effect) -> int | None:
        """Enters one of two blocks."""
        decided, causes = self.decisions.pop()
        if self.tracing:
            taken, other = (then, orelse) if decided else (orelse, then)
            places = other.writes.union(
                *(self.worlds[u].may for u in other.commits if u in self.worlds)
            )
            may = {
                u: held.places.union(*(self.worlds[x].may for x in held.outer if x in self.worlds))
                for u, held in other.worlds.items()
            }
            self.saved.append((self.pc, causes, places, may, taken.worlds))
            self.pc = self.trace.union(self.pc, causes)
        return None if decided else target

    def join(self) -> None:
        """Leaves the block: what the other one might have done depends on the test."""
        if not self.tracing:
            return
        self.pc, causes, places, may, assigned = self.saved.pop()
        if places:
            self.layer = layer = self.layer.writable()
            for place in sorted(places):
                layer.might_bind(place, self.trace, causes)
        for u in may.keys() | assigned.keys():
            if u in self.worlds:
                world = self.worlds[u]
                self.worlds[u] = Tried(
                    world.orig,
                    world.hyp,
                    world.may | may.get(u, frozenset()),
                    self.trace.union(world.causes, causes),
                    world.at,
                    world.permitted,
                )

    def endorse(self, c: With) -> None:
        """Asks the principal."""
        self.tick(c.at)
        request = Request(c.node, self.location, c.body, self.inside)
        if not self.inputs.endorser.endorses(request):
            node = show_name(c.node)
            raise Stop(ENDORSEMENT_DENIED.at(c.at, node=node, location=self.location))
        self.permitted[c.node] = self.permitted.get(c.node, 0) + 1
        if self.lent:
            self.lent[-1].add(c.node)

    def dismiss(self, node: str) -> None:
        """The permission ends."""
        self.permitted[node] -= 1

    def arrive(self, c: At, end: int) -> int | None:
        """An empty store on top, elsewhere; the command may not be the same when it arrives."""
        self.tick(c.at)
        layer = self.layer
        visit = Visit(self.location, c.node, c.body, self.carried)
        arrived = self.inputs.transport.arrive(visit)
        self.saved.append((layer, visit, self.operations, self.merges))
        self.layer = layer.above()
        self.location = c.node
        return None if arrived is visit else self.receive(c, arrived, end)

    def carried(self) -> Carried:
        """What a command takes along."""
        return Carried(
            {op: handles[-1] for op, handles in self.operations.items() if handles},
            {place: handles[-1] for place, handles in self.merges.items() if handles},
            frozenset(n for n, count in self.permitted.items() if count),
            {place: bound.value for place, bound in above_bottom(self.layer).items()},
            frozenset(self.worlds),
        )

    def receive(self, c: At, arrived: Visit, end: int) -> int:
        """Goes on with the command, the handles and the merges as they arrived.

        The code that did not travel is skipped, up to and including its last instruction.
        """
        code, carried = self.code, arrived.carried()
        self.kept.append(carried)
        self.operations = {op: [handle] for op, handle in carried.operations.items()}
        self.merges = {place: [handle] for place, handle in carried.merges.items()}
        for handle in (*carried.operations.values(), *carried.merges.values()):
            code.handlers[id(handle)] = postfix(handle.handler)
            code.merges[id(handle)] = postfix(handle.merge)
        handlers = {op: handle.place for op, handle in carried.operations.items()}
        start = compile_more(code, arrived.command, handlers, effects=self.tracing)
        code.instructions += [[LEAVE, c], [JUMP, end + 1]]
        return start

    def leave(self, c: At) -> None:
        """Back home; the new store overrides the one there."""
        upper = self.layer
        below, visit, self.operations, self.merges = self.saved.pop()
        self.location = visit.origin
        written = upper.bound()
        sent = {place: bound.value for place, bound in written.items()}
        back = self.inputs.transport.leave(visit, sent)
        self.layer = layer = below.writable()
        for place, binding in written.items():
            layer.bind(place, binding._replace(value=back[place]))
        for place, causes in upper.absent.items():
            layer.might_bind(place, self.trace, causes)

    def handle(self, c: Handle) -> None:
        """A variable begins as ∅."""
        self.tick(c.at)
        place = c.place
        if not self.permitted.get(place.node):
            raise Stop(PERMISSION_MISSING.at(c.place_at, node=show_name(place.node)))
        bound = Binding(NIL, NOTHING, NOTHING, None)
        if self.tracing:
            trace = self.trace
            node = trace.label(definition(c))
            before, _ = self.layer.find(place, trace)
            write = Write("handle", show_place(place), c.head, c, self.inside, before)
            bound = Binding(NIL, trace.guard(node, self.pc), trace.union(node, self.pc), write)
        self.layer = self.layer.writable()
        self.layer.bind(place, bound)
        self.operations.setdefault(c.op, []).append(c)
        self.merges.setdefault(place, []).append(c)
        self.saved.append(self.worlds)
        self.worlds = {}

    def unhandle(self, c: Handle) -> None:
        """Operation and merge end; the outer worlds are back."""
        self.operations[c.op].pop()
        self.merges[c.place].pop()
        self.worlds = self.saved.pop()

    def op(self, c: Op) -> None:
        """Evaluates the handler now and writes."""
        self.tick(c.at)
        handles = self.operations.get(c.name)
        if not handles:
            raise Stop(UNKNOWN_OPERATION.at(c.at, op=c.name))
        handle = handles[-1]
        place = handle.place
        if not self.permitted.get(place.node):
            raise Stop(PERMISSION_MISSING.at(c.at, node=show_name(place.node)))
        value, node = self.evaluate(self.code.handlers[id(handle)])
        if self.tracing:
            trace = self.trace
            causes = trace.union(trace.label(operation(c)), self.pc)
            before, _ = self.layer.find(place, trace)
            write = Write("operation", c.name, c.at, handle, self.inside, before)
            bound = Binding(value, trace.guard(node, causes), causes, write)
        else:
            bound = Binding(value, NOTHING, NOTHING, None)
        self.layer = self.layer.writable()
        self.layer.bind(place, bound)

    def assign(self, c: Assign) -> None:
        """A name for a world; a moved one loses its old name."""
        tried = self.tried.pop()
        if isinstance(c.world, WorldVar):
            del self.worlds[c.world.name]
        self.worlds[c.name] = tried

    def commit(self, c: Commit) -> None:
        """Merges what the world wrote; the world is gone."""
        tried = self.tried.pop()
        self.committed.add(tried.at)
        written = tried.hyp.bound()
        merged = [(place, self.merge(c, place, tried)) for place in sorted(written)]
        self.layer = layer = self.layer.writable()
        for place, binding in merged:
            layer.bind(place, binding)
        if self.tracing:
            for place in tried.may - written.keys():
                absent = tried.hyp.absent.get(place, NOTHING)
                layer.might_bind(place, self.trace, self.trace.union(absent, tried.causes))
        if isinstance(c.world, WorldVar):
            del self.worlds[c.world.name]

    def merge(self, c: Commit, place: Place, tried: Tried) -> Binding:
        """The new value of one place."""
        handles = self.merges.get(place)
        if handles:
            return self.merge_by(c, handles[-1], self.code.merges[id(handles[-1])], tried)
        handle = self.kept_merge(place, tried)
        if handle is None:
            return self.adopt(c, place, tried)
        # It belongs to no block of the program, and has the permissions that the world had.
        for node in tried.permitted:
            self.permitted[node] = self.permitted.get(node, 0) + 1
        merged = self.merge_by(c, handle, self.code.merges[id(handle)], tried)
        for node in tried.permitted:
            self.permitted[node] -= 1
        return merged

    def kept_merge(self, place: Place, tried: Tried) -> Handle | None:
        """The merge that is kept with a variable; one that is new has nothing to merge with."""
        if self.inputs.below is None:
            return None
        orig, _ = tried.orig.find(place, self.trace)
        handle = self.inputs.below.merge(place) if orig is not None else None
        if handle is not None and id(handle) not in self.code.merges:
            self.code.merges[id(handle)] = postfix(handle.merge)
            self.kept.append(handle)
        return handle

    # --- worlds -----------------------------------------------------------------------

    def world(self, w: WorldVar) -> None:
        """A world by name."""
        tried = self.worlds.get(w.name)
        if tried is None:
            raise Stop(WORLD_GONE.at(w.at, world=w.name))
        self.tried.append(tried)

    def hyp(self, w: Hyp) -> None:
        """An empty store over a snapshot, and no worlds."""
        self.saved.append((self.layer, self.worlds, self.inside))
        self.lent.append({node for node, count in self.permitted.items() if count})
        self.layer = self.layer.above()
        self.worlds = {}
        self.inside = Inside(w.at, self.inside)

    def unhyp(self, w: Hyp, may: frozenset[Place]) -> None:
        """The world is what was written."""
        hyp = self.layer
        hyp.frozen = True
        self.layer, self.worlds, self.inside = self.saved.pop()
        permitted = self.lent.pop()
        if self.lent:
            self.lent[-1] |= permitted
        self.tried.append(Tried(self.layer, hyp, may, NOTHING, w.at, frozenset(permitted)))

    # --- expressions ------------------------------------------------------------------

    def pure(self, code: Pure) -> None:
        """An S-expression without worlds."""
        self.values.append(self.evaluate(code))

    def pair(self, s: Cons) -> None:
        """A pair of the last two values."""
        right, left = self.values.pop(), self.values.pop()
        self.tick(s.at)
        self.values.append(self.cons(s, left, right))

    def weight(self, s: Weight) -> None:
        """A variable in a world."""
        tried = self.tried.pop()
        place = s.place
        if not self.permitted.get(place.node):
            raise Stop(PERMISSION_MISSING.at(s.at, node=show_name(place.node)))
        found, passed = tried.hyp.find(place, self.trace)
        if found is None:
            raise Stop(UNBOUND_VARIABLE.at(s.at, place=show_place(place)))
        self.tick(s.at)
        node = found.node
        if self.tracing:
            trace = self.trace
            via = trace.union(self.label(reference, s), tried.causes, passed)
            node = trace.copy(node, via)
        self.values.append((found.value, node))

    def truth(self, b: Truth) -> None:
        """A constant."""
        node = self.label(literal, b) if self.tracing else NOTHING
        self.decisions.append((b.value, node))

    def equal(self, b: Eq) -> None:
        """Equal values are one object."""
        (two, node2), (one, node1) = self.values.pop(), self.values.pop()
        node = self.trace.union(node1, node2) if self.tracing else NOTHING
        self.decisions.append((one is two, node))

    def member(self, b: Mem) -> None:
        """Looks along the spine."""
        (two, node2), (one, node1) = self.values.pop(), self.values.pop()
        found = False
        steps = self.steps
        while two.left is not None and two.right is not None:
            steps += 1
            if steps > MOST_STEPS:
                raise Stop(TOO_MANY_STEPS.at(b.at, bound=MOST_STEPS))
            if two.left is one:
                found = True
                break
            two = two.right
        self.steps = steps
        node = self.trace.union(node1, node2) if self.tracing else NOTHING
        self.decisions.append((found, node))

    def short(self, target: int, deciding: bool) -> int | None:
        """Leaves a chain when the left side decides it."""
        return target if self.decisions[-1][0] is deciding else None

    def both(self) -> None:
        """The right side decided."""
        (value, right), (_, left) = self.decisions.pop(), self.decisions.pop()
        self.decisions.append((value, self.trace.union(left, right)))
