"""Data beside a program: the value of a key, and every place that decides it."""

from __future__ import annotations

from headwater.ask.compile import paused_collector
from headwater.ask.request import Request, UnknownLanguage, find_language, prepare
from headwater.langs.protocol import Asked, Job, LookedUp, LooksUp
from headwater.report import Diagnostic
from headwater.report.diagnostic import place
from headwater.text import Span


@paused_collector()
def lookup(request: Request, key: str, merge: str | None = None) -> LookedUp | list[Diagnostic]:
    """The value of a key, or what is wrong with the files.  Raises `UnknownLanguage`."""
    language = find_language(request)
    if not isinstance(language, LooksUp):
        raise UnknownLanguage(f"{language.name} has no data to look up")
    if request.files or request.sources:
        prepared = prepare(request)
        if isinstance(prepared, list):
            return prepared
        job = prepared[1]
    else:
        job = Job((), request.inputs, request.dialect, request.engine, request.options)
    found = language.lookup(job, key, merge)
    return found if isinstance(found, LookedUp) else list(found)


def lookup_document(answer: LookedUp) -> dict[str, object]:
    """The answer of the machine interface."""
    return {
        "format_version": 1,
        **_document(answer),
        "warnings": [d.as_json() for d in answer.diagnostics],
    }


def _document(answer: LookedUp) -> dict[str, object]:
    return {
        "key": answer.key,
        "found": answer.found,
        "value": answer.value,
        "strategy": answer.strategy,
        "options": _at(answer.options_at),
        "places": [_place(asked) for asked in answer.places],
        "inner": [_document(inner) for inner in answer.inner],
    }


def _place(asked: Asked) -> dict[str, object]:
    return {
        "layer": asked.layer,
        "level": asked.level,
        "level_at": _at(asked.level_at),
        "written": asked.location,
        "path": asked.path,
        "status": asked.status,
        "at": _at(asked.at),
        "value": asked.value,
        "empty": list(asked.empty),
    }


def _at(span: Span | None) -> dict[str, object] | None:
    return None if span is None else place(span)
