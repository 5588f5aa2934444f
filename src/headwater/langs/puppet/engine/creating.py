"""``create_resources()`` and ``realize()``: functions that make resources, or make them real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.catalog.resource import Param, flattened
from headwater.langs.puppet.engine.collectors import realize as note_realize
from headwater.langs.puppet.engine.declarations import declare
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.record.frames import compute
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    DEFAULT,
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
def realize(call: Call, args: Sequence[Any], block: object) -> None:
    known = [item for item in flattened(list(args)) if not isinstance(item, Opaque)]
    unknown = opaque_in(list(args))
    if unknown is not None:
        call.compilation.messages.undecide(call.unit, call.node, unknown)
    note_realize(call.compilation, known, call.act("realize"))


def _plain(value: Value) -> Value:
    """A value as a function of the old kind gets it: what Puppet 3 did not know is a text."""
    match value:
        case list():
            return [_plain(item) for item in value]
        case Hash():
            return value.map_pairs(lambda key, item: (_plain(key), _plain(item)))
        case Regexp() | SemVer() | SemVerRange() | Binary() | Timespan() | Timestamp():
            return text_of(value)
        case _:
            return value


@own("create_resources", 2, 3)
def create_resources(call: Call, args: Sequence[Any], block: object) -> Value:
    if call.compilation.work.opaque:
        compute(call.frame, call.unit, call.node)
    unknown = opaque_in(list(args))
    if unknown is not None:
        call.undecide(unknown)
    if any(isinstance(item, Opaque) for item in args):
        return None
    type_, instances, *rest = (_plain(item) for item in args)
    defaults = rest[0] if rest else Hash()
    if not isinstance(type_, str):
        call.fail("the first argument is the name of a type")
    if not isinstance(instances, Hash) or not isinstance(defaults, Hash):
        call.fail("the second argument, and the third if there is one, must be a hash")
    form = len(type_) - len(type_.lstrip("@"))
    name = type_.lstrip("@").lower()
    if name == "class" and form:
        call.fail("classes cannot be virtual or exported")
    f, unit, node = call.frame, call.unit, call.node
    source = f.scope.source
    for title, params in instances.pairs():
        if isinstance(params, Opaque):
            continue
        if not isinstance(params, Hash):
            call.fail(f"the parameters of {title} are no hash")
        given: dict[str, Param] = {}
        for key, value in defaults.merged(params).pairs():
            if not isinstance(key, str) and key is not DEFAULT:
                call.fail(f"{_shown(key)} is no name of a parameter")
            given[text_of(key)] = Param(
                value, source, "given", unit=unit, node=node, frame=f, guard=f.guard,
                detail=(identity(title), identity(key)),
            )  # fmt: skip
        titles = title if isinstance(title, list) else [title]
        for one in titles:
            text = one if isinstance(one, str) else _title(call, name, one)
            untold = one if text is not one else None
            own = dict(given)
            declare(f, unit, node, node, name, text, own, form > 0, form == 2, untold)
    return None


def _title(call: Call, type_: str, value: object) -> str:
    """The title that a number, or true, in the place of one gives."""
    if not isinstance(value, int | float) or value is False or type_ == "class":
        call.fail(f"the title {_shown(value)} is no string")
    return text_of(value)
