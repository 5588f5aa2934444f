"""YAML as Psych and libyaml write it: which strings are quoted how, anchors, folded lines."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from yaml import events
from yaml.emitter import Emitter, ScalarAnalysis

from headwater.langs.puppet.bytestrings import BINARY, Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import RubyValue, Symbol, Text
from headwater.langs.puppet.types.psych import is_text
from headwater.langs.puppet.types.quoting import float_text

_SIGN: Final = re.compile(r"^\W[^\"]*$", re.MULTILINE)
_OCTAL: Final = re.compile(r"0[0-7]*[89]")
"""What looks like a number in octal, and is none."""
WIDEST: Final = 10**9


class _Writer(Emitter):
    """PyYAML's emitter, which knows what is printable as libyaml knows it."""

    def analyze_scalar(self, scalar: str) -> ScalarAnalysis:
        found = super().analyze_scalar(scalar)
        if any(char > "\uffff" or char == "\x85" for char in scalar):
            found.allow_flow_plain = found.allow_block_plain = False
            found.allow_single_quoted = found.allow_block = False
        return found

    def check_simple_key(self) -> bool:
        if isinstance(self.event, events.ScalarEvent) and not self.event.value:
            return True
        return bool(super().check_simple_key())

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        """A text in double quotes; a line is folded at one of its blanks."""
        self.write_indicator('"', True)
        blank = False
        for place, char in enumerate(text):
            folds = split and not blank and self.column > self.best_width
            if char == " " and folds and 0 < place < len(text) - 1:
                self.write_indent()
                if text[place + 1] == " ":
                    self._put("\\")
            else:
                self._put(_escaped(char))
            blank = char == " "
        self.write_indicator('"', False)

    def _put(self, text: str) -> None:
        self.column += len(text)
        self.stream.write(text)


DEEPEST: Final = 2_000
"""How deep arrays and hashes may be inside each other."""

_ESCAPES: Final = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e",
    '"': '"', "\\": "\\", "\x85": "N", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


def _escaped(char: str) -> str:
    """A character in double quotes."""
    if char in _ESCAPES:
        return "\\" + _ESCAPES[char]
    code = ord(char)
    if 0x20 <= code <= 0x7E or (0xA0 <= code <= 0xFFFD and code != 0xFEFF):
        return char
    if code < 256:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"


def dumped(m: Machine, value: RubyValue, width: int, indent: int, header: bool) -> str:
    """A value as YAML."""
    out = io.StringIO()
    wide = WIDEST if width < 0 else width or 80
    writer = _Writer(out, allow_unicode=True, width=wide, indent=indent)
    version = (1, 1) if header else None
    for event in (
        events.StreamStartEvent(),
        events.DocumentStartEvent(explicit=True, version=version),
        *_Visitor(m, width).all(value),
        events.DocumentEndEvent(explicit=False),
        events.StreamEndEvent(),
    ):
        m.spend(1)
        writer.emit(event)
    made = out.getvalue()
    m.check_size(len(made))
    # A plain text alone is closed by PyYAML, and by libyaml no more.
    alone = not isinstance(value, list | Hash)
    return made[: -len("...\n")] if alone and made.endswith("\n...\n") else made


class _Visitor:
    """The events of a value; what is met twice gets an anchor."""

    def __init__(self, m: Machine, width: int) -> None:
        self.m = m
        self.width = width
        self.anchors: dict[int, str] = {}
        self.met: set[int] = set()

    def all(self, value: RubyValue) -> list[events.Event]:
        self.number(value, set(), 0)
        return list(self.visit(value))

    def number(self, value: RubyValue, seen: set[int], depth: int) -> None:
        """Numbers what is met twice, in the order of the second meetings."""
        self.m.spend(1)
        if depth > DEEPEST:
            raise self.m.error("SystemStackError", "stack level too deep")
        if not isinstance(value, list | Hash):
            return
        if id(value) in seen:
            self.anchors.setdefault(id(value), str(len(self.anchors) + 1))
            return
        seen.add(id(value))
        if isinstance(value, Hash):
            for name in value:
                self.number(name, seen, depth + 1)
        for item in value.values() if isinstance(value, Hash) else value:
            self.number(item, seen, depth + 1)

    def visit(self, value: RubyValue) -> Iterator[events.Event]:
        if value.__class__ is list or isinstance(value, Hash):
            yield from self.collection(value)
        else:
            yield self.scalar(value)

    def collection(self, value: list[Any] | Hash) -> Iterator[events.Event]:
        anchor = self.anchors.get(id(value))
        if id(value) in self.met and anchor is not None:
            yield events.AliasEvent(anchor)
            return
        self.met.add(id(value))
        if isinstance(value, list):
            yield events.SequenceStartEvent(anchor, None, True, flow_style=False)
            for item in value:
                yield from self.visit(item)
            yield events.SequenceEndEvent()
            return
        yield events.MappingStartEvent(anchor, None, True, flow_style=False)
        for name, item in value.pairs():
            yield from self.visit(name)
            yield from self.visit(item)
        yield events.MappingEndEvent()

    def scalar(self, value: RubyValue) -> events.Event:
        if value.__class__ is Text or isinstance(value, str):
            return self.text(value)
        if value.__class__ is Symbol:
            if not value.name:
                return events.ScalarEvent(None, "!ruby/symbol", (False, False), "", style=None)
            shown = f":{value.name}"
        elif value is None:
            shown = ""
        elif isinstance(value, bool):
            shown = str(value).lower()
        elif value.__class__ is int:
            shown = self.m.text(value)
        elif value.__class__ is float:
            shown = (
                float_text(value)
                if math.isfinite(value)
                else ".nan"
                if math.isnan(value)
                else ".inf"
                if value > 0
                else "-.inf"
            )
        else:
            raise Beyond(f"YAML of a {class_of(value).name}")
        return events.ScalarEvent(None, None, (True, False), shown, style=None)

    def text(self, value: RubyValue) -> events.Event:
        """A string: plain, quoted or in lines, as Psych decides."""
        text = self.m.text(value)
        if text.__class__ is Bytes and text.isascii():
            text = str(text)
        if text.__class__ is Bytes and text.encoding == BINARY:
            shown = self.m.text(self.m.send([Text(text)], "pack", [Text("m0")]))
            return events.ScalarEvent(None, "!binary", (False, False), shown, style="|")
        to.sound(self.m, value)
        style = None
        if re.search(r"\n(?!\n?\Z)", text):
            style = "|"
        elif text == "<<":
            tag = "tag:yaml.org,2002:str"
            return events.ScalarEvent(None, tag, (False, False), text, style="'")
        elif text in ("y", "n"):
            style = '"'
        elif self.width > 0 and len(text) > self.width:
            style = ">"
        elif _SIGN.search(text):
            style = '"'
        elif not is_text(text) or _OCTAL.match(text):
            style = "'"
        return events.ScalarEvent(None, None, (True, True), text, style=style)


def has_alias(text: str) -> str | None:
    """The first alias of a text, None where there is none."""
    if "*" not in text:
        return None
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, events.AliasEvent):
                return str(event.anchor)
    except yaml.YAMLError:  # behind what is read: the first document
        return None
    return None
