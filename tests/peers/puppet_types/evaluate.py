"""A small evaluator of Puppet expressions, enough to reach every type and function.

Literals, collections, types with parameters, calls, method calls, lambdas over single
expressions, comparisons and sums.  The real engine is tested elsewhere; this keeps the
test of types and functions independent of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from headwater.langs.puppet.functions import find, shown
from headwater.langs.puppet.functions.equality import ruby_equal
from headwater.langs.puppet.functions_protocol import BreakIteration
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.levels import LEVELS
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.parser import parse
from headwater.langs.puppet.types import (
    AliasType,
    BadType,
    PuppetIterator,
    Signature,
    TooHard,
    assignable,
    describe_signatures,
    infer_set,
    is_instance,
    is_type,
    named,
    parameterise,
    parse_type,
    search,
    show_type,
    to_s,
)
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.quoting import float_text
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    DEFAULT,
    Regexp,
    ResourceRef,
    Sensitive,
    capitalised,
    is_held,
)
from headwater.text import Source

RESOURCES = frozenset(["file", "user", "notify", "exec", "package", "service", "group"])
FACTS = Hash({"networking": Hash({"fqdn": "node.example.com"})})


class Refused(Exception):
    """An expression that is refused, with the message."""


def lookup(name: str) -> m.Type | None:
    return ResourceRef(capitalised(name)) if name in RESOURCES else None


class TestContext:
    strict = "warning"
    level = LEVELS[7]

    def fail(self, message: str) -> NoReturn:
        raise Refused(message)

    mistyped = fail

    def log(self, level: str, message: str) -> None: ...

    def variable(self, name: str) -> Value:
        return FACTS if name == "facts" else None

    def has_variable(self, name: str) -> bool:
        return name == "facts"

    def call(self, name: str, args: Sequence[Any], block: Any = None) -> Value:  # noqa: ANN401
        found = find(name, self.level)
        if found is None:
            self.fail(f"Unknown function '{name}'")
        return found.call(self, list(args), block)

    def spend(self, steps: int) -> None: ...

    def external(self, kind: str, text: str, path: str | None = None) -> None: ...

    def resolve_type(self, text: str) -> object:
        return parse_type(text, lookup)

    def find_file(self, kind: str, name: str) -> str | None:
        return None

    def module_directory(self, name: str) -> str | None:
        return None


CONTEXT = TestContext()


class Lambda:
    """A lambda: parameters, perhaps typed, and a body."""

    def __init__(self, node: ast.Lambda, scope: dict[str, Any]) -> None:
        self.node, self.scope = node, scope
        types = self.types = [
            m.ANY if p.type is None else evaluate(p.type, scope) for p in node.params
        ]
        least = sum(p.default is None and not p.splat for p in node.params)
        most = None if any(p.splat for p in node.params) else len(types)
        self.arity = (least, most)
        size = None if least == most and types else m.IntegerType(least, most)
        self.callable_type = m.CallableType(m.TupleType(tuple(types), size))

    def one(self) -> Lambda:
        return self

    two = one

    def __call__(self, *args: Value) -> Value:
        inner = dict(self.scope)
        least = self.arity[0]
        if len(args) < least:
            missing = self.node.params[len(args)].name
            raise Refused(f"Parameter ${missing} is required but no value was given")
        wrong = [
            index
            for index, value in enumerate(args[: len(self.types)])
            if not is_instance(self.types[index], value)
        ]
        if wrong and not any(p.splat for p in self.node.params):
            signature = Signature("", self)
            signature.types = tuple(self.types)
            signature.names = tuple(p.name for p in self.node.params)
            signature.least, signature.most = self.arity
            given = [infer_set(value) for value in args[: len(self.types)]]
            raise Refused(describe_signatures("lambda", [signature], given, None))
        for index, param in enumerate(self.node.params):
            if param.splat:
                inner[param.name] = list(args[index:])
            elif index < len(args):
                inner[param.name] = args[index]
            elif param.default is not None:
                inner[param.name] = evaluate(param.default, inner)
        result = None
        for statement in self.node.body:
            result = evaluate(statement, inner)
        return result


def run(code: str) -> Value:
    """The value of an expression; raises `Refused`."""
    parsed = parse(Source("x.pp", code))
    if not parsed.ok:
        raise Refused(parsed.diagnostics[0].message)
    result = None
    try:
        for statement in parsed.program.body:
            result = evaluate(statement, {})
    except BreakIteration:
        raise Refused("break() from context where this is illegal") from None
    except TooHard as error:
        raise Refused(str(error)) from None
    return result


def evaluate(node: ast.Expr, scope: dict[str, Any]) -> Any:  # noqa: ANN401
    match node:
        case ast.Undef():
            return None
        case ast.Default():
            return DEFAULT
        case ast.Boolean() | ast.Integer() | ast.Float() | ast.String() | ast.Name():
            return node.value
        case ast.Regex():
            return Regexp(node.pattern)
        case ast.Variable():
            return scope.get(node.name)
        case ast.Paren():
            return evaluate(node.value, scope)
        case ast.Minus():
            number = evaluate(node.value, scope)
            if number.__class__ not in (int, float):
                raise Refused(f"The value '{shown(number)}' cannot be converted to Numeric.")
            return -number
        case ast.Array():
            return [evaluate(item, scope) for item in node.items]
        case ast.Hash():
            return Hash.of((evaluate(e.key, scope), evaluate(e.value, scope)) for e in node.entries)
        case ast.TypeName():
            found = named(node.value, lookup)
            if isinstance(found, m.TypeReference) and found.text != "UnresolvedReference":
                raise Refused(f"Resource type not found: {found.text}")
            return found
        case ast.Access():
            return access(evaluate(node.left, scope), [evaluate(k, scope) for k in node.keys])
        case ast.Call():
            return call(node.function, [evaluate(a, scope) for a in node.args], node.block, scope)
        case ast.Method():
            args = [evaluate(a, scope) for a in (node.receiver, *node.args)]
            return call(node.function, args, node.block, scope)
        case ast.Binary():
            return binary(node, scope)
        case ast.Interpolated():
            parts = (
                s.value if isinstance(s, ast.String) else to_s(evaluate(s.value, scope))
                for s in node.segments
            )
            return "".join(parts)
    raise AssertionError(node)


def access(left: Any, keys: list[Any]) -> Any:  # noqa: ANN401
    if is_type(left):
        try:
            return parameterise(left, keys)
        except BadType as error:
            raise Refused(str(error)) from None
    if isinstance(left, Hash):
        return left.get(keys[0])
    return left[keys[0]] if -len(left) <= keys[0] < len(left) else None


def call(
    function: ast.Expr, args: list[Any], block: ast.Lambda | None, scope: dict[str, Any]
) -> Value:
    given = None if block is None else Lambda(block, scope)
    target = evaluate(function, scope)
    if is_type(target):
        return CONTEXT.call("new", [target, *args], given)
    return CONTEXT.call(target, args, given)


def binary(node: ast.Binary, scope: dict[str, Any]) -> Any:  # noqa: ANN401
    a, b = evaluate(node.left, scope), evaluate(node.right, scope)
    match node.op:
        case "+":
            return a + b
        case "*":
            return a * b
        case "%":
            return a % b
        case "==":
            return ruby_equal(a, b) or (
                isinstance(a, str) and isinstance(b, str) and a.lower() == b.lower()
            )
        case ">":
            return assignable(a, b) and not assignable(b, a) if is_type(a) else a > b
        case "<":
            return assignable(b, a) and not assignable(a, b) if is_type(a) else a < b
        case "<=":
            return assignable(b, a) if is_type(a) else a <= b
        case ">=":
            return assignable(a, b) if is_type(a) else a >= b
        case "=~":
            try:
                if isinstance(b, Regexp):
                    return search(b.pattern, a) is not None
                return is_instance(b, a)
            except TooHard as error:
                raise Refused(str(error)) from None
    raise AssertionError(node.op)


def written(value: Value) -> object:
    """A value with its kind, as the real Puppet beside this writes it."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return {"float": float_text(value)}
        case PuppetIterator():
            return {"iterator": [written(item) for item in value]}
        case list():
            return [written(item) for item in value]
        case Hash():
            return {"hash": [[written(k), written(v)] for k, v in value.pairs()]}
        case Regexp():
            return {"regexp": value.pattern}
        case Sensitive():
            return {"sensitive": written(value.value)}
    if value is DEFAULT:
        return {"default": True}
    if is_held(value):
        return {"Resource": str(value)}
    if is_type(value) or isinstance(value, AliasType):
        return {"type": show_type(value)}
    names = {"SemVer": "Version", "SemVerRange": "VersionRange", "Uri": "URI"}
    kind = value.__class__.__name__
    return {names.get(kind, kind): to_s(value)}
