"""Puppet's own doors to JSON, and what it makes of values that are written out."""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, OBJECT, define, module
from headwater.langs.puppet.ruby.defining import scoped_constant
from headwater.langs.puppet.ruby.library import UTIL
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import UNDEFINED, Class, Given, Raised, RubyValue

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
    _check_plain(value)
    return value


def _check_plain(value: RubyValue) -> None:
    """Refuses what is no data: how it would be written hangs on options."""
    if value is None or to.is_string(value) or value.__class__ in (bool, int, float):
        return
    if value.__class__ is list:
        for item in value:
            _check_plain(item)
    elif isinstance(value, Hash):
        for name, item in value.pairs():
            _check_plain(name)
            _check_plain(item)
    else:
        raise Beyond("ToDataConverter of a value that is no data")


__all__ = ["convert"]
