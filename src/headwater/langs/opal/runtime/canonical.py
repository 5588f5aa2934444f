"""Syntax as data and back: the one form that is hashed, signed and sent.

A tree becomes a table of nodes, parts before wholes, so that depth does not matter.  Places
in the text are a table beside it: they travel along and are no part of the hash.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from headwater.langs.opal.runtime.codes import TOO_MUCH_TOLD
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.syntax import (
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Conflict,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Skip,
    Truth,
    Var,
    Weight,
    With,
    World,
    WorldVar,
)
from headwater.store.records import canonical, sha256
from headwater.text import NOWHERE, Source, Span

Syntax: TypeAlias = Com | Sexp | Bool | World
Table: TypeAlias = list[list[Any]]

# The parts of each form: c, s, b, w are parts of that category, C several commands,
# t a text, p a place, a an atom, f true or false.
_FORMS: dict[str, tuple[str, type, str]] = {
    "skip": ("c", Skip, ""),
    "seq": ("c", Seq, "C"),
    "if": ("c", If, "bcc"),
    "with": ("c", With, "tc"),
    "at": ("c", At, "tc"),
    "assign": ("c", Assign, "tw"),
    "commit": ("c", Commit, "w"),
    "op": ("c", Op, "t"),
    "handle": ("c", Handle, "ptstttsc"),
    "world": ("w", WorldVar, "t"),
    "hyp": ("w", Hyp, "c"),
    "empty": ("s", Empty, ""),
    "var": ("s", Var, "p"),
    "weight": ("s", Weight, "wp"),
    "cons": ("s", Cons, "ss"),
    "atom": ("s", Atom, "a"),
    "conflict": ("s", Conflict, ""),
    "preset": ("s", Preset, "t"),
    "truth": ("b", Truth, "f"),
    "and": ("b", And, "bb"),
    "or": ("b", Or, "bb"),
    "eq": ("b", Eq, "ss"),
    "mem": ("b", Mem, "ss"),
}
_NAMES = {made: name for name, (_, made, _) in _FORMS.items()}
_PARTS = {
    made: tuple(field.name for field in fields(made)[: len(parts)])
    for _, made, parts in _FORMS.values()
}


MOST_TOLD = 200_000
"""So many nodes may be sent, or asked about, in one run."""


class Budget:
    """Counts the nodes of what is sent or asked about; blocks inside blocks count again."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST_TOLD

    def spend(self, rows: Table, at: Span) -> None:
        """Takes note of a table; raises `Refused` when there were too many."""
        self._left -= len(rows)
        if self._left < 0:
            raise Refused(TOO_MUCH_TOLD.at(at, bound=MOST_TOLD))


class NotSyntax(ValueError):
    """The data does not stand for a piece of syntax; `args[0]` says why."""


def encode(root: Syntax) -> Table:
    """The table of a piece of syntax; its last row is the whole."""
    return encode_with_places(root)[0]


def encode_with_places(root: Syntax) -> tuple[Table, list[list[int]]]:
    """The table, and for each of its rows the place in the text."""
    rows: Table = []
    places: list[list[int]] = []
    done: list[int] = []
    todo: list[tuple[Syntax, bool]] = [(root, False)]
    while todo:
        node, ready = todo.pop()
        name = _NAMES[type(node)]
        kinds = _FORMS[name][2]
        values = [getattr(node, part) for part in _PARTS[type(node)]]
        inner = [v for v, kind in zip(values, kinds, strict=True) if kind in "csbw"]
        inner += [c for v, kind in zip(values, kinds, strict=True) if kind == "C" for c in v]
        if not ready:
            todo.append((node, True))
            todo += [(part, False) for part in reversed(inner)]
            continue
        numbers = done[len(done) - len(inner) :]
        del done[len(done) - len(inner) :]
        row: list[Any] = [name]
        for value, kind in zip(values, kinds, strict=True):
            if kind == "C":
                row.append(numbers)
            elif kind in "csbw":
                row.append(numbers.pop(0))
            else:
                row.append(list(value) if kind == "p" else value)
        done.append(len(rows))
        rows.append(row)
        spans = [node.at]
        if isinstance(node, Handle):
            spans += [node.head, node.place_at, *node.names_at]
        places.append([offset for span in spans for offset in (span.start, span.end)])
    return rows, places


