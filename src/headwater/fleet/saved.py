"""Results that were saved: catalogs as Puppet, PuppetDB and ``compile`` write them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from headwater.ask.compile import Compiled
from headwater.fleet.effective import Manner, Told, effective, told_apart
from headwater.langs import LANGUAGES, Language, language_for, language_named
from headwater.langs.comparing import ComparesResults
from headwater.text import Unreadable, read_source
from headwater.text.reading import is_file
from headwater.tree import Value


class Saved(msgspec.Struct, frozen=True):
    """The values of a result, without how they came about."""

    language: Language
    values: Value

    @property
    def size(self) -> int:
        """How many values it has at the top: of a catalog, the resources."""
        return len(self.values) if isinstance(self.values, dict | list) else 1

    def absent(self) -> Iterator[str]:
        """What it refers to and does not have, in words."""
        if isinstance(self.language, ComparesResults):
            for address, target in self.language.absent_references(self.values).items():
                shown = self.language.show_address(address)
                yield f"{shown} refers to {target}, which is not there"


def saved(file: str) -> Saved | None:
    """The result that a file holds, if it is no program but one."""
    if not is_file(file) or language_for(file) is not None:
        return None
    source = read_source(file)
    if isinstance(source, Unreadable):
        return None
    for language in map(language_named, LANGUAGES):
        if isinstance(language, ComparesResults):
            values = language.saved_result(source.text)
            if values is not None:
                return Saved(language, values)
    return None


def of_compiled(compiled: Compiled) -> Saved:
    """A result as if it had been saved, files that it names included."""
    return Saved(compiled.language, effective(compiled)[0])


def differing(one: Saved, other: Saved, manner: Manner) -> Told:
    """What counts of the differences between two results."""
    return told_apart(one.values, other.values, other.language, manner)
