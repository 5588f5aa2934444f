"""``succ`` of strings: az → ba, zz → aaa, a9 → b0, Zz → AAa; and ranges of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from headwater.langs.puppet.ruby.machine import Machine


def successor(text: str) -> str:
    """The string that follows a string."""
    if not text:
        return ""
    chars = list(text)
    counted = [n for n, char in enumerate(chars) if char.isascii() and char.isalnum()]
    if not counted:
        return _last_counted(chars)
    # Only the alphanumerics that stand together at the right are counted with each other,
    # unless something else lies between them that is followed by one of them.
    place = counted[-1]
    index = len(counted) - 1
    while True:
        char = chars[place]
        if char == "z":
            chars[place], carry = "a", "a"
        elif char == "Z":
            chars[place], carry = "A", "A"
        elif char == "9":
            chars[place], carry = "0", "1"
        else:
            chars[place] = chr(ord(char) + 1)
            return "".join(chars)
        index -= 1
        if index < 0 or _apart(chars, counted[index], place):
            chars.insert(place, carry)
            return "".join(chars)
        place = counted[index]


def _apart(chars: list[str], left: int, right: int) -> bool:
    """Whether a carry stops between two counted: something that is neither letter nor digit, and
    one of them is a letter where the other is a digit."""
    if right - left == 1:
        return False
    return chars[left].isdigit() != chars[right].isdigit()


_LASTS: Final = {0x7F: "\x00", 0x7FF: "\x80", 0xFFFF: "\u0800", 0x10FFFF: "\U00010000"}
"""The last character of so many bytes, and the first: counting goes on in the one before."""


def _last_counted(chars: list[str]) -> str:
    """A string without letters and digits: its last character is counted up."""
    place = len(chars) - 1
    while place >= 0:
        number = ord(chars[place])
        if number not in _LASTS:
            chars[place] = chr(number + 1)
            return "".join(chars)
        chars[place] = _LASTS[number]
        place -= 1
    return "\x01" + "".join(chars)


def between(m: Machine, low: str, high: str | None, exclusive: bool) -> Iterator[str]:
    """``'a'..'e'``: numbers are counted, other strings until they get longer than the last."""
    if high is not None and low.isdigit() and high.isdigit() and low.isascii() and high.isascii():
        width = len(low)
        last = int(high) - exclusive
        number = int(low)
        while number <= last:
            m.spend(1)
            text = str(number).rjust(width, "0")
            yield text
            number += 1
        return
    if high is not None and len(low) == len(high) == 1 and low.isascii() and high.isascii():
        for code in range(ord(low), ord(high) + (not exclusive)):
            yield chr(code)
        return
    if high is not None and (low > high or (exclusive and low == high)):
        return
    text, behind = low, None if high is None else successor(high)
    longest = 0 if high is None else len(high.encode("utf-8", "surrogateescape"))
    while text != behind:  # the first is told however long it is
        m.spend(1)
        yield text
        text = successor(text)
        if high is None:
            continue
        size = len(text.encode("utf-8", "surrogateescape"))
        if not size or size > longest or (exclusive and text == high):
            return
