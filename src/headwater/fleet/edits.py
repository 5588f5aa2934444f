"""Edits that nobody has made: ``FILE:LINE=TEXT`` and ``FILE:KEY=VALUE``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from headwater.ask.request import BadRequest
from headwater.langs.keyed import EditsData
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import is_file

_LINE = re.compile(r"[1-9][0-9]{0,8}")


def edited(texts: Sequence[str], language: object) -> dict[str, bytes | None]:
    """What files hold after edits, each made after those before it.  Raises `BadRequest`."""
    files: dict[str, Source] = {}
    for text in texts:
        left, sign, value = text.partition("=")
        file, place = _parted(left)
        if not sign or not place:
            raise BadRequest(f"an edit is written FILE:LINE=TEXT or FILE:KEY=VALUE, not {text}")
        path = os.path.abspath(file)
        source = files.get(path) or _read(file)
        files[path] = Source(source.name, _edited(source, place, value, language))
    return {path: source.text.encode() for path, source in files.items()}


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
    if number > len(lines):
        raise BadRequest(f"{source.name} has {len(lines)} lines, not {number}")
    lines[number - 1] = value
    return "\n".join(lines)
