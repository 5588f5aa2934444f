"""The aliases every program has, and what makes an alias recursive."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import BadType, array, hash_of, variant

DATA = m.AliasType("Data", recursive=True)
DATA.target = m.VariantType((m.SCALAR_DATA, m.UNDEF, hash_of(m.STRING, DATA), array(DATA)))
RICH_DATA_KEY = m.AliasType("RichDataKey", m.VariantType((m.STRING, m.NUMERIC)))
RICH_DATA = m.AliasType("RichData", recursive=True)
RICH_DATA.target = m.VariantType(
    (
        m.SCALAR,
        m.SEMVER_RANGE,
        m.BINARY,
        m.SensitiveType(),
        m.TypeType(),
        m.TYPE_SET,
        m.UriType(),
        m.ObjectType(),
        m.UNDEF,
        m.DEFAULT_TYPE,
        hash_of(RICH_DATA_KEY, RICH_DATA),
        array(RICH_DATA),
    )
)
BUILT_IN = {
    "data": DATA,
    "richdatakey": RICH_DATA_KEY,
    "richdata": RICH_DATA,
    "puppet::lookupkey": m.AliasType("Puppet::LookupKey", RICH_DATA_KEY),
    "puppet::lookupvalue": m.AliasType("Puppet::LookupValue", RICH_DATA),
}
BUILT_IN_NAMES = frozenset(alias.name for alias in BUILT_IN.values())


def parts(t: m.Type) -> Iterator[m.Type]:
    """The types a type is made of, one level down."""
    match t:
        case m.ArrayType():
            yield t.element
        case m.HashType():
            yield t.key
            yield t.value
        case m.TupleType() | m.VariantType():
            yield from t.types
        case m.StructType():
            for item in t.elements:
                yield item.key
                yield item.value
        case (
            m.OptionalType() | m.NotUndefType() | m.TypeType() | m.SensitiveType()
            | m.IterableType() | m.IteratorType() | m.InitType()
        ):  # fmt: skip
            if t.type is not None:
                yield t.type
        case m.CallableType():
            for part in (t.params, t.block, t.returns):
                if part is not None:
                    yield part
        case m.PatternType():
            yield from t.patterns
        case m.AliasType():
            if t.target is not None:
                yield t.target


def holds(t: m.Type, alias: m.AliasType) -> bool:
    """Whether the alias occurs somewhere in the type."""
    seen: set[int] = set()
    stack = [t]
    while stack:
        item = stack.pop()
        if item is alias:
            return True
        if id(item) not in seen:
            seen.add(id(item))
            stack.extend(parts(item))
    return False


def is_real(t: m.Type) -> bool:
    """Whether something other than aliases and variants of aliases is in the type."""
    seen: set[int] = set()
    stack = [t]
    while stack:
        item = stack.pop()
        if not isinstance(item, m.AliasType | m.VariantType):
            return True
        if id(item) not in seen:
            seen.add(id(item))
            stack.extend(parts(item))
    return False


def unresolved(t: m.Type) -> str | None:
    """The first name in the type that nothing defines."""
    seen: set[int] = set()
    stack = [t]
    while stack:
        item = stack.pop()
        if isinstance(item, m.TypeReference):
            return item.text
        if id(item) not in seen:
            seen.add(id(item))
            stack.extend(reversed(list(parts(item))))
    return None


def define(alias: m.AliasType, target: m.Type) -> None:
    """Gives an alias its meaning and finds out whether it is recursive."""
    alias.target = target
    if not is_real(target):
        alias.target = None
        raise BadType(f"Type alias '{alias.name}' cannot be resolved to a real type")
    alias.recursive = holds(target, alias)
    if alias.recursive and isinstance(target, m.VariantType):
        real = [choice for choice in target.types if choice is not alias and is_real(choice)]
        if len(real) != len(target.types):
            alias.target = variant(real)
            alias.recursive = holds(alias.target, alias)
