"""keys, values, flatten, sort, compare, dig, get, getvar and tree_each."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cmp_to_key
from typing import Any

from headwater.langs.puppet.bytestrings import encoding_of, in_encoding
from headwater.langs.puppet.functions.equality import casecmp, compare, ordered
from headwater.langs.puppet.functions.registry import Call, complaint, dispatch
from headwater.langs.puppet.functions_protocol import BreakIteration
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.inference import infer
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.mismatches import short_name
from headwater.langs.puppet.types.parameter_checks import flatten
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.rubytext import to_s
from headwater.langs.puppet.types.show import show_type
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import SemVer, Timespan, Timestamp
from headwater.text.patterns import LatePattern


@dispatch("keys", "Hash hsh")
def _keys(call: Call, value: Hash) -> list[Any]:
    return list(value)


@dispatch("values", "Hash hsh")
def _values(call: Call, value: Hash) -> list[Any]:
    return list(value.values())


@dispatch("flatten", "Any *args")
def _flatten(call: Call, *args: Value) -> list[Any]:
    return flatten(list(args))


@dispatch("sort", "String string_value", block="Callable[2,2]?")
def _sort_text(call: Call, text: str) -> str:
    return in_encoding("".join(_sorted(call, list(text))), encoding_of(text))


@dispatch("sort", "Array array_value", block="Callable[2,2]?")
def _sort(call: Call, items: list[Any]) -> list[Any]:
    return _sorted(call, items)


def _exchanged(later: Value, earlier: Value) -> int:
    return -ordered(earlier, later)


def _sorted(call: Call, items: list[Any]) -> list[Any]:
    # The later element asks first here, and last in Ruby: the sides are exchanged.
    if call.block is None:
        return sorted(items, key=cmp_to_key(_exchanged))

    def by_block(b: Value, a: Value) -> int:
        order = call.run(a, b)
        if order.__class__ not in (int, float):
            raise Failed(f"comparison of {ruby_class(a)} with {ruby_class(b)} failed")
        return (order < 0) - (order > 0)

    return sorted(items, key=cmp_to_key(by_block))


_COMPARABLE = {
    "TimeComparable": "Variant[Numeric, Timespan, Timestamp]",
    "Comparable": "Variant[String, Semver, TimeComparable]",
}


@dispatch("compare", "Numeric a, Numeric b")
@dispatch("compare", "Semver a, Semver b")
def _compare(call: Call, a: Value, b: Value) -> int | None:
    return compare(a, b)


@dispatch("compare", "String a, String b, Boolean ignore_case?")
def _compare_text(call: Call, a: str, b: str, ignore_case: bool = True) -> int | None:
    return casecmp(a, b) if ignore_case else compare(a, b)


@dispatch("compare", "Numeric a, Variant[Timespan, Timestamp] b")
def _compare_number_first(call: Call, a: Value, b: Value) -> int:
    order = compare(b, a)
    assert order is not None
    return -order


@dispatch("compare", "Timestamp a, Variant[Timestamp, Numeric] b")
@dispatch("compare", "Timespan a, Variant[Timespan, Numeric] b")
def _compare_time(call: Call, a: Value, b: Value) -> int | None:
    return compare(a, b)


def _label(value: Value) -> str:
    match value:
        case SemVer():
            return "Semver"
        case Timestamp() | Timespan():
            return value.__class__.__name__
        case str():
            return "String"
        case list():
            return "Array"
        case Hash():
            return "Hash"
        case bool():
            return "Boolean"
        case None:
            return "Undef Value"
        case int():
            return "Integer"
        case float():
            return "Float"
    if m.is_type(value):
        return f"{show_type(value)}-Type"
    return {"Regexp": "Regexp", "Sensitive": "Sensitive", "Binary": "Binary"}.get(
        value.__class__.__name__, "Object"
    )


@complaint("compare", "Comparable a, Comparable b, Any *ignore_case", local=_COMPARABLE)
def _compare_unlike(a: Value, b: Value, *rest: Value) -> str:
    if rest:
        if not (isinstance(a, str) and isinstance(b, str)):
            return (
                "compare(): The third argument (ignore case) can only be used when comparing "
                "strings"
            )
        if len(rest) != 1:
            return f"compare(): Accepts at most 3 arguments, got {2 + len(rest)}"
        return (
            f"compare(): The third argument (ignore case) must be a Boolean. Got {_label(rest[0])}"
        )
    return (
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also "
        f"against Numeric). Got {_label(a)} and {_label(b)}"
    )


@complaint("compare", "Any a, Any b, Any *ignore_case")
def _compare_never(a: Value, b: Value, *rest: Value) -> str:
    return (
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, "
        f"Timestamp and Timestamp can be compared. Got {_label(a)} and {_label(b)}"
    )


class NotThere(Failed):
    """A path that leads through something that is no collection."""


@dispatch("dig", "Optional[Collection] data, Any *arg")
def _dig(call: Call, value: Value, *path: Value) -> Value:
    return dig(value, path)


def dig(value: Value, path: Iterable[Value]) -> Value:
    """What a path of keys and indexes leads to; undef where there is nothing."""
    walked: list[Any] = []
    for key in path:
        if value is None or key is None:
            return None
        if not isinstance(value, list | Hash):
            raise NotThere(
                f"The given data does not contain a Collection at {to_s(walked)}, "
                f"got '{show_type(infer(value))}'"
            )
        walked.append(key)
        if isinstance(value, list):
            if key.__class__ is not int:
                raise NotThere(
                    f"The given data requires an Integer index at {to_s(walked)}, "
                    f"got '{show_type(infer(key))}'"
                )
            value = value[key] if -len(value) <= key < len(value) else None
        else:
            value = value.get(key)
    return value


_SEGMENT = LatePattern(r"""(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)""")


def split_key(key: str) -> list[Any]:
    """The segments of a dotted path; a segment in quotes may hold dots."""
    parts = _SEGMENT.split(key)
    while parts and parts[-1] == "":
        parts.pop()
    if len(parts) < 2 or parts[0] != "":
        raise Failed("Syntax error in dotted-navigation string")
    parts = parts[1:]
    count = len(parts)
    names = [part for part in parts if part != "."]
    if len(names) * 2 != count + 1:
        raise Failed("Syntax error in dotted-navigation string")
    result: list[Any] = []
    for name in names:
        name = name.strip()
        if name[:1] in ("'", '"'):
            result.append(name[1:-1])
        elif re.match(r":?[+-]?[0-9]+\Z", name):
            result.append(int(name) if name[0] != ":" else 0)
        else:
            result.append(name)
    return result


@dispatch("get", "Any value, String dotted_string, Any default_value?", block="Callable[1,1]?")
def _get(call: Call, value: Value, path: str, default: Value = None) -> Value:
    return navigate(call, value, path, default)


def navigate(call: Call, value: Value, path: str, default: Value) -> Value:
    """What a dotted path leads to, or a default."""
    if value is None:
        return default
    if not path:
        return value
    segments = split_key("x." + path)[1:]
    try:
        if not isinstance(value, list | Hash):
            call.context.mistyped(
                f"'dig' parameter 'data' expects a value of type Undef or Collection, got "
                f"{short_name(infer(value))}"
            )
        found = dig(value, segments)
    except NotThere as error:
        if call.block is None:
            raise
        return call.run(str(error))
    return default if found is None else found


_NAME_AND_PATH = LatePattern(r"((?:::)?(?:\w+::)*\w+)(.*)\Z", re.DOTALL | re.ASCII)


@dispatch(
    "getvar",
    r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string, Any default_value?",
    block="Callable[1,1]?",
)
def _getvar(call: Call, text: str, default: Value = None) -> Value:
    found = _NAME_AND_PATH.match(text)
    assert found is not None
    name, path = found.groups()
    if path[:1] == ".":
        path = path[1:]
    elif path:
        raise Failed(f"First character after var name in get string must be a '.' - got {path[0]}")
    if not call.context.has_variable(name):
        return default
    return navigate(call, call.context.variable(name), path, default)


@complaint("getvar", "String get_string, Any default_value?", block="Callable?")
def _getvar_bad(text: str, default: Value = None) -> str:
    return "The given string does not start with a valid variable name"


_OPTIONS = {
    "OptionsType": (
        "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], "
        "include_containers => Optional[Boolean], include_values => Optional[Boolean], "
        "order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]"
    )
}
_TREE = "Variant[Iterator, Array, Hash, Object] tree, OptionsType options?"
_CONTAINERS = m.VariantType((m.ARRAY, m.HASH, m.ObjectType()))


@dispatch("tree_each", _TREE, block="Callable[2,2]", local=_OPTIONS)
def _tree_two(call: Call, value: Value, options: Hash | None = None) -> Value:
    try:
        for path, item in _walk(value, options or Hash()):
            call.run(path, item)
    except BreakIteration:
        pass
    return value


@dispatch("tree_each", _TREE, block="Callable[1,1]", local=_OPTIONS)
def _tree_one(call: Call, value: Value, options: Hash | None = None) -> Value:
    try:
        for _, item in _walk(value, options or Hash()):
            call.run(item)
    except BreakIteration:
        pass
    return value


@dispatch("tree_each", _TREE, local=_OPTIONS)
def _tree(call: Call, value: Value, options: Hash | None = None) -> PuppetIterator:
    chosen = options or Hash()
    _walk(value, chosen)
    return PuppetIterator(m.ANY, lambda: iter(_walk(value, chosen)), spends=True)


def _walk(value: Value, options: Hash) -> Iterator[list[Any]]:
    """Checks the options and gives paths with what they lead to."""
    wanted = options.get("container_type") or _CONTAINERS
    if not assignable(_CONTAINERS, wanted):
        raise Failed(
            "Only Array, Hash, and Object types can be used as container types. "
            f"Got {show_type(wanted)}"
        )
    containers = options.get("include_containers") is not False
    values = options.get("include_values") is not False
    root = containers and options.get("include_root") is not False
    if not (containers or values):
        raise Failed("Options 'include_containers' and 'include_values' cannot both be false")
    if isinstance(value, PuppetIterator):
        raise Failed("tree_each(): an iterator has no tree to walk")
    breadth = options.get("order") == "breadth_first"
    return _nodes(value, wanted, containers, values, root, breadth)


def _nodes(
    value: Value, wanted: m.Type, containers: bool, values: bool, root: bool, breadth: bool
) -> Iterator[list[Any]]:
    if root:
        yield [[], value]
    if m.is_type(value):
        return
    if not is_instance(wanted, value):
        raise Failed("tree_each(): the tree itself is not of the container type")
    waiting: deque[tuple[list[Any], Any, bool]] = deque([([], value, True)])
    while waiting:
        path, item, open_ = waiting.popleft()
        inner = open_ and is_instance(wanted, item)
        if path and not breadth and (containers if inner else values):
            yield [path, item]
        if not inner or not isinstance(item, list | Hash):
            continue
        below = [
            ([*path, key], one, True)
            for key, one in (item.pairs() if isinstance(item, Hash) else enumerate(item))
        ]
        if breadth:
            for one_path, one, _ in below:
                # Breadth first, real Puppet gives values also when it is told not to.
                if containers or not is_instance(wanted, one):
                    yield [one_path, one]
            waiting.extend(below)
        else:
            waiting.extendleft(reversed(below))
