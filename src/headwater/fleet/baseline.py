"""A baseline: findings that are accepted, so that only new ones are told.

A finding is known by its code, its file, its message and the text of its line, not by the number
of the line, so that it stays accepted when something is written above it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeAlias

import msgspec

from headwater.fleet.config import BadRepository
from headwater.langs.codes import unread
from headwater.langs.repository_codes import BASELINE
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source

Short: TypeAlias = Callable[[str], str]
"""The name of a file as a baseline has it."""


class Accepted(msgspec.Struct, frozen=True):
    """One accepted finding."""

    code: str
    file: str
    line: str
    message: str


class Document(msgspec.Struct, frozen=True):
    """The file."""

    format_version: Annotated[int, msgspec.Meta(ge=1, le=1)]
    accepted: tuple[Accepted, ...]


def accepted(diagnostic: Diagnostic, short: Short) -> Accepted:
    """What a finding is known by."""
    at = diagnostic.at
    line = at.source.line(at.first.line).strip() if at.source.text else ""
    return Accepted(diagnostic.code, short(at.source.name), line, diagnostic.message)


def read_baseline(path: str) -> frozenset[Accepted]:
    """The findings that a file accepts.  Raises `BadRepository`."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise BadRepository([unread(source, path, source.at)])
    try:
        return frozenset(msgspec.json.decode(source.text, type=Document).accepted)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        at = Source(path, source.text).span(0, 0)
        raise BadRepository([BASELINE.at(at, file=path, reason=str(error))]) from None


def baseline_text(findings: Iterable[Diagnostic], short: Short) -> str:
    """The file that accepts findings, one line each, in an order that does not change."""
    entries = sorted(
        {accepted(one, short) for one in findings},
        key=lambda one: (one.file, one.code, one.message, one.line),
    )
    rows: list[dict[str, Any]] = [msgspec.to_builtins(one) for one in entries]
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    body = f"[\n{lines}\n  ]" if rows else "[]"
    return f'{{\n  "format_version": 1,\n  "accepted": {body}\n}}\n'


def relative_to(root: str) -> Short:
    """Names of files from a root."""
    around = os.path.join(os.path.abspath(root), "")

    def short(name: str) -> str:
        path = os.path.abspath(name)
        return path.removeprefix(around) if path.startswith(around) else name

    return short
