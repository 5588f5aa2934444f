"""``private``, ``public``, ``protected`` and ``module_function``: who may call what.

Private methods are kept from calls with a receiver that is not ``self``; protected ones are
called by anybody, because what modules check with them is checked by their own tests.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.classes import MAIN, MODULE
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, refuse
from headwater.langs.puppet.ruby.values import Class, RubyValue


def _names(m: Machine, args: tuple[Any, ...]) -> list[str]:
    return [to.name_of(m, one) for arg in args for one in (arg if arg.__class__ is list else [arg])]


def _given(args: tuple[Any, ...]) -> RubyValue:
    return None if not args else args[0] if len(args) == 1 else list(args)


def _setting(name: str) -> None:
    def call(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
        if not args:
            self.access.visibility = name
            self.access.module_functions = False
        m.hides = m.hides or name == "private"
        for one in _names(m, args):
            if self.find(one) is None:
                kind = "module" if self.is_module else "class"
                raise m.error("NameError", f"undefined method `{one}' for {kind} `{self.name}'")
            self.access.hidden[one] = name
        return _given(args)

    method(MODULE, name)(call)


for _name in ("private", "public", "protected"):
    _setting(_name)


@method(MODULE, "module_function")
def module_function(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    if not args:
        self.access.module_functions = True
    for name in _names(m, args):
        found = self.find(name)
        if found is None:
            raise m.error("NameError", f"undefined method `{name}' for module `{self.name}'")
        self.own[name] = found
    return _given(args)


@method(MODULE, "private_class_method")
def private_class_method(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    m.hides = True
    for name in _names(m, args):
        if m.find(self, name) is None:
            said = f"undefined method `{name}' for class `#<Class:{self.name}>'"
            raise m.error("NameError", said)
        self.access.hidden_own.add(name)
    return self


@method(MODULE, "public_class_method")
def public_class_method(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    self.access.hidden_own.difference_update(_names(m, args))
    return self


@method(MODULE, "private_constant", "public_constant")
def constants(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    for name in _names(m, args):
        if name not in self.constants and name not in m.constants.get(self, {}):
            raise m.error("NameError", f"constant {self.name}::{name} not defined")
    return self


refuse(MODULE, "Ruby's own classes do not change here", "refine using")


def _nothing(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    """At the top of a file everything is private to all objects anyway."""
    return _given(args)


for _name in ("private", "public"):
    MAIN[_name] = Builtin(_name, _nothing)
