"""Object: messages, and the variables of an object."""

from __future__ import annotations

from headwater.langs.puppet.ruby.access import NOBODY
from headwater.langs.puppet.ruby.classes import BASIC_OBJECT, KERNEL
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.kernel import needed
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    BoundMethod,
    Enumerator,
    Given,
    Proc,
    RubyObject,
    RubyValue,
    symbol,
)


@method(KERNEL, "public_send")
def public_send(
    m: Machine, self: RubyValue, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return m.send_from(NOBODY, self, to.name_of(m, name), list(args), block)


@method(KERNEL, "send", "__send__")
def send(
    m: Machine, self: RubyValue, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return m.send(self, to.name_of(m, name), list(args), block)


@method(KERNEL, "method")
def method_(m: Machine, self: RubyValue, name: RubyValue) -> RubyValue:
    wanted = to.name_of(m, name)
    if m.find(self, wanted) is None and m.at_top(wanted) is None and not m.answers(self, name):
        raise m.error("NameError", f"undefined method `{wanted}' for {m.described(self)}")
    return BoundMethod(self, wanted)


@method(KERNEL, "instance_variable_get")
def instance_variable_get(m: Machine, self: RubyValue, name: RubyValue) -> RubyValue:
    return getattr(self, "ivars", {}).get(to.name_of(m, name).lstrip("@"))


@method(KERNEL, "instance_variable_set")
def instance_variable_set(
    m: Machine, self: RubyValue, name: RubyValue, value: RubyValue
) -> RubyValue:
    ivars = getattr(self, "ivars", None)
    if ivars is None:
        raise Beyond("an instance variable of a plain value")
    if self.__class__ is RubyObject and self.frozen:
        raise m.is_frozen(self)
    ivars[to.name_of(m, name).lstrip("@")] = value
    return value


@method(KERNEL, "instance_variable_defined?")
def instance_variable_defined(m: Machine, self: RubyValue, name: RubyValue) -> bool:
    return to.name_of(m, name).lstrip("@") in getattr(self, "ivars", {})


@method(KERNEL, "instance_variables")
def instance_variables(m: Machine, self: RubyValue) -> RubyValue:
    return [symbol("@" + name) for name in getattr(self, "ivars", {}) if name[0] != " "]


@method(KERNEL, "instance_exec")
def instance_exec(
    m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    needed(m, block)
    assert block is not None
    return block.call(list(args), None, self)


@method(BASIC_OBJECT, "instance_eval")
def instance_eval(
    m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    if block is None:
        raise Beyond("instance_eval of a text")
    return block.call([self], None, self)


@method(KERNEL, "remove_instance_variable")
def remove_instance_variable(m: Machine, self: RubyValue, name: RubyValue) -> RubyValue:
    wanted = to.name_of(m, name)
    found = getattr(self, "ivars", {})
    if wanted.lstrip("@") not in found:
        shown = f"instance variable {wanted} not defined for {m.described(self)}"
        raise m.error("NameError", shown)
    return found.pop(wanted.lstrip("@"))


@method(KERNEL, "define_singleton_method")
def define_singleton_method(
    m: Machine, self: RubyValue, name: RubyValue, body: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    run = block if body is UNDEFINED else body
    if not isinstance(run, Proc):
        raise Beyond("define_singleton_method with a method")
    wanted = to.name_of(m, name)

    def call(
        m: Machine, receiver: RubyValue, *args: RubyValue, block: Proc | None = None
    ) -> RubyValue:
        return run.call(list(args), block, receiver)

    from headwater.langs.puppet.ruby.calling import give_own

    give_own(m, self, wanted, Builtin(wanted, call))
    return symbol(wanted)


@method(KERNEL, "to_enum", "enum_for")
def to_enum(m: Machine, self: RubyValue, name: Given = UNDEFINED, *args: RubyValue) -> RubyValue:
    return Enumerator(self, "each" if name is UNDEFINED else to.name_of(m, name), list(args))


@method(KERNEL, "proc", "lambda")
def proc(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("ArgumentError", "tried to create Proc object without a block")
    return block


@method(KERNEL, "require")
def require(m: Machine, self: RubyValue, name: RubyValue) -> bool:
    wanted = to.string(m, name)
    return m.host is not None and m.host.require(m, wanted, m.at[0], beside=False)


@method(KERNEL, "require_relative")
def require_relative(m: Machine, self: RubyValue, name: RubyValue) -> bool:
    wanted = to.string(m, name)
    return m.host is not None and m.host.require(m, wanted, m.at[0], beside=True)


@method(KERNEL, "taint", "untaint", "trust", "untrust")
def unchanged(m: Machine, self: RubyValue) -> RubyValue:
    return self


@method(KERNEL, "tainted?", "untrusted?")
def is_tainted(m: Machine, self: RubyValue) -> bool:
    return False


for _name in ("!", "!=", "==", "__send__", "equal?", "instance_exec"):
    BASIC_OBJECT.methods[_name] = KERNEL.methods[_name]
