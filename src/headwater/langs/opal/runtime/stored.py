"""Σ₀: the variables of a store at a revision, as a program finds them below its own stores."""

from __future__ import annotations

import json
from typing import Protocol

from headwater.langs.opal.inputs import Given
from headwater.langs.opal.printer import show_place
from headwater.langs.opal.result import read_place
from headwater.langs.opal.runtime.canonical import NotSyntax, decode_handle
from headwater.langs.opal.syntax import Handle, Place
from headwater.langs.opal.values import Heap, from_plain, show
from headwater.store import StoreProblem, Version
from headwater.store.records import Source as Kept
from headwater.text import Source
from headwater.why import Label

LONGEST_SHOWN = 10_000


class Reader(Protocol):
    """A store, or a transaction in one."""

    def read(self, key: str, revision: int | None = None) -> Version | None: ...

    def source(self, digest: str) -> Kept | None: ...

    def corrupt(self, reason: str) -> StoreProblem: ...


class Stored:
    """The stores below a program; remembers what was looked up, and of which revision it was."""

    def __init__(self, reader: Reader, revision: int) -> None:
        self._reader = reader
        self.revision = revision
        self.looked: dict[Place, int] = {}
        """Every variable that was looked for, with the revision of its value; 0: it had none."""
        self._versions: dict[Place, Version | None] = {}
        self._given: dict[Place, Given] = {}
        self._merges: dict[Place, Handle | None] = {}
        self._places: dict[Source, Place] = {}
        self.sources: dict[str, Source] = {}
        """Texts that merges kept here are written in, by hash."""

    def version(self, place: Place) -> Version | None:
        """The value of a variable at the revision."""
        if place not in self._versions:
            found = self._reader.read(show_place(place), self.revision)
            self._versions[place] = found
            self.looked[place] = 0 if found is None else found.revision
        return self._versions[place]

    def __contains__(self, place: object) -> bool:
        return isinstance(place, Place) and self.version(place) is not None

    def given(self, place: Place) -> Given | None:
        """The value with a text of its own, so that it can be traced to its revision."""
        found = self._given.get(place)
        if found is None:
            version = self.version(place)
            if version is None:
                return None
            found = self._given[place] = self._written_down(place, version)
        return found

    def _written_down(self, place: Place, version: Version) -> Given:
        try:
            data = json.loads(version.value)
            text = show(from_plain(Heap(), data, atoms=True), LONGEST_SHOWN)
        except ValueError as error:
            raise self._reader.corrupt(f"the value of {version.key}: {error}") from None
        key = f"{version.key} = "
        # The revision is part of the text: equal values of two revisions are two inputs.
        source = Source(f"{version.key}@{version.revision}", f"{key}{text}  # {version.revision}")
        self._places[source] = place
        return Given(data, source.span(len(key), len(key) + len(text)))

    def merge(self, place: Place) -> Handle | None:
        """The merge that was kept with a variable."""
        if place not in self._merges:
            version = self.version(place)
            handle = None
            if version is not None and version.merge is not None:
                try:
                    handle = decode_handle(json.loads(version.merge), self.source)
                except (NotSyntax, ValueError) as error:
                    raise self._reader.corrupt(f"the merge of {version.key}: {error}") from None
            self._merges[place] = handle
        return self._merges[place]

    def source(self, digest: str) -> Source | None:
        """A text that was kept."""
        found = self.sources.get(digest)
        if found is None:
            kept = self._reader.source(digest)
            if kept is None:
                return None
            found = self.sources[digest] = Source(kept.name, kept.text)
        return found

    def place_of(self, label: Label) -> Place | None:
        """The variable that a label stands for, if it is one of these."""
        return self._places.get(label.at.source)


def key_of(place: Place) -> str:
    """The key of a variable in the store."""
    return show_place(place)


def place_at(key: str) -> Place:
    """The variable of a key that `key_of` made."""
    place = read_place(key)
    assert place is not None
    return place
