"""``Puppet::Pops::Types``: data types as functions ask for them."""

from __future__ import annotations

from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.functions import compiler_of
from headwater.langs.puppet.ruby.library import ANY_TYPE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.type_factory import type_given
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Native,
    Proc,
    Range,
    RubyObject,
    RubyValue,
)
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.description import mismatch_text
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer, infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.show import show_type

_CALCULATOR: Final = define("Puppet::Pops::Types::TypeCalculator", OBJECT)
_PARSER: Final = define("Puppet::Pops::Types::TypeParser", OBJECT)
_DESCRIBER: Final = define("Puppet::Pops::Types::TypeMismatchDescriber", OBJECT)
_ASSERTER: Final = module("Puppet::Pops::Types::TypeAsserter")
_ITERABLE: Final = module("Puppet::Pops::Types::Iterable")
_FORMATTER: Final = define("Puppet::Pops::Types::StringConverter", OBJECT)

_KINDS: Final[dict[str, type[Any]]] = {
    "PArrayType": model.ArrayType, "PBooleanType": model.BooleanType,
    "PCallableType": model.CallableType, "PEnumType": model.EnumType,
    "PFloatType": model.FloatType, "PHashType": model.HashType,
    "PIntegerType": model.IntegerType, "POptionalType": model.OptionalType,
    "PPatternType": model.PatternType, "PRegexpType": model.RegexpType,
    "PStringType": model.StringType, "PStructType": model.StructType,
    "PTupleType": model.TupleType, "PTypeType": model.TypeType,
    "PVariantType": model.VariantType, "PTypeAliasType": model.AliasType,
}  # fmt: skip
for _name, _kind in _KINDS.items():
    OF_TYPE[_kind] = define(f"Puppet::Pops::Types::{_name}", ANY_TYPE)


