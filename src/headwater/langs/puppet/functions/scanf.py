"""scanf: reading fields of a text by a format."""

from __future__ import annotations

import re
from typing import Any

from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern

_DIRECTIVE = LatePattern(
    r"%(\*?)(\d*)([a-zA-Z%]|\[\^?\]?[^\]]*+(?:\]|\Z))|(\s+)|([^%\s])", re.DOTALL
)
_NUMBERS = {
    "d": (r"[+-]?\d", "+"), "u": (r"[+-]?\d", "+"), "x": (r"[+-]?(?:0[xX])?[0-9a-fA-F]", "+"),
    "X": (r"[+-]?(?:0[xX])?[0-9a-fA-F]", "+"), "o": (r"[+-]?[0-7]", "+"),
}  # fmt: skip
_BASES = {"d": 10, "u": 10, "x": 16, "X": 16, "o": 8}
_FLOAT = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[+-]?\.\d+(?:[eE][+-]?\d+)?"


@dispatch("scanf", "String data, String format", block="Callable?")
def _scanf(call: Call, data: str, spec: str) -> Value:
    result = scanf(data, spec)
    return result if call.block is None else call.run(result)


def scanf(text: str, spec: str) -> list[Any]:
    """The values that were read before the text left the format."""
    result: list[Any] = []
    place = 0
    for found in _DIRECTIVE.finditer(spec):
        skip, width, letter, blank, literal = found.groups()
        if blank is not None:
            place = _blank(text, place)
            continue
        if literal is not None or letter == "%":
            if text[place : place + 1] != (literal or "%"):
                break
            place += 1
            continue
        read = _field(text, place, letter, int(width) if width else None)
        if read is None:
            break
        place, value = read
        if not skip:
            result.append(value)
    return result


def _blank(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _field(text: str, place: int, letter: str, width: int | None) -> tuple[int, Any] | None:
    if letter != "c" and letter[0] != "[":
        place = _blank(text, place)
    end = len(text) if width is None else min(place + width, len(text))
    if letter == "c":
        size = width or 1
        return (place + size, text[place : place + size]) if place < end else None
    if letter == "s":
        pattern = r"\S+"
    elif letter[0] == "[":
        pattern = letter + "+"
    elif letter == "i":
        pattern = r"[+-]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)"
    elif letter in "fgeEaA":
        pattern = _FLOAT
    elif letter in _NUMBERS:
        one, more = _NUMBERS[letter]
        pattern = one + more
    else:
        return None
    try:
        found = re.compile(pattern, re.ASCII).match(text, place, end)
    except re.error:
        return None
    if found is None:
        return None
    return found.end(), _value(letter, found[0])


def _value(letter: str, text: str) -> Value:
    if letter in _BASES:
        return int(text, _BASES[letter])
    if letter == "i":
        digits = text.lstrip("+-")
        base = 16 if digits[:2].lower() == "0x" else 8 if digits[0] == "0" else 10
        return int(text, base)
    return float(text) if letter in "fgeEaA" else text
