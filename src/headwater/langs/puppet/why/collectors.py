"""Collectors: what decided which resources they take, and which they made real."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.acts import Collector, Realize
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import history_node
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.meddlers import meddlers
from headwater.langs.puppet.why.overrides import left_out
from headwater.langs.puppet.why.queries import declaration_node
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.langs.puppet.why.tagging import tagging
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


@explains(ast.Collect)
def _collect(replay: Replay, here: Here, node: ast.Collect, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def realized(replay: Replay, resource: Resource) -> Node:
    """Why a virtual resource is real: one collector or realize() that found it."""
    if not was_virtual(resource) or resource.virtual:
        return NOTHING
    one = replay.indexes.realizer(resource.ref)
    if one is None:
        return NOTHING
    if isinstance(one, Realize):
        here = Here.of(one.act)
        return replay.trace.union(
            replay.epc(here),
            arguments(replay, here, one.act.node),
            replay.labels.of(one.act.unit, one.act.node, "definition"),
        )
    return matching(replay, one, resource)


def was_virtual(resource: Resource) -> bool:
    """Whether a resource was declared virtual."""
    node = declared(resource).node
    if isinstance(node, ast.Resource):
        return node.form != "regular"
    if isinstance(node, ast.Call) and node.args:
        first = node.args[0]
        return not isinstance(first, ast.Name | ast.String) or first.value.startswith("@")
    return False


def matching(replay: Replay, collector: Collector, resource: Resource) -> Node:
    """What decided whether a collector takes a resource."""
    found = (tested(replay, resource, name) for name in attributes(replay, collector))
    return replay.trace.union(asked(replay, collector), *found)


def contending(replay: Replay, resource: Resource, name: str) -> Node:
    """What decided which of the collectors that set a parameter take a resource.

    What they ask is the same for all resources, so it is put together once: n collectors beside
    n resources are no n² causes.
    """
    kind = resource.type
    rivals = replay.indexes.overriders(kind, name)
    if not rivals:
        return NOTHING
    every = replay.memo.once(("rivals", kind, name), _asked_by, replay, rivals)
    names = replay.indexes.tests.get((kind, name))
    if names is None:
        names = replay.indexes.tests[kind, name] = tuple(
            dict.fromkeys(test for one in rivals for test in attributes(replay, one))
        )
    found = [every, *(tested(replay, resource, test) for test in names)]
    for one in replay.indexes.takers(resource.ref):
        if one in rivals:
            found += [asked(replay, one), *left_out(replay, Here.of(one), one.node, name)]
    return replay.trace.union(*found)


def _asked_by(replay: Replay, collectors: list[Collector]) -> Node:
    """What collectors ask for; why one ran is no matter to what it does not take."""
    return replay.trace.union(*(queried(replay, one) for one in collectors))


def population(replay: Replay, collector: Collector) -> Node:
    """All that a collector might take or leave: the resources of its type, as it tests them."""
    kind, names = collector.type, tuple(sorted(set(attributes(replay, collector))))
    every = replay.memo.once(("population", kind, names), _every, replay, kind, names)
    return replay.trace.union(asked(replay, collector), every)


def _every(replay: Replay, kind: str, names: tuple[str, ...]) -> Node:
    found = [replay.absences.of("type", kind.lower())]
    for resource in replay.left.catalog.by_type.get(kind, ()):
        found.append(declaration_node(replay, resource))
        found += [tested(replay, resource, name) for name in names]
    return replay.trace.union(*found)


def asked(replay: Replay, collector: Collector) -> Node:
    """What a query depends on by itself."""
    return replay.memo.once(("asked", id(collector)), _ask, replay, collector)


def _ask(replay: Replay, collector: Collector) -> Node:
    return replay.trace.union(replay.epc(Here.of(collector)), queried(replay, collector))


def queried(replay: Replay, collector: Collector) -> Node:
    """What a query asks for."""
    here = Here.of(collector)
    tests = _tests(replay, collector)
    return replay.trace.union(
        replay.labels.of(collector.unit, collector.node, "query"),
        *(replay.everything(here, value) for _, values in tests for value in values),
    )


def attributes(replay: Replay, collector: Collector) -> list[str]:
    """The attributes that a query tests."""
    return [name for name, _ in _tests(replay, collector) if name]


def _tests(replay: Replay, collector: Collector) -> list[tuple[str, list[Any]]]:
    """The attributes that a query tests, each with the expressions that say which and for what."""
    found: list[tuple[str, list[Any]]] = []
    todo = [collector.node.query]
    while todo:
        at = unwound(todo.pop())
        if at is None:
            continue
        if not isinstance(at, ast.Binary):
            found.append(("", [at]))
            continue
        if at.op in ("and", "or"):
            todo += [at.left, at.right]
            continue
        left = unwound(at.left)
        if isinstance(left, ast.Name | ast.String):
            found.append((left.value, [at.right]))
        else:
            name = replay.value(Here.of(collector), left)
            found.append((name if isinstance(name, str) else "", [left, at.right]))
    return found


def tested(replay: Replay, resource: Resource, attribute: str) -> Node:
    """An attribute of a resource as queries see it."""
    return replay.memo.once(("tested", resource, attribute), _test, replay, resource, attribute)


def rewriting(replay: Replay, resource: Resource, name: str) -> Node:
    """Who else could have written a parameter that is tested: other collectors, overrides."""
    return meddlers(replay, resource, name)


def _test(replay: Replay, resource: Resource, attribute: str) -> Node:
    """An attribute of a resource as a query sees it."""
    if attribute == "title":
        return title_node(replay, resource)
    if attribute == "tag":
        return tagging(replay, resource)
    kind = resource.type.lower()
    others = [replay.absences.of("default", kind), replay.absences.of("override", kind)]
    others.append(rewriting(replay, resource, attribute))
    param = resource.params.get(attribute)
    if param is None:
        return replay.trace.union(*others)
    return replay.trace.union(history_node(replay, resource, param), *others)
