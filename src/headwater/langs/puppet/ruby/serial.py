"""Puppet's own doors to JSON, and what it makes of values that are written out."""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.catalog.wire import to_data
from headwater.langs.puppet.hashes import Hash, from_data
from headwater.langs.puppet.ruby.classes import BUILTIN, OBJECT, define, module
from headwater.langs.puppet.ruby.defining import scoped_constant
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.library import UTIL
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Raised,
    RubyValue,
    Text,
    symbol,
)
from headwater.langs.puppet.values import (
    DEFAULT,
    Binary,
    Regexp,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    Uri,
)

_JSON: Final = define("Puppet::Util::Json", None, True)
_PARSE_ERROR: Final = define("Puppet::Util::Json::ParseError", BUILTIN["StandardError"])
_PSON: Final = module("PSON")
_PSON_ERROR: Final = define("PSON::ParserError", BUILTIN["StandardError"])
module("Puppet::Pops::Serialization")
_TO_DATA: Final = define("Puppet::Pops::Serialization::ToDataConverter", OBJECT)
assert UTIL.constants["Json"] is _JSON


def _parsed(m: Machine, text: RubyValue, error: Class) -> RubyValue:
    try:
        return m.send(scoped_constant(m, OBJECT, "JSON"), "parse", [text])
    except Raised as raised:
        if not raised.error.cls.is_below(BUILTIN["StandardError"]):
            raise
        raise m.error(error, m.text(m.send(raised.error, "message", []))) from None


@own_method(_JSON, "load")
def load(m: Machine, self: RubyValue, text: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return _parsed(m, text, _PARSE_ERROR)


@own_method(_PSON, "load", "parse")
def load_pson(
    m: Machine, self: RubyValue, text: RubyValue, options: Given = UNDEFINED
) -> RubyValue:
    from headwater.langs.puppet.ruby.stdlib.pson import PsonParser

    return PsonParser(m, to.string(m, text), _PSON_ERROR).whole()


@own_method(_JSON, "dump")
@own_method(_PSON, "dump", "generate")
def dump(m: Machine, self: RubyValue, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return m.send(scoped_constant(m, OBJECT, "JSON"), "generate", [value])


@own_method(_TO_DATA, "convert")
def convert(m: Machine, self: RubyValue, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    given = Hash() if options is UNDEFINED else to.hash_(m, options)
    return _as_data(m, value, m.truth(given.get(symbol("rich_data"))), set())


def _as_data(m: Machine, value: RubyValue, rich: bool, told: set[int]) -> RubyValue:
    """A value as data; what is rich is spelled out, where that was asked for.

    What occurs twice would be told by its place the second time: that is not done here.
    """
    if value is None or to.is_string(value) or value.__class__ in (bool, int, float):
        return value
    if id(value) in told:
        raise Beyond("ToDataConverter of a value that holds something twice")
    told.add(id(value))
    if value.__class__ is list:
        return [_as_data(m, item, rich, told) for item in value]
    if isinstance(value, Hash):
        if all(to.is_string(name) and m.text(name) not in _SPELLED for name in value):
            return value.map_pairs(lambda name, item: (name, _as_data(m, item, rich, told)))
        if rich:
            pairs = [_as_data(m, part, rich, told) for pair in value.pairs() for part in pair]
            return Hash({"__ptype": Text("Hash"), "__pvalue": pairs})
    elif rich:
        plain = from_ruby(value)
        if isinstance(plain, _RICH) or plain is DEFAULT:
            return to_ruby(from_data(to_data(plain)))
    raise Beyond("ToDataConverter of a value that is no data")


_SPELLED: Final = frozenset(["__ptype", "__pvalue"])
_RICH: Final = (Binary, Regexp, SemVer, SemVerRange, Sensitive, Timespan, Timestamp, Uri)


__all__ = ["convert"]
