"""YAML files as blocks, positions kept.

The parser's events are read, not its node graph, so that nesting costs no stack.  Plain
scalars follow the core schema of YAML 1.2: ``yes``, ``1:30`` and dates are texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from headwater.langs.l3 import codes
from headwater.langs.l3.parser import Parsed
from headwater.langs.l3.syntax import Block, Expr, File, Literal, Member
from headwater.langs.l3.values import (
    MOST_LEVELS,
    MOST_VALUES,
    entries_key,
    list_key,
    scalar_key,
)
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Source, Span

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_ODD_FLOAT = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_WORDS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class _Bad(Exception):
    """The file cannot be read further."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _Open:
    """A mapping or sequence that is being read."""

    mapping: bool
    start: int
    anchor: str | None
    members: dict[str, Member] = field(default_factory=dict)
    elements: list[Expr] = field(default_factory=list)
    label: tuple[str, Span] | None = None


def parse_yaml(source: Source) -> Parsed:
    """The block that a YAML text stands for."""
    reader = _Reader(source)
    everything = Span(source, 0, len(source.text))
    empty = File(source, Block({}, everything))
    try:
        value = reader.read()
    except _Bad as bad:
        return Parsed(empty, in_order([*reader.errors, bad.diagnostic]))
    if isinstance(value, Block):
        return Parsed(File(source, value), in_order(reader.errors))
    if value is not None and not (isinstance(value, Literal) and value.key == scalar_key(None)):
        reader.errors.append(codes.NOT_A_BLOCK.at(value.at, what="a value"))
    return Parsed(empty, in_order(reader.errors))


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.errors: list[Diagnostic] = []
        self.anchors: dict[str, Expr] = {}
        self.stack: list[_Open] = []
        self.sizes: dict[Expr, int] = {}
        self.root: Expr | None = None
        self.documents = 0

    def read(self) -> Expr | None:
        """The only document of the text."""
        for event in self.events():
            match event:
                case yaml.ScalarEvent():
                    self.scalar(event)
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    self.tag(event)
                    if len(self.stack) >= MOST_LEVELS:
                        raise _Bad(codes.TOO_DEEP.at(self.span(event), bound=MOST_LEVELS))
                    if self.stack and self.stack[-1].mapping and self.stack[-1].label is None:
                        raise self.bad(event, "a key that is not a text")
                    mapping = isinstance(event, yaml.MappingStartEvent)
                    self.stack.append(_Open(mapping, self.span(event).start, event.anchor))
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self.close(event)
                case yaml.AliasEvent():
                    if event.anchor not in self.anchors:
                        raise self.bad(event, f"*{event.anchor} is inside what it names, or unset")
                    self.give(self.anchors[event.anchor], None)
                case yaml.DocumentStartEvent():
                    self.documents += 1
                    if self.documents > 1:
                        raise self.bad(event, "a second document begins")
        return self.root

    def events(self) -> Iterator[Any]:
        """The parser's events; its errors become diagnostics."""
        try:
            yield from yaml.parse(self.source.text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            at = getattr(error.problem_mark or error.context_mark, "index", 0)
            size = len(self.source.text)
            span = Span(self.source, min(at, size), min(at + 1, size))
            raise _Bad(codes.BAD_YAML.at(span, reason=error.problem or "malformed")) from None
        except yaml.YAMLError as error:
            reason = str(error).splitlines()[0]
            # A character that YAML forbids; libyaml tells its place in bytes.
            before = self.source.text.encode()[: getattr(error, "position", None) or 0]
            raise self.unreadable(len(before.decode("utf-8", "ignore")), reason) from None
        except UnicodeEncodeError as error:
            raise self.unreadable(error.start, "half a surrogate pair") from None

    def unreadable(self, at: int, reason: str) -> _Bad:
        """An error of the text itself."""
        at = min(at, max(len(self.source.text) - 1, 0))
        return _Bad(codes.BAD_YAML.at(Span(self.source, at, at + 1), reason=reason))

    def span(self, event: Any) -> Span:
        """Where an event's text stands."""
        size = len(self.source.text)
        return Span(self.source, min(event.start_mark.index, size), min(event.end_mark.index, size))

    def bad(self, event: Any, reason: str) -> _Bad:
        """An error that ends the reading."""
        return _Bad(codes.BAD_YAML.at(self.span(event), reason=reason))

    def tag(self, event: Any) -> None:
        """Collections may have no types of their own."""
        if event.tag not in (None, "!", _TAG + "map", _TAG + "seq"):
            raise self.bad(event, f"the type {event.tag} is not plain data")

    def scalar(self, event: Any) -> None:
        """A key or a value."""
        top = self.stack[-1] if self.stack else None
        at = self.span(event)
        if top is not None and top.mapping and top.label is None:
            if event.value == "<<" and event.implicit[0]:
                raise self.bad(event, "merge keys depend on order")
            if event.value in top.members:
                first = Note("first defined here", top.members[event.value].key)
                self.errors.append(codes.DUPLICATE_LABEL.at(at, label=event.value, labels=(first,)))
            top.label = (event.value, at)
            if event.anchor:
                self.anchors[event.anchor] = Literal(scalar_key(event.value), at)
            return
        self.give(Literal(scalar_key(self.value(event)), at), event.anchor)

    def value(self, event: Any) -> None | bool | int | float | str:
        """The value of a scalar by the core schema of YAML 1.2, or by its explicit type."""
        text: str = event.value
        kind = (event.tag or "").removeprefix(_TAG)
        if kind in ("", "!") and (not event.implicit[0] or kind == "!"):
            return text
        if kind == "str":
            return text
        if kind not in ("", "int", "float", "bool", "null"):
            raise self.bad(event, f"the type {event.tag} is not plain data")
        found: None | bool | int | float | str = text
        if text in _WORDS:
            found = _WORDS[text]
        elif _ODD_FLOAT.match(text):
            raise self.bad(event, f"{text} is no number that JSON can hold")
        elif _INT.match(text):
            if len(text) > 4000:
                raise self.bad(event, "a number with more than 4000 digits")
            found = int(text)
        elif _OCTAL.match(text) or _HEX.match(text):
            found = int(text, 0)
        elif _FLOAT.match(text):
            found = float(text)
            if math.isinf(found):
                raise self.bad(event, f"{text[:40]} is too large")
        if kind == "float" and type(found) is int:
            found = float(found)
        wanted = {"int": int, "float": float, "bool": bool, "null": type(None)}.get(kind)
        if wanted is not None and type(found) is not wanted:
            raise self.bad(event, f"{text[:40]} is not of type {kind}")
        return found

    def close(self, event: Any) -> None:
        """The end of a mapping or sequence."""
        frame = self.stack.pop()
        end = min(event.end_mark.index, len(self.source.text))
        text = self.source.text
        while end > frame.start and text[end - 1] in " \t\r\n":
            end -= 1
        at = Span(self.source, frame.start, end)
        value: Expr
        if frame.mapping:
            inner = [member.value for member in frame.members.values()]
            value = Block(frame.members, at)
        else:
            inner = frame.elements
            size = sum(map(self.size_of, inner))
            parts = tuple(_data(element) for element in inner) if size <= MOST_VALUES else ()
            value = Literal(list_key(tuple(part.key for part in parts)), at, parts)
        self.sizes[value] = 1 + sum(map(self.size_of, inner))
        self.give(value, frame.anchor)

    def size_of(self, value: Expr) -> int:
        """How many values it stands for, aliases counted as often as they are used."""
        return self.sizes.get(value, 1)

    def give(self, value: Expr, anchor: str | None) -> None:
        """A value: to the collection it stands in."""
        if self.size_of(value) > MOST_VALUES:
            raise _Bad(codes.BAD_YAML.at(value.at, reason=f"more than {MOST_VALUES:,} values"))
        if anchor:
            self.anchors[anchor] = value
        if not self.stack:
            self.root = value
            return
        top = self.stack[-1]
        if not top.mapping:
            top.elements.append(value)
        elif top.label is None:
            reason = "a key that is not a text"
            raise _Bad(codes.BAD_YAML.at(value.at, reason=reason))
        else:
            name, key = top.label
            top.label = None
            top.members.setdefault(name, Member(name, key, value, value.at))


def _data(expr: Expr) -> Literal:
    """An element of a list: mappings inside lists are plain data."""
    if isinstance(expr, Literal):
        return expr
    assert isinstance(expr, Block)
    entries = {label: _data(expr.members[label].value) for label in sorted(expr.members)}
    key = entries_key(tuple((label, part.key) for label, part in entries.items()))
    return Literal(key, expr.at, entries)
