"""Expressions as closures: a tree is compiled once, then called with a frame.

A closure takes the frame it runs in and returns a value.  It holds no state of a
compilation, so a text that was compiled once serves every node.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.access import access
from headwater.langs.puppet.engine.arithmetic import calculate, numeric
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.effects import active
from headwater.langs.puppet.engine.equality import (
    _shown,
    compare,
    equals,
    includes,
    regex_search,
)
from headwater.langs.puppet.engine.frames import UNBOUND, Frame, captured, decide, find
from headwater.langs.puppet.engine.show import text_of
from headwater.langs.puppet.engine.weights import MOST_TEXT, weighed
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.mixed import hash_of
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.model import OptionalType, is_type
from headwater.langs.puppet.values import (
    DEFAULT,
    Opaque,
    Regexp,
    ResourceRef,
    SemVerRange,
    is_held,
    opaque_in,
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


_OPTIONAL = OptionalType()


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
        if isinstance(value, dict):
            return [[key, item] for key, item in value.items()]
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

    def build(f: Frame) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for index, (key, value) in enumerate(entries):
            name = key(f)
            if name.__class__ is not str and name.__class__ is not int:
                rest = [(key(f), value(f)) for key, value in entries[index + 1 :]]
                return hash_of([*result.items(), (name, value(f)), *rest])
            result[name] = value(f)
        return result

    if all(isinstance(unwound(entry.value), _SCALARS) for entry in node.entries):
        return build
    return lambda f: weighed(f, unit, node, build(f))


@maker(ast.Not)
def _not(unit: Unit, node: ast.Not) -> Code:
    inner = make(unit, node.value)

    def negate(f: Frame) -> Any:
        value = inner(f)
        if value.__class__ is Opaque:
            return value
        return value is None or value is False

    return negate


@maker(ast.Minus)
def _minus(unit: Unit, node: ast.Minus) -> Code:
    inner = make(unit, node.value)

    def minus(f: Frame) -> Any:
        value = inner(f)
        if value.__class__ is int or value.__class__ is float:
            return -value
        if value.__class__ is Opaque:
            return value
        try:
            return -numeric(value, f.scope.compiler.coerced_at(unit, node), 0)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        except TypeError:
            fail(codes.NOT_APPLICABLE, unit.span(node), operator="-", value=_shown(value))

    return minus


@maker(ast.Binary)
def _binary(unit: Unit, node: ast.Binary) -> Code:
    op = node.op
    left, right = make(unit, node.left), make(unit, node.right)
    if op in ("and", "or") and active([node.right]):
        right = _decided(unit, node, right)
        left = _deciding(unit, node, left)
    match op:
        case "and":

            def both(f: Frame) -> Any:
                first = left(f)
                if first is None or first is False:
                    return False
                value = right(f)
                if value is None or value is False:
                    return False
                if first.__class__ is Opaque:
                    return first
                return value if value.__class__ is Opaque else True

            return both
        case "or":

            def either(f: Frame) -> Any:
                first = left(f)
                unknown = first.__class__ is Opaque
                if first is not None and first is not False and not unknown:
                    return True
                value = right(f)
                if value.__class__ is Opaque:
                    return value
                if value is not None and value is not False:
                    return True
                return first if unknown else False

            return either
        case "==" | "!=":
            positive = op == "=="
            name, other = variable_name(node.left), variable_name(node.right)

            def equality(f: Frame) -> Any:
                local = f.vars
                a = local[name] if name in local else left(f)
                b = local[other] if other in local else right(f)
                if a.__class__ is b.__class__ and (a.__class__ is str or a.__class__ is int):
                    return (a == b or (a.__class__ is str and equals(a, b))) is positive
                if a.__class__ is Opaque or b.__class__ is Opaque:
                    return a if a.__class__ is Opaque else b
                if is_type(a):
                    if is_held(a) and isinstance(b, ResourceRef) and not b.held:
                        # Puppet's resources cannot be compared with types of resources.
                        shown = {"left": _shown(a), "right": _shown(b)}
                        fail(codes.NOT_COMPARABLE, unit.span(node), operator=op, **shown)
                    return (a == b) is positive
                return equals(a, b) is positive

            return equality
        case "<" | "<=" | ">" | ">=":
            return _comparison(unit, node, left, right)
        case "=~" | "!~":
            return _match(unit, node, left, right)
        case "in":

            def inside(f: Frame) -> Any:
                a, b = left(f), right(f)
                if a.__class__ is Opaque or b.__class__ is Opaque:
                    return a if a.__class__ is Opaque else b
                try:
                    return includes(b, a, f)
                except Problem as problem:
                    raise problem.at(unit.span(node)) from None

            return inside
        case _:
            return _arithmetic(unit, node, left, right)


def _deciding(unit: Unit, node: ast.Binary, left: Code) -> Code:
    """The left side of ``and`` or ``or`` that decides whether the right one has its effects."""
    stops = node.op == "or"

    def decide_by(f: Frame) -> Any:
        value, guard = left(f), f.guard
        holds = value is not None and value is not False
        decide(f, unit, node, holds is not stops)
        f.guard = guard
        return value

    return decide_by


def _decided(unit: Unit, node: ast.Binary, right: Code) -> Code:
    """The right side, which runs because of the decision noted last."""

    def because(f: Frame) -> Any:
        guard = f.guard
        compiler = f.scope.compiler
        made = next(g for g in reversed(compiler.decisions) if g.node is node and g.frame is f)
        f.guard = made
        try:
            return right(f)
        finally:
            f.guard = guard

    return because


def operand(problem: Problem, node: Any) -> Any:
    """The node a problem of an operation is about."""
    if problem.part == 0:
        return node.left
    return node.right if problem.part == 1 and hasattr(node, "right") else node


def _arithmetic(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    op = node.op
    small = 2**62
    direct = _DIRECT.get(op)
    name, other = variable_name(node.left), variable_name(node.right)

    def arithmetic(f: Frame) -> Any:
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if direct is not None and a.__class__ is int and b.__class__ is int and b:
            result = direct(a, b)
            if -small < result < small:
                return result
        if a.__class__ is Opaque or b.__class__ is Opaque:
            return a if a.__class__ is Opaque else b
        try:
            made = calculate(op, a, b, f.scope.compiler.coerced_at(unit, node))
        except Problem as problem:
            raise problem.at(unit.span(operand(problem, node))) from None
        return weighed(f, unit, node, made)

    return arithmetic


_DIRECT: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
}
"""Operations on integers that need no more care than a look at the result."""

_ORDERS: dict[str, Callable[[int], bool]] = {
    "<": lambda c: c < 0,
    "<=": lambda c: c <= 0,
    ">": lambda c: c > 0,
    ">=": lambda c: c >= 0,
}


_INTEGER_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _comparison(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    op = node.op
    decide, direct = _ORDERS[op], _INTEGER_ORDERS[op]
    name, other = variable_name(node.left), variable_name(node.right)

    def order(f: Frame) -> Any:
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if a.__class__ is int and b.__class__ is int:
            return direct(a, b)
        if a.__class__ is Opaque or b.__class__ is Opaque:
            return a if a.__class__ is Opaque else b
        try:
            if is_type(a):
                if is_held(a):
                    raise Problem(
                        codes.NOT_COMPARABLE, left=_shown(a), right=_shown(b), operator=op
                    )
                if not is_type(b) or is_held(b):
                    # Of all types only a bare Optional has a value below it, undef.
                    return b is None and op in (">", ">=") and a == _OPTIONAL
                wide, narrow = (b, a) if op in ("<", "<=") else (a, b)
                return assignable(wide, narrow) and (len(op) == 2 or a != b)
            return decide(compare(a, b, op))
        except Problem as problem:
            raise problem.at(unit.span(node)) from None

    return order


def _match(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    positive = node.op == "=~"

    def match(f: Frame) -> Any:
        value, pattern = left(f), right(f)
        if value.__class__ is Opaque or pattern.__class__ is Opaque:
            return value if value.__class__ is Opaque else pattern
        if is_type(pattern):
            return is_instance(pattern, value) is positive
        try:
            if isinstance(pattern, SemVerRange):
                return includes(pattern, value, f) is positive
            if isinstance(pattern, Regexp):
                text = pattern.pattern
            elif isinstance(pattern, str):
                text = pattern
            else:
                raise Problem(
                    codes.BAD_MATCH, part=1,
                    message=f"{_shown(pattern)} is neither regular expression nor type",
                )  # fmt: skip
            if value.__class__ is not str:
                raise Problem(
                    codes.BAD_MATCH, part=0,
                    message=f"only a string can be matched, not {_shown(value)}",
                )  # fmt: skip
            found = regex_search(text, value)
        except Problem as problem:
            raise problem.at(unit.span(operand(problem, node))) from None
        if found is not None:
            f.match = found
        return (found is not None) is positive

    return match


@maker(ast.Access)
def _access(unit: Unit, node: ast.Access) -> Code:
    left = make(unit, node.left)
    keys = make_list(unit, node.keys)
    class_keys = [
        constant(key.value) if isinstance(key, ast.TypeName) else make(unit, key)
        for key in node.keys
    ]
    of_class = isinstance(node.left, ast.TypeName) and node.left.value.lower() == "class"
    name = variable_name(node.left)

    def found_in(f: Frame, value: Any, found: list[Any]) -> Any:
        if value.__class__ is Opaque:
            return value
        if f.scope.compiler.opaque:
            unknown = opaque_in(found)
            if unknown is not None:
                return unknown
        try:
            return access(value, found, f.scope.compiler)
        except Problem as problem:
            blamed = node.left if problem.part == 0 else node
            if problem.part and node.keys:
                blamed = node.keys[min(problem.part, len(node.keys)) - 1]
            raise problem.at(unit.span(blamed)) from None

    if len(node.keys) == 1 and not of_class and not isinstance(unwound(node.keys[0]), ast.Splat):
        only = make(unit, node.keys[0])

        def member(f: Frame) -> Any:
            value = f.vars[name] if name in f.vars else left(f)
            key = only(f)
            if value.__class__ is dict:
                if key.__class__ is str or key.__class__ is int:
                    return value.get(key)
            elif value.__class__ is list and key.__class__ is int:
                return value[key] if -len(value) <= key < len(value) else None
            return found_in(f, value, [key])

        return member

    def element(f: Frame) -> Any:
        value = left(f)
        return found_in(f, value, [code(f) for code in class_keys] if of_class else keys(f))

    return element
