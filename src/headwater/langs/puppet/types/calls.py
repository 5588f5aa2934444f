"""Calls of built-in functions: choosing a signature, and remembering what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.resolution import parse_type
from headwater.langs.puppet.types.signatures import Signature, choose
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp, Sensitive

if TYPE_CHECKING:
    from headwater.langs.puppet.types.lambdas import Lambda

_BY_CLASS: tuple[m.Type, ...] = (
    m.ANY, m.STRING, m.INTEGER, m.FLOAT, m.BOOLEAN, m.NUMERIC, m.SCALAR, m.UNDEF, m.ARRAY, m.HASH,
    m.CollectionType(), m.SCALAR_DATA, m.RegexpType(),
)  # fmt: skip
"""Types to which a value belongs, or not, by its class alone."""

_ITERABLE = m.IterableType()
_CLASSES = frozenset({str, int, float, bool, type(None), list, Hash, Regexp})


Plan = list[tuple[Signature, list[tuple[int, m.Type]]]]
"""The signatures that arguments of some classes may lead to, in order, each with the arguments
that still are to be looked at."""


Known = dict[tuple[Any, ...], Signature]
"""The signatures that are settled by the classes of the arguments alone, if there is no lambda."""


def chooser(
    name: str, signatures: Sequence[Signature]
) -> tuple[Known, Callable[[Sequence[Value], Lambda | None], Signature]]:
    """`choose` for one function, and what it knows by now from the classes of arguments."""
    known: Known = {}
    plans: dict[tuple[Any, ...], Plan] = {}

    def chosen(args: Sequence[Any], block: Lambda | None) -> Signature:
        key: tuple[Any, ...]
        key = tuple(map(type, args)) if block is None else (block.arity, *map(type, args))
        found = known.get(key)
        if found is not None:
            return found
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = _plan(signatures, args, block)
            if plan and not plan[0][1]:
                known[key] = plan[0][0]
        for signature, open_ in plan:
            for index, type_ in open_:
                if not is_instance(type_, args[index]):
                    break
            else:
                return signature
        return choose(name, signatures, args, block, parse_type)

    return known, chosen


def _plan(signatures: Sequence[Signature], args: Sequence[Any], block: Lambda | None) -> Plan:
    """What is left to decide for any arguments of the classes of these, up to where that shows."""
    plan: Plan = []
    if not all(arg.__class__ in _CLASSES for arg in args):
        return plan
    for signature in signatures:
        if not signature.ready:
            signature.prepare(parse_type)
        if block is not None and signature.block_type is not None and signature.block_arity is None:
            break
        if not signature.takes(len(args), block):
            continue
        last = len(signature.types) - 1
        wanted = [signature.types[min(index, last)] for index in range(len(args))]
        verdicts = [_settled(type_, arg) for type_, arg in zip(wanted, args, strict=True)]
        if False in verdicts:
            continue
        if signature.complain:
            break
        open_ = [(i, wanted[i]) for i, verdict in enumerate(verdicts) if verdict is None]
        plan.append((signature, open_))
        if not open_:
            break
    return plan


def _settled(type_: m.Type, value: Value) -> bool | None:
    """Whether all values of the class of this one belong to a type, or none does, if so."""
    kind = value.__class__
    # A number is iterable unless it is negative; texts, arrays and hashes always are.
    if _by_class(type_) or (type_ == _ITERABLE and kind is not int):
        return is_instance(type_, value)
    match type_:
        case m.OptionalType(type=inner) if inner is not None:
            return True if value is None else _settled(inner, value)
        case m.VariantType(types=types):
            verdicts = {_settled(one, value) for one in types}
            return True if True in verdicts else None if None in verdicts else False
    wanted = _CLASS_OF.get(type_.__class__)
    return False if wanted is not None and kind is not wanted else None


_CLASS_OF: dict[type[Any], type[Any]] = {
    m.StringType: str, m.EnumType: str, m.PatternType: str, m.IntegerType: int, m.FloatType: float,
    m.BooleanType: bool, m.ArrayType: list, m.TupleType: list, m.HashType: Hash, m.StructType: Hash,
    m.RegexpType: Regexp, m.SensitiveType: Sensitive,
}  # fmt: skip
"""The only class whose values may belong to types of a kind."""


def _by_class(type_: m.Type) -> bool:
    if isinstance(type_, m.OptionalType) and type_.type is not None:
        return _by_class(type_.type)
    if isinstance(type_, m.VariantType):
        return all(map(_by_class, type_.types))
    return type_ in _BY_CLASS
