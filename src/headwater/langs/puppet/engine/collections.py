"""Arrays, hashes and splats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.engine.expressions import Code, make, maker, unwound, variable_name
from headwater.langs.puppet.engine.weights import COMPARED, charged, weighed
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import constant_of, is_constant
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque

_SCALARS = (
    ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name, ast.Undef, ast.Default, ast.Regex,
    ast.Interpolated,
)  # fmt: skip


Items = Callable[[Frame], list[Any]]


def make_list(unit: Unit, nodes: list[Any]) -> Items:
    """The closure of a list of arguments or elements, splats unfolded."""
    if not any(isinstance(unwound(node), ast.Splat) for node in nodes):
        plain = [make(unit, node) for node in nodes]
        if len(plain) == 1:
            only, variable = plain[0], variable_name(nodes[0])

            def one(f: Frame, only: Code = only, variable: str | None = variable) -> list[Any]:
                return [f.vars[variable] if variable in f.vars else only(f)]

            return one
        row = [constant_of(node) for node in nodes]
        computed = [
            (at, variable_name(node), code)
            for at, (node, code) in enumerate(zip(nodes, plain, strict=True))
            if not is_constant(node)
        ]

        def many(
            f: Frame, row: list[Any] = row,
            computed: list[tuple[int, str | None, Code]] = computed,
        ) -> list[Any]:  # fmt: skip
            items, local = row.copy(), f.vars
            for at, variable, code in computed:
                items[at] = local[variable] if variable in local else code(f)
            return items

        return many
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

    def array(f: Frame, unit: Unit = unit, node: ast.Array = node, items: Items = items) -> Value:
        return weighed(f, unit, node, items(f))

    return array


@maker(ast.Hash)
def _hash(unit: Unit, node: ast.Hash) -> Code:
    entries = [(make(unit, entry.key), make(unit, entry.value)) for entry in node.entries]

    def build(f: Frame) -> Value:
        result: dict[Any, Any] = {}
        for index, (key, value) in enumerate(entries):
            name = key(f)
            if name.__class__ is Opaque:
                f.scope.record.guesses.guessed = True  # it may be the key of any entry
                return name
            if name.__class__ is not str and name.__class__ is not int:
                charged(f, unit, node, name, COMPARED)
                rest = [(key(f), value(f)) for key, value in entries[index + 1 :]]
                return Hash.of([*result.items(), (name, value(f)), *rest])
            result[name] = value(f)
        return Hash(result)

    if all(isinstance(unwound(entry.value), _SCALARS) for entry in node.entries):
        return build
    return lambda f: weighed(f, unit, node, build(f))
