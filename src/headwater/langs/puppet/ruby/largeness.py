"""Large integers: how large they may get, and what work on them counts.

One operation on large numbers can take longer than all else of a program, and nothing interrupts
it, so its work is counted, as steps, before it is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from headwater.langs.puppet.ruby.refusals import Exhausted

if TYPE_CHECKING:
    from headwater.langs.puppet.ruby.machine import Machine

LARGEST_BITS: Final = 4_000_000
"""How many bits an integer may have."""

_FREE: Final = 4_096
"""Operations on numbers of so few bits together are like any others."""

_DIGIT: Final = 30
"""Bits of what Python works on at once."""

_A_STEP: Final = 50
"""So many pairs of these take the time of a step."""


def check_bits(bits: int) -> None:
    """Refuses an integer that would have so many bits."""
    if bits > LARGEST_BITS:
        raise Exhausted("bits of an integer of Ruby", LARGEST_BITS)


def product(m: Machine, left: int, right: int) -> int:
    """Two integers multiplied, within bounds."""
    first, second = left.bit_length(), right.bit_length()
    if first + second > _FREE:
        check_bits(first + second)
        small, large = sorted((first // _DIGIT, second // _DIGIT))
        m.spend(int(large * small**0.585) // _A_STEP)
    return left * right


def shifted(m: Machine, number: int, by: int) -> int:
    """An integer with its bits moved up."""
    if by > 0 and number:
        check_bits(number.bit_length() + by)
        m.spend(by >> 10)
    return number << by if by >= 0 else number >> -by


def divides(m: Machine, left: object, right: object) -> None:
    """Counts that one number is divided by another, if both are large integers."""
    if left.__class__ is int and right.__class__ is int:
        assert isinstance(left, int)
        assert isinstance(right, int)
        first, second = left.bit_length(), right.bit_length()
        if first > second and first + second > _FREE:
            m.spend((first - second) // _DIGIT * (second // _DIGIT) // _A_STEP)


def compares(m: Machine, left: int, right: int) -> None:
    """Counts that the common divisors of two numbers are looked for."""
    first, second = left.bit_length(), right.bit_length()
    if first + second > _FREE:
        m.spend(first // _DIGIT * (second // _DIGIT) // _A_STEP * 2)


def raises(m: Machine, power: int, modulus: int) -> None:
    """Counts that a power is made within a modulus: a square for each bit."""
    first, second = power.bit_length(), modulus.bit_length()
    if first + second > _FREE:
        m.spend(first * (second // _DIGIT + 1) ** 2 * 3 // _A_STEP)
