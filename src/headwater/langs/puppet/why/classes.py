"""Why classes are declared, and what decided where and when: witnesses and links.

``link``     λ(a): what decided where and when a class was first declared
``witness``  E_a: one reason that a class is declared, the smallest
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import is_main
from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.record.frames import Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.witnesses import Later
from headwater.why import NOTHING, Node


def first_declaration(replay: Replay, name: str) -> Act | None:
    """The declaration of a class that took effect."""
    found = replay.left.record.declarations.get(name)
    return found[0] if found else None


def link(replay: Replay, name: str) -> Node:
    """λ(a): what decided where and when a class was first declared."""
    return replay.memo.once(("link", name), _link, replay, name)


def _link(replay: Replay, name: str) -> Node:
    scope, act = replay.left.record.scopes[name], first_declaration(replay, name)
    hops = NOTHING
    if act is not None and scope.source.parent is None:
        hops = base(replay, act.frame.scope)
    return replay.trace.union(replay.timing(scope), hops)


def base(replay: Replay, scope: Scope | None) -> Node:
    """The links of the classes between a scope and the node or top around it."""
    found: list[Node] = []
    while scope is not None and scope.parent is not None and not scope.is_node:
        if is_class(scope):
            found.append(link(replay, scope.source.name))
            scope = scope.outer
        else:
            scope = scope.parent
    return replay.trace.union(*found)


def hop(replay: Replay, scope: Scope) -> Node:
    """What decided which scope is looked in after this one."""
    if scope.parent is None or scope.is_node:
        return NOTHING
    if is_class(scope):
        return link(replay, scope.source.name)
    return base(replay, scope.parent)


def is_class(scope: Scope) -> bool:
    """Whether a scope is that of a class of the program."""
    resource = scope.resource
    if resource is None or is_main(resource) or resource.title == "Settings":
        return False
    return resource.type == "Class"


def find_witnesses(replay: Replay) -> None:
    """Finds why every class is declared, in order, before anything else is asked."""
    for name in replay.witnesses.names():
        replay.witnesses.add(name, _smallest(replay, name))


def _smallest(replay: Replay, name: str) -> Node:
    """The smallest witness among the declarations of a class."""
    best: Node | None = None
    best_size: tuple[Any, ...] = ()
    for act in replay.left.record.declarations.get(name, ()):
        try:
            found = _witness(replay, act)
        except Later:
            continue
        size = replay.size(found)
        if best is None or size < best_size:
            best_size = size
            best = replay.trace.union(found, replay.labels.of(act.unit, act.node, "definition"))
    if best is None:
        return replay.inputs.classified(name)
    return best


def _witness(replay: Replay, act: Act) -> Node:
    here = Here.of(act)
    found = replay.epc(here)
    if not computed_name(act.node):
        return found
    return replay.trace.union(found, named_by(replay, here, act.node))


def named_by(replay: Replay, here: Here, node: ast.Call | ast.Method) -> Node:
    """What the name of a declared class was computed from."""
    if isinstance(node, ast.Resource):
        titles = [replay.of(here, body.title) for body in node.bodies]
        return replay.trace.union(*titles)
    return arguments(replay, here, node)


def computed_name(node: object) -> bool:
    """Whether what a class is declared by is not its plain name."""
    match node:
        case ast.Call(function=ast.Name(value="hiera_include")):
            return True
        case ast.Call(args=names):
            pass
        case ast.Method(receiver=receiver):
            names = [receiver]
        case ast.Resource(bodies=bodies):
            names = [body.title for body in bodies]
        case _:
            return True
    return not all(isinstance(name, ast.Name | ast.String) for name in names)
