"""What every object has: Kernel's functions and Object's methods."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    BASIC_OBJECT,
    BUILTIN,
    KERNEL,
    OBJECT,
    PRIVATE,
    class_of,
)
from headwater.langs.puppet.ruby.frames import Throw
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    IDENTITY,
    UNDEFINED,
    BoundMethod,
    Class,
    DefaultHash,
    Enumerator,
    Given,
    Proc,
    Raised,
    RubyObject,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.regexps import TooHard
from headwater.langs.puppet.types.rubytext import BadNumber, ruby_float, ruby_integer
from headwater.langs.puppet.types.sprintf import BadFormat, NoKey, TooWide, sprintf

ADDRESS = "the text of an object that has none of its own: it shows where the object lies"

TAGS = " tags"
"""The tags that may be thrown to: no variable is named so."""

# errors


@method(KERNEL, "raise", "fail")
def raise_(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    """``raise``, ``raise 'text'``, ``raise Class, 'text'``, ``raise object``."""
    options = args[-1] if args and isinstance(args[-1], Hash) and len(args) > 1 else None
    given = args[:-1] if options is not None and symbol("cause") in options else args
    if not given:
        current = m.globals.get("$!")
        if current is not None:
            raise Raised(current, m.at)
        raise m.error("RuntimeError", "unhandled exception")
    first = given[0]
    if to.is_string(first):
        raise m.error("RuntimeError", m.text(first))
    if m.find(first, "exception") is not None:
        error = m.send(first, "exception", list(given[1:2]))
        if error.__class__ is RubyObject and error.cls.is_below(BUILTIN["Exception"]):
            cause = m.globals.get("$!")
            if options is not None and symbol("cause") in options:
                cause = options.get(symbol("cause"))
            if cause is not error:
                error.ivars.setdefault(" cause", cause)
            raise Raised(error, m.at)
    raise m.error("TypeError", "exception class/object expected")


@method(KERNEL, "catch")
def catch(
    m: Machine, self: RubyValue, tag: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    label = RubyObject(OBJECT) if tag is UNDEFINED else tag
    needed(m, block)
    assert block is not None
    depth = m.depth
    tags = m.globals.setdefault(TAGS, [])
    tags.append(label)
    try:
        return block.one(label)
    except Throw as jump:
        if _same_tag(m, jump.tag, label):
            m.depth = depth
            return jump.value
        raise
    finally:
        tags.pop()


def _same_tag(m: Machine, left: RubyValue, right: RubyValue) -> bool:
    return left is right or (left.__class__ in (int, str) and m.equal(left, right))


def needed(m: Machine, block: Proc | None) -> None:
    """Refuses a call without a block."""
    if block is None:
        raise m.error("LocalJumpError", "no block given (yield)")


@method(KERNEL, "throw")
def throw(m: Machine, self: RubyValue, tag: RubyValue, value: RubyValue = None) -> RubyValue:
    if not any(_same_tag(m, tag, one) for one in m.globals.get(TAGS, ())):
        shown = f"uncaught throw {m.inspect(tag)}"
        raise m.error("UncaughtThrowError", shown, tag=tag, value=value)
    raise Throw(tag, value)


@method(KERNEL, "loop")
def loop(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "loop", [])
    while True:
        try:
            block.call([], None)
        except Raised as raised:
            if raised.error.cls.is_below(BUILTIN["StopIteration"]):
                return raised.error.ivars.get(" result")
            raise


# conversions


@method(KERNEL, "Array")
def array(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    if value is None:
        return []
    if value.__class__ is list:
        return value
    for name in ("to_ary", "to_a"):
        if m.find(value, name) is not None:
            return m.send(value, name, [])
    return [value]


@method(KERNEL, "String")
def string(m: Machine, self: RubyValue, value: RubyValue) -> str:
    return m.text(value)


@method(KERNEL, "Hash")
def hash_(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    if value is None or value == []:
        return Hash({})
    try:
        return to.hash_(m, value)
    except Raised:
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into Hash") from None


@method(KERNEL, "Integer")
def integer(
    m: Machine,
    self: RubyValue,
    value: RubyValue,
    base: Given = UNDEFINED,
    options: Given = UNDEFINED,
) -> RubyValue:
    if isinstance(base, Hash):
        base, options = UNDEFINED, base
    quiet = isinstance(options, Hash) and options.get(symbol("exception")) is False
    try:
        radix = None if base is UNDEFINED or base is None else to.integer(m, base)
        return _integer(m, value, radix)
    except Raised:
        if quiet:
            return None
        raise


def _integer(m: Machine, value: RubyValue, base: int | None) -> int:
    if to.is_string(value):
        text = m.text(value)
        if base is not None and (abs(base) > 36 or base == 1):
            raise m.error("ArgumentError", f"invalid radix {base}")
        try:
            return (
                ruby_integer(text, base)
                if base is None or base in (2, 8, 10, 16)
                else int(text, base)
            )
        except (BadNumber, ValueError):
            raise m.error(
                "ArgumentError", f"invalid value for Integer(): {m.inspect(value)}"
            ) from None
    if base is not None:
        raise m.error("ArgumentError", "base specified for non string value")
    if value.__class__ is float:
        return to.integer(m, value)
    if value.__class__ is int:
        return int(value)
    if value is None:
        raise m.error("TypeError", "can't convert nil into Integer")
    for name in ("to_int", "to_i"):
        if m.find(value, name) is not None:
            return to.integer(m, m.send(value, name, []))
    raise m.error("TypeError", f"can't convert {to.named(m, value)} into Integer")


@method(KERNEL, "Float")
def float_(m: Machine, self: RubyValue, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    quiet = isinstance(options, Hash) and options.get(symbol("exception")) is False
    try:
        return _float(m, value)
    except Raised:
        if quiet:
            return None
        raise


def _float(m: Machine, value: RubyValue) -> float:
    if to.is_string(value):
        try:
            return ruby_float(m.text(value))
        except BadNumber:
            raise m.error(
                "ArgumentError", f"invalid value for Float(): {m.inspect(value)}"
            ) from None
    if isinstance(value, float | Fraction) or value.__class__ is int:
        return to.as_float(value)
    if value is not None and not isinstance(value, bool) and m.find(value, "to_f") is not None:
        made = m.send(value, "to_f", [])
        if made.__class__ is float:
            return made
    raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")


def format_text(m: Machine, text: str, args: list[Any]) -> str:
    """``format``; the arguments are shown as Ruby's values."""
    try:
        return sprintf(text, [_for_format(m, value, text) for value in args])
    except NoKey as error:
        raise m.error("KeyError", str(error)) from None
    except BadFormat as error:
        message = str(error)
        kind = "TypeError" if message.startswith("can't convert") else "ArgumentError"
        raise m.error(kind, message) from None
    except TooWide:
        raise Beyond("format with a very wide field") from None
    except BadNumber as error:
        raise m.error("ArgumentError", str(error)) from None
    except TooHard:
        raise Beyond("format of a very long text") from None


