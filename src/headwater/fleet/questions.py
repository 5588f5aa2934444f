"""Questions about values that can be asked of every node: a key, a place, an address."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.explain import explain
from headwater.ask.impact import impact
from headwater.ask.lookup import lookup
from headwater.ask.request import Request
from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.question import Answer, Question
from headwater.fleet.readset import ReadSet
from headwater.fleet.told import Told, told
from headwater.langs.forgetting import forget
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.text.paths import near
from headwater.text.reads import READS
from headwater.tree.json import compact

Key = TypeVar("Key", bound=Hashable)


class Where(msgspec.Struct, frozen=True, array_like=True):
    """A place as people read it."""

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def where(at: Span, text: str = "") -> Where:
    """A span as a place."""
    return Where(near(at.source.name), at.first.line, at.first.column, text)


def _failed(diagnostics: Iterable[Diagnostic]) -> Answer:
    return Answer(tuple(told(one) for one in diagnostics), False)


def _compiled(request: Request) -> Compiled | Answer:
    compiled = compile_request(request)
    if compiled.outcome.result is None:
        return _failed(compiled.diagnostics)
    return compiled


# -- a key of the data -----------------------------------------------------------------------


class Level(msgspec.Struct, frozen=True, array_like=True):
    """A level of the data that has a key and counts, and where it has it."""

    layer: str
    name: str
    at: Where | None


class LookedUp(msgspec.Struct, frozen=True, array_like=True):
    """What a node gets for a key, and the levels that it comes from."""

    found: bool
    value: str
    """As JSON on one line."""
    merge: str
    levels: tuple[Level, ...]


_LOOKED_UP = Bodies(LookedUp)


def lookup_question(key: str, how: Mapping[str, object]) -> Question:
    """Which level wins for a key."""

    def answer(request: Request) -> Answer:
        found = lookup(request, key, how)
        if isinstance(found, list):
            return _failed(found)
        levels = tuple(
            Level(one.layer, one.level, None if one.at is None else where(one.at))
            for one in found.places
            if one.status == "found"
        )
        body = LookedUp(found.found, compact(found.value) if found.found else "", found.strategy,
                    levels)  # fmt: skip
        return Answer(tuple(told(one) for one in found.diagnostics), True, body_of(body))

    return Question("lookup", answer, (key, repr(sorted(how.items()))), places=True)


def key_in(answer: Answer) -> LookedUp:
    """What an answer says of a key."""
    return _LOOKED_UP.decode(answer.body)


# -- a place ---------------------------------------------------------------------------------


class Touched(msgspec.Struct, frozen=True, array_like=True):
    """What of a node depends on a place."""

    values: tuple[str, ...]
    masked: tuple[str, ...]
    """Values that override what is written there."""
    output: bool
    """Whether it may change which values there are."""
    read: bool = True
    """Whether the file of the place was read at all."""

    def __bool__(self) -> bool:
        return bool(self.values or self.masked or self.output)


_TOUCHED = Bodies(Touched)


def impact_question(file: str, line: int, column: int | None) -> Question:
    """What depends on a place."""

    def answer(request: Request) -> Answer:
        compiled = _compiled(request)
        if isinstance(compiled, Answer):
            return compiled
        reads = READS.get()
        read = reads is None or _among(reads.paths(), file)  # before the file itself is asked
        found = impact(compiled, file, line, column)
        if isinstance(found, Diagnostic):
            return _failed([found])
        body = Touched(found.addresses, found.masked, found.output, read)
        forget(compiled.outcome)
        return Answer((), True, body_of(body))

    return Question("impact", answer, (file, str(line), str(column)), places=True)


def touched_in(answer: Answer) -> Touched:
    """What an answer says of a place."""
    return _TOUCHED.decode(answer.body)


def reads_file(reads: ReadSet, file: str) -> bool:
    """Whether a file is among what was read."""
    return _among((row.path for row in reads.rows()), file)


def _among(paths: Iterable[str], file: str) -> bool:
    """Whether a file is one of some, whatever it is called there."""
    wanted, name = os.path.realpath(file), os.path.basename(file)
    return any(
        os.path.realpath(path) == wanted
        for path in paths
        if os.path.basename(path) == name or os.path.islink(path)
    )


# -- a value ---------------------------------------------------------------------------------


class Explained(msgspec.Struct, frozen=True, array_like=True):
    """A value of a node, where it is written, and what it overrode."""

    address: str
    value: str
    """On one line, as people read it."""
    where: tuple[Where, ...]
    """Where it was written; for one that was computed, what it was computed from."""
    computed: bool
    overrode: tuple[Where, ...]


class Looked(msgspec.Struct, frozen=True, array_like=True):
    """A value of a node, or why there is none at an address."""

    value: Explained | None
    why: tuple[Told, ...] = ()


_LOOKED = Bodies(Looked)


def explain_question(address: str) -> Question:
    """Where a value comes from."""

    def answer(request: Request) -> Answer:
        compiled = _compiled(request)
        if isinstance(compiled, Answer):
            return compiled
        found = explain(compiled, address)
        if isinstance(found, Diagnostic):
            missing = Looked(None, (told(found),))
            return Answer((), True, body_of(missing))
        origins = found.views.origins
        body = Explained(
            found.address,
            found.shown,
            tuple(where(one.at, one.text) for one in origins or found.made_of),
            not origins,
            tuple(where(lost.where.at, lost.where.text)
                  for lost in found.views.masked if lost.where is not None),
        )  # fmt: skip
        forget(compiled.outcome)
        return Answer((), True, body_of(Looked(body)))

    return Question("explain", answer, (address,), places=True)


def explained_in(answer: Answer) -> Looked:
    """What an answer says of a value."""
    return _LOOKED.decode(answer.body)


def grouped(answers: Mapping[str, Key]) -> list[tuple[Key, list[str]]]:
    """Equal answers once, with their nodes; those of most nodes first."""
    groups: dict[Key, list[str]] = {}
    for node in sorted(answers):
        groups.setdefault(answers[node], []).append(node)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[1]))
