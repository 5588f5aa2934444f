"""``Array(…)`` and ``Hash(…)``."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.convert_numbers import cannot
from headwater.langs.puppet.types.iteration import elements
from headwater.langs.puppet.types.signatures import Failed, Signature
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Binary


def _array(value: Value, wrap: Value = False) -> list[Any]:
    match value:
        case list():
            return value
        case Binary():
            return list(value.data)
    found = elements(value)
    assert found is not None
    return list(found)


def _wrapped(value: Value, wrap: Value) -> list[Any]:
    return value if isinstance(value, list) else [value]


ARRAY_MAKERS = [
    Signature("Variant[Array,Hash,Binary,Iterable] from, Boolean[false] wrap?", _array),
    Signature("Any from, Boolean[true] wrap", _wrapped),
    Signature(
        "Any from, Boolean wrap?", lambda value, _=None: cannot(value, "Array"), complain=True
    ),
]


def hash_of_pairs(pairs: list[Any]) -> Hash:
    """A hash from pairs of key and value."""
    return Hash.of((pair[0], pair[1]) for pair in pairs)


def _tree(pairs: list[Any], option: str | None = None) -> Hash:
    if option is None:
        return hash_of_pairs(pairs)
    whole = option == "hash_tree"
    result = Hash()
    for path, value in pairs:
        if not path:
            _root(result, value)
            continue
        place: Any = result
        for key in path[:-1]:
            place = _below(place, key)
        _set(place, path[-1], _as_hash(value) if whole else value)
    return result


def _root(result: Hash, value: Value) -> None:
    if not isinstance(value, list | Hash):
        raise Failed("no implicit conversion into Hash")
    for key, item in value.pairs() if isinstance(value, Hash) else enumerate(value):
        result.put(key, item)


def _below(place: Value, key: Value) -> Value:
    if isinstance(place, list):
        if not isinstance(key, int) or not -len(place) <= key < len(place):
            raise Failed("no implicit conversion into Integer")
        found: Value = place[key]
        return found
    if not isinstance(place, Hash):
        raise Failed("undefined method `has_key?'")
    if key not in place:
        place.put(key, Hash())
    below: Value = place[key]
    return below


def _set(place: Value, key: Value, value: Value) -> None:
    if isinstance(place, Hash):
        place.put(key, value)
    elif isinstance(place, list) and isinstance(key, int) and 0 <= key < len(place):
        # A copy would be kinder, but real Puppet too changes the list that the tree holds.
        place[key] = value
    else:
        raise Failed("undefined method `[]='")


def _as_hash(value: Value) -> Value:
    if not isinstance(value, list):
        return value
    return Hash({index: _as_hash(item) for index, item in enumerate(value)})


def _hash(value: Value) -> Hash:
    if isinstance(value, Hash):
        return value
    found = elements(value)
    if found is None:
        raise Failed(cannot(value, "Hash"))
    items = list(found)
    if len(items) % 2:
        raise Failed("odd number of arguments for Hash")
    return hash_of_pairs([items[place : place + 2] for place in range(0, len(items), 2)])


_LOCAL = {
    "KeyValueArray": "Array[Tuple[Any,Any],1]",
    "TreeArray": "Array[Tuple[Array,Any],1]",
    "NewHashOption": "Enum[tree, hash_tree]",
}
HASH_MAKERS = [
    Signature("TreeArray from, NewHashOption build_option?", _tree, local=_LOCAL),
    Signature("KeyValueArray from", hash_of_pairs, local=_LOCAL),
    Signature("Any from", _hash),
]
