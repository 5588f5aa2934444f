"""Resource defaults: why one is in force."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.classes import hop
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Defaults)
def _defaults(replay: Replay, here: Here, node: ast.Defaults, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def defaulted(replay: Replay, resource: Resource, param: Param) -> Node:
    """Why a resource default is in force: the scopes it was looked for in."""
    found = [replay.absences.of("default", resource.type.lower())]
    scope = declared(resource).scope
    while scope is not None and scope is not getattr(param.frame, "scope", None):
        found.append(hop(replay, scope))
        found.append(replay.timing(scope))
        scope = scope.parent
    if param.unit is not None and param.frame is not None and param.when is not None:
        found.append(replay.epc(Here(param.unit, param.frame, param.guard, param.when)))
    return replay.trace.union(*found)
