"""The comments of a program, for tools that show or keep them.

The parser skips them in one stroke with the blanks, so they are found again on demand:
between the tokens there is nothing but blanks, comments and the texts of heredocs.
"""

from __future__ import annotations

import re

import msgspec

from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.text import Source, Span
from headwater.text.patterns import LatePattern

_COMMENT = LatePattern(r"#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


class Comment(msgspec.Struct, frozen=True):
    """A comment with its signs; `at` is its place."""

    text: str
    at: Span


def comments(source: Source) -> list[Comment]:
    """The comments of a manifest, in order."""
    lexer = Lexer(source)
    lexer.manifest()
    found: list[Comment] = []
    taken = sorted({*lexer.bodies, *_extents(lexer)})
    at = 0
    for start, end in [*taken, (len(source.text), len(source.text))]:
        for hit in _COMMENT.finditer(source.text, at, max(start, at)):
            found.append(Comment(hit[0], Span(source, hit.start(), hit.end())))
        at = max(at, end)
    return found


def _extents(lexer: Lexer) -> list[tuple[int, int]]:
    """The stretches of text that tokens cover, an interpolated string as one stretch."""
    extents: list[tuple[int, int]] = []
    opened: list[int] = []
    for kind, (start, end) in zip(lexer.kinds, lexer.spans, strict=True):
        if kind == "DQPRE":
            opened.append(start)
        elif kind == "DQPOST" and opened:
            extents.append((opened.pop(), end))
        else:
            extents.append((start, end))
    return extents
