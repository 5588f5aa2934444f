"""How variables got their values, and what the look-up of one depends on.

D+ adds to what the value depends on: for every frame searched in vain the absence of an
assignment there, for every class or define left on the way what decided where it was
declared, and, where undefined variables are allowed, what decided when the code ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.acts import EVERY_VARIABLE
from headwater.langs.puppet.record.frames import Binding, Entered, Frame, Scope, binding_of
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ClassRef
from headwater.langs.puppet.why.attributes import param_node
from headwater.langs.puppet.why.calls import call_arguments
from headwater.langs.puppet.why.changes import with_changes
from headwater.langs.puppet.why.classes import hop, link
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.lambdas import argument_node
from headwater.langs.puppet.why.meddling import meddled
from headwater.langs.puppet.why.nodes import node_cause
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.scoping import Found, find_then, frames_around
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Loser, Node


@explains(ast.Variable)
def _variable(replay: Replay, here: Here, node: ast.Variable, path: Path) -> Node:
    return variable_node(replay, here, node.name, path, node)


def own_node(replay: Replay, here: Here, node: ast.Variable, path: Path) -> Node | None:
    """How a variable got its value that was read in the very frame that has it.

    There is none where more than that may matter: it was bound later, or hides another.
    """
    name, frame = node.name, here.frame
    known = replay.indexes.own.get((id(frame), name, path))
    if known is not None and known[0] <= here.when and here.guard is None:
        return known[1]
    if name not in frame.vars or "::" in name:
        return None
    binding = binding_of(frame, name)
    if binding is not None and binding.when > here.when:
        return None
    hidden = _hidden(frame, name)
    if any(name in one.bindings for one in hidden):
        return None
    if hidden:  # all along: what Puppet sets, as $title
        if here.guard is not None or not replay.absences.stays(frame):
            return None
        key = ("read", id(frame), name, path)
        read = replay.memo.once(key, variable_node, replay, here, name, path, node)
        _keep(replay, here, key, binding, read)
        return read
    key = ("bound", id(frame), name, path)
    found = replay.memo.whole.get(key)
    if found is None:
        found = replay.memo.once(key, bound_node, replay, frame, name, path)
    if not replay.strict:
        found = replay.trace.guard(found, replay.tpc(here))
    _keep(replay, here, key, binding, found)
    return found


def _hidden(frame: Frame, name: str) -> list[Frame]:
    """The frames around one that have a variable of a name too."""
    found: list[Frame] = []
    outer = frame.up
    while outer is not None:
        if name in outer.vars:
            found.append(outer)
        outer = outer.up
    scope = frame.scope.outer
    while scope is not None:
        if name in scope.vars:
            found.append(scope)
        scope = scope.outer
    return found


def _keep(replay: Replay, here: Here, key: tuple[str, int, str, Path], binding: Binding | None,
          found: Node) -> None:  # fmt: skip
    """Keeps how a variable got its value, if that is known and the same at any later time."""
    frame, memo = here.frame, replay.memo.whole
    timed = replay.strict or ("timing", key[1]) in memo
    if here.guard is None and timed and key in memo and replay.absences.stays(frame):
        replay.indexes.own[key[1:]] = (0 if binding is None else binding.when, found)


def variable_node(replay: Replay, here: Here, name: str, path: Path, node: object) -> Node:
    """How a variable that was read got its value."""
    if name.isdigit():
        return _captured(replay, here)
    if name.endswith(EVERY_VARIABLE):
        return _no_others(replay, here)
    trace, leaf = replay.trace, name.rpartition("::")[2]
    found = find_then(replay.left.record, here, name)
    causes = [replay.absences.variable(frame, leaf, here.when) for frame in found.missed]
    causes += [hop(replay, scope) for scope in found.left]
    if "::" in name:
        causes += _qualified_causes(replay, here, name.removeprefix("::"), found)
    if not replay.strict:
        causes.append(replay.tpc(here))
    union = trace.union(*causes)
    if found.owner is None:
        at = here.unit.span(node) if node is not None else here.unit.source.span(0, 0)
        missed = [replay.labels.miss(at, f"${name}")]
        if "::" not in name.removeprefix("::"):
            missed.append(replay.inputs.fact((leaf,)))
        return replay.undef(trace.union(union, *missed))
    value = bound_node(replay, found.owner, leaf, path)
    if not replay.telling:
        return trace.guard(value, union)
    losers = [
        Loser(
            replay.labels.shown(frame.vars[leaf]),
            replay.memo.aside(bound_node, replay, frame, leaf, ()),
            "shadow",
            value,
        )
        for frame in found.hidden
        if not path
    ]
    return trace.choice(value, losers=losers, deciding=union)


def _no_others(replay: Replay, here: Here) -> Node:
    """Why there were no other variables to be seen, and why some had no value."""
    causes = [replay.inputs.fact(())]
    for frame, left in frames_around(here.frame):
        causes.append(replay.absences.variables(frame, here.when))
        causes += [hop(replay, scope) for scope in left]
        undefined = [name for name, value in frame.vars.items() if value is None]
        causes += [bound_node(replay, frame, name, ()) for name in undefined]
    if not replay.strict:
        causes.append(replay.tpc(here))
    return replay.undef(replay.trace.union(*causes))


def _qualified_causes(replay: Replay, here: Here, name: str, found: Found) -> list[Node]:
    """What ``$a::x`` depends on beside the value: that a was declared, and before."""
    owner = name.rpartition("::")[0].lower()
    if not owner:
        return []
    classes = replay.left.record.scopes
    causes: list[Node] = []
    searched = [*found.missed, *([found.owner] if found.owner is not None else [])]
    for scope in searched:
        if isinstance(scope, Scope) and scope.parent is not None and not scope.is_node:
            linked = not replay.strict or scope is not found.owner
            if linked and scope.source.kind == "class" and scope.source.name in classes:
                causes.append(link(replay, scope.source.name))
    if not searched:
        causes.append(replay.absences.declared(owner, here.when))
    return causes


def bound_node(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    """How a variable of a frame got its value, and what Ruby has made of it since."""
    found = _bound_node(replay, frame, name, path)
    return with_changes(replay, frame.vars.get(name), found)


def _bound_node(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    binding = binding_of(frame, name)
    if binding is None and isinstance(frame.up, Scope) and frame.origin is None:
        # Parameters wait in a frame of their own while defaults are evaluated.
        binding = binding_of(frame.up, name)
        frame = frame.up if binding is not None or name not in frame.vars else frame
    if binding is not None:
        return binding_node(replay, binding, frame, path)
    if frame.origin is not None:
        if isinstance(frame.origin, Entered):
            return _function_argument(replay, frame, name, path)
        return argument_node(replay, frame, name, path)
    return builtin_node(replay, frame.scope, name)


def binding_node(replay: Replay, binding: Binding, frame: Frame, path: Path) -> Node:
    """How a variable got the value that was written."""
    trace = replay.trace
    if binding.kind == "fact":
        return replay.inputs.fact((*binding.detail, *path))
    if binding.kind == "classified":
        return replay.inputs.classified_variable(*binding.detail)
    if binding.kind == "set":
        return replay.inputs.variable(*binding.detail)
    if binding.kind == "parameter":
        scope = frame.scope
        assert scope.resource is not None
        causes = [replay.entry(scope)]
        if scope.resource.type == "Class":
            causes.append(link(replay, scope.source.name))
        causes.append(meddled(replay, scope.resource, binding.detail))
        return param_node(replay, scope.resource, binding.detail, path, trace.union(*causes))
    assert binding.unit is not None
    assert binding.frame is not None
    here = Here(binding.unit, binding.frame, binding.guard, binding.when)
    if binding.kind == "argument":
        args = binding.node.args
        return replay.of(here, args[1], (binding.detail, *path)) if len(args) > 1 else NOTHING
    if binding.kind == "assigned":
        here = here._replace(when=binding.when - 1)
    found = replay.of(here, binding.node, path if binding.detail is None else ())
    if binding.detail is not None:
        found = trace.operation("part", [found, *_of_class(replay, here, binding)])
    return trace.guard(found, replay.epc(here))


def _of_class(replay: Replay, here: Here, binding: Binding) -> Iterator[Node]:
    """``[$x] = Class['a']``: the variable of the class."""
    right = replay.value(here, binding.node)
    if isinstance(right, ClassRef):
        yield replay.variable(here, f"{right.name}::{binding.detail.name}", (), binding.node)


def _function_argument(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    entered: Entered = frame.origin
    callee: Any = entered.body
    node = entered.node
    here = Here(entered.unit, entered.frame, frame.guard, entered.when)
    called = isinstance(node, ast.Call | ast.Method)
    args = call_arguments(node) if called else []
    plain = called and not any(isinstance(unwound(arg), ast.Splat) for arg in args)
    if plain and callee is not None and name in callee.names and name_called(node) == callee.name:
        index = callee.names.index(name)
        if index < len(args) and not callee.params[index].splat:
            return replay.of(here, args[index], path)
    return replay.trace.operation("argument", [replay.everything(here, node)])


def builtin_node(replay: Replay, scope: Scope, name: str) -> Node:
    """A variable that Puppet sets: $title, $name, $environment …"""
    resource = scope.resource
    if name in ("title", "name"):
        entry = replay.entry(scope)
        if resource is not None and resource.type not in ("Class", "Node"):
            given = resource.params.get("name") if name == "name" else None
            if given is not None:
                return replay.trace.guard(param_node(replay, resource, given), entry)
            return replay.trace.guard(title_node(replay, resource), entry)
        return replay.trace.operation("title", [], entry)
    at = replay.left.program.units[0].source.span(0, 0)
    found = replay.labels.input("argument", at, f"${name}")
    if name in ("environment", "server_facts"):
        classified = replay.inputs.environment()
        return found if classified is None else replay.trace.guard(found, classified)
    return found


def _captured(replay: Replay, here: Here) -> Node:
    """``$1``: whatever is matched in the body around it, and what is matched with."""
    source = here.frame.scope.source
    found = [replay.guards(here.guard)]
    if source.unit is not None:
        where = here._replace(unit=source.unit)
        found.append(replay.everything(where, *_matches(source.body)))
    found.append(replay.everything(here, *_matches([_condition(here)])))
    if source.kind == "node":
        found.append(node_cause(replay))
    return replay.trace.operation("match", found)


def _condition(here: Here) -> object:
    """The condition right around a piece of program."""
    return here.guard.node if here.guard is not None else None


def _matches(nodes: list[Any]) -> list[Any]:
    """The expressions in a body that match something against a regular expression."""
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
        todo.extend(ast.children(at))
    return found
