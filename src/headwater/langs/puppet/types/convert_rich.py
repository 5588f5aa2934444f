"""Conversions to strings, times, versions, binaries and the other rich values."""

from __future__ import annotations

import base64
import binascii

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes, as_text, lenient_base64
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.convert_numbers import whole
from headwater.langs.puppet.types.refusals import (
    BadFormat,
    BadRegexp,
    BadStringFormat,
    BadTime,
    BadTimespan,
    BadUri,
    BadVersion,
    TooWide,
)
from headwater.langs.puppet.types.regexps import compiled, escaped
from headwater.langs.puppet.types.rich_parameters import timespan_of_fields
from headwater.langs.puppet.types.signatures import Failed, Parse, Signature
from headwater.langs.puppet.types.string_convert import to_string
from headwater.langs.puppet.types.string_format import FORMAT_PATTERN
from headwater.langs.puppet.types.timespans import parse_timespan
from headwater.langs.puppet.types.timestamps import now, parse_timestamp
from headwater.langs.puppet.types.uris import PORTS, check
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.types.versions import intervals, parse_version, version_text

_SECOND = 1_000_000_000


def _string(value: Value, formats: Value = v.DEFAULT) -> str:
    try:
        return to_string(value, formats)
    except (BadStringFormat, BadFormat, TooWide) as error:
        raise Failed(str(error)) from None


_STRING_LOCAL = {
    "Format": f"Pattern[/{FORMAT_PATTERN}/]",
    "ContainerFormat": (
        "Struct[{Optional[format] => Format, Optional[separator] => String, "
        "Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]"
    ),
    "TypeMap": "Hash[Type, Variant[Format, ContainerFormat]]",
    "Convertible": "Any",
    "Formats": "Variant[Default, String[1], TypeMap]",
}
STRING_MAKERS = [
    Signature("Convertible from, Formats string_formats?", _string, local=_STRING_LOCAL)
]


def _regexp(pattern: str, escape: bool = False) -> v.Regexp:
    text = escaped(pattern) if escape else pattern
    try:
        compiled(text)
    except BadRegexp as error:
        raise Failed(str(error)) from None
    return v.Regexp(as_text(text))


REGEXP_MAKERS = [Signature("String pattern, Boolean escape?", _regexp)]


def type_makers(parse: Parse) -> list[Signature]:
    """How types are made of texts."""

    def make(text: str) -> m.Type:
        try:
            return parse(text)
        except BadType as error:
            raise Failed(str(error)) from None

    return [Signature("String[1] type_string", make)]


UNIT_MAKERS = [Signature("Any from", lambda value: value)]
SENSITIVE_MAKERS = [
    Signature("Sensitive value", lambda value: value),
    Signature("Any value", v.Sensitive),
]


