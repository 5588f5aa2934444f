"""Keys of hashes: an array as a key is kept as a tuple, because a key must not change."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.types.build import BadType


def frozen(key: Any) -> Any:
    """A value as it is kept as the key of a hash."""
    if key.__class__ is list:
        return tuple(frozen(item) for item in key)
    if key.__class__ is dict:
        raise BadType("a hash as the key of a hash cannot be represented")
    return key


def thawed(key: Any) -> Any:
    """The value that a key of a hash stands for."""
    return [thawed(item) for item in key] if key.__class__ is tuple else key
