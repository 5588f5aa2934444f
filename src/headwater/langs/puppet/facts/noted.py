"""Facts that note which of them are read.

A result hangs on the facts that were asked for, not on the whole file: ``$facts['os']['family']``
reads one text in it.  So the hash of facts, each hash in it, and the variables at the top note for
themselves what is asked of them, whoever asks: a program, a template, the data, Ruby.  Whoever asks
for more than one key (names, number, order, equality) has read all of that hash.

A part of a file is written ``=os.family`` (the value there, or that there is a hash, or nothing) or
``*os`` (all of the hash), with a separator that no fact has in its name; ``^`` is what the file
says of the node beside its facts.  Of a file of several nodes, the first name of a part says which.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any, Final

import msgspec

from headwater.langs.keyed import PARTS
from headwater.langs.puppet.facts.several import FactsFile, copied, facts_for_reading
from headwater.langs.puppet.facts.shapes import NodeFacts
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.values import SINGLE
from headwater.text.digest import sha256
from headwater.text.reads import READS

BETWEEN: Final = "\x1f"
"""Stands between the names of a path."""

NODE: Final = "\x1d"
"""Stands before the name of a node that is one of several in a file."""

_NOT_FACTS = frozenset(
    ["facts", "trusted", "server_facts", "environment", "serverversion", "servername", "serverip",
     "title", "name", "module_name"]
)  # fmt: skip
"""Variables at the top that are there whatever the facts are."""


class NotedEntries(dict[Any, Any]):
    """The entries of a hash of facts; `at` is its path."""

    __slots__ = ("_asked", "_at", "_parts")

    def __init__(self, entries: dict[Any, Any], at: tuple[str, ...], parts: set[str]) -> None:
        super().__init__(entries)
        self._asked: set[object] = set()
        """The keys that are noted already."""
        self._at = at
        self._parts = parts

    def _one(self, key: object) -> None:
        if key not in self._asked:
            self._note(key)
            self._asked.add(key)

    def _note(self, key: object) -> None:
        if isinstance(key, str) and BETWEEN not in key and PARTS not in key:
            self._parts.add("=" + BETWEEN.join((*self._at, key)))
        else:
            self._all()

    def _all(self) -> None:
        self._parts.add("*" + BETWEEN.join(self._at))

    def __getitem__(self, key: object) -> object:
        self._one(key)
        return super().__getitem__(key)

    def get(self, key: object, default: object = None) -> object:
        self._one(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._one(key)
        return super().__contains__(key)

    def __iter__(self) -> Iterator[Any]:
        self._all()
        return super().__iter__()

    def __reversed__(self) -> Iterator[Any]:
        self._all()
        return super().__reversed__()

    def __len__(self) -> int:
        self._all()
        return super().__len__()

    def keys(self) -> KeysView[Any]:  # type: ignore[override]
        self._all()
        return super().keys()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self._all()
        return super().values()

    def items(self) -> ItemsView[Any, Any]:  # type: ignore[override]
        self._all()
        return super().items()

    def copy(self) -> dict[Any, Any]:
        self._all()
        return super().copy()

    def __eq__(self, other: object) -> bool:
        self._all()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        self._all()
        return super().__ne__(other)

    def __or__(self, other: dict[Any, Any]) -> dict[Any, Any]:
        self._all()
        return super().__or__(other)

    def __ror__(self, other: dict[Any, Any]) -> dict[Any, Any]:
        self._all()
        return super().__ror__(other)

    __hash__ = None


class NotedVariables(NotedEntries):
    """The variables at the top, which facts are too."""

    __slots__ = ()

    def _note(self, key: object) -> None:
        if isinstance(key, str) and key not in _NOT_FACTS:  # no variable has another name
            super()._note(key)


def noted_facts(given: NodeFacts, facts: Hash) -> tuple[Hash, set[str] | None, tuple[str, ...]]:
    """Facts that note what is read of them, where, and whose; None if they are not read in parts.

    The facts are those that a file gives, perhaps with more.
    """
    reads = READS.get()
    if reads is None or given.file is None:
        return facts, None, ()
    parts = reads.facts.setdefault(given.file, set())
    whose = (f"{NODE}{(given.node or '').lower()}",) if given.among else ()
    for part in "=^":  # that there are facts is read, whatever is asked for, and whose they are
        parts.add(part + BETWEEN.join(whose))
    made = _noted(facts, whose, parts)
    assert isinstance(made, Hash)
    return made, parts, whose


def _noted(value: object, at: tuple[str, ...], parts: set[str]) -> object:
    """A hash whose hashes note what is read; of an array, all is read that is in it.

    Nothing in it is in what was given: a program may change it.
    """
    if value.__class__ in SINGLE:
        return value
    if not isinstance(value, Hash) or value.odd is not None:
        return copied(value)
    entries = {
        key: _noted(item, (*at, key), parts) if _plain_key(key) else copied(item)
        for key, item in value.entries.items()
    }
    return Hash(NotedEntries(entries, at, parts))


def unnoted(facts: Hash) -> Hash:
    """The facts for who puts them all somewhere and reads none; hashes in them still note."""
    return Hash(dict(dict.items(facts.entries)), facts.odd)


def _plain_key(key: object) -> bool:
    return isinstance(key, str) and BETWEEN not in key and PARTS not in key


# --- what a file has in its parts -----------------------------------------------------------

ABSENT, HASH = "-", "{}"


def fact_identity(path: str, parts: str) -> str | None:
    """What a file of facts has in some parts; None if only the whole file tells."""
    try:
        held = facts_for_reading(path)
        found = [_identity(held, part) for part in parts.split(PARTS)]
        return sha256(msgspec.msgpack.encode(found)).hexdigest()
    except (Fault, Problem, TypeError, ValueError, OverflowError, RecursionError):
        return None


def _identity(held: FactsFile, part: str) -> object:
    names = part[1:].split(BETWEEN) if len(part) > 1 else []
    whose = names.pop(0).removeprefix(NODE) if names and names[0].startswith(NODE) else None
    facts = held.of_node(whose)
    if facts is None:
        raise ValueError(f"there are no facts of {whose}")
    if part[0] == "^":
        return [facts.node, None if facts.trusted is None else _ordered(facts.trusted)]
    value: Any = facts.values
    for name in names:
        if not isinstance(value, Hash) or name not in value.entries:
            return ABSENT
        value = value.entries[name]
    if part[0] == "=" and isinstance(value, Hash) and value.odd is None:
        return HASH
    return [_ordered(value)]


def _ordered(value: object) -> object:
    """A value with its pairs in their order, and with what tells numbers from texts."""
    if isinstance(value, Hash):
        return {"pairs": [[_ordered(key), _ordered(item)] for key, item in value.pairs()]}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value if not isinstance(value, int) or -(2**63) <= value < 2**64 else str(value)
    raise TypeError(type(value).__name__)
