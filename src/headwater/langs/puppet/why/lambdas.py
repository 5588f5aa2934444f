"""Lambdas: why and how often they were called, and with which elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.calls import arguments, call_arguments, reads
from headwater.langs.puppet.why.classes import named_by
from headwater.langs.puppet.why.constructs import Branch, branches, decides
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.passed import passed_on
from headwater.langs.puppet.why.questions import FOREVER, Key, Path, Replay
from headwater.langs.puppet.why.shapes import shape
from headwater.why import NOTHING, Node

_ITERATING = frozenset(["each", "map", "filter", "reverse_each", "group_by", "partition"])
"""Functions that call their lambda once for each element, whatever the elements are."""


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
    return replay.trace.union(shape(replay, here, first), *others, *reads(replay, here, call))


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
    if at is not None:
        way = _way(at, body.names, name, path)
        if way is not None:
            element = replay.of(here, args[0], way)
            return replay.trace.guard(element, shape(replay, here, args[0]))
        if len(body.names) == 2:
            return replay.trace.operation("index", [], shape(replay, here, args[0]))
    found = [replay.of(here, arg) for arg in args]
    rest = replay.everything(here, *body.node.body) if _accumulates(call) else NOTHING
    passed = passed_on(replay, here, name_called(call), frame.vars[name], args, path)
    if passed is not None:
        return replay.trace.copy(passed, replay.trace.union(*found, rest))
    return replay.trace.operation("element", found, rest)


def _way(at: Key | int, names: list[str], name: str, path: Path) -> Path | None:
    """The way to an argument of a lambda in what is iterated over; `at` is of this turn.

    Of a hash a lambda with two parameters gets key and value, one with one a pair of them.
    """
    if isinstance(at, int):
        return (at, *path) if name == names[-1] else None
    if len(names) == 2:
        return (at.of, *path) if name == names[1] else (at,)
    if path[:1] == (0,):
        return (at,)
    return (at.of, *path[1:]) if path[:1] == (1,) else None


def _accumulates(call: ast.Call | ast.Method) -> bool:
    return call.function.value not in ("each", "map", "filter", "with", "then", "reverse_each")


def _turn(
    replay: Replay, here: Here, node: object, names: list[str], frame: Frame
) -> Key | int | None:
    """The index or key that a call of a lambda is about, if that can be told."""
    whole = replay.value(here, node)
    item = frame.vars[names[0]]
    if isinstance(whole, Hash):
        if len(names) == 1 and isinstance(item, list) and len(item) == 2:
            item = item[0]
        told = isinstance(item, str | int) and not isinstance(item, bool)
        return Key(item) if told and item in whole else None
    if isinstance(whole, list):
        return replay.indexes.index_of(here.frame, node, whole, frame.vars[names[-1]])
    return None


def _call_of(unit: Unit, lambda_: object) -> ast.Call | ast.Method | None:
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
