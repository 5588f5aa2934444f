"""Access: elements of values, references, and parameters of resources as they were then."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.acts import Read
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import chain_node
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.queries import named, query, resource_named
from headwater.langs.puppet.why.questions import UNKNOWN, Path, Replay
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


@explains(ast.Access)
def _access(replay: Replay, here: Here, node: ast.Access, path: Path) -> Node:
    trace = replay.trace
    keys = [replay.of(here, key) for key in node.keys]
    asked = _asked(replay, here, node)
    if asked:
        keys.append(replay.of(here, node.left))
        if len(asked) == 1:
            resource, name = asked[0].detail
            return _parameter(replay, here, resource, name, path, keys)
        every = [parameter_node(replay, here, *read.detail) for read in asked]
        return trace.operation("[]", every, trace.union(*keys))
    if isinstance(node.left, ast.TypeName):
        at = replay.labels.put_together(here.unit, node)
        names = trace.union(*named(replay, here, node))
        return trace.composed(at, trace.operation("reference", keys, names))
    key = replay.value(here, node.keys[0]) if len(node.keys) == 1 else UNKNOWN
    target = unwound(node.left)
    if isinstance(target, ast.Access) and isinstance(target.left, ast.TypeName):
        return _attribute(replay, here, node, target, key, path)
    if isinstance(key, str | int) and not isinstance(key, bool):
        found = replay.of(here, node.left, (key, *path))
        return trace.copy(found, trace.union(*keys))
    return trace.operation("[]", [replay.of(here, node.left), *keys])


def _asked(replay: Replay, here: Here, node: ast.Access) -> list[Read]:
    """Which parameters were read of a resource that a value names."""
    every = [read for read in replay.indexes.reads_of(node) if read.kind == "parameter"]
    return [read for read in every if read.frame is here.frame] or every


def _attribute(
    replay: Replay, here: Here, node: ast.Access, target: ast.Access, key: object, path: Path
) -> Node:
    """``File['x']['mode']``: the parameter as it was then."""
    trace = replay.trace
    causes = [replay.of(here, part) for part in (*target.keys, *node.keys)]
    causes += named(replay, here, target)
    title = replay.value(here, target.keys[0]) if len(target.keys) == 1 else None
    resource = resource_named(replay, target.left, title)
    if resource is None or not isinstance(key, str):
        return trace.operation("[]", [trace.union(*causes, query(replay, here))])
    return _parameter(replay, here, resource, key, path, causes)


def parameter_node(replay: Replay, here: Here, resource: Resource, key: str) -> Node:
    """A parameter of a resource as a function saw it."""
    return _parameter(replay, here, resource, key, (), [])


def _contested(replay: Replay, resource: Resource, name: str) -> bool:
    """Whether a parameter may be another at another time: something may write it later."""
    param, kind = resource.params.get(name), resource.type.lower()
    if param is None or param.old is not None or param.when is not None:
        return True
    record, absences = replay.left.record, replay.absences
    return bool(
        record.overrides.get(resource.type)
        or replay.indexes.overriders(resource.type, name)
        or absences.of("override", kind) != NOTHING
        or absences.of("collected", kind) != NOTHING
    )


def _time_written(param: Param, made: int) -> int:
    """When a parameter was written, of a resource that was made then."""
    if param.applied is not None:
        return param.applied
    return made if param.when is None else param.when


def _parameter(
    replay: Replay, here: Here, resource: Resource, key: str, path: Path, causes: list[Node]
) -> Node:
    trace = replay.trace
    causes.append(replay.exists(resource))
    if _contested(replay, resource, key):
        causes.append(replay.tpc(here))
    param, made = resource.params.get(key), declared(resource).when
    while param is not None and _time_written(param, made) > here.when:
        param = param.old
    causes.append(meddling(replay, resource, key, param))
    if param is None:
        if key == "title":
            return trace.copy(title_node(replay, resource), trace.union(*causes))
        return replay.undef(trace.union(*causes))
    return trace.copy(chain_node(replay, resource, param, path), trace.union(*causes))
