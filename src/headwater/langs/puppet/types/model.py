"""The data types of Puppet as records; `Type` is the closed union of them.

A bound that is None is open.  References (`ResourceRef`, `ClassRef`) are types too and
live among the values, because a program passes them around as both.  Type and value
meet in other modules: `matching` (is a value of a type), `assignability` (is a type
within a type), `inference` (the type of a value), `show` (the printed form).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeGuard, TypeVar

import msgspec

from headwater.langs.puppet.values import ClassRef as ClassRef
from headwater.langs.puppet.values import ResourceRef as ResourceRef
from headwater.langs.puppet.values import SemVerRange, Timespan, Timestamp


class Plain(msgspec.Struct, frozen=True):
    """A type without parameters: ``Any``, ``Scalar``, ``Numeric``, ``Undef`` …"""

    name: str


class IntegerType(msgspec.Struct, frozen=True):
    """``Integer[lo, hi]``"""

    low: int | None = None
    high: int | None = None


class FloatType(msgspec.Struct, frozen=True):
    """``Float[lo, hi]``"""

    low: float | None = None
    high: float | None = None


class BooleanType(msgspec.Struct, frozen=True):
    """``Boolean`` or ``Boolean[true]``"""

    value: bool | None = None


class StringType(msgspec.Struct, frozen=True):
    """``String[lo, hi]``, or the type of one string (`value`)."""

    size: IntegerType | None = None
    value: str | None = None


class EnumType(msgspec.Struct, frozen=True):
    """``Enum[a, b]``; `values` are sorted and distinct."""

    values: tuple[str, ...] = ()
    ignore_case: bool = False


class RegexpType(msgspec.Struct, frozen=True):
    """``Regexp`` or ``Regexp[/x/]``"""

    pattern: str | None = None


class PatternType(msgspec.Struct, frozen=True, eq=False):
    """``Pattern[/a/, /b/]``: a string that one of them matches; their order does not count."""

    patterns: tuple[RegexpType, ...] = ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PatternType)
            and len(self.patterns) == len(other.patterns)
            and set(self.patterns) <= set(other.patterns)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("pattern", len(self.patterns)))


class CollectionType(msgspec.Struct, frozen=True):
    """``Collection[lo, hi]``"""

    size: IntegerType | None = None


class ArrayType(msgspec.Struct, frozen=True):
    """``Array[T, lo, hi]``; make it with `build.array`."""

    element: Type
    size: IntegerType | None = None


class HashType(msgspec.Struct, frozen=True):
    """``Hash[K, V, lo, hi]``; make it with `build.hash_of`."""

    key: Type
    value: Type
    size: IntegerType | None = None


class TupleType(msgspec.Struct, frozen=True):
    """``Tuple[T…, lo, hi]``"""

    types: tuple[Type, ...] = ()
    size: IntegerType | None = None


class StructElement(msgspec.Struct, frozen=True):
    """``k => T`` of a Struct; `key` is the type of one string, or Optional of it."""

    key: Type
    value: Type
    name: str


class StructType(msgspec.Struct, frozen=True):
    """``Struct[{k => T}]``"""

    elements: tuple[StructElement, ...] = ()


class VariantType(msgspec.Struct, frozen=True, eq=False):
    """``Variant[A, B]``; the order of the choices does not count."""

    types: tuple[Type, ...] = ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariantType)
            and len(self.types) == len(other.types)
            and set(self.types) <= set(other.types)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("variant", len(self.types)))


class OptionalType(msgspec.Struct, frozen=True):
    """``Optional[T]``"""

    type: Type | None = None


class NotUndefType(msgspec.Struct, frozen=True):
    """``NotUndef[T]``"""

    type: Type | None = None


class TypeType(msgspec.Struct, frozen=True):
    """``Type[T]``"""

    type: Type | None = None


class SensitiveType(msgspec.Struct, frozen=True):
    """``Sensitive[T]``"""

    type: Type = Plain("Any")


class IterableType(msgspec.Struct, frozen=True):
    """``Iterable[T]``"""

    type: Type | None = None


class IteratorType(msgspec.Struct, frozen=True):
    """``Iterator[T]``"""

    type: Type | None = None


class InitType(msgspec.Struct, frozen=True):
    """``Init[T, args…]``: what T can be made from.

    `parts_of` tells it from the signatures of T's ``new``.  Who names the bare ``Init`` gives it,
    because conversion is built on everything that asks for it.
    """

    type: Type | None = None
    arguments: tuple[Any, ...] = ()
    parts_of: Callable[[InitType], InitParts] | None = None

    def parts(self) -> InitParts:
        """What one argument may be, what several may be, and whether one may stand alone."""
        assert self.parts_of is not None
        return self.parts_of(self)

    def __hash__(self) -> int:
        return hash(("init", self.type))


class CallableType(msgspec.Struct, frozen=True):
    """``Callable[[T…, lo, hi, Block], R]``; without `params` any callable."""

    params: TupleType | None = None
    block: Type | None = None
    returns: Type | None = None


class TimestampType(msgspec.Struct, frozen=True):
    """``Timestamp[lo, hi]``"""

    low: Timestamp | None = None
    high: Timestamp | None = None


class TimespanType(msgspec.Struct, frozen=True):
    """``Timespan[lo, hi]``"""

    low: Timespan | None = None
    high: Timespan | None = None


class SemVerType(msgspec.Struct, frozen=True):
    """``SemVer['1.x', …]``"""

    ranges: tuple[SemVerRange, ...] = ()


class UriType(msgspec.Struct, frozen=True):
    """``URI`` or ``URI['https://h']``; `parts` are pairs of part and what it must match."""

    parts: tuple[tuple[str, Any], ...] | None = None

    def __hash__(self) -> int:
        return hash("uri")


class RuntimeType(msgspec.Struct, frozen=True):
    """``Runtime[ruby, 'Symbol']``: a value of the host's own, which no program here has."""

    runtime: str | None = None
    name: str | None = None


