"""Messages about typed parameters, as real Puppet 7.23 gives them."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import (
    AliasType,
    Parameter,
    arguments_error,
    define,
    named_arguments_error,
    parse_type,
    return_error,
)


def aliases(**spelled: str) -> dict[str, Any]:
    """Aliases by name in lower case."""
    found = {name.lower(): AliasType(name) for name in spelled}
    for name, text in spelled.items():
        define(found[name.lower()], parse_type(text, found.get))
    return found


KNOWN = aliases(T="Integer[0,10]", V="Variant[Integer[0,10],Enum['x']]")


def parameter(text: str, *, required: bool = True, rest: bool = False) -> Parameter:
    type_, _, name = text.rpartition(" ")
    return Parameter(name, parse_type(type_, KNOWN.get), required, rest)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        ("Integer", "b", "parameter 'x' expects an Integer value, got String"),
        ("T", 11, "parameter 'x' expects a T = Integer[0, 10] value, got Integer[11, 11]"),
        (
            "V",
            "11",
            "parameter 'x' expects a T = Variant[Integer[0, 10], Enum['x']] value, got String",
        ),
        (
            "Optional[Enum['a']]",
            "b",
            "parameter 'x' expects an undef value or a match for Enum['a'], got 'b'",
        ),
        ("Sensitive[String]", "s", "parameter 'x' expects a Sensitive[String] value, got String"),
        (
            "Hash[String, Integer]",
            Hash({"k": "b", 1: 2}),
            "parameter 'x' expects a Hash[String, Integer] value, got Hash[Variant[String, "
            "Integer[1, 1]], Variant[String, Integer[2, 2]]]",
        ),
    ],
)
def test_one_argument_by_name(type_: str, value: object, message: str) -> None:
    error = named_arguments_error("Class[A]", [parameter(f"{type_} x")], {"x": value})

    assert error == f"Class[A]: {message}".replace("T = Variant", "V = Variant")


def test_several_arguments_by_name() -> None:
    params = [
        parameter("Integer x"),
        parameter("String y"),
        parameter("Optional[Array[Integer]] z", required=False),
    ]
    error = named_arguments_error("Class[A]", params, {"x": "b", "q": 1, "z": [1, "x"]})

    assert error == (
        "Class[A]:\n"
        "  has no parameter named 'q'\n"
        "  parameter 'x' expects an Integer value, got String\n"
        "  expects a value for parameter 'y'\n"
        "  parameter 'z' index 1 expects an Integer value, got String"
    )


def test_choices_are_told_apart() -> None:
    error = named_arguments_error(
        "Class[A]", [parameter("Variant[Integer, Array[Integer]] x")], {"x": ["a"]}
    )

    assert error == (
        "Class[A]:\n"
        "  parameter 'x' variant 0 expects an Integer value, got Tuple\n"
        "  parameter 'x' variant 1 index 0 expects an Integer value, got String"
    )


def test_arguments_by_place() -> None:
    params = [parameter("Integer a"), parameter("String b", required=False)]

    assert arguments_error("f", params, [1]) is None
    assert arguments_error("f", params, ["x"]) == (
        "'f' parameter 'a' expects an Integer value, got String"
    )
    assert arguments_error("f", params, [1, "2", 3]) == (
        "'f' expects between 1 and 2 arguments, got 3"
    )
    assert arguments_error("lambda", params, [1, 2]) == (
        "block parameter 'b' expects a String value, got Integer"
    )


def test_a_return_value() -> None:
    assert return_error("f", parse_type("String"), 1) == (
        "value returned from f has wrong type, expects a String value, got Integer"
    )
