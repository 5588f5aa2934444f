"""JSON as Ruby reads it: with comments."""

from __future__ import annotations

import re


def without_comments(text: str) -> str:
    """The text with blanks for its comments, so that places in it stay the same."""
    return re.sub(
        r'"(?>(?:\\.|[^"\\]++)*)"?|/\*.*?(?:\*/|(\Z))|//[^\n]*+(?:\n|(\Z))',
        lambda m: m[0] if m[0][0] == '"' or m.lastindex else re.sub(r"[^\n]", " ", m[0]),
        text,
        flags=re.DOTALL,
    )
