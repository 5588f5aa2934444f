"""String from one encoding to another: ``encode``, ``scrub``."""

from __future__ import annotations

import codecs
import contextlib
import re
from typing import Any

from headwater.langs.puppet.bytestrings import UTF8, Bytes, encoding_of, of_bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.bytes import encoding_name
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.methods.substitution import change, s
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Proc,
    RubyString,
    RubyValue,
    Text,
    symbol,
)


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
            found: RubyValue = None
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
        if block is not None:
            made = to.string(m, block.one(Text(found[0])))
        elif by is UNDEFINED or by is None:
            return "\ufffd"
        else:
            made = to.string(m, by)
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
