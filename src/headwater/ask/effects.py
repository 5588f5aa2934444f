"""What a line really changes, by trying: values that change, things that come or go.

What depends on a line *may* change when the line does.  Here the inputs on it are written
otherwise, in a way or two, and the results compared; what was seen to change *changes*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.trying import compiled_with, variants
from headwater.langs import Address
from headwater.langs.abilities import SortsValues
from headwater.tree import Value
from headwater.tree.json import plain
from headwater.why import Label

_NAMES = ("key", "structure", "tag", "constraint")
"""Kinds of inputs that name things: written otherwise they would be other things."""

MOST_TRIED = 12
"""So many changes of a line are tried."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What was seen when the inputs on a line were changed, `tried` times, `failed` in vain."""

    tried: int
    failed: int
    changes: frozenset[str]
    come: tuple[str, ...]
    go: tuple[str, ...]


@paused_collector()
def effects(compiled: Compiled, inputs: Iterable[Label]) -> Effects:
    """What changes of some inputs do to the result."""
    before = _values(compiled)
    tried = failed = 0
    changed: dict[Address, None] = {}
    come: dict[Address, None] = {}
    go: dict[Address, None] = {}
    given = list(inputs)
    values = [label for label in given if label.kind not in _NAMES]
    for label in values or given:
        for edits in variants(compiled, label, label.at.text.strip()):
            if tried >= MOST_TRIED:
                break
            made = compiled_with(compiled, edits)
            if made is None:
                continue
            tried += 1
            if made.outcome.result is None:
                failed += 1
                continue
            after = _values(made)
            changed |= dict.fromkeys(a for a in before if a in after and after[a] != before[a])
            come |= dict.fromkeys(_things(after, before))
            go |= dict.fromkeys(_things(before, after))
    show = compiled.language.show_address
    return Effects(
        tried,
        failed,
        frozenset(map(show, changed)),
        tuple(map(show, come)),
        tuple(map(show, go)),
    )


def _values(compiled: Compiled) -> dict[Address, Value]:
    result = compiled.outcome.result
    assert result is not None
    whole = result.get(())
    # A thing without any value is there too.
    found: dict[Address, Value] = {(k,): None for k in whole} if isinstance(whole, dict) else {}
    return found | {address: plain(value) for address, value in result.walk()}


def _things(some: dict[Address, Value], others: dict[Address, Value]) -> list[Address]:
    """What only some have: the outermost part of an address that no other has."""
    known = {address[:size] for address in others for size in range(1, len(address) + 1)}
    found: dict[Address, None] = {}
    for address in some:
        sizes = (size for size in range(1, len(address) + 1) if address[:size] not in known)
        size = next(sizes, None)
        if size is not None:
            found[address[:size]] = None
    return list(found)


def grouped_addresses(
    compiled: Compiled, addresses: Iterable[Address]
) -> dict[str, dict[str, list[str]]]:
    """Addresses by the part of the program they belong to, then by kind; as they are shown."""
    language = compiled.language
    found: dict[str, dict[str, list[str]]] = {}
    for address in addresses:
        if isinstance(language, SortsValues):
            part, kind = language.sorted_under(compiled.outcome, address)
        else:
            part, kind = "", language.show_address(address[:1])
        shown = language.show_address(address)
        found.setdefault(part, {}).setdefault(kind, []).append(shown)
    return found
