"""``private``, ``public``, ``protected`` and ``module_function``: who may call what.

Private methods are kept from calls with a receiver that is not ``self``, protected ones from
callers that are of another class.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.access import of_method
from headwater.langs.puppet.ruby.classes import BUILTIN, MAIN, MODULE
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, refuse
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Class, RubyValue, symbol


def _names(m: Machine, args: tuple[Any, ...]) -> list[str]:
    return [to.name_of(m, one) for arg in args for one in (arg if arg.__class__ is list else [arg])]


def _given(args: tuple[Any, ...]) -> RubyValue:
    return None if not args else args[0] if len(args) == 1 else list(args)


def _setting(name: str) -> None:
    def call(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
        m.check_open(self)
        if not args and self.access.inside is m.method:
            self.access.visibility = name
            self.access.module_functions = False
        m.hides = m.hides or name != "public"
        for one in _names(m, args):
            if m.found_in(self, one) is None:
                kind = "module" if self.is_module else "class"
                raise m.error("NameError", f"undefined method `{one}' for {kind} `{self.name}'")
            self.access.hidden[one] = name
        return _given(args)

    method(MODULE, name)(call)


for _name in ("private", "public", "protected"):
    _setting(_name)


@method(MODULE, "module_function")
def module_function(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    m.check_open(self)
    m.hides = True
    if not args and self.access.inside is m.method:
        self.access.module_functions = True
    for name in _names(m, args):
        found = self.find(name)
        if found is None:
            raise m.error("NameError", f"undefined method `{name}' for module `{self.name}'")
        self.own[name] = found
        self.access.own.pop(name, None)
        self.access.hidden[name] = "private"
    return _given(args)


@method(MODULE, "private_class_method")
def private_class_method(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    m.check_open(self)
    m.hides = True
    for name in _names(m, args):
        if m.find(self, name) is None:
            said = f"undefined method `{name}' for class `#<Class:{self.name}>'"
            raise m.error("NameError", said)
        self.access.own[name] = "private"
    return self


@method(MODULE, "public_class_method")
def public_class_method(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    m.check_open(self)
    for name in _names(m, args):
        self.access.own[name] = "public"
    return self


def _constants(name: str) -> None:
    def call(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
        m.check_open(self)
        for one in _names(m, args):
            if one not in self.constants and one not in m.constants.get(self, {}):
                raise m.error("NameError", f"constant {self.name}::{one} not defined")
            if name == "private":
                self.access.constants.add(one)
            else:
                self.access.constants.discard(one)
        return self

    method(MODULE, f"{name}_constant")(call)


def _asking(prefix: str, words: tuple[str, ...]) -> None:
    """``public_method_defined?`` and its like: of what the objects of a class have."""

    def defined(m: Machine, self: Class, name: RubyValue, inherit: RubyValue = True) -> bool:
        wanted = to.name_of(m, name)
        own = self.methods.get(wanted) if self.attached is None else None
        found = m.found_in(self, wanted) if m.truth(inherit) else own
        return found is not None and of_method(self, wanted).word in words

    def all_of(m: Machine, self: Class, inherit: RubyValue = True) -> RubyValue:
        if m.truth(inherit) or self.attached is not None or BUILTIN.get(self.name or "") is self:
            raise Beyond(f"Module#{prefix}instance_methods of Ruby's own classes")
        return [symbol(n) for n in self.methods if of_method(self, n).word in words]

    method(MODULE, f"{prefix}method_defined?")(defined)
    method(MODULE, f"{prefix}instance_methods")(all_of)


_asking("", ("public", "protected"))
for _name in ("private", "public", "protected"):
    _asking(f"{_name}_", (_name,))
for _name in ("private", "public"):
    _constants(_name)


refuse(MODULE, "Ruby's own classes do not change here", "refine using")


def _nothing(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    """At the top of a file everything is private to all objects anyway."""
    return _given(args)


for _name in ("private", "public"):
    MAIN[_name] = Builtin(_name, _nothing)
