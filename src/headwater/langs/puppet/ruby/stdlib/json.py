"""JSON: ``generate``, ``pretty_generate``, ``parse``, ``to_json``, as Ruby's json 2.6 has them."""

from __future__ import annotations

import math
from typing import Any, Final

from headwater.langs.puppet.bytestrings import as_text
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import BUILTIN, KERNEL, define, module
from headwater.langs.puppet.ruby.machine import COMPARED, Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.stdlib.json_text import Parser
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Proc,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.quoting import float_text

JSON: Final = module("JSON")
define("JSON::JSONError", BUILTIN["StandardError"])
define("JSON::ParserError", BUILTIN["JSON::JSONError"])
define("JSON::NestingError", BUILTIN["JSON::ParserError"])
define("JSON::GeneratorError", BUILTIN["JSON::JSONError"])
JSON.constants["UnparserError"] = BUILTIN["JSON::GeneratorError"]
JSON.constants.update(NaN=math.nan, Infinity=math.inf, MinusInfinity=-math.inf)
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r",
                   "\t": "\\t"}  # fmt: skip
DEEPEST: Final = 100


class Style:
    """How JSON is laid out."""

    def __init__(self, m: Machine, options: Given, pretty: bool = False) -> None:
        given = Hash({}) if options is UNDEFINED or options is None else to.hash_(m, options)

        def text(name: str, usual: str) -> str:
            value = given.get(symbol(name))
            return m.text(value) if m.truth(value) else usual

        self.indent = text("indent", "  " if pretty else "")
        self.space = text("space", " " if pretty else "")
        self.space_before = text("space_before", "")
        self.object_nl = text("object_nl", "\n" if pretty else "")
        self.array_nl = text("array_nl", "\n" if pretty else "")
        self.closes_objects = pretty or m.truth(given.get(symbol("object_nl")))
        self.closes_arrays = pretty or m.truth(given.get(symbol("array_nl")))
        """Whether the bracket at the end is indented: a line end that is given as empty counts."""
        self.allow_nan = m.truth(given.get(symbol("allow_nan")))
        self.ascii_only = m.truth(given.get(symbol("ascii_only")))
        self.script_safe = m.truth(given.get(symbol("script_safe")))
        depth = given.get(symbol("max_nesting"), DEEPEST)
        self.deepest = depth if depth.__class__ is int else 0


def quoted(m: Machine, text: str, style: Style) -> str:
    """A string in JSON."""
    out = ['"']
    for char in text:
        code = ord(char)
        if char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif code < 32:
            out.append(f"\\u{code:04x}")
        elif 0xDC80 <= code <= 0xDCFF:
            raise m.error("JSON::GeneratorError", "source sequence is illegal/malformed utf-8")
        elif style.ascii_only and code > 126:
            data = char.encode("utf-16-be")
            out.extend(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))
        elif style.script_safe and char in "/\u2028\u2029":
            out.append("\\/" if char == "/" else f"\\u{code:04x}")
        else:
            out.append(char)
    out.append('"')
    return "".join(out)


def json_of(m: Machine, value: RubyValue, style: Style, depth: int = 0) -> str:
    """A value as JSON."""
    m.spend(1)
    if value is None or value.__class__ is bool:
        return "null" if value is None else str(value).lower()
    if value.__class__ is Text or isinstance(value, str):
        return quoted(m, as_text(m.text(value)), style)
    if value.__class__ is Symbol:
        return quoted(m, value.name, style)
    if value.__class__ is int:
        return m.text(value)
    if value.__class__ is float:
        if not style.allow_nan and not math.isfinite(value):
            number = 1003 if math.isnan(value) else 1000
            raise m.error(
                "JSON::GeneratorError", f"{number}: {float_text(value)} not allowed in JSON"
            )
        return float_text(value)
    if isinstance(value, list | Hash):
        m.spend(COMPARED)
        if style.deepest and depth + 1 > style.deepest:
            raise m.error("JSON::NestingError", f"nesting of {depth} is too deep")
        made = (
            _array(m, value, style, depth + 1)
            if isinstance(value, list)
            else _object(m, value, style, depth + 1)
        )
        m.check_size(len(made))
        return made
    own = m.find(value, "to_json")
    if own is not None and own.__class__ is not Builtin:
        return m.text(m.invoke(own, value, [], None))
    if m.find(value, "to_h") is not None and own is None:
        return json_of(m, m.send(value, "to_h", []), style, depth)
    return quoted(m, m.text(m.send(value, "to_s", [])), style)


def _array(m: Machine, value: list[Any], style: Style, depth: int) -> str:
    shift = style.indent * depth
    items = [shift + json_of(m, one, style, depth) for one in value]
    end = style.array_nl + style.indent * (depth - 1) if style.closes_arrays else ""
    return "[" + style.array_nl + ("," + style.array_nl).join(items) + end + "]"


def _object(m: Machine, value: Hash, style: Style, depth: int) -> str:
    shift = style.indent * depth
    items = [
        f"{style.object_nl}{shift}{quoted(m, as_text(m.text(name)), style)}{style.space_before}:"
        f"{style.space}{json_of(m, item, style, depth)}"
        for name, item in value.pairs()
    ]
    end = style.object_nl + style.indent * (depth - 1) if style.closes_objects else ""
    return "{" + ",".join(items) + end + "}"


@own_method(JSON, "generate", "unparse", "fast_generate", "fast_unparse")
def generate(m: Machine, self: Class, value: RubyValue, style: Given = UNDEFINED) -> str:
    return json_of(m, value, Style(m, style))


@own_method(JSON, "pretty_generate", "pretty_unparse")
def pretty_generate(m: Machine, self: Class, value: RubyValue, style: Given = UNDEFINED) -> str:
    return json_of(m, value, Style(m, style, pretty=True))


@own_method(JSON, "dump")
def dump(m: Machine, self: Class, value: RubyValue, limit: Given = UNDEFINED) -> str:
    style = Style(m, UNDEFINED)
    style.allow_nan, style.deepest = True, limit if limit.__class__ is int else 0
    return json_of(m, value, style)


@method(KERNEL, "to_json")
def to_json(m: Machine, self: RubyValue, options: Given = UNDEFINED, *more: RubyValue) -> str:
    return json_of(m, self, Style(m, options if isinstance(options, Hash) else UNDEFINED))


def parsed(
    m: Machine, value: RubyValue, options: Given, allow_nan: bool = False, depth: int = DEEPEST
) -> RubyValue:
    """The value of a text."""
    text = to.string(m, value)
    given = Hash({}) if options is UNDEFINED or options is None else to.hash_(m, options)
    limit = given.get(symbol("max_nesting"), depth)
    reader = Parser(
        m,
        text,
        m.truth(given.get(symbol("symbolize_names"))),
        m.truth(given.get(symbol("allow_nan"), allow_nan)),
        limit if limit.__class__ is int else 0,
    )
    return reader.whole()


@own_method(JSON, "parse")
def parse(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return parsed(m, value, options)


@own_method(JSON, "parse!")
def parse_bang(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    return parsed(m, value, options, True, 0)


@own_method(JSON, "load", "restore")
def load(
    m: Machine, self: Class, value: RubyValue, each: RubyValue = None, options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:  # fmt: skip
    if value is None or (to.is_string(value) and not m.text(value)):
        return None
    return parsed(m, value, options, True, 0)


@own_method(JSON, "[]")
@method(KERNEL, "JSON")
def either(m: Machine, self: RubyValue, value: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    if to.is_string(value):
        return parsed(m, value, options)
    return Text(json_of(m, value, Style(m, options)))
