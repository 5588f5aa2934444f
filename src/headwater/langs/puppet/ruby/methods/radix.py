"""Integers as digits of any base, and back, in time that their length does not square."""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.ruby.refusals import Beyond

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_FORMS: Final = {2: "b", 8: "o", 16: "x"}
MOST_BITS: Final = 200_000
"""Of numbers that are written in other bases than these, about 60,000 decimal digits."""
MOST_DIGITS: Final = 4000
"""Of a text that Python reads at once in any base."""


def in_digits(number: int, radix: int) -> str:
    """A number that is not negative, as text."""
    if radix in _FORMS:
        return format(number, _FORMS[radix])
    return "".join(DIGITS[digit] for digit in reversed(digits_of(number, radix)))


def digits_of(number: int, radix: int) -> list[int]:
    """The digits of a number that is not negative, the lowest first."""
    if number.bit_length() > MOST_BITS:
        raise Beyond("an integer with more than 60,000 digits")
    powers = [radix]
    while powers[-1] <= number:
        powers.append(powers[-1] ** 2)
    found: list[int] = []
    _split(number, powers, len(powers) - 1, found)
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def _split(number: int, powers: list[int], level: int, found: list[int]) -> None:
    """Appends the digits of a number below ``powers[level]``, noughts before it included."""
    if not level:
        found.append(number)
        return
    high, low = divmod(number, powers[level - 1])
    _split(low, powers, level - 1, found)
    _split(high, powers, level - 1, found)


def read(digits: str, radix: int) -> int:
    """The number that digits of a base are, which are all good ones."""
    if not digits:
        return 0
    if radix & (radix - 1) and len(digits) > MOST_DIGITS:
        if len(digits) > MOST_BITS:
            raise Beyond("an integer with more than 60,000 digits")
        middle = len(digits) // 2
        high, low = read(digits[:middle], radix), read(digits[middle:], radix)
        return high * radix ** (len(digits) - middle) + low
    return int(digits, radix)
