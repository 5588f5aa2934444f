"""What there is to know of the languages: what each takes, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from headwater.ask.request import Request, find_language
from headwater.langs import LANGUAGES, families_of
from headwater.langs.fields import CommonFields, Field, expected, fields_of


class Taken(msgspec.Struct, frozen=True):
    """A field that a language takes, in words."""

    name: str
    option: str
    help: str
    expected: str
    example: str


class Shown(msgspec.Struct, frozen=True):
    """A language as its help shows it."""

    title: str
    endings: tuple[str, ...]
    dialects: Mapping[str, tuple[str, ...]]
    formats: tuple[str, ...]
    families: tuple[tuple[str, tuple[Taken, ...]], ...]


def languages() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The name of each language, its title and the endings of its files."""
    for name, entry in LANGUAGES.items():
        yield name, families_of(name).title, entry.endings


def show_language(lang: str) -> Shown:
    """What a language takes.  Raises `BadRequest`."""
    language = find_language(Request(lang=lang))
    takes = language.takes
    families = (
        ("for compiling, and for questions about a program", takes.program),
        ("for looking up data", takes.lookup),
        ("for running a program over a store", takes.run),
    )
    return Shown(
        takes.title,
        LANGUAGES[language.name].endings,
        language.dialects,
        language.formats,
        tuple((what, taken(fields_of(one))) for what, one in families if fields_of(one)),
    )


def taken(fields: Iterable[Field]) -> tuple[Taken, ...]:
    """Fields in words."""
    return tuple(
        Taken(
            field.name,
            " ".join(filter(None, (field.about.option, field.about.metavar))),
            field.about.help,
            expected(field.type),
            msgspec.json.encode(field.about.example).decode(),
        )
        for field in fields
    )


def tables() -> Iterator[tuple[str, tuple[Taken, ...]]]:
    """The fields of jobs, for documentation: those of all languages, then of each."""
    yield "any language", taken(fields_of(CommonFields))
    for name in LANGUAGES:
        families = families_of(name)
        for what, struct in (("", families.program), (", look-ups", families.lookup),
                             (", runs over a store", families.run)):  # fmt: skip
            if fields_of(struct):
                yield families.title + what, taken(fields_of(struct))
