"""Trees of programs without findings, kept by the hash of their text.

A file of the cache is read only when it is ours: in a folder of ours, owned by us, not
writable by others, of this format, and with the right checksum.  It holds plain lists in
MessagePack; reading one makes nodes and nothing else.  What goes wrong with the cache is
never an error: the text is parsed instead.

The folder is ``headwater/puppet`` in the user's cache folder; the environment variable
``HEADWATER_CACHE`` names another one, or turns the cache off with ``off``.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Program
from headwater.text import Source

FORMAT = "headwater puppet tree 1"

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

    return tuple((field.name, sort(str(field.type))) for field in fields(kind))


_LAYOUT = {kind: _layout_of(kind) for kind in NODES}


def encode(node: Any) -> list[Any]:
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
    def leaf(row: list[Any]) -> Any:
        return kind(*row[1:])

    def inner(row: list[Any]) -> Any:
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
    """The cache in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, source: Source) -> Path:
        """The file for a text; templates and manifests of one text have different trees."""
        kind = "epp" if source.name.endswith(".epp") else "pp"
        key = hashlib.sha256(f"{FORMAT}\0{kind}\0{source.digest()}".encode()).hexdigest()
        return self.folder / key[:2] / key[2:]

    def payload(self, source: Source) -> bytes | None:
        """What is kept for a text, if it is ours and whole."""
        try:
            path = self.path(source)
            with path.open("rb") as file:
                about = os.fstat(file.fileno())
                if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o022:
                    return None
                if about.st_uid != os.getuid():
                    return None
                data = file.read()
        except (OSError, ValueError):
            return None
        body = data[32:]
        return body if hashlib.sha256(body).digest() == data[:32] else None

    def holds(self, source: Source) -> bool:
        """Whether a text is known to be without findings."""
        return self.payload(source) is not None

    def load(self, source: Source) -> Program | None:
        """The tree of a text that is known."""
        body = self.payload(source)
        if body is None:
            return None
        try:
            rows = msgspec.msgpack.decode(body)
            makers = _decoders()
            return Program([makers[row[0]](row) for row in rows], source)
        except (msgspec.DecodeError, IndexError, TypeError, RecursionError):
            return None

    def store(self, program: Program) -> bool:
        """Keeps the tree of a program that has no findings."""
        source = program.source
        try:
            body = msgspec.msgpack.encode([encode(node) for node in program.body])
            path = self.path(source)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
        except (OSError, ValueError, OverflowError, TypeError, RecursionError):
            return False
        return True


def user_cache() -> TreeCache | None:
    """The cache of this user, or None when it is turned off or has no place."""
    setting = os.environ.get("HEADWATER_CACHE", "")
    if setting == "off" or not hasattr(os, "getuid"):
        return None
    if setting:
        return TreeCache(Path(setting) / "puppet")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return TreeCache(Path(base) / "headwater" / "puppet") if os.path.isabs(base) else None
