"""Puppet's hash: entries in the order they were written, found by Ruby's ``eql?``.

1, 1.0, true and '1' are four keys; arrays, hashes and data types are keys too.  Python's dict
takes the first three for one and cannot hold the last two, so a `Hash` is no dict and has no
``items()``: nothing that is made for dicts can lose one of its keys unnoticed.  What a dict
comprehension would do is done by `Hash.map_values`, `Hash.map_pairs` and `Hash.where`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Any

import msgspec

from headwater.langs.puppet.bytestrings import Bytes


class Hash(msgspec.Struct, eq=False, gc=False):
    """A hash.  It does not change once it is made, and so is no part of itself; only who makes it
    may `put`.

    `entries` has the values by the identities of their keys (see `identity`).  Texts, integers
    and undef are their own identities; what other keys there are is in `odd`, by identity too.
    ``Hash({'a': 1})`` is therefore right for keys of those kinds, `Hash.of` for any.
    """

    entries: dict[Any, Any] = {}
    odd: dict[Any, Any] | None = None

    @staticmethod
    def of(pairs: Iterable[tuple[Any, Any]]) -> Hash:
        """The hash of pairs; a later one wins, but stands where the first stood."""
        entries: dict[Any, Any] = {}
        odd: dict[Any, Any] | None = None
        for key, value in pairs:
            if key.__class__ is str or key.__class__ is int:
                entries[key] = value
                continue
            inner = identity(key)
            if inner is not None:
                odd = {} if odd is None else odd
                odd.setdefault(inner, key)
            entries[inner] = value
        return Hash(entries, odd)

    @property
    def only_data(self) -> bool:
        """Whether it holds nothing but data: facts, whose entries note who reads them."""
        return self.entries.__class__ is not dict

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Any]:
        odd = self.odd
        return iter(self.entries) if odd is None else iter([odd.get(k, k) for k in self.entries])

    def values(self) -> Collection[Any]:
        """The values, in order."""
        return self.entries.values()

    def pairs(self) -> Collection[tuple[Any, Any]]:
        """The keys with their values, in order."""
        odd = self.odd
        if odd is None:
            return self.entries.items()
        return [(odd.get(inner, inner), value) for inner, value in self.entries.items()]

    def __contains__(self, key: object) -> bool:
        return (key if key.__class__ is str else identity(key)) in self.entries

    def __getitem__(self, key: object) -> Any:  # noqa: ANN401
        return self.entries[key if key.__class__ is str else identity(key)]

    def get(self, key: object, default: object = None) -> Any:  # noqa: ANN401
        """The value of a key, or a default."""
        return self.entries.get(key if key.__class__ is str else identity(key), default)

    def put(self, key: object, value: object) -> None:
        """Adds an entry to a hash that is being made."""
        inner = identity(key)
        if inner.__class__ is tuple:
            self.odd = {} if self.odd is None else self.odd
            self.odd.setdefault(inner, key)
        self.entries[inner] = value

    def copy(self) -> Hash:
        """The same entries in a hash that is being made."""
        return Hash(dict(self.entries), None if self.odd is None else dict(self.odd))

    def map_values(self, change: Callable[[Any], Any]) -> Hash:
        """The same keys with other values."""
        return Hash({inner: change(item) for inner, item in self.entries.items()}, self.odd)

    def map_pairs(self, change: Callable[[Any, Any], tuple[Any, Any]]) -> Hash:
        """Other keys with other values; keys that become one are one entry, the last value's."""
        return Hash.of(change(key, item) for key, item in self.pairs())

    def where(self, wanted: Callable[[Any, Any], Any]) -> Hash:
        """The entries that a test of key and value lets pass."""
        return Hash.of((key, item) for key, item in self.pairs() if wanted(key, item))

    def merged(self, over: Hash) -> Hash:
        """With the entries of another, which win, but stand where its own stood."""
        odd = self.odd if over.odd is None else {**over.odd, **(self.odd or {})}
        return Hash({**self.entries, **over.entries}, odd)

    def without(self, keys: Iterable[Any]) -> Hash:
        """Without the entries of some keys."""
        gone = {identity(key) for key in keys}
        kept = {inner: item for inner, item in self.entries.items() if inner not in gone}
        return Hash(kept, self.odd)

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Hash and self.entries == other.entries

    def __ne__(self, other: object) -> bool:
        return not self == other

    @property
    def unnoted(self) -> bool:
        """Whether nobody notes what is read of it, as is done of facts."""
        return self.entries.__class__ is dict

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.pairs()) + "}"


def size_of(value: Hash | list[Any] | str) -> int:
    """How long a value is, for who counts work; asking that is no read of facts."""
    return dict.__len__(value.entries) if value.__class__ is Hash else len(value)


def identity(value: object) -> Hashable:
    """What two values have in common if Ruby's ``eql?`` takes them for one.

    It is the value itself for texts, integers and undef, and a tuple for all others.
    """
    kind = value.__class__
    if kind is str or kind is int or kind is Bytes or value is None:
        return value
    if isinstance(value, list):
        return (list, *map(identity, value))
    if isinstance(value, Hash):
        return (Hash, frozenset((inner, identity(v)) for inner, v in value.entries.items()))
    try:
        hash(value)
    except TypeError:
        return (kind, repr(value))
    return (kind, value)


def from_data(value: object) -> Any:  # noqa: ANN401
    """Data that other programs wrote, as values: every dict becomes a hash."""
    if isinstance(value, dict):
        items = {
            key: item if item.__class__ in _LEAVES else from_data(item)
            for key, item in value.items()
        }
        return Hash(items) if _TEXTS.issuperset(map(type, items)) else Hash.of(items.items())
    if isinstance(value, list):
        return [from_data(item) for item in value]
    return value


_TEXTS = frozenset([str])
_LEAVES = frozenset([str, int, bool, float, type(None)])


__all__ = ["Hash", "from_data", "identity"]
