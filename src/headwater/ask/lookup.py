"""Data beside a program: the value of a key, and every place that decides it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from headwater.ask.collector import paused_collector
from headwater.ask.request import BadRequest, Request, find, inputs_of, prepare
from headwater.langs import LANGUAGES, families_of
from headwater.langs.fields import NoFields, read_fields
from headwater.langs.protocol import Asked, Job, LookedUp, LooksUp
from headwater.langs.repositories import Unusable
from headwater.report import Diagnostic
from headwater.report.diagnostic import place
from headwater.text import Span


@paused_collector()
def lookup(
    request: Request, key: str, how: Mapping[str, object] | None = None
) -> LookedUp | list[Diagnostic]:
    """The value of a key, or what is wrong with the files.  Raises `BadRequest`."""
    if request.lang is None:
        able = (name for name in LANGUAGES if families_of(name).lookup is not NoFields)
        request = replace(request, lang=next(able, None))
    language, dialect, engine = find(request)
    if not isinstance(language, LooksUp):
        raise BadRequest(f"{language.name} has no data to look up")
    if request.files or request.sources:
        prepared = prepare(request)
        if isinstance(prepared, list):
            return prepared
        job = prepared[1]
    else:
        try:
            request = request.classified(language)
        except Unusable as why:
            return list(why.diagnostics)
        inputs = inputs_of(request, language)
        job = Job((), inputs, dialect, engine, request.options, texts=request.texts)
    found = language.lookup(job, key, read_fields(how or {}, language.takes.lookup))
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


__all__ = ["Asked", "LookedUp", "lookup", "lookup_document"]
