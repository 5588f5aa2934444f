"""``scope`` in templates and functions, and the object a template runs in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OF_TYPE
from headwater.langs.puppet.ruby.functions import functions_of
from headwater.langs.puppet.ruby.library import PARSE_ERROR, SCOPE, TEMPLATE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.surroundings import ScopeObject, Surroundings
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Proc,
    RubyObject,
    RubyValue,
    Text,
)

OF_TYPE[ScopeObject] = SCOPE


class Variables:
    """The instance variables of a template: the variables of its scope, read when asked for."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self._set: dict[str, Any] = {}
        """Those that have a value, and those that the template itself has set, to nil perhaps."""
        self._absent: set[str] = set()

    def get(self, name: str, default: RubyValue = None) -> RubyValue:
        made = self._set.get(name, UNDEFINED)
        if made is UNDEFINED:
            made = None if name in self._absent else self.surroundings.exposed(name)
            if made is None:
                self._absent.add(name)
                return default
            self._set[name] = made
        return default if made is None else made

    def __getitem__(self, name: str) -> RubyValue:
        return self.get(name)

    def __setitem__(self, name: str, value: RubyValue) -> None:
        self._set[name] = value

    def pop(self, name: str) -> RubyValue:
        """Takes a variable away, from this template only."""
        found = self.get(name)
        self._set.pop(name, None)
        self._absent.add(name)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._set or self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        raise Beyond("a list of all variables")

    def __bool__(self) -> bool:
        return True


def template_object(m: Machine, surroundings: Surroundings, file: str | None) -> RubyObject:
    """The ``self`` of a template, which comes from a file or was given as text."""
    made = RubyObject(TEMPLATE)
    made.own = functions_of(m).of_templates
    variables = Variables(surroundings)
    variables["__file__"] = None if file is None else Text(file)
    made.ivars = variables  # type: ignore[assignment]
    return made


def _around(self: ScopeObject | RubyObject) -> Surroundings:
    if isinstance(self, ScopeObject):
        return self.surroundings
    assert isinstance(self.ivars, Variables)
    return self.ivars.surroundings


@method(TEMPLATE, "scope")
def scope(m: Machine, self: RubyObject) -> RubyValue:
    return ScopeObject(_around(self))


@method(TEMPLATE, "file")
def template_file(m: Machine, self: RubyObject) -> RubyValue:
    return self.ivars.get("__file__")


@method(TEMPLATE, "to_s")
def template_text(m: Machine, self: RubyObject) -> str:
    return f"template[{m.text(self.ivars.get('__file__')) or 'inline'}]"


_OUTSIDE: Final = {
    TEMPLATE: "classes all_tags tags instance_variables instance_variable_set result",
    SCOPE: "tags classes known_resource_types "
    "find_resource class_scope effective_symtable "
    "add_resource parent enclosing_scope inherited_scope class_set newscope "
    "lookupdefaults is_topscope? is_classscope? is_nodescope? to_s inspect",
}
"""Methods that lead into the compiler."""


def _outside(name: str) -> Callable[..., RubyValue]:
    def outside(
        m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None
    ) -> RubyValue:
        raise Beyond(name)

    return outside


for _cls, _names in _OUTSIDE.items():
    for _called in _names.split():
        _prefix = "scope." if _cls is SCOPE else ""
        method(_cls, _called)(_outside(f"{_prefix}{_called}"))


@method(SCOPE, "setvar", "[]=")
def setvar(
    m: Machine, self: ScopeObject, name: RubyValue, value: RubyValue, options: Given = UNDEFINED
) -> RubyValue:
    called = to.string(m, name)
    if called.isdigit():
        message = f"Cannot assign to a numeric match result variable '${called}'"
        raise m.error(PARSE_ERROR, message)
    if "::" in called or options is not UNDEFINED:
        raise Beyond("scope.setvar of another scope")
    if called in ("trusted", "facts", "server_facts"):
        message = f"Attempt to assign to a reserved variable name: '${called}'"
        raise m.error(PARSE_ERROR, message)
    if not _around(self).assign(called, value):
        raise m.error(PARSE_ERROR, f"Cannot reassign variable '${called}'")
    return value


@method(TEMPLATE, "inspect")
def template_inspect(m: Machine, self: RubyObject) -> str:
    """What stands in messages; Ruby adds an address."""
    return "#<Puppet::Parser::TemplateWrapper>"


# variables


