"""Keys of hashes: an array as a key is kept as a tuple, because a key must not change."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.mixed import frozen


def thawed(key: Any) -> Any:
    """The value that a key of a hash stands for."""
    return [thawed(item) for item in key] if key.__class__ is tuple else key


__all__ = ["frozen", "thawed"]
