"""Why Ruby is not read or not run: each is an exception with a place, made a diagnostic outside."""

from __future__ import annotations

import sys


class Beyond(Exception):
    """Something of Ruby that is not evaluated here, by its name (``Puppet::Util::Execution``)."""

    def __init__(self, construct: str, at: int | None = None, file: str | None = None) -> None:
        super().__init__(construct)
        self.construct = construct
        self.at = at
        self.file = file
        """The file that `at` is a place of, where that is known."""


class Unreadable(Exception):
    """Text that is not Ruby."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class Exhausted(Exception):
    """A bound was reached: which one, and how much it allows."""

    def __init__(self, bound: str, limit: int) -> None:
        super().__init__(f"{bound}: more than {limit}")
        self.bound = bound
        self.limit = limit


def too_large(error: BaseException | None) -> Exhausted | None:
    """The bound that a number of Ruby's is beyond, if that is what Python says: integers of very
    many digits are neither read nor written, nor made floats, since that takes very long."""
    if isinstance(error, OverflowError) or (
        isinstance(error, ValueError) and "integer string conversion" in str(error)
    ):
        return Exhausted("digits of an integer of Ruby", sys.get_int_max_str_digits())
    return None
