"""Changes that mend a finding and that nobody can miss: tried on the text before they are offered.

A key that nothing reads can go.  An assignment can go up to where its variable is read, if it is
made of what is known there, and no scope around can have a variable of the name: what read it had
nothing to read.  All else that is found changes some result, and is left to people.
"""

from __future__ import annotations

import re
from typing import Any

from headwater.langs.protocol import Suggestion, TextEdit
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source

_YAML = (".yaml", ".yml")
_OWN_LINE = re.compile(r"[ \t]*+(?:#[^\n]*+)?\r?\n?\Z")
_CONSTANT = (ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Name, ast.Minus,
             ast.Interpolated, ast.Embedded, ast.Paren, ast.Array, ast.Hash, ast.Entry)  # fmt: skip


def without_key(file: DataFile, key: str) -> Suggestion | None:
    """The lines of a key taken out, if the file holds the same without it."""
    source, at = file.source, file.span((key,), key=True)
    if not source.name.endswith(_YAML) or at.first.column != 1 or len(file.data.entries) < 2:
        return None
    first = at.first.line
    others = (file.span((one,), key=True).first.line for one in file.data.entries)
    last = min((line for line in others if line > first), default=len(source.line_starts) + 1)
    while last - 1 > first and _OWN_LINE.match(source.line(last - 1)):
        last -= 1  # blank lines and comments belong to what comes next
    starts = source.line_starts
    end = starts[last - 1] if last <= len(starts) else len(source.text)
    lines = source.span(starts[first - 1], end)
    changed = source.text[: lines.start] + source.text[lines.end :]
    try:
        left = DataFile(file.path, Source(source.name, changed), "yaml_data")
    except (Fault, Problem):
        return None
    wanted = {name: value for name, value in file.data.entries.items() if name != key}
    if left.odd or left.data.entries != wanted:
        return None
    return Suggestion(f"take out {key}", (TextEdit(lines, ""),))


def assigned_first(
    unit: Unit, body: list[Any], assignment: ast.Assignment, read: ast.Variable, known: set[str]
) -> Suggestion | None:
    """The assignment put before the statement that reads its variable.

    `known` are the variables that the body has from the start.
    """
    index = next((i for i, one in enumerate(body) if one.start <= read.start < one.end), None)
    if index is None:
        return None
    above = {
        one.left.name
        for one in body[:index]
        if isinstance(one, ast.Assignment) and isinstance(one.left, ast.Variable)
    }
    if not _is_made_of(assignment.right, known | above):
        return None
    source, start = unit.source, body[index].start
    lines = _lines_of(source, assignment.start, assignment.end)
    place = source.line_starts[source.span(start, start).first.line - 1]
    if lines is None or source.text[place:start].strip():
        return None
    text = source.text
    moved = text[lines[0] : lines[1]]
    moved = moved if moved.endswith("\n") else f"{moved}\n"
    changed = text[:place] + moved + text[place : lines[0]] + text[lines[1] :]
    if not parse(Source(source.name, changed)).ok:
        return None
    edits = (TextEdit(source.span(place, place), moved), TextEdit(source.span(*lines), ""))
    return Suggestion("assign it first", edits)


def _is_made_of(node: object, known: set[str]) -> bool:
    """Whether an expression only puts together literals and variables that are known."""
    todo = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, ast.Variable):
            if at.name not in known:
                return False
        elif isinstance(at, _CONSTANT):
            todo.extend(ast.children(at))
        else:
            return False
    return True


def _lines_of(source: Source, start: int, end: int) -> tuple[int, int] | None:
    """The whole lines of a piece of text that has them for itself."""
    first, last = source.span(start, end).first.line, source.span(start, end).last.line
    begin = source.line_starts[first - 1]
    close = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
    alone = not source.text[begin:start].strip() and _OWN_LINE.match(source.text[end:close])
    return (begin, close) if alone else None
