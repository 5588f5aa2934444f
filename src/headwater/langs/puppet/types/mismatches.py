"""How a value misses a type: one record per kind of mismatch, with Puppet's sentence for it."""

from __future__ import annotations

from typing import Any

import msgspec

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import variant
from headwater.langs.puppet.types.generality import generalize, normalize
from headwater.langs.puppet.types.quoting import article
from headwater.langs.puppet.types.show import show_type, simple_name
from headwater.langs.puppet.types.value import Value


class Step(msgspec.Struct, frozen=True):
    """One step of the way to what is wrong: a parameter, an entry, an index, a choice."""

    kind: str
    key: Any

    def text(self) -> str:
        match self.kind:
            case "entry":
                return f"entry '{self.key}'"
            case "key":
                return f"key of entry '{self.key}'"
            case "parameter":
                return f"parameter '{self.key}'"
            case "index":
                return f"index {self.key}"
            case "variant":
                return f"variant {self.key}"
            case "signature":
                return f"{self.key + 1}."
        return str(self.key)


Path = tuple[Step, ...]


class Mismatch(msgspec.Struct, frozen=True, eq=False):
    """What is wrong and the way to it; `kind` steers merging."""

    kind: str
    path: Path
    canonical: Path = ()
    key: Any = None
    expected: Any = None
    actual: Any = None

    def _same(self) -> tuple[Any, ...]:
        """What makes two of them one and the same."""
        return (self.kind, self.canonical, self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mismatch) and self._same() == other._same()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._same())

    def chopped(self, index: int) -> Mismatch:
        """Without one step of the way."""
        if index >= len(self.path):
            return self
        return with_path(self, self.path[:index] + self.path[index + 1 :])

    def format(self) -> str:
        """The sentence, with its variant and position in front."""
        path, lead, position = self.path, "", ""
        if path:
            if path[0].kind == "signature":
                lead, path = f" {path[0].text()}", path[1:]
            if path:
                position = " " + " ".join(step.text() for step in path)
        return f"{lead}{position}{self.sentence()}"

    def sentence(self) -> str:
        match self.kind:
            case "missing-key":
                return f" expects a value for key '{self.key}'"
            case "missing-parameter":
                return f" expects a value for parameter '{self.key}'"
            case "extra-key":
                return f" unrecognized key '{self.key}'"
            case "no-parameter":
                return f" has no parameter named '{self.key}'"
            case "no-block":
                return " does not expect a block"
            case "block":
                return " expects a block"
            case "unresolved":
                return f" references an unresolved type '{self.key}'"
            case "pattern":
                return pattern_sentence(self.expected, self.actual)
            case "size":
                return (
                    f" expects size to be {range_text(self.expected, '0')}, "
                    f"got {range_text(self.actual, '0')}"
                )
            case "count":
                return count_sentence(self.expected, self.actual)
        return type_sentence(self.expected, self.actual)


def with_path(item: Mismatch, path: Path) -> Mismatch:
    """The mismatch on another way."""
    return msgspec.structs.replace(item, path=path, canonical=_canonical(path))


def _canonical(path: Path) -> Path:
    return tuple(step for step in path if step.kind not in ("variant", "signature"))


def keyed(kind: str, path: Path, key: Value = None) -> Mismatch:
    """A mismatch about a key or a block."""
    return Mismatch(kind, path, _canonical(path), key)


def typed(kind: str, path: Path, expected: m.Type, actual: m.Type) -> Mismatch:
    """A mismatch of an expected and an actual type (``type`` or ``pattern``)."""
    return Mismatch(kind, path, _canonical(path), None, normalize(expected), normalize(actual))


def sized(kind: str, path: Path, expected: m.IntegerType, actual: m.IntegerType) -> Mismatch:
    """A mismatch of sizes or of numbers of arguments."""
    return Mismatch(kind, path, _canonical(path), None, expected, actual)


def merge(a: Mismatch, b: Mismatch) -> Mismatch:
    """One mismatch for two at the same place."""
    match a.kind:
        case "size" | "count":
            low = min(a.expected.low or 0, b.expected.low or 0)
            highs = (a.expected.high, b.expected.high)
            high = None if None in highs else max(highs)
            return sized(a.kind, a.path, m.IntegerType(low, high), a.actual)
        case "type" | "pattern":
            # The kind of the first stays, as Puppet merges into its class.
            return typed(a.kind, a.path, variant([a.expected, b.expected]), a.actual)
    return a


