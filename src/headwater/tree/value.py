"""`Value`: what a tree is made of."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class DataReference(msgspec.Struct, frozen=True):
    """A reference that is data: it is kept as it is, for whoever runs the configuration."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return ":".join(self.path)


Scalar: TypeAlias = None | bool | int | float | str | DataReference
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"
