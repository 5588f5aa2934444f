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
from headwater.text.named import NamedTuple


class Site(NamedTuple):
    """A resource expression; `computed` is whether a title is no constant."""

    unit: Unit
    node: ast.Resource
    bodies: list[tuple[Code, Callable[[Frame], Params], ast.Body]]
    virtual: bool
    exported: bool
    computed: bool


@maker(ast.Resource)
def _resource(unit: Unit, node: ast.Resource) -> Code:
    type_ = _type_of(unit, node.type)
    bodies = [
        (make(unit, body.title), make_attributes(unit, body.operations, node, "given"), body)
        for body in node.bodies
    ]
    virtual, exported = node.form != "regular", node.form == "exported"
    computed = not all(is_constant(body.title) for body in node.bodies)
    site = Site(unit, node, bodies, virtual, exported, computed)
    if len(bodies) == 1 and isinstance(type_, str):
        return _single(site, type_, *bodies[0])

    def create(f: Frame) -> list[Any]:
        name = type_ if isinstance(type_, str) else type_(f)
        _prepare(f, site)
        return _declare_all(f, site, name)

    return create


def _single(
    site: Site, type_: str, title: Code, operations: Callable[[Frame], Params], body: ast.Body
) -> Code:
    """A resource expression with one body."""
    variable = variable_name(body.title)

    def create(
        f: Frame, site: Site = site, type_: str = type_, title: Code = title,
        operations: Callable[[Frame], Params] = operations, body: ast.Body = body,
        variable: str | None = variable,
    ) -> list[Any]:  # fmt: skip
        unit, node, _, virtual, exported, computed = site
        if exported or (computed and f.scope.compilation.work.opaque):
            _prepare(f, site)
        value = f.vars[variable] if variable in f.vars else title(f)
        if value.__class__ is not str or not value:
            return _declare_all(f, site, type_, [value])
        params = operations(f)
        try:
            return [declare(f, unit, node, body, type_, value, params, virtual, exported)]
        except Problem as problem:
            raise problem.at(unit.span(node)) from None

    return create


def _prepare(f: Frame, site: Site) -> None:
    """Notes what is to be told of a resource expression before it is evaluated."""
    if site.computed and f.scope.compilation.work.opaque:
        compute(f, site.unit, site.node)
    if site.exported:
        f.scope.compilation.messages.warn(codes.EXPORTED_IGNORED, site.unit.span(site.node))


def _declare_all(f: Frame, site: Site, type_: str, known: list[Any] | None = None) -> list[Any]:
    """Declares the resources of all bodies; `known` are values of titles, if there are any yet."""
    unit, node, bodies, virtual, exported, _ = site
    titled: list[tuple[list[str], Params, Any]] = []
    defaults: Params | None = None
    seen: set[Any] = set()
    for title, operations, body in bodies:
        value = title(f) if known is None else known[0]
        if len(bodies) == 1 and value.__class__ is str and value:
            params = operations(f)
            try:
                return [declare(f, unit, node, body, type_, value, params, virtual, exported)]
            except Problem as problem:
                raise problem.at(unit.span(node)) from None
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
            given = defaults or {}
            for one in titles:
                own = {**given, **params}
                found.append(declare(f, unit, node, body, type_, one, own, virtual, exported))
    except Problem as problem:
        raise problem.at(unit.span(node)) from None
    return found


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
