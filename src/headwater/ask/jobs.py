"""Many compilations in one process: JSON lines in, JSON lines out, in order.

A line that is no job, or a job that fails, gets an answer that says so; nothing stops
the stream.  Only what may be cached is remembered between jobs.
"""

from __future__ import annotations

import json
import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.document import why_document
from headwater.ask.request import Request, UnknownLanguage
from headwater.langs import Options, Outcome
from headwater.langs.codes import BAD_JOB, INTERNAL_ERROR, OUTPUT_TOO_LARGE, unread
from headwater.report import Diagnostic, in_order
from headwater.text import Source
from headwater.text.reading import Reach, Unread, reach, within
from headwater.tree import Tree
from headwater.tree.json import measure

MOST_DEPTH = 500
"""Deeper trees are refused: readers of JSON recurse."""

MOST_VALUES = 1_000_000

_NOT_INPUTS = frozenset(
    [
        "id",
        "code",
        "file",
        "manifest",
        "files",
        "filename",
        "lang",
        "dialect",
        "engine",
        "include",
        "why",
        "rules",
        "settings",
        "max_file_size",
        "confined",
    ]
)


class BadJob(ValueError):
    """The job cannot be understood; says why."""


def run_jobs(lines: Iterable[bytes], write: Callable[[bytes], None]) -> None:
    """Answers each line that is not blank."""
    for line in lines:
        if line.strip():
            write(answer_line(line) + b"\n")


def answer_line(line: bytes) -> bytes:
    """The answer to one line."""
    start = time.perf_counter()
    job: Any = None
    try:
        if len(line.rstrip(b"\n")) > reach().most_bytes:
            raise Unread("a line", "too-large", f"it is larger than {reach().most_bytes:,} bytes")
        job = msgspec.json.decode(line)
        answer = _answer(job)
    except msgspec.DecodeError as error:
        job, reason = _unread(line, str(error))
        answer = _refusal(reason)
    except (BadJob, UnknownLanguage) as error:
        answer = _refusal(str(error))
    except Unread as why:
        answer = _failed([unread(why, why.path, Source("job", "").span(0, 0))], [])
    except RecursionError:
        answer = _refusal("it is nested too deep")
    except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one job does
        answer = _failed([INTERNAL_ERROR.at(Source("job", "").span(0, 0), what=_bug(error))], [])
    id = job.get("id") if isinstance(job, dict) else None
    answer = {"id": id, **answer, "ms": round((time.perf_counter() - start) * 1000, 3)}
    try:
        return msgspec.json.encode(answer)
    except (RecursionError, UnicodeEncodeError) as error:
        refused = _refusal(f"its answer cannot be written: {error}")
        return msgspec.json.encode({"id": id, **refused, "ms": answer["ms"]})


def _unread(line: bytes, reason: str) -> tuple[Any, str]:
    """What can be told of a line that is no JSON: its id, if only its texts are unusable."""
    try:
        job = json.loads(line)
        msgspec.json.encode(job)
    except UnicodeEncodeError:
        given = job.get("id") if isinstance(job, dict) else None
        known = isinstance(given, int) or (isinstance(given, str) and given.isprintable())
        shown = {"id": given if known else None}
        return shown, "a text in it holds half of a surrogate pair"
    except (ValueError, RecursionError):
        pass
    return None, reason


