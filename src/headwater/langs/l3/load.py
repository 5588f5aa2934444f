"""From sources to a program: by its ending a file is L3, JSON or YAML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from headwater.langs.l3.parser import Parsed, parse
from headwater.langs.l3.syntax import Program
from headwater.report import Diagnostic, in_order
from headwater.text import Source


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program and the errors of all its files."""

    program: Program
    errors: list[Diagnostic]


def load(sources: tuple[Source, ...]) -> Loaded:
    """All files of a program.

    They are taken in the order of their names: what depends on places (which of several
    origins is shown first) then does not depend on the order of operands.
    """
    ordered = sorted(sources, key=lambda source: (source.name, source.text))
    parsed = [_parse(source) for source in ordered]
    errors = [error for one in parsed for error in one.errors]
    return Loaded(Program(tuple(one.file for one in parsed)), in_order(errors))


def _parse(source: Source) -> Parsed:
    match PurePath(source.name).suffix.lower():
        case ".json":
            return parse(source, json=True)
        case ".yaml" | ".yml":
            from headwater.langs.l3.yamldata import parse_yaml

            return parse_yaml(source)
        case _:
            return parse(source)


def takes_tags(source: Source) -> bool:
    """Whether a file is written in L3, so that tags can stand in it."""
    return PurePath(source.name).suffix.lower() not in (".json", ".yaml", ".yml")
