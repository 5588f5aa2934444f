"""Where answers are kept: a file of SQLite (`keptfile`), or PostgreSQL (`keptserver`).

Both have the same tables, and understand the same statements: a mark ``?`` for each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Damaged(Exception):
    """What is kept is not what was once written; says what is wrong with it."""


class Unavailable(Exception):
    """Nothing can be kept at present; says why."""


class Database(Protocol):
    """A database of kept answers.  Every process opens it for itself, when it first asks."""

    name: str
    """What users know it by; shows no password."""

    def select(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows that a statement gives.  Raises `Damaged` and `Unavailable`."""
        ...

    def execute(self, sql: str, values: Sequence[object] = ()) -> None:
        """Carries a statement out.  Raises `Damaged` and `Unavailable`."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All of it or nothing; others who write wait.  Raises `Damaged` and `Unavailable`."""
        ...

    def opened_here(self) -> bool:
        """Whether it is open in this process, as the one that it was opened as."""
        ...

    def begin_anew(self) -> None:
        """Puts away what is kept, after damage."""
        ...

    def replaced(self) -> bool:
        """Whether another process has begun anew since it was opened."""
        ...

    def close(self) -> None:
        """Lets it go."""
        ...


def tables(*, number: str, data: str) -> tuple[str, ...]:
    """The statements that make the tables; types are called differently."""
    return (
        f"CREATE TABLE read (id {number}, kind TEXT NOT NULL, path TEXT NOT NULL,"
        " part TEXT NOT NULL, identity TEXT NOT NULL, content TEXT NOT NULL,"
        " UNIQUE (path, part, kind, identity, content))",
        f"CREATE TABLE share (id {number}, digest {data} NOT NULL UNIQUE, reads {data} NOT NULL)",
        f"CREATE TABLE answer (digest {data} PRIMARY KEY, body {data} NOT NULL)",
        f"CREATE TABLE trace (id {number}, question {data} NOT NULL, share BIGINT NOT NULL,"
        f" own {data} NOT NULL, answer {data} NOT NULL, digest {data} NOT NULL)",
        "CREATE INDEX trace_question ON trace (question)",
        "CREATE INDEX trace_answer ON trace (answer)",
    )
