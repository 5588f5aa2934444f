"""Describing why a type does not accept another, down to the element that is wrong."""

from __future__ import annotations

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import unresolved
from headwater.langs.puppet.types.assignability import assignable, tuple_size
from headwater.langs.puppet.types.build import array, hash_of
from headwater.langs.puppet.types.generality import normalize
from headwater.langs.puppet.types.mismatches import Mismatch, Path, Step, keyed, merge, sized, typed


def describe(expected: m.Type, actual: m.Type, path: Path) -> list[Mismatch]:
    """Every mismatch, in order; empty when there is none."""
    unknown = unresolved(expected)
    if unknown is not None:
        return [keyed("unresolved", path, unknown)]
    return _describe(normalize(expected), expected, actual, path)


def mismatch_text(subject: str, expected: m.Type, actual: m.Type) -> str:
    """The whole message about one subject."""
    errors = describe(expected, actual, (Step("subject", subject),))
    if len(errors) == 1:
        return errors[0].format().strip()
    return "\n ".join(error.format() for error in errors)


def _describe(expected: m.Type, original: m.Type, actual: m.Type, path: Path) -> list[Mismatch]:
    match expected:
        case m.VariantType():
            return _variant(expected, original, actual, path)
        case m.StructType():
            return _struct(expected, original, actual, path)
        case m.HashType():
            return _hash(expected, original, actual, path)
        case m.TupleType():
            return tuple_mismatches(expected, original, actual, path, "size")
        case m.ArrayType():
            return _array(expected, original, actual, path)
        case m.CallableType():
            return _callable(expected, original, actual, path)
        case m.OptionalType():
            if actual == m.UNDEF or expected.type is None:
                return []
            seen = original if isinstance(original, m.AliasType) else expected
            return _describe(expected.type, seen, actual, path)
        case m.PatternType() | m.EnumType():
            return [typed("pattern", path, original, actual)]
        case m.AliasType():
            return _describe(normalize(expected.resolved()), expected, actual, path)
    return [] if assignable(expected, actual) else [typed("type", path, original, actual)]


def _variant(
    expected: m.VariantType, original: m.Type, actual: m.Type, path: Path
) -> list[Mismatch]:
    types = expected.types
    if isinstance(original, m.OptionalType):
        types = (m.UNDEF, *types)
    found: list[list[Mismatch]] = []
    for index, choice in enumerate(types):
        one = describe(choice, actual, (*path, Step("variant", index)))
        if not one:
            return []
        found.append(one)
    merged = merge_descriptions(len(path), "size", found)
    if isinstance(original, m.AliasType) and len(merged) == 1:
        return [typed("type", path, original, actual)]
    return merged


def merge_descriptions(place: int, size_kind: str, found: list[list[Mismatch]]) -> list[Mismatch]:
    """One mismatch for all choices where they say the same, else each once."""
    items = [item for one in found for item in one]
    kinds_of = ((size_kind,) if size_kind == "count" else ("size", "count"),
                ("block",), ("no-block",), ("type", "pattern"))  # fmt: skip
    for kinds in kinds_of:
        same = [item for item in items if item.kind in kinds]
        if len(same) != len(found):
            continue
        if len({item.canonical for item in same}) == 1:
            merged = same[0]
            for item in same[1:]:
                merged = merge(merged, item)
            items = [merged]
            break
    # Puppet means to drop repetitions, but only mismatches about blocks ever compare equal.
    seen: set[Mismatch] = set()
    kept: list[Mismatch] = []
    for item in items:
        if item.kind not in ("block", "no-block") or item not in seen:
            kept.append(item)
        seen.add(item)
    items = kept
    return [items[0].chopped(place)] if len(items) == 1 else items


def _array(expected: m.ArrayType, original: m.Type, actual: m.Type, path: Path) -> list[Mismatch]:
    if isinstance(actual, m.TupleType):
        wanted = expected.size or m.ANY_SIZE
        size = actual.size or m.IntegerType(len(actual.types), len(actual.types))
        if not assignable(wanted, size):
            return [sized("size", path, wanted, size)]
        result: list[Mismatch] = []
        for index, item in enumerate(actual.types):
            if not assignable(expected.element, item):
                result += describe(expected.element, item, (*path, Step("index", index)))
        return result
    if isinstance(actual, m.ArrayType):
        size = actual.size or m.ANY_SIZE
        if expected.size is None or assignable(expected.size, size):
            return [typed("type", path, original, array(actual.element))]
        return [sized("size", path, expected.size, size)]
    return [typed("type", path, original, actual)]


