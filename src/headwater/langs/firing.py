"""Which rules of a paper have been applied: every rule of a reference semantics says so by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_FIRED: ContextVar[set[str] | None] = ContextVar("fired", default=None)


def fire(rule: str) -> None:
    """Notes that a rule is being applied."""
    fired = _FIRED.get()
    if fired is not None:
        fired.add(rule)


@contextmanager
def watching() -> Iterator[set[str]]:
    """The rules applied while the context lasts."""
    fired: set[str] = set()
    token = _FIRED.set(fired)
    try:
        yield fired
    finally:
        _FIRED.reset(token)
