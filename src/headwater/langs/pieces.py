"""The pieces of a program: its tree as nested stretches of text, whatever the language.

A node of a tree says where it stands by `at`, a span, or by `start` and `end`.  From that alone a
program can be made smaller: a piece is left out, or one of the pieces inside it takes its place.
What comes out need not be a program; whoever asks tries it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from headwater.text import Source, Span
from headwater.text.named import NamedTuple


class Piece(NamedTuple):
    """A stretch of a program's text, the nodes that stand there, and the stretches inside it."""

    start: int
    end: int
    nodes: list[Any]
    inside: list[Piece]

    def all(self) -> Iterator[Piece]:
        """This piece and every one inside it, outer ones first."""
        todo = [self]
        while todo:
            piece = todo.pop()
            yield piece
            todo.extend(reversed(piece.inside))


def pieces(root: object, size: int) -> Piece:
    """The pieces of a tree whose text has a size."""
    placed: dict[tuple[int, int], list[Any]] = {}
    todo = [root]
    while todo:
        node = todo.pop()
        place = _place(node)
        if place is not None and 0 <= place[0] < place[1] <= size:
            placed.setdefault(place, []).append(node)
        todo.extend(_children(node))
    whole = Piece(0, size, placed.pop((0, size), [root]), [])
    open_ = [whole]
    for (start, end), nodes in sorted(placed.items(), key=lambda item: (item[0][0], -item[0][1])):
        while open_[-1].end < end:
            open_.pop()
        piece = Piece(start, end, nodes, [])
        open_[-1].inside.append(piece)
        open_.append(piece)
    return whole


def _children(node: object) -> list[Any]:
    if isinstance(node, Source | Span | str):
        return []
    if isinstance(node, tuple | list):
        return list(node)
    if isinstance(node, dict):
        return list(node.values())
    if isinstance(node, msgspec.Struct):
        return [getattr(node, name) for name in node.__struct_fields__]
    if dataclasses.is_dataclass(node):
        return [getattr(node, field.name) for field in dataclasses.fields(node)]
    return []


def _place(node: object) -> tuple[int, int] | None:
    at = getattr(node, "at", None)
    if isinstance(at, Span):
        return at.start, at.end
    start, end = getattr(node, "start", None), getattr(node, "end", None)
    if isinstance(start, int) and isinstance(end, int) and not isinstance(node, Piece):
        return start, end
    return None


_AFTER = re.compile(r"[ \t]*+[;,]?+[ \t]*+\n?+")


MOST_PARTS = 12
"""How many of the parts of a piece, of the smallest and of the largest, are tried in its place."""


def _size(piece: Piece) -> int:
    return piece.end - piece.start


def smaller(text: str, root: Piece, simplest: tuple[str, ...]) -> Iterator[str]:
    """Texts with something less, the largest pieces first: left out, replaced by a part of
    theirs, or by something simple."""
    found = sorted(root.all(), key=_size, reverse=True)
    for piece in found:
        before, after = text[: piece.start], text[piece.end :]
        rest = _AFTER.match(after)
        assert rest is not None
        if piece is not root:
            blank = before.rstrip(" \t") if rest[0].endswith("\n") else before
            yield (blank if blank.endswith("\n") or not blank else before) + after[rest.end() :]
            shorter = before.rstrip()
            yield shorter.removesuffix(";" if shorter.endswith(";") else ",") + after
            yield before + after
        parts = sorted((part for part in piece.all() if part is not piece), key=_size)
        for part in [*parts[:MOST_PARTS], *parts[-MOST_PARTS:]]:
            yield before + text[part.start : part.end] + after
        for simple in simplest:
            if piece is not root and len(simple) < piece.end - piece.start:
                yield before + simple + after
    for line in re.finditer(r"^.*\n?", text, re.MULTILINE):
        if line.end() > line.start():
            yield text[: line.start()] + text[line.end() :]


MOST_COLUMNS = 88


def tidy(text: str) -> str:
    """A text without blank lines, indented by its brackets."""
    made: list[str] = []
    depth = 0
    for line in text.split("\n"):
        bare = line.strip()
        if not bare:
            continue
        depth -= len(re.match(r"[])}]*", bare)[0])  # type: ignore[index]
        made.append("  " * max(depth, 0) + re.sub(r"[ \t]+", " ", bare))
        opened = sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
        depth += opened + len(re.match(r"[])}]*", bare)[0])  # type: ignore[index]
    at = 0
    while at + 2 < len(made):
        opening, only, closing = made[at], made[at + 1].strip(), made[at + 2].strip()
        joined = f"{opening} {only} {closing}"
        whole = only.count("{") == only.count("}")
        if opening[-1] == "{" and closing[0] == "}" and whole and len(joined) <= MOST_COLUMNS:
            made[at : at + 3] = [joined]
            at = max(at - 1, 0)
        else:
            at += 1
    return "\n".join(made) + "\n"
