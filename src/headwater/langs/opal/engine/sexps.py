"""S-expressions and merges in the machine: a stack of values over postfix code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from headwater.langs.opal.codes import (
    MERGE_CONFLICT,
    MERGE_REFUSED,
    PERMISSION_MISSING,
    TOO_MANY_STEPS,
    UNBOUND_VARIABLE,
    WORLD_IN_HANDLER,
)
from headwater.langs.opal.engine.code import Pure
from headwater.langs.opal.engine.layers import Layer, Tried
from headwater.langs.opal.merges import Chosen, Made, Refused, merge_by
from headwater.langs.opal.printer import print_program, show_name, show_place
from headwater.langs.opal.steps import MOST_STEPS
from headwater.langs.opal.syntax import (
    Atom,
    Commit,
    Conflict,
    Cons,
    Empty,
    Handle,
    Place,
    Preset,
    Sexp,
    Var,
    Weight,
)
from headwater.langs.opal.values import NIL, Heap, SexpValue
from headwater.langs.opal.writes import (
    Binding,
    Expressions,
    Inside,
    Merged,
    Write,
    commit_label,
    literal,
    reference,
)
from headwater.report import Diagnostic, Note
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace

Traced = tuple[SexpValue, Node]


class Stop(Exception):
    """The program has no result; the only exception of the engine, caught where a run ends."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic


