"""A piece of program in few letters, for lists of many."""

from __future__ import annotations

_LONGEST = 60


def brief(text: str) -> str:
    """A text on one line, its middle left out if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]}…{text[-1]}"
