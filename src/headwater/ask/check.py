"""What can be found fault with, file by file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headwater.ask.request import Request, prepare
from headwater.report import Diagnostic


def check(
    request: Request, files: Iterable[str], *, syntax_only: bool = False
) -> Iterator[Diagnostic]:
    """The findings of each file; a language that composes files gets them all at once."""
    names = list(files)
    whole = prepare(replace(request, files=tuple(names[:1])))
    together = not isinstance(whole, list) and whole[0].composes and not syntax_only
    groups = [tuple(names)] if together else [(name,) for name in names]
    for group in groups:
        prepared = prepare(replace(request, files=group))
        if isinstance(prepared, list):
            yield from prepared
        else:
            language, job = prepared
            yield from language.check(job, syntax_only=syntax_only)
