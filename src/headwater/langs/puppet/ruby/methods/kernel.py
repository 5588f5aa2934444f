"""What every object has: Kernel's functions and Object's methods."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, KERNEL, OBJECT, class_of
from headwater.langs.puppet.ruby.frames import Throw
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    BoundMethod,
    Class,
    DefaultHash,
    Enumerator,
    Proc,
    Raised,
    RubyObject,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.regexps import TooHard
from headwater.langs.puppet.types.rubytext import BadNumber, ruby_float, ruby_integer
from headwater.langs.puppet.types.sprintf import BadFormat, NoKey, TooWide, sprintf

# errors


@method(KERNEL, "raise", "fail")
def raise_(m: Machine, self: Any, *args: Any) -> Any:
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
    if first.__class__ is Class or m.find(first, "exception") is not None:
        error = m.send(first, "exception", list(given[1:2]))
        if error.__class__ is RubyObject and error.cls.is_below(BUILTIN["Exception"]):
            raise Raised(error, m.at)
    raise m.error("TypeError", "exception class/object expected")


@method(KERNEL, "catch")
def catch(m: Machine, self: Any, tag: Any = UNDEFINED, block: Proc | None = None) -> Any:
    label = RubyObject(OBJECT) if tag is UNDEFINED else tag
    assert block is not None
    depth = m.depth
    try:
        return block.one(label)
    except Throw as jump:
        if jump.tag is label or m.equal(jump.tag, label):
            m.depth = depth
            return jump.value
        raise


@method(KERNEL, "throw")
def throw(m: Machine, self: Any, tag: Any, value: Any = None) -> Any:
    raise Throw(tag, value)


@method(KERNEL, "loop")
def loop(m: Machine, self: Any, block: Proc | None = None) -> Any:
    if block is None:
        return Enumerator(self, "loop", [])
    while True:
        try:
            block.call([], None)
        except Raised as raised:
            if raised.error.cls.is_below(BUILTIN["StopIteration"]):
                return raised.error.ivars.get("result")
            raise


# conversions


@method(KERNEL, "Array")
def array(m: Machine, self: Any, value: Any) -> Any:
    if value is None:
        return []
    if value.__class__ is list:
        return value
    for name in ("to_ary", "to_a"):
        if m.find(value, name) is not None:
            return m.send(value, name, [])
    return [value]


@method(KERNEL, "String")
def string(m: Machine, self: Any, value: Any) -> str:
    return m.text(value)


@method(KERNEL, "Hash")
def hash_(m: Machine, self: Any, value: Any) -> Any:
    if value is None or value == []:
        return Hash({})
    try:
        return to.hash_(m, value)
    except Raised:
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into Hash") from None


@method(KERNEL, "Integer")
def integer(
    m: Machine, self: Any, value: Any, base: Any = UNDEFINED, options: Any = UNDEFINED
) -> Any:
    if isinstance(base, Hash):
        base, options = UNDEFINED, base
    quiet = isinstance(options, Hash) and options.get(symbol("exception")) is False
    try:
        return _integer(m, value, None if base is UNDEFINED or base is None else base)
    except Raised:
        if quiet:
            return None
        raise


def _integer(m: Machine, value: Any, base: int | None) -> int:
    if to.is_string(value):
        text = m.text(value)
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
            return int(m.send(value, name, []))
    raise m.error("TypeError", f"can't convert {to.named(m, value)} into Integer")


@method(KERNEL, "Float")
def float_(m: Machine, self: Any, value: Any, options: Any = UNDEFINED) -> Any:
    quiet = isinstance(options, Hash) and options.get(symbol("exception")) is False
    try:
        return _float(m, value)
    except Raised:
        if quiet:
            return None
        raise


def _float(m: Machine, value: Any) -> float:
    if to.is_string(value):
        try:
            return ruby_float(m.text(value))
        except BadNumber:
            raise m.error(
                "ArgumentError", f"invalid value for Float(): {m.inspect(value)}"
            ) from None
    if value.__class__ is int or value.__class__ is float:
        return float(value)
    raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")


def format_text(m: Machine, text: str, args: list[Any]) -> str:
    """``format``; the arguments are shown as Ruby's values."""
    try:
        return sprintf(text, [_for_format(m, value) for value in args])
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


