"""What a job gives an Opal program besides its text: stores, endorsers, a location."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from headwater.langs.opal.codes import BAD_INPUT
from headwater.langs.opal.distribution import (
    HOME,
    Endorser,
    EveryoneAgrees,
    InProcess,
    OnlyThese,
    Transport,
)
from headwater.langs.opal.fields import Fields
from headwater.langs.opal.printer import show_place
from headwater.langs.opal.result import read_place
from headwater.langs.opal.syntax import Handle, Place
from headwater.langs.opal.values import Heap, NotASexp, SexpValue, from_plain
from headwater.report import Diagnostic
from headwater.text import Source, Span
from headwater.why import Node


@dataclass(frozen=True, slots=True)
class Given:
    """A variable of the initial store: its plain data, and where that is written."""

    data: Any
    at: Span


class Below(Protocol):
    """Stores that were there before the program: looked up when asked for, never written."""

    def given(self, place: Place) -> Given | None:
        """The value of a variable, if it has one."""
        ...

    def merge(self, place: Place) -> Handle | None:
        """The handle that stands for the merge kept with a variable, if there is one."""
        ...

    def __contains__(self, place: object) -> bool: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A world that a run left, in plain data, with its nodes in the trace of that run.

    It began on the stores `base` under the bindings `orig`.
    """

    base: Below
    orig: Mapping[Place, tuple[Any, Node]]
    hyp: Mapping[Place, tuple[Any, Node, Node]]
    absent: Mapping[Place, Node]
    causes: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Inputs:
    """The surroundings of a program; by default the paper's: nothing, and everyone agrees."""

    initial: Mapping[Place, Given] = field(default_factory=dict)
    endorser: Endorser = field(default_factory=EveryoneAgrees)
    transport: Transport = field(default_factory=InProcess)
    location: str = HOME
    ext: bool = False
    permitted: frozenset[str] = frozenset()
    """The principals whose permission the program starts with (G21: its caller's)."""
    merges: Mapping[Place, Handle] = field(default_factory=dict)
    """Merges in force from the start, of variables in `initial`."""
    below: Below | None = None
    """Stores under `initial` that are too many to list; only the engine knows them."""

    def values(self, heap: Heap) -> dict[Place, SexpValue]:
        """The initial store in a heap; the data has been checked by `read_inputs`."""
        return {p: from_plain(heap, g.data, atoms=True) for p, g in self.initial.items()}


def read_inputs(given: Fields, at: Span) -> Inputs | Diagnostic:
    """The inputs of a job, or what is wrong with them."""
    ext = bool(given.ext)
    location = HOME if given.at is None else given.at
    endorser: Endorser = EveryoneAgrees() if given.endorse is None else OnlyThese(given.endorse)
    initial = _read_stores(given.initial or {}, at, ext=ext)
    if isinstance(initial, Diagnostic):
        return initial
    return Inputs(initial, endorser, InProcess(), location, ext)


def _read_stores(given: dict[str, Any], at: Span, *, ext: bool) -> dict[Place, Given] | Diagnostic:
    """The initial stores; they become a text of their own, so that a value can be traced to it."""
    inner = given.get("stores")
    if len(given) == 1 and isinstance(inner, dict):
        given = inner
    stores: dict[Place, Any] = {}
    for key, data in given.items():
        place = read_place(str(key))
        if place is None:
            return BAD_INPUT.at(at, name="initial", reason=f"{key} is not node.variable")
        try:
            from_plain(Heap(), data, atoms=ext)
        except NotASexp as error:
            return BAD_INPUT.at(at, name="initial", reason=f"{key}: {error.args[0]}")
        stores[place] = data
    return _written_down(stores)


def _written_down(stores: Mapping[Place, Any]) -> dict[Place, Given]:
    lines: list[str] = []
    places: list[tuple[Place, int, int]] = []
    offset = 0
    for place, data in stores.items():
        key = f"{show_place(place)} = "
        line = key + _short(data)
        places.append((place, offset + len(key), offset + len(line)))
        lines.append(line)
        offset += len(line) + 1
    source = Source("initial", "".join(line + "\n" for line in lines))
    return {p: Given(stores[p], source.span(start, end)) for p, start, end in places}


def _short(data: Any) -> str:
    try:
        text = json.dumps(data, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "…"
    return text if len(text) <= 10_000 else text[:9_999] + "…"
