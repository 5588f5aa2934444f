"""Types of resources written in Ruby, run as far as their titles need it.

A type's file calls ``Puppet::Type.newtype``, or registers with the resource API.  Its block runs
with a class of its own; what it says of parameters, properties and features is heard and left
alone, because the blocks of those run when resources are applied.  Then its ``title_patterns``
is called.
"""

from __future__ import annotations

from typing import Any, Final

from headwater.langs.puppet.catalog.titles import TitlePattern, group_names
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import find
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Pattern,
    Proc,
    RubyValue,
    symbol,
)

TYPE: Final = define("Puppet::Type", OBJECT)
_RESOURCE_API: Final = module("Puppet::ResourceApi")

_KEPT: Final = " types"
"""Where a machine has the types it knows: no variable of Ruby is named so."""

_HEARD: Final = (
    "apply_to apply_to_all apply_to_device apply_to_host autobefore autonotify autorequire "
    "autosubscribe desc doc= ensurable feature newfeature newmetaparam newparam newproperty "
    "provide validate validproperties"
)
"""What a type says of itself that its titles do not hang on."""


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
        block.call([], None, made, (made, OBJECT))
    return made


@own_method(_RESOURCE_API, "register_type")
def register_type(m: Machine, self: RubyValue, about: RubyValue) -> RubyValue:
    _types(m)[m.text(to.hash_(m, about)[symbol("name")])] = about
    return None


def _heard(m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    return None


for _name in _HEARD.split():
    own_method(TYPE, _name)(_heard)


def patterns_of(m: Machine, name: str) -> tuple[TitlePattern, ...]:
    """The title patterns of a type whose file has run."""
    match _types(m).get(name):
        case Class() as found:
            return tuple(_pattern(m, one) for one in _listed(m.send(found, "title_patterns", [])))
        case Hash() as about:
            rows = about.get(symbol("title_patterns"))
            return tuple(_described(one) for one in _listed(rows if rows is not None else []))
    raise Beyond(f"the type {name}")


def _listed(value: RubyValue) -> list[Any]:
    if not isinstance(value, list):
        raise Beyond("title_patterns that are no array")
    return value


def _pattern(m: Machine, row: RubyValue) -> TitlePattern:
    """``[/^(.*)@(.*)$/, [[:name], [:vhost]]]``"""
    pattern, groups = (*_listed(row), None, None)[:2]
    if not isinstance(pattern, Pattern):
        raise Beyond("a title pattern that is no regular expression")
    names = []
    for group in _listed(groups):
        name, change = (*_listed(group), None, None)[:2]
        if change is not None:
            raise Beyond("a title pattern that changes what it finds")
        names.append(to.name_of(m, name))
    find(m, pattern, b"")  # refuses one that is none
    return TitlePattern(pattern.inner, tuple(names))


def _described(row: RubyValue) -> TitlePattern:
    """``{pattern: %r{^(?<name>.*)@(?<vhost>.*)$}, desc: '…'}``"""
    pattern = row.get(symbol("pattern")) if isinstance(row, Hash) else None
    if not isinstance(pattern, Pattern):
        raise Beyond("a title pattern that is no regular expression")
    return TitlePattern(pattern.inner, group_names(pattern.source))


__all__ = ["TYPE", "patterns_of"]
