"""Values as Ruby turns them into text, and texts as Ruby turns them into numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.refusals import BadNumber, BadRegexp
from headwater.langs.puppet.types.value import Value
from headwater.text.late import when_called
from headwater.text.patterns import LatePattern

if TYPE_CHECKING:
    from headwater.langs.puppet.types.quoting import float_text
    from headwater.langs.puppet.types.regexps import compiled, delimited
    from headwater.langs.puppet.types.show import show_type, show_value
    from headwater.langs.puppet.types.uris import ruby_inspect
    from headwater.langs.puppet.types.versions import version_text
else:
    when_called(globals(), "headwater.langs.puppet.types.quoting", "float_text")
    when_called(globals(), "headwater.langs.puppet.types.show", "show_type show_value")
    when_called(globals(), "headwater.langs.puppet.types.uris", "ruby_inspect")
    when_called(globals(), "headwater.langs.puppet.types.versions", "version_text")
    when_called(globals(), "headwater.langs.puppet.types.regexps", "compiled delimited")


def to_s(value: Value) -> str:
    """What ``to_s`` gives: arrays and hashes show their elements as to a programmer."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return float_text(value)
        case v.Regexp():
            return _regexp(value.pattern)
        case list() | Hash():
            return inspect(value)
        case v.Default():
            return "default"
        case v.Symbolic():
            return value.name
    return _rich(value)


def _regexp(pattern: str) -> str:
    """A regular expression as Ruby shows it: options that stand before or around all are told."""
    on: set[str] = set()
    rest = pattern
    while len(rest) >= 4 and (head := _OPTIONS.match(rest)) is not None:
        options = (on | set(head[1])) - set(head[2] or "")
        if head[3] == ")":
            on, rest = options, rest[head.end() :]
            continue
        inner = rest[head.end() : -1]
        good = rest.endswith(")") and _is_whole(inner)
        on, rest = (options, inner) if good else (set(), pattern)
        break
    else:
        if len(rest) >= 4 and rest.startswith("(?"):
            on, rest = set(), pattern
    told = "".join(letter for letter in "mix" if letter in on)
    off = "".join(letter for letter in "mix" if letter not in on)
    return f"(?{told}{'-' if off else ''}{off}:{delimited(rest)[1:-1]})"


def _is_whole(pattern: str) -> bool:
    try:
        compiled(pattern)
    except BadRegexp:
        return False
    return True


def _rich(value: Value) -> str:
    match value:
        case v.SemVer():
            return version_text(value)
        case v.SemVerRange() | v.Uri():
            return value.text
        case v.Timestamp():
            from headwater.langs.puppet.types.timestamps import timestamp_text

            return timestamp_text(value)
        case v.Timespan():
            from headwater.langs.puppet.types.timespans import timespan_text

            return timespan_text(value)
        case v.Binary():
            import base64

            return base64.b64encode(value.data).decode()
        case v.Sensitive():
            return "Sensitive [value redacted]"
        case v.Deferred():
            return show_value(value)
    if m.is_type(value):
        return show_type(value)
    return str(value)


def inspect(value: Value) -> str:
    """What ``inspect`` gives."""
    match value:
        case None:
            return "nil"
        case str():
            return ruby_inspect(value)
        case list():
            return "[" + ", ".join(inspect(item) for item in value) + "]"
        case Hash():
            return "{" + ", ".join(f"{inspect(k)}=>{inspect(i)}" for k, i in value.pairs()) + "}"
        case v.Regexp():
            return delimited(value.pattern)
        case v.Default():
            return ":default"
        case v.Symbolic():
            return repr(value)
        case v.Uri():
            scheme = value.text.partition(":")[0].lower()
            return f"#<URI::{_URI_CLASSES.get(scheme, 'Generic')} {value.text}>"
        case v.Sensitive():
            return "#<Sensitive [value redacted]>"
    return to_s(value)


