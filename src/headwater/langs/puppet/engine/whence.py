"""Where things came from that are refused: the second places of diagnostics, from the record.

Whoever reads that a parameter is mistyped wants to see the line that says so, in whichever file
of data it stands; that a resource is declared twice, the way to both declarations.
"""

from __future__ import annotations

from msgspec.structs import replace

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.hiera.misses import record_of
from headwater.langs.puppet.program.units import Unit
from headwater.report import Note
from headwater.text import NOWHERE, Span, near

_MOST_LEVELS = 20
"""So many places that were searched are listed."""


def mistyped(
    compilation: Compilation, owner: Resource | str, name: str, message: str, at: object
) -> Problem | Fault:
    """A parameter of a wrong type: at the line of data it was written on, if on any.

    `at` is the parameter in the definition.
    """
    if isinstance(owner, str):
        return Problem(codes.MISTYPED, message=message)
    param = owner.params.get(name)
    notes = _definition(owner, at, "the parameter is defined here")
    if param is None:
        return Problem(codes.MISTYPED, message=message, labels=notes)
    place = param.span
    record = record_of(param.detail) if param.how == "hiera" else None
    if record is not None:
        place = _data_line(record)
    if place is not None and "Sensitive" in message:  # its line may not be shown
        help = f"the value is written at {place}"
        return Problem(codes.MISTYPED, message=message, labels=notes, help=help)
    if place is not None:
        if param.how == "hiera":
            notes = [*notes, *declared_notes(compilation, owner)]
            return Fault(codes.MISTYPED.at(place, message=message, labels=notes))
        notes = [Note(_WORDS.get(param.how, "the value is written here"), place), *notes]
    return Problem(codes.MISTYPED, message=message, labels=notes)


_WORDS = {"parameter default": "this default is used", "override": "it is overridden here",
            "collector": "a collector sets it here"}  # fmt: skip


def missing(compilation: Compilation, owner: Resource | str, name: str, at: object) -> Problem:
    """A parameter without a value: with every level of the data that was asked for it."""
    if isinstance(owner, str):
        return Problem(codes.MISSING_PARAMETER, resource=owner, name=name)
    notes = _definition(owner, at, "it has no default")
    found = Problem(codes.MISSING_PARAMETER, resource=owner.ref, name=name, labels=notes)
    definition = owner.definition
    if definition is not None and definition.kind == "class" and compilation.has_data:
        key = f"{definition.name}::{name}"
        record = compilation.services.hiera.miss(key)
        if record is not None and record.tried:
            found.help = f"{key} is in none of the levels: {_levels(record.tried)}"
    return found


def _levels(tried: list[Tried]) -> str:
    told = [f"{near(one.path)} ({_lacking(one)})" for one in tried]
    more = len(told) - _MOST_LEVELS
    return ", ".join(told[:_MOST_LEVELS]) + (f" and {more} more" if more > 0 else "")


def _lacking(tried: Tried) -> str:
    return "no such file" if tried.file is None else "no such key"


def _data_line(record: LookupRecord) -> Span | None:
    """Where the value of a look-up is written; the first place if it is merged."""
    for tried in record.tried:
        if tried.found and tried.file is not None:
            return tried.file.span((tried.key, *split_key(record.key)[1:]))
    return None


def _definition(owner: Resource, node: object, message: str) -> list[Note]:
    unit: Unit | None = None if owner.definition is None else owner.definition.unit
    return [] if unit is None else [Note(message, unit.span(node))]


def declared_at(compilation: Compilation, resource: Resource) -> Span:
    """Where a resource is declared; of a class, where it was first."""
    place = resource.declared.span
    if place is NOWHERE and resource.definition is not None:
        for act in compilation.record.declarations.get(resource.definition.name, ())[:1]:
            return act.unit.span(act.node)
    return place


def declared_notes(compilation: Compilation, resource: Resource) -> list[Note]:
    """The way to a resource: itself, and each class or define around it, innermost first."""
    found: list[Note] = []
    at: Resource | None = resource
    while at is not None:
        place = declared_at(compilation, at)
        if place is not NOWHERE:
            found.append(Note(f"{at.ref} is declared here", place))
        around = at.declared.around
        at = around if around is not at else None
    return found


def twice(compilation: Compilation, resource: Resource, fault: Fault) -> Fault:
    """The refusal of a second declaration, with the ways to both."""
    first = compilation.catalog.table[resource.type, resource.title]
    one, other = declared_notes(compilation, first), declared_notes(compilation, resource)
    notes = [Note(f"first: {note.message}", note.at) for note in one]
    notes += [Note(f"again: {note.message}", note.at) for note in other[1:]]
    return Fault(replace(fault.diagnostic, labels=tuple(notes)))
