"""Resource expressions: bodies and titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import flattened
from headwater.langs.puppet.engine.attributes import Params, kind_of, make_attributes
from headwater.langs.puppet.engine.declarations import declare
from headwater.langs.puppet.engine.expressions import Code, make, maker, variable_name
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.definitions import is_constant
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, compute, unsettle
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.values import DEFAULT, ClassRef, Opaque, ResourceRef, opaque_in


@maker(ast.Resource)
def _resource(unit: Unit, node: ast.Resource) -> Code:
    type_name = _type_of(unit, node.type)
    named = type_name if isinstance(type_name, str) else None
    bodies = [
        (make(unit, body.title), make_attributes(unit, body.operations, node, "given"), body)
        for body in node.bodies
    ]
    virtual, exported = node.form != "regular", node.form == "exported"
    single = len(bodies) == 1
    first, given, whole = bodies[0] if bodies else (None, None, None)
    variable = variable_name(whole.title) if single else None
    computed = not all(is_constant(body.title) for body in node.bodies)

    def create(f: Frame) -> list[Any]:
        type_ = named or type_name(f)
        if computed and f.scope.compilation.work.opaque:
            compute(f, unit, node)
        if exported:
            f.scope.compilation.messages.warn(codes.EXPORTED_IGNORED, unit.span(node))
        value: Any = None
        if single:
            value = f.vars[variable] if variable in f.vars else first(f)
            if value.__class__ is str and value:
                params = given(f)
                try:
                    return [declare(f, unit, node, whole, type_, value, params, virtual, exported)]
                except Problem as problem:
                    raise problem.at(unit.span(node)) from None
        titled: list[tuple[list[str], Params, Any]] = []
        defaults: Params | None = None
        seen: set[Any] = set()
        for title, operations, body in bodies:
            if not single:
                value = title(f)
            unknown = opaque_in(value)
            if unknown is not None:
                f.scope.compilation.messages.undecide(unit, node, unknown)
                unsettle(f, unit, node, unknown)
            titles, is_default = _titles(value, seen, unit, node, body)
            params = operations(f)
            if is_default:
                defaults = params
            titled.append((titles, params, body))
        found: list[Any] = []
        try:
            if type_ != "class" and not any(titles for titles, _, _ in titled):
                f.scope.compilation.services.types.resource(type_)
            for titles, params, body in titled:
                for one in titles:
                    own = {**(defaults or {}), **params}
                    found.append(declare(f, unit, node, body, type_, one, own, virtual, exported))
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        return found

    return create


def _titles(
    value: object, seen: set[Any], unit: Unit, node: ast.Resource, body: ast.Body
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
            kind = "undef" if title is None else kind_of(title)
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


def _placed(f: Frame, name: str) -> str:
    """A type spelled with its place, which Puppet's own types do not have."""
    if f.scope.compilation.services.types.resource(name)[1] is not None:
        raise Problem(codes.UNKNOWN_TYPE, name=f"::{name}")
    return name


def _type_of(unit: Unit, node: object) -> str | Callable[[Frame], str]:
    """The name of the type, in lower case; ``class`` for classes; or what finds it."""
    if isinstance(node, ast.Name):
        name = node.value.removeprefix("::").lower()
        if name != node.value.lower():
            return lambda f: _placed(f, name)
        return name
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