def _binary(text: str, form: str | None = None) -> v.Binary:
    try:
        match form or "%B":
            case "%b":
                return v.Binary(lenient_base64(text.encode()))
            case "%u":
                padded = text if text.endswith("=") else text + "=" * (-len(text) % 4)
                plain = padded.translate(str.maketrans("-_", "+/"))
                return v.Binary(base64.b64decode(plain, validate=True))
            case "%B":
                return v.Binary(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise Failed("invalid base64") from None
    if text.__class__ is Bytes and not text.isascii():
        bad = next(byte for byte in text.data if byte > 0x7F)
        raise Failed(f'"\\x{bad:02X}" from {text.encoding} to UTF-8')
    return v.Binary(bytes(text.encode()))


def _binary_of_hash(given: Hash) -> v.Binary:
    value = given["value"]
    return (
        v.Binary(bytes(value)) if isinstance(value, list) else _binary(value, given.get("format"))
    )


_BINARY_LOCAL = {
    "ByteInteger": "Integer[0,255]",
    "Base64Format": "Enum['%b', '%u', '%B', '%s', '%r']",
    "StringHash": "Struct[{value => String, 'format' => Optional[Base64Format]}]",
    "ArrayHash": "Struct[{value => Array[ByteInteger]}]",
    "BinaryArgsHash": "Variant[StringHash, ArrayHash]",
}
BINARY_MAKERS = [
    Signature("String str, Base64Format format?", _binary, local=_BINARY_LOCAL),
    Signature("Array[ByteInteger] byte_array", lambda a: v.Binary(bytes(a)), local=_BINARY_LOCAL),
    Signature("BinaryArgsHash hash_args", _binary_of_hash, local=_BINARY_LOCAL),
]


def _version(text: str) -> v.SemVer:
    try:
        return parse_version(text)
    except BadVersion as error:
        raise Failed(str(error)) from None


def _qualifier(text: str | None) -> tuple[str | int, ...] | None:
    return None if text is None else (text,)


def _version_of(
    major: int, minor: int, patch: int, pre: str | None = None, build: str | None = None
) -> v.SemVer:
    return v.SemVer(major, minor, patch, _qualifier(pre), _qualifier(build))


_NUMERIC = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
_GROUP = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_SEMVER_LOCAL = {
    "PositiveInteger": "Integer[0,default]",
    "SemVerQualifier": r"Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]",
    "SemVerPattern": rf"Pattern[/\A{_NUMERIC}(?:-({_GROUP}))?(?:\+({_GROUP}))?\Z/]",
    "SemVerHash": (
        "Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,"
        "Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]"
    ),
}
SEMVER_MAKERS = [
    Signature("SemVerPattern str", _version, local=_SEMVER_LOCAL),
    Signature(
        "PositiveInteger major, PositiveInteger minor, PositiveInteger patch, "
        "SemVerQualifier prerelease?, SemVerQualifier build?",
        _version_of,
        local=_SEMVER_LOCAL,
    ),
    Signature(
        "SemVerHash hash_args",
        lambda h: _version_of(
            h["major"], h["minor"], h["patch"], h.get("prerelease"), h.get("build")
        ),
        local=_SEMVER_LOCAL,
    ),
    Signature(
        "String str", lambda s: f"The string '{s}' cannot be converted to a SemVer", complain=True
    ),
]


Limit = v.SemVer | v.Default


def _range(text: str) -> v.SemVerRange:
    try:
        intervals(text)
    except BadVersion as error:
        raise Failed(str(error)) from None
    return v.SemVerRange(text)


def _range_of(low: Limit, high: Limit = v.DEFAULT, open_: bool = False) -> v.SemVerRange:
    first = version_text(low) if isinstance(low, v.SemVer) else "0.0.0-"
    if isinstance(high, v.Default):
        return v.SemVerRange(f">={first.rstrip('-')}")
    last = version_text(high)
    if open_:
        return v.SemVerRange(f">={first} <{last}")
    return v.SemVerRange(f"{first} - {last}")


_RANGE_LOCAL = {
    "SemVerRangeString": "String[1]",
    "SemVerRangeHash": (
        "Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],"
        "Optional[exclude_max]=>Boolean}]"
    ),
}
SEMVER_RANGE_MAKERS = [
    Signature("SemVerRangeString str", _range, local=_RANGE_LOCAL),
    Signature(
        "Variant[Default,SemVer] min, Variant[Default,SemVer] max, Boolean exclude_max?", _range_of
    ),
    Signature(
        "SemVerRangeHash hash_args",
        lambda h: _range_of(h["min"], h.get("max", v.DEFAULT), h.get("exclude_max", False)),
        local=_RANGE_LOCAL,
    ),
]


def _nanoseconds(seconds: float) -> int:
    return seconds * _SECOND if isinstance(seconds, int) else whole(seconds * _SECOND)


Spec = str | list[str] | None
"""Formats of times."""


def _timespan(text: str, spec: Spec = None) -> v.Timespan:
    try:
        return parse_timespan(text, spec)
    except BadTimespan as error:
        raise Failed(str(error)) from None


_FIELDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
_FORMATS = {"Formats": "Variant[String[2],Array[String[2], 1]]"}
TIMESPAN_MAKERS = [
    Signature("Variant[Integer,Float] seconds", lambda s: v.Timespan(_nanoseconds(s))),
    Signature("String[1] string, Formats format?", _timespan, local=_FORMATS),
    Signature(
        "Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, "
        "Integer microseconds?, Integer nanoseconds?",
        lambda *fields: timespan_of_fields(Hash(dict(zip(_FIELDS, fields, strict=False)))),
    ),
    Signature(
        "Struct[{string => String[1], Optional[format] => Formats}] hash_arg",
        lambda h: _timespan(h["string"], h.get("format")),
        local=_FORMATS,
    ),
    Signature(
        "Struct[{Optional[negative] => Boolean, "
        + ", ".join(f"Optional[{name}] => Integer" for name in _FIELDS)
        + "}] hash_arg",
        timespan_of_fields,
    ),
]


def _timestamp(text: str, spec: Spec = None, zone: str | None = None) -> v.Timestamp:
    try:
        return parse_timestamp(text, spec, zone)
    except BadTime as error:
        raise Failed(str(error)) from None


TIMESTAMP_MAKERS = [
    Signature("", now),
    Signature("Variant[Integer,Float] seconds", lambda s: v.Timestamp(_nanoseconds(s))),
    Signature("String[1] string, Formats format?, String[1] timezone?", _timestamp, local=_FORMATS),
    Signature(
        "Struct[{string => String[1], Optional[format] => Formats, "
        "Optional[timezone] => String[1]}] hash_arg",
        lambda h: _timestamp(h["string"], h.get("format"), h.get("timezone")),
        local=_FORMATS,
    ),
]


def _uri(text: str) -> v.Uri:
    try:
        check(text)
    except BadUri as error:
        raise Failed(str(error)) from None
    return v.Uri(text)


def _uri_of(parts: Hash) -> v.Uri:
    out = f"{parts['scheme']}:" if "scheme" in parts else ""
    if "opaque" in parts:
        return _uri(out + parts["opaque"])
    if "host" in parts:
        out += "//" + (f"{parts['userinfo']}@" if "userinfo" in parts else "") + parts["host"]
        port = parts.get("port")
        if port is not None and port != PORTS.get(parts.get("scheme", "").lower()):
            out += f":{port}"
    out += parts.get("path", "")
    out += f"?{parts['query']}" if "query" in parts else ""
    return _uri(out + (f"#{parts['fragment']}" if "fragment" in parts else ""))


URI_MAKERS = [
    Signature("String[1] uri", _uri),
    Signature(
        "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], "
        "Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], "
        "Optional[query] => String[1], Optional[fragment] => String[1], "
        "Optional[opaque] => String[1]}] hash",
        _uri_of,
    ),
]
_NAME = r"Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/]"
DEFERRED_MAKERS = [
    Signature(
        f"{_NAME} name, Array[Any] arguments?",
        lambda name, arguments=None: v.Deferred(name, arguments or []),
    ),
    Signature(
        f"Struct[{{name => {_NAME}, Optional[arguments] => Array[Any]}}] hash_arg",
        lambda h: v.Deferred(h["name"], h.get("arguments") or []),
    ),
]
