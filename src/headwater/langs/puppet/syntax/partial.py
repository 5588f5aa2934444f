"""Texts that are known in part: an interpolation of which only the literal pieces are."""

from __future__ import annotations

from collections.abc import Sequence


def may_be(parts: Sequence[str | None], text: str) -> bool:
    """Whether pieces, of which some are not known, may come out as a text."""
    at = 0
    for index, part in enumerate(parts):
        if part is None:
            continue
        last = index == len(parts) - 1
        found = text.rfind(part, at) if last else text.find(part, at)
        if found < 0 or (index == 0 and found > 0) or (last and not text.endswith(part)):
            return False
        at = found + len(part)
    return True
