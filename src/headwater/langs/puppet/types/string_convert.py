"""Values as strings by formats: one function per kind of value."""

from __future__ import annotations

from typing import Any

import msgspec

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.inference import infer_set
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.quoting import float_text, quoted
from headwater.langs.puppet.types.refusals import BadStringFormat
from headwater.langs.puppet.types.regexps import shown as regexp_shown
from headwater.langs.puppet.types.rubytext import capitalize, strip, to_s
from headwater.langs.puppet.types.show import show_type, show_value
from headwater.langs.puppet.types.sprintf import sprintf
from headwater.langs.puppet.types.string_format import (
    DEFAULTS,
    Format,
    FormatMap,
    binary_text,
    merged,
    read_format,
    read_formats,
)
from headwater.langs.puppet.types.value import Value


class Indent(msgspec.Struct, frozen=True):
    """How deep an element stands, and whether containers break lines."""

    level: int = 0
    first: bool = True
    breaking: bool = False

    def padding(self) -> str:
        return "  " * self.level

    def breaks(self) -> bool:
        return self.breaking and self.level > 0 and not self.first


def to_string(value: Value, formats: Value = v.DEFAULT) -> str:
    """``String(value, formats)``"""
    detailed = infer_set(value)
    chosen: FormatMap = DEFAULTS
    if isinstance(formats, str):
        if assignable(m.ARRAY, detailed):
            formats = Hash.of([(m.ARRAY, Hash({"format": formats}))])
        elif assignable(m.HASH, detailed):
            formats = Hash.of([(m.HASH, Hash({"format": formats}))])
        else:
            formats = Hash.of([(detailed, formats)])
    if isinstance(formats, Hash):
        chosen = merged(DEFAULTS, read_formats(formats)) or DEFAULTS
    return _convert(value, detailed, chosen, Indent())


def _format(detailed: m.Type, formats: FormatMap) -> Format:
    for key, item in formats:
        if assignable(key, detailed):
            return item
    return read_format("%s")


def _wrong(kind: str, found: Format, letters: str) -> BadStringFormat:
    return BadStringFormat(
        f"Illegal format '{found.letter}' specified for value of {kind} type - expected one of "
        f"the characters '{letters}'"
    )


def _convert(value: Value, detailed: m.Type, formats: FormatMap, indent: Indent) -> str:
    if value.__class__ is PuppetIterator:
        value = list(value)
        detailed = infer_set(value)
    f = _format(detailed, formats)
    match value:
        case list():
            return _array(value, f, formats, indent)
        case Hash():
            return _hash(value, f, formats, indent)
        case str():
            return _string(value, f)
        case None:
            return _undef(f)
        case bool():
            return _boolean(value, f)
        case int():
            return _integer(value, f)
        case float():
            return _float(value, f)
        case v.Default():
            return _default(f)
        case v.Binary():
            return _binary(value, f)
        case v.Regexp():
            return _regexp(value, f)
        case v.Uri():
            return _uri(value, f)
    if m.is_type(value):
        return _type(value, f)
    if isinstance(value, v.Deferred):
        if f.letter == "p":
            return show_value(value)
        if f.letter != "s":
            raise _wrong("Object", f, "spq")
        return to_s(value)
    return sprintf(f.text, [value])


def _flags(f: Format, text: str) -> str:
    """The text in the width and precision of a format."""
    if f.left or f.width or f.precision is not None:
        if f.precision is not None:
            text = text[: f.precision]
        return text.ljust(f.width or 0) if f.left else text.rjust(f.width or 0)
    return text


def _swapped(f: Format, letter: str) -> str:
    return f.text.replace(f.letter, letter)


def _default(f: Format) -> str:
    if f.letter in "dsp":
        return _flags(f, '"default"' if f.alt else "default")
    if f.letter == "D":
        return _flags(f, '"Default"' if f.alt else "Default")
    raise _wrong("Default", f, "dDsp")


