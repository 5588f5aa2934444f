"""From a source to a syntax tree, included files and all.

An included name is looked for beside the including file, in the folders given with ``-I``,
in the folders above the including file (a name such as ``org/smartfrog/components.sf`` is a
path from the root of a class path), and last among the files that come with Headwater.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from headwater.langs.codes import unread
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.load import MOST_INCLUDES, MOST_NESTED
from headwater.langs.smartfrog.production.parser import parse
from headwater.langs.smartfrog.production.syntax import Block
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.moment import SEEN, at_one_moment
from headwater.text.reading import Unread, look

LIBRARY = os.path.join(os.path.dirname(__file__), "library")


@dataclass(slots=True)
class Loaded:
    """A whole specification: its tree, its syntax errors, and every file it is made of."""

    block: Block
    errors: list[Diagnostic]
    sources: list[Source]

    def doubts(self, *, strict: bool) -> list[Diagnostic]:
        """The files that are not UTF-8 and were read as Latin-1: warnings, or errors."""
        found = [(s, s.latin1) for s in self.sources if s.latin1 is not None]
        return [
            codes.NOT_UTF8.at(
                source.span(at, at + 1), file=source.name, severity="error" if strict else None
            )
            for source, at in found
        ]


def load(source: Source, folders: tuple[str, ...] = (), *, in_full: bool = False) -> Loaded:
    """Parses a source and what it includes."""
    loader = _Loader(folders, in_full)
    loader.sources.append(source)
    loader.reading.append((os.path.abspath(source.name), None))
    loader.open.add(loader.reading[0][0])
    with at_one_moment(SEEN.get()):
        parsed = parse(source, loader.include, in_full=in_full)
    return Loaded(parsed.block, loader.errors + parsed.errors, loader.sources)


@dataclass(slots=True)
class _Loader:
    folders: tuple[str, ...]
    in_full: bool
    errors: list[Diagnostic] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    reading: list[tuple[str, Span | None]] = field(default_factory=list)
    open: set[str] = field(default_factory=set)
    read: dict[str, tuple[Block, int]] = field(default_factory=dict)
    weights: list[int] = field(default_factory=lambda: [0])

    def include(self, path: str, at: Span, optional: bool) -> Block | Diagnostic | None:
        """The attributes of an included file; its own syntax errors are kept aside."""
        try:
            found = self.find(path, at)
        except Unread as why:
            return unread(why, why.path, at)
        if found is None:
            if optional:
                return None
            tried = ", ".join(islice(self.places(path, at), 1 + len(self.folders)))
            help = f"looked for {tried}, and in the folders above; name its root with -I"
            return codes.INCLUDE_MISSING.at(at, path=path, reason="no such file", help=help)
        key = os.path.abspath(found)
        if key in self.open:
            chain = [Note("included here", span) for _, span in self.reading if span]
            return codes.INCLUDE_CYCLE.at(at, path=path, labels=chain)
        if key not in self.read:
            if len(self.reading) > MOST_NESTED:
                return codes.TOO_MANY_INCLUDES.at(at, bound=f"{MOST_NESTED} files deep")
            name = os.path.relpath(found, LIBRARY) if found.startswith(LIBRARY) else found
            shown = f"built-in:{name}" if name != found else found
            match read_source(found, shown, latin1=True):
                case Unreadable(kind="missing", reason=reason):
                    help = f"the file is {found}"
                    return codes.INCLUDE_MISSING.at(at, path=path, reason=reason, help=help)
                case Unreadable() as unreadable:
                    return unread(unreadable, found, at)
                case Source() as source:
                    self.read[key] = self.parse(source, key, at)
        block, weight = self.read[key]
        self.weights[-1] += weight
        if self.weights[-1] > MOST_INCLUDES:
            self.weights[-1] -= weight
            return codes.TOO_MANY_INCLUDES.at(at, bound=f"{MOST_INCLUDES:,} files")
        return block

    def find(self, path: str, at: Span) -> str | None:
        """Where the file is, if it is anywhere; raises `Unread`."""
        if "\0" in path:
            return None
        first = os.path.join(os.path.dirname(at.source.name), path.lstrip("/"))
        try:
            if _there(first):
                return first
        except Unread:
            pass  # it is told below
        near = 1 + len(self.folders)
        written = path.startswith("/") or ".." in path.split("/")
        refused: Unread | None = None
        for number, place in enumerate(self.places(path, at)):
            try:
                if _there(place):
                    return place
            except Unread as why:
                # The folders above are searched as far as they may be read.
                if refused is None and (number < near or written):
                    refused = why
        if refused is not None:
            raise refused
        return None

    def places(self, path: str, at: Span) -> Iterator[str]:
        """Where a name may lead; a leading slash does not count."""
        name = path.lstrip("/")
        folder = os.path.dirname(at.source.name)
        yield os.path.join(folder, name)
        for given in self.folders:
            yield os.path.join(given, name)
        above = os.path.dirname(os.path.abspath(at.source.name))
        while os.path.dirname(above) != above:
            above = os.path.dirname(above)
            yield os.path.join(above, name)
        yield os.path.join(LIBRARY, name)

    def parse(self, source: Source, key: str, at: Span) -> tuple[Block, int]:
        """The attributes of a file, and how many files they stand for."""
        self.sources.append(source)
        self.reading.append((key, at))
        self.open.add(key)
        self.weights.append(1)
        parsed = parse(source, self.include, in_full=self.in_full)
        self.reading.pop()
        self.open.discard(key)
        self.errors += parsed.errors
        return parsed.block, self.weights.pop()


def _there(place: str) -> bool:
    """Whether something may be read there; folders are passed over, as on a class path."""
    about = look(place)
    return about is not None and not stat.S_ISDIR(about.st_mode)
