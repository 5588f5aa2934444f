"""String as bytes: encodings, bytes one by one, ``dump``.

A string is text in UTF-8, or bytes that are no characters; other encodings are only gone through
on the way from one to the other.
"""

from __future__ import annotations

import codecs
import contextlib
import re
import unicodedata
from typing import Any, Final

from headwater.langs.puppet.bytestrings import (
    UTF8,
    Bytes,
    codepoint,
    encoding_of,
    in_encoding,
    of_bytes,
)
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ENCODING, OF_TYPE, REGEXP, STRING, SYMBOL
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded, searching
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.methods.substitution import change, s
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Native,
    Pattern,
    Proc,
    RubyString,
    RubyValue,
    Symbol,
    Text,
    bytes_text,
    symbol,
)
from headwater.langs.puppet.types.uris import ruby_inspect

NAMES: Final = {
    "utf-8": "UTF-8", "utf8": "UTF-8", "ascii-8bit": "ASCII-8BIT", "binary": "ASCII-8BIT",
    "us-ascii": "US-ASCII", "ascii": "US-ASCII", "iso-8859-1": "ISO-8859-1",
    "iso8859-1": "ISO-8859-1", "windows-1252": "Windows-1252", "cp1252": "Windows-1252",
    "iso-8859-15": "ISO-8859-15", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE",
}  # fmt: skip


class EncodingValue(Native):
    """``Encoding::UTF_8``"""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


OF_TYPE[EncodingValue] = ENCODING
KNOWN: Final = {name: EncodingValue(name) for name in NAMES.values()}
for _name, _one in KNOWN.items():
    ENCODING.constants[_name.replace("-", "_").upper()] = _one
ENCODING.constants.update(
    BINARY=KNOWN["ASCII-8BIT"], ASCII=KNOWN["US-ASCII"], CP1252=KNOWN["Windows-1252"]
)


def encoding_name(
    m: Machine, value: RubyValue, null: str = "invalid encoding name (NUL byte)"
) -> str | None:
    """The usual name of an encoding, None for one that is not known here."""
    if value.__class__ is EncodingValue:
        return str(value.name)
    name = to.string(m, value).lower()
    if "\0" in name:
        raise m.error("ArgumentError", null)
    return NAMES.get(name)


@method(ENCODING, "name", "to_s")
def name(m: Machine, self: EncodingValue) -> str:
    return self.name


@method(ENCODING, "inspect")
def inspect(m: Machine, self: EncodingValue) -> str:
    return f"#<Encoding:{self.name}>"


@method(ENCODING, "ascii_compatible?")
def ascii_compatible(m: Machine, self: EncodingValue) -> bool:
    return not self.name.startswith("UTF-16")


@method(ENCODING, "dummy?")
def dummy(m: Machine, self: EncodingValue) -> bool:
    return False


@own_method(ENCODING, "default_external")
def default_external(m: Machine, self: Class) -> RubyValue:
    return KNOWN["UTF-8"]


@own_method(ENCODING, "default_internal")
def default_internal(m: Machine, self: Class) -> RubyValue:
    return None


