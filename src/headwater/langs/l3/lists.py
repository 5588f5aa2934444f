"""Lists: one value each, made of plain data only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from headwater.langs.l3 import codes
from headwater.langs.l3.syntax import (
    Annotated,
    Block,
    Compose,
    Expr,
    Literal,
    Reference,
    Specialise,
    Undef,
)
from headwater.langs.l3.values import entries_key
from headwater.report import Diagnostic


def plain(elements: Iterable[Expr], report: Callable[[Diagnostic], None]) -> tuple[Literal, ...]:
    """The elements of a list; what is not plain data is reported and left out."""
    found: list[Literal] = []
    for element in elements:
        literal = _plain(element, report)
        if literal is not None:
            found.append(literal)
    return tuple(found)


def _plain(expr: Expr, report: Callable[[Diagnostic], None]) -> Literal | None:
    match expr:
        case Literal():
            return expr
        case Block(members=members, at=at):
            entries: dict[str, Literal] = {}
            for label in sorted(members):
                literal = _plain(members[label].value, report)
                if literal is not None:
                    entries[label] = literal
            key = entries_key(tuple((label, part.key) for label, part in entries.items()))
            return Literal(key, at, entries)
        case Reference(at=at):
            report(codes.LIST_ELEMENT.at(at, what="a reference"))
        case Undef(at=at):
            if at.start != at.end:
                report(codes.LIST_ELEMENT.at(at, what="undef"))
        case Annotated(annotations=notes):
            report(codes.LIST_ELEMENT.at(notes[0].at, what="a tag or constraint"))
        case Compose(at=at) | Specialise(at=at):
            report(codes.LIST_ELEMENT.at(at, what="an operation"))
    return None