_URI_CLASSES = {
    "http": "HTTP", "https": "HTTPS", "ftp": "FTP", "ldap": "LDAP", "ldaps": "LDAPS",
    "mailto": "MailTo", "file": "File", "ws": "WS", "wss": "WSS",
}  # fmt: skip
_INTEGER = LatePattern(
    r"\s*([+-]?)(0[xX]_?(?P<x>[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]_?(?P<b>[01]+(?:_[01]+)*)"
    r"|0[oO]_?(?P<o>[0-7]+(?:_[0-7]+)*)|0[dD]_?(?P<d>[0-9]+(?:_[0-9]+)*)"
    r"|(?P<plain>[0-9]+(?:_[0-9]+)*))\s*\Z",
    re.ASCII,
)
_OPTIONS = LatePattern(r"\(\?([mix]*)(?:-([mix]*))?([):])")
_DIGITS = {2: "01", 8: "0-7", 10: "0-9", 16: "0-9a-fA-F"}
_PREFIX = {2: "0[bB]", 8: "0[oO]?", 10: "0[dD]", 16: "0[xX]"}


def ruby_integer(text: str, base: int | None = None) -> int:
    """What Ruby's ``Integer(text)`` gives, with prefixes and underscores."""
    refused = BadNumber(f"invalid value for Integer(): {ruby_inspect(text)}")
    if base is not None:
        digits = f"[{_DIGITS[base]}]"
        found = re.match(
            rf"\s*([+-]?)(?:{_PREFIX[base]}_?)?({digits}+(?:_{digits}+)*)\s*\Z", text, re.ASCII
        )
        if found is None:
            if base == 8 and re.match(r"\s*[+-]?0+\s*\Z", text):
                return 0
            raise refused
        return _signed(found[1], int(found[2].replace("_", ""), base))
    found = _INTEGER.match(text)
    if found is None:
        raise refused
    for name, radix in (("x", 16), ("b", 2), ("o", 8), ("d", 10)):
        if found[name]:
            return _signed(found[1], int(found[name].replace("_", ""), radix))
    plain = found["plain"]
    digits = plain.replace("_", "")
    if len(digits) > 1 and digits[0] == "0":
        if not re.match(r"[0-7]+\Z", digits):
            raise refused
        return _signed(found[1], int(digits, 8))
    return _signed(found[1], int(digits))


def _signed(sign: str, number: int) -> int:
    return -number if sign == "-" else number


_FLOAT = LatePattern(
    r"\s*[+-]?(?:\d+(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?\s*\Z", re.ASCII
)
_HEX_FLOAT = LatePattern(
    r"\s*[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?\d+)?\s*\Z", re.ASCII
)


def ruby_float(text: str) -> float:
    """What Ruby's ``Float(text)`` gives."""
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    if _HEX_FLOAT.match(text):
        return float.fromhex(text.strip())
    # Ruby shows the text of this message byte by byte.
    shown = "".join(
        char if char.isascii() else "".join(f"\\x{byte:02X}" for byte in char.encode())
        for char in ruby_inspect(text)
    )
    raise BadNumber(f"invalid value for Float(): {shown}")


_LEADING_INT = LatePattern(r"\s*[+-]?\d+(?:_\d+)*", re.ASCII)
_LEADING_FLOAT = LatePattern(
    r"\s*[+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?", re.ASCII
)


def to_i(value: str | float | None) -> int:
    """What ``to_i`` gives: the number a text starts with, or 0."""
    if isinstance(value, str):
        found = _LEADING_INT.match(value)
        return int(found[0].replace("_", "")) if found else 0
    return 0 if value is None else int(value)


def to_f(value: str | float | None) -> float:
    """What ``to_f`` gives."""
    if isinstance(value, str):
        found = _LEADING_FLOAT.match(value)
        return float(found[0].replace("_", "")) if found else 0.0
    return 0.0 if value is None else float(value)


def capitalize(text: str) -> str:
    """The first letter in upper case, the others in lower case."""
    return text.capitalize() if text.__class__ is Bytes else text[:1].upper() + text[1:].lower()


def strip(text: str) -> str:
    """Without white space at both ends, as Ruby understands it."""
    return text.lstrip("\t\n\v\f\r \0").rstrip("\t\n\v\f\r \0")
