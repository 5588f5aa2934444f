"""An explanation as a person reads it, on one screen.

The value; where it was written, or how it was computed; the way it came; what it overrode; then
what it depends on: the inputs it is made of, what decided it, and the rest in groups with counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from headwater.ask.explain import Explanation
from headwater.ask.grouping import Group
from headwater.report import Note
from headwater.report.terminal import Paint, snippet
from headwater.text import Span, near
from headwater.tree.json import compact
from headwater.why import Applied, Expression, Given, Label, Masked

REASONS = {
    "default": "it is only a default",
    "final": "the winner is final",
    "constraint": "a constraint ranks it lower",
    "tie": "nothing ranks them: the least value is taken",
}
"""Reasons why a value lost where values compete, in words."""

LIMIT = 8
"""So many lines of each kind are printed unless somebody wants more."""

LONGEST = 400
"""A value that is longer is cut, unless everything is asked for."""

MOST_FILES = 3
"""So many files of a group are named."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Telling:
    """How much is told: at most `limit` lines of a kind (None: all), inputs all or `direct`."""

    paint: Paint
    limit: int | None = LIMIT
    direct: bool = False

    def some(self, items: Iterable[Item]) -> tuple[list[Item], int]:
        """The first of some items, and how many are left out; never one alone."""
        found = list(items)
        if self.limit is None or len(found) <= self.limit + 1:
            return found, 0
        return found[: self.limit], len(found) - self.limit


def lines(answer: Explanation, how: Telling) -> Iterator[str]:
    """An explanation as a person reads it."""
    paint = how.paint
    yield paint("1", f"{answer.address} = {_value(answer.shown, how)}")
    if answer.views.origins:
        origins, more = how.some(answer.views.origins)
        for origin in origins:
            yield ""
            yield paint("help", "written here")
            yield from snippet(origin.at, _by(answer, origin.at), "^", paint, arrow="-->")
        yield from _more(more, "")
        if isinstance(answer.views.expression, Applied) and answer.views.segments:
            yield f"  {show_expression(answer.views.expression)}"
    else:
        yield ""
        pieces = "put together from pieces: headwater blame shows where each line is from"
        yield paint("help", pieces if answer.views.segments else "computed, not written anywhere")
        if answer.views.expression is not None:
            yield f"  {show_expression(answer.views.expression)}"
    if answer.views.path:
        yield ""
        yield paint("note", "came through")
        for label in answer.views.path:
            yield f"  {label.at}  {cut(label.text)}"
    masked, more = how.some(answer.views.masked)
    for entry in masked:
        yield ""
        yield from _masked(answer, entry, how)
    yield from _more(more, "")
    if answer.position and answer.rank:
        rank, count = answer.rank
        yield ""
        yield f"{paint('note', 'position')} {rank} of {count}, {answer.position.reason}"
        for note in answer.notes:
            yield from snippet(note.at, note.message, "-", paint, arrow="-->")
    if answer.owners:
        yield ""
        yield paint("note", "may be changed by")
        for owner, labels in answer.owners.items():
            places, more = how.some(dict.fromkeys(str(label.at) for label in labels))
            yield f"  {owner}  {', '.join(places)}{f' and {more} more' if more else ''}"
    yield ""
    yield from _depends(answer, how)


def _masked(answer: Explanation, entry: Masked, how: Telling) -> Iterator[str]:
    """A value that was overridden, and why."""
    lost = _value(compact(entry.value), how)
    yield f"{how.paint('warning', 'overrode')} {lost} ({REASONS.get(entry.reason, entry.reason)})"
    if entry.where is not None:
        at = entry.where.at
        yield from snippet(at, _by(answer, at), "-", how.paint, arrow="-->")
    if entry.reason in REASONS:
        deciding, more = how.some(entry.by)
        for label in deciding:
            yield f"  because of {label.text} at {label.at}"
        if more:
            yield f"  and {more} more"


def _depends(answer: Explanation, how: Telling) -> Iterator[str]:
    """The inputs: all in one list where there are few, otherwise sorted and in groups."""
    paint, every = how.paint, answer.views.depends
    if how.direct:
        own = answer.made_of
        yield paint("note", f"made of {len(own)} of the {_inputs(len(every))} it depends on")
        yield from _listed(own, how)
        return
    yield paint("note", f"depends on {_inputs(len(every))}")
    if how.limit is None or len(every) <= how.limit + 1:
        yield from map(line_of, every)
        return
    inputs = answer.inputs
    if inputs.made_of:
        yield f"made of {len(inputs.made_of)}"
        yield from _listed(inputs.made_of, how)
    yield f"decided by {len(every) - len(inputs.made_of)}"
    listed, more = how.some(inputs.listed)
    yield from map(line_of, listed)
    groups, hidden = how.some(inputs.groups)
    yield from map(_group, groups)
    left = more + sum(len(group.labels) for group in inputs.groups[len(groups) :])
    assert (hidden > 0) <= (left > 0)
    yield from _more(left)


def _listed(labels: Iterable[Label], how: Telling) -> Iterator[str]:
    some, more = how.some(labels)
    yield from map(line_of, some)
    yield from _more(more)


def line_of(label: Label) -> str:
    """An input on a line."""
    what = f"no {label.text} here" if label.kind == "miss" else label.text
    return f"  {label.kind:<10} {label.at}  {cut(what)}"


def _group(group: Group) -> str:
    where = _files([near(source.name) for source in group.where])
    what = group.what if group.what.endswith(where) else f"{group.what}  {where}"
    return f"  {len(group.labels)} {what}"


def _files(names: list[str]) -> str:
    """Names of files, the folder that they share once: ``data: common.yaml, os/Debian.yaml``."""
    folders = {os.path.isabs(name) for name in names}
    shared = os.path.commonpath(names) if len(names) > 1 and len(folders) == 1 else ""
    if shared:
        names = [os.path.relpath(name, shared) for name in names]
    listed = ", ".join(names[:MOST_FILES]) + (", …" if len(names) > MOST_FILES else "")
    return f"{shared}: {listed}" if shared else listed


def _more(count: int, indent: str = "  ") -> Iterator[str]:
    if count:
        yield f"{indent}{count:,} more: --all"


def _inputs(count: int) -> str:
    return f"{count:,} input" + "s" * (count != 1)


def _value(text: str, how: Telling) -> str:
    """A value, its end left out if it is long."""
    if how.limit is None or len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text) - LONGEST:,} characters more: --all)"


def cut(text: str, most: int = 60) -> str:
    """A text on one line, its end left out if it is long."""
    text = text.partition("\n")[0].rstrip("\r")
    return text if len(text) <= most else text[: most - 1] + "…"


def show_expression(expression: Expression, most: int = 400) -> str:
    """An expression over the inputs as they are written, cut where it gets long."""
    shown: list[str] = []
    size = 0
    todo: list[Expression | str] = [expression]
    while todo and size <= most:
        part = todo.pop()
        match part:
            case str():
                text = part
            case Given(label=label):
                text = cut(label.text)
            case Applied(name=name, args=args):
                text = f"{name}("
                todo.append(")")
                for index, arg in enumerate(reversed(args)):
                    todo.append(arg)
                    if index + 1 < len(args):
                        todo.append(", ")
        shown.append(text)
        size += len(text)
    return "".join(shown) + ("…" if todo else "")


def _by(answer: Explanation, at: Span) -> str:
    author = answer.author(Note("", at))
    return str(author) if author else ""
