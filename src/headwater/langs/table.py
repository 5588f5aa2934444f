"""The table of languages.  A language is imported only when it is asked for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import cast

import msgspec

from headwater.langs.protocol import Language
from headwater.report import Code, registry


class Entry(msgspec.Struct, frozen=True):
    """A language's module and the file endings that mean it."""

    package: str
    endings: tuple[str, ...]


LANGUAGES: Mapping[str, Entry] = {
    "smartfrog": Entry("headwater.langs.smartfrog", (".sf",)),
    "l3": Entry("headwater.langs.l3", (".l3",)),
    "puppet": Entry("headwater.langs.puppet", (".pp", ".epp")),
    "opal": Entry("headwater.langs.opal", (".opal",)),
}


def language_named(name: str) -> Language:
    """The language of that name; raises `KeyError`."""
    module = importlib.import_module(f"{LANGUAGES[name].package}.language")
    return cast(Language, module.LANGUAGE)


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
