"""Class, Module, Comparable, Exception, Proc, Method, nil, true and false."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby import access
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    CLASS,
    EXCEPTION,
    MODULE,
    OBJECT,
)
from headwater.langs.puppet.ruby.heirs import refuse_values
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Proc,
    Raised,
    RubyObject,
    RubyValue,
    symbol,
)


def _bare(self: Class, message: str) -> RubyObject:
    """An object without a value of its own; those of Ruby's own classes have one, and are refused
    here."""
    builtin = self
    while builtin.name is None or BUILTIN.get(builtin.name) is not builtin:
        assert builtin.superclass is not None
        builtin = builtin.superclass
    if builtin is not OBJECT and not builtin.is_below(EXCEPTION):
        raise Beyond(f"{self.name or builtin.name}.{message}")
    return RubyObject(self)


@method(CLASS, "new")
def new(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    made = _bare(self, "new")
    handler = self.find("initialize")
    if handler is not None:
        m.invoke(handler, made, list(args), block)
    elif args:
        raise m.wrong_count(len(args), 0, 0)
    return made


@own_method(CLASS, "new")
def new_class(
    m: Machine, self: Class, above: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    made = Class(None, OBJECT if above is UNDEFINED else to.the_class(m, above))
    refuse_values(made, "Class.new")
    if made.superclass is not None:
        m.tell(made.superclass, "inherited", made)
    if block is not None:
        _inside(m, made, [made], block)
    return made


@own_method(MODULE, "new")
def new_module(m: Machine, self: Class, block: Proc | None = None) -> RubyValue:
    made = Class(None, None, True)
    if block is not None:
        _inside(m, made, [made], block)
    return made


@method(CLASS, "allocate")
def allocate(m: Machine, self: Class) -> RubyValue:
    return _bare(self, "allocate")


@method(CLASS, "superclass")
def superclass(m: Machine, self: Class) -> RubyValue:
    return self.superclass


@method(MODULE, "name")
def module_name(m: Machine, self: Class) -> str | None:
    return self.name


@method(MODULE, "to_s", "inspect")
def shown_name(m: Machine, self: Class) -> str | None:
    return self.name if self.name is not None else "#<Class>"


@method(MODULE, "===")
def has_instance(m: Machine, self: Class, value: RubyValue) -> bool:
    return m.is_a(value, self)


@method(MODULE, "==")
def same_module(m: Machine, self: Class, value: RubyValue) -> bool:
    return self is value


@method(MODULE, "<")
def below(m: Machine, self: Class, other: RubyValue) -> bool | None:
    wanted = to.the_class(m, other)
    if self is wanted:
        return False
    return True if self.is_below(wanted) else False if wanted.is_below(self) else None


@method(MODULE, "<=")
def at_most(m: Machine, self: Class, other: RubyValue) -> bool | None:
    wanted = to.the_class(m, other)
    return True if self.is_below(wanted) else False if wanted.is_below(self) else None


@method(MODULE, ">")
def above(m: Machine, self: Class, other: RubyValue) -> bool | None:
    return below(m, to.the_class(m, other), self)


@method(MODULE, ">=")
def at_least(m: Machine, self: Class, other: RubyValue) -> bool | None:
    return at_most(m, to.the_class(m, other), self)


@method(MODULE, "<=>")
def module_order(m: Machine, self: Class, other: RubyValue) -> int | None:
    if other.__class__ is not Class:
        return None
    if self is other:
        return 0
    return -1 if self.is_below(other) else 1 if other.is_below(self) else None


@method(MODULE, "included_modules")
def included_modules(m: Machine, self: Class) -> RubyValue:
    return [one for one in self.ancestors() if one.is_module and one is not self]


@method(MODULE, "singleton_class?")
def is_singleton(m: Machine, self: Class) -> bool:
    return False


@method(MODULE, "ancestors")
def ancestors(m: Machine, self: Class) -> RubyValue:
    return self.ancestors()


@method(MODULE, "include")
def include(m: Machine, self: Class, *modules: RubyValue) -> RubyValue:
    for one in modules:
        m.check_open(self)
        module = to.the_class(m, one)
        self.included.append(module)
        m.tell(module, "included", self)
    return self


@method(MODULE, "prepend")
def prepend(m: Machine, self: Class, *modules: RubyValue) -> RubyValue:
    for one in modules:
        m.check_open(self)
        module = to.the_class(m, one)
        self.prepended.append(module)
        m.tell(module, "prepended", self)
    return self


@method(MODULE, "included", "extended", "prepended", "method_added")
def told(m: Machine, self: Class, what: RubyValue) -> None:
    """What a module is told; one that wants to know defines it, and may say ``super``."""


@method(CLASS, "inherited")
def told_of_subclass(m: Machine, self: Class, subclass: RubyValue) -> None:
    """What a class is told when another is made below it."""


@method(MODULE, "include?")
def includes(m: Machine, self: Class, module: RubyValue) -> bool:
    return self is not module and self.is_below(to.the_class(m, module))


@method(MODULE, "const_get")
def const_get(m: Machine, self: Class, name: RubyValue, inherit: RubyValue = True) -> RubyValue:
    from headwater.langs.puppet.ruby.defining import constant_value, scoped_constant

    found: Any = self
    for index, part in enumerate(to.name_of(m, name).split("::")):
        if not part:
            found = OBJECT
        elif index == 0 or found is OBJECT:
            found = constant_value(m, (found, OBJECT), part)
        else:
            found = scoped_constant(m, found, part)
    return found


@method(MODULE, "const_defined?")
def const_defined(m: Machine, self: Class, name: RubyValue, inherit: RubyValue = True) -> bool:
    to.name_of(m, name)
    try:
        const_get(m, self, name)
    except Raised:
        return False
    return True


@method(MODULE, "const_set")
def const_set(m: Machine, self: Class, name: RubyValue, value: RubyValue) -> RubyValue:
    m.set_constant(self, to.name_of(m, name), value)
    return value


@method(MODULE, "class_variable_get")
def class_variable_get(m: Machine, self: Class, name: RubyValue) -> RubyValue:
    return self.variables.get(to.name_of(m, name).lstrip("@"))


@method(MODULE, "class_variable_set")
def class_variable_set(m: Machine, self: Class, name: RubyValue, value: RubyValue) -> RubyValue:
    self.variables[to.name_of(m, name).lstrip("@")] = value
    return value


@method(MODULE, "class_variable_defined?")
def class_variable_defined(m: Machine, self: Class, name: RubyValue) -> bool:
    return to.name_of(m, name).lstrip("@") in self.variables


@method(MODULE, "attr_reader", "attr")
def attr_reader(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    for name in names:
        _reader(m, self, to.name_of(m, name))
    return [symbol(to.name_of(m, name)) for name in names]


@method(MODULE, "attr_writer")
def attr_writer(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    for name in names:
        _writer(m, self, to.name_of(m, name))
    return [symbol(to.name_of(m, name) + "=") for name in names]


@method(MODULE, "attr_accessor")
def attr_accessor(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    for name in names:
        _reader(m, self, to.name_of(m, name))
        _writer(m, self, to.name_of(m, name))
    return [symbol(to.name_of(m, name) + end) for name in names for end in ("", "=")]


def _reader(m: Machine, cls: Class, name: str) -> None:
    def read(m: Machine, self: RubyObject | Class) -> RubyValue:
        return self.ivars.get(name)

    _give(m, cls, name, Builtin(name, read))


def _writer(m: Machine, cls: Class, name: str) -> None:
    def write(m: Machine, self: RubyObject | Class, value: RubyValue) -> RubyValue:
        if self.__class__ is RubyObject and self.frozen:
            raise m.is_frozen(self)
        self.ivars[name] = value
        return value

    _give(m, cls, name + "=", Builtin(name + "=", write))


def _give(m: Machine, cls: Class, name: str, made: Builtin) -> None:
    """Gives the objects of a class a method, hidden as the body of the class says."""
    m.check_open(cls)
    access.give(cls, name, made, access.current(cls, m.method))
    m.tell(cls, "method_added", symbol(name))


@method(MODULE, "define_method")
def define_method(
    m: Machine, self: Class, name: RubyValue, body: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    run = block if body is UNDEFINED else body
    wanted = to.name_of(m, name)
    if not isinstance(run, Proc):
        raise Beyond("define_method with a method")

    def call(
        m: Machine, receiver: RubyValue, *args: RubyValue, block: Proc | None = None
    ) -> RubyValue:
        return run.call(list(args), block, receiver)

    _give(m, self, wanted, Builtin(wanted, call))
    return symbol(wanted)


@method(MODULE, "alias_method")
def alias_method(m: Machine, self: Class, name: RubyValue, of: RubyValue) -> RubyValue:
    from headwater.langs.puppet.ruby.defining import add_alias

    add_alias(m, self, to.name_of(m, name), to.name_of(m, of))
    return symbol(to.name_of(m, name))


@method(MODULE, "class_eval", "module_eval")
def class_eval(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise Beyond("class_eval of a text")
    if args:
        raise m.wrong_count(len(args), 0, 0)
    return _inside(m, self, [self], block)


@method(MODULE, "class_exec", "module_exec")
def class_exec(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("LocalJumpError", "no block given (yield)")
    return _inside(m, self, list(args), block)


def _inside(m: Machine, cls: Class, args: list[Any], block: Proc) -> RubyValue:
    """Runs a block in the body of a class; a block of a symbol has no body."""
    with access.body(cls, m.method):
        return block.call(args, None, cls, (cls, OBJECT))


@method(MODULE, "remove_method", "undef_method")
def remove_method(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    m.check_open(self)
    for name in names:
        if self.methods.pop(to.name_of(m, name), None) is None:
            shown = f"method `{to.name_of(m, name)}' not defined in {self.name}"
            raise m.error("NameError", shown)
    return self


@method(MODULE, "remove_const")
def remove_const(m: Machine, self: Class, name: RubyValue) -> RubyValue:
    wanted = to.name_of(m, name)
    for found in (
        m.constants.get(self, {}),
        {} if BUILTIN.get(self.name or "") is self else self.constants,
    ):
        if wanted in found:
            return found.pop(wanted)
    raise m.error("NameError", f"constant {self.name}::{wanted} not defined")
