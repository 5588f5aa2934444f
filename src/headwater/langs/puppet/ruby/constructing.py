"""Literals: what makes the values that a text of Ruby spells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import literals
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.calling import (
    make_arguments,
)
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import (
    Frame,
)
from headwater.langs.puppet.ruby.keys import key, weigh_keys
from headwater.langs.puppet.ruby.methods.conversions import glued_all
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    Keywords,
    Pattern,
    Range,
    RubyValue,
    Text,
    symbol,
)


def _nil(cx: Context, node: s.Nil) -> Run:
    return lambda fr: None


def _constant_of(value: RubyValue) -> Run:
    return lambda fr: value


def _bool(cx: Context, node: s.Bool) -> Run:
    return _constant_of(node.value)


def _self(cx: Context, node: s.Self) -> Run:
    return lambda fr: fr.self_


def _integer(cx: Context, node: s.Integer) -> Run:
    text = node.text
    value = -literals.integer(text[1:]) if text[0] == "-" else literals.integer(text)
    return _constant_of(value)


def _float(cx: Context, node: s.Float) -> Run:
    return _constant_of(node.value)


def _rational(cx: Context, node: s.Rational) -> Run:
    if node.text.endswith("i"):
        raise Beyond("Complex", node.at)
    return _constant_of(Fraction(node.text.rstrip("r").replace("_", "")))


def _str(cx: Context, node: s.Str) -> Run:
    value = node.value
    return lambda fr: Text(value)


def _pieces(cx: Context, parts: list[s.Expr]) -> Callable[[Frame], str]:
    """The parts of a text, joined."""
    machine = cx.machine
    text = machine.text
    made: list[tuple[str | None, Run | None]] = [
        (part.value, None) if isinstance(part, s.Str) else (None, cx.make(part)) for part in parts
    ]

    has_text = any(run_ is None for _, run_ in made)
    # Where nothing but insertions stands in it, Ruby begins with an empty string of its own.

    def joined(fr: Frame) -> str:
        out = []
        size = 0
        for fixed, run_ in made:
            piece = fixed if run_ is None else text(run_(fr))
            assert piece is not None
            size += len(piece)
            out.append(piece)
        machine.check_size(size)
        whole = "".join(out)
        if whole.isascii() and not (has_text and out[0].__class__ is Bytes):
            return whole
        return glued_all(machine, out if has_text else ["", *out])

    return joined


def _interpolated(cx: Context, node: s.Interpolated) -> Run:
    joined = _pieces(cx, node.parts)
    return lambda fr: Text(joined(fr))


def _symbol(cx: Context, node: s.Symbol) -> Run:
    return _constant_of(symbol(node.name))


def _interpolated_symbol(cx: Context, node: s.InterpolatedSymbol) -> Run:
    joined = _pieces(cx, node.parts)
    return lambda fr: symbol(joined(fr))


def _regex(cx: Context, node: s.Regex) -> Run:
    if all(isinstance(part, s.Str) for part in node.parts):
        source = "".join(part.value for part in node.parts if isinstance(part, s.Str))
        return _constant_of(Pattern(source, node.flags))
    machine = cx.machine
    made: list[tuple[str | None, Run | None]] = [
        (part.value, None) if isinstance(part, s.Str) else (None, cx.make(part))
        for part in node.parts
    ]
    flags = node.flags

    def pattern(fr: Frame) -> RubyValue:
        out = []
        for fixed, run_ in made:
            if run_ is None:
                assert fixed is not None
                out.append(fixed)
                continue
            value = run_(fr)
            out.append(machine.text(value))
        return Pattern(glued_all(machine, out), flags)

    return pattern


def _array(cx: Context, node: s.Array) -> Run:
    if not any(isinstance(item, s.Splat) for item in node.items):
        made = [cx.make(item) for item in node.items]
        return lambda fr: [one(fr) for one in made]
    return make_arguments(cx, node.items)


def _hash(cx: Context, node: s.Hash) -> Run:
    pairs = [(None if p.key is None else cx.make(p.key), cx.make(p.value)) for p in node.pairs]
    machine = cx.machine
    kind = Keywords if node.keywords else Hash
    from headwater.langs.puppet.ruby.methods import conversions as to

    def hash_(fr: Frame) -> RubyValue:
        result = kind({})
        for name, value in pairs:
            if name is not None:
                result.put(key(machine, name(fr)), value(fr))
                continue
            more = value(fr)
            if more is not None:
                given = to.hash_(machine, more)
                weigh_keys(machine, given)
                for inner, item in given.pairs():
                    result.put(inner, item)
        return result

    return hash_


def _range(cx: Context, node: s.Range) -> Run:
    low = None if node.low is None else cx.make(node.low)
    high = None if node.high is None else cx.make(node.high)
    exclusive = node.exclusive
    machine = cx.machine

    def range_(fr: Frame) -> RubyValue:
        first = None if low is None else low(fr)
        last = None if high is None else high(fr)
        if first is not None and last is not None:
            plain = (int, float) if first.__class__ in (int, float) else None
            if plain is not None and last.__class__ in plain and first == first and last == last:
                return Range(first, last, exclusive)
            if machine.send(first, "<=>", [last]) is None:
                raise machine.error("ArgumentError", "bad value for range")
        return Range(first, last, exclusive)

    return range_


LITERALS: Final[Mapping[type, Callable[[Context, Any], Run]]] = {
    s.Array: _array,
    s.Bool: _bool,
    s.Float: _float,
    s.Hash: _hash,
    s.Integer: _integer,
    s.Interpolated: _interpolated,
    s.InterpolatedSymbol: _interpolated_symbol,
    s.Nil: _nil,
    s.Range: _range,
    s.Rational: _rational,
    s.Regex: _regex,
    s.Self: _self,
    s.Str: _str,
    s.Symbol: _symbol,
}
