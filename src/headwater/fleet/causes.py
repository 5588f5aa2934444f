"""Which edited lines made a value another one.

A value can only change through what it depends on, so the causes of a change are those of its
inputs that stand on lines which the two sides do not have in common.
"""

from __future__ import annotations

import os
from difflib import SequenceMatcher

import msgspec

from headwater.ask.authors import Authors
from headwater.ask.compile import Compiled
from headwater.fleet.sides import Side
from headwater.text import Source, Span, read_source
from headwater.tree import Address, NotThere
from headwater.why import Label, depends

_WRITTEN = frozenset(["literal", "hiera", "fact", "key", "file", "definition"])
"""Kinds of inputs whose text says what is written there."""


class Cause(msgspec.Struct, frozen=True, order=True):
    """A line that one side has and the other has not, on which a value depends."""

    file: str
    line: int
    text: str
    side: str
    """``new`` if the line came, ``old`` if it went."""
    author: str | None = None
    """Who wrote it, as far as git knows: commit, name and day."""


class EditedLines:
    """The lines that the sides do not share, worked out once per file."""

    def __init__(self, one: Side, other: Side, folder: str) -> None:
        self._sides = (one, other)
        self._folder = folder
        self._authors = (Authors(one.top, one.commit), Authors(other.top, other.commit))
        self._files: dict[str, tuple[set[int], set[int]]] = {}

    def of(self, path: str) -> tuple[set[int], set[int]]:
        """The lines of a file that only the first side has, and those of the second."""
        if path not in self._files:
            self._files[path] = _unshared(*(_lines(side, path) for side in self._sides))
        return self._files[path]

    def causes(self, before: Compiled, after: Compiled, address: Address) -> list[Cause]:
        """The edited lines that the value at an address depends on, on either side."""
        found: set[Cause] = set()
        for compiled, new in ((after, True), (before, False)):
            with self._sides[new].here():  # a question may read what the compilation read
                labels = _inputs(compiled, address)
            found.update(self._among(labels, new=new))
        return sorted(found)

    def apart(self, before: Compiled, after: Compiled, address: Address) -> list[Cause]:
        """What the value depends on of which one side says something else, or elsewhere.

        That is for sides that read other files: another environment, another node.
        """
        found: set[Cause] = set()
        sides: list[list[Label]] = []
        for compiled, new in ((before, False), (after, True)):
            with self._sides[new].here():
                sides.append([one for one in _inputs(compiled, address) if one.kind in _WRITTEN])
        for new in (True, False):
            said = {_said(one) for one in sides[not new]}
            whole = {one.text: one.at.source for one in sides[not new] if _stands_for_all(one)}
            for label in sides[new]:
                source, number = label.at.source, label.at.first.line
                if _stands_for_all(label):
                    other = whole.get(label.text)
                    pair = (
                        [] if other is None else other.text.split("\n"),
                        source.text.split("\n"),
                    )
                    found |= {self._cause(source, line, new=new) for line in _unshared(*pair)[1]}
                elif _said(label) not in said:
                    found.add(self._cause(source, number, new=new))
        return sorted(found)

    def in_file(self, path: str) -> list[Cause]:
        """The edited lines of a file whose text is a value."""
        found: list[Cause] = []
        for new in (True, False):
            with self._sides[new].here():
                source = read_source(path)
            if isinstance(source, Source):
                lines = sorted(self.of(os.path.abspath(path))[new])
                found += [self._cause(source, line, new=new) for line in lines]
        return found

    def _among(self, labels: list[Label], *, new: bool) -> list[Cause]:
        found: list[Cause] = []
        for label in labels:
            if label.kind == "miss":
                continue  # nothing is written there; what the other side has there is its input
            source = label.at.source
            edited = self.of(os.path.abspath(source.name))[new]
            if not _stands_for_all(label):
                first, last = label.at.first.line, label.at.last.line
                edited = {number for number in edited if first <= number <= last}
            found += [self._cause(source, line, new=new) for line in edited]
        return found

    def _cause(self, source: Source, line: int, *, new: bool) -> Cause:
        with self._sides[new].here():
            whole = read_source(source.name)
        # The text of a label shows no secrets; where it has none, nothing is shown.
        text = source.line(line).strip() if source.text else ""
        author = self._authors[new].of(whole, line) if isinstance(whole, Source) else None
        name = os.path.relpath(source.name, self._folder)
        return Cause(name, line, text, "new" if new else "old", str(author) if author else None)


def _inputs(compiled: Compiled, address: Address) -> list[Label]:
    """What a value depends on; of one that is not there, what decides which values there are."""
    causes, result = compiled.outcome.causes, compiled.outcome.result
    if causes is None or result is None:
        return []
    node = causes.of(address) if address and _there(compiled, address) else causes.output()
    return depends(causes.trace, node)


def _said(label: Label) -> tuple[str, str]:
    """What is written at an input."""
    at = label.at
    return label.text, at.source.text[at.start : at.end]


def _stands_for_all(label: Label) -> bool:
    """Whether an input is all that a file holds: a file, or all facts at once."""
    at = label.at
    return label.kind == "file" or (label.kind == "fact" and at.start == 0 and _is_whole(at))


def _is_whole(at: Span) -> bool:
    return at.end == 0 or at.end >= len(at.source.text.rstrip())


def _there(compiled: Compiled, address: Address) -> bool:
    assert compiled.outcome.result is not None
    try:
        compiled.outcome.result.get(address)
    except NotThere:
        return False
    return True


def _lines(side: Side, path: str) -> list[str]:
    with side.here():
        source = read_source(path)
    return source.text.split("\n") if isinstance(source, Source) else []


def _unshared(one: list[str], other: list[str]) -> tuple[set[int], set[int]]:
    before, after = set(range(1, len(one) + 1)), set(range(1, len(other) + 1))
    matcher = SequenceMatcher(None, one, other, autojunk=len(other) > 2000)
    for block in matcher.get_matching_blocks():
        before -= set(range(block.a + 1, block.a + block.size + 1))
        after -= set(range(block.b + 1, block.b + block.size + 1))
    return before, after
