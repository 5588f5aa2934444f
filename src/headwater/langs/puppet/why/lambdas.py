"""Lambdas: why and how often they were called, and with which elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.calls import arguments, call_arguments, reads
from headwater.langs.puppet.why.classes import named_by
from headwater.langs.puppet.why.collections import key_node
from headwater.langs.puppet.why.constructs import Branch, branches, decides
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, Path, Replay
from headwater.langs.puppet.why.scoping import find_then
from headwater.why import NOTHING, Node

_ITERATING = frozenset(["each", "map", "filter", "reverse_each", "group_by", "partition"])
"""Functions that call their lambda once for each element, whatever the elements are."""

_NO_ELEMENT = -(1 << 40)
"""An index that no array has: asking for it finds what decides about any element."""


def iteration(replay: Replay, frame: Frame) -> Node:
    """Why a lambda was called: the call it is written after, and what that was given."""
    body = frame.origin
    if body is None or frame.up is None:
        return NOTHING
    call = _call_of(body.unit, body.node)
    if call is None:
        return NOTHING
    when = replay.indexes.called(call, frame.up)
    return _turns(replay, Here(body.unit, frame.up, frame.guard, when), call)


def _turns(replay: Replay, here: Here, call: ast.Call | ast.Method) -> Node:
    """What decides how often the lambda of a call is called."""
    if call.block is None or name_called(call) not in _ITERATING:
        return arguments(replay, here, call)
    first, *rest = call_arguments(call)
    others = [replay.of(here, arg) for arg in rest]
    return replay.trace.union(_shape(replay, here, first), *others, *reads(replay, here, call))


def _shape(replay: Replay, here: Here, node: object) -> Node:
    """What decides how many elements there are, and under which keys."""
    match node:
        case ast.Paren(value=inner):
            return _shape(replay, here, inner)
        case ast.Array(items=items) if not any(
            isinstance(unwound(item), ast.Splat) for item in items
        ):
            return replay.labels.structure(here.unit, node)
        case ast.Hash(entries=entries):
            keys = [key_node(replay, here, entry.key) for entry in entries]
            return replay.trace.union(replay.labels.structure(here.unit, node), *keys)
        case ast.Variable(name=name) if "::" not in name:
            return _shape_of_variable(replay, here, node, name)
    return replay.of(here, node)


def _shape_of_variable(replay: Replay, here: Here, node: ast.Variable, name: str) -> Node:
    owner = find_then(replay.left.record, here, name).owner
    binding = owner.bindings.get(name) if owner is not None else None
    if binding is None or binding.kind != "assigned" or binding.detail is not None:
        return replay.of(here, node)
    assert binding.unit is not None
    assert binding.frame is not None
    there = Here(binding.unit, binding.frame, binding.guard, binding.when - 1)
    if not isinstance(unwound(binding.node), ast.Array | ast.Hash | ast.Variable):
        return replay.of(here, node)
    # Which variable is read is decided as for any element of it.
    looked = replay.variable(here, name, (_NO_ELEMENT,), node)
    return replay.trace.union(_shape(replay, there, binding.node), looked)


def argument_node(replay: Replay, frame: Frame, name: str, path: Path) -> Node:
    """A parameter of a lambda: an element of what is iterated over."""
    body, up = frame.origin, frame.up
    assert up is not None
    call = _call_of(body.unit, body.node)
    if call is None:
        return NOTHING
    args = [call.receiver, *call.args] if isinstance(call, ast.Method) else call.args
    if not args:
        return NOTHING
    here = Here(body.unit, up, frame.guard, replay.indexes.called(call, up))
    at = _turn(replay, here, args[0], body.names, frame)
    if at is not None and name == body.names[-1]:
        element = replay.of(here, args[0], (at, *path))
        return replay.trace.guard(element, _shape(replay, here, args[0]))
    if at is not None and len(body.names) == 2:
        return replay.trace.operation("key", [], _shape(replay, here, args[0]))
    found = [replay.of(here, arg) for arg in args]
    rest = replay.everything(here, *body.node.body) if _accumulates(call) else NOTHING
    return replay.trace.operation("element", found, rest)


def _accumulates(call: Any) -> bool:  # noqa: ANN401
    return call.function.value not in ("each", "map", "filter", "with", "then", "reverse_each")


def _turn(replay: Replay, here: Here, node: object, names: list[str], frame: Frame) -> Any:  # noqa: ANN401
    """The index or key that a call of a lambda is about, if that can be told."""
    whole = replay.value(here, node)
    if isinstance(whole, Hash) and len(names) == 2:
        key = frame.vars[names[0]]
        return key if isinstance(key, str | int) and key in whole else None
    if isinstance(whole, list):
        return replay.indexes.index_of(here.frame, node, whole, frame.vars[names[-1]])
    return None


def _call_of(unit: Unit, lambda_: object) -> Any:  # noqa: ANN401
    """The call that a lambda is written after."""
    known = unit.once("calls of lambdas", unit.program, lambda: _calls_in(unit))
    return known.get(id(lambda_))


def _calls_in(unit: Unit) -> dict[int, Any]:
    found: dict[int, Any] = {}
    todo: list[Any] = list(unit.program.body)
    while todo:
        at = todo.pop()
        if isinstance(at, list):
            todo.extend(at)
            continue
        if isinstance(at, ast.Call | ast.Method) and at.block is not None:
            found[id(at.block)] = at
        if isinstance(at, ast.Record):
            todo.extend(ast.parts(at))
    return found


@decides(ast.Call, ast.Method)
def _decided(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    """How often a lambda runs; without one, which class a call declares."""
    if guard.node.block is not None:
        return _turns(replay, here, guard.node)
    return named_by(replay, here._replace(when=guard.when), guard.node)


@branches(ast.Call, ast.Method)
def _branches(guard: Guard) -> Iterator[Branch]:
    """A lambda may run more often, or less; a call may declare any class."""
    if guard.node.block is None:
        yield Branch([ast.Call(ast.Name("include"), [ast.Undef()])], False, FOREVER)
        return
    yield Branch(guard.node.block.body, False, FOREVER)
    yield Branch(guard.node.block.body, True, FOREVER)
