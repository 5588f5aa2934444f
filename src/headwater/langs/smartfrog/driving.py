"""Computations that wait for each other without Python's stack."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

Work: TypeAlias = Generator[Any, Any, Any]
"""A computation that yields the computations it needs, and is sent their results."""


def drive(work: Work) -> Any:  # noqa: ANN401
    """The result of a computation; nesting costs memory, not Python's stack."""
    stack = [work]
    answer: Any = None
    while stack:
        try:
            needed = stack[-1].send(answer)
        except StopIteration as done:
            stack.pop()
            answer = done.value
        else:
            stack.append(needed)
            answer = None
    return answer
