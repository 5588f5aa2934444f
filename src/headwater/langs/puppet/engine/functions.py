"""Functions that belong to the compiler, and how any function is found by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, flattened
from headwater.langs.puppet.engine.calls import Call
from headwater.langs.puppet.engine.collectors import realize as note_realize
from headwater.langs.puppet.engine.declare import declare, evaluate_classes
from headwater.langs.puppet.engine.equality import _shown
from headwater.langs.puppet.engine.frames import UNBOUND, Act, Frame, Scope, find
from headwater.langs.puppet.engine.lambdas import Callee, call_function
from headwater.langs.puppet.engine.show import text_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.functions import find as find_built_in
from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.types.model import TypeType, is_type
from headwater.langs.puppet.values import (
    DEFAULT,
    Binary,
    ClassRef,
    Opaque,
    Regexp,
    ResourceRef,
    SemVer,
    SemVerRange,
    Timespan,
    Timestamp,
    capitalised,
    opaque_in,
)
from headwater.text import Span

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler

Own = Callable[[Call, Sequence[Any], Any], Any]

OWN: dict[str, tuple[Own, int, int | None]] = {}


def own(name: str, least: int = 0, most: int | None = None) -> Callable[[Own], Own]:
    """Registers a function of the compiler with the number of arguments it takes."""

    def register(function: Own) -> Own:
        OWN[name] = (function, least, most)
        return function

    return register


def find_function(compiler: Compiler, name: str) -> Callable[..., Any] | None:
    """The function of a name: written in Puppet, of the compiler, or built in."""
    written = compiler.function_nodes.get(name)
    if written is None:
        entry = OWN.get(name) or _late(name)
        if entry is not None:
            return _counted(*entry)
        built_in = find_built_in(name)
        if built_in is not None:
            return _of_known(built_in.call)
        found = compiler.loader.function(name)
        if not isinstance(found, tuple):
            return None
        written = found
    unit, node = written
    callee = unit.once("function", node, lambda: Callee(unit, node, name))
    compiler.callees[name] = callee

    def written_in_puppet(call: Call, args: Sequence[Any], block: Any) -> Any:
        return call_function(callee, global_scope(call.frame.scope), args, call)

    return written_in_puppet


def _late(name: str) -> tuple[Own, int, int | None] | None:
    """A function of the compiler whose module is not loaded yet."""
    if name in _TEMPLATES:
        import headwater.langs.puppet.templates.epp
    elif name in _LOOKUPS:
        import headwater.langs.puppet.engine.lookups
    elif name in _CONTEXTS:
        import headwater.langs.puppet.engine.contexts  # noqa: F401
    return OWN.get(name)


_TEMPLATES = frozenset(["epp", "inline_epp", "template", "inline_template"])
_LOOKUPS = frozenset(["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"])
_CONTEXTS = frozenset([
    "not_found", "explain", "interpolate", "module_name", "environment_name", "cache",
    "cache_all", "cache_has_key", "cached_value", "cached_entries", "cached_file_data",
])  # fmt: skip


def _of_known(function: Callable[..., Any]) -> Callable[..., Any]:
    """A built-in function; what it would make of an unknown value is unknown."""

    def known(call: Call, args: Sequence[Any], block: Any) -> Any:
        if call.frame.scope.compiler.opaque:
            for item in args:
                found = opaque_in(item)
                if found is not None:
                    if block is not None:
                        call.compiler.undecide(call.unit, call.node, found)
                    return found
        return function(call, args, block)

    return known


_WITHOUT_BLOCK = frozenset(["include", "contain", "require", "defined", "epp", "inline_epp"])
"""Functions that refuse a lambda; the older ones do not care."""


def _counted(function: Own, least: int, most: int | None) -> Callable[..., Any]:
    def counted(call: Call, args: Sequence[Any], block: Any) -> Any:
        if len(args) < least or (most is not None and len(args) > most):
            wanted = f"at least {least}" if len(args) < least else f"at most {most}"
            call.mistyped(f"expects {wanted} arguments, got {len(args)}")
        if block is not None and call.name in _WITHOUT_BLOCK:
            call.mistyped("does not expect a block")
        return function(call, args, block)

    return counted


def global_scope(scope: Scope) -> Scope:
    """The node scope or the top, from which functions and templates look."""
    while scope.parent is not None and not scope.is_node:
        outer = scope.outer
        if outer is None:
            return scope
        scope = outer
    return scope


def unknown_function(compiler: Compiler, name: str, span: Span) -> Callable[..., Any]:
    """What calling a function does that nobody here can run."""
    where = compiler.loader.function(name)
    if not isinstance(where, str):
        raise Fault(codes.UNKNOWN_FUNCTION.at(span, name=name))
    if compiler.inputs.on_unknown != "opaque":
        raise Fault(codes.RUBY_FUNCTION.at(span, name=name, where=where))
    compiler.opaque = True

    def opaque(call: Call, args: Sequence[Any], block: Any) -> Opaque:
        compiler.warn(codes.OPAQUE_VALUE, call.unit.span(call.node), what=f"{name}()")
        call.external("unknown", f"{name}()", where)
        unknown = Opaque(f"{name}()")
        if getattr(call.node, "statement", False):
            compiler.undecide(call.unit, call.node, unknown)
        return unknown

    return opaque


# -- classes -------------------------------------------------------------------------------------


def class_names(args: Sequence[Any]) -> list[str]:
    """The names of the classes that arguments stand for."""
    names: list[str] = []
    for item in flattened(list(args)):
        match item:
            case Opaque():
                continue
            case str() if item:
                name = item
            case ClassRef(name=str() as name):
                pass
            case ResourceRef(type="Class", title=str() as name):
                pass
            case _:
                raise Problem(codes.BAD_CLASS_NAME, value=_shown(item))
        names.append(name.lower().removeprefix("::"))
    return names


def _include(call: Call, args: Sequence[Any]) -> tuple[list[str], list[Any]]:
    names = class_names(args)
    compiler = call.compiler
    unknown = opaque_in(list(args))
    if unknown is not None:
        compiler.undecide(call.unit, call.node, unknown)
    return names, evaluate_classes(compiler, names, call.frame.scope, _act(call, "include"))


def _act(call: Call, kind: str, subject: Any = None) -> Act:
    """A call as something done."""
    f = call.frame
    return Act(kind, subject, call.unit, call.node, f, f.guard, call.compiler.clock)


@own("include", 1)
def include(call: Call, args: Sequence[Any], block: Any) -> Any:
    names, _ = _include(call, args)
    return [ClassRef(name) for name in names]


@own("contain", 1)
def contain(call: Call, args: Sequence[Any], block: Any) -> Any:
    names, resources = _include(call, args)
    container = call.frame.scope.resource
    assert container is not None
    for resource in resources:
        call.compiler.catalog.contain(container, resource)
        call.compiler.acts.append(_act(call, "contain", (container, resource)))
    return [ClassRef(name) for name in names]


@own("require", 1)
def require(call: Call, args: Sequence[Any], block: Any) -> Any:
    names, _ = _include(call, args)
    resource = call.frame.scope.resource
    assert resource is not None
    for name in names:
        old = resource.value("require")
        value = [item for item in flattened(old) if item is not None]
        value.append(ResourceRef("Class", capitalised(name)))
        param = Param(
            value, resource.source, "require", unit=call.unit, node=call.node, frame=call.frame,
            guard=call.frame.guard,
        )  # fmt: skip
        resource.set("require", param)
    return [ClassRef(name) for name in names]


# -- resources -----------------------------------------------------------------------------------


@own("realize", 1)
def realize(call: Call, args: Sequence[Any], block: Any) -> Any:
    note_realize(call.compiler, list(args), _act(call, "realize"))


def _plain(value: Any) -> Any:
    """A value as a function of the old kind gets it: what Puppet 3 did not know is a text."""
    match value:
        case list():
            return [_plain(item) for item in value]
        case Hash():
            return value.map_pairs(lambda key, item: (_plain(key), _plain(item)))
        case Regexp() | SemVer() | SemVerRange() | Binary() | Timespan() | Timestamp():
            return text_of(value)
        case _:
            return value


@own("create_resources", 2, 3)
def create_resources(call: Call, args: Sequence[Any], block: Any) -> Any:
    unknown = opaque_in(list(args))
    if unknown is not None:
        call.compiler.undecide(call.unit, call.node, unknown)
    if any(isinstance(item, Opaque) for item in args):
        return []
    type_, instances, *rest = (_plain(item) for item in args)
    defaults = rest[0] if rest else Hash()
    if not isinstance(type_, str):
        call.fail("the first argument is the name of a type")
    if not isinstance(instances, Hash) or not isinstance(defaults, Hash):
        call.fail("the second argument, and the third if there is one, must be a hash")
    form = len(type_) - len(type_.lstrip("@"))
    name = type_.lstrip("@").lower()
    if name == "class" and form:
        call.fail("classes cannot be virtual or exported")
    f, unit, node = call.frame, call.unit, call.node
    source = f.scope.source
    found: list[Any] = []
    for title, params in instances.pairs():
        if isinstance(params, Opaque):
            continue
        if not isinstance(params, Hash):
            call.fail(f"the parameters of {title} are no hash")
        given: dict[str, Param] = {}
        for key, value in defaults.merged(params).pairs():
            if not isinstance(key, str) and key is not DEFAULT:
                call.fail(f"{_shown(key)} is no name of a parameter")
            given[text_of(key)] = Param(
                value, source, "given", unit=unit, node=node, frame=f, guard=f.guard,
                detail=(identity(title), identity(key)),
            )  # fmt: skip
        titles = title if isinstance(title, list) else [title]
        for one in titles:
            text = one if isinstance(one, str) else _title(call, name, one)
            untold = one if text is not one else None
            own = dict(given)
            found.append(declare(f, unit, node, node, name, text, own, form > 0, form == 2, untold))
    return found


def _title(call: Call, type_: str, value: Any) -> str:
    """The title that a number, or true, in the place of one gives."""
    if not isinstance(value, int | float) or value is False or type_ == "class":
        call.fail(f"the title {_shown(value)} is no string")
    return text_of(value)


@own("tag", 1)
def tag(call: Call, args: Sequence[Any], block: Any) -> Any:
    resource = call.frame.scope.resource
    assert resource is not None
    if None in args:
        raise Problem(codes.BAD_TAG, name="")
    resource.tag(list(args))
    call.compiler.acts.append(_act(call, "tag", resource))


@own("tagged", 1)
def tagged(call: Call, args: Sequence[Any], block: Any) -> bool:
    resource = call.frame.scope.resource
    assert resource is not None
    call.external("query", "tagged()")
    catalog = call.compiler.catalog.tags
    return all(
        text_of(item).lower() in catalog or resource.has_tag([text_of(item).lower()])
        for item in args
    )


@own("defined", 1)
def defined(call: Call, args: Sequence[Any], block: Any) -> Any:
    call.external("query", "defined()")
    unknown = opaque_in(list(args))
    if unknown is not None:
        return unknown
    for item in args:
        if not isinstance(item, str) and not is_type(item):
            call.mistyped(f"expects strings and types, got {_shown(item)}")
    return any(_is_defined(call, item) for item in args)


def _is_defined(call: Call, item: Any) -> bool:
    compiler = call.compiler
    if isinstance(item, TypeType):
        inner = item.type
        if isinstance(inner, ClassRef) and inner.name is not None:
            return compiler.find_class(inner.name) is not None
        item = inner
    match item:
        case str() if item.startswith("$"):
            name = item[1:]
            if "::" in name:
                return compiler.is_bound(name.removeprefix("::"))
            return find(call.frame, name) is not UNBOUND
        case "" | None:
            return False
        case "main":
            return True
        case str():
            return _is_type(compiler, item.removeprefix("::").lower()) or (
                compiler.find_class(item) is not None
            )
        case ResourceRef(type=str() as type_, title=None):
            return _is_type(compiler, type_.lower())
        case ResourceRef(type=str() as type_, title=str() as title):
            return compiler.find_resource(type_, title) is not None
        case ClassRef(name=str() as name):
            return compiler.class_resource(name) is not None
    raise Problem(codes.MISTYPED, message=f"cannot tell whether {_shown(item)} is defined")


def _is_type(compiler: Compiler, name: str) -> bool:
    try:
        compiler.resource_type(name)
    except Problem:
        return False
    return True


def under_unknown(frame: Frame) -> bool:
    """Whether what runs in a frame runs because of a condition that is unknown."""
    guard, scope = frame.guard, frame.scope
    while True:
        while guard is not None:
            if isinstance(guard.taken, Opaque):
                return True
            guard = guard.outer
        resource = scope.resource
        if resource is None or resource.scope is None or resource.scope is scope:
            return False
        guard, scope = resource.guard, resource.scope


@own("fail")
def fail_(call: Call, args: Sequence[Any], block: Any) -> Any:
    if call.compiler.opaque and under_unknown(call.frame):
        call.compiler.warn(
            codes.OPAQUE_VALUE, call.unit.span(call.node), what="why fail() is called"
        )
        return None
    message = " ".join(text_of(item) for item in args)
    raise Problem(codes.FAILED, message=message or "fail() was called")
