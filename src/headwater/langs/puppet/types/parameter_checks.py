"""Checks on the parameters of types, and Puppet's words when one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.generality import generalize
    from headwater.langs.puppet.types.inference import infer
    from headwater.langs.puppet.types.quoting import article, ruby_class
    from headwater.langs.puppet.types.show import show_type, simple_name
else:
    when_called(globals(), "headwater.langs.puppet.types.generality", "generalize")
    when_called(globals(), "headwater.langs.puppet.types.inference", "infer")
    when_called(globals(), "headwater.langs.puppet.types.quoting", "article ruby_class")
    when_called(globals(), "headwater.langs.puppet.types.show", "show_type simple_name")


def flatten(keys: list[Any]) -> list[Any]:
    """The keys with arrays among them taken apart, at any depth."""
    result: list[Any] = []
    stack = list(reversed(keys))
    while stack:
        item = stack.pop()
        if item.__class__ is list:
            stack.extend(reversed(item))
        else:
            result.append(item)
    return result


def wrong_count(label: str, least: int, most: float | None, got: int) -> BadType:
    if most in (-1, float("inf")):
        return BadType(f"{label}[] accepts {least} or more arguments. Got {got}")
    if most is not None and most != least:
        return BadType(f"{label}[] accepts {least} to {most} arguments. Got {got}")
    return BadType(f"{label}[] accepts {least} argument{'' if least == 1 else 's'}. Got {got}")


def label(t: m.Type) -> str:
    text = article(f"{show_type(t)}-Type")
    return text[0].upper() + text[1:]


def key_type(value: Value) -> str:
    """How a message names the type of a key."""
    if value is None:
        return "Undef"
    if value is DEFAULT:
        return "Default"
    return show_type(generalize(infer(value)))


def check_keys(
    t: m.Type, keys: list[Any], least: int, most: float, allowed: dict[str, Any]
) -> None:
    """Checks how many keys there are and what they are."""
    if not least <= len(keys) <= most:
        raise wrong_count(label(t), 1, most, len(keys))
    for key in keys:
        if not any(fits(key) for fits in allowed.values()):
            raise BadType(
                f"Error creating type specialization of {article(f'{show_type(t)}-Type')}, "
                f"Cannot use {key_type(key)} where {' or '.join(allowed)} is expected"
            )


def class_label(value: Value) -> str:
    """How a message names the class of a key."""
    if m.is_type(value):
        return f"{simple_name(value)}-Type"
    return ruby_class(value)