class Evaluator:
    """What expressions and merges need of the machine: stores, heap, trace, permissions."""

    def __init__(self, *, tracing: bool, trace: Trace | None = None) -> None:
        self.tracing = tracing
        self.heap = Heap()
        self.trace = Trace() if trace is None else trace
        self.expressions = Expressions(self.trace)
        self.layer = Layer(None)
        self.permitted: dict[str, int] = {}
        self.inside: Inside | None = None
        self.pc: Node = NOTHING
        """The causes of running this code at all."""
        self.steps = 0
        self._labels: dict[int, Node] = {}

    def label(self, made: Callable[[Any], Label], part: object) -> Node:
        """The node of the label of a piece of syntax, which is made once."""
        node = self._labels.get(id(part))
        if node is None:
            node = self._labels[id(part)] = self.trace.label(made(part))
        return node

    def evaluate(self, code: Pure, extra: Mapping[Place, Traced] | None = None) -> Traced:
        """The value of postfix code; `extra` are the three values of a merge."""
        stack: list[Traced] = []
        tracing = self.tracing
        for part in code:
            kind = type(part)
            if kind is Var:
                assert isinstance(part, Var)
                stack.append(self.read(part, extra))
            elif kind is Cons:
                assert isinstance(part, Cons)
                right, left = stack.pop(), stack.pop()
                stack.append(self.cons(part, left, right))
            elif kind is Empty:
                assert isinstance(part, Empty)
                stack.append((NIL, self.label(literal, part) if tracing else NOTHING))
            else:
                stack.append(self.other(part))
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise Stop(TOO_MANY_STEPS.at(part.at, bound=MOST_STEPS))
        return stack[0]

    def read(self, s: Var, extra: Mapping[Place, Traced] | None) -> Traced:
        """A variable."""
        place = s.place
        if not self.permitted.get(place.node):
            raise Stop(PERMISSION_MISSING.at(s.at, node=show_name(place.node)))
        passed = NOTHING
        if extra is not None and place in extra:
            value, node = extra[place]
        else:
            found, passed = self.layer.find(place, self.trace)
            if found is None:
                raise Stop(UNBOUND_VARIABLE.at(s.at, place=show_place(place)))
            value, node = found.value, found.node
        if self.tracing:
            via = self.trace.union(self.label(reference, s), passed)
            node = self.trace.copy(node, via)
        return value, node

    def cons(self, s: Cons, left: Traced, right: Traced) -> Traced:
        """A pair, within the bounds."""
        value = self.heap.cons(left[0], right[0])
        if broken := self.heap.broken(value):
            code, bound = broken
            raise Stop(code.at(s.at, bound=bound))
        if self.tracing:
            return value, self.expressions.operation("cons", (left[1], right[1]))
        return value, NOTHING

    def other(self, s: Sexp) -> Traced:
        """Extensions; and worlds, which do not belong here."""
        match s:
            case Atom(value):
                text = s.at.text or print_program(s)
                node = self.trace.label(Label("literal", s.at, text)) if self.tracing else NOTHING
                return self.heap.atom(value), node
            case Weight():
                raise Stop(WORLD_IN_HANDLER.at(s.at))
            case _:
                assert isinstance(s, Conflict | Preset)
                raise Refusal(s.at, "its merge is conflict")

    # --- merges -----------------------------------------------------------------------

    def adopt(self, c: Commit, place: Place, tried: Tried) -> Binding:
        """No merge is open: the world's value, unless somebody else changed the variable."""
        hyp = tried.hyp.own(place)
        assert hyp is not None
        orig, _ = tried.orig.find(place, self.trace)
        curr, _ = self.layer.find(place, self.trace)
        if (orig and orig.value) is not (curr and curr.value):
            raise Stop(MERGE_CONFLICT.at(c.at, place=show_place(place)))
        return self.merged(c, None, tried, Merged(orig, hyp, curr, None), (hyp.value, hyp.node))

    def merge_by(self, c: Commit, handle: Handle, code: Pure, tried: Tried) -> Binding:
        """The handle's merge over the three values."""
        place = handle.place
        if not self.permitted.get(place.node):
            raise Stop(PERMISSION_MISSING.at(c.at, node=show_name(place.node)))
        sides: list[Binding] = []
        values: list[Traced] = []
        for stack in (tried.orig, tried.hyp, self.layer):
            found, passed = stack.find(place, self.trace)
            if found is None:
                raise Stop(UNBOUND_VARIABLE.at(c.at, place=show_place(place)))
            sides.append(found)
            values.append((found.value, self.trace.guard(found.node, passed)))
        orig, hyp, curr = sides
        try:
            if isinstance(handle.merge, Preset):
                made = self.preset(handle.merge, *values)
            else:
                names = (Place(place.node, v) for v in (handle.orig, handle.hyp, handle.curr))
                made = self.evaluate(code, dict(zip(names, values, strict=True)))
        except Refusal as refusal:
            note = Note("this merge refuses", refusal.at)
            raise Stop(
                MERGE_REFUSED.at(
                    c.at, place=show_place(place), reason=refusal.reason, labels=(note,)
                )
            ) from None
        return self.merged(c, handle, tried, Merged(orig, hyp, curr, handle.merge), made)

    def preset(self, s: Preset, orig: Traced, hyp: Traced, curr: Traced) -> Traced:
        """A merge by name: a side as it stands, or a new value."""
        self.steps += 1
        made = merge_by(s.name, self.heap, orig[0], hyp[0], curr[0])
        trace = self.trace
        match made:
            case Refused(reason):
                raise Refusal(s.at, reason)
            case Chosen(side):
                value, node = hyp if side == "hyp" else curr
                return value, trace.guard(node, trace.union(orig[1], hyp[1], curr[1]))
            case Made(value):
                if not self.tracing:
                    return value, NOTHING
                return value, self.expressions.operation(s.name, (orig[1], hyp[1], curr[1]))

    def merged(
        self, c: Commit, handle: Handle | None, tried: Tried, merged: Merged, made: Traced
    ) -> Binding:
        """The binding that a commit makes."""
        value, node = made
        if not self.tracing:
            return Binding(value, NOTHING, NOTHING, None)
        trace = self.trace
        why = (self.label(commit_label, c), merged.hyp.written, tried.causes, self.pc)
        causes = trace.union(*why)
        name = print_program(c, most=60)
        write = Write("commit", name, c.at, handle, self.inside, merged.curr, merged)
        return Binding(value, trace.guard(node, causes), causes, write)


class Refusal(Exception):
    """A merge that ends in conflict."""

    def __init__(self, at: Span, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason
