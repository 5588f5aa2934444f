"""Patterns of paths and of addresses of values.

In a path ``*`` stands for anything but ``/``, ``**`` for anything, ``?`` for one character.  In an
address, where brackets are part of the name, ``*`` stands for anything.  Of several patterns the
last that fits decides; one that begins with ``!`` takes out what it fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_PATH_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_PATH_SIGNS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_ADDRESS_PARTS = re.compile(r"\*+|\?|[^*?]+")
_ADDRESS_SIGNS = {"?": "."}


def fits_path(patterns: Sequence[str], path: str) -> bool:
    """Whether patterns fit a path."""
    return _decided(patterns, path, _path)


def fits_address(patterns: Sequence[str], address: str) -> bool:
    """Whether patterns fit an address."""
    return _decided(patterns, address, _address)


def _decided(patterns: Sequence[str], text: str, made: _Maker) -> bool:
    for pattern in reversed(patterns):
        if made(pattern.removeprefix("!")).fullmatch(text):
            return not pattern.startswith("!")
    return False


class _Maker:
    """Makes regular expressions of patterns of one kind."""

    def __init__(self, parts: re.Pattern[str], signs: dict[str, str]) -> None:
        self.parts = parts
        self.signs = signs

    @cache  # noqa: B019 - there are two of these, and few patterns
    def __call__(self, pattern: str) -> re.Pattern[str]:
        made = [self.signs.get(part) or self._literal(part) for part in self.parts.findall(pattern)]
        return re.compile("".join(made), re.DOTALL)

    def _literal(self, part: str) -> str:
        return ".*" if part.startswith("*") else re.escape(part)


_path = _Maker(_PATH_PARTS, _PATH_SIGNS)
_address = _Maker(_ADDRESS_PARTS, _ADDRESS_SIGNS)