def _name(m: Machine, name: RubyValue) -> str:
    if not to.is_string(name):
        kind = m.text(m.send(m.send(name, "class", []), "name", []))
        raise m.error(
            PARSE_ERROR, f"Scope variable name {m.inspect(name)} is a {kind}, not a string"
        )
    return m.text(name)


@method(SCOPE, "lookupvar", "[]")
def lookupvar(
    m: Machine, self: ScopeObject, name: RubyValue, options: RubyValue = None
) -> RubyValue:
    text = _name(m, name)
    there, value = self.surroundings.find(text)
    if not there:
        reason = self.surroundings.absent(text)
        if self.surroundings.strict:
            raise m.error("ArgumentError", f"Undefined variable '{text}'{reason}")
    return value


@method(SCOPE, "include?")
@method(TEMPLATE, "has_variable?")
def has_value(m: Machine, self: ScopeObject | RubyObject, name: RubyValue) -> bool:
    """Whether a variable is there and not undef."""
    text = m.text(name) if self.__class__ is RubyObject else _name(m, name)
    return _around(self).find(text)[1] is not None


@method(SCOPE, "exist?")
def exists(m: Machine, self: ScopeObject, name: RubyValue) -> bool:
    return self.surroundings.find(_name(m, name))[0]


@method(SCOPE, "bound?")
def bound(m: Machine, self: ScopeObject, name: RubyValue) -> bool:
    return self.surroundings.bound(_name(m, name))


@method(SCOPE, "to_hash")
def to_hash(
    m: Machine, self: ScopeObject, recursive: RubyValue = True, undefined: RubyValue = False
) -> Hash:
    found = self.surroundings.everything(around=m.truth(recursive), undefined=m.truth(undefined))
    return Hash(dict(found))


# functions


@method(SCOPE, "call_function")
def call_function(
    m: Machine,
    self: ScopeObject,
    name: RubyValue,
    args: RubyValue,
    block: Proc | None = None,
) -> RubyValue:
    return m.call(m.text(name), list(m.spread(args)), block, self)


_OTHERS: Final = frozenset(
    ["class_scope", "class_set", "defaults", "define_settings", "effective_symtable",
     "enclosing_scope", "ephemeral_from", "ephemeral_level", "find_builtin_resource_type",
     "find_defined_resource_type", "find_resource_type", "get_local_variable", "handle_not_found",
     "has_local_variable?", "inherited_scope", "is_classscope?", "is_default?", "is_nodescope?",
     "is_topscope?", "lookup_qualified_variable", "lookupdefaults", "lookuptype",
     "merge_settings", "new_ephemeral", "new_match_scope", "newscope", "parent", "parent=",
     "pop_ephemerals", "push_ephemerals", "resolve_type_and_titles",
     "set_facts", "set_match_data", "set_server_facts", "set_trusted",
     "transform_and_assert_classnames", "undef_as", "variable_not_found", "with_global_scope",
     "with_guarded_scope", "with_local_scope", "with_parameter_scope",
     "without_ephemeral_scopes"]
)  # fmt: skip
"""What else a scope of Puppet can; it is refused by name."""


@method(SCOPE, "method_missing")
def method_missing(
    m: Machine, self: ScopeObject, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    """``scope.function_x([…])``: a function of Puppet by its older name."""
    called = to.name_of(m, name)
    function = called.removeprefix("function_")
    old = called != function and m.host is not None and m.host.has_function(function, old=True)
    if not old and called in _OTHERS:
        raise Beyond(f"scope.{called}")
    if not old:
        raise m.error(
            "NoMethodError", f"undefined method `{called}' for Puppet::Parser::Scope", name=name
        )
    given = args[0] if len(args) == 1 else None
    if given.__class__ is not list:
        raise m.error(
            "ArgumentError",
            "custom functions must be called with a single array that contains the arguments. "
            "For example, function_example([1]) instead of function_example(1)",
        )
    assert m.host is not None
    return m.host.call_old(function, list(given), self)


@method(SCOPE, "respond_to?")
def responds(m: Machine, self: RubyValue, name: RubyValue, private: RubyValue = False) -> bool:
    called = to.name_of(m, name)
    function = called.removeprefix("function_")
    if called != function and m.host is not None:
        return m.host.has_function(function, old=True)
    return m.find(self, called) is not None


@method(SCOPE, "is_a?")
def scope_is_a(m: Machine, self: RubyValue, cls: RubyValue) -> bool:
    return SCOPE.is_below(to.the_class(m, cls))


__all__ = ["ScopeObject", "Surroundings", "Variables", "template_object"]
