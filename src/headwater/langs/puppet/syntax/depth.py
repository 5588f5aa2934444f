"""Room for recursion: trees are nested as deep as the bounds of the parser allow.

Only functions that call one another directly in Python may be given much room: since
Python 3.11 such calls take no space on the stack of C.
"""

from __future__ import annotations

MAX_NESTING = 500
"""How many brackets may be open at once."""

PARSING = 12 * MAX_NESTING + 2000
"""Frames that parsing such a program can take, with room for the caller's."""

WALKING = 30_000
"""Frames for a walk over a tree: a row of 5,000 operations takes two or three each."""
