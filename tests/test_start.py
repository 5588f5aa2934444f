"""Room for frames: calls whose depth swings cost the system nothing."""

from __future__ import annotations

import platform
import resource

import pytest

from headwater.text.frames import with_room


def deep(levels: int) -> int:
    return 0 if levels == 0 else 1 + deep(levels - 1)


def swing() -> int:
    """Pages that the system had to bring while calls went up and down, 500 deep."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(300):
        deep(500)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(
    platform.python_implementation() != "CPython", reason="no chunks of frames to make room in"
)
def test_calls_that_go_up_and_down_take_no_new_pages() -> None:
    assert with_room(swing) < 300 < swing()


def test_what_is_returned_and_raised_comes_through() -> None:
    assert with_room(lambda: 3) == 3
    with pytest.raises(KeyError):
        with_room(lambda: {}["a"])  # type: ignore[index]
