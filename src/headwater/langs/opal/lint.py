"""The merge-law lint: tries every merge of a program on small values.

=============  ===================  =====================================================
fast-forward   m(x, y, x) = y       only the world changed it: the world's value
no-op          m(x, x, y) = y       only others changed it: their value
agreement      m(x, y, y) = y       both made the same change: that
symmetry       m(x, y, z) = m(x, z, y)   the order of two commits does not matter
=============  ===================  =====================================================

A merge may read other variables of its node; they take small values too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from headwater.langs.opal.codes import AGREEMENT, FAST_FORWARD, NO_OP, SYMMETRY
from headwater.langs.opal.merges import Chosen, Made, Refused, merge_by
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.syntax import (
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Var,
    Weight,
    With,
)
from headwater.langs.opal.values import NIL, Heap, SexpValue, show
from headwater.report import Code, Diagnostic

MOST_OTHERS = 64
"""So many combinations of values are tried for variables besides the three."""

LARGEST_MERGE = 1_000
"""Merges of more nodes than this are not tried."""


def lint(program: Com) -> list[Diagnostic]:
    """Which merges of a program break which laws; one example each."""
    known: dict[tuple[str, ...], list[tuple[Code, str]]] = {}
    found: list[Diagnostic] = []
    for handle in handles(program):
        if handle.head == handle.place_at:
            # An assignment, short for a handle: nobody wrote its merge.
            continue
        if len(_postfix(handle.merge)) > LARGEST_MERGE:
            continue
        key = (print_program(handle.merge), handle.orig, handle.hyp, handle.curr)
        if key not in known:
            known[key] = list(_broken(handle))
        found += (code.at(handle.merge.at, example=text) for code, text in known[key])
    return found


def handles(program: Com) -> Iterator[Handle]:
    """All handles of a program, in order, also those in the worlds that tests read."""
    todo: list[Com | Bool | Sexp | Hyp] = [program]
    while todo:
        node = todo.pop()
        match node:
            case Handle():
                yield node
                todo += (node.body,)
            case Seq(commands):
                todo += reversed(commands)
            case If(test, then, orelse):
                todo += (orelse, then, test)
            case With(_, body) | At(_, body) | Hyp(body):
                todo += (body,)
            case Assign(_, world) | Commit(world) | Weight(world):
                if isinstance(world, Hyp):
                    todo += (world,)
            case And(left, right) | Or(left, right):
                todo += (right, left)
            case Eq(s1, s2) | Mem(s1, s2) | Cons(s1, s2):
                todo += (s2, s1)


def _broken(handle: Handle) -> Iterator[tuple[Code, str]]:
    """The laws that a merge breaks, each with the first example."""
    heap = Heap()
    one = heap.cons(NIL, NIL)
    small = [NIL, one, heap.cons(NIL, one), heap.cons(one, NIL)]
    merge = _Merge(handle, heap, small)
    pairs = [(x, y) for x in small for y in small if x is not y]
    triples = [(x, y, z) for x, y in pairs for z in small if z is not x and z is not y]
    laws = (
        (FAST_FORWARD, (((x, y, x), y) for x, y in pairs)),
        (NO_OP, (((x, x, y), y) for x, y in pairs)),
        (AGREEMENT, (((x, y, y), y) for x, y in pairs)),
    )
    for code, instances in laws:
        example = next((merge.against(sides, want) for sides, want in instances
                        if not merge.gives(sides, want)), None)  # fmt: skip
        if example is not None:
            yield code, example
    for x, y, z in triples:
        example = merge.asymmetry(x, y, z)
        if example is not None:
            yield SYMMETRY, example
            return


Sides = tuple[SexpValue, SexpValue, SexpValue]


class _Merge:
    """A merge as a function of three values, under every choice of the other variables."""

    def __init__(self, handle: Handle, heap: Heap, small: list[SexpValue]) -> None:
        self.handle = handle
        self.heap = heap
        self.code = _postfix(handle.merge)
        node = handle.place.node
        self.names = [Place(node, v) for v in (handle.orig, handle.hyp, handle.curr)]
        fixed = {*self.names, handle.place}
        others = sorted({s.place for s in self.code if isinstance(s, Var)} - fixed)
        choices = islice(product(small[:3], repeat=len(others)), MOST_OTHERS)
        self.others = [dict(zip(others, choice, strict=True)) for choice in choices]

    def results(self, sides: Sides) -> Iterator[SexpValue | None]:
        """The merge for every choice of the others; none where it refuses."""
        for others in self.others:
            # The variable itself has its current value, unless a merge name hides it.
            known = {**others, self.handle.place: sides[2]}
            yield self.value(known | dict(zip(self.names, sides, strict=True)), sides)

    def value(self, known: Mapping[Place, SexpValue], sides: Sides) -> SexpValue | None:
        """The merge under one choice."""
        stack: list[SexpValue] = []
        for part in self.code:
            match part:
                case Empty():
                    stack.append(NIL)
                case Var(place):
                    stack.append(known[place])
                case Atom(atom):
                    stack.append(self.heap.atom(atom))
                case Cons():
                    right, left = stack.pop(), stack.pop()
                    stack.append(self.heap.cons(left, right))
                case Preset(name):
                    match merge_by(name, self.heap, *sides):
                        case Refused():
                            return None
                        case Chosen(side):
                            stack.append(sides[1] if side == "hyp" else sides[2])
                        case Made(value):
                            stack.append(value)
                case _:
                    return None
        return stack[0]

    def gives(self, sides: Sides, wanted: SexpValue) -> bool:
        """Whether the merge is what a law wants, whatever the others are."""
        return all(value is wanted for value in self.results(sides))

    def against(self, sides: Sides, wanted: SexpValue) -> str:
        """An example in which it is not."""
        value = next(v for v in self.results(sides) if v is not wanted)
        return f"{self.call(sides)} is {_show(value)} and not {show(wanted)}"

    def asymmetry(self, x: SexpValue, y: SexpValue, z: SexpValue) -> str | None:
        """An example in which the order of the sides matters, if it does for these values."""
        both = zip(self.results((x, y, z)), self.results((x, z, y)), strict=True)
        for one, other in both:
            if one is not other:
                calls = self.call((x, y, z)), self.call((x, z, y))
                return f"{calls[0]} is {_show(one)}, but {calls[1]} is {_show(other)}"
        return None

    def call(self, sides: Sides) -> str:
        """The merge applied to three values, in words."""
        names = (self.handle.orig, self.handle.hyp, self.handle.curr)
        given = ", ".join(f"{n} = {show(v)}" for n, v in zip(names, sides, strict=True))
        return f"{print_program(self.handle.merge, most=60)} with {given}"


def _show(value: SexpValue | None) -> str:
    return "a conflict" if value is None else show(value)


def _postfix(s: Sexp) -> list[Sexp]:
    found: list[Sexp] = []
    todo = [s]
    while todo:
        part = todo.pop()
        found.append(part)
        if isinstance(part, Cons):
            todo += (part.left, part.right)
    found.reverse()
    return found