def _for_format(m: Machine, value: Any) -> Any:
    """An argument of a format as Puppet's formatter knows it."""
    match value:
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
def format_(m: Machine, self: Any, text: Any, *args: Any) -> str:
    return format_text(m, to.string(m, text), list(args))


# what an object is


@method(KERNEL, "class")
def class_(m: Machine, self: Any) -> Class:
    return class_of(self)


@method(KERNEL, "singleton_class")
def singleton_class(m: Machine, self: Any) -> Any:
    raise Beyond("singleton_class")


@method(KERNEL, "is_a?", "kind_of?")
def is_a(m: Machine, self: Any, cls: Any) -> bool:
    return m.is_a(self, to.the_class(m, cls))


@method(KERNEL, "instance_of?")
def instance_of(m: Machine, self: Any, cls: Any) -> bool:
    return class_of(self) is to.the_class(m, cls)


@method(KERNEL, "nil?")
def is_nil(m: Machine, self: Any) -> bool:
    return self is None


@method(KERNEL, "respond_to?")
def respond_to(m: Machine, self: Any, name: Any, private: Any = False) -> bool:
    wanted = to.name_of(m, name)
    if m.find(self, wanted) is not None:
        return True
    handler = m.find(self, "respond_to_missing?")
    return handler is not None and m.truth(m.invoke(handler, self, [name, private], None))


@method(KERNEL, "==", "equal?", "eql?")
def same(m: Machine, self: Any, other: Any) -> bool:
    return self is other or (self.__class__ is str and self == other)


@method(KERNEL, "!=")
def different(m: Machine, self: Any, other: Any) -> bool:
    return not m.equal(self, other)


@method(KERNEL, "===")
def case_equal(m: Machine, self: Any, other: Any) -> bool:
    return m.equal(self, other)


@method(KERNEL, "=~")
def no_match(m: Machine, self: Any, other: Any) -> None:
    return None


@method(KERNEL, "!~")
def not_matching(m: Machine, self: Any, other: Any) -> bool:
    return not m.truth(m.send(self, "=~", [other]))


@method(KERNEL, "<=>")
def order(m: Machine, self: Any, other: Any) -> int | None:
    return 0 if m.equal(self, other) else None


@method(KERNEL, "!")
def negation(m: Machine, self: Any) -> bool:
    return self is None or self is False


@method(KERNEL, "hash", "object_id", "__id__")
def no_number(m: Machine, self: Any) -> Any:
    raise Beyond("hash, object_id: numbers that differ from run to run")


@method(KERNEL, "to_s")
def to_s(m: Machine, self: Any) -> str:
    return "main" if self is m.main else f"#<{class_of(self).name}>"


@method(KERNEL, "inspect")
def inspect(m: Machine, self: Any) -> str:
    own = m.find(self, "to_s")
    if self.__class__ is RubyObject and own is not KERNEL.methods["to_s"]:
        return f"#<{class_of(self).name}>" if not self.ivars else m.text(self)
    return m.text(m.send(self, "to_s", []))


# copies and changes


@method(KERNEL, "dup", "clone")
def dup(m: Machine, self: Any, options: Any = UNDEFINED) -> Any:
    match self:
        case Text() | str():
            return Text(m.text(self))
        case list():
            return list(self)
        case DefaultHash():
            made = DefaultHash(dict(self.entries), None if self.odd is None else dict(self.odd))
            made.default, made.procedure = self.default, self.procedure
            return made
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
def freeze(m: Machine, self: Any) -> Any:
    if self.__class__ is Text or self.__class__ is RubyObject:
        self.frozen = True
    return self


@method(KERNEL, "frozen?")
def is_frozen(m: Machine, self: Any) -> bool:
    if self.__class__ is Text or self.__class__ is RubyObject:
        return bool(self.frozen)
    return not isinstance(self, list | Hash)


