"""Asking causes many questions in a row."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, runtime_checkable

from headwater.langs.protocol import Causes


@runtime_checkable
class Questioned(Protocol):
    """Causes that answer many questions in a row faster than one at a time."""

    def in_a_row(self) -> AbstractContextManager[None]:
        """While it lasts nobody else asks, and nothing has to be made ready for each question."""
        ...


def in_a_row(causes: Causes) -> AbstractContextManager[None]:
    """The time in which many questions are asked."""
    return causes.in_a_row() if isinstance(causes, Questioned) else nullcontext()
