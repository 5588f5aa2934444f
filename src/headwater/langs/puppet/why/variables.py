"""How variables got their values, and what the look-up of one depends on.

D+ adds to what the value depends on: for every frame searched in vain the absence of an
assignment there, for every class or define left on the way what decided where it was
declared, and, where undefined variables are allowed, what decided when the code ran.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Binding, Frame, Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.parameters import param_node, shown_plain
from headwater.why import NOTHING, Label, Loser, Node

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.resource import Resource
    from headwater.langs.puppet.why.replay import Path, Replay


@dataclass(slots=True)
class Found:
    """The frame a variable was found in, those searched in vain, and what they hid."""

    owner: Frame | None
    missed: list[Frame]
    left: list[Scope]
    hidden: list[Frame]


def find_then(replay: Replay, here: Here, name: str) -> Found:
    """Where a variable was found at the time of a read."""
    found = Found(None, [], [], [])
    if "::" in name:
        _find_qualified(replay, here, name.removeprefix("::"), found)
        return found
    for frame, left in _chain(here.frame):
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


def _chain(frame: Frame) -> list[tuple[Frame, list[Scope]]]:
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


def _find_qualified(replay: Replay, here: Here, name: str, found: Found) -> None:
    owner, _, leaf = name.rpartition("::")
    compilation = replay.compilation
    scope = compilation.record.scopes.get(owner.lower()) if owner else compilation.record.top
    while scope is not None and scope.when <= here.when:
        if leaf in scope.vars and _visible(scope, leaf, here.when):
            found.owner = scope
            return
        found.missed.append(scope)
        parent = scope.source.parent
        scope = compilation.record.scopes.get(parent) if parent else None


def _visible(frame: Frame, name: str, when: int) -> bool:
    write = frame.bindings.get(name)
    return write is None or write.when <= when


def variable_node(replay: Replay, here: Here, name: str, path: Path, node: Any) -> Node:
    """How a variable that was read got its value."""
    if name.isdigit():
        return captured_node(replay, here)
    trace, leaf = replay.trace, name.rpartition("::")[2]
    found = find_then(replay, here, name)
    causes = [replay.absences.variable(frame, leaf, here.when) for frame in found.missed]
    causes += [replay.running.hop(scope) for scope in found.left]
    if "::" in name:
        causes += _qualified_causes(replay, here, name.removeprefix("::"), found)
    if not replay.strict:
        causes.append(replay.running.tpc(here))
    union = trace.union(*causes)
    if found.owner is None:
        at = here.unit.span(node) if node is not None else here.unit.source.span(0, 0)
        return replay.undef(trace.union(union, trace.miss(Label("miss", at, f"${name}"))))
    value = bound_node(replay, found.owner, leaf, path)
    losers = [
        Loser(
            shown_plain(replay, frame.vars[leaf]),
            bound_node(replay, frame, leaf, ()),
            "shadow",
            value,
        )
        for frame in found.hidden
        if not path
    ]
    return trace.choice(value, losers=losers, deciding=union)


def _qualified_causes(replay: Replay, here: Here, name: str, found: Found) -> list[Node]:
    """What ``$a::x`` depends on beside the value: that a was declared, and before."""
    owner = name.rpartition("::")[0].lower()
    if not owner:
        return []
    running, classes = replay.running, replay.compilation.record.scopes
    causes: list[Node] = []
    searched = [*found.missed, *([found.owner] if found.owner is not None else [])]
    for scope in searched:
        if isinstance(scope, Scope) and scope.parent is not None and not scope.is_node:
            linked = not replay.strict or scope is not found.owner
            if linked and scope.source.kind == "class" and scope.source.name in classes:
                causes.append(running.link(scope.source.name))
    if not searched:
        causes.append(replay.absences.declared(owner, here.when))
    return causes


def bound_node(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    """How a variable of a frame got its value."""
    write = frame.bindings.get(name)
    if write is None and isinstance(frame.up, Scope) and frame.origin is None:
        # Parameters wait in a frame of their own while defaults are evaluated.
        write = frame.up.bindings.get(name)
        frame = frame.up if write is not None or name not in frame.vars else frame
    if write is not None:
        return written_node(replay, write, frame, path)
    if frame.origin is not None:
        return argument_node(replay, frame, name, path)
    return builtin_node(replay, frame.scope, name)


def written_node(replay: Replay, write: Binding, frame: Frame, path: Path) -> Node:
    """How a variable got the value that was written."""
    trace, running = replay.trace, replay.running
    if write.kind == "fact":
        return replay.places.fact((*write.detail, *path))
    if write.kind == "parameter":
        scope = frame.scope
        assert scope.resource is not None
        found = param_node(replay, scope.resource, write.detail, path)
        causes = [running.entry(scope)]
        if scope.resource.type == "Class":
            causes.append(running.link(scope.source.name))
        causes.append(replay.states.meddled(scope.resource, write.detail))
        return param_node(replay, scope.resource, write.detail, path, trace.union(*causes))
    assert write.unit is not None
    assert write.frame is not None
    here = Here(write.unit, write.frame, write.guard, write.when)
    if write.kind == "argument":
        args = write.node.args
        return replay.of(here, args[1], (write.detail, *path)) if len(args) > 1 else NOTHING
    if write.kind == "assigned":
        here = here._replace(when=write.when - 1)
    found = replay.of(here, write.node, path if write.detail is None else ())
    if write.detail is not None:
        found = trace.operation("part", [found])
    return trace.guard(found, running.epc(here))


def argument_node(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    """A parameter of a function, or of a lambda: an element of what is iterated over."""
    if isinstance(frame.origin, tuple):
        return _function_argument(replay, frame, name, path)
    callee, up = frame.origin, frame.up
    assert up is not None
    call = replay.places.call_of(callee.unit, callee.node)
    if call is None:
        return NOTHING
    args = [call.receiver, *call.args] if isinstance(call, ast.Method) else call.args
    if not args:
        return NOTHING
    here = Here(callee.unit, up, frame.guard, replay.calling.called(call, up))
    at = _turn(replay, here, args[0], callee.names, frame)
    if at is not None and name == callee.names[-1]:
        return replay.trace.guard(
            replay.of(here, args[0], (at, *path)), replay.calling.shape(here, args[0])
        )
    if at is not None and len(callee.names) == 2:
        return replay.trace.operation("key", [], replay.calling.shape(here, args[0]))
    found = [replay.of(here, arg) for arg in args]
    body = replay.everything(here, *callee.node.body) if _accumulates(call) else NOTHING
    return replay.trace.operation("element", found, body)


def _accumulates(call: Any) -> bool:
    return call.function.value not in ("each", "map", "filter", "with", "then", "reverse_each")


def _turn(replay: Replay, here: Here, node: Any, names: list[str], frame: Frame) -> Any:
    """The index or key that a call of a lambda is about, if that can be told."""
    whole = replay.value(here, node)
    if isinstance(whole, Hash) and len(names) == 2:
        key = frame.vars[names[0]]
        return key if isinstance(key, str | int) and key in whole else None
    if isinstance(whole, list):
        return replay.calling.index_of(here, node, whole, frame.vars[names[-1]])
    return None


def _function_argument(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    callee, unit, node, around, when = frame.origin
    here = Here(unit, around, frame.guard, when)
    plain = isinstance(node, ast.Call) and not any(
        isinstance(unwound(arg), ast.Splat) for arg in node.args
    )
    if plain and callee is not None and name in callee.names:
        index = callee.names.index(name)
        if index < len(node.args) and not callee.params[index].splat:
            return replay.of(here, node.args[index], path)
    return replay.trace.operation("argument", [replay.everything(here, node)])


def builtin_node(replay: Replay, scope: Scope, name: str) -> Node:
    """A variable that Puppet sets: $title, $name, $environment …"""
    resource = scope.resource
    if name in ("title", "name"):
        entry = replay.running.entry(scope)
        if resource is not None and resource.type not in ("Class", "Node"):
            given = resource.params.get("name") if name == "name" else None
            if given is not None:
                return replay.trace.guard(param_node(replay, resource, given), entry)
            return replay.trace.guard(title_node(replay, resource), entry)
        return replay.trace.operation("title", [], entry)
    at = replay.compilation.program.units[0].source.span(0, 0)
    return replay.trace.label(Label("argument", at, f"${name}"))


def title_node(replay: Replay, resource: Resource) -> Node:
    """How a resource came by its title."""
    known = replay.titles.get(resource)
    if known is None:
        known = replay.titles[resource] = _title(replay, resource)
    return known


def _title(replay: Replay, resource: Resource) -> Node:
    from headwater.langs.puppet.why.reasons import declaration

    if declared(resource).unit is None or declared(resource).frame is None:
        return NOTHING
    here = declaration(resource)
    if not isinstance(declared(resource).body, ast.Body):
        return replay.trace.operation("title", [replay.everything(here, declared(resource).node)])
    node = declared(resource).body.title
    value = replay.value(here, node)
    if isinstance(value, list):
        same = [i for i, item in enumerate(value) if item == resource.title]
        if len(same) == 1:
            return replay.of(here, node, (same[0],))
    return replay.of(here, node)


def captured_node(replay: Replay, here: Here) -> Node:
    """``$1``: whatever is matched in the body around it, and what is matched with."""
    source = here.frame.scope.source
    found = [replay.running.guards(here.guard)]
    if source.unit is not None:
        where = here._replace(unit=source.unit)
        found.append(replay.everything(where, *_matches(source.body)))
    found.append(replay.everything(here, *_matches([guard_node(here)])))
    if source.kind == "node":
        found.append(replay.running.node_cause())
    return replay.trace.operation("match", found)


def guard_node(here: Here) -> Any:
    """The condition right around a piece of program."""
    return here.guard.node if here.guard is not None else None


def _matches(nodes: list[Any]) -> list[Any]:
    """The expressions in a body that match something against a regular expression."""
    from headwater.langs.puppet.why.actions import parts

    found: list[Any] = []
    todo = list(nodes)
    while todo:
        at = todo.pop()
        if not isinstance(at, ast.Record):
            continue
        match at:
            case ast.Binary(op="=~" | "!~"):
                found.append(at)
            case ast.Case(test=test, options=options):
                found += [test, *(value for option in options for value in option.values)]
            case ast.Selector(value=value, options=options):
                found += [value, *(option.match for option in options)]
        todo.extend(parts(at))
    return found
