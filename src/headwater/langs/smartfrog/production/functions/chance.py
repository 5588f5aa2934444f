"""Random numbers as Java makes them, so that a seed gives what it gives in production."""

from __future__ import annotations

import secrets

FACTOR, ADDEND, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1


class JavaRandom:
    """The generator of ``java.util.Random``: a linear congruence of 48 bits."""

    __slots__ = ("state",)

    def __init__(self, seed: int | None) -> None:
        self.state = ((secrets.randbits(48) if seed is None else seed) ^ FACTOR) & MASK

    def below_one(self) -> float:
        """The next float, made of the upper 24 bits."""
        self.state = (self.state * FACTOR + ADDEND) & MASK
        return (self.state >> 24) / (1 << 24)
