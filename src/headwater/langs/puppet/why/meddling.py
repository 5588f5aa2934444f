"""Who else could have written a parameter.

What a parameter depends on beside its value is everything that could have written it
differently: overrides and collectors that ran, whether they applied or not, and those of
branches that were not taken.
"""

from __future__ import annotations

from headwater.langs.puppet.catalog.metadata import RELATIONS
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.collectors import contending
from headwater.langs.puppet.why.defaults import defaulted
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.meddlers import meddlers
from headwater.langs.puppet.why.overrides import overriding
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.relations import relating
from headwater.why import NOTHING, Node

_FALLBACKS = ("default", "parameter default", "hiera", "inherited")
"""How a parameter is written that is not written with its resource."""


def meddling(replay: Replay, resource: Resource, name: str, param: Param | None) -> Node:
    """What could have written a parameter and did not, or not so."""
    found = meddlers(replay, resource, name)
    if param is not None and param.how not in _FALLBACKS:
        return found
    splats = left_out(replay, resource, name)
    if param is not None and param.how == "default":
        return replay.trace.union(found, *splats, defaulted(replay, resource, param))
    return replay.trace.union(found, *splats)


def left_out(replay: Replay, resource: Resource, name: str) -> list[Node]:
    """The hashes with attributes (``* => $hash``) of a resource, which could have had this one."""
    found = declared(resource)
    if not isinstance(found.node, ast.Resource):
        return []
    here = Here.of_declaration(resource)
    bodies = found.node.bodies
    if isinstance(found.body, ast.Body):  # else a class, by whichever of them
        bodies = [one for one in bodies if one is found.body or isinstance(one.title, ast.Default)]
    return [
        replay.of(here, operation.value, (name,))
        for body in bodies
        for operation in body.operations
        if isinstance(operation, ast.Attributes)
    ]


def meddled(replay: Replay, resource: Resource, param: Param) -> Node:
    """The same of a parameter as a variable in the body of its class or define."""
    name = replay.indexes.name_of(resource, param)
    return NOTHING if name is None else meddling(replay, resource, name, param)


def others(replay: Replay, resource: Resource, name: str) -> Node:
    """Overrides, collectors and arrows, and those of branches not taken."""
    found = rewriting(replay, resource, name)
    if name in RELATIONS:
        return replay.trace.union(found, relating(replay, resource, name))
    return found


def rewriting(replay: Replay, resource: Resource, name: str) -> Node:
    """What could have written a parameter anew: overrides and collectors."""
    return replay.trace.union(
        replay.absences.writing(resource.type.lower(), name),
        overriding(replay, resource, name),
        contending(replay, resource, name),
    )