class ObjectType(msgspec.Struct, frozen=True):
    """A type of Puppet's own with attributes, known by name: ``Deferred``, ``Error`` …

    `text` is what stands in brackets after ``Object``: no value here is of such a type.
    """

    name: str = "Object"
    text: str | None = None


class TypeReference(msgspec.Struct, frozen=True):
    """``TypeReference['X']``: the name of a type that nothing defines."""

    text: str


class AliasType(msgspec.Struct, eq=False):
    """``type Name = T``; `target` is set when the definition is resolved.

    `recursive` when the target holds the alias itself.
    """

    name: str
    target: Type | None = None
    recursive: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AliasType) and self.name == other.name

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("alias", self.name))

    def resolved(self) -> Type:
        """What the alias stands for."""
        assert self.target is not None, f"alias {self.name} is not resolved"
        return self.target


Range = TypeVar("Range", IntegerType, FloatType, TimespanType, TimestampType)
"""A type with bounds."""

InitParts: TypeAlias = "tuple[Type, Type | None, bool]"
"""What one argument of ``new`` may be, what several may be, and whether one may stand alone."""

Lookup: TypeAlias = "Callable[[str], Type | None]"
"""What a name means beyond the built-in types: an alias, or a resource type."""

Type: TypeAlias = (
    Plain
    | IntegerType
    | FloatType
    | BooleanType
    | StringType
    | EnumType
    | RegexpType
    | PatternType
    | CollectionType
    | ArrayType
    | HashType
    | TupleType
    | StructType
    | VariantType
    | OptionalType
    | NotUndefType
    | TypeType
    | SensitiveType
    | IterableType
    | IteratorType
    | InitType
    | CallableType
    | TimestampType
    | TimespanType
    | SemVerType
    | UriType
    | RuntimeType
    | ObjectType
    | TypeReference
    | AliasType
    | ResourceRef
    | ClassRef
)
TYPES: tuple[type, ...] = (
    Plain,
    IntegerType,
    FloatType,
    BooleanType,
    StringType,
    EnumType,
    RegexpType,
    PatternType,
    CollectionType,
    ArrayType,
    HashType,
    TupleType,
    StructType,
    VariantType,
    OptionalType,
    NotUndefType,
    TypeType,
    SensitiveType,
    IterableType,
    IteratorType,
    InitType,
    CallableType,
    TimestampType,
    TimespanType,
    SemVerType,
    UriType,
    RuntimeType,
    ObjectType,
    TypeReference,
    AliasType,
    ResourceRef,
    ClassRef,
)
TYPE_CLASSES = frozenset(TYPES)

ANY = Plain("Any")
UNDEF = Plain("Undef")
UNIT = Plain("Unit")
DEFAULT_TYPE = Plain("Default")
SCALAR = Plain("Scalar")
SCALAR_DATA = Plain("ScalarData")
NUMERIC = Plain("Numeric")
BINARY = Plain("Binary")
SEMVER_RANGE = Plain("SemVerRange")
CATALOG_ENTRY = Plain("CatalogEntry")
TYPE_SET = Plain("TypeSet")
STRING = StringType()
INTEGER = IntegerType()
FLOAT = FloatType()
BOOLEAN = BooleanType()
ARRAY = ArrayType(ANY)
HASH = HashType(ANY, ANY)
EMPTY_ARRAY = ArrayType(UNIT, IntegerType(0, 0))
EMPTY_HASH = HashType(UNIT, UNIT, IntegerType(0, 0))
ANY_SIZE = IntegerType(0)
CALLABLE = CallableType()


def is_type(value: object) -> TypeGuard[Type]:
    """Whether a value is a data type."""
    return value.__class__ in TYPE_CLASSES
