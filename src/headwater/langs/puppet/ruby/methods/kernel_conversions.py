"""Kernel: Integer(), Float(), String(), Array(), Hash() and format."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes, encoding_of, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    KERNEL,
)
from headwater.langs.puppet.ruby.machine import COMPARED, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.radix import MOST_DIGITS
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Raised,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.refusals import BadFormat, BadNumber, TooWide
from headwater.langs.puppet.types.regexps import TooHard
from headwater.langs.puppet.types.rubytext import ruby_float, ruby_integer
from headwater.langs.puppet.types.sprintf import NoKey, sprintf


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
        if base is not None and len(text) > MOST_DIGITS:
            raise Beyond(f"Integer() of more than {MOST_DIGITS:,} digits")
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
        given = [_for_format(m, value, text) for value in args]
        pieces = [text, *(one for one in given if isinstance(one, str))]
        if not any(one.__class__ is Bytes for one in pieces):
            return sprintf(text, given)
        made = sprintf(str(text), [str(one) if one.__class__ is Bytes else one for one in given])
        if not to.is_broken(made):
            return in_encoding(made, encoding_of(text))
        used = [one for one in pieces if one is text or str(one) in made]
        return in_encoding(made, encoding_of(to.glued_all(m, used)))
    except NoKey as error:
        raise m.error("KeyError", str(error)) from None
    except BadFormat as error:
        message = str(error)
        kind = "TypeError" if message.startswith("can't convert") else "ArgumentError"
        if message in ("NaN", "Infinity", "-Infinity"):
            kind = "FloatDomainError"
        raise m.error(kind, message) from None
    except TooWide:
        raise Beyond("format with a very wide field") from None
    except BadNumber as error:
        raise m.error("ArgumentError", str(error)) from None
    except TooHard:
        raise Beyond("format of a very long text") from None


def _for_format(m: Machine, value: RubyValue, text: str = "s") -> RubyValue:
    """An argument of a format as Puppet's formatter knows it."""
    if isinstance(value, list | Hash):
        m.spend(len(value) + COMPARED)
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
