"""Class, Module, Comparable, Exception, Proc, Method, nil, true and false."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    CLASS,
    COMPARABLE,
    EXCEPTION,
    FALSE,
    METHOD,
    MODULE,
    NIL,
    OBJECT,
    PROC,
    TRUE,
)
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    MESSAGE,
    UNDEFINED,
    BoundMethod,
    Class,
    Given,
    Proc,
    Raised,
    Range,
    RubyObject,
    RubyValue,
    Text,
    symbol,
)

# classes and modules


@method(CLASS, "new")
def new(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    builtin = self
    while builtin.name is None or BUILTIN.get(builtin.name) is not builtin:
        assert builtin.superclass is not None
        builtin = builtin.superclass
    if builtin is not OBJECT and not builtin.is_below(EXCEPTION):
        raise Beyond(f"{self.name}.new")
    made = RubyObject(self)
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
    if block is not None:
        block.call([made], None, made, (made, OBJECT))
    return made


@own_method(MODULE, "new")
def new_module(m: Machine, self: Class, block: Proc | None = None) -> RubyValue:
    made = Class(None, None, True)
    if block is not None:
        block.call([made], None, made, (made, OBJECT))
    return made


@method(CLASS, "allocate")
def allocate(m: Machine, self: Class) -> RubyValue:
    return RubyObject(self)


@method(CLASS, "superclass")
def superclass(m: Machine, self: Class) -> RubyValue:
    return self.superclass


@method(MODULE, "name", "to_s", "inspect")
def module_name(m: Machine, self: Class) -> str | None:
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
        hook = module.find_own("included")
        if hook is not None:
            m.invoke(hook, module, [self], None)
    return self


@method(MODULE, "prepend")
def prepend(m: Machine, self: Class, *modules: RubyValue) -> RubyValue:
    for module in modules:
        m.check_open(self)
        self.prepended.append(to.the_class(m, module))
    return self


@method(MODULE, "include?")
def includes(m: Machine, self: Class, module: RubyValue) -> bool:
    return self is not module and self.is_below(to.the_class(m, module))


@method(MODULE, "method_defined?", "public_method_defined?")
def method_defined(m: Machine, self: Class, name: RubyValue) -> bool:
    return self.find(to.name_of(m, name)) is not None


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
    return [*names]


@method(MODULE, "attr_writer")
def attr_writer(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    for name in names:
        _writer(m, self, to.name_of(m, name))
    return [*names]


@method(MODULE, "attr_accessor")
def attr_accessor(m: Machine, self: Class, *names: RubyValue) -> RubyValue:
    for name in names:
        _reader(m, self, to.name_of(m, name))
        _writer(m, self, to.name_of(m, name))
    return [*names]


def _reader(m: Machine, cls: Class, name: str) -> None:
    def read(m: Machine, self: RubyObject | Class) -> RubyValue:
        return self.ivars.get(name)

    m.check_open(cls)
    cls.methods[name] = Builtin(name, read)
    if cls.access.visibility != "public":
        cls.access.hidden[name] = cls.access.visibility


def _writer(m: Machine, cls: Class, name: str) -> None:
    def write(m: Machine, self: RubyObject | Class, value: RubyValue) -> RubyValue:
        self.ivars[name] = value
        return value

    m.check_open(cls)
    cls.methods[name + "="] = Builtin(name + "=", write)


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

    m.check_open(self)
    self.methods[wanted] = Builtin(wanted, call)
    return symbol(wanted)


@method(MODULE, "alias_method")
def alias_method(m: Machine, self: Class, name: RubyValue, of: RubyValue) -> RubyValue:
    m.check_open(self)
    found = self.find(to.name_of(m, of))
    if found is None:
        raise m.error(
            "NameError", f"undefined method `{to.name_of(m, of)}' for class `{self.name}'"
        )
    self.methods[to.name_of(m, name)] = found
    return symbol(to.name_of(m, name))


@method(MODULE, "class_eval", "module_eval", "class_exec", "module_exec")
def class_eval(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise Beyond("class_eval of a text")
    return block.call([self, *args], None, self, (self, OBJECT))


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


# comparable


@method(COMPARABLE, "<")
def less(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) < 0


@method(COMPARABLE, ">")
def greater(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) > 0


@method(COMPARABLE, "<=")
def no_greater(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) <= 0


@method(COMPARABLE, ">=")
def no_less(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) >= 0


@method(COMPARABLE, "==")
def as_large(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return self is other or m.send(self, "<=>", [other]) == 0


@method(COMPARABLE, "between?")
def is_between(m: Machine, self: RubyValue, low: RubyValue, high: RubyValue) -> bool:
    return m.compare(self, low) >= 0 and m.compare(self, high) <= 0


@method(COMPARABLE, "clamp")
def clamp(m: Machine, self: RubyValue, low: RubyValue, high: Given = UNDEFINED) -> RubyValue:
    if high is UNDEFINED:
        if not isinstance(low, Range):
            shown = to.named(m, low)
            raise m.error("TypeError", f"wrong argument type {shown} (expected Range)")
        ends = low
        low, high = ends.low, ends.high
    if low is not None and high is not None and m.compare(low, high) > 0:
        raise m.error("ArgumentError", "min argument must be smaller than max argument")
    if low is not None and m.compare(self, low) < 0:
        return low
    return high if high is not None and m.compare(self, high) > 0 else self


# errors


@own_method(EXCEPTION, "exception")
def exception_of(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    return m.send(self, "new", list(args))


@method(EXCEPTION, "initialize")
def exception_initialize(m: Machine, self: RubyObject, *args: RubyValue) -> None:
    self.ivars[MESSAGE] = args[0] if args else None


@method(EXCEPTION, "exception")
def exception_again(m: Machine, self: RubyObject, message: Given = UNDEFINED) -> RubyValue:
    if message is UNDEFINED:
        return self
    made = RubyObject(self.cls, dict(self.ivars))
    made.ivars[MESSAGE] = message
    return made


@method(EXCEPTION, "to_s")
def exception_text(m: Machine, self: RubyObject) -> str:
    message = self.ivars.get(MESSAGE)
    return (self.cls.name or "Exception") if message is None else m.text(message)


@method(EXCEPTION, "message")
def exception_message(m: Machine, self: RubyObject) -> str:
    return m.text(m.send(self, "to_s", []))


@method(EXCEPTION, "inspect")
def exception_inspect(m: Machine, self: RubyObject) -> str:
    shown = m.text(m.send(self, "to_s", []))
    return f"#<{self.cls.name}: {shown}>" if shown else str(self.cls.name)


@method(EXCEPTION, "cause")
def cause(m: Machine, self: RubyObject) -> RubyValue:
    return self.ivars.get(" cause")


@method(EXCEPTION, "backtrace", "backtrace_locations")
def no_trace(m: Machine, self: RubyObject) -> RubyValue:
    return None


@method(EXCEPTION, "set_backtrace")
def set_backtrace(m: Machine, self: RubyObject, trace: RubyValue) -> RubyValue:
    return trace


@method(EXCEPTION, "==")
def same_error(m: Machine, self: RubyObject, other: RubyValue) -> bool:
    return self is other or (
        other.__class__ is RubyObject
        and other.cls is self.cls
        and m.equal(exception_message(m, self), exception_message(m, other))
    )


def _field(cls: str, *names: str) -> None:
    """What an error knows besides its message."""
    for name in names:

        def read(m: Machine, self: RubyObject, name: str = name) -> RubyValue:
            return self.ivars.get(f" {name}")

        reader = BUILTIN[cls].methods[name] = Builtin(name, read)
        reader.most = 0


_field("KeyError", "key", "receiver")
_field("NameError", "name", "receiver")
_field("NoMethodError", "args")
_field("FrozenError", "receiver")
_field("StopIteration", "result")
_field("UncaughtThrowError", "tag", "value")


# procs and methods


@method(PROC, "call", "()", "yield", "[]", "===")
def call(m: Machine, self: Proc, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    return self.call(list(args), block)


@method(PROC, "to_proc")
def proc_itself(m: Machine, self: Proc) -> RubyValue:
    return self


@method(PROC, "arity")
def arity(m: Machine, self: Proc) -> int:
    return self.arity


@method(PROC, "lambda?")
def is_lambda(m: Machine, self: Proc) -> bool:
    return self.is_lambda


@method(METHOD, "call", "()", "[]", "===")
def call_method(
    m: Machine, self: BoundMethod, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return m.send(self.receiver, self.name, list(args), block)


@method(METHOD, "name")
def method_name(m: Machine, self: BoundMethod) -> RubyValue:
    return symbol(self.name)


@method(METHOD, "receiver")
def method_receiver(m: Machine, self: BoundMethod) -> RubyValue:
    return self.receiver


@method(METHOD, "to_proc")
def method_to_proc(m: Machine, self: BoundMethod) -> RubyValue:
    from headwater.langs.puppet.ruby.calling import to_proc

    return to_proc(m, self)


@method(METHOD, "arity")
def method_arity(m: Machine, self: BoundMethod) -> int:
    from headwater.langs.puppet.ruby.calling import Method

    found = m.find(self.receiver, self.name)
    if isinstance(found, Builtin):
        return found.least if found.least == found.most else -found.least - 1
    if not isinstance(found, Method):
        raise Beyond("Method#arity of a method that is not evaluated")
    return found.parameters.arity


# nil, true, false


@method(NIL, "to_s")
def nil_text(m: Machine, self: None) -> Text:
    return Text("", True)


@method(NIL, "inspect")
def nil_inspect(m: Machine, self: None) -> str:
    return "nil"


@method(NIL, "to_a")
def nil_array(m: Machine, self: None) -> RubyValue:
    return []


@method(NIL, "to_h")
def nil_hash(m: Machine, self: None) -> RubyValue:
    return Hash({})


@method(NIL, "to_i")
def nil_integer(m: Machine, self: None) -> int:
    return 0


@method(NIL, "to_f")
def nil_float(m: Machine, self: None) -> float:
    return 0.0


@method(NIL, "=~")
def nil_match(m: Machine, self: None, other: RubyValue) -> None:
    return None


@method(NIL, "===")
def nil_case(m: Machine, self: None, other: RubyValue) -> bool:
    return other is None


@method(NIL, "&")
def nil_and(m: Machine, self: None, other: RubyValue) -> bool:
    return False


@method(NIL, "|", "^")
def nil_or(m: Machine, self: None, other: RubyValue) -> bool:
    return m.truth(other)


@method(TRUE, "to_s", "inspect")
def true_text(m: Machine, self: bool) -> str:
    return "true"


@method(FALSE, "to_s", "inspect")
def false_text(m: Machine, self: bool) -> str:
    return "false"


@method(TRUE, "&")
def true_and(m: Machine, self: bool, other: RubyValue) -> bool:
    return m.truth(other)


@method(TRUE, "|")
def true_or(m: Machine, self: bool, other: RubyValue) -> bool:
    return True


@method(TRUE, "^")
def true_xor(m: Machine, self: bool, other: RubyValue) -> bool:
    return not m.truth(other)


@method(FALSE, "&")
def false_and(m: Machine, self: bool, other: RubyValue) -> bool:
    return False


@method(FALSE, "|", "^")
def false_or(m: Machine, self: bool, other: RubyValue) -> bool:
    return m.truth(other)
