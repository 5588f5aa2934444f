"""Why a piece of program ran, and what decided when: epc and tpc.

``epc``    the conditions, iterations and declarations that code ran because of
``tpc``    what decided when it ran, where that can change what it saw
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.langs.puppet.catalog.resource import is_main
from headwater.langs.puppet.record.frames import Entered, Frame, Guard, Scope
from headwater.langs.puppet.values import Opaque
from headwater.langs.puppet.why.classes import first_declaration
from headwater.langs.puppet.why.collectors import realized
from headwater.langs.puppet.why.constructs import DECIDERS
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.lambdas import iteration
from headwater.langs.puppet.why.nodes import node_cause
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.why import NOTHING, Node


def guards(replay: Replay, guard: Guard | None) -> Node:
    """The conditions around a piece of program."""
    if guard is None:
        return NOTHING
    return replay.memo.once(("guards", id(guard)), _guards, replay, guard)


def _guards(replay: Replay, guard: Guard) -> Node:
    outer = guards(replay, guard.outer)
    return replay.trace.union(outer, deciding(replay, guard, FOREVER))


def deciding(replay: Replay, guard: Guard, options: int) -> Node:
    """β: what a decision was made by, up to an option of a case."""
    return replay.memo.once(("deciding", id(guard), options), _decide, replay, guard, options)


def _decide(replay: Replay, guard: Guard, options: int) -> Node:
    here = Here(guard.unit, guard.frame, guard.outer, guard.when - 1)
    decide = DECIDERS.get(type(guard.node))
    if decide is None:
        found = replay.everything(here, guard.node)
    else:
        found = decide(replay, here, guard, options)
    if isinstance(guard.taken, Opaque):
        at = guard.unit.span(guard.node)
        return replay.trace.union(found, replay.labels.input("unknown", at, guard.taken.why))
    return found


def epc(replay: Replay, here: Here) -> Node:
    """Why a piece of program ran."""
    return replay.trace.union(
        guards(replay, here.guard), entry(replay, here.frame),
        replay.absences.jumped(here.frame, here.when),
    )  # fmt: skip


def tpc(replay: Replay, here: Here) -> Node:
    """What decided when a piece of program ran."""
    found = timing(replay, here.frame)
    jumped = replay.absences.jumped(here.frame, here.when)
    if here.guard is None and jumped == NOTHING:
        return found
    return replay.trace.union(guards(replay, here.guard), found, jumped)


def entry(replay: Replay, frame: Frame) -> Node:
    """Why the code of a frame ran at all."""
    return replay.memo.once(("entry", id(frame)), _enter, replay, frame)


def _enter(replay: Replay, frame: Frame) -> Node:
    if not isinstance(frame, Scope):
        return _nested(replay, frame, entry)
    resource = frame.resource
    if resource is None or is_main(resource) or resource.definition is None:
        return NOTHING
    if resource.type == "Node":
        return node_cause(replay)
    if resource.type == "Class":
        return replay.witnesses.of(frame.source.name)
    here = Here.of_declaration(resource)
    return replay.trace.union(epc(replay, here), realized(replay, resource))


def timing(replay: Replay, frame: Frame) -> Node:
    """What decided when the code of a frame ran."""
    key = ("timing", id(frame))
    known = replay.memo.whole.get(key)
    return replay.memo.once(key, _time, replay, frame) if known is None else known


def _time(replay: Replay, frame: Frame) -> Node:
    if not isinstance(frame, Scope):
        return _nested(replay, frame, timing)
    resource = frame.resource
    if resource is None or is_main(resource) or resource.definition is None:
        return NOTHING
    if resource.type == "Node":
        return node_cause(replay)
    if resource.type != "Class":
        found = tpc(replay, Here.of_declaration(resource))
        return replay.trace.union(found, realized(replay, resource))
    name = frame.source.name
    act = first_declaration(replay, name)
    if act is None:  # classes with parameters come before others
        return replay.inputs.classified()
    absent = replay.absences.declared(name, act.when)
    first = replay.labels.of(act.unit, act.node, "definition")
    return replay.trace.union(tpc(replay, Here.of(act)), absent, first)


def _nested(replay: Replay, frame: Frame, outer: Callable[[Replay, Frame], Node]) -> Node:
    """A frame of a lambda, a function or a template: as its caller, and by iteration."""
    if isinstance(frame.origin, Entered):
        return outer(replay, frame.origin.frame)
    assert frame.up is not None
    return replay.trace.union(outer(replay, frame.up), iteration(replay, frame))
