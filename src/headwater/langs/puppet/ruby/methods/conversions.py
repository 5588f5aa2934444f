"""What methods do to their arguments: strings, integers and arrays as Ruby wants them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypeGuard

from headwater.langs.puppet.bytestrings import (
    UTF8,
    Bytes,
    Incompatible,
    in_encoding,
    joined,
    of_sum,
)
from headwater.langs.puppet.bytestrings import is_broken as is_broken
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.values import Class, Number, Raised, RubyValue, Symbol, Text

BROKEN: Final = "invalid byte sequence in UTF-8"
"""What Ruby says of strings that are none."""


def named(machine: Machine, value: RubyValue) -> str:
    """A value as messages about conversions name it: nil, true, or its class."""
    if value is None or value is True or value is False:
        return machine.inspect(value)
    return class_of(value).name or "Object"


def is_string(value: object) -> TypeGuard[Text | str]:
    """Whether a value is a string."""
    return value.__class__ is Text or isinstance(value, str)


def sound(machine: Machine, value: RubyValue, complaint: str = BROKEN) -> str:
    """The text of a string whose characters are looked at: broken UTF-8 is an error then."""
    text = string(machine, value)
    if text.isascii() or (text.__class__ is Bytes and text.encoding != UTF8):
        return text
    if is_broken(text):
        raise machine.error("ArgumentError", complaint)
    return text


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a value is an integer or a float."""
    return value.__class__ is int or value.__class__ is float


def string(machine: Machine, value: RubyValue) -> str:
    """An argument that must be a string, implicitly converted."""
    if value.__class__ is Text:
        return value.s
    if isinstance(value, str):
        return value
    if value is not None and machine.find(value, "to_str") is not None:
        return machine.text(machine.send(value, "to_str", []))
    raise machine.error(
        "TypeError", f"no implicit conversion of {named(machine, value)} into String"
    )


def beside(machine: Machine, text: str, value: RubyValue) -> str:
    """An argument that must be a string, and one whose characters are those of another."""
    other = string(machine, value)
    if other.__class__ is Bytes or text.__class__ is Bytes:
        of_both(machine, text, other)
    return other


def of_both(machine: Machine, text: str, other: str) -> str:
    """The encoding of two strings together."""
    try:
        return of_sum(text, other)
    except Incompatible as error:
        raise incompatible(machine, error) from None


def glued(machine: Machine, text: str, other: str) -> str:
    """Two strings as one."""
    made = text + other
    if other.__class__ is Bytes or text.__class__ is Bytes:
        return in_encoding(made, of_both(machine, text, other))
    return made


def put_into(machine: Machine, text: str, other: str, made: str) -> str:
    """What was made by putting a string into another."""
    if other.__class__ is Bytes or text.__class__ is Bytes:
        return in_encoding(made, of_both(machine, text, other))
    return made


def glued_all(machine: Machine, parts: Sequence[str], mark: str = "") -> str:
    """Strings as one, with a mark between them."""
    try:
        return joined(parts, mark)
    except Incompatible as error:
        raise incompatible(machine, error) from None


def incompatible(machine: Machine, error: Exception) -> Raised:
    """The error of strings whose encodings do not go together."""
    return machine.error("Encoding::CompatibilityError", str(error))


def integer(machine: Machine, value: RubyValue) -> int:
    """An argument that must be an integer, implicitly converted."""
    if value.__class__ is int:
        return value
    if value.__class__ is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise machine.error("FloatDomainError", infinite(value))
        return int(value)
    if value is None or value is True or value is False:
        raise machine.error(
            "TypeError",
            f"no implicit conversion from {machine.inspect(value)} to integer"
            if value is None
            else f"no implicit conversion of {machine.inspect(value)} into Integer",
        )
    if machine.find(value, "to_int") is not None:
        made = machine.send(value, "to_int", [])
        if made.__class__ is int:
            return made
        name = named(machine, value)
        shown = f"{name} to Integer ({name}#to_int gives {class_of(made).name})"
        raise machine.error("TypeError", f"can't convert {shown}")
    raise machine.error(
        "TypeError", f"no implicit conversion of {named(machine, value)} into Integer"
    )


def infinite(value: float) -> str:
    """A float that is no number, as messages of Ruby write it."""
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def array(machine: Machine, value: RubyValue) -> list[Any]:
    """An argument that must be an array, implicitly converted."""
    if value.__class__ is list:
        return value
    if value is not None and machine.find(value, "to_ary") is not None:
        return list(machine.as_array(value, "to_ary"))
    raise machine.error(
        "TypeError", f"no implicit conversion of {named(machine, value)} into Array"
    )


def hash_(machine: Machine, value: RubyValue) -> Hash:
    """An argument that must be a hash, implicitly converted."""
    if isinstance(value, Hash):
        return value
    if value is not None and machine.find(value, "to_hash") is not None:
        made = machine.send(value, "to_hash", [])
        if isinstance(made, Hash):
            return made
    raise machine.error("TypeError", f"no implicit conversion of {named(machine, value)} into Hash")


def name_of(machine: Machine, value: RubyValue) -> str:
    """An argument that names a method or variable: a symbol or a string."""
    if value.__class__ is Symbol:
        return value.name
    if is_string(value):
        return string(machine, value)
    raise machine.error("TypeError", f"{machine.inspect(value)} is not a symbol nor a string")


def the_class(machine: Machine, value: RubyValue) -> Class:
    """An argument that must be a class or module."""
    if value.__class__ is Class:
        return value
    raise machine.error("TypeError", "class or module required")


def as_float(value: Number | Fraction) -> float:
    """A number as a float; one that is too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
