"""A `Diagnostic` says what is wrong, where, what else has to do with it, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from headwater.text import Span


class Note(msgspec.Struct, frozen=True):
    """A second place that has to do with a diagnostic, and what it has to do with it."""

    message: str
    at: Span


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding.  Made by `Code.at`, so that text and code stay together."""

    code: str
    severity: str
    message: str
    at: Span
    labels: tuple[Note, ...] = ()
    help: str | None = None
    paper: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether it means that there is no result."""
        return self.severity == "error"

    def as_json(self) -> dict[str, Any]:
        """The document of the machine interface."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            **place(self.at),
            "labels": [{"message": note.message, **_start(note.at)} for note in self.labels],
            "help": self.help,
            "paper": self.paper,
        }


def place(at: Span) -> dict[str, Any]:
    """File, first and last position of a span."""
    return {**_start(at), "end_line": at.last.line, "end_column": at.last.column}


def _start(at: Span) -> dict[str, Any]:
    line, column = at.first
    return {"file": at.source.name, "line": line, "column": column}


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, without exact repetitions."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.at.source.name, d.at.start, d.at.end, d.code))
