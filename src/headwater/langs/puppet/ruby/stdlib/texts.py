"""Base64, Shellwords, ERB::Util and CGI: texts written so that something else can read them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from headwater.langs.puppet.bytestrings import (
    BINARY,
    Bytes,
    encoding_of,
    in_encoding,
    lenient_base64,
)
from headwater.langs.puppet.ruby.classes import ARRAY, OBJECT, STRING, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    RubyString,
    RubyValue,
    Text,
    bytes_text,
    symbol,
)

BASE64: Final = module("Base64")
SHELLWORDS: Final = module("Shellwords")
ERB: Final = define("ERB", OBJECT)
ERB_UTIL: Final = module("ERB::Util")
CGI: Final = define("CGI", OBJECT)


def _data(m: Machine, value: RubyValue) -> bytes:
    return encoded(to.string(m, value))


@own_method(BASE64, "encode64")
def encode64(m: Machine, self: Class, value: RubyValue) -> str:
    data = _data(m, value)
    m.check_size(len(data) * 2)
    lines = [base64.b64encode(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    return "".join(line + "\n" for line in lines)


@own_method(BASE64, "strict_encode64")
def strict_encode64(m: Machine, self: Class, value: RubyValue) -> str:
    return base64.b64encode(_data(m, value)).decode()


@own_method(BASE64, "urlsafe_encode64")
def urlsafe_encode64(m: Machine, self: Class, value: RubyValue, options: Given = UNDEFINED) -> str:
    made = base64.urlsafe_b64encode(_data(m, value)).decode()
    pads = options is UNDEFINED or to.hash_(m, options).get(symbol("padding"), True)
    return made if m.truth(pads) else made.rstrip("=")


@own_method(BASE64, "decode64")
def decode64(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    return bytes_text(lenient_base64(_data(m, value)))


def _strictly(m: Machine, text: str) -> Text:
    try:
        made = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        raise m.error("ArgumentError", "invalid base64") from None
    if base64.b64encode(made).decode() != text:
        raise m.error("ArgumentError", "invalid base64")
    return bytes_text(made)


@own_method(BASE64, "strict_decode64")
def strict_decode64(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    return _strictly(m, to.string(m, value))


@own_method(BASE64, "urlsafe_decode64")
def urlsafe_decode64(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    text = to.string(m, value)
    if not text.endswith("=") and len(text) % 4:
        text += "=" * (-len(text) % 4)
    return _strictly(m, text.replace("-", "+").replace("_", "/"))


# words of a shell


def _alike(text: str, change: Callable[[str], str]) -> str:
    """A text that was changed, in its encoding."""
    made = change(text)
    if not text:
        return str(made) if made else text
    return in_encoding(made, encoding_of(text)) if text.__class__ is Bytes else made


def shell_escaped(text: str) -> str:
    """A text as one word of a shell."""
    if not text:
        return "''"
    made = re.sub(r"[^A-Za-z0-9_\-.,:+/@\n]", lambda found: "\\" + found[0], text)
    return made.replace("\n", "'\n'")


@own_method(SHELLWORDS, "escape", "shellescape")
@method(SHELLWORDS, "shellescape")
def escape(m: Machine, self: RubyValue, value: RubyValue) -> str:
    return _alike(to.sound(m, Text(m.text(value))), shell_escaped)


@own_method(SHELLWORDS, "join", "shelljoin")
@method(SHELLWORDS, "shelljoin")
def join(m: Machine, self: RubyValue, values: RubyValue) -> str:
    return " ".join(shell_escaped(m.text(one)) for one in to.array(m, values))


_WORD: Final = re.compile(
    r"""\s*(?:([^\s\\'"]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|(\\.?)|(\S))(\s|\Z)?""", re.DOTALL
)


@own_method(SHELLWORDS, "split", "shellsplit", "shellwords")
@method(SHELLWORDS, "shellsplit", "shellwords")
def split(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    line = to.sound(m, value)
    words: list[Any] = []
    field = ""
    m.spend(len(line))
    for found in _WORD.finditer(line):
        plain, single, double, escaped, other, end = found.groups()
        if other is not None:
            raise m.error("ArgumentError", f"Unmatched quote: {m.inspect(value)}")
        if plain is not None:
            field += plain
        elif single is not None:
            field += single
        elif double is not None:
            field += re.sub(r"(?s)\\([$`\"\\\n])", r"\1", double)
        else:
            field += re.sub(r"(?s)\\(.)", r"\1", escaped)
        if end is not None:
            # Ruby begins a word without an encoding, which letters of ASCII do not change.
            own = BINARY if field.isascii() else encoding_of(line)
            words.append(Text(in_encoding(field, own)))
            field = ""
    return words


@method(STRING, "shellescape")
def string_shellescape(m: Machine, self: RubyString) -> str:
    return _alike(to.sound(m, self), shell_escaped)


@method(STRING, "shellsplit")
def string_shellsplit(m: Machine, self: RubyString) -> RubyValue:
    return split(m, None, self)


@method(ARRAY, "shelljoin")
def array_shelljoin(m: Machine, self: list[Any]) -> str:
    return join(m, None, self)


# HTML and addresses

_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def _html(text: str) -> str:
    return "".join(_ENTITIES.get(char, char) for char in text)


@own_method(ERB_UTIL, "h", "html_escape")
@method(ERB_UTIL, "h", "html_escape")
def html_escape(m: Machine, self: RubyValue, value: RubyValue) -> str:
    return _alike(m.text(value), _html)


def percent_encoded(data: bytes, kept: bytes, blank: str) -> str:
    """Bytes in an address: letters, digits and `kept` as they are."""
    return "".join(
        blank if byte == 32 else chr(byte) if (chr(byte).isalnum() and byte < 128) or byte in kept
        else f"%{byte:02X}"
        for byte in data
    )  # fmt: skip


@own_method(ERB_UTIL, "u", "url_encode")
@method(ERB_UTIL, "u", "url_encode")
def url_encode(m: Machine, self: RubyValue, value: RubyValue) -> str:
    return percent_encoded(encoded(m.text(value)), b"_-.~", "%20")


@own_method(CGI, "escapeHTML", "escape_html", "h")
def cgi_html(m: Machine, self: Class, value: RubyValue) -> str:
    return _alike(to.string(m, value), _html)


@own_method(CGI, "unescapeHTML", "unescape_html")
def cgi_unescape_html(m: Machine, self: Class, value: RubyValue) -> str:
    names = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

    def one(found: re.Match[str]) -> str:
        if found[1] is not None:
            return names[found[1]]
        number = int(found[2]) if found[2] is not None else int(found[3], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else found[0]

    pattern = r"&(?:(amp|lt|gt|quot|apos)|#0*([0-9]{1,7})|#[xX]0*([0-9A-Fa-f]{1,6}));"
    return re.sub(pattern, one, to.string(m, value))


@own_method(CGI, "escape")
def cgi_escape(m: Machine, self: Class, value: RubyValue) -> str:
    text = to.string(m, value)
    return _alike(text, lambda given: percent_encoded(encoded(given), b"_-.~", "+"))


@own_method(CGI, "unescape")
def cgi_unescape(m: Machine, self: Class, value: RubyValue, encoding: Given = UNDEFINED) -> str:
    data = unquote_to_bytes(_data(m, value).replace(b"+", b" "))
    return data.decode("utf-8", "surrogateescape")
