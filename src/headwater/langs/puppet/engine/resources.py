"""Resource expressions: bodies, titles, attributes, defaults and overrides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, flattened
from headwater.langs.puppet.engine.declare import declare
from headwater.langs.puppet.engine.definitions import Unit, constant_of, is_constant
from headwater.langs.puppet.engine.equality import _shown
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.engine.frames import Frame
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import DEFAULT, ClassRef, Opaque, ResourceRef, opaque_in

Params = dict[str, Param]


def make_operations(
    unit: Unit, operations: list[Any], owner: Any, how: str
) -> Callable[[Frame], Params]:
    """The closure that evaluates attributes, each one once."""
    parts: list[tuple[str | None, bool, Code, Any]] = []
    for op in operations:
        if isinstance(op, ast.Attribute):
            parts.append((op.name, op.op == "+>", make(unit, op.value), op))
        else:
            parts.append((None, False, make(unit, op.value), op))
    plain = [
        (name, add, op, None if is_constant(op.value) else code, constant_of(op.value))
        for name, add, code, op in parts
        if name is not None
    ]
    if len({entry[0] for entry in plain}) < len(parts):
        plain = []

    def evaluate(f: Frame) -> Params:
        source, guard = f.scope.source, f.guard
        if plain or not parts:
            return {
                name: Param(
                    value if code is None else code(f), source, how, add, unit, op, f, guard
                )
                for name, add, op, code, value in plain
            }
        result: Params = {}
        for name, add, code, op in parts:
            value = code(f)
            if name is not None:
                given = Hash({name: value})
            elif isinstance(value, Hash):
                given = value
            elif isinstance(value, Opaque):
                f.scope.compiler.undecide(unit, owner, value)
                continue
            else:
                kind = _kind(value)
                fail(codes.MISTYPED, unit.span(op.value), message=f"* => takes a Hash, got {kind}")
            for key, item in given.pairs():
                if key is DEFAULT:
                    key = "default"
                elif key.__class__ is not str:
                    kind = _kind(key)
                    fail(codes.MISTYPED, unit.span(op), message=f"{kind} is no name of a parameter")
                if key in result:
                    fail(codes.DUPLICATE_ATTRIBUTE, unit.span(owner), name=key)
                result[key] = Param(
                    item, source, how, add=add, unit=unit, node=op, frame=f, guard=guard,
                    detail=None if name is not None else key,
                )  # fmt: skip
        return result

    return evaluate


def timed(params: Params, f: Frame) -> Params:
    """Parameters that do not come with a resource, with the time they were evaluated."""
    when = f.scope.compiler.clock
    for param in params.values():
        param.when = when
    return params


@maker(ast.Resource)
def _resource(unit: Unit, node: ast.Resource) -> Code:
    type_name = _type_of(unit, node.type)
    bodies = [
        (make(unit, body.title), make_operations(unit, body.operations, node, "given"), body)
        for body in node.bodies
    ]
    virtual, exported = node.form != "regular", node.form == "exported"
    single = len(bodies) == 1

    def create(f: Frame) -> list[Any]:
        type_ = type_name(f)
        if exported:
            f.scope.compiler.warn(codes.EXPORTED_IGNORED, unit.span(node))
        titled: list[tuple[list[str], Params, Any]] = []
        defaults: Params | None = None
        seen: set[Any] = set()
        for title, operations, body in bodies:
            value = title(f)
            if single and value.__class__ is str and value:
                params = operations(f)
                try:
                    return [declare(f, unit, node, body, type_, value, params, virtual, exported)]
                except Problem as problem:
                    raise problem.at(unit.span(node)) from None
            unknown = opaque_in(value)
            if unknown is not None:
                f.scope.compiler.undecide(unit, node, unknown)
            titles, is_default = _titles(value, seen, unit, node, body)
            params = operations(f)
            if is_default:
                defaults = params
            titled.append((titles, params, body))
        found: list[Any] = []
        try:
            if type_ != "class" and not any(titles for titles, _, _ in titled):
                f.scope.compiler.resource_type(type_)
            for titles, params, body in titled:
                given = defaults or {}
                for one in titles:
                    own = {**given, **params}
                    found.append(declare(f, unit, node, body, type_, one, own, virtual, exported))
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        return found

    return create


def _titles(
    value: Any, seen: set[Any], unit: Unit, node: ast.Resource, body: ast.Body
) -> tuple[list[str], bool]:
    """The titles a body has, and whether it is the body of local defaults."""
    if value is None:
        fail(codes.BAD_TITLE, unit.span(body.title), message="the title is undef")
    titles: list[str] = []
    is_default = False
    for index, title in enumerate(flattened(value)):
        if isinstance(title, Opaque):
            continue
        if title is DEFAULT:
            is_default = True
        elif not isinstance(title, str):
            kind = "undef" if title is None else _kind(title)
            message = f"title number {index} is {kind}, not a String"
            fail(codes.BAD_TITLE, unit.span(body.title), message=message)
        elif not title:
            message = f"title number {index} is empty"
            fail(codes.BAD_TITLE, unit.span(body.title), message=message)
        else:
            titles.append(title)
        if title in seen:
            fail(codes.BAD_TITLE, unit.span(node), message=f"the title {title} is there twice")
        seen.add(title)
    return titles, is_default


def _kind(value: Any) -> str:
    """The type of a value in a few words."""
    from headwater.langs.puppet.types import generalize, infer, show_type

    return show_type(generalize(infer(value)))


def _placed(f: Frame, name: str) -> str:
    """A type spelled with its place, which Puppet's own types do not have."""
    if f.scope.compiler.resource_type(name)[1] is not None:
        raise Problem(codes.UNKNOWN_TYPE, name=f"::{name}")
    return name


