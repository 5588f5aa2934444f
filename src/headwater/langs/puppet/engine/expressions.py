"""Expressions as closures: a tree is compiled once, then called with a frame.

A closure takes the frame it runs in and returns a value.  It holds no state of a
compilation, so a text that was compiled once serves every node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.frames import UNBOUND, Frame, captured, find
from headwater.langs.puppet.engine.show import text_of
from headwater.langs.puppet.engine.weights import MOST_TEXT, weighed
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.values import (
    DEFAULT,
    Opaque,
    Regexp,
)

Code = Callable[[Frame], Any]
Make = Callable[[Unit, Any], Code]

MAKERS: dict[type[Any], Make] = {}


def make(unit: Unit, node: Any) -> Code:
    """The closure of an expression."""
    return MAKERS[type(node)](unit, node)


def maker(*kinds: type[Any]) -> Callable[[Make], Make]:
    """Registers the function that compiles some kinds of nodes."""

    def register(function: Make) -> Make:
        for kind in kinds:
            MAKERS[kind] = function
        return function

    return register


_SCALARS = (
    ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name, ast.Undef, ast.Default, ast.Regex,
    ast.Interpolated,
)  # fmt: skip


def constant(value: Any) -> Code:
    """A closure that always gives the same value."""
    return lambda f: value


@maker(ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name)
def _literal(unit: Unit, node: Any) -> Code:
    return constant(node.value)


@maker(ast.Undef)
def _undef(unit: Unit, node: ast.Undef) -> Code:
    return constant(None)


@maker(ast.Default)
def _default(unit: Unit, node: ast.Default) -> Code:
    return constant(DEFAULT)


@maker(ast.Regex)
def _regex(unit: Unit, node: ast.Regex) -> Code:
    return constant(Regexp(node.pattern))


@maker(ast.Reserved)
def _reserved(unit: Unit, node: ast.Reserved) -> Code:
    return constant(node.word)


@maker(ast.TypeName)
def _type_name(unit: Unit, node: ast.TypeName) -> Code:
    name = node.value

    def type_named(f: Frame) -> Any:
        try:
            return f.scope.compiler.types.named(name)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None

    return type_named


@maker(ast.Variable)
def _variable(unit: Unit, node: ast.Variable) -> Code:
    name = node.name
    if name.isdigit():
        index = int(name)
        return lambda f: captured(f, index)
    if "::" in name:
        owner, _, leaf = name.removeprefix("::").rpartition("::")

        def read_qualified(f: Frame) -> Any:
            compiler = f.scope.compiler
            value = compiler.member(owner, leaf)
            return compiler.unknown_variable(unit, node) if value is UNBOUND else value

        return read_qualified

    def read(f: Frame) -> Any:
        if name in f.vars:
            return f.vars[name]
        value = find(f, name)
        return f.scope.compiler.unknown_variable(unit, node) if value is UNBOUND else value

    return read


def variable_name(node: Any) -> str | None:
    """The name of a plain variable.  Where it is local, operations read it without a call."""
    if isinstance(node, ast.Variable) and not node.name.isdigit() and "::" not in node.name:
        return node.name
    return None


@maker(ast.Embedded)
def _embedded(unit: Unit, node: ast.Embedded) -> Code:
    value = make(unit, node.value)
    return lambda f: text_of(value(f))


@maker(ast.Interpolated)
def _interpolated(unit: Unit, node: ast.Interpolated) -> Code:
    parts: list[str | None] = []
    codes_: list[tuple[int, str | None, Code]] = []
    for index, segment in enumerate(node.segments):
        if isinstance(segment, ast.String):
            parts.append(segment.value)
        else:
            parts.append(None)
            codes_.append((index, variable_name(segment.value), make(unit, segment.value)))
    template = [part or "" for part in parts]

    def interpolate(f: Frame) -> Any:
        pieces = template.copy()
        local = f.vars
        for index, name, code in codes_:
            value = local[name] if name in local else code(f)
            if value.__class__ is not str:
                if value.__class__ is int:
                    value = str(value)
                elif value.__class__ is Opaque:
                    return value
                else:
                    value = text_of(value)
            pieces[index] = value
        text = "".join(pieces)
        return text if len(text) < MOST_TEXT else weighed(f, unit, node, text)

    return interpolate


@maker(ast.Heredoc)
def _heredoc(unit: Unit, node: ast.Heredoc) -> Code:
    return make(unit, node.text)


@maker(ast.Paren)
def _paren(unit: Unit, node: ast.Paren) -> Code:
    return make(unit, node.value)


def unwound(node: Any) -> Any:
    """A node without parentheses around it."""
    while isinstance(node, ast.Paren):
        node = node.value
    return node


def make_list(unit: Unit, nodes: list[Any]) -> Callable[[Frame], list[Any]]:
    """The closure of a list of arguments or elements, splats unfolded."""
    if not any(isinstance(unwound(node), ast.Splat) for node in nodes):
        plain = [make(unit, node) for node in nodes]
        if len(plain) == 1:
            only = plain[0]
            return lambda f: [only(f)]
        if len(plain) == 2:
            first, second = plain
            return lambda f: [first(f), second(f)]
        return lambda f: [code(f) for code in plain]
    parts = [(isinstance(unwound(node), ast.Splat), make(unit, unwound(node))) for node in nodes]

    def unfold(f: Frame) -> list[Any]:
        result: list[Any] = []
        for several, code in parts:
            if several:
                result.extend(code(f))
            else:
                result.append(code(f))
        return result

    return unfold


@maker(ast.Splat)
def _splat(unit: Unit, node: ast.Splat) -> Code:
    inner = make(unit, node.value)

    def splat(f: Frame) -> list[Any]:
        value = inner(f)
        if value is None:
            return []
        if isinstance(value, list):
            return value
        if isinstance(value, Hash):
            return [[key, item] for key, item in value.pairs()]
        if isinstance(value, PuppetIterator):
            return list(value)
        return [value]

    return splat


@maker(ast.Array)
def _array(unit: Unit, node: ast.Array) -> Code:
    items = make_list(unit, node.items)
    if all(isinstance(unwound(item), _SCALARS) for item in node.items):
        return items
    return lambda f: weighed(f, unit, node, items(f))


@maker(ast.Hash)
def _hash(unit: Unit, node: ast.Hash) -> Code:
    entries = [(make(unit, entry.key), make(unit, entry.value)) for entry in node.entries]

    def build(f: Frame) -> Hash:
        result: dict[Any, Any] = {}
        for index, (key, value) in enumerate(entries):
            name = key(f)
            if name.__class__ is not str and name.__class__ is not int:
                rest = [(key(f), value(f)) for key, value in entries[index + 1 :]]
                return Hash.of([*result.items(), (name, value(f)), *rest])
            result[name] = value(f)
        return Hash(result)

    if all(isinstance(unwound(entry.value), _SCALARS) for entry in node.entries):
        return build
    return lambda f: weighed(f, unit, node, build(f))
