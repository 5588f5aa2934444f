"""Changes of values, and which nodes have them in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from headwater.fleet.bodies import body_of
from headwater.fleet.causes import Cause


class ValueChange(msgspec.Struct, frozen=True):
    """A value that is another one on the second side, and the edited lines that made it so."""

    address: str
    kind: str
    old: Any
    new: Any
    shown: tuple[str | None, str | None]
    """Both values on one line, as people read them; None for a value that is not there."""
    causes: tuple[Cause, ...]


class Group(msgspec.Struct, frozen=True):
    """Changes that are the same on several nodes."""

    nodes: tuple[str, ...]
    changes: tuple[ValueChange, ...]


def grouped(changed: Mapping[str, tuple[ValueChange, ...]]) -> list[Group]:
    """Equal changes once, with their nodes; changes of the same nodes together."""
    nodes: dict[bytes, list[str]] = {}
    equal: dict[bytes, list[ValueChange]] = {}
    for node, changes in changed.items():
        for change in changes:
            key = body_of(msgspec.structs.replace(change, causes=()))
            equal.setdefault(key, []).append(change)
            nodes.setdefault(key, []).append(node)
    groups: dict[tuple[str, ...], list[ValueChange]] = {}
    for key, several in equal.items():
        groups.setdefault(tuple(nodes[key]), []).append(_shared(several))
    found = [Group(names, tuple(changes)) for names, changes in groups.items()]
    return sorted(found, key=lambda group: (-len(group.nodes), group.nodes))


def _shared(changes: Sequence[ValueChange]) -> ValueChange:
    """A change that several nodes have, with the causes that it has on all of them, if any."""
    everywhere = set.intersection(*(set(change.causes) for change in changes))
    causes = everywhere or {cause for change in changes for cause in change.causes}
    return msgspec.structs.replace(changes[0], causes=tuple(sorted(causes)))
