"""Edits that nobody has made: ``FILE:LINE=TEXT`` and ``FILE:KEY=VALUE``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

import msgspec

from headwater.ask.request import BadRequest
from headwater.langs.keyed import EditsData
from headwater.langs.repository_codes import NEW_KEY
from headwater.report import Diagnostic, nearest
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import is_file

_LINE = re.compile(r"[1-9][0-9]{0,8}")


class Edited(msgspec.Struct, frozen=True):
    """What files hold after edits, and what is doubtful about the edits."""

    files: dict[str, bytes | None]
    doubts: tuple[Diagnostic, ...] = ()


def edited(texts: Sequence[str], language: object) -> Edited:
    """What files hold after edits, each made after those before it.  Raises `BadRequest`."""
    files: dict[str, Source] = {}
    doubts: list[Diagnostic] = []
    for text in texts:
        left, sign, value = text.partition("=")
        file, place = _parted(left)
        if not sign or not place:
            raise BadRequest(f"an edit is written FILE:LINE=TEXT or FILE:KEY=VALUE, not {text}")
        path = os.path.abspath(file)
        source = files.get(path) or _read(file)
        files[path] = Source(source.name, _edited(source, place, value, language))
        if _LINE.fullmatch(place) is None:
            doubts += _new_keys(source, files[path], language)
    # What was typed in bytes that are no UTF-8 is what the file would hold.
    held = {path: s.text.encode("utf-8", "surrogateescape") for path, s in files.items()}
    return Edited(dict(held), tuple(doubts))


def _new_keys(before: Source, after: Source, language: object) -> Iterator[Diagnostic]:
    """What to doubt about keys that an edit adds, at the end: nothing may ask for them."""
    assert isinstance(language, EditsData)
    there = language.keys_of(before)
    for key in language.keys_of(after):
        if key not in there:
            close = nearest(key, there)
            text = after.text.rstrip("\n")
            at = after.span(text.rfind("\n") + 1, len(text))
            help = f"did you mean {close}?" if close else None
            yield NEW_KEY.at(at, file=before.name, key=key, help=help)


def _parted(left: str) -> tuple[str, str]:
    """The file and the place in it that the left side of an edit names."""
    parts = left.split(":")
    for count in range(len(parts), 0, -1):
        file = ":".join(parts[:count])
        if file and is_file(file):
            return file, ":".join(parts[count:])
    raise BadRequest(f"there is no file {parts[0]}")


def _read(file: str) -> Source:
    source = read_source(file)
    if isinstance(source, Unreadable):
        raise BadRequest(f"{file} cannot be read: {source.reason}")
    return source


def _edited(source: Source, place: str, value: str, language: object) -> str:
    if _LINE.fullmatch(place) is None:
        if not isinstance(language, EditsData):
            raise BadRequest(f"{place} is no line of {source.name}")
        try:
            return language.with_value(source, place, value)
        except ValueError as error:
            raise BadRequest(str(error)) from None
    lines = source.text.split("\n")
    number = int(place)
    there = len(lines) - (lines[-1] == "")
    if not 0 < number <= there:
        raise BadRequest(f"{source.name} has {there} lines: there is no line {number}")
    lines[number - 1] = value
    return "\n".join(lines)
