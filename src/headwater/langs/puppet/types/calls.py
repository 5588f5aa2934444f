"""Calls of built-in functions: choosing a signature, and remembering what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.resolution import parse_type
from headwater.langs.puppet.types.signatures import Signature, choose
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp

if TYPE_CHECKING:
    from headwater.langs.puppet.types.lambdas import Lambda

_BY_CLASS: tuple[m.Type, ...] = (
    m.ANY, m.STRING, m.INTEGER, m.FLOAT, m.BOOLEAN, m.NUMERIC, m.SCALAR, m.UNDEF, m.ARRAY, m.HASH,
    m.CollectionType(), m.SCALAR_DATA, m.RegexpType(),
)  # fmt: skip
"""Types to which a value belongs, or not, by its class alone."""

_ITERABLE = m.IterableType()
_CLASSES = frozenset({str, int, float, bool, type(None), list, Hash, Regexp})


def chooser(
    name: str, signatures: Sequence[Signature]
) -> Callable[[Sequence[Value], Lambda | None], Signature]:
    """`choose` for one function; remembers decisions that the classes of arguments settle."""
    known: dict[tuple[Any, ...], Signature] = {}
    open_: set[tuple[Any, ...]] = set()

    def chosen(args: Sequence[Any], block: Lambda | None) -> Signature:
        key = (None if block is None else block.arity, *[arg.__class__ for arg in args])
        found = known.get(key)
        if found is None:
            found = choose(name, signatures, args, block, parse_type)
            if key not in open_:
                if _settled(signatures, found, args):
                    known[key] = found
                else:
                    open_.add(key)
        return found

    return chosen


def _settled(signatures: Sequence[Signature], found: Signature, args: Sequence[Any]) -> bool:
    """Whether any arguments of these classes would lead to the same signature."""
    if not all(arg.__class__ in _CLASSES for arg in args):
        return False
    # A number is iterable unless it is negative; texts, arrays and hashes always are.
    counts = any(arg.__class__ is int for arg in args)
    for signature in signatures:
        if not all(
            _by_class(type_) or (type_ == _ITERABLE and not counts) for type_ in signature.types
        ):
            return False
        if signature.block_type is not None and signature.block_arity is None:
            return False
        if signature is found:
            return True
    return False


def _by_class(type_: m.Type) -> bool:
    if isinstance(type_, m.OptionalType) and type_.type is not None:
        return _by_class(type_.type)
    if isinstance(type_, m.VariantType):
        return all(map(_by_class, type_.types))
    return type_ in _BY_CLASS
