"""What can be found fault with, file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from headwater.ask.compile import paused_collector
from headwater.ask.request import Request, prepare
from headwater.langs import LANGUAGES
from headwater.report import Diagnostic
from headwater.text import reading


def check(
    request: Request,
    files: Iterable[str],
    *,
    syntax_only: bool = False,
    done: Callable[[str], None] | None = None,
) -> Iterator[Diagnostic]:
    """The findings of each file; a language that composes files gets them all at once.

    `done` is called with each file that has been looked at.
    """
    names = list(files)
    if not names:
        return
    whole = prepare(replace(request, files=tuple(names[:1])))
    together = not isinstance(whole, list) and whole[0].composes and not syntax_only
    groups = [tuple(names)] if together else [(name,) for name in names]
    for group in groups:
        prepared = prepare(replace(request, files=group))
        if isinstance(prepared, list):
            yield from prepared
        else:
            language, job = prepared
            with paused_collector():
                found = list(language.check(job, syntax_only=syntax_only))
            yield from found
        if done is not None:
            done(group[0])


def files_in(names: Iterable[str], lang: str | None = None) -> list[str]:
    """Files as they are named, and for each folder the files of known languages under it."""
    known = [entry for name, entry in LANGUAGES.items() if lang is None or name == lang]
    endings = {ending for entry in known for ending in entry.endings}
    found: list[str] = []
    for name in names:
        if reading.is_folder(name):
            found += reading.files_under(name, lambda n: PurePath(n).suffix in endings, hidden=True)
        else:
            found.append(name)
    return found
