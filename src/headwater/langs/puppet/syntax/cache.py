"""Trees of programs without findings, kept by the hash of their text.

What is kept is plain lists in MessagePack; reading one makes nodes and nothing else.
See `headwater.langs.cache` for where it lies and when it is believed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from os import PathLike
from typing import Any

import msgspec

from headwater.langs.cache import Cache, version_of
from headwater.langs.cache import user_cache as kept
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Program
from headwater.text import Source

FORMAT = "headwater puppet tree 2"

JUDGES = ("langs/puppet/syntax", "langs/puppet/codes", "langs/puppet/levels.py", "text")
"""What parses a text and finds fault with it."""

NODES: tuple[type[Any], ...] = (
    ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name,
    ast.TypeName, ast.Regex, ast.Variable, ast.Reserved, ast.Embedded, ast.Interpolated,
    ast.Heredoc, ast.Array, ast.Entry, ast.Hash, ast.Paren, ast.Not, ast.Minus, ast.Splat,
    ast.Binary, ast.Relation, ast.Assignment, ast.Access, ast.Option, ast.Selector, ast.Param,
    ast.Lambda, ast.Call, ast.Method, ast.If, ast.Unless, ast.When, ast.Case, ast.Attribute,
    ast.Attributes, ast.Body, ast.Resource, ast.Defaults, ast.Override, ast.Collect, ast.Block,
    ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping, ast.TypeDef,
    ast.RenderText, ast.Render, ast.Epp,
)  # fmt: skip
"""The kinds of node by the number that stands for them in a file."""

_NUMBER = {kind: number for number, kind in enumerate(NODES)}
_PLAIN = frozenset({"str", "int", "float", "bool", "str | None"})


def _layout_of(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """The fields of a node, each ``plain``, ``node`` or ``nodes``."""

    def sort(annotation: str) -> str:
        if annotation in _PLAIN:
            return "plain"
        return "nodes" if annotation.startswith("list[") else "node"

    return tuple((name, sort(kind.__annotations__[name])) for name in kind.__struct_fields__)


_LAYOUT = {kind: _layout_of(kind) for kind in NODES}


def encode(node: object) -> list[Any]:
    """A node as a list: the number of its kind, then its fields."""
    row: list[Any] = [_NUMBER[type(node)]]
    for name, sort in _LAYOUT[type(node)]:
        value = getattr(node, name)
        if sort == "plain" or value is None:
            row.append(value)
        elif sort == "node":
            row.append(encode(value))
        else:
            row.append([encode(item) for item in value])
    return row


@cache
def _decoders() -> tuple[Callable[[list[Any]], Any], ...]:
    """For each kind the function that makes a node of it from a list.

    Written out per kind, because a loop over fields costs more than parsing saves.
    """
    makers: list[Callable[[list[Any]], Any]] = []
    for kind in NODES:
        indices = [i for i, (_, sort) in enumerate(_LAYOUT[kind], 1) if sort == "node"]
        lists = [i for i, (_, sort) in enumerate(_LAYOUT[kind], 1) if sort == "nodes"]
        makers.append(_maker(kind, indices, lists, makers))
    return tuple(makers)


def _maker(
    kind: type[Any], single: list[int], several: list[int], makers: list[Callable[[list[Any]], Any]]
) -> Callable[[list[Any]], Any]:
    def leaf(row: list[Any]) -> object:
        return kind(*row[1:])

    def inner(row: list[Any]) -> object:
        for i in single:
            value = row[i]
            if value is not None:
                row[i] = makers[value[0]](value)
        for i in several:
            if row[i]:
                row[i] = [makers[value[0]](value) for value in row[i]]
        return kind(*row[1:])

    return inner if single or several else leaf


class TreeCache:
    """The trees in one folder."""

    def __init__(self, disk: Cache | str | PathLike[str]) -> None:
        self.disk = disk if isinstance(disk, Cache) else Cache(disk)

    def key(
        self, source: Source, namespace: str | None = None, level: LanguageLevel = DEFAULT
    ) -> str:
        """What a text is kept under.

        Templates and manifests of one text have different trees; a manifest may have findings
        at one language level, or in one file of a module, and none in another.
        """
        kind = "epp" if source.name.endswith(".epp") else "pp"
        judges = f"{version_of(*JUDGES)}\0{level.number}"
        return f"{FORMAT}\0{judges}\0{kind}\0{namespace!r}\0{source.digest()}"

    def path(self, source: Source) -> str:
        """The file for a text."""
        return self.disk.place(self.key(source))

    def holds(self, source: Source, level: LanguageLevel = DEFAULT) -> bool:
        """Whether a text is known to be without findings."""
        return self.disk.load(self.key(source, None, level)) is not None

    def load(
        self, source: Source, namespace: str | None = None, level: LanguageLevel = DEFAULT
    ) -> Program | None:
        """The tree of a text that is known."""
        body = self.disk.load(self.key(source, namespace, level))
        if body is None:
            return None
        try:
            rows = msgspec.msgpack.decode(body)
            makers = _decoders()
            return Program([makers[row[0]](row) for row in rows], source)
        except (msgspec.DecodeError, IndexError, TypeError, RecursionError):
            return None

    def store(
        self, program: Program, namespace: str | None = None, level: LanguageLevel = DEFAULT
    ) -> bool:
        """Keeps the tree of a program that has no findings."""
        try:
            body = msgspec.msgpack.encode([encode(node) for node in program.body])
        except (ValueError, OverflowError, TypeError, RecursionError):
            return False
        return self.disk.store(self.key(program.source, namespace, level), body)


def user_cache() -> TreeCache | None:
    """The cache of this user, or None when it is turned off or has no place."""
    disk = kept()
    return None if disk is None else TreeCache(disk)
