"""ERB: the variables that a template read, as far as it read them."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.acts import Read
from headwater.langs.puppet.record.renderings import Rendering
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.flow import Flow, Origin
from headwater.langs.puppet.values import opaque_in
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.scoping import find_then
from headwater.why import Node

_FLOWS: dict[int, tuple[Any, Flow]] = {}
_MOST_FLOWS = 10_000


def flow_of(tree: s.Program) -> Flow:
    """The flow of variables in a template, found once."""
    known = _FLOWS.get(id(tree))
    if known is None:
        if len(_FLOWS) >= _MOST_FLOWS:
            _FLOWS.clear()
        known = _FLOWS[id(tree)] = (tree, Flow(tree))
    return known[1]


def variables_read(replay: Replay, here: Here, read: Read, node: object) -> list[Node]:
    """How the variables that a template read got their values, or the parts of them it read."""
    rendering: Rendering = read.detail
    if rendering.tree is None:
        return []
    flow = flow_of(rendering.tree)
    found: list[Node] = []
    for (name, _), frame in rendering.variables.items():
        where = Here(read.unit, frame, here.guard, here.when)
        if not rendering.text and opaque_in([value_of(replay, where, name)]) is not None:
            # What is unknown anywhere in it may have made the text unknown.
            found.append(replay.variable(where, name, (), node))
            continue
        wanted = {shortened(replay, where, (name, path)) for path in flow.paths(name)}
        found += [replay.variable(where, name, path, node) for path in wanted]
    return found


def shortened(replay: Replay, here: Here, origin: Origin) -> Path:
    """A path as far as it leads through arrays and hashes; an index of a text is none."""
    name, path = origin
    value = value_of(replay, here, name)
    good: list[str | int] = []
    for part in path:
        if isinstance(value, Hash) and isinstance(part, str):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            value = value[part] if part < len(value) else None
        else:
            break
        good.append(part)
    return tuple(good)


def value_of(replay: Replay, here: Here, name: str) -> Any:  # noqa: ANN401
    """The value of a variable as it was seen from somewhere; None if there is none."""
    owner = find_then(replay.left.record, here, name).owner
    return None if owner is None else owner.vars.get(name.rpartition("::")[2])