def range_text(size: m.IntegerType, zero: str) -> str:
    """A size in words."""
    low, high = size.low or 0, size.high
    if low == high:
        return zero if low == 0 else str(low)
    if low == 0:
        return "unlimited" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"between {low} and {high}"


def count_sentence(expected: m.IntegerType, actual: m.IntegerType) -> str:
    """How many arguments were expected and given."""
    low, high = expected.low or 0, expected.high
    single = (low == 1 and high in (1, None)) or (low == 0 and high == 1)
    return (
        f" expects {range_text(expected, 'no')} argument{'' if single else 's'}, "
        f"got {range_text(actual, 'none')}"
    )


def pattern_sentence(expected: m.Type, actual: m.Type) -> str:
    """A string that matches nothing it should."""
    lead = ""
    if isinstance(expected, m.OptionalType):
        assert expected.type is not None
        expected, lead = expected.type, "an undef value or "
    if isinstance(actual, m.StringType) and actual.value is not None:
        got = f"'{actual.value}'"
    else:
        got = short_name(actual)
    return f" expects {lead}a match for {show_type(expected, True)}, got {got}"


def type_sentence(expected: m.Type, actual: m.Type) -> str:
    """A value of another type."""
    optional = isinstance(expected, m.OptionalType)
    if isinstance(expected, m.OptionalType) and expected.type is not None:
        expected = expected.type
    choices = list(expected.types) if isinstance(expected, m.VariantType) else None
    listed = [expected] if choices is None else choices
    if _detailed(listed, actual):
        got = _actual_text(listed, actual)
        names = [show_type(item, True) for item in listed]
    else:
        names = [short_name(item) for item in listed]
        if choices is not None:
            names = list(dict.fromkeys(names))
        got = short_name(actual)
    if optional:
        names.insert(0, "Undef")
    if len(names) == 1:
        return f" expects {article(names[0])} value, got {got}"
    wanted = (
        f"{names[0]} or {names[1]}"
        if len(names) == 2
        else f"{', '.join(names[:-1])}, or {names[-1]}"
    )
    return f" expects a value of type {wanted}, got {got}"


_WRAPPERS = (
    m.OptionalType, m.NotUndefType, m.TypeType, m.SensitiveType, m.IterableType, m.IteratorType,
    m.InitType,
)  # fmt: skip


def short_name(t: m.Type) -> str:
    """The name of a type with the name of what it wraps."""
    if isinstance(t, _WRAPPERS) and t.type is not None and t.type != m.ANY:
        return f"{simple_name(t)}[{simple_name(t.type)}]"
    return simple_name(t)


def _same_class(a: m.Type, b: m.Type) -> bool:
    if isinstance(a, m.Plain) and isinstance(b, m.Plain):
        return a.name == b.name
    return a.__class__ is b.__class__


def _full(expected: list[m.Type], actual: m.Type) -> bool:
    """Whether both are alike enough that only their details tell them apart."""
    return any(
        _same_class(item, actual)
        or isinstance(item, m.AliasType)
        or isinstance(actual, m.AliasType)
        or (isinstance(item, m.StructType) and isinstance(actual, m.HashType))
        or (isinstance(item, m.TupleType) and isinstance(actual, m.ArrayType))
        for item in expected
    )


def _widest(t: m.Type) -> m.Type:
    if isinstance(t, m.AliasType):
        return _widest(t.resolved())
    if isinstance(t, m.Plain | m.ObjectType):
        return t
    if isinstance(t, m.ArrayType):
        return m.ARRAY
    if isinstance(t, m.HashType):
        return m.HASH
    if isinstance(t, m.ResourceRef):
        return m.ResourceRef(None)
    if isinstance(t, m.ClassRef):
        return m.ClassRef(None)
    if isinstance(t, m.TypeReference):
        return m.TypeReference("UnresolvedReference")
    return t.__class__()


def _detailed(expected: list[m.Type], actual: m.Type) -> bool:
    return _full(expected, actual) or any(assignable(_widest(item), actual) for item in expected)


def _actual_text(expected: list[m.Type], actual: m.Type) -> str:
    resolved = [_resolved(item) for item in expected]
    if _full(resolved, actual):
        return show_type(actual, True)
    general = generalize(actual)
    if any(assignable(item, general) for item in resolved):
        return show_type(actual, True)
    return simple_name(actual)


def _resolved(t: m.Type) -> m.Type:
    return _resolved(t.resolved()) if isinstance(t, m.AliasType) else t
