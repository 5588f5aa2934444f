"""Types of resources written in Ruby, run as far as compiling needs it.

A type's file calls ``Puppet::Type.newtype``, or registers with the resource API.  Its block runs
with a class of its own, and so do the blocks of its parameters and properties, which may say that
they are keys.  What it says of values, features and relations is heard and left alone, because
that is for when resources are applied.  Then its ``title_patterns`` is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from headwater.langs.puppet.catalog.titles import NEVER, TitlePattern, group_names
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.access import body
from headwater.langs.puppet.ruby.classes import OBJECT, define, module
from headwater.langs.puppet.ruby.context import truthy
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import find
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    BoundMethod,
    Class,
    Given,
    Pattern,
    Proc,
    RubyValue,
    Symbol,
    symbol,
)
from headwater.text.named import NamedTuple

TYPE: Final = define("Puppet::Type", OBJECT)
_RESOURCE_API: Final = module("Puppet::ResourceApi")
_PARAMETER: Final = define("Puppet::Parameter", OBJECT)
_PROPERTY: Final = define("Puppet::Property", _PARAMETER)
for _kind in ("Boolean", "PackageOptions", "Path"):
    define(f"Puppet::Parameter::{_kind}", _PARAMETER)
for _kind in ("Boolean", "Ensure", "KeyValue", "List", "OrderedList"):
    define(f"Puppet::Property::{_kind}", _PROPERTY)

_KEPT: Final = " types"
"""Where a machine has the types it knows: no variable of Ruby is named so."""

_HEARD: Final = (
    "apply_to apply_to_all apply_to_device apply_to_host autobefore autonotify autorequire "
    "autosubscribe desc doc= feature newfeature validate"
)
"""What a type says of itself that compiling does not hang on."""
_HEARD_INSIDE: Final = (
    "aliasvalue array_matching= defaultto desc doc= isrequired munge newvalue newvalues nodefault "
    "required_features= sensitive unmunge validate"
)
"""The same for parameters and properties."""
_MEMBERS: Final = " members"
_PROPERTIES: Final = " properties"
_KEYS: Final = " keys"


def _types(m: Machine) -> dict[str, Any]:
    found: dict[str, Any] = m.globals.setdefault(_KEPT, {})
    return found


@own_method(TYPE, "newtype")
def newtype(
    m: Machine,
    self: RubyValue,
    name: RubyValue,
    options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    called = to.name_of(m, name)
    made = Class(f"Puppet::Type::{called.capitalize()}", TYPE)
    _types(m)[called] = made
    if block is not None:
        with body(made, m.method):
            block.call([], None, made, (made, OBJECT))
    return made


@own_method(_RESOURCE_API, "register_type")
def register_type(m: Machine, self: RubyValue, about: RubyValue) -> RubyValue:
    _types(m)[m.text(to.hash_(m, about)[symbol("name")])] = about
    return None


@own_method(TYPE, "newparam")
def newparam(
    m: Machine, self: Class, name: RubyValue, options: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    return _member(m, self, name, options, block, _PARAMETER)


@own_method(TYPE, "newproperty")
def newproperty(
    m: Machine, self: Class, name: RubyValue, options: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    return _member(m, self, name, options, block, _PROPERTY)


def _member(
    m: Machine, type_: Class, name: RubyValue, options: Given, block: Proc | None, kind: Class
) -> Class:
    """A parameter or property, whose block says more of it."""
    called = to.name_of(m, name)
    if kind is _PROPERTY and called in type_.ivars.get(_PROPERTIES, ()):
        short = m.text(type_.name).rpartition("::")[2].lower()
        m.fail("Puppet::DevError", f"Class {short} already has a property named {called}")
    given = options if isinstance(options, Hash) else Hash()
    parent = given.get(symbol("parent"))
    if parent is not None and not isinstance(parent, Class):
        raise Beyond("a parameter whose parent is no class")
    made = Class(f"{type_.name}::{called.capitalize()}", parent or kind)
    type_.ivars.setdefault(_MEMBERS, []).append(called)
    if kind is _PROPERTY:
        type_.ivars.setdefault(_PROPERTIES, set()).add(called)
    made.ivars[_MEMBERS] = (type_, called)
    if called == "name" or given.get(symbol("namevar")) not in (None, False):
        isnamevar(m, made)
    if block is not None:
        with body(made, m.method):
            block.call([made], None, made, (made, OBJECT))
    return made


@own_method(_PARAMETER, "isnamevar")
def isnamevar(m: Machine, self: Class) -> RubyValue:
    """A parameter that says so is a key; a property is none, whatever it says."""
    type_, called = self.ivars[_MEMBERS]
    if not self.is_below(_PROPERTY):
        type_.ivars.setdefault(_KEYS, []).append(called)
    return True


@own_method(TYPE, "ensurable")
def ensurable(m: Machine, self: Class, block: Proc | None = None) -> RubyValue:
    _member(m, self, symbol("ensure"), UNDEFINED, None, _PROPERTY)
    return None


@own_method(TYPE, "provide", "providify")
def provide(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    """A type with providers lets resources choose one; what they do is not asked."""
    self.ivars.setdefault(_MEMBERS, []).append("provider")
    return None


def _keys(type_: Class) -> tuple[str, ...]:
    return tuple(dict.fromkeys(type_.ivars.get(_KEYS, ())))


@own_method(TYPE, "key_attributes")
def key_attributes(m: Machine, self: Class) -> RubyValue:
    return [symbol(name) for name in _keys(self)]


@own_method(TYPE, "title_patterns")
def title_patterns(m: Machine, self: Class) -> RubyValue:
    """Those of a type that has none of its own: the title is the one key."""
    keys = _keys(self)
    if len(keys) > 1:
        raise m.error("RuntimeError", "two or more keys need title patterns")
    return [[Pattern("(.*)", "m"), [[symbol(key)]]] for key in keys]


@own_method(TYPE, "isomorphic?")
def isomorphic(m: Machine, self: Class) -> RubyValue:
    return self.ivars.get("isomorphic", True)


@own_method(TYPE, "validproperties")
def validproperties(m: Machine, self: Class) -> RubyValue:
    return [symbol(name) for name in self.ivars.get(_MEMBERS, [])]


def _heard(m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    return None


for _name in _HEARD.split():
    own_method(TYPE, _name)(_heard)
for _name in _HEARD_INSIDE.split():
    own_method(_PARAMETER, _name)(_heard)


class Members(NamedTuple):
    """The parameters and properties of a type, and which of them are keys."""

    names: frozenset[str]
    keys: tuple[str, ...]
    isomorphic: bool = True
    """Whether two resources of one name are the same."""


def members_of(m: Machine, name: str) -> Members:
    """What a type has whose file has run."""
    match _types(m).get(name):
        case Class() as found:
            return Members(
                frozenset(found.ivars.get(_MEMBERS, ())),
                _keys(found),
                truthy(m.send(found, "isomorphic?", [])),
            )
        case Hash() as about:
            attributes = about.get(symbol("attributes"))
            if isinstance(attributes, Hash):
                return Members(
                    frozenset(map(m.text, attributes)),
                    tuple(m.text(key) for key, one in attributes.pairs() if _is_key(one)),
                )
    raise Beyond(f"the type {name}")


def _is_key(about: RubyValue) -> bool:
    spelled = ("behaviour", "behavior")
    return isinstance(about, Hash) and any(
        about.get(symbol(name)) is symbol("namevar") for name in spelled
    )


Changing = Callable[[Proc | BoundMethod], Callable[[str | None], Any]]
"""How a function of Ruby becomes one of what a group of a title pattern found."""

_NAME: Final = TitlePattern("(?m:(.*))", ("name",))
"""For nil: the title is the name, whatever the keys are."""


def patterns_of(m: Machine, name: str, changing: Changing) -> tuple[TitlePattern, ...]:
    """The title patterns of a type whose file has run."""
    match _types(m).get(name):
        case Class() as found:
            if found.find_own("title_patterns") is TYPE.own["title_patterns"]:
                return (NEVER,) if len(_keys(found)) > 1 else ()
            rows = m.send(found, "title_patterns", [])
            if rows is None:
                return (_NAME,)
            return tuple(_pattern(m, one, changing) for one in _listed(rows)) or (NEVER,)
        case Hash() as about:
            rows = about.get(symbol("title_patterns"))
            return tuple(_described(one) for one in _listed(rows if rows is not None else []))
    raise Beyond(f"the type {name}")


def _listed(value: RubyValue) -> list[Any]:
    if not isinstance(value, list):
        raise Beyond("title_patterns that are no array")
    return value


def _pattern(m: Machine, row: RubyValue, changing: Changing) -> TitlePattern:
    """``[/^(.*)@(.*)$/, [[:name], [:vhost]]]``"""
    pattern, groups = (*_listed(row), None, None)[:2]
    if not isinstance(pattern, Pattern):
        raise Beyond("a title pattern that is no regular expression")
    names, changes = [], []
    for group in _listed(groups):
        name, change = (*(group if isinstance(group, list) else [group]), None, None)[:2]
        if not isinstance(name, Symbol):
            raise Beyond("a title pattern whose group is named by no symbol")
        if change is not None and not isinstance(change, Proc | BoundMethod):
            raise Beyond("a title pattern that changes what it finds, and not by a function")
        names.append(to.name_of(m, name))
        changes.append(None if change is None else changing(change))
    find(m, pattern, b"")  # refuses one that is none
    return TitlePattern(pattern.inner, tuple(names), tuple(changes))


def _described(row: RubyValue) -> TitlePattern:
    """``{pattern: %r{^(?<name>.*)@(?<vhost>.*)$}, desc: '…'}``"""
    pattern = row.get(symbol("pattern")) if isinstance(row, Hash) else None
    if not isinstance(pattern, Pattern):
        raise Beyond("a title pattern that is no regular expression")
    return TitlePattern(pattern.inner, group_names(pattern.source))


__all__ = ["TYPE", "Members", "members_of", "patterns_of"]
