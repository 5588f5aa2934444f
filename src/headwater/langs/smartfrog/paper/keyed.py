"""Lists of things with different keys, of which a copy with one thing changed shares the rest.

The paper's stores are lists, and every assignment makes a new one.  Here an assignment copies one
chunk of a list, and where in the list a key stands is told by a table that copies have in common:
it only grows, and each list knows how much of it is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

CHUNK = 64
"""How many things stand in a chunk.  A list of 4,096 has as many chunks."""


class Keyed(Generic[K, V]):
    """An immutable list of values, each with a key of its own."""

    __slots__ = ("_chunks", "_length", "_places")

    def __init__(self, entries: Iterable[tuple[K, V]] = ()) -> None:
        made = dict(entries)
        self._places: dict[K, int] = {key: place for place, key in enumerate(made)}
        self._length = len(made)
        self._chunks = _chunks([*made.values()])

    def __iter__(self) -> Iterator[V]:
        return chain.from_iterable(self._chunks)

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and len(self) == len(other) and [*self] == [*other]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Keyed({[*self]!r})"

    def get(self, key: K) -> V | None:
        """The value of a key."""
        place = self._places.get(key, self._length)
        return self._chunks[place // CHUNK][place % CHUNK] if place < self._length else None

    def put(self, key: K, value: V) -> Keyed[K, V]:
        """The list with a value in the place of the one that has the key, or at the end."""
        place = self._places.get(key, self._length)
        if place >= self._length:
            return self._added(key, value)
        chunk, number = self._chunks[place // CHUNK], place % CHUNK
        changed = (*chunk[:number], value, *chunk[number + 1 :])
        return self._like(self._with(place // CHUNK, changed), self._places, self._length)

    def mapped(self, change: Callable[[V], V]) -> Keyed[K, V]:
        """The list with each value changed."""
        return self._like(_chunks([change(value) for value in self]), self._places, self._length)

    def _added(self, key: K, value: V) -> Keyed[K, V]:
        length = self._length
        if not length:
            places: dict[K, int] = {}
        elif len(self._places) > length:  # another list has grown out of this one
            places = {known: place for known, place in self._places.items() if place < length}
        else:
            places = self._places
        places[key] = length
        last = self._chunks[length // CHUNK] if length % CHUNK else ()
        return self._like(self._with(length // CHUNK, (*last, value)), places, length + 1)

    def _with(self, number: int, chunk: tuple[V, ...]) -> tuple[tuple[V, ...], ...]:
        return (*self._chunks[:number], chunk, *self._chunks[number + 1 :])

    def _like(
        self, chunks: tuple[tuple[V, ...], ...], places: dict[K, int], length: int
    ) -> Keyed[K, V]:
        made: Keyed[K, V] = Keyed.__new__(Keyed)
        made._chunks, made._places, made._length = chunks, places, length
        return made


def _chunks(values: list[V]) -> tuple[tuple[V, ...], ...]:
    return tuple(tuple(values[at : at + CHUNK]) for at in range(0, len(values), CHUNK))
