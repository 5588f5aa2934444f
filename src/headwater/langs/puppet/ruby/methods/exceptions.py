"""Errors: Exception and the classes below it."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    EXCEPTION,
)
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import (
    MESSAGE,
    UNDEFINED,
    Class,
    Given,
    RubyObject,
    RubyValue,
    symbol,
)


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
    return m.text(self.cls) if message is None else m.text(message)


@method(EXCEPTION, "message")
def exception_message(m: Machine, self: RubyObject) -> str:
    return m.text(m.send(self, "to_s", []))


@method(EXCEPTION, "inspect")
def exception_inspect(m: Machine, self: RubyObject) -> str:
    shown = m.text(m.send(self, "to_s", []))
    return f"#<{m.text(self.cls)}: {shown}>" if shown else m.text(self.cls)


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


def _named_fields(cls: str, *names: str) -> None:
    """The same, which may be given by name when the error is made."""
    _field(cls, *names)
    known = {symbol(name): f" {name}" for name in names}

    @method(BUILTIN[cls], "initialize")
    def initialize(m: Machine, self: RubyObject, *args: RubyValue) -> None:
        if args and isinstance(args[-1], Hash) and all(name in known for name in args[-1]):
            self.ivars.update((known[name], value) for name, value in args[-1].pairs())
            args = args[:-1]
        self.ivars[MESSAGE] = args[0] if args else None


_named_fields("KeyError", "key", "receiver")
_field("NameError", "name", "receiver")
_field("NoMethodError", "args")
_named_fields("FrozenError", "receiver")
_named_fields("NoMatchingPatternKeyError", "key", "matchee")
_field("StopIteration", "result")
_field("UncaughtThrowError", "tag", "value")
