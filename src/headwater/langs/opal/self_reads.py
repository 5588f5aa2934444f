"""Assignments that read what they assign: by the paper's rule they read (), not the old value.

``n.x := s`` is a handle around its only operation, and HANDLE begins with ∅.  Over a store the
same holds of every handle of a variable that has a value there.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from headwater.langs.opal.codes import READS_ITSELF
from headwater.langs.opal.lint import handles
from headwater.langs.opal.printer import print_program, show_place
from headwater.langs.opal.syntax import Com, Cons, Empty, Handle, Place, Sexp, Var
from headwater.report import Diagnostic

LONGEST_SHOWN = 60


def self_reads(program: Com, stored: Container[Place] = ()) -> Iterator[Diagnostic]:
    """A warning for every such read; `stored` are the variables that have a value already."""
    for handle in handles(program):
        assignment = handle.head == handle.place_at
        if not assignment and handle.place not in stored:
            # Whoever writes a handle says how its operation goes on from the value it made.
            continue
        writes = "this writes" if assignment else "the first time this writes"
        for read in _reads(handle.handler, handle.place):
            place, value = show_place(handle.place), _with_empty(handle)
            yield READS_ITSELF.at(read.at, place=place, writes=writes, value=value)


def _reads(s: Sexp, place: Place) -> Iterator[Var]:
    todo = [s]
    while todo:
        part = todo.pop()
        match part:
            case Cons(left, right):
                todo += (right, left)
            case Var(read) if read == place:
                yield part


def _with_empty(handle: Handle) -> str:
    """The expression with ∅ for the variable, which is what is written."""
    made: list[Sexp] = []
    todo: list[Sexp | None] = [handle.handler]
    while todo:
        part = todo.pop()
        if part is None:
            right, left = made.pop(), made.pop()
            made.append(Cons(left, right))
        elif isinstance(part, Cons):
            todo += (None, part.right, part.left)
        else:
            made.append(Empty() if part == Var(handle.place) else part)
    return print_program(made[0], most=LONGEST_SHOWN)
