"""YAML files as blocks, positions kept.

Plain scalars follow the core schema of YAML 1.2: ``yes``, ``1:30`` and dates are texts.
"""

from __future__ import annotations

import math
import re

from yaml import Node

from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.l3 import codes
from headwater.langs.l3.parser import Parsed
from headwater.langs.l3.syntax import Block, Expr, File, Literal, Member
from headwater.langs.l3.values import MOST_LEVELS, entries_key, list_key, scalar_key
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Source, Span
from headwater.tree.yamltext import (
    PLAIN,
    QUOTED,
    STANDARD,
    BadYaml,
    YamlTooLarge,
    compose,
    is_mapping,
    is_scalar,
)

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
        self.made: dict[int, Expr] = {}
        self.keys: set[int] = set()

    def read(self) -> Expr | None:
        """The only document of the text."""
        try:
            root, second = compose(self.source.text, levels=MOST_LEVELS)
        except YamlTooLarge as error:
            at = self.place(error.start)
            if error.what == "levels":
                raise _Bad(codes.TOO_DEEP.at(at, bound=MOST_LEVELS)) from None
            name = self.source.name
            raise _Bad(YAML_TOO_LARGE.at(at, file=name, bound=error.bound)) from None
        except BadYaml as error:
            found = codes.BAD_YAML.at(self.place(error.start), reason=str(error))
            raise _Bad(found) from None
        if second is not None:
            at = self.place(second)
            raise _Bad(codes.BAD_YAML.at(at, reason="a second document begins"))
        return None if root is None else self.value(root)

    def place(self, at: int) -> Span:
        """The character at an offset."""
        size = len(self.source.text)
        return Span(self.source, min(at, size), min(at + 1, size))

    def span(self, node: Node) -> Span:
        """Where a node's text stands, without what follows it."""
        text = self.source.text
        start = min(node.start_mark.index, len(text))
        end = min(node.end_mark.index, len(text))
        while not is_scalar(node) and end > start and text[end - 1] in " \t\r\n":
            end -= 1
        return Span(self.source, start, end)

    def bad(self, node: Node, reason: str) -> _Bad:
        """An error that ends the reading."""
        return _Bad(codes.BAD_YAML.at(self.span(node), reason=reason))

    def value(self, node: Node) -> Expr:
        """What a node stands for; the node of an alias is the one that it names."""
        if id(node) not in self.made:
            self.made[id(node)] = self.make(node)
        return self.made[id(node)]

    def make(self, node: Node) -> Expr:
        """The value of a node that was not met before."""
        if is_scalar(node):
            return Literal(scalar_key(self.scalar(node)), self.span(node))
        if node.tag not in (PLAIN, STANDARD + "map", STANDARD + "seq"):
            raise self.bad(node, f"the type {node.tag} is not plain data")
        if is_mapping(node):
            return self.block(node)
        parts = tuple(_data(self.value(element)) for element in node.value)
        return Literal(list_key(tuple(part.key for part in parts)), self.span(node), parts)

    def block(self, node: Node) -> Block:
        """A mapping."""
        members: dict[str, Member] = {}
        for key, held in node.value:
            if not is_scalar(key) or id(key) in self.made or id(key) in self.keys:
                raise self.bad(key, "a key that is not a text")
            self.keys.add(id(key))
            label: str = key.value
            at = self.span(key)
            if label == "<<" and key.tag == PLAIN:
                raise self.bad(key, "merge keys depend on order")
            if label in members:
                first = Note("first defined here", members[label].key)
                self.errors.append(codes.DUPLICATE_LABEL.at(at, label=label, labels=(first,)))
            value = self.literal_key(held) if id(held) in self.keys else self.value(held)
            members.setdefault(label, Member(label, at, value, value.at))
        return Block(members, self.span(node))

    def literal_key(self, node: Node) -> Literal:
        """An alias of a key: its text."""
        return Literal(scalar_key(node.value), self.span(node))

    def scalar(self, node: Node) -> bool | int | float | str | None:
        """The value of a scalar by the core schema of YAML 1.2, or by its explicit type."""
        text: str = node.value
        kind = node.tag.removeprefix(STANDARD)
        if kind in (QUOTED, "str"):
            return text
        if kind not in (PLAIN, "int", "float", "bool", "null"):
            raise self.bad(node, f"the type {node.tag} is not plain data")
        found: bool | int | float | str | None = text
        if text in _WORDS:
            found = _WORDS[text]
        elif _ODD_FLOAT.match(text):
            raise self.bad(node, f"{text} is no number that JSON can hold")
        elif _INT.match(text):
            if len(text) > 4000:
                raise self.bad(node, "a number with more than 4000 digits")
            found = int(text)
        elif _OCTAL.match(text) or _HEX.match(text):
            found = int(text, 0)
        elif _FLOAT.match(text):
            found = float(text)
            if math.isinf(found):
                raise self.bad(node, f"{text[:40]} is too large")
        if kind == "float" and type(found) is int:
            found = float(found)
        wanted = {"int": int, "float": float, "bool": bool, "null": type(None)}.get(kind)
        if wanted is not None and type(found) is not wanted:
            raise self.bad(node, f"{text[:40]} is not of type {kind}")
        return found


def _data(expr: Expr) -> Literal:
    """An element of a list: mappings inside lists are plain data."""
    if isinstance(expr, Literal):
        return expr
    assert isinstance(expr, Block)
    entries = {label: _data(expr.members[label].value) for label in sorted(expr.members)}
    key = entries_key(tuple((label, part.key) for label, part in entries.items()))
    return Literal(key, expr.at, entries)
