"""From a source to a syntax tree, included files and all."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from headwater.langs.codes import unread
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.parser import parse
from headwater.langs.smartfrog.syntax import Body
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.reading import Unread, exists

MOST_INCLUDES = 10_000
"""Files that may be included, each counted as often as its statements are."""

MOST_NESTED = 50
"""How deep files may include files."""


@dataclass(slots=True)
class Loaded:
    """A whole specification: its tree, its syntax errors, and every file it is made of."""

    body: Body
    errors: list[Diagnostic]
    sources: list[Source]


def load(source: Source, folders: tuple[str, ...] = (), *, extended: bool = False) -> Loaded:
    """Parses a source and what it includes; `folders` are searched after the file's own."""
    loader = _Loader(folders, extended)
    loader.sources.append(source)
    loader.reading.append((os.path.abspath(source.name), None))
    parsed = parse(source, loader.include, extended=extended)
    return Loaded(parsed.body, loader.errors + parsed.errors, loader.sources)


@dataclass(slots=True)
class _Loader:
    folders: tuple[str, ...]
    extended: bool
    errors: list[Diagnostic] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    reading: list[tuple[str, Span | None]] = field(default_factory=list)
    read: dict[str, tuple[Body, int]] = field(default_factory=dict)
    weights: list[int] = field(default_factory=lambda: [0])

    def include(self, path: str, at: Span) -> Body | Diagnostic:
        """The statements of an included file; its own syntax errors are kept aside."""
        beside = os.path.join(os.path.dirname(at.source.name), path)
        places = [beside, *(os.path.join(folder, path) for folder in self.folders)]
        try:
            found = next((place for place in places if exists(place)), None)
        except Unread as why:
            return unread(why, why.path, at)
        if found is None:
            help = "looked for " + ", ".join(places)
            return codes.INCLUDE_MISSING.at(at, path=path, reason="no such file", help=help)
        key = os.path.abspath(found)
        if any(key == open_file for open_file, _ in self.reading):
            chain = [Note("included here", span) for _, span in self.reading if span]
            return codes.INCLUDE_CYCLE.at(at, path=path, labels=chain)
        if key not in self.read:
            if len(self.reading) > MOST_NESTED:
                return codes.TOO_MANY_INCLUDES.at(at, bound=f"{MOST_NESTED} files deep")
            match read_source(found):
                case Unreadable(kind="missing", reason=reason):
                    return codes.INCLUDE_MISSING.at(at, path=path, reason=reason)
                case Unreadable() as unreadable:
                    return unread(unreadable, found, at)
                case Source() as source:
                    self.read[key] = self.parse(source, key, at)
        body, weight = self.read[key]
        self.weights[-1] += weight
        if self.weights[-1] > MOST_INCLUDES:
            self.weights[-1] -= weight
            return codes.TOO_MANY_INCLUDES.at(at, bound=f"{MOST_INCLUDES:,} files")
        return body

    def parse(self, source: Source, key: str, at: Span) -> tuple[Body, int]:
        """The statements of a file, and how many files they stand for."""
        self.sources.append(source)
        self.reading.append((key, at))
        self.weights.append(1)
        parsed = parse(source, self.include, extended=self.extended)
        self.reading.pop()
        self.errors += parsed.errors
        return parsed.body, self.weights.pop()
