"""``loaders``: how a function asks which other functions there are."""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.functions import compiler_of
from headwater.langs.puppet.ruby.library import POPS
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, refuse
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.resources import CompilerObject
from headwater.langs.puppet.ruby.values import Native, RubyObject, RubyValue, symbol

_LOADERS: Final = define("Puppet::Pops::Loaders", OBJECT)
module("Puppet::Pops::Loader")
_LOADER: Final = define("Puppet::Pops::Loader::Loader", OBJECT)
assert POPS.constants["Loaders"] is _LOADERS


class LoadersObject(Native):
    """``loaders``"""


class LoaderObject(Native):
    """A loader that sees all that an environment has."""


OF_TYPE.update({LoadersObject: _LOADERS, LoaderObject: _LOADER})


@method(OF_TYPE[CompilerObject], "loaders")
def loaders(m: Machine, self: RubyValue) -> RubyValue:
    return LoadersObject()


@method(_LOADERS, "private_environment_loader", "public_environment_loader")
def environment_loader(m: Machine, self: RubyValue) -> RubyValue:
    return LoaderObject()


@method(_LOADER, "load")
def load(m: Machine, self: RubyValue, kind: RubyValue, name: RubyValue) -> RubyValue:
    """What there is of a name; of what is found, only that it was found is told."""
    if kind is not symbol("function"):
        raise Beyond(f"a loader's load({m.inspect(kind)}, …)")
    called = to.name_of(m, name).lower().removeprefix("::")
    there = compiler_of(m)
    if not (there.has_function(called, old=False) or there.has_function(called, old=True)):
        return None
    return RubyObject(_FOUND)


_FOUND: Final = define("Puppet::Pops::Loader::Found", OBJECT)
refuse(_FOUND, "a function that a loader found", "call parameter_count signatures type loader")
refuse(
    _LOADERS, "other loaders",
    "puppet_system_loader static_loader find_loader implementation_registry",
)  # fmt: skip
refuse(
    _LOADER, "what a loader found",
    "discover find get_entry load_typed loaded_entry parent private_loader",
)  # fmt: skip
