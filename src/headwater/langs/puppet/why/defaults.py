"""Resource defaults: why one is in force."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.classes import hop
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Defaults)
def _defaults(replay: Replay, here: Here, node: ast.Defaults, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def _left_out(replay: Replay, scope: Scope, resource: Resource, param: Param) -> list[Node]:
    """The hashes with defaults (``* => $hash``) of a nearer scope, which could have this one."""
    name = replay.indexes.name_of(resource, param)
    seen = {id(one.node): one for one in scope.defaults.get(resource.type, {}).values()}
    return [
        replay.of(Here(one.unit, one.frame, one.guard, one.when or 0), one.node.value, (name,))
        for one in seen.values()
        if isinstance(one.node, ast.Attributes) and one.unit is not None and name is not None
    ]


def defaulted(replay: Replay, resource: Resource, param: Param) -> Node:
    """Why a resource default is in force: the scopes it was looked for in."""
    found = [replay.absences.of("default", resource.type.lower())]
    scope = declared(resource).scope
    while scope is not None and scope is not getattr(param.frame, "scope", None):
        found.append(hop(replay, scope))
        found.append(replay.timing(scope))
        found += _left_out(replay, scope, resource, param)
        scope = scope.parent
    if param.unit is not None and param.frame is not None and param.when is not None:
        found.append(replay.epc(Here(param.unit, param.frame, param.guard, param.when)))
    return replay.trace.union(*found)