def _bug(error: Exception) -> str:
    """A bug of ours in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {PurePath(where.filename).name}:{where.lineno}: {error}"


def _refusal(reason: str) -> dict[str, Any]:
    return _failed([BAD_JOB.at(Source("job", "").span(0, 0), reason=reason)], [])


def _failed(errors: list[Diagnostic], warnings: list[Diagnostic]) -> dict[str, Any]:
    shown = [diagnostic.as_json() for diagnostic in in_order(errors)]
    return {
        "ok": False,
        "error": shown[0],
        "errors": shown,
        "warnings": [diagnostic.as_json() for diagnostic in warnings],
    }


def _answer(job: Any) -> dict[str, Any]:
    if not isinstance(job, dict):
        raise BadJob("a job is a JSON object")
    with within(_reach_of(job)):
        return _compiled(job)


def _reach_of(job: dict[str, Any]) -> Reach:
    """What a job may read: no more than its stream, and with `confined` only what it names."""
    outer = reach()
    most = job.get("max_file_size", outer.most_bytes)
    if type(most) is not int or most < 0:
        raise BadJob("max_file_size is a number of bytes")
    if outer.confined:
        most = min(most, outer.most_bytes)
    allowed = replace(outer, most_bytes=most)
    if _typed(job, "confined", bool, False):
        allowed = allowed.fenced(_given(job))
    if allowed.confined and job.get("env_allow"):
        raise BadJob("env_allow is refused where reading is confined")
    return allowed


def _given(job: dict[str, Any]) -> Iterator[str]:
    """The files and folders that a job names."""
    for name in ("file", "manifest", "files", "include", "env", "hiera", "facts_file", "facts",
                 "modulepath"):  # fmt: skip
        value = job.get(name)
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, str):
                yield from path.split(os.pathsep) if name == "modulepath" else [path]


def _compiled(job: dict[str, Any]) -> dict[str, Any]:
    compiled = compile_request(request_of(job))
    outcome = compiled.outcome
    warnings = [d for d in outcome.diagnostics if not d.is_error]
    if outcome.result is None:
        return _failed(list(outcome.errors), warnings) | _rules(job, outcome)
    refused = _too_large(compiled)
    if refused:
        return _failed([refused], warnings)
    answer: dict[str, Any] = {
        "ok": True,
        "result": outcome.result.plain(),
        "warnings": [d.as_json() for d in warnings],
    }
    if job.get("why"):
        answer["why"] = why_document(compiled)
    return answer | _rules(job, outcome)


def _rules(job: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    return {"rules": list(outcome.rules)} if job.get("rules") else {}


def _too_large(compiled: Compiled) -> Diagnostic | None:
    result = compiled.outcome.result
    if not isinstance(result, Tree):
        return None
    bound = measure(result.root, most_nodes=MOST_VALUES, most_depth=MOST_DEPTH)
    if bound is None:
        return None
    return OUTPUT_TOO_LARGE.at(compiled.outcome.sources[0].span(0, 0), bound=bound)


def request_of(job: dict[str, Any]) -> Request:
    """The request that a job spells.  Raises `BadJob`."""
    files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    if "code" in job:
        code = _typed(job, "code", str)
        sources = (Source.of_text(_typed(job, "filename", str, "input"), code),)
    elif "files" in job:
        files = tuple(_strings(job, "files"))
    elif "file" in job or "manifest" in job:
        files = (_typed(job, "file" if "file" in job else "manifest", str),)
    if not files and not sources and "env" not in job:
        raise BadJob("it has none of code, file, manifest, files, env")
    engine = _typed(job, "engine", str, "engine")
    if engine not in ("engine", "paper"):
        raise BadJob(f"engine is engine or paper, not {engine}")
    settings = _typed(job, "settings", dict, {})
    options = Options(
        include=tuple(_strings(job, "include")),
        strict=bool(job.get("strict") or settings.get("strict") in (True, "error")),
        rules=bool(job.get("rules")),
    )
    inputs = {key: value for key, value in job.items() if key not in _NOT_INPUTS}
    inputs["settings"] = settings
    for name in ("pre", "post", "provenance", "phase"):
        _typed(job, name, str | None)
    _strings(job, "set")
    if job.get("provenance") not in (None, "dplus", "thesis"):
        raise BadJob(f"provenance is dplus or thesis, not {job['provenance']}")
    return Request(
        files=files,
        sources=sources,
        lang=_typed(job, "lang", str | None, None),
        dialect=_typed(job, "dialect", str | None, None),
        engine="paper" if engine == "paper" else "engine",
        inputs=inputs,
        options=options,
    )


def _typed(job: dict[str, Any], key: str, kind: Any, default: Any = None) -> Any:
    value = job.get(key, default)
    if not isinstance(value, kind):
        raise BadJob(f"{key} has the wrong type")
    return value


def _strings(job: dict[str, Any], key: str) -> list[str]:
    value = _typed(job, key, list, [])
    if not all(isinstance(item, str) for item in value):
        raise BadJob(f"{key} is a list of strings")
    return [*value]
