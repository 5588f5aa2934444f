"""Hashes whose keys Python would confuse or could not hash: 1, 1.0 and true; hashes as keys.

Puppet's hashes keep them apart, as Ruby's ``eql?`` does.  Most hashes have texts and integers
for keys and are plain dictionaries; the others are `Mixed`.  An array as a key is a tuple in
both (see types.keys).
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from typing import Any

_ODD = frozenset([float, bool, dict, list])


class Mixed(dict[Any, Any]):
    """A hash that keeps 1, 1.0 and true apart and takes hashes as keys."""

    __slots__ = ()

    def __init__(self, pairs: Iterable[tuple[Any, Any]] = ()) -> None:
        super().__init__()
        for key, value in pairs:
            self[key] = value

    def __setitem__(self, key: Any, value: Any) -> None:
        inner = identity_of(key)
        old = super().get(inner)
        super().__setitem__(inner, (frozen(key) if old is None else old[0], value))

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(identity_of(key))[1]

    def get(self, key: Any, default: Any = None) -> Any:
        found = super().get(identity_of(key))
        return default if found is None else found[1]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(identity_of(key))

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in dict.values(self)])

    def keys(self) -> Any:
        return KeysView(self)

    def values(self) -> Any:
        return ValuesView(self)

    def items(self) -> Any:
        return ItemsView(self)

    def update(self, pairs: Any = (), /, **_: Any) -> None:
        for key, value in pairs.items() if isinstance(pairs, dict) else pairs:
            self[key] = value

    def pop(self, key: Any, *default: Any) -> Any:
        inner = identity_of(key)
        if not super().__contains__(inner) and default:
            return default[0]
        return super().pop(inner)[1]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, dict)
            and len(self) == len(other)
            and all(has(other, key) and entry(other, key) == self[key] for key in self)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.items()) + "}"


def frozen(key: Any) -> Any:
    """A key as it is kept: an array is a tuple."""
    if key.__class__ is list or key.__class__ is tuple:
        return tuple(frozen(item) for item in key)
    return key


def identity_of(key: Any) -> Any:
    """What two keys have in common if Puppet takes them for one."""
    kind = key.__class__
    if kind is str or kind is int or key is None:
        return key
    if kind is float or kind is bool:
        return (kind, key)
    if kind is list or kind is tuple:
        return (list, tuple(identity_of(item) for item in key))
    if isinstance(key, dict):
        return (dict, frozenset((identity_of(k), identity_of(v)) for k, v in key.items()))
    try:
        hash(key)
    except TypeError:
        return (kind, repr(key))
    return key


def hash_of(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The hash of pairs; a later one wins, but stands where the first stood."""
    result: dict[Any, Any] = {}
    every = pairs if isinstance(pairs, list) else list(pairs)
    for key, value in every:
        if key.__class__ in _ODD or isinstance(key, dict):
            return Mixed(every)
        result[key] = value
    return result


def merged(left: dict[Any, Any], right: dict[Any, Any]) -> dict[Any, Any]:
    """A hash with the entries of another, which win."""
    if isinstance(left, Mixed) or isinstance(right, Mixed):
        return Mixed([*left.items(), *right.items()])
    return {**left, **right}


def has(value: dict[Any, Any], key: Any) -> bool:
    """Whether a hash has a key."""
    kind = key.__class__
    if isinstance(value, Mixed):
        return key in value
    if kind is float or kind is bool:
        return any(other.__class__ is kind and other == key for other in value)
    return not isinstance(key, dict) and frozen(key) in value


def entry(value: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """The value of a key, or the default."""
    if isinstance(value, Mixed):
        return value.get(key, default)
    kind = key.__class__
    if kind is float or kind is bool:
        found = (v for other, v in value.items() if other.__class__ is kind and other == key)
        return next(found, default)
    return default if isinstance(key, dict) else value.get(frozen(key), default)


__all__ = ["Mixed", "entry", "frozen", "has", "hash_of", "identity_of", "merged"]