def _undef(f: Format) -> str:
    match f.letter:
        case "n":
            return _flags(f, "null" if f.alt else "nil")
        case "u":
            return _flags(f, "undefined" if f.alt else "undef")
        case "v":
            return _flags(f, "n/a")
        case "V":
            return _flags(f, "N/A")
        case "s":
            return _flags(f, '""' if f.alt else "")
        case "p":
            return _flags(f, '"undef"' if f.alt else "undef")
    if f.letter in "dxXobBeEfgGaA":
        return _flags(f, "NaN")
    raise _wrong("Undef", f, "nudxXobBeEfgGaAvVsp")


_BOOLEANS = {
    "t": ("true", "false"), "T": ("True", "False"), "y": ("yes", "no"), "Y": ("Yes", "No"),
}  # fmt: skip


def _boolean(value: bool, f: Format) -> str:
    if f.letter in _BOOLEANS:
        text = _BOOLEANS[f.letter][not value]
        return _flags(f, text[0] if f.alt else text)
    if f.letter in "dxXobB":
        return _integer(int(value), f)
    if f.letter in "eEfgGaA":
        return _float(float(value), f)
    if f.letter in "sp":
        return _flags(f, "true" if value else "false")
    raise _wrong("Boolean", f, "tTyYdxXobBeEfgGaAsp")


def _integer(value: int, f: Format) -> str:
    if f.letter in "dxXobBp":
        return sprintf(f.text, [value])
    if f.letter in "eEfgGaA":
        return sprintf(f.text, [float(value)])
    if f.letter == "c":
        char = chr(value)
        return sprintf(_swapped(f, "s"), [f'"{char}"' if f.alt else char])
    if f.letter == "s":
        return sprintf(f.text.replace("s", "p" if f.alt else "s"), [str(value)])
    raise _wrong("Integer", f, "dxXobBeEfgGaAspc")


def _float(value: float, f: Format) -> str:
    if f.letter in "dxXobB":
        return sprintf(f.text, [int(value)])
    if f.letter in "eEfgGaAp":
        return sprintf(f.text, [value])
    if f.letter == "s":
        text = float_text(value)
        return sprintf(f.text, [f'"{text}"' if f.alt else text])
    raise _wrong("Float", f, "dxXobBeEfgGaAsp")


def _binary(value: v.Binary, f: Format) -> str:
    substitute = "p" if f.alt else "s"
    match f.letter:
        case "s":
            try:
                text = value.data.decode()
            except UnicodeDecodeError:
                bad = next(byte for byte in value.data if byte > 0x7F)
                raise BadStringFormat(f'"\\x{bad:02X}" from ASCII-8BIT to UTF-8') from None
            return sprintf(f.text.replace("s", substitute), [text])
        case "p":
            return f'Binary("{sprintf(_swapped(f, "s"), [binary_text(value, "B")])}")'
        case "b" | "B" | "u":
            return sprintf(_swapped(f, substitute), [binary_text(value, f.letter)])
        case "t":
            return sprintf(_swapped(f, substitute), ["Binary"])
        case "T":
            return sprintf(_swapped(f, substitute), ["BINARY"])
    raise _wrong("Binary", f, "bButTsp")


def _string(value: str, f: Format) -> str:
    if value.__class__ is Bytes:
        if f.letter == "p" and not value.isascii():  # Puppet writes each byte as a character
            return _string(value.data.decode("latin-1"), f)
        return in_encoding(_string(str(value), f), value.encoding)
    match f.letter:
        case "s":
            return sprintf(f.text, [value])
        case "p":
            return _flags(f, quoted(value, f.alt))
        case "c":
            text = capitalize(value)
        case "C":
            text = "::".join(capitalize(part) for part in ruby_split(value))
        case "u":
            text = value.upper()
        case "d":
            text = value.lower()
        case "t":
            text = strip(value)
        case _:
            raise _wrong("String", f, "cCudspt")
    return _flags(f, quoted(text)) if f.alt else sprintf(_swapped(f, "s"), [text])


