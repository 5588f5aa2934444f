"""Laws of Puppet's types: matching, inference, assignability and printing keep together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import (
    assignable,
    common_type,
    generalize,
    infer,
    infer_set,
    is_instance,
    normalize,
    parse_type,
    show_type,
)
from headwater.langs.puppet.types.model import UNDEF, NotUndefType, ObjectType, Type, is_type
from laws.profile import law
from peers.puppet_types.evaluate import Refused, lookup, run
from peers.puppet_types.generate import Generator

seeds = st.integers(0, 2**32)


def a_type(seed: int) -> Type | None:
    """A type that a program can spell."""
    try:
        found = run(Generator(seed).type(3))
    except Refused:
        return None
    assert is_type(found)
    return None if isinstance(found, ObjectType) else found


def parts(whole: object) -> Iterator[object]:
    """A value, and all that lies in it; types such as Data hold themselves."""
    waiting, seen = [whole], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        if isinstance(value, Hash):
            waiting += [one for pair in value.pairs() for one in pair]
        elif isinstance(value, list | tuple):
            waiting += [*value]
        elif is_type(value) and hasattr(value, "__struct_fields__"):
            waiting += [getattr(value, name) for name in value.__struct_fields__]


def takes_undef_back(value: object) -> bool:
    """Whether a ``NotUndef[T]`` lies in it whose `T` holds undef."""
    return any(
        isinstance(one, NotUndefType) and one.type is not None and assignable(one.type, UNDEF)
        for one in parts(value)
    )


def has_undef(value: object) -> bool:
    """Whether undef or its type lies in it, which Puppet forgets in reducing types to one."""
    return re.search(r"None|name='Undef'", repr(value)) is not None


def has_other_keys(value: object) -> bool:
    """Whether a hash lies in it that has keys other than strings of some length."""
    hashes = [one for one in parts(value) if isinstance(one, Hash)]
    return any(not (isinstance(key, str) and key) for one in hashes for key in one)


@law(400, 20_000)
@given(seeds)
def test_every_value_is_of_the_types_inferred_from_it(seed: int) -> None:
    value = run(Generator(seed).value(3))
    # NotUndef[T] of a T that holds undef is not among its own subtypes, in Puppet as here.
    if takes_undef_back(value):
        return

    assert is_instance(infer_set(value), value)
    # Optional[Variant] holds no type.
    if has_undef(value) or "VariantType(types=())" in repr(value):
        return
    assert is_instance(infer(value), value)
    assert is_instance(generalize(infer(value)), value)


@law(400, 20_000)
@given(seeds)
def test_a_type_that_holds_the_inferred_type_holds_the_value(seed: int) -> None:
    generator = Generator(seed)
    value = run(generator.value(2))
    type_ = a_type(seed)
    # A bare Optional or Variant holds every type but, of the values, only undef or none; a bare
    # Iterable the types of negative numbers, in Puppet as here, and not the numbers.
    if type_ is None or re.search(
        r"(Optional|Variant|Enum|Iterable)(?!\[)|Init|Callable", show_type(type_)
    ):
        return
    # SemVer['1.x'] holds the type of 2.0.0-rc.1, in Puppet as here, and not that version.
    if "SemVer[" in show_type(type_) and "prerelease=('" in repr(value):
        return
    # A Struct whose keys may all be missing holds the type of every hash with as few entries,
    # in Puppet as here; that of one with other keys than strings is a Hash.
    if "Struct[" in show_type(type_) and has_other_keys(value):
        return
    if assignable(type_, infer_set(value)):
        assert is_instance(type_, value)


@law(200, 20_000)
@given(seeds)
def test_a_printed_type_reads_back_as_itself(seed: int) -> None:
    type_ = a_type(seed)
    # Sensitive generalizes what it is given, an Enum to a String of some length: read again,
    # that becomes a String of any.
    if type_ is not None and "Sensitive[" not in show_type(type_):
        assert show_type(parse_type(show_type(type_), lookup)) == show_type(type_)


@law(200, 20_000)
@given(seeds)
def test_a_type_holds_itself_and_its_normal_form(seed: int) -> None:
    type_ = a_type(seed)
    # Puppet too holds that NotUndef[RichData] and Optional[Variant] are not assignable to others
    # of the same spelling; the second is the normal form of Variant[Undef, Undef].
    if type_ is not None and not re.search(r"Init|NotUndef|Variant(?!\[)", show_type(type_)):
        assert assignable(type_, type_)
        normal = normalize(type_)
        if "Optional[Variant]" not in show_type(normal):
            assert assignable(normal, normalize(type_))


@law(200, 20_000)
@given(seeds, seeds)
def test_the_common_type_of_two_values_holds_both(one: int, two: int) -> None:
    a, b = run(Generator(one).value(2)), run(Generator(two).value(2))
    if has_undef((a, b)):
        return
    common = common_type(infer(a), infer(b))

    assert common is not None
    assert is_instance(common, a)
    assert is_instance(common, b)


def test_the_normal_form_of_what_may_be_anything_or_undef_is_a_bare_optional() -> None:
    found = normalize(parse_type("Variant[Undef, Optional]", lookup))

    assert show_type(found) == "Optional"
