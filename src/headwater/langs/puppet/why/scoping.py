"""Which variable an expression saw: the one that was bound in the nearest frame at that time."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.langs.puppet.record.frames import Frame, Scope, binding_of
from headwater.langs.puppet.record.record import Record
from headwater.langs.puppet.why.here import Here


@dataclass(slots=True)
class Found:
    """The frame a variable was found in, those searched in vain, and what they hid.

    `later` are the scopes that a qualified name leads to now, and did not then.
    """

    owner: Frame | None
    missed: list[Frame]
    left: list[Scope]
    hidden: list[Frame]
    later: list[Scope]


def find_then(record: Record, here: Here, name: str) -> Found:
    """Where a variable was found at the time of a read."""
    found = Found(None, [], [], [], [])
    if "::" in name:
        _find_qualified(record, here, name.removeprefix("::"), found)
        return found
    for frame, left in frames_around(here.frame):
        if name in frame.vars and _visible(frame, name, here.when):
            if found.owner is None:
                found.owner = frame
                found.left += left
            else:
                found.hidden.append(frame)
        elif found.owner is None:
            found.missed.append(frame)
            found.left += left
    return found


def owner_then(record: Record, here: Here, name: str) -> Frame | None:
    """The frame that had a variable at the time of a read; see `find_then`."""
    if "::" in name:
        return find_then(record, here, name).owner
    local: Frame | None = here.frame
    while local is not None:
        if name in local.vars and _visible(local, name, here.when):
            return local
        local = local.up
    scope = here.frame.scope.outer
    while scope is not None:
        if name in scope.vars and _visible(scope, name, here.when):
            return scope
        scope = scope.outer
    return None


def frames_around(frame: Frame) -> list[tuple[Frame, list[Scope]]]:
    """The frames to look in, each with the scope that is left to come to it."""
    found: list[tuple[Frame, list[Scope]]] = []
    local: Frame | None = frame
    while local is not None:
        found.append((local, []))
        local = local.up
    scope = frame.scope
    while scope.outer is not None:
        found.append((scope.outer, [scope]))
        scope = scope.outer
    return found


def _find_qualified(record: Record, here: Here, name: str, found: Found) -> None:
    owner, _, leaf = name.rpartition("::")
    scope = record.scopes.get(owner.lower()) if owner else record.top
    declared = scope is not None and scope.when <= here.when
    while scope is not None:
        if not declared:
            found.later.append(scope)
        elif leaf in scope.vars and _visible(scope, leaf, here.when):
            found.owner = scope
            return
        else:
            found.missed.append(scope)
        parent = scope.source.parent
        scope = record.scopes.get(parent) if parent else None


def _visible(frame: Frame, name: str, when: int) -> bool:
    binding = binding_of(frame, name)
    return binding is None or binding.when <= when