def _for_format(m: Machine, value: RubyValue, text: str = "s") -> RubyValue:
    """An argument of a format as Puppet's formatter knows it."""
    match value:
        case Fraction():
            if re.search(r"[sp]", text):
                raise Beyond("a Rational among the arguments of a format")
            return float(value)
        case Text():
            return value.s
        case Symbol():
            return value.name
        case None | bool() | int() | float() | str() | list():
            return [_for_format(m, item) for item in value] if value.__class__ is list else value
        case Hash():
            return Hash.of(
                (name.name if name.__class__ is Symbol else name, _for_format(m, item))
                for name, item in value.pairs()
            )
    return m.text(value)


@method(KERNEL, "format", "sprintf")
def format_(m: Machine, self: RubyValue, text: RubyValue, *args: RubyValue) -> str:
    return format_text(m, to.string(m, text), list(args))


# what an object is


@method(KERNEL, "class")
def class_(m: Machine, self: RubyValue) -> Class:
    return class_of(self)


@method(KERNEL, "is_a?", "kind_of?")
def is_a(m: Machine, self: RubyValue, cls: RubyValue) -> bool:
    return m.is_a(self, to.the_class(m, cls))


@method(KERNEL, "instance_of?")
def instance_of(m: Machine, self: RubyValue, cls: RubyValue) -> bool:
    return class_of(self) is to.the_class(m, cls)


@method(KERNEL, "nil?")
def is_nil(m: Machine, self: RubyValue) -> bool:
    return self is None


@method(KERNEL, "respond_to?")
def respond_to(m: Machine, self: RubyValue, name: RubyValue, private: RubyValue = False) -> bool:
    wanted = to.name_of(m, name)
    found = m.find(self, wanted)
    if found is not None:
        hidden = wanted in PRIVATE and found is KERNEL.methods.get(wanted)
        return m.truth(private) or not (hidden or (m.hides and m.is_private(self, wanted)))
    handler = m.find(self, "respond_to_missing?")
    return handler is not None and m.truth(m.invoke(handler, self, [name, private], None))