def ruby_split(value: str) -> list[str]:
    """The parts between ``::``; empty ones at the end are dropped."""
    parts = value.split("::")
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _regexp(value: v.Regexp, f: Format) -> str:
    if f.letter == "p":
        text = regexp_shown(value.pattern)
        return text if f.text == "%p" else sprintf(_swapped(f, "s"), [text])
    if f.letter == "s":
        text = value.pattern if value.pattern.isascii() else f"(?-imx:{value.pattern})"
        text = quoted(text) if f.alt else text
        return text if f.text == "%s" else sprintf(f.text, [text])
    raise _wrong("Regexp", f, "sp")


def _uri(value: v.Uri, f: Format) -> str:
    if f.letter == "p":
        return f"URI({quoted(value.text)})"
    if f.letter == "s":
        return sprintf(f.text, [quoted(value.text) if f.alt else value.text])
    raise _wrong("URI", f, "sp")


def _type(value: m.Type, f: Format) -> str:
    text = show_type(value)
    if f.letter == "s":
        return sprintf(f.text, [f'"{text}"' if f.alt else text])
    if f.letter == "p":
        return sprintf(_swapped(f, "s"), [text])
    raise _wrong("Type", f, "sp")


def _is_container(value: Value) -> bool:
    return value.__class__ in (list, Hash) or isinstance(value, v.Deferred)


def _array(value: list[Any], f: Format, formats: FormatMap, indent: Indent) -> str:
    if f.letter not in "asp":
        raise _wrong("Array", f, "asp")
    separator = ", " if f.separator is None else f.separator
    inner = f.inner or [(m.ANY, read_format("%p"))]
    ends = f.pair("[]")
    here = Indent(indent.level, indent.first, f.alt or indent.breaking)
    below = Indent(here.level + 1, False, f.alt)
    shown = [
        _convert(item, infer_set(item), formats if _is_container(item) else inner, below)
        for item in value
    ]
    too_wide = False
    if f.alt and f.width:
        widest, run = 0, 0
        for item, text in zip(value, shown, strict=True):
            run = 0 if item.__class__ in (list, Hash) else run + len(text)
            widest = max(widest, run)
        too_wide = widest > f.width
    out = ("\n" + here.padding()) if here.breaks() else ""
    out += ends[:1]
    for index, (item, text) in enumerate(zip(value, shown, strict=True)):
        nested = item.__class__ in (list, Hash)
        if index == 0:
            if too_wide and not nested:
                out += " "
        else:
            out += separator
            after = f.alt and value[index - 1].__class__ in (list, Hash) and not nested
            if (too_wide and not nested) or after:
                if not out.endswith("\n"):
                    out = out.rstrip()
                out += "\n" + below.padding()
        if out.endswith(" ") and text.startswith("\n"):
            out = out.rstrip()
        out += text
    return out + ends[1:]


def _hash(value: Hash, f: Format, formats: FormatMap, indent: Indent) -> str:
    if f.letter == "a":
        pairs = [[key, item] for key, item in value.pairs()]
        return _convert(pairs, infer_set(pairs), formats, indent)
    if f.letter not in "hsp":
        raise _wrong("Hash", f, "hasp")
    separator = ", " if f.separator is None else f.separator
    arrow = " => " if f.separator2 is None else f.separator2
    inner = f.inner or [(m.ANY, read_format("%p"))]
    ends = f.pair("{}")
    if f.alt:
        if not separator.endswith("\n"):
            separator = separator.rstrip()
        separator += "\n"
    here = Indent(indent.level, indent.first, f.alt or indent.breaking)
    below = Indent(here.level + 1, True, False)
    padding = below.padding() if f.alt else ""

    def shown(item: Value) -> str:
        return _convert(item, infer_set(item), formats if _is_container(item) else inner, below)

    entries = [f"{padding}{shown(key)}{arrow}{shown(item)}" for key, item in value.pairs()]
    out = ("\n" + here.padding()) if here.breaks() else ""
    out += ends[:1] + ("\n" if f.alt else "") + separator.join(entries)
    if f.alt:
        out += "\n" + here.padding()
    return out + ends[1:]