@own_method(_CALCULATOR, "new", "singleton")
@own_method(_PARSER, "new", "singleton")
@own_method(_DESCRIBER, "new", "singleton")
def new(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    return RubyObject(self)


@own_method(_CALCULATOR, "instance?")
@method(_CALCULATOR, "instance?")
def instance(m: Machine, self: RubyValue, type_: RubyValue, value: RubyValue) -> bool:
    return is_instance(type_given(m, type_), from_ruby(value))


@own_method(_CALCULATOR, "infer_set")
@method(_CALCULATOR, "infer_set")
def inferred_set(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    return infer_set(from_ruby(value))


@own_method(_CALCULATOR, "infer")
@method(_CALCULATOR, "infer")
def inferred(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    return infer(from_ruby(value))


@own_method(_CALCULATOR, "generalize")
@method(_CALCULATOR, "generalize")
def generalized(m: Machine, self: RubyValue, type_: RubyValue) -> RubyValue:
    return generalize(type_given(m, type_))


@method(ANY_TYPE, "generalize")
def general(m: Machine, self: model.Type) -> RubyValue:
    return generalize(self)


@own_method(_CALCULATOR, "assignable?")
@method(_CALCULATOR, "assignable?")
def is_assignable(m: Machine, self: RubyValue, type_: RubyValue, other: RubyValue) -> bool:
    return assignable(type_given(m, type_), type_given(m, other))


@method(ANY_TYPE, "assignable?")
def takes(m: Machine, self: model.Type, other: RubyValue, guard: RubyValue = None) -> bool:
    return assignable(self, type_given(m, other))


@method(ANY_TYPE, "===")
def has_instance(m: Machine, self: model.Type, value: RubyValue) -> bool:
    return is_instance(self, from_ruby(value))


@method(_PARSER, "parse")
def parse(m: Machine, self: RubyValue, text: RubyValue, context: RubyValue = None) -> RubyValue:
    spelled = to.string(m, text)
    try:
        return compiler_of(m).parse_type(spelled)
    except BadType as error:
        raise m.error("Puppet::ParseError", str(error)) from None


@own_method(_DESCRIBER, "describe_mismatch")
@method(_DESCRIBER, "describe_mismatch")
def describe_mismatch(
    m: Machine,
    self: RubyValue,
    name: RubyValue,
    type_: RubyValue,
    actual: RubyValue,
    tense: RubyValue = None,
) -> str:
    return mismatch_text(m.text(name), type_given(m, type_), type_given(m, actual))


@own_method(_ASSERTER, "assert_instance_of")
def assert_instance_of(
    m: Machine, self: RubyValue, subject: RubyValue, type_: RubyValue, value: RubyValue,
    absent: RubyValue = False, block: Proc | None = None,
) -> RubyValue:  # fmt: skip
    wanted = type_given(m, type_)
    if is_instance(wanted, from_ruby(value)) or (value is None and m.truth(absent)):
        return value
    about = m.text(block.call([], None) if subject is None and block is not None else subject)
    message = mismatch_text(f"{about} has wrong type,", wanted, infer_set(from_ruby(value)))
    raise m.error("Puppet::Pops::Types::TypeAssertionError", message)


# iterables


@own_method(_ITERABLE, "asserted_iterable")
def asserted_iterable(
    m: Machine, self: RubyValue, caller: RubyValue, value: RubyValue, infer_: RubyValue = False
) -> RubyValue:
    found = _iterable(value)
    if found is None:
        name = show_type(infer(from_ruby(value)))
        raise m.error("ArgumentError", f"expects an Iterable value, got {name}")
    return found


@own_method(_ITERABLE, "on")
def on(
    m: Machine,
    self: RubyValue,
    value: RubyValue,
    element: RubyValue = None,
    infer_: RubyValue = False,
) -> RubyValue:
    return _iterable(value)


class Items(Native):
    """An iterable of Puppet's: its elements, and whether they are pairs of a hash."""

    __slots__ = ("at", "items", "pairs")

    def __init__(self, items: list[Any], pairs: bool) -> None:
        self.items = items
        self.pairs = pairs
        self.at = 0


_ITEMS: Final = define("Puppet::Pops::Types::Iterator", OBJECT)
_ITEMS.included.append(define("Puppet::Pops::Types::IteratorEnumerable", None, True))
OF_TYPE[Items] = _ITEMS


def _iterable(value: RubyValue) -> Items | None:
    match value:
        case list():
            return Items(list(value), False)
        case Hash():
            return Items([[name, item] for name, item in value.pairs()], True)
        case bool():
            return None
        case int() if value > 0:
            return Items(list(range(value)), False)
        case Range(low=int(low), high=int(high)):
            return Items(list(range(low, high + (not value.exclusive))), False)
    text = value if isinstance(value, str) else getattr(value, "s", None)
    if isinstance(text, str):
        return Items(list(text), False)
    if isinstance(value, model.IntegerType) and value.low is not None and value.high is not None:
        return Items(list(range(value.low, value.high + 1)), False)
    return None


@method(_ITEMS, "hash_style?")
def is_hash_style(m: Machine, self: Items) -> bool:
    return self.pairs


@method(_ITEMS, "next")
def next_item(m: Machine, self: Items) -> RubyValue:
    if self.at >= len(self.items):
        raise m.error("StopIteration", "iteration reached an end")
    self.at += 1
    return self.items[self.at - 1]


@method(_ITEMS, "to_a")
def to_a(m: Machine, self: Items) -> RubyValue:
    return list(self.items)


@method(_ITEMS, "each")
def each(m: Machine, self: Items, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("LocalJumpError", "no block given (yield)")
    for item in self.items:
        block.call([item], None)
    return self


@method(_ITEMS, "method_missing")
def of_array(
    m: Machine, self: Items, name: RubyValue, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    """All else it does as an array of its elements does."""
    return m.send(list(self.items), to.name_of(m, name), list(args), block)


__all__ = ["UNDEFINED", "Enumerator", "to_ruby"]
