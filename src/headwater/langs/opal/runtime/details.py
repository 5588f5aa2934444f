"""What the store keeps beside a value: the write that made it, as plain data.

``{"action": "operation", "name": "inc", "file": …, "line": …, "text": …, "worlds": [line, …],
"merge": {"orig": …, "hyp": …, "curr": …, "expression": …, "tried": {…}}}``
"""

from __future__ import annotations

from typing import Any

from headwater.langs.opal.printer import print_program
from headwater.langs.opal.runtime.canonical import encode_handle
from headwater.langs.opal.syntax import SUGAR_NAMES, Handle, Place, Var
from headwater.langs.opal.values import plain
from headwater.langs.opal.writes import Binding, Write
from headwater.store.records import canonical
from headwater.text import Span

MOST_NESTED = 8
"""Merges of merges deeper than this are left out."""


def detail_of(write: Write | None, depth: int = 0) -> dict[str, Any]:
    """A write as data."""
    if write is None:
        return {"action": "initial", "name": ""}
    found: dict[str, Any] = {"action": write.action, "name": write.name, **place_of(write.at)}
    worlds = []
    inside = write.inside
    while inside is not None:
        worlds.append(inside.hyp.first.line)
        inside = inside.outer
    if worlds:
        found["worlds"] = worlds[::-1]
    if write.handle is not None:
        found["handle"] = place_of(write.handle.head)
    merged = write.merged
    if merged is not None:
        expression = merged.expression
        found["merge"] = {
            "orig": _value(merged.orig),
            "hyp": _value(merged.hyp),
            "curr": _value(merged.curr),
            "expression": None if expression is None else print_program(expression, most=200),
        }
        if depth < MOST_NESTED and merged.hyp.write is not None:
            found["merge"]["tried"] = detail_of(merged.hyp.write, depth + 1)
    return found


def place_of(at: Span) -> dict[str, Any]:
    """Where something is written, with the line."""
    line, column = at.first
    text = at.source.line(line).strip() if at.source.text else ""
    return {
        "file": at.source.name,
        "line": line,
        "column": column,
        "text": text if len(text) <= 120 else text[:119] + "…",
    }


def _value(binding: Binding | None) -> object:
    return None if binding is None else plain(binding.value)


def merge_kept(place: Place, binding: Binding, before: str | None) -> str | None:
    """The merge that a variable has after a write: that of its handle, or the one before.

    ``n.x := s`` is short for a handle whose merge nobody chose: it leaves the merge alone.
    """
    handle = _handle(binding.write)
    if handle is None or _is_unchosen(place, handle):
        return before
    return canonical(encode_handle(handle))


def _handle(write: Write | None) -> Handle | None:
    while write is not None:
        if write.handle is not None:
            return write.handle
        write = write.merged.hyp.write if write.merged is not None else None
    return None


def _is_unchosen(place: Place, handle: Handle) -> bool:
    names = (handle.orig, handle.hyp, handle.curr)
    return names == SUGAR_NAMES and handle.merge == Var(Place(place.node, "HYP"))
