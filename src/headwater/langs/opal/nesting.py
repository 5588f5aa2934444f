"""How deep a program may be nested: what is bounded here may be walked by recursion elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_NESTING = 5_000


@contextmanager
def room_for_nesting() -> Iterator[None]:
    """Lets Python recurse as deep as `MOST_NESTING` needs; its frames are not on the C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20 * MOST_NESTING))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
