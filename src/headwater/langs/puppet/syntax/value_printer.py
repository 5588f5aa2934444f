"""Printing values, operations and calls: the lower half of the printer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Param
from headwater.langs.puppet.syntax.tokens import INTERPOLATED_NAME, KINDS_OF_WORD, STRICT_NAME
from headwater.langs.puppet.syntax.writer import Writer, double, heredoc_body


class ValuePrinter(Writer):
    """Writes what gives a value; statements belong to the upper half."""

    __slots__ = ()

    @abstractmethod
    def expr(self, node: Expr | ast.Part) -> None:
        """Writes a node where a value stands."""

    @abstractmethod
    def block(self, body: list[Expr]) -> None:
        """Writes ``{ … }``."""

    def listed(self, nodes: Sequence[Expr | ast.Part]) -> None:
        """Writes nodes with commas between them."""
        for i, node in enumerate(nodes):
            if i:
                self.write(", ")
            self.expr(node)

    # -- values -----------------------------------------------------------------------------

    def integer(self, node: ast.Integer) -> None:
        match node.radix:
            case 16:
                self.write(hex(node.value))
            case 8:
                self.write(f"0{node.value:o}")
            case _:
                self.write(str(node.value))

    def interpolated(self, node: ast.Interpolated) -> None:
        self.write('"')
        self.segments(node, double)
        self.write('"')

    def segments(self, node: ast.Interpolated, chunk: Callable[[str], str]) -> None:
        for segment in node.segments:
            if isinstance(segment, ast.String):
                self.write(chunk(segment.value))
                continue
            self.write("${")
            mark = len(self.out)
            self.expr(segment.value)
            if _root_is_plain(segment.value):
                text = "".join(self.out[mark:])
                self.out[mark:] = [text[1:]]
            self.settle()
            self.write("}")

    def heredoc(self, node: ast.Heredoc) -> None:
        syntax = f":{node.syntax}" if node.syntax else ""
        if isinstance(node.text, ast.String) and "\r" not in node.text.value:
            tag, body = heredoc_body(node.text.value)
            self.write(f"@({tag}{syntax})")
        else:
            inner = type(self)()
            text = node.text
            segments = [text] if isinstance(text, ast.String) else text.segments
            inner.segments(ast.Interpolated(list(segments)), _heredoc_chunk)
            tag, body = heredoc_body(inner.text())
            if isinstance(text, ast.String):
                self.write(f"@({tag}{syntax}/r)")
            else:
                self.write(f'@("{tag}"{syntax}/$r)')
        self.pending.append(body)

    def array(self, node: ast.Array) -> None:
        self.write("[")
        self.listed(node.items)
        self.write("]")

    def pair(self, key: Expr, value: Expr) -> None:
        self.expr(key)
        self.write(" => ")
        self.expr(value)

    def paren(self, node: ast.Paren) -> None:
        self.write("(")
        self.expr(node.value)
        self.write(")")

    def hash(self, node: ast.Hash) -> None:
        if not node.entries:
            self.write("{ }")
            return
        self.write("{ ")
        self.listed(node.entries)
        self.write(" }")

    def prefix(self, node: ast.Not | ast.Minus | ast.Splat) -> None:
        current: Expr = node
        while (sign := _SIGNS.get(type(current))) is not None:
            assert isinstance(current, ast.Not | ast.Minus | ast.Splat)
            self.write(sign)
            current = current.value
        self.expr(current)

    def binary(self, node: ast.Binary | ast.Relation) -> None:
        spine: list[Any] = []
        left: Expr = node
        while type(left) is type(node):
            spine.append(left)
            left = left.left
        self.expr(left)
        for link in reversed(spine):
            self.write(f" {link.op} ")
            self.expr(link.right)

    def assignment(self, node: ast.Assignment) -> None:
        right: Expr = node
        while isinstance(right, ast.Assignment):
            self.expr(right.left)
            self.write(f" {right.op} ")
            right = right.right
        self.expr(right)

    def access(self, node: ast.Access) -> None:
        self.expr(node.left)
        self.write("[")
        self.listed(node.keys)
        self.write("]")

    def selector(self, node: ast.Selector) -> None:
        self.expr(node.value)
        self.write(" ? { ")
        self.listed(node.options)
        self.write(" }")

    # -- calls ------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> None:
        self.expr(node.function)
        self.write("(")
        self.listed(node.args)
        self.write(")")
        if node.block is not None:
            self.write(" ")
            self.expr(node.block)

    def inner_call(self, node: ast.Call) -> None:
        """A call within an expression; one that gives no value has a form of its own."""
        match node:
            case ast.Call(statement=True, args=[ast.Hash(entries=entries)], block=None):
                self.expr(node.function)
                self.titleless(entries)
            case _:
                self.call(node)

    def method(self, node: ast.Method) -> None:
        self.expr(node.receiver)
        self.write(".", node.function.value)
        if node.args or node.block is None:
            self.write("(")
            self.listed(node.args)
            self.write(")")
        if node.block is not None:
            self.write(" ")
            self.expr(node.block)

    def lambda_(self, node: ast.Lambda) -> None:
        self.write("|")
        self.listed(node.params)
        self.write("| ")
        if node.returns is not None:
            self.write(">> ")
            self.expr(node.returns)
            self.write(" ")
        self.block(node.body)

    def param(self, node: Param) -> None:
        if node.type is not None:
            self.expr(node.type)
            self.write(" ")
        self.write("*$" if node.splat else "$", node.name)
        if node.default is not None:
            self.write(" = ")
            self.expr(node.default)

    def titleless(self, entries: list[ast.Entry]) -> None:
        """Writes the entries of a hash as attributes."""
        self.write(" { ")
        for entry in entries:
            assert isinstance(entry.key, ast.String)
            self.write(entry.key.value, " => ")
            self.expr(entry.value)
            self.write(", ")
        self.write("}")


_SIGNS: dict[type[Any], str] = {ast.Not: "!", ast.Minus: "-", ast.Splat: "*"}


def _heredoc_chunk(value: str) -> str:
    return value.replace("\\", "\\\\").replace("$", "\\$").replace("\r", "\\r")


def _root_is_plain(node: Expr) -> bool:
    """Whether an embedded expression may be written without its first dollar."""
    while isinstance(node, ast.Access | ast.Method):
        node = node.left if isinstance(node, ast.Access) else node.receiver
    if not isinstance(node, ast.Variable) or KINDS_OF_WORD.get(node.name) == "BOOL":
        return False
    if not INTERPOLATED_NAME.fullmatch(node.name):
        return True  # a refused name such as 1.0 or a-b can stand nowhere else
    return bool(STRICT_NAME.match(node.name)) or node.name.isdigit()