@method(KERNEL, "itself")
def itself(m: Machine, self: Any) -> Any:
    return self


@method(KERNEL, "tap")
def tap(m: Machine, self: Any, block: Proc | None = None) -> Any:
    assert block is not None
    block.one(self)
    return self


@method(KERNEL, "then", "yield_self")
def then(m: Machine, self: Any, block: Proc | None = None) -> Any:
    assert block is not None
    return block.one(self)


@method(KERNEL, "extend")
def extend(m: Machine, self: Any, *modules: Any) -> Any:
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


@method(KERNEL, "send", "public_send", "__send__")
def send(m: Machine, self: Any, name: Any, *args: Any, block: Proc | None = None) -> Any:
    wanted = to.name_of(m, name)
    from headwater.langs.puppet.ruby.special import SPECIAL

    if wanted in SPECIAL or wanted in ("send", "instance_eval", "class_eval", "instance_exec"):
        raise Beyond(f"send of {wanted}")
    return m.send(self, wanted, list(args), block)


@method(KERNEL, "method")
def method_(m: Machine, self: Any, name: Any) -> Any:
    wanted = to.name_of(m, name)
    if m.find(self, wanted) is None:
        raise m.error("NameError", f"undefined method `{wanted}' for {m.described(self)}")
    return BoundMethod(self, wanted)


@method(KERNEL, "methods", "public_methods", "singleton_methods")
def methods(m: Machine, self: Any, *args: Any) -> Any:
    raise Beyond("methods")


@method(KERNEL, "instance_variable_get")
def instance_variable_get(m: Machine, self: Any, name: Any) -> Any:
    return getattr(self, "ivars", {}).get(to.name_of(m, name).lstrip("@"))


@method(KERNEL, "instance_variable_set")
def instance_variable_set(m: Machine, self: Any, name: Any, value: Any) -> Any:
    if not hasattr(self, "ivars"):
        raise Beyond("an instance variable of a plain value")
    self.ivars[to.name_of(m, name).lstrip("@")] = value
    return value


@method(KERNEL, "instance_variable_defined?")
def instance_variable_defined(m: Machine, self: Any, name: Any) -> bool:
    return to.name_of(m, name).lstrip("@") in getattr(self, "ivars", {})


@method(KERNEL, "instance_variables")
def instance_variables(m: Machine, self: Any) -> Any:
    return [symbol("@" + name) for name in getattr(self, "ivars", {})]


@method(KERNEL, "instance_exec")
def instance_exec(m: Machine, self: Any, *args: Any, block: Proc | None = None) -> Any:
    assert block is not None
    return block.call(list(args), None, self)


@method(KERNEL, "to_enum", "enum_for")
def to_enum(m: Machine, self: Any, name: Any = UNDEFINED, *args: Any) -> Any:
    return Enumerator(self, "each" if name is UNDEFINED else to.name_of(m, name), list(args))


@method(KERNEL, "proc", "lambda")
def proc(m: Machine, self: Any, block: Proc | None = None) -> Any:
    if block is None:
        raise m.error("ArgumentError", "tried to create Proc object without a block")
    return block


@method(KERNEL, "require", "require_relative")
def require(m: Machine, self: Any, name: Any) -> bool:
    wanted = to.string(m, name)
    if m.host is None:
        return False
    return m.host.require(m, wanted, m.at[0])


@method(KERNEL, "puts", "print", "p", "pp", "warn", "printf", "putc")
def output(m: Machine, self: Any, *args: Any) -> Any:
    raise Beyond("output to the terminal")


@method(KERNEL, "caller", "caller_locations", "__callee__", "local_variables", "global_variables")
def surroundings(m: Machine, self: Any, *args: Any) -> Any:
    raise Beyond("caller, local_variables")


@method(KERNEL, "private", "public", "protected", "module_function", "private_class_method",
        "public_class_method", "private_constant", "using")  # fmt: skip
def visibility(m: Machine, self: Any, *args: Any) -> Any:
    return None


__all__ = ["format_text"]