def decode(rows: object, places: object = None, source: Source | None = None) -> Syntax:
    """The piece of syntax that a table stands for; raises `NotSyntax`."""
    if not isinstance(rows, list) or not rows:
        raise NotSyntax("a table of nodes is wanted")
    made: list[tuple[str, Syntax]] = []
    loose: set[int] = set()
    for number, row in enumerate(rows):
        where = None
        if source is not None and isinstance(places, list) and number < len(places):
            where = places[number]
        made.append(_decode_row(row, made, loose, _spans(where, source)))
        loose.add(number)
    # A part in two wholes could double at every row; one in none would be hashed and not seen.
    if len(loose) > 1:
        raise NotSyntax("a part belongs to nothing")
    return made[-1][1]


def _spans(offsets: object, source: Source | None) -> list[Span]:
    if source is None or not isinstance(offsets, list):
        return []
    if len(offsets) % 2 or not all(type(x) is int and 0 <= x <= len(source.text) for x in offsets):
        raise NotSyntax("a place lies outside the text")
    return [Span(source, *offsets[i : i + 2]) for i in range(0, len(offsets), 2)]


def _decode_row(
    row: object, made: list[tuple[str, Syntax]], loose: set[int], spans: list[Span]
) -> tuple[str, Syntax]:
    if not isinstance(row, list) or not row or not isinstance(row[0], str) or row[0] not in _FORMS:
        raise NotSyntax(f"{str(row)[:40]} is no form of Opal")
    category, form, kinds = _FORMS[row[0]]
    if len(row) != len(kinds) + 1:
        raise NotSyntax(f"{row[0]} has {len(kinds)} parts, not {len(row) - 1}")

    def part(value: object, kind: str) -> Any:  # noqa: ANN401
        if kind == "C":
            if not isinstance(value, list) or len(value) < 2:
                raise NotSyntax("a sequence has two commands or more")
            return tuple(part(number, "c") for number in value)
        if kind in "csbw":
            if type(value) is not int or not 0 <= value < len(made):
                raise NotSyntax("a part must come before its whole")
            if made[value][0] != kind:
                raise NotSyntax(f"a part of {row[0]} is of the wrong kind")
            if value not in loose:
                raise NotSyntax("a part belongs to two wholes")
            loose.discard(value)
            return made[value][1]
        return _leaf(value, kind)

    values = [part(value, kind) for value, kind in zip(row[1:], kinds, strict=True)]
    places: dict[str, Any] = {"at": spans[0] if spans else NOWHERE}
    if form is Handle and len(spans) == 6:
        places |= {"head": spans[1], "place_at": spans[2], "names_at": tuple(spans[3:])}
    return category, form(*values, **places)


def _leaf(value: object, kind: str) -> object:
    match kind:
        case "t" if isinstance(value, str):
            return value
        case "p" if (
            isinstance(value, list) and len(value) == 2 and all(isinstance(x, str) for x in value)
        ):
            return Place(*value)
        case "a" if isinstance(value, str | int):
            return value
        case "f" if isinstance(value, bool):
            return value
    raise NotSyntax(f"{str(value)[:40]} cannot stand there")


def command_hash(command: Com, budget: Budget | None = None) -> str:
    """The name of a command: the hash of its canonical form, wherever it is written."""
    rows = encode(command)
    if budget is not None:
        budget.spend(rows, command.at)
    return sha256(canonical(rows))


def encode_handle(handle: Handle) -> dict[str, Any]:
    """A handle without its body: the entries of η and μ that it stands for."""
    bare = Handle(
        handle.place, handle.op, handle.handler, handle.orig, handle.hyp, handle.curr,
        handle.merge, Skip(at=handle.at), at=handle.at, head=handle.head,
        place_at=handle.place_at, names_at=handle.names_at,
    )  # fmt: skip
    rows, places = encode_with_places(bare)
    return {"rows": rows, "places": places, "source": handle.at.source.digest()}


def decode_handle(data: Any, sources: Callable[[str], Source | None]) -> Handle:  # noqa: ANN401
    """The handle of such data; raises `NotSyntax`."""
    try:
        source = sources(data["source"])
        handle = decode(data["rows"], data["places"], source)
    except (KeyError, TypeError) as error:
        raise NotSyntax(f"not a handle: {error!r}") from None
    if not isinstance(handle, Handle):
        raise NotSyntax("not a handle")
    return handle


def from_json(text: str) -> Any:  # noqa: ANN401
    """Data from a text of ours; raises `NotSyntax`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotSyntax(str(error)) from None


def known_sources(*sources: Source) -> Mapping[str, Source]:
    """Sources by their hash."""
    return {source.digest(): source for source in sources}
