"""String: case, edges and padding, each with the form that changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from headwater.langs.puppet.bytestrings import (
    LATIN,
    UTF8,
    Bytes,
    Incompatible,
    encoding_of,
    in_encoding,
    of_sum,
)
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import SMALL, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.methods.strings import BLANK
from headwater.langs.puppet.ruby.methods.substitution import bang, s
from headwater.langs.puppet.ruby.methods.successors import successor
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    RubyString,
    RubyValue,
    Symbol,
    Text,
)

_INVALID: Final = "input string invalid"


_COMPLAINTS: Final = {
    **dict.fromkeys(("upcase", "downcase", "capitalize", "swapcase"), _INVALID),
    **dict.fromkeys(("strip", "rstrip", "unicode_normalize"), to.BROKEN),
}
"""What these say of broken UTF-8; the others take it."""


@method(STRING, "casecmp")
def casecmp(m: Machine, self: RubyString, other: RubyValue) -> int | None:
    m.spend(len(s(self)) >> 3)
    if not to.is_string(other):
        return None
    if not both_fit(s(self), s(other)):
        return None
    m.spend(len(s(other)) >> 3)
    left, right = _ascii_down(s(self)), _ascii_down(s(other))
    return -1 if left < right else 1 if left > right else 0


def both_fit(left: str, right: str) -> bool:
    """Whether two strings are in encodings that go together."""
    try:
        of_sum(left, right)
    except Incompatible:
        return False
    return True


_LOWER: Final = {ord(char): char.lower() for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _ascii_down(text: str) -> str:
    return text.translate(_LOWER)


@method(STRING, "casecmp?")
def casecmp_equal(m: Machine, self: RubyString, other: RubyValue) -> bool | None:
    m.spend(len(s(self)) >> 3)
    if not to.is_string(other):
        return None
    if not both_fit(s(self), s(other)):
        return None
    left, right = to.sound(m, self, _INVALID), to.sound(m, other, _INVALID)
    return left.casefold() == right.casefold()


def _both(name: str, make: Callable[..., str]) -> None:
    """Gives a method that makes a new string, and the one with ``!``."""
    complaint = _COMPLAINTS.get(name)

    def read(m: Machine, self: RubyString) -> str:
        return s(self) if complaint is None else to.sound(m, self, complaint)

    def fresh(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        return Text(make(m, read(m, self), *args))

    def changing(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        return bang(m, self, make(m, read(m, self), *args))

    def always(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        bang(m, self, make(m, read(m, self), *args))
        return self

    if name in ("unicode_normalize", "succ", "next", "reverse"):
        changing = always
    for given in (fresh, changing):
        setattr(given, "__wrapped__", make)  # noqa: B010 - mypy knows no such attribute
    method(STRING, name)(fresh)
    method(STRING, name + "!")(changing)


def _check_options(m: Machine, options: tuple[Any, ...]) -> None:
    """The options of changes of case: symbols, and few of them."""
    if not options:
        return
    names = [one.name if one.__class__ is Symbol else None for one in options]
    if len(options) > 2 or (len(options) == 2 and names[0] not in ("turkic", "lithuanian")):
        raise m.error("ArgumentError", "too many options")
    if not set(names) <= {"ascii", "fold", "turkic", "lithuanian"}:
        raise m.error("ArgumentError", "invalid option")
    raise Beyond("options of changes of case")


def _known_case(text: str) -> None:
    """Refuses letters beyond ASCII of other encodings than UTF-8."""
    if text.__class__ is Bytes and text.encoding in LATIN and not text.isascii():
        raise Beyond(f"the case of letters in {text.encoding}")


def _upper(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    _known_case(text)
    return text.upper()


def _lower(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    _known_case(text)
    return text.lower()


def _capitalized(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    _known_case(text)
    return text.capitalize() if text.__class__ is Bytes else text[:1].upper() + text[1:].lower()


def _swapped(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    _known_case(text)
    return text.swapcase()


def _stripped(m: Machine, text: str) -> str:
    return text.lstrip(BLANK).rstrip(BLANK)


def _lstripped(m: Machine, text: str) -> str:
    made = text.lstrip(BLANK)
    if to.is_broken(made[:1]) and encoding_of(text) == UTF8:
        raise m.error("ArgumentError", to.BROKEN)
    return made


def _rstripped(m: Machine, text: str) -> str:
    return text.rstrip(BLANK)


def chomped(m: Machine, text: str, end: Given = UNDEFINED) -> str:
    """``chomp``: without the end of a line, or another ending."""
    if end is UNDEFINED:
        return (
            text[:-2] if text.endswith("\r\n") else text[:-1] if text[-1:] in ("\n", "\r") else text
        )
    if end is None:
        return text
    ending = to.string(m, end)
    if ending == "\n":
        return chomped(m, text)
    if not ending:
        while text.endswith("\n"):
            text = text[:-2] if text.endswith("\r\n") else text[:-1]
        return text
    return text.removesuffix(ending) if both_fit(text, ending) else text


def _chopped(m: Machine, text: str) -> str:
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def _reversed(m: Machine, text: str) -> str:
    return text[::-1]


def _succ(m: Machine, text: str) -> str:
    if to.is_broken(text) and not any(char.isascii() and char.isalnum() for char in text):
        raise Beyond("String#succ of broken UTF-8")
    if len(text) > SMALL:
        m.spend(len(text))
    made = successor(text)
    return in_encoding(made, encoding_of(text)) if text.__class__ is Bytes else made


def _edge(m: Machine, text: str, edge: RubyValue) -> str:
    """What is to be taken away; broken UTF-8 never is."""
    given = to.string(m, edge)
    return "" if given.__class__ is str and to.is_broken(given) else to.beside(m, text, given)


def _without_prefix(m: Machine, text: str, prefix: RubyValue) -> str:
    return text.removeprefix(_edge(m, text, prefix))


def _without_suffix(m: Machine, text: str, suffix: RubyValue) -> str:
    return text.removesuffix(_edge(m, text, suffix))


def _normalized(m: Machine, text: str, form: Given = UNDEFINED) -> str:
    import unicodedata

    if text.__class__ is Bytes and text.encoding not in (UTF8, "US-ASCII"):
        told = f"Unicode Normalization not appropriate for {text.encoding}"
        raise m.error("Encoding::CompatibilityError", told)
    shown = "nfc" if form is UNDEFINED else m.text(form)
    name = shown.upper()
    if name not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise m.error("ArgumentError", f"Invalid normalization form {shown}.")
    if text.__class__ is Bytes:
        return text
    return unicodedata.normalize(name, text)  # type: ignore[arg-type]


for _name, _make in (
    ("upcase", _upper),
    ("downcase", _lower),
    ("capitalize", _capitalized),
    ("swapcase", _swapped),
    ("strip", _stripped),
    ("lstrip", _lstripped),
    ("rstrip", _rstripped),
    ("chomp", chomped),
    ("chop", _chopped),
    ("reverse", _reversed),
    ("succ", _succ),
    ("next", _succ),
    ("delete_prefix", _without_prefix),
    ("delete_suffix", _without_suffix),
    ("unicode_normalize", _normalized),
):
    _both(_name, _make)


def _padding(m: Machine, width: RubyValue, pad: Given, size: int) -> tuple[int, str]:
    wanted = to.integer(m, width)
    m.check_size(wanted)
    m.spend(max(wanted, 0) >> 6)
    filler = " " if pad is UNDEFINED else to.string(m, pad)
    if not filler:
        raise m.error("ArgumentError", "zero width padding")
    return max(0, wanted - size), filler


def _filled(filler: str, count: int) -> str:
    return (filler * (count // len(filler) + 1))[:count]


@method(STRING, "ljust")
def ljust(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    return to.glued(m, s(self), _filled(filler, count))


@method(STRING, "rjust")
def rjust(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    return to.put_into(m, s(self), filler, _filled(filler, count) + s(self))


@method(STRING, "center")
def center(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    left, right = _filled(filler, count // 2), _filled(filler, count - count // 2)
    return to.put_into(m, s(self), filler, left + s(self) + right)
