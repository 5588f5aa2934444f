"""How many examples a law tries: few in CI, many with ``make laws``."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def is_long() -> bool:
    """Whether this is the long profile."""
    return os.environ.get("HEADWATER_LAWS") == "long"


def examples(short: int, long: int) -> int:
    """The number of examples for this run; ``HEADWATER_LAWS_SCALE`` multiplies the long one."""
    return long * int(os.environ.get("HEADWATER_LAWS_SCALE", "1")) if is_long() else short


def law(short: int, long: int) -> settings:
    """The Hypothesis settings of a law; the short profile is the same on every machine."""
    return settings(
        max_examples=examples(short, long),
        derandomize=not is_long(),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
