"""Random programs of a language, for comparing compilers."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from headwater.ask.request import Request, UnknownLanguage, find_language
from headwater.langs import LANGUAGES


def generate(
    lang: str, *, seed: int, count: int, dialect: str | None = None, invalid: bool = False
) -> Iterator[tuple[int, str]]:
    """Programs with the seeds they come from.  Raises `UnknownLanguage`."""
    language = find_language(Request(lang=lang, dialect=dialect))
    try:
        module = importlib.import_module(f"{LANGUAGES[lang].package}.generate")
    except ModuleNotFoundError:
        raise UnknownLanguage(f"there is no generator for {lang}") from None
    for number in range(seed, seed + count):
        yield number, module.generate(number, dialect or language.dialects[0], invalid=invalid)
