"""Blocks, assignments and conditions.

A condition leaves on the frame, while its branch runs, a `Guard` that says how it was
decided; whatever is written meanwhile keeps a pointer to it.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.effects import active
from headwater.langs.puppet.engine.equality import _shown, folded, matches
from headwater.langs.puppet.engine.expressions import Code, constant, make, maker, unwound
from headwater.langs.puppet.engine.frames import Frame, Scope, Write, decide
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ClassRef, Opaque

_new = tuple.__new__  # half the cost of calling the named tuple
_RESERVED = frozenset(["trusted", "facts", "server_facts"])
_DEFINITIONS = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
                ast.TypeDef)  # fmt: skip


def make_block(unit: Unit, statements: list[Any]) -> Code:
    """The closure of statements; its value is that of the last."""
    parts = [make(unit, node) for node in statements if not isinstance(node, _DEFINITIONS)]
    if statements and isinstance(statements[-1], _DEFINITIONS):
        parts.append(constant(None))
    if not parts:
        return constant(None)
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts

        def pair(f: Frame) -> Any:
            first(f)
            return second(f)

        return pair
    *front, last = parts

    def block(f: Frame) -> Any:
        for part in front:
            part(f)
        return last(f)

    return block


@maker(ast.Block)
def _block(unit: Unit, node: ast.Block) -> Code:
    return make_block(unit, node.statements)


@maker(*_DEFINITIONS)
def _definition(unit: Unit, node: Any) -> Code:
    return constant(None)


@maker(ast.If)
def _if(unit: Unit, node: ast.If) -> Code:
    return _conditional(unit, node, make_block(unit, node.then), make_block(unit, node.otherwise))


@maker(ast.Unless)
def _unless(unit: Unit, node: ast.Unless) -> Code:
    return _conditional(unit, node, make_block(unit, node.otherwise), make_block(unit, node.then))


def _conditional(unit: Unit, node: ast.If | ast.Unless, then: Code, otherwise: Code) -> Code:
    test = make(unit, node.test)
    refuses = any(_fails(statement) for statement in node.then)

    def value_of(f: Frame) -> Any:
        match = f.match
        try:
            value = test(f)
            if value.__class__ is Opaque:
                f.scope.compiler.undecide(unit, node, value)
            return then(f) if value is not None and value is not False else otherwise(f)
        finally:
            f.match = match

    if not active(node.then) and not active(node.otherwise):
        return value_of

    def conditional(f: Frame) -> Any:
        match, guard = f.match, f.guard
        try:
            value = test(f)
            holds = value is not None and value is not False
            taken: Any = holds
            if value.__class__ is Opaque:
                taken = value
                holds = holds is not refuses
                f.scope.compiler.undecide(unit, node, value)
            decide(f, unit, node, taken)
            return then(f) if holds else otherwise(f)
        finally:
            f.match = match
            f.guard = guard

    return conditional


def _fails(node: Any) -> bool:
    """Whether a statement is a call of fail(): an unknown condition is not taken to lead there."""
    function = node.function if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Name) and function.value == "fail"


@maker(ast.Case)
def _case(unit: Unit, node: ast.Case) -> Code:
    test = make(unit, node.test)
    options: list[tuple[list[tuple[bool, Code, Any]], Code, Any]] = []
    default: Code | None = None
    for option in node.options:
        body = make_block(unit, option.body)
        values = []
        for value in map(unwound, option.values):
            if isinstance(value, ast.Default):
                default = body
            else:
                values.append((isinstance(value, ast.Splat), make(unit, value), value))
        options.append((values, body, option))
    return _choice(unit, node, test, options, default or constant(None))


@maker(ast.Selector)
def _selector(unit: Unit, node: ast.Selector) -> Code:
    test = make(unit, node.value)
    options: list[tuple[list[tuple[bool, Code, Any]], Code, Any]] = []
    default: Code | None = None
    for option in node.options:
        result = make(unit, option.value)
        value = unwound(option.match)
        if isinstance(value, ast.Default):
            default = result
        else:
            several = isinstance(value, ast.Splat)
            options.append(([(several, make(unit, value), value)], result, option))
    return _choice(unit, node, test, options, default)


def _choice(
    unit: Unit,
    node: ast.Case | ast.Selector,
    test: Code,
    options: list[tuple[list[tuple[bool, Code, Any]], Code, Any]],
    default: Code | None,
) -> Code:
    """Case and selector: the first option that matches, else the default."""
    subject = node.test if isinstance(node, ast.Case) else node.value
    decisive = active(node.options)
    texts = _texts(options)

    def choose(f: Frame) -> Any:
        match, guard = f.match, f.guard
        try:
            value = test(f)
            if value.__class__ is Opaque:
                if node.__class__ is ast.Selector:
                    return value
                if decisive:
                    decide(f, unit, node, value)
                f.scope.compiler.undecide(unit, node, value)
                return (default or options[0][1])(f)
            left = options
            if texts is not None and value.__class__ is str:
                named = texts.get(value) or texts.get(folded(value))
                if named is not None:
                    if decisive:
                        decide(f, unit, node, named[1])
                    return named[0](f)
                left = []
            for tested, result, option in left:
                for several, code, where in tested:
                    pattern = code(f)
                    try:
                        hit = (
                            any(matches(value, one, f) for one in pattern)
                            if several
                            else matches(value, pattern, f)
                        )
                    except Problem as problem:
                        raise problem.at(unit.span(where)) from None
                    if hit:
                        if decisive:
                            decide(f, unit, node, option)
                        return result(f)
            if default is None:
                fail(codes.NO_OPTION, unit.blamed(subject), value=_shown(value))
            if decisive:
                decide(f, unit, node, None)
            return default(f)
        finally:
            f.match = match
            f.guard = guard

    return choose


def _texts(options: list[Any]) -> dict[str, tuple[Code, Any]] | None:
    """What texts choose where all options are texts: as written, and without regard to case."""
    found: dict[str, tuple[Code, Any]] = {}
    written: dict[str, tuple[Code, Any]] = {}
    for tested, result, option in options:
        for several, _, where in tested:
            if several or not isinstance(where, ast.String | ast.Name):
                return None
            written.setdefault(where.value, found.setdefault(folded(where.value), (result, option)))
    return {**written, **found}


# -- assignment ----------------------------------------------------------------------------------


@maker(ast.Assignment)
def _assignment(unit: Unit, node: ast.Assignment) -> Code:
    right = make(unit, node.right)
    if isinstance(node.left, ast.Variable):
        name = node.left.name
        check = name in _RESERVED
        value_node = node.right

        def assign(f: Frame) -> Any:
            value = right(f)
            if name in f.vars or check:
                _refuse(name, unit, node)
            if f.pending is not None:
                fail(codes.REASSIGNED, unit.span(node), name=name)
            f.vars[name] = value
            compiler = f.scope.compiler
            compiler.clock = now = compiler.clock + 1
            f.writes[name] = _new(Write, ("assigned", unit, value_node, f, f.guard, None, now))
            return value

        return assign
    targets = node.left

    def assign_several(f: Frame) -> Any:
        value = right(f)
        try:
            _assign(f, targets, value, unit, node)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        return value

    return assign_several


def _refuse(name: str, unit: Unit, node: Any) -> None:
    code = codes.RESERVED_VARIABLE if name in _RESERVED else codes.REASSIGNED
    fail(code, unit.span(node), name=name)


def _assign(f: Frame, target: Any, value: Any, unit: Unit, node: ast.Assignment) -> None:
    if isinstance(target, ast.Variable):
        name = target.name
        if name in f.vars or name in _RESERVED:
            _refuse(name, unit, node)
        f.vars[name] = value
        compiler = f.scope.compiler
        compiler.clock = now = compiler.clock + 1
        f.writes[name] = Write("assigned", unit, node.right, f, f.guard, target, now)
        return
    assert isinstance(target, ast.Array)
    names = target.items
    if isinstance(value, Hash):
        for item in names:
            name = item.name if isinstance(item, ast.Variable) else ""
            if name not in value:
                raise Problem(codes.BAD_MULTI_ASSIGNMENT, message=f"the hash has no key {name}")
            _assign(f, item, value[name], unit, node)
        return
    if isinstance(value, ClassRef):
        _assign_from_class(f, names, value, unit, node)
        return
    values = value if isinstance(value, list) else [value]
    if len(values) != len(names):
        raise Problem(
            codes.BAD_MULTI_ASSIGNMENT,
            message=f"{len(values)} values for {len(names)} variables",
        )
    for item, element in zip(names, values, strict=True):
        _assign(f, item, element, unit, node)


def _assign_from_class(
    f: Frame, names: list[Any], ref: ClassRef, unit: Unit, node: ast.Assignment
) -> None:
    scope: Scope | None = f.scope.compiler.class_scopes.get(ref.name or "")
    if scope is None:
        raise Problem(codes.MISSING_RESOURCE, resource=str(ref), what="")
    for item in names:
        assert isinstance(item, ast.Variable)
        found = scope.compiler.qualified(f"{ref.name}::{item.name}")
        if not scope.compiler.is_bound(f"{ref.name}::{item.name}"):
            raise Problem(codes.BAD_MULTI_ASSIGNMENT, message=f"{ref} has no variable {item.name}")
        _assign(f, item, found, unit, node)
