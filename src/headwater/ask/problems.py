"""What can go wrong before a language is asked, as diagnostics that front ends report."""

from __future__ import annotations

from headwater.langs.codes import TIMEOUT, unread
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable
from headwater.text.reading import Unread


def timed_out(name: str, seconds: float) -> Diagnostic:
    """The error for a question that was not answered in time."""
    return TIMEOUT.at(Source(name, "").span(0, 0), seconds=f"{seconds:g}")


def not_read(why: Unread | Unreadable, name: str | None = None) -> Diagnostic:
    """The error for a file that was not read; `name` is shown in the place of its own."""
    if isinstance(why, Unreadable):
        return unread(why, name or why.name, why.at)
    return unread(why, name or why.path, why.named_at or Source(why.path, "").span(0, 0))
