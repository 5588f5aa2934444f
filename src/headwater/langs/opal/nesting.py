"""How deep a program may be nested: what is bounded here may be walked by recursion elsewhere."""

from __future__ import annotations

from headwater.text.recursion import room

MOST_NESTING = 5_000


def room_for_nesting() -> room:
    """Lets Python recurse as deep as `MOST_NESTING` needs; its frames are not on the C stack."""
    return room(20 * MOST_NESTING)
