"""What every object has: Kernel's functions and Object's methods."""

from __future__ import annotations

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.access import visibility
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    KERNEL,
    OBJECT,
    class_of,
)
from headwater.langs.puppet.ruby.frames import Throw
from headwater.langs.puppet.ruby.keys import IDENTITY
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    DefaultHash,
    Enumerator,
    Given,
    Proc,
    Raised,
    RubyObject,
    RubyValue,
    Text,
    symbol,
)

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
    return left is right or (left.__class__ in (int, str, Bytes) and m.equal(left, right))


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
    if m.find(self, wanted) is not None:
        return m.truth(private) or visibility(self, wanted).word == "public"
    if m.at_top(wanted) is not None and m.truth(private):
        return True
    return m.answers(self, name, private)


@method(KERNEL, "respond_to_missing?")
def responds_to_missing(
    m: Machine, self: RubyValue, name: RubyValue, private: RubyValue = False
) -> bool:
    """What a class says that answers messages it has no methods for."""
    return False


@method(KERNEL, "==", "equal?", "eql?")
def same(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return self is other or (isinstance(self, str) and self == other)


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
    keeps = is_frozen(m, self) and not isinstance(self, str)
    return freeze(m, made) if wanted is True or (keeps and wanted is None) else made


@method(KERNEL, "dup")
def dup(m: Machine, self: RubyValue) -> RubyValue:
    if isinstance(self, list | Hash):
        m.spend(len(self) >> 5)
    match self:
        case Text() | str():
            return Text(m.text(self))
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
            copy.hidden = None if self.hidden is None else dict(self.hidden)
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
    for given in modules:
        module = to.the_class(m, given)
        if self.__class__ is Class:
            self.extended.append(module)
        elif self.__class__ is RubyObject:
            self.own = {} if self.own is None else self.own
            self.hidden = {} if self.hidden is None else self.hidden
            for one in reversed(module.ancestors()):
                self.own.update(one.methods)
                self.hidden.update(one.access.hidden)
        else:
            raise Beyond("extend of a plain value")
        m.tell(module, "extended", self)
    return self
