"""What the languages take, all together: the inputs that a request may have."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias

import msgspec

from headwater.langs import LANGUAGES, families_of, language_for
from headwater.langs.fields import (
    LONGEST_TIME,
    CommonFields,
    Field,
    NoFields,
    choices,
    expected,
    fields_of,
    names_of,
    paths_in,
    takes,
)

Family: TypeAlias = Literal["program", "lookup", "run"]


def structs(family: Family = "program") -> list[type[msgspec.Struct]]:
    """The fields of every language for a family of commands."""
    return [getattr(families_of(name), family) for name in LANGUAGES]


def fields(family: Family = "program") -> Iterator[Field]:
    """The same field by field; languages may share one."""
    for struct in structs(family):
        yield from fields_of(struct)


def stand_ins() -> list[str]:
    """The inputs that may stand for the program."""
    return [name for struct in structs() for name in _standing_in(struct)]


@cache
def _standing_in(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in fields_of(struct) if field.about.stands_in)


def standing_in(inputs: Mapping[str, object]) -> str | None:
    """The folder among the inputs that stands for the program, if one does."""
    found = (inputs.get(name) for name in stand_ins())
    return next((folder for folder in found if isinstance(folder, str)), None)


def unconfined(inputs: Mapping[str, object]) -> str | None:
    """The first of the inputs that is refused where reading is confined."""
    return next((name for name in _unconfined(tuple(LANGUAGES)) if inputs.get(name)), None)


@cache  # for each set of languages: a stream asks with every job
def _unconfined(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(field.name for field in fields() if field.about.unconfined)


def known_names() -> frozenset[str]:
    """The names of all fields: of every language, and of jobs whatever their language."""
    return _known_names(tuple(LANGUAGES))


@cache
def _known_names(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset((*names_of(CommonFields), *(field.name for field in fields())))


def likely_fields(words: Sequence[str]) -> Iterator[Field]:
    """The fields of the language that the ending of a word means; if none does, of all."""
    name = next(filter(None, map(language_for, words)), None)
    return fields() if name is None else iter(fields_of(families_of(name).program))


def paths(given: Mapping[str, object]) -> Iterator[str]:
    """The files and folders that are named among the fields of a job."""
    return paths_in(given, _owners(set(given)))


def _owners(names: set[str]) -> Iterator[type[msgspec.Struct]]:
    """Structs that together have the fields of some names, those at hand before the others."""
    at_hand = {name: f"{LANGUAGES[name].package}.fields" in sys.modules for name in LANGUAGES}
    for language in (None, *sorted(LANGUAGES, key=at_hand.__getitem__, reverse=True)):
        if names:
            struct = CommonFields if language is None else families_of(language).program
            yield struct
            names = names.difference(names_of(struct))


def titled_fields(families: Sequence[Family]) -> Iterator[tuple[str, list[Field]]]:
    """The fields that have options, by the title of their language.

    Of several families a language must have the last, or the commands are not for it.
    """
    for name in LANGUAGES:
        taken = families_of(name)
        if getattr(taken, families[-1]) is NoFields:
            continue
        own = [f for family in families for f in fields_of(getattr(taken, family))]
        found = [field for field in own if field.about.option is not None]
        if found:
            yield taken.title, found


def spelt(field: Field, text: str) -> object:
    """The value of a field that a text on a command line spells.  Raises `ValueError`."""
    found = msgspec.convert({field.name: text}, field.owner, strict=False)
    value: object = getattr(found, field.name)
    return value


__all__ = ["LONGEST_TIME", "CommonFields", "Family", "Field", "choices", "expected", "fields",
           "fields_of", "known_names", "likely_fields", "paths", "spelt", "stand_ins",
           "standing_in", "structs", "takes", "titled_fields", "unconfined"]  # fmt: skip
