"""``scope`` in templates and functions, and the object a template runs in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.functions_protocol import Context
from headwater.langs.puppet.ruby.classes import OF_TYPE
from headwater.langs.puppet.ruby.exchange import to_ruby
from headwater.langs.puppet.ruby.library import SCOPE, TEMPLATE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Proc, RubyObject


class ScopeObject:
    """``scope``: where a template or function was called, as it may ask for variables."""

    __slots__ = ("context", "ivars")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ivars: dict[str, Any] = {}


OF_TYPE[ScopeObject] = SCOPE


class Variables:
    """The instance variables of a template: the variables of its scope, read when asked for."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._set: dict[str, Any] = {}

    def get(self, name: str, default: Any = None) -> Any:
        if name in self._set:
            return self._set[name]
        value = self._context.variable(name)
        made = self._set[name] = to_ruby(value)
        return default if made is None else made

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._set[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._set or self._context.has_variable(name)

    def __iter__(self) -> Iterator[str]:
        raise Beyond("a list of all variables")

    def __bool__(self) -> bool:
        return True


def template_object(context: Context) -> RubyObject:
    """The ``self`` of a template."""
    made = RubyObject(TEMPLATE)
    made.ivars = Variables(context)  # type: ignore[assignment]
    made.own = {}
    return made


def _context(self: Any) -> Context:
    found: Context = self.context if self.__class__ is ScopeObject else self.ivars._context
    return found


@method(TEMPLATE, "scope")
def scope(m: Machine, self: RubyObject) -> Any:
    return ScopeObject(_context(self))


@method(TEMPLATE, "has_variable?")
@method(SCOPE, "include?", "exist?", "has_variable?", "bound?")
def has_variable(m: Machine, self: Any, name: Any) -> bool:
    return _context(self).has_variable(m.text(name).removeprefix("::"))


@method(TEMPLATE, "to_s", "inspect")
def template_text(m: Machine, self: RubyObject) -> str:
    return "template[inline]"


@method(TEMPLATE, "file")
def template_file(m: Machine, self: RubyObject) -> Any:
    raise Beyond("the path of a template")


@method(TEMPLATE, "all_tags", "classes", "tags")
@method(SCOPE, "catalog", "compiler", "tags", "classes", "environment", "resource", "source",
        "known_resource_types", "find_hostclass", "find_definition", "findresource",
        "find_resource",
        "class_scope", "effective_symtable", "to_hash", "setvar", "[]=", "add_resource",
        "parent", "enclosing_scope", "inherited_scope", "class_set", "newscope")  # fmt: skip
def inside(m: Machine, self: Any, *args: Any) -> Any:
    raise Beyond("the catalog and the compiler")


@method(SCOPE, "lookupvar", "[]")
def lookupvar(m: Machine, self: ScopeObject, name: Any, options: Any = None) -> Any:
    text = m.text(name)
    return to_ruby(
        _context(self).variable(text.removeprefix("::") if text.count("::") == 1 else text)
    )


@method(SCOPE, "call_function")
def call_function(
    m: Machine, self: Any, name: Any, args: Any = None, block: Proc | None = None
) -> Any:
    given = args if args.__class__ is list else [] if args is None else [args]
    return m.call(m.text(name), list(given), block)


@method(SCOPE, "method_missing")
def method_missing(m: Machine, self: Any, name: Any, *args: Any, block: Proc | None = None) -> Any:
    """``scope.function_x([…])``: a function of Puppet by its older name."""
    called = to.name_of(m, name)
    if not called.startswith("function_"):
        raise m.error("NoMethodError", f"undefined method `{called}' for {m.described(self)}")
    if len(args) != 1 or args[0].__class__ is not list:
        raise m.error(
            "ArgumentError",
            "custom functions must be called with a single array that contains the arguments. "
            "For example, function_example([1]) instead of function_example(1)",
        )
    return m.call(called.removeprefix("function_"), list(args[0]), block)


@method(SCOPE, "respond_to?")
def responds(m: Machine, self: Any, name: Any, private: Any = False) -> bool:
    return m.find(self, to.name_of(m, name)) is not None


@method(SCOPE, "to_s", "inspect")
def scope_text(m: Machine, self: Any) -> Any:
    raise Beyond("a scope as text")


@method(SCOPE, "is_a?")
def scope_is_a(m: Machine, self: Any, cls: Any) -> bool:
    return SCOPE.is_below(to.the_class(m, cls))


__all__ = ["ScopeObject", "Variables", "template_object"]
