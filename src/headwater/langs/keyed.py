"""What a language knows of files of data that its programs ask for single keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from headwater.text import Source

PARTS = "\x1e"
"""Stands between several parts of a file of facts."""


@runtime_checkable
class KeysData(Protocol):
    """A language whose programs ask files of data for single keys (`text.reads.note_key`)."""

    def key_identity(self, path: str, key: str) -> str | None:
        """Tells what a data file has under a key from anything else it could have there.

        None if that cannot be told, so that the whole file must be compared.
        """
        ...


@runtime_checkable
class KeysFacts(Protocol):
    """A language whose programs ask files of facts for single facts (`Reads.facts`)."""

    def fact_identity(self, path: str, part: str) -> str | None:
        """Tells what a file of facts has in parts of it from anything else it could have there.

        There is `PARTS` between several parts.  None if that cannot be told, so that the whole file
        must be compared.
        """
        ...


@runtime_checkable
class EditsData(Protocol):
    """A language that can write another value into the data beside a program."""

    def keys_of(self, source: Source) -> Sequence[str]:
        """The keys that a data file has, not those inside of their values."""
        ...

    def with_value(self, source: Source, key: str, value: str) -> str:
        """The text of a data file in which a key has a value, as a user wrote it.

        Raises `ValueError`, which says why it cannot have it.
        """
        ...


@runtime_checkable
class EditsFacts(Protocol):
    """A language that can write another fact into a file of facts."""

    def with_fact(self, source: Source, path: str, value: str) -> str:
        """The text of a file of facts in which one has a value, as a user wrote it.

        Raises `ValueError`, which says why it cannot have it.
        """
        ...
