"""Ruby's ``Kernel#format``: flags, widths, precisions, numbered and named arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes, Incompatible, encoding_of, in_encoding, joined
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.refusals import BadFormat, TooWide
from headwater.langs.puppet.types.rubytext import inspect, to_s
from headwater.langs.puppet.types.sprintf_numbers import Spec, floating, integer, to_integer
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern

WIDTH_LIMIT = 1_000_000
"""The widest field that is formatted; Ruby would go on to two thousand million."""


class NoKey(BadFormat):
    """A named argument that is not there."""


class _Arguments:
    """The arguments of a format, by order, by number or by name."""

    def __init__(self, args: Sequence[Value]) -> None:
        self.args = args
        self.next = 0
        self.mode = ""

    def take(self) -> Value:
        if self.mode == "numbered":
            raise BadFormat(f"unnumbered({self.next + 1}) mixed with numbered")
        if self.mode == "named":
            raise BadFormat(f"unnumbered({self.next + 1}) mixed with named")
        self.mode = "order"
        if self.next >= len(self.args):
            raise BadFormat("too few arguments")
        self.next += 1
        return self.args[self.next - 1]

    def numbered(self, number: int) -> Value:
        if self.mode == "order":
            raise BadFormat(f"numbered({number}) after unnumbered({self.next})")
        if self.mode == "named":
            raise BadFormat(f"numbered({number}) after named")
        if number < 1:
            raise BadFormat(f"invalid index - {number}$")
        self.mode = "numbered"
        if number > len(self.args):
            raise BadFormat("too few arguments")
        return self.args[number - 1]

    def named(self, name: str, spelled: str) -> Value:
        if self.mode == "order":
            raise BadFormat(f"named{spelled} after unnumbered({self.next})")
        if self.mode == "numbered":
            raise BadFormat(f"named{spelled} after numbered")
        self.mode = "named"
        if len(self.args) != 1 or not isinstance(self.args[0], Hash):
            raise BadFormat("one hash required")
        if name not in self.args[0]:
            raise NoKey(f"key{spelled} not found")
        found: Value = self.args[0][name]
        return found


_NAME = LatePattern(r"<([^>]*)>")
_BRACE = LatePattern(r"\{([^}]*)\}")


_DIRECTIVE = LatePattern(r"%(?:%|(?:0?[1-9]\d?)?([dxX])|(?:[1-9]\d?)?(s))")


@lru_cache(maxsize=512)
def _simple(text: str) -> str | None:
    """The letters of a format that Python reads as Ruby does, for texts and natural numbers."""
    letters: list[str] = []
    at = text.find("%")
    while at >= 0:
        found = _DIRECTIVE.match(text, at)
        if found is None:
            return None
        letters.append(found[1] or found[2] or "")
        at = text.find("%", found.end())
    return "".join(letters)


def _natural(letters: str, args: Sequence[Any]) -> bool:
    """Whether the arguments are texts and natural numbers, as the letters want them."""
    for letter, value in zip(letters, args, strict=False):
        if letter == "s":
            if value.__class__ is not str:
                return False
        elif value.__class__ is not int or value < 0:
            return False
    return True


def sprintf(text: str, args: Sequence[Any]) -> str:
    """The text with its directives replaced."""
    letters = None if text.__class__ is Bytes else _simple(text)
    if letters is not None and len(args) >= len(letters) and _natural(letters, args):
        return text % tuple(args[: len(letters)])
    if text.__class__ is Bytes or any(value.__class__ is Bytes for value in args):
        return _of_bytes(text, args)
    given = _Arguments(args)
    out: list[str] = []
    place, size = 0, len(text)
    while place < size:
        percent = text.find("%", place)
        if percent < 0:
            out.append(text[place:])
            break
        out.append(text[place:percent])
        shown, place = _directive(text, percent + 1, given)
        out.append(shown)
    return "".join(out)


def _of_bytes(text: str, args: Sequence[Any]) -> str:
    """The same where one of the strings is no text; it says of what encoding the result is."""
    try:
        kind = encoding_of(joined([text, *(value for value in args if isinstance(value, str))]))
    except Incompatible as error:
        raise BadFormat(str(error)) from None
    plain = [str(value) if value.__class__ is Bytes else value for value in args]
    return in_encoding(sprintf(str(text), plain), kind)


def _directive(text: str, place: int, given: _Arguments) -> tuple[str, int]:
    spec = Spec()
    missing = object()
    value: Any = missing
    while True:
        char = text[place : place + 1]
        if char in (" ", "#", "+", "-", "0") and char:
            _flag(spec, char)
            place += 1
        elif char.isdigit():
            found = re.compile(r"\d+").match(text, place)
            assert found is not None
            number = _bounded(found[0])
            place = found.end()
            if text[place : place + 1] == "$":
                if value is not missing:
                    raise BadFormat(f"value given twice - {number}$")
                value = given.numbered(number)
                place += 1
            else:
                if spec.width is not None:
                    raise BadFormat("width given twice")
                spec.width = number
        elif char == "*":
            width = to_integer(given.take())
            if width < 0:
                spec.minus = True
            spec.width = _bounded(str(abs(width)))
            place += 1
        elif char == ".":
            place += 1
            if spec.precision is not None:
                raise BadFormat("precision given twice")
            if text[place : place + 1] == "*":
                spec.precision = _bounded(str(to_integer(given.take())))
                place += 1
            else:
                found = re.compile(r"\d*").match(text, place)
                assert found is not None
                spec.precision = _bounded(found[0] or "0")
                place = found.end()
        elif char in ("<", "{") and char:
            found = (_NAME if char == "<" else _BRACE).match(text, place)
            if found is None:
                raise BadFormat("malformed name - unmatched parenthesis")
            value = given.named(found[1], found[0])
            place = found.end()
            if char == "{":
                return _text(spec, to_s(value)), place
        else:
            break
    if char in ("", "\n", "\0"):
        if char == "":
            raise BadFormat("incomplete format specifier; use %% (double %) instead")
        return "%" + char, place + 1
    if char == "%":
        if spec != Spec() or value is not missing:
            raise BadFormat("invalid format character - %")
        return "%", place + 1
    if char not in "diubBoxXeEfgGaAcps":
        raise BadFormat(f"malformed format string - %{char}")
    if value is missing:
        value = given.take()
    return _shown(spec, char, value), place + 1


def _bounded(digits: str) -> int:
    if len(digits) > 9 or int(digits) > WIDTH_LIMIT:
        raise TooWide(f"a width or precision of {digits} is beyond {WIDTH_LIMIT}")
    return int(digits)


def _flag(spec: Spec, char: str) -> None:
    match char:
        case " ":
            spec.space = True
        case "#":
            spec.alt = True
        case "+":
            spec.plus = True
        case "-":
            spec.minus = True
        case "0":
            spec.zero = True


def _shown(spec: Spec, letter: str, value: Value) -> str:
    if letter in "diubBoxX":
        return integer(spec, letter, to_integer(value))
    if letter in "eEfgGaA":
        return floating(spec, letter, value)
    if letter == "c":
        return _character(spec, value)
    return _text(spec, inspect(value) if letter == "p" else to_s(value))


def _text(spec: Spec, text: str) -> str:
    if spec.precision is not None:
        text = text[: spec.precision]
    width = spec.width or 0
    return text.ljust(width) if spec.minus else text.rjust(width)


def _character(spec: Spec, value: Value) -> str:
    if isinstance(value, str):
        if len(value) != 1:
            raise BadFormat("%c requires a character")
        text = value
    else:
        if isinstance(value, list | Hash | bool):
            shown = inspect(value) if isinstance(value, bool) else ruby_class(value)
            raise BadFormat(f"no implicit conversion of {shown} into Integer")
        number = to_integer(value)
        if not 0 <= number < 0x110000:
            raise BadFormat("invalid character")
        text = chr(number)
    width = spec.width or 0
    return text.ljust(width) if spec.minus else text.rjust(width)
