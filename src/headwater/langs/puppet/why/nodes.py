"""Why a node definition was chosen."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.puppet.record.frames import Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import Branch, branches, decides
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.why import Node


def node_cause(replay: Replay) -> Node:
    """Why a node definition was chosen: the name of the node, and the hosts looked at."""
    return replay.memo.once("node", _chosen, replay)


def _chosen(replay: Replay) -> Node:
    labels, union = replay.labels, replay.trace.union
    name, nodes = replay.left.inputs.node, replay.left.program.nodes
    found = [replay.inputs.certname()]
    exact = nodes.named(name)
    for definition, host in nodes.hosts:
        assert definition.unit is not None
        label = labels.of(definition.unit, host)
        if exact is not None:
            if definition is exact and _is_named(host, name):
                found.append(label)
        elif not isinstance(host, ast.Regex | ast.Default):
            found.append(label)
    if exact is not None:
        return union(*found)
    scope = replay.left.record.node_scope
    chosen = scope.source if scope is not None else None
    for definition, host in nodes.hosts:
        assert definition.unit is not None
        if isinstance(host, ast.Regex):
            found.append(labels.of(definition.unit, host))
            if definition is chosen:
                return union(*found)
    for definition, host in nodes.hosts:
        if isinstance(host, ast.Default) and definition.unit is not None:
            found.append(labels.of(definition.unit, host))
    return union(*found)


def _is_named(host: object, name: str) -> bool:
    if isinstance(host, ast.Default):
        return name == "default"
    return str(getattr(host, "value", "")).lower() == name.lower()


@decides(ast.Node)
def _decided(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    own = [replay.labels.of(guard.unit, host) for host in guard.node.hosts]
    return replay.trace.union(*own, node_cause(replay))


@branches(ast.Node)
def _branches(guard: Guard) -> Iterator[Branch]:
    """Another definition than the one chosen."""
    yield Branch(guard.node.body, False, FOREVER)