def _hash(expected: m.HashType, original: m.Type, actual: m.Type, path: Path) -> list[Mismatch]:
    if isinstance(actual, m.StructType):
        wanted = expected.size or m.ANY_SIZE
        size = _struct_size(actual)
        if not assignable(wanted, size):
            return [sized("size", path, wanted, size)]
        result: list[Mismatch] = []
        for item in actual.elements:
            if not assignable(expected.key, item.key):
                result += describe(expected.key, item.key, (*path, Step("key", item.name)))
            if not assignable(expected.value, item.value):
                result += describe(expected.value, item.value, (*path, Step("entry", item.name)))
        return result
    if isinstance(actual, m.HashType):
        size = actual.size or m.ANY_SIZE
        if expected.size is None or assignable(expected.size, size):
            return [typed("type", path, original, hash_of(actual.key, actual.value))]
        return [sized("size", path, expected.size, size)]
    return [typed("type", path, original, actual)]


def _struct_size(t: m.StructType) -> m.IntegerType:
    required = sum(not assignable(item.key, m.UNDEF) for item in t.elements)
    return m.IntegerType(required, len(t.elements))


def _struct(expected: m.StructType, original: m.Type, actual: m.Type, path: Path) -> list[Mismatch]:
    if isinstance(actual, m.StructType):
        rest = {item.name: item for item in actual.elements}
        result: list[Mismatch] = []
        for item in expected.elements:
            other = rest.pop(item.name, None)
            if other is None:
                if not assignable(item.key, m.UNDEF):
                    result.append(keyed("missing-key", path, item.name))
                continue
            if not assignable(item.key, other.key):
                result += describe(item.key, other.key, (*path, Step("key", item.name)))
            if not assignable(item.value, other.value):
                result += describe(item.value, other.value, (*path, Step("entry", item.name)))
        return result + [keyed("extra-key", path, name) for name in rest]
    if isinstance(actual, m.HashType):
        size = actual.size or m.ANY_SIZE
        wanted = _struct_size(expected)
        if assignable(wanted, size):
            return [typed("type", path, original, hash_of(actual.key, actual.value))]
        return [sized("size", path, wanted, size)]
    return [typed("type", path, original, actual)]


def tuple_mismatches(
    expected: m.TupleType, original: m.Type, actual: m.Type, path: Path, kind: str
) -> list[Mismatch]:
    """How a tuple is missed; `kind` says whether its size is one of arguments (``count``)."""
    if expected == actual or (not expected.types and isinstance(actual, m.ArrayType)):
        return []
    wanted = tuple_size(expected)
    result: list[Mismatch] = []
    if isinstance(actual, m.TupleType):
        size = tuple_size(actual)
        if not assignable(wanted, size):
            return [sized(kind, path, wanted, size)]
        if expected.types:
            for index, item in enumerate(actual.types):
                place = min(index, len(expected.types) - 1)
                result += describe(expected.types[place], item, (*path, Step("index", place)))
        return result
    if isinstance(actual, m.ArrayType):
        size = actual.size or m.ANY_SIZE
        if not assignable(wanted, size):
            return [sized(kind, path, wanted, size)]
        for index, item in enumerate(expected.types):
            result += describe(item, actual.element, (*path, Step("index", index)))
        return result
    return [typed("type", path, original, actual)]


def _callable(
    expected: m.CallableType, original: m.Type, actual: m.Type, path: Path
) -> list[Mismatch]:
    if not isinstance(actual, m.CallableType):
        return [typed("type", path, original, actual)]
    if expected.params is None:
        if expected.returns is None:
            return []
        params: list[Mismatch] = []
    else:
        params = tuple_mismatches(
            expected.params, expected.params, actual.params or m.TupleType(), path, "count"
        )
    if params:
        return params
    returns, other = expected.returns or m.ANY, actual.returns or m.ANY
    if not assignable(returns, other):
        return [typed("type", (*path, Step("return", "return")), returns, other)]
    block, given = expected.block or m.UNDEF, actual.block or m.UNDEF
    if not assignable(given, block):
        return [typed("type", (*path, Step("block", "block")), block, given)]
    return []
