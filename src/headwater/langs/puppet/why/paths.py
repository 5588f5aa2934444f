"""Paths: the ways from a value to something that lies in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.langs.puppet.hashes import Hash


@dataclass(frozen=True, slots=True)
class Key:
    """The last part of a path that leads to a key of a hash, not to what stands under it."""

    of: str | int


Path = tuple[str | int | Key, ...]
"""The way from a value to something that lies in it."""

ABSENT = object()
"""What lies at a path that leads nowhere."""


def inside(value: Any, path: Path) -> Any:  # noqa: ANN401
    """What lies in a value along a path, or `ABSENT`."""
    for part in path:
        match value:
            case Hash() if isinstance(part, Key):
                return part.of if part.of in value else ABSENT
            case Hash() if part in value:
                value = value[part]
            case list() if isinstance(part, int) and -len(value) <= part < len(value):
                value = value[part]
            case _:
                return ABSENT
    return value
