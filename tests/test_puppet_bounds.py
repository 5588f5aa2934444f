"""Hostile input to Puppet's types and functions is refused, with the bound named."""

from __future__ import annotations

import pytest

from peers.puppet_types.evaluate import Refused, run

A_LOT = "a" * 30


@pytest.mark.parametrize(
    ("code", "bound"),
    [
        (f"'{A_LOT}b' =~ Pattern[/^(a+)+$/]", "steps"),
        (f"match('{A_LOT}b', /^(a+)+$/)", "steps"),
        (f"split('{A_LOT}b', '^(a+)+$')", "steps"),
        (f"regsubst('{A_LOT}b', '^(a|a)+$', 'x')", "steps"),
        (f"match('{('a' * 21 + 'b') * 2000}', /(a+)+$/)", "steps"),
        ("sprintf('%999999999d', 1)", "1000000"),
        ("sprintf('%.999999999f', 1.0)", "1000000"),
        ("sprintf('%*d', 99999999999, 1)", "1000000"),
        ("String(1, '%99999999d')", "1000000"),
        ("Integer[1, 10000000000].each |$x| { $x }", "5000000"),
        ("Integer[1, 10000000000].map |$x| { $x }", "5000000"),
        ("10000000000.reduce |$x, $y| { $y }", "5000000"),
        ("Array(Integer[1, 10000000000])", "5000000"),
        ("Integer[1, 10000000000].step(2).filter |$x| { true }", "5000000"),
        ("strftime(Timestamp(0), '%99999999Y')", "%99999999Y"),
        ("strftime(Timespan(0), '%99999999D')", "10000"),
        ("type(Integer[1, 3000].reduce([]) |$m, $x| { [$m] })", "nested"),
        ("assert_type(Data, Integer[1, 3000].reduce([]) |$m, $x| { [$m] })", "nested"),
        ("String(Integer[1, 3000].reduce([]) |$m, $x| { [$m] })", "nested"),
        ("generate('/bin/sh', '-c', 'true')", "/bin/sh"),
    ],
)
def test_a_bound_is_named(code: str, bound: str) -> None:
    with pytest.raises(Refused) as refusal:
        run(code)

    assert bound in str(refusal.value)


def test_recursive_aliases_match_and_end() -> None:
    from headwater.langs.puppet.types import AliasType, assignable, define, is_instance, parse_type

    tree = AliasType("Tree")
    define(tree, parse_type("Variant[Integer, Array[Tree]]", {"tree": tree}.get))
    twin = AliasType("Twin")
    define(twin, parse_type("Variant[Integer, Array[Twin]]", {"twin": twin}.get))

    assert is_instance(tree, [1, [2, [3, []]]])
    assert not is_instance(tree, [1, ["x"]])
    assert assignable(tree, twin)
    assert assignable(twin, tree)
    assert not assignable(tree, parse_type("Array[String]"))
