"""The table of languages.  A language is imported only when it is asked for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import cast

import msgspec

from headwater.langs.fields import Families
from headwater.langs.protocol import Language
from headwater.report import Code, registry


class Entry(msgspec.Struct, frozen=True):
    """A language's package and the file endings that mean it."""

    package: str
    endings: tuple[str, ...]
    named_dialects: Mapping[str, str] = {}
    """Dialects that are also called as if they were languages, by those names."""


LANGUAGES: dict[str, Entry] = {
    "smartfrog": Entry("headwater.langs.smartfrog", (".sf",)),
    "l3": Entry("headwater.langs.l3", (".l3",)),
    "puppet": Entry(
        "headwater.langs.puppet", (".pp", ".epp"), {"mupuppet": "paper", "µpuppet": "paper"}
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
    """The name of the language that a file's ending means."""
    ending = os.path.splitext(path)[1]
    return next((name for name, entry in LANGUAGES.items() if ending in entry.endings), None)


def all_codes() -> dict[str, Code]:
    """The codes of every language and room."""
    importlib.import_module("headwater.langs.codes")
    importlib.import_module("headwater.store.codes")
    importlib.import_module("headwater.langs.opal.runtime.codes")
    for entry in LANGUAGES.values():
        importlib.import_module(f"{entry.package}.codes")
    return registry()
