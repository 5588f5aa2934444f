"""Which types can be iterated over, and what their elements are."""

from __future__ import annotations

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import variant

PAIR_SIZE = m.IntegerType(2, 2)
ANY_PAIR = m.TupleType((m.UNIT, m.UNIT), PAIR_SIZE)
CHARACTER = m.StringType(m.IntegerType(1, 1))


def is_iterable(o: m.Type) -> bool:
    """Whether every value of the type can be iterated over."""
    match o:
        case (
            m.IntegerType() | m.StringType() | m.EnumType() | m.CollectionType() | m.ArrayType()
            | m.HashType() | m.TupleType() | m.StructType() | m.IterableType() | m.IteratorType()
        ):  # fmt: skip
            return True
        case m.TypeType(type=m.EnumType()):
            return True
        case m.TypeType(type=m.IntegerType(low=low, high=high)):
            return low is not None and high is not None
        case m.AliasType():
            return not o.recursive and is_iterable(o.resolved())
    return False


def iterable_element(o: m.Type) -> m.Type | None:
    """The type of the elements, where it is known."""
    match o:
        case m.IntegerType():
            return m.INTEGER
        case m.StringType() | m.EnumType():
            return CHARACTER
        case m.ArrayType():
            return None if o.element == m.ANY else o.element
        case m.HashType():
            if o in (m.HASH, m.EMPTY_HASH):
                return ANY_PAIR
            return m.TupleType((o.key, o.value), PAIR_SIZE)
        case m.TupleType():
            return variant(o.types)
        case m.StructType():
            if not o.elements:
                return ANY_PAIR
            keys = variant(item.key for item in o.elements)
            values = variant(item.value for item in o.elements)
            return m.TupleType((keys, values), PAIR_SIZE)
        case m.IterableType() | m.IteratorType():
            return o.type
        case m.TypeType(type=m.EnumType() as inner):
            return inner
        case m.TypeType(type=m.IntegerType(low=low, high=high) as inner):
            return inner if low is not None and high is not None else None
        case m.AliasType():
            return None if o.recursive else iterable_element(o.resolved())
    return None