def _type_of(unit: Unit, node: Any) -> Callable[[Frame], str]:
    """The name of the type, in lower case; ``class`` for classes."""
    if isinstance(node, ast.Name):
        name = node.value.removeprefix("::").lower()
        if name != node.value.lower():
            return lambda f: _placed(f, name)
        return lambda f: name
    code = make(unit, node)
    acceptable = isinstance(node, ast.TypeName) or (
        isinstance(node, ast.Access) and isinstance(node.left, ast.TypeName)
    )

    def evaluate(f: Frame) -> str:
        value = code(f)
        if acceptable:
            if isinstance(value, ClassRef) and value.name is None:
                return "class"
            if isinstance(value, ResourceRef) and value.type is not None and value.title is None:
                return value.type.lower()
        raise Problem(codes.BAD_RESOURCE_TYPE, value=_shown(value)).at(unit.span(node))

    return evaluate


@maker(ast.Defaults)
def _defaults(unit: Unit, node: ast.Defaults) -> Code:
    type_ = make(unit, node.type)
    operations = make_operations(unit, node.operations, node, "default")

    def define(f: Frame) -> Any:
        ref = type_(f)
        if not isinstance(ref, ResourceRef) or ref.type is None or ref.title is not None:
            fail(codes.BAD_RESOURCE_TYPE, unit.span(node.type), value=_shown(ref))
        table = f.scope.defaults.setdefault(ref.type, {})
        f.scope.compiler.defaulted.add(ref.type)
        for name, param in timed(operations(f), f).items():
            if name in table:
                fail(codes.DEFAULT_SET, unit.span(param.node), name=name, type=ref.type)
            table[name] = param
        return ref

    return define


@maker(ast.Override)
def _override(unit: Unit, node: ast.Override) -> Code:
    target = make(unit, node.target)
    operations = make_operations(unit, node.operations, node, "override")

    def override(f: Frame) -> Any:
        refs = target(f)
        params = timed(operations(f), f)
        compiler = f.scope.compiler
        for ref in flattened(refs):
            if isinstance(ref, Opaque):
                compiler.undecide(unit, node, ref)
                continue
            if not isinstance(ref, ResourceRef) or ref.type is None or ref.title is None:
                fail(codes.BAD_RESOURCE_TYPE, unit.span(node), value=_shown(ref))
            try:
                compiler.overrides.add(ref.type, ref.title, params, f, unit, node)
            except Problem as problem:
                raise problem.at(unit.span(node)) from None
        return refs

    return override
