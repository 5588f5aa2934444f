"""The table of languages.  A language is imported only when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import cast

from headwater.langs.protocol import Language
from headwater.report import Code, registry


@dataclass(frozen=True, slots=True)
class Entry:
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
    ending = PurePath(path).suffix
    return next((name for name, entry in LANGUAGES.items() if ending in entry.endings), None)


def all_codes() -> dict[str, Code]:
    """The codes of every language and room."""
    importlib.import_module("headwater.langs.codes")
    importlib.import_module("headwater.store.codes")
    importlib.import_module("headwater.langs.opal.runtime.codes")
    for entry in LANGUAGES.values():
        importlib.import_module(f"{entry.package}.codes")
    return registry()
