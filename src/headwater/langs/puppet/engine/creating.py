"""``create_resources()`` and ``realize()``: functions that make resources, or make them real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.catalog.resource import Param
from headwater.langs.puppet.engine.collectors import realize as note_realize
from headwater.langs.puppet.engine.declarations import declare
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.mixed import hash_of
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.keys import thawed
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.values import (
    Binary,
    Opaque,
    Regexp,
    SemVer,
    SemVerRange,
    Timespan,
    Timestamp,
    opaque_in,
)


@own("realize", 1)
def realize(call: Call, args: Sequence[Any], block: Any) -> Any:
    note_realize(call.compilation, list(args), call.act("realize"))


def _plain(value: Any) -> Any:
    """A value as a function of the old kind gets it: what Puppet 3 did not know is a text."""
    match value:
        case list():
            return [_plain(item) for item in value]
        case dict():
            return hash_of((_plain(key), _plain(item)) for key, item in value.items())
        case Regexp() | SemVer() | SemVerRange() | Binary() | Timespan() | Timestamp():
            return text_of(value)
        case _:
            return value


@own("create_resources", 2, 3)
def create_resources(call: Call, args: Sequence[Any], block: Any) -> Any:
    unknown = opaque_in(list(args))
    if unknown is not None:
        call.undecide(unknown)
    if any(isinstance(item, Opaque) for item in args):
        return []
    type_, instances, *rest = (_plain(item) for item in args)
    defaults = rest[0] if rest else {}
    if not isinstance(type_, str):
        call.fail("the first argument is the name of a type")
    if not isinstance(instances, dict) or not isinstance(defaults, dict):
        call.fail("the second argument, and the third if there is one, must be a hash")
    form = len(type_) - len(type_.lstrip("@"))
    name = type_.lstrip("@").lower()
    if name == "class" and form:
        call.fail("classes cannot be virtual or exported")
    f, unit, node = call.frame, call.unit, call.node
    source = f.scope.source
    found: list[Any] = []
    for title, params in instances.items():
        if isinstance(params, Opaque):
            continue
        if not isinstance(params, dict):
            call.fail(f"the parameters of {title} are no hash")
        given = {
            str(key): Param(
                value, source, "given", unit=unit, node=node, frame=f, guard=f.guard,
                detail=(title, key),
            )
            for key, value in {**defaults, **params}.items()
        }  # fmt: skip
        title = thawed(title)
        titles = title if isinstance(title, list) else [title]
        for one in titles:
            text = one if isinstance(one, str) else _title(call, name, one)
            untold = one if text is not one else None
            own = dict(given)
            found.append(declare(f, unit, node, node, name, text, own, form > 0, form == 2, untold))
    return found


def _title(call: Call, type_: str, value: Any) -> str:
    """The title that a number, or true, in the place of one gives."""
    if not isinstance(value, int | float) or value is False or type_ == "class":
        call.fail(f"the title {_shown(value)} is no string")
    return text_of(value)
