"""each, map, filter, reduce and the other functions that call a lambda for every element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.bytestrings import encoding_of, in_encoding
from headwater.langs.puppet.functions.equality import ruby_equal
from headwater.langs.puppet.functions.registry import SIGNATURES, Call, dispatch
from headwater.langs.puppet.functions_protocol import BreakIteration
from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.types.iteration import elements, has_pairs, rest, reversed_, stepped
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.regexps import find
else:
    when_called(globals(), "headwater.langs.puppet.types.regexps", "find")

HASH, ITERABLE = "Hash[Any, Any] hash", "Iterable enumerable"
ONE, TWO = "Callable[1,1]", "Callable[2,2]"


def _all(value: Value) -> Iterable[Any]:
    found = elements(value)
    assert found is not None
    return found


def _truth(value: Value) -> bool:
    return value is not None and value is not False


def _indexed(value: Value) -> Iterable[tuple[Value, Any]]:
    """Pairs for a lambda of two: key and value, or index and element."""
    if isinstance(value, Hash):
        return value.pairs()
    if has_pairs(value):
        return ((pair[0], pair[1]) for pair in rest(value))
    return enumerate(_all(value))


def _following(value: Value) -> Iterable[tuple[Value, Any]]:
    """The same for a function that takes what is left of an iterator."""
    if isinstance(value, PuppetIterator) and not value.pairs:
        return enumerate(value.rest())
    return _indexed(value)


@dispatch("each", HASH, block=TWO)
@dispatch("each", ITERABLE, block=TWO)
def _each_two(call: Call, value: Value) -> Value:
    run = call.two()
    try:
        for index, item in _following(value):
            run(index, item)
    except BreakIteration:
        pass
    return value


@dispatch("each", HASH, block=ONE)
@dispatch("each", ITERABLE, block=ONE)
def _each_one(call: Call, value: Value) -> Value:
    run = call.one()
    try:
        for item in rest(value):
            run(item)
    except BreakIteration:
        pass
    return value


@dispatch("map", HASH, block=TWO)
@dispatch("map", ITERABLE, block=TWO)
def _map_two(call: Call, value: Value) -> list[Any]:
    run = call.two()
    result: list[Any] = []
    try:
        for index, item in _following(value):
            result.append(run(index, item))
    except BreakIteration:
        pass
    return result


@dispatch("map", HASH, block=ONE)
@dispatch("map", ITERABLE, block=ONE)
def _map_one(call: Call, value: Value) -> list[Any]:
    run = call.one()
    result: list[Any] = []
    try:
        for item in rest(value):
            result.append(run(item))
    except BreakIteration:
        pass
    return result


@dispatch("filter", HASH, block=TWO)
def _filter_hash_two(call: Call, value: Hash) -> Hash:
    run = call.two()
    return value.where(lambda key, item: _truth(run(key, item)))


@dispatch("filter", HASH, block=ONE)
def _filter_hash_one(call: Call, value: Hash) -> Hash:
    run = call.one()
    return value.where(lambda key, item: _truth(run([key, item])))


@dispatch("filter", ITERABLE, block=TWO)
def _filter_two(call: Call, value: Value) -> Value:
    run = call.two()
    if has_pairs(value):
        return Hash.of((key, item) for key, item in rest(value) if _truth(run(key, item)))
    result: list[Any] = []
    try:
        for index, item in enumerate(rest(value)):
            if _truth(run(index, item)):
                result.append(item)
    except BreakIteration:
        pass
    return result


@dispatch("filter", ITERABLE, block=ONE)
def _filter_one(call: Call, value: Value) -> list[Any]:
    run = call.one()
    result: list[Any] = []
    try:
        for item in rest(value):
            verdict = run(item)
            if verdict is not None and verdict is not False:
                result.append(item)
    except BreakIteration:
        pass
    return result


def _verdicts(
    value: Value, pairs: Iterable[tuple[Any, Any]], say: Callable[[Any, Any], Any]
) -> Iterator[tuple[Any, bool]]:
    """What a lambda says of the elements, each with its index.

    break() ends it only where Ruby has no loop of its own for the value.
    """
    loops = isinstance(value, list | Hash | str)
    with nullcontext() if loops else suppress(BreakIteration):
        for index, item in pairs:
            yield index, _truth(say(index, item))


def _of_two(call: Call, value: Value) -> Iterator[tuple[Any, bool]]:
    return _verdicts(value, _indexed(value), call.two())


def _of_one(call: Call, value: Value) -> Iterator[tuple[Any, bool]]:
    run = call.one()
    return _verdicts(value, enumerate(_all(value)), lambda _, item: run(item))


@dispatch("all", HASH, block=TWO)
@dispatch("all", ITERABLE, block=TWO)
def _all_two(call: Call, value: Value) -> bool:
    return all(good for _, good in _of_two(call, value))


@dispatch("all", HASH, block=ONE)
@dispatch("all", ITERABLE, block=ONE)
def _all_one(call: Call, value: Value) -> bool:
    return all(good for _, good in _of_one(call, value))


@dispatch("any", HASH, block=TWO)
@dispatch("any", ITERABLE, block=TWO)
def _any_two(call: Call, value: Value) -> bool:
    return any(good for _, good in _of_two(call, value))


@dispatch("any", HASH, block=ONE)
@dispatch("any", ITERABLE, block=ONE)
def _any_one(call: Call, value: Value) -> bool:
    return any(good for _, good in _of_one(call, value))


@dispatch("index", HASH, block=TWO)
@dispatch("index", ITERABLE, block=TWO)
def _index_two(call: Call, value: Value) -> Value:
    return next((index for index, good in _of_two(call, value) if good), None)


@dispatch("index", HASH, block=ONE)
@dispatch("index", ITERABLE, block=ONE)
def _index_one(call: Call, value: Value) -> Value:
    run = call.one()
    found = _verdicts(value, _indexed(value), lambda _, item: run(item))
    return next((index for index, good in found if good), None)


@dispatch("index", "String str, Variant[String,Regexp] match")
def _index_text(call: Call, text: str, match: str | Regexp) -> int | None:
    if isinstance(match, Regexp):
        found = find(match.pattern, text.encode())
        return None if found is None else len(found.data[: found.start].decode())
    place = text.find(match)
    return None if place < 0 else place


@dispatch("index", "Iterable enumerable, Any match")
def _index_value(call: Call, value: Value, match: Value) -> Value:
    for index, item in _indexed(value):
        if ruby_equal(item, match):
            return index
    return None


@dispatch("reduce", ITERABLE, block=TWO)
def _reduce(call: Call, value: Value) -> Value:
    run = call.two()
    memo: Value = None
    for place, item in enumerate(_all(value)):
        if place == 0:
            memo = item
            continue
        try:
            memo = run(memo, item)
        except BreakIteration:
            return memo
    return memo


@dispatch("reduce", "Iterable enumerable, Any memo", block=TWO)
def _reduce_from(call: Call, value: Value, memo: Value) -> Value:
    run = call.two()
    for item in _all(value):
        try:
            memo = run(memo, item)
        except BreakIteration:
            return memo
    return memo


@dispatch("slice", "Hash[Any, Any] hash, Integer[1, default] slice_size", block="Callable?")
@dispatch("slice", "Iterable enumerable, Integer[1, default] slice_size", block="Callable?")
def _slice(call: Call, value: Value, size: int) -> Value:
    items = list(_all(value))
    groups = [items[place : place + size] for place in range(0, len(items), size)]
    if call.block is None:
        return groups
    serving = _serving(call, size)
    filler: Any = [] if isinstance(value, Hash) else None
    try:
        for group in groups:
            if serving == 1:
                call.run(group)
            else:
                call.run(*group, *([filler] * (serving - len(group))))
    except BreakIteration:
        pass
    return value


def _serving(call: Call, size: int) -> int:
    assert call.block is not None
    least, most = call.block.arity
    serving = size if most is None or least <= size <= most else most
    if serving == 0:
        raise Failed("slice(): block must define at least one parameter. Block has 0.")
    if serving not in (1, size):
        raise Failed(
            "slice(): block must define one parameter, or the same number of parameters as the "
            f"given size of the slice ({size}). Block has {serving}"
        )
    return serving


@dispatch("step", "Iterable iterable, Integer[1] step")
def _step(call: Call, value: Value, step: int) -> Value:
    return stepped(value, step)


@dispatch("step", "Iterable iterable, Integer[1] step", block=ONE)
def _step_each(call: Call, value: Value, step: int) -> None:
    _run(call, rest(stepped(value, step)))


@dispatch("reverse_each", "Iterable iterable")
def _reverse(call: Call, value: Value) -> Value:
    return reversed_(value)


@dispatch("reverse_each", "Iterable iterable", block=ONE)
def _reverse_each(call: Call, value: Value) -> None:
    _run(call, rest(reversed_(value)))


def _run(call: Call, items: Iterable[Any]) -> None:
    run = call.one()
    try:
        for item in items:
            run(item)
    except BreakIteration:
        pass


@dispatch("group_by", "Collection collection", block=ONE)
def _group_one(call: Call, value: Value) -> Hash:
    return _grouped((call.run(item), item) for item in _all(value))


@dispatch("group_by", "Array array", block=TWO)
@dispatch("group_by", "Collection collection", block=TWO)
def _group_two(call: Call, value: list[Any] | Hash) -> Hash:
    if isinstance(value, Hash):
        return _grouped((call.run(key, item), [key, item]) for key, item in value.pairs())
    return _grouped((call.run(index, item), item) for index, item in enumerate(value))


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> Hash:
    result = Hash()
    for key, item in pairs:
        if key not in result:
            result.put(key, [])
        result[key].append(item)
    return result


@dispatch("partition", "Collection collection", block=ONE)
def _partition_one(call: Call, value: Value) -> list[Any]:
    return _parted((call.run(item), item) for item in _all(value))


@dispatch("partition", "Array array", block=TWO)
@dispatch("partition", "Collection collection", block=TWO)
def _partition_two(call: Call, value: list[Any] | Hash) -> list[Any]:
    if isinstance(value, Hash):
        return _parted((call.run(key, item), [key, item]) for key, item in value.pairs())
    return _parted((call.run(index, item), item) for index, item in enumerate(value))


def _parted(pairs: Iterable[tuple[Any, Any]]) -> list[Any]:
    yes: list[Any] = []
    no: list[Any] = []
    for verdict, item in pairs:
        (yes if _truth(verdict) else no).append(item)
    return [yes, no]


@dispatch("unique", "String string", block="Callable[String]?")
def _unique_text(call: Call, text: str) -> str:
    return in_encoding("".join(_distinct(call, list(text))), encoding_of(text))


@dispatch("unique", "Hash hash", block="Callable[Any]?")
def _unique_hash(call: Call, value: Hash) -> Hash:
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    for key, item in value.pairs():
        chosen = item if call.block is None else call.run(item)
        keys, items = groups.setdefault(identity(chosen), ([], []))
        keys.append(key)
        items.append(item)
    return Hash.of(
        (keys, list({identity(item): item for item in reversed(items)}.values())[::-1])
        for keys, items in groups.values()
    )


@dispatch("unique", "Array array", block="Callable[Any]?")
@dispatch("unique", "Iterable iterable", block="Callable[Any]?")
def _unique(call: Call, value: Value) -> list[Any]:
    return _distinct(call, _all(value))


def _distinct(call: Call, items: Iterable[Any]) -> list[Any]:
    if isinstance(items, list) and len(items) < 2:
        return items  # Ruby asks nobody
    seen: dict[Any, Any] = {}
    for item in items:
        key = identity(item if call.block is None else call.run(item))
        seen.setdefault(key, item)
    return list(seen.values())


@dispatch("with", "Any *arg", block="Callable")
def _with(call: Call, *args: Value) -> Value:
    return call.run(*args)


@dispatch("then", "Any arg", block=ONE)
def _then(call: Call, value: Value) -> Value:
    return None if value is None else call.run(value)


@dispatch("lest", "Any arg", block="Callable[0,0]")
def _lest(call: Call, value: Value) -> Value:
    return call.run() if value is None else value


@dispatch("break", "")
def _break(call: Call) -> None:
    raise BreakIteration


def _in_puppets_order() -> None:
    """Hashes before iterables and lambdas of two before those of one, as Puppet tries them."""
    wholes = (HASH, ITERABLE)
    for name in ("each", "map", "filter", "all", "any", "index"):
        SIGNATURES[name].sort(
            key=lambda s: (wholes.index(s.text) if s.text in wholes else 2, s.block != TWO)
        )


_in_puppets_order()
