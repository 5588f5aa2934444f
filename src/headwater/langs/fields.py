"""The fields of a job as data: their names and types.

Those that every language has are here; a language lists its own in its `fields.py`.  A field
of type ``object`` is judged by the language, which can say more than that a type is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

LONGEST_TIME = 100_000_000.0
"""The most seconds that a time limit may have (three years)."""

Name = Annotated[str, msgspec.Meta(pattern=r"\A[^\0]*\Z")]
"""The name of a file or folder, which cannot hold NUL."""

Seconds = Annotated[float, msgspec.Meta(gt=0, le=LONGEST_TIME)]


class NoFields(msgspec.Struct):
    """The own fields of a language that has none."""


class CommonFields(msgspec.Struct):
    """What a job of any language may have."""

    id: object = None
    code: str | None = None
    filename: str | None = None
    file: str | None = None
    manifest: str | None = None
    files: list[str] | None = None
    lang: str | None = None
    dialect: str | None = None
    engine: Literal["engine", "paper"] | None = None
    include: list[str] | None = None
    strict: bool | None = None
    why: bool | Literal["compact"] | None = None
    rules: bool | None = None
    settings: dict[str, object] | None = None
    timeout: Seconds | None = None
    max_file_size: Annotated[int, msgspec.Meta(ge=0)] | None = None
    confined: bool | None = None


def names_of(fields: type[msgspec.Struct]) -> tuple[str, ...]:
    """The names of the fields."""
    return fields.__struct_fields__


def wrong_field(given: Mapping[str, Any], fields: type[msgspec.Struct]) -> str | None:
    """What is wrong with the first of these fields that has the wrong type, in words."""
    own = {name: given[name] for name in names_of(fields) if name in given}
    try:
        msgspec.convert(own, fields)
    except msgspec.ValidationError as error:
        return _in_words(str(error))
    return None


_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _in_words(problem: str) -> str:
    """A message of the library in the words of our users: the field first."""
    said, _, path = problem.partition(" - at ")
    field = path.strip("`").removeprefix("$.") or "it"
    if "matching regex" in said:
        return f"{field} holds a NUL character"
    wanted = re.fullmatch(r"Expected `(.+)`, got `(\w+)`", said)
    if said.startswith("Invalid enum value"):
        return f"{field} cannot be {said.removeprefix('Invalid enum value ')}"
    if wanted is None:
        return f"{field}: {said[:1].lower()}{said[1:].replace('`', '')}"
    expected = [_KINDS[kind] for kind in wanted[1].split(" | ") if kind != "null"]
    return f"{field} must be {' or '.join(expected)}, not {_KINDS[wanted[2]]}"