@own_method(ENCODING, "find")
def find_encoding(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    found = encoding_name(m, value)
    if found is None:
        raise m.error("ArgumentError", f"unknown encoding name - {m.text(value)}")
    return KNOWN[found]


@method(REGEXP, "encoding")
def pattern_encoding(m: Machine, self: Pattern) -> RubyValue:
    return KNOWN["US-ASCII" if self.source.isascii() else "UTF-8"]


@method(SYMBOL, "encoding")
def symbol_encoding(m: Machine, self: Symbol) -> RubyValue:
    return KNOWN["US-ASCII" if self.name.isascii() else "UTF-8"]


@method(STRING, "encoding")
def encoding(m: Machine, self: RubyString) -> RubyValue:
    return KNOWN[encoding_of(s(self))]


@method(STRING, "b")
def as_bytes(m: Machine, self: RubyString) -> RubyValue:
    return bytes_text(encoded(s(self)))


def _held(data: bytes, encoding: str) -> str:
    """Bytes as a string of an encoding."""
    made = bytes.decode(data, "utf-8", "surrogateescape") if encoding == UTF8 else None
    return of_bytes(data, encoding) if made is None else made


@method(STRING, "force_encoding")
def force_encoding(m: Machine, self: RubyString, wanted: RubyValue) -> RubyValue:
    found = encoding_name(m, wanted)
    if found is None or found.startswith("UTF-16"):
        raise Beyond(f"String#force_encoding to {m.text(wanted)}")
    change(m, self, _held(encoded(s(self)), found))
    return self


def _decoded(m: Machine, text: str, source: str, target: str, options: Hash) -> str:
    """Bytes of an encoding as text."""
    if text.__class__ is Bytes:
        text = bytes.decode(text.data, "utf-8", "surrogateescape")
    if source == "UTF-8":
        if not any("\udc80" <= char <= "\udcff" for char in text):
            return text
        if options.get(symbol("invalid")) is None:
            if target == "UTF-8":
                return text
            bad = next(char for char in text if "\udc80" <= char <= "\udcff")
            shown = f'"\\x{ord(bad) - 0xDC00:02X}"'
            raise m.error("Encoding::InvalidByteSequenceError", f"{shown} on UTF-8")
        by = _replacement(m, options, target)
        return "".join(by if "\udc80" <= char <= "\udcff" else char for char in text)
    data = encoded(text)
    if source in ("ASCII-8BIT", "US-ASCII"):
        bad = "undef" if source == "ASCII-8BIT" else "invalid"
        by = _replacement(m, options, target)
        if options.get(symbol(bad)) is None and not data.isascii():
            first = next(byte for byte in data if byte > 127)
            if source == "US-ASCII":
                raise m.error("Encoding::InvalidByteSequenceError", f'"\\x{first:02X}" on US-ASCII')
            raise m.error(
                "Encoding::UndefinedConversionError",
                f'"\\x{first:02X}" from ASCII-8BIT to {target}',
            )
        return "".join(chr(byte) if byte < 128 else by for byte in data)
    return data.decode(source, "replace")


def _replacement(m: Machine, options: Hash, target: str) -> str:
    given = options.get(symbol("replace"))
    if given is None:
        return "\ufffd" if target == "UTF-8" else "?"
    made = to.string(m, given)
    if to.is_broken(made):
        raise Beyond("a replacement that is no text (String#encode)")
    return made


def _instead(target: str, text: str) -> bytes:
    """What stands for a character that an encoding does not have, in that encoding."""
    if not to.is_broken(text):
        with contextlib.suppress(UnicodeEncodeError):
            return text.encode(_codec(target))
    raise Beyond(f"a replacement that {target} does not have (String#encode)")


def _codec(target: str) -> str:
    return "ascii" if target in ("US-ASCII", "ASCII-8BIT") else target


def _encoded(m: Machine, text: str, target: str, options: Hash) -> Text:
    """Text in an encoding."""
    if target == "UTF-8":
        return Text(text)
    out: list[bytes] = []
    fallback = options.get(symbol("fallback"))
    for char in text:
        try:
            out.append(char.encode(_codec(target)))
        except UnicodeEncodeError:
            found = None
            if options.get(symbol("undef")) is not None:
                found = Text(_replacement(m, options, target))
            elif options.get(symbol("xml")) is not None:
                found = Text(f"&#x{ord(char):X};")
            elif fallback is not None:
                found = m.send(fallback, "[]", [Text(char)])
            if found is None:
                raise m.error(
                    "Encoding::UndefinedConversionError",
                    f"U+{ord(char):04X} from UTF-8 to {target}",
                ) from None
            out.append(_instead(target, to.string(m, found)))
    data = b"".join(out)
    return Text(data.decode()) if target == "US-ASCII" else Text(of_bytes(data, target))


def _converted(m: Machine, self: RubyString, args: list[Any]) -> Text:
    options = args.pop() if args and isinstance(args[-1], Hash) else Hash({})
    given = [encoding_name(m, each, null="string contains null byte") for each in args]
    target = given[0] if given else "UTF-8"
    source = given[1] if len(given) > 1 else encoding_of(s(self))
    if target == source and target is not None and not len(options):
        return Text(s(self))
    if target is None or source is None:
        names = [m.text(one) for one in args]
        known = _python_knows(names[0] if target is None else names[1])
        if known:
            raise Beyond(f"String#encode between {' and '.join(names)}")
        shown = f"{names[1] if len(names) > 1 else 'UTF-8'} to {names[0]}"
        raise m.error("Encoding::ConverterNotFoundError", f"code converter not found ({shown})")
    text = _decoded(m, s(self), source, target, options)
    if m.truth(options.get(symbol("universal_newline"))):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if m.truth(options.get(symbol("crlf_newline"))):
        text = text.replace("\n", "\r\n")
    xml = options.get(symbol("xml"))
    if xml is not None:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if m.text(xml) == "attr":
            text = '"' + text.replace('"', "&quot;").replace("'", "&apos;") + '"'
    return _encoded(m, text, target, options)


def _python_knows(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, UnicodeError):
        return False
    return True


@method(STRING, "encode")
def encode(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
    return _converted(m, self, list(args))


@method(STRING, "encode!")
def encode_bang(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
    made = _converted(m, self, list(args))
    change(m, self, made.s)
    return self


def _scrub(m: Machine, text: str, by: Given, block: Proc | None) -> str:
    """The text with what is no character replaced."""

    def one(found: re.Match[str]) -> str:
        if block is None and (by is UNDEFINED or by is None):
            return "\ufffd"
        made = to.string(m, by if block is None else block.one(Text(found[0])))
        if to.is_broken(made):
            shown = m.inspect(Text(made))
            raise m.error("ArgumentError", f"replacement must be valid byte sequence '{shown}'")
        return made

    if by is not UNDEFINED and by is not None and block is not None:
        raise m.error("ArgumentError", "both of block and replacement given")
    if text.__class__ is Bytes and text.encoding != UTF8:
        return text
    return re.sub("[\udc80-\udcff]", one, text)


@method(STRING, "scrub")
def scrub(m: Machine, self: RubyString, by: Given = UNDEFINED, block: Proc | None = None) -> str:
    return _scrub(m, s(self), by, block)


@method(STRING, "scrub!")
def scrub_bang(
    m: Machine, self: RubyString, by: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    change(m, self, _scrub(m, s(self), by, block))
    return self


@method(STRING, "unicode_normalized?")
def is_normalized(m: Machine, self: RubyString, form: Given = UNDEFINED) -> bool:
    shown = "nfc" if form is UNDEFINED else m.text(form)
    wanted = shown.upper()
    if wanted not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise m.error("ArgumentError", f"Invalid normalization form {shown}.")
    text = to.sound(m, self)
    if text.__class__ is Bytes and text.encoding not in (UTF8, "US-ASCII"):
        told = f"Unicode Normalization not appropriate for {text.encoding}"
        raise m.error("Encoding::CompatibilityError", told)
    return unicodedata.is_normalized(wanted, str(text))  # type: ignore[arg-type]


@method(STRING, "getbyte")
def getbyte(m: Machine, self: RubyString, index: RubyValue) -> int | None:
    data, place = encoded(s(self)), to.integer(m, index)
    return data[place] if -len(data) <= place < len(data) else None


@method(STRING, "setbyte")
def setbyte(m: Machine, self: RubyString, index: RubyValue, value: RubyValue) -> RubyValue:
    data, place = bytearray(encoded(s(self))), to.integer(m, index)
    if not -len(data) <= place < len(data):
        raise m.error("IndexError", f"index {place} out of string")
    data[place] = to.integer(m, value) & 255
    change(m, self, _held(bytes(data), encoding_of(s(self))))
    return value


@method(STRING, "each_codepoint")
def each_codepoint(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_codepoint", [])
    for char in s(self):
        block.one(codepoint(char))
    return self


def _clusters(m: Machine, text: str) -> list[Text]:
    if text.__class__ is Bytes and text.encoding != UTF8:
        return [Text(char) for char in text]
    data, place = encoded(text), 0
    made: list[Text] = []
    find_from = searching(m, Pattern(r"\X"), data)
    while place < len(data):
        m.check_count(len(made))
        found = find_from(place)
        assert found is not None
        made.append(Text(data[place : found.end].decode("utf-8", "surrogateescape")))
        place = max(found.end, place + 1)
    return made


@method(STRING, "grapheme_clusters")
def grapheme_clusters(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    if block is not None:
        return each_grapheme_cluster(m, self, block)
    return _clusters(m, s(self))


@method(STRING, "each_grapheme_cluster")
def each_grapheme_cluster(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_grapheme_cluster", [])
    for one in _clusters(m, s(self)):
        block.one(one)
    return self


@method(STRING, "dump")
def dump(m: Machine, self: RubyString) -> str:
    m.spend(len(s(self)))
    shown = ruby_inspect(s(self), True)
    if s(self).__class__ is Bytes:
        return in_encoding(shown, encoding_of(s(self)))
    return re.sub(
        r"[^\x00-\x7f]",
        lambda c: f"\\u{ord(c[0]):04X}" if ord(c[0]) < 0x10000 else f"\\u{{{ord(c[0]):X}}}",
        shown,
    )


@method(STRING, "undump")
def undump(m: Machine, self: RubyString) -> str:
    text = s(self)
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise m.error(
            "RuntimeError",
            "invalid dumped string; not wrapped with '\"' nor "
            '\'"...".force_encoding("...")\' form',
        )
    from headwater.langs.puppet.ruby.literals import escaped, joined

    pattern = r"\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{1,2}|.)"
    return joined(re.sub(pattern, lambda found: escaped(found[0]), text[1:-1]))
