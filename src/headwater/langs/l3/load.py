"""From sources to a program: by its ending a file is L3, JSON or YAML."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from headwater.langs.l3 import codes
from headwater.langs.l3.parser import Parsed, parse
from headwater.langs.l3.syntax import Order, Program, Tag
from headwater.report import Diagnostic, in_order, nearest
from headwater.text import Source


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program and the errors of all its files."""

    program: Program
    errors: list[Diagnostic]


Notes = tuple[Tag | Order, ...]
"""Tags and constraints in a row."""

_GIVEN = "--tag "
"""Begins the names of texts that tags on a command line are."""


def load(
    sources: tuple[Source, ...],
    tags: Sequence[str] = (),
    notes: Mapping[str, Notes] | None = None,
) -> Loaded:
    """All files of a program, with tags that are given for them (``FILE=#tag``, or as `notes`).

    They are taken in the order of their names: what depends on places (which of several
    origins is shown first) then does not depend on the order of operands.
    """
    ordered = sorted(sources, key=lambda source: (source.name, source.text))
    parsed = [_parse(source) for source in ordered]
    errors = [error for one in parsed for error in one.errors]
    given: dict[str, Notes] = {**notes} if notes is not None else {}
    for tag in tags:
        found = _given(tag, ordered)
        if isinstance(found, list):
            errors += found
        else:
            given[found[0]] = given.get(found[0], ()) + found[1]
    files = tuple(
        replace(one.file, annotations=one.file.annotations + given.get(one.file.source.name, ()))
        for one in parsed
    )
    return Loaded(Program(files), in_order(errors))


def given_notes(program: Program) -> dict[str, Notes]:
    """The tags of a program that were given beside its files, by the names of the files."""
    found = {
        file.source.name: tuple(
            note for note in file.annotations if note.at.source.name.startswith(_GIVEN)
        )
        for file in program.files
    }
    return {name: notes for name, notes in found.items() if notes}


def _given(tag: str, sources: Sequence[Source]) -> tuple[str, Notes] | list[Diagnostic]:
    """The file that ``FILE=#tag`` names, and its tags and constraints."""
    name, sign, notes = tag.partition("=")
    text = Source(f"{_GIVEN}{name}", f"{{}} {notes}")
    at = text.span(min(3, len(text.text)), len(text.text))
    if not sign or not notes.strip():
        return [codes.BAD_TAG.at(at, what=f"{tag} is not FILE=#TAG")]
    known = [source.name for source in sources]
    wanted = os.path.normpath(name)
    named = [one for one in known if wanted in (os.path.normpath(one), os.path.basename(one))]
    if len(named) != 1:
        close = nearest(name, known)
        what = f"{name} is {'several files' if named else 'no file'} of the program"
        help = f"did you mean {close}?" if close and not named else None
        return [codes.BAD_TAG.at(at, what=what, help=help)]
    parsed = parse(text)
    if parsed.errors:
        return parsed.errors
    return named[0], parsed.file.annotations


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
