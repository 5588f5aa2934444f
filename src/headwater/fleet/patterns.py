"""Patterns of paths and of addresses of values.

In a path ``*`` stands for anything but ``/``, ``**`` for anything, ``?`` for one character.  In an
address, where brackets are part of the name, ``*`` stands for anything.  Of several patterns the
last that fits decides; one that begins with ``!`` takes out what it fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PATH = re.compile(r"\*\*/|\*\*|.", re.DOTALL)
_ADDRESS = re.compile(r"\*++|.", re.DOTALL)


def fits_path(patterns: Sequence[str], path: str) -> bool:
    """Whether patterns fit a path."""
    return _decided(patterns, path, _PATH, "/")


def fits_address(patterns: Sequence[str], address: str) -> bool:
    """Whether patterns fit an address."""
    return _decided(patterns, address, _ADDRESS, "")


def _decided(patterns: Sequence[str], text: str, parts: re.Pattern[str], edge: str) -> bool:
    for pattern in reversed(patterns):
        if _fits(parts.findall(pattern.removeprefix("!")), text, edge):
            return not pattern.startswith("!")
    return False


def _fits(parts: list[str], text: str, edge: str) -> bool:
    """Whether a pattern fits a whole text: all its positions at once, so that none is tried twice.

    `edge` is what ``*`` does not stand for.  A position is that of the next part; one inside of
    ``**/`` is the negative of that.
    """
    now = _closed({0}, parts)
    for letter in text:
        after: set[int] = set()
        for at in now:
            if at < 0 or (at < len(parts) and parts[at] == "**/"):
                inside = at if at < 0 else -at - 1
                after.add(inside)
                if letter == "/":
                    after.add(-inside)
            elif at < len(parts):
                part = parts[at]
                if part == "**" or (part.startswith("*") and letter != edge):
                    after.add(at)
                elif part == letter or (part == "?" and letter != edge):
                    after.add(at + 1)
        now = _closed(after, parts)
    return len(parts) in now


def _closed(positions: set[int], parts: list[str]) -> set[int]:
    """Positions, and those after parts that may stand for nothing."""
    found = set(positions)
    for at in sorted(positions):
        while 0 <= at < len(parts) and parts[at].startswith("*"):
            at += 1
            found.add(at)
    return found
