"""Many compilations in one process: JSON lines in, JSON lines out, in order.

A line that is no job, or a job that fails, gets an answer that says so; nothing stops
the stream.  Only what may be cached is remembered between jobs.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any

import msgspec

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.document import compacted, why_document
from headwater.ask.inputs import known_names, paths, stand_ins, standing_in, unconfined
from headwater.ask.request import BadRequest, Request
from headwater.langs import Options, Outcome
from headwater.langs.codes import BAD_JOB, INTERNAL_ERROR, OUTPUT_TOO_LARGE, TIMEOUT, unread
from headwater.langs.fields import CommonFields, WrongField, read_fields
from headwater.langs.forgetting import forget
from headwater.report import Diagnostic, in_order, nearest
from headwater.text import Source
from headwater.text.deadline import TimedOut, limited
from headwater.text.moment import Seen, at_one_moment
from headwater.text.reading import Reach, Unread, reach, within
from headwater.tree import Tree, writable
from headwater.tree.json import measure

MOST_DEPTH = 500
"""Deeper trees are refused: readers of JSON recurse."""

MOST_VALUES = 1_000_000

DEFAULT_TIMEOUT = 300.0
"""Seconds for a job that does not say how many it may take."""


MOST_LOOKS, MOST_FILES = 100_000, 10_000
"""Paths and files of which a stream remembers what was seen, where they do not change."""


class BadJob(ValueError):
    """The job cannot be understood; says why."""


class Unchanging:
    """Files that are taken not to change while jobs are answered: what was seen of them so far.

    Jobs that may reach different files do not share what they saw.  A stream of very many files
    begins anew from time to time, so that it does not hold them all.
    """

    def __init__(self) -> None:
        self._seen: dict[Reach, Seen] = {}

    def now(self) -> Seen:
        """What was seen with the present reach."""
        seen = self._seen.get(reach())
        if seen is None or len(seen.looks) > MOST_LOOKS or len(seen.files) > MOST_FILES:
            self._seen.clear()
            seen = self._seen[reach()] = Seen()
        return seen


def run_jobs(
    lines: Iterable[bytes],
    write: Callable[[bytes], None],
    *,
    seconds: float = DEFAULT_TIMEOUT,
    unchanging: Unchanging | None = None,
) -> None:
    """Answers each line that is not blank; `seconds` is for jobs that do not say how many.

    Each job sees the files as they are when it is answered, unless they are unchanging.
    """
    for line in lines:
        if line.strip():
            write(answer_line(line, seconds, unchanging) + b"\n")


def answer_line(
    line: bytes, seconds: float = DEFAULT_TIMEOUT, unchanging: Unchanging | None = None
) -> bytes:
    """The answer to one line."""
    with paused_collector():  # what a job makes is gone when its answer is written
        return _answer_line(line, seconds, unchanging)


def _answer_line(line: bytes, seconds: float, unchanging: Unchanging | None) -> bytes:
    start = time.perf_counter()
    job: Any = None
    try:
        if len(line.rstrip(b"\n")) > reach().most_bytes:
            raise Unread("a line", "too-large", f"it is larger than {reach().most_bytes:,} bytes")
        job = msgspec.json.decode(line)
        answer = _within(job, seconds, unchanging)
    except msgspec.DecodeError as error:
        job, reason = _unread(line, str(error))
        answer = _refusal(reason)
    except UnicodeDecodeError:
        answer = _refusal("a text in it is not UTF-8")
    except (BadJob, BadRequest) as error:
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
    except (RecursionError, ValueError) as error:
        refused = _refusal(f"its answer cannot be written: {error}")
        return msgspec.json.encode({"id": id, **refused, "ms": answer["ms"]})


def _within(job: object, seconds: float, unchanging: Unchanging | None) -> dict[str, Any]:
    """The answer to a job in the time it may take.  Raises `BadJob`."""
    if not isinstance(job, dict):
        raise BadJob("a job is a JSON object")
    try:
        common = read_fields(job, CommonFields)
    except WrongField as wrong:
        raise BadJob(str(wrong)) from None
    limit = common.timeout or seconds
    try:
        with (
            limited(limit),
            within(_reach_of(job)),
            at_one_moment(None if unchanging is None else unchanging.now()),
        ):
            return _answer(job)
    except TimedOut:
        shown = Source(_named(job), "")
        return _failed([TIMEOUT.at(shown.span(0, 0), seconds=f"{limit:g}")], [])


def _named(job: dict[str, Any]) -> str:
    """The name that a job's program is shown by."""
    if job.get("code") is not None:
        return str(job.get("filename") or "input")
    files = job.get("files") or [job.get("file") or job.get("manifest") or standing_in(job)]
    return str(files[0] or "job")


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


def _reach_of(job: dict[str, Any]) -> Reach:
    """What a job may read: no more than its stream, and with `confined` only what it names."""
    outer = reach()
    given = job.get("max_file_size")
    most = outer.most_bytes if given is None else given
    if outer.confined:
        most = min(most, outer.most_bytes)
    allowed = msgspec.structs.replace(outer, most_bytes=most)
    if job.get("confined"):
        allowed = allowed.fenced(paths(job))
    refused = unconfined(job) if allowed.confined else None
    if refused is not None:
        raise BadJob(f"{refused} is refused where reading is confined")
    return allowed


def _answer(job: dict[str, Any]) -> dict[str, Any]:
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
        "result": writable(outcome.result),
        "warnings": [d.as_json() for d in warnings],
    }
    if job.get("why"):
        document = why_document(compiled)
        answer["why"] = compacted(document) if job["why"] == "compact" else document
    forget(outcome)
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
    """The request that a job spells; its common fields have the right types.

    Raises `BadJob` and `BadRequest`.
    """
    given = {name: value for name, value in job.items() if value is not None}
    files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    if "code" in given:
        sources = (Source.of_text(given.get("filename", "input"), given["code"]),)
    elif "files" in given:
        files = tuple(given["files"])
    elif "file" in given or "manifest" in given:
        files = (given["file"] if "file" in given else given["manifest"],)
    if not files and not sources and not any(name in given for name in stand_ins()):
        wanted = ", ".join(("code", "file", "manifest", "files", *stand_ins()))
        raise BadJob(f"it has none of {wanted}")
    request = Request(
        files=files,
        sources=sources,
        lang=given.get("lang"),
        dialect=given.get("dialect"),
        engine=given.get("engine"),
        inputs=given,
        options=Options(
            include=tuple(given.get("include", ())),
            strict=bool(given.get("strict")),
            rules=bool(given.get("rules")),
        ),
    )
    _refuse_unknown(given)
    return request


def _refuse_unknown(given: dict[str, Any]) -> None:
    """Refuses a field that no language has; one of another language is only not looked at."""
    known = known_names()
    for name in given:
        if name not in known:
            close = nearest(name, known)
            hint = f"; did you mean {close}?" if close else ""
            raise BadJob(f"no field is called {name[:60]!r}{hint}")
