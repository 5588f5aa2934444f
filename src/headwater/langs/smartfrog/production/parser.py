"""The parser of production SmartFrog: a text becomes a tree.

`blocks` reads attributes and components, `values` what stands on their right side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.smartfrog.production.blocks import Include, Skip, Stop
from headwater.langs.smartfrog.production.syntax import Block, Reference
from headwater.langs.smartfrog.production.values import Values
from headwater.report import Diagnostic
from headwater.text import Source


@dataclass(slots=True)
class Parsed:
    """A syntax tree with the errors found on the way to it."""

    block: Block
    errors: list[Diagnostic] = field(default_factory=list)


def parse(source: Source, include: Include, *, in_full: bool = False) -> Parsed:
    """The attributes of a source and every syntax error in it; `in_full` without a `Setting`."""
    parser = Values(source, include, in_full=in_full)
    block = parser.file()
    return Parsed(block, parser.errors)


def parse_reference(text: str) -> Reference | None:
    """The reference that a text is, if it is one."""
    parser = Values(Source("reference", text), lambda *_: None)
    try:
        found = parser.reference() if parser.at_part() else None
    except (Skip, Stop):
        return None
    at_end = parser.cursor.at("end")
    return found if at_end and not parser.errors and not parser.cursor.wrong else None
