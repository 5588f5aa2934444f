"""Strings as Puppet quotes them, numbers as Ruby prints them, names of Ruby's classes."""

from __future__ import annotations

import math

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.value import Value


def quoted(text: str, double: bool = False) -> str:
    """The text in single quotes, or in double quotes where it holds control characters."""
    if double or any(char < " " for char in text):
        return double_quoted(text)
    out: list[str] = ["'"]
    escaped = False
    for char in text:
        if escaped:
            out.append("\\" + char)
            escaped = False
        elif char == "'":
            out.append("\\'")
        elif char == "\\":
            escaped = True
        else:
            out.append(char)
    if escaped:
        out.append("\\")
    out.append("'")
    return "".join(out)


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "$": "\\$", "\\": "\\\\"}


def double_quoted(text: str) -> str:
    """The text in double quotes, with what would mean something in them escaped."""
    return (
        '"'
        + "".join(
            _ESCAPES.get(c) or (f"\\u{{{ord(c):X}}}" if c < " " else c)
            for c in text
        )
        + '"'
    )  # fmt: skip


def float_text(value: float) -> str:
    """A float as Ruby's ``to_s`` writes it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    text = f"{value:.15e}" if 1e15 <= abs(value) < 1e16 else repr(value)
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text
    power = int(exponent)
    if power == 15:
        return f"{mantissa.rstrip('0').ljust(mantissa.index('.') + 2, '0')}e+15"
    if -5 < power < 16:
        return _expanded(mantissa, power)
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _expanded(mantissa: str, power: int) -> str:
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = whole + fraction
    place = len(whole) + power
    if place <= 0:
        return f"{sign}0.{'0' * -place}{digits}"
    if place >= len(digits):
        return f"{sign}{digits}{'0' * (place - len(digits))}.0"
    return f"{sign}{digits[:place]}.{digits[place:]}"


_CLASSES: dict[type, str] = {
    type(None): "NilClass",
    int: "Integer",
    float: "Float",
    str: "String",
    Bytes: "String",
    list: "Array",
    Hash: "Hash",
    v.Default: "Symbol",
    v.Regexp: "Regexp",
    v.Sensitive: "Puppet::Pops::Types::PSensitiveType::Sensitive",
    v.Timestamp: "Puppet::Pops::Time::Timestamp",
    v.Timespan: "Puppet::Pops::Time::Timespan",
    v.SemVer: "SemanticPuppet::Version",
    v.SemVerRange: "SemanticPuppet::VersionRange",
    v.Binary: "Puppet::Pops::Types::PBinaryType::Binary",
    v.Uri: "URI::Generic",
    v.Deferred: "Puppet::DataTypes::Deferred",
    v.ClassRef: "Puppet::Pops::Types::PClassType",
    v.ResourceRef: "Puppet::Pops::Types::PResourceType",
    PuppetIterator: "Puppet::Pops::Types::Iterator",
    m.UriType: "Puppet::Pops::Types::PURIType",
    m.TypeReference: "Puppet::Pops::Types::PTypeReferenceType",
    m.AliasType: "Puppet::Pops::Types::PTypeAliasType",
}


def ruby_class(value: Value) -> str:
    """The name of the Ruby class that real Puppet would hold the value in."""
    if value.__class__ is bool:
        return "TrueClass" if value else "FalseClass"
    if value.__class__ is m.Plain:
        return f"Puppet::Pops::Types::P{value.name}Type"
    known = _CLASSES.get(value.__class__)
    return known or f"Puppet::Pops::Types::P{value.__class__.__name__}"


def article(text: str) -> str:
    """The text with its indefinite article, chosen as Puppet chooses it."""
    first = text[1:2] if text[:1] in ("'", '"') else text[:1]
    return f"{'an' if first.lower() in tuple('aeiouy') and first else 'a'} {text}"
