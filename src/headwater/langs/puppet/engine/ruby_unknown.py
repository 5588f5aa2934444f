"""Unknown values in Ruby: whatever reads one ends, and what it would have given is unknown."""

from __future__ import annotations

from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, opaque_in


class Unknown(Exception):
    """Ruby read a value that nobody here can compute; what it would have given is unknown too."""

    def __init__(self, value: Opaque) -> None:
        super().__init__(value.why)
        self.value = value


def known(value: Value) -> Value:
    """A value that Ruby is given, unless it or something in it is unknown."""
    found = opaque_in(value)
    if found is not None:
        raise Unknown(found)
    return value
