"""Python's cyclic garbage collector, and when it may look."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_LARGE, _MANY = 10_000, 300_000
"""From how many objects on what was made counts as old, and how many may become old unseen."""


@contextmanager
def paused_collector() -> Iterator[None]:
    """No cyclic garbage collection meanwhile.

    A compilation, and an answer to a question about it, makes many objects and hardly any cyclic
    garbage; looking for it again and again doubles the time of large ones (bench/smartfrog.py).
    What is there in the end is what was wanted, so it is not looked through then either.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _age()
            gc.enable()


class _Aged:
    """How many objects were made since what is old was counted, and how many were old when it was
    last looked through."""

    since = 0
    before = 0
    kept = False
    """Whether something is frozen for good, which nobody may unfreeze."""
    asked = False
    """Whether it is known if there is any."""


def freeze_for_good() -> None:
    """Has the collector never look again at what there is now."""
    gc.freeze()
    _Aged.kept = True


def _age() -> None:
    """Has the collector take for old what was made, if it is much.

    To freeze and unfreeze is the way to say so, unless something is frozen for good.  It puts off
    the collector's own looks at what is old, so that is looked through here, as often as it grows.
    """
    count = gc.get_count()[0]
    if count < _LARGE or _Aged.kept:
        return
    if not _Aged.asked:  # once: to count is to walk along them all
        _Aged.asked, _Aged.kept = True, gc.get_freeze_count() > 0
        if _Aged.kept:
            return
    _Aged.since += count
    gc.freeze()
    if _Aged.since > max(_MANY, 2 * count, _Aged.before // 2):
        _Aged.since = 0
        # Most of what was made is gone by now: only what is there counts.  To count takes a
        # tenth of the time that it takes to look through it.
        if gc.get_freeze_count() > _Aged.before + max(_MANY, _Aged.before // 2):
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            _Aged.before = gc.get_freeze_count()
    gc.unfreeze()
