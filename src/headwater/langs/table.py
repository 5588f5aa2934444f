"""The table of languages.  A language is imported only when it is asked for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import cast

import msgspec

from headwater.langs.fields import Families
from headwater.langs.protocol import Language
from headwater.report import Code, codes_in


class Entry(msgspec.Struct, frozen=True):
    """A language's package and the file endings that mean it."""

    package: str
    endings: tuple[str, ...]
    parts: tuple[str, ...] = ()
    """Patterns of the paths of files that are part of programs and no programs themselves."""
    named_dialects: Mapping[str, str] = {}
    """Dialects that are also called as if they were languages, by those names."""


LANGUAGES: dict[str, Entry] = {
    "smartfrog": Entry("headwater.langs.smartfrog", (".sf",)),
    "l3": Entry("headwater.langs.l3", (".l3",)),
    "puppet": Entry(
        "headwater.langs.puppet",
        (".pp", ".epp"),
        ("*/lib/puppet/functions/*.rb", "*/lib/puppet/parser/functions/*.rb", "*/templates/*.erb"),
        {"mupuppet": "paper", "µpuppet": "paper"},
    ),
    "opal": Entry("headwater.langs.opal", (".opal",)),
}


def language_named(name: str) -> Language:
    """The language of that name; raises `KeyError`."""
    module = importlib.import_module(f"{LANGUAGES[name].package}.language")
    return cast(Language, module.LANGUAGE)


def families_of(name: str) -> Families:
    """What the language of that name takes; the language itself is not loaded for it."""
    module = importlib.import_module(f"{LANGUAGES[name].package}.fields")
    return cast(Families, module.FAMILIES)


def language_for(path: str) -> str | None:
    """The name of the language that a file's ending means, or its place."""
    ending = os.path.splitext(path)[1]
    found = (name for name, entry in LANGUAGES.items() if ending in entry.endings)
    return next(found, None) or next(
        (name for name, entry in LANGUAGES.items() if is_part(entry, path)), None
    )


def is_part(entry: Entry, path: str) -> bool:
    """Whether a file is part of programs of a language by its place."""
    whole = os.path.abspath(path)
    likely = [pattern for pattern in entry.parts if whole.endswith(pattern.rpartition("*")[2])]
    if not likely:  # nearly always
        return False
    from fnmatch import fnmatchcase

    return any(fnmatchcase(whole, pattern) for pattern in likely)


def all_codes() -> dict[str, Code]:
    """The codes of every language, of what they share, of repositories and of the store."""
    from headwater.langs import codes, repository_codes
    from headwater.store import codes as store

    found = codes_in(codes, repository_codes, store)
    for name in LANGUAGES:
        found |= language_named(name).codes
    return dict(sorted(found.items()))
