"""Texts that a regular expression matches, found from its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_RUBY = ((r"\A", "^"), (r"\z", "$"), (r"\Z", "$"), (r"\h", "[0-9a-f]"), ("(?<", "(?P<"),
         ("(?P<=", "(?<="), ("(?P<!", "(?<!"), ("[[:alnum:]]", "[a-z0-9]"),
         ("[[:space:]]", r"\s"), ("[[:digit:]]", r"\d"))  # fmt: skip
_OF_CLASS = {c.CATEGORY_DIGIT: "7", c.CATEGORY_SPACE: " ", c.CATEGORY_WORD: "w",
             c.CATEGORY_NOT_DIGIT: "d", c.CATEGORY_NOT_SPACE: "s",
             c.CATEGORY_NOT_WORD: "-"}  # fmt: skip


def matching(pattern: str) -> list[str]:
    """A few texts that a regular expression of Ruby matches, and those that only hold one."""
    for ruby, python in _RUBY:
        pattern = pattern.replace(ruby, python)
    try:
        parsed = _parser.parse(pattern)
    except (re.error, RecursionError):
        return []
    made = dict.fromkeys(_text(parsed, Random(number)) for number in range(6))
    return [*made, *(f"x{one} y" for one in list(made)[:1])]


Pieces = Iterable[tuple[object, Any]]
"""An expression as Python takes it apart: what each piece is, and what it holds."""


def _text(parts: Pieces, random: Random) -> str:
    return "".join(_piece(piece, random) for piece in parts)


def _piece(piece: tuple[object, Any], random: Random) -> str:
    kind, value = piece
    match kind:
        case c.LITERAL:
            return chr(value)
        case c.NOT_LITERAL:
            return "x" if value != ord("x") else "y"
        case c.ANY:
            return "z"
        case c.IN:
            return _member(value, random)
        case c.BRANCH:
            return _text(random.choice(value[1]), random)
        case c.SUBPATTERN:
            return _text(value[-1], random)
        case c.MAX_REPEAT | c.MIN_REPEAT:
            least, most, inner = value
            count = random.choice([least, min(most, least + 1)])
            return "".join(_text(inner, random) for _ in range(count))
    return ""


def _member(items: list[tuple[object, Any]], random: Random) -> str:
    if items[0][0] is c.NEGATE:
        return next(one for one in "xy7-_. " if not _holds(items[1:], one))
    kind, value = random.choice(items)
    match kind:
        case c.LITERAL:
            return chr(value)
        case c.RANGE:
            return chr(random.randint(*value))
        case c.CATEGORY:
            return _OF_CLASS.get(value, "x")
    return ""


def _holds(items: Pieces, one: str) -> bool:
    return any(
        (kind is c.LITERAL and value == ord(one))
        or (kind is c.RANGE and value[0] <= ord(one) <= value[1])
        or (kind is c.CATEGORY and _OF_CLASS.get(value) == one)
        for kind, value in items
    )