@method(KERNEL, "==", "equal?", "eql?")
def same(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return self is other or (self.__class__ is str and self == other)


IDENTITY["eql?"] = KERNEL.methods["eql?"]


@method(KERNEL, "!=")
def different(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return not m.equal(self, other)


@method(KERNEL, "===")
def case_equal(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.equal(self, other)


@method(KERNEL, "=~")
def no_match(m: Machine, self: RubyValue, other: RubyValue) -> None:
    return None


@method(KERNEL, "!~")
def not_matching(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return not m.truth(m.send(self, "=~", [other]))


@method(KERNEL, "<=>")
def order(m: Machine, self: RubyValue, other: RubyValue) -> int | None:
    return 0 if m.equal(self, other) else None


@method(KERNEL, "!")
def negation(m: Machine, self: RubyValue) -> bool:
    return self is None or self is False


@method(KERNEL, "to_s")
def to_s(m: Machine, self: RubyValue) -> str:
    if self is not m.main:
        raise Beyond(ADDRESS)
    return "main"


@method(KERNEL, "inspect")
def inspect(m: Machine, self: RubyValue) -> str:
    return to_s(m, self)


# copies and changes


@method(KERNEL, "clone")
def clone(m: Machine, self: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    wanted = options.get(symbol("freeze")) if isinstance(options, Hash) else None
    if not isinstance(self, Text | str | list | Hash | RubyObject):
        return m.send(self, "dup", [])
    made = dup(m, self)
    keeps = is_frozen(m, self) and self.__class__ is not str
    return freeze(m, made) if wanted is True or (keeps and wanted is None) else made


@method(KERNEL, "dup")
def dup(m: Machine, self: RubyValue) -> RubyValue:
    match self:
        case Text() | str():
            made = Text(m.text(self))
            if self.__class__ is Text and getattr(self, "binary", False):
                made.binary = True
            return made
        case list():
            return list(self)
        case DefaultHash():
            copied = DefaultHash(dict(self.entries), None if self.odd is None else dict(self.odd))
            copied.default, copied.procedure = self.default, self.procedure
            return copied
        case Hash():
            return Hash(dict(self.entries), None if self.odd is None else dict(self.odd))
        case RubyObject():
            copy = RubyObject(self.cls, dict(self.ivars))
            copy.own = None if self.own is None else dict(self.own)
            handler = m.find(copy, "initialize_copy")
            if handler is not None:
                m.invoke(handler, copy, [self], None)
            return copy
    return self


@method(KERNEL, "freeze")
def freeze(m: Machine, self: RubyValue) -> RubyValue:
    if self.__class__ is Text or self.__class__ is RubyObject:
        self.frozen = True
    elif isinstance(self, list | Hash):
        m.frozen[id(self)] = self
    return self


@method(KERNEL, "frozen?")
def is_frozen(m: Machine, self: RubyValue) -> bool:
    if self.__class__ is Text or self.__class__ is RubyObject:
        return bool(self.frozen)
    return id(self) in m.frozen if isinstance(self, list | Hash) else True


@method(KERNEL, "itself")
def itself(m: Machine, self: RubyValue) -> RubyValue:
    return self


@method(KERNEL, "tap")
def tap(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    needed(m, block)
    assert block is not None
    block.one(self)
    return self


@method(KERNEL, "then", "yield_self")
def then(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "then", [])
    return block.one(self)


@method(KERNEL, "extend")
def extend(m: Machine, self: RubyValue, *modules: RubyValue) -> RubyValue:
    for module in modules:
        if self.__class__ is Class:
            self.extended.append(to.the_class(m, module))
        elif self.__class__ is RubyObject:
            self.own = {} if self.own is None else self.own
            for one in reversed(to.the_class(m, module).ancestors()):
                self.own.update(one.methods)
        else:
            raise Beyond("extend of a plain value")
    return self


# messages and variables


@method(KERNEL, "public_send")
def public_send(
    m: Machine, self: RubyValue, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    wanted = to.name_of(m, name)
    if (
        self is not KERNEL
        and wanted in PRIVATE
        and m.find(self, wanted) is KERNEL.methods.get(wanted)
    ):
        return m.missing(self, wanted, list(args), block, "private method `{}' called")
    return m.send_public(self, wanted, list(args), block)


@method(KERNEL, "send", "__send__")
def send(
    m: Machine, self: RubyValue, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return m.send(self, to.name_of(m, name), list(args), block)


@method(KERNEL, "method")
def method_(m: Machine, self: RubyValue, name: RubyValue) -> RubyValue:
    wanted = to.name_of(m, name)
    if m.find(self, wanted) is None:
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


@method(KERNEL, "require", "require_relative")
def require(m: Machine, self: RubyValue, name: RubyValue) -> bool:
    wanted = to.string(m, name)
    if m.host is None:
        return False
    return m.host.require(m, wanted, m.at[0])


@method(KERNEL, "taint", "untaint", "trust", "untrust")
def unchanged(m: Machine, self: RubyValue) -> RubyValue:
    return self


@method(KERNEL, "tainted?", "untrusted?")
def is_tainted(m: Machine, self: RubyValue) -> bool:
    return False


for _name in ("!", "!=", "==", "__send__", "equal?", "instance_exec"):
    BASIC_OBJECT.methods[_name] = KERNEL.methods[_name]


__all__ = ["format_text"]
