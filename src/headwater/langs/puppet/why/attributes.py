"""How parameters of resources got their values: written, defaulted, looked up, overridden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.hiera.misses import record_of
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.changes import with_changes
from headwater.langs.puppet.why.data import hiera, lower_levels
from headwater.langs.puppet.why.here import Here, calling
from headwater.langs.puppet.why.hierarchy import hierarchies
from headwater.langs.puppet.why.meddlers import meddlers
from headwater.langs.puppet.why.passed import passed_on
from headwater.langs.puppet.why.paths import ABSENT, inside
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import NOTHING, Loser, Node, Reason

_DEFAULTS = ("default", "parameter default")


def param_node(
    replay: Replay, resource: Resource, param: Param, path: Path = (), causes: Node = NOTHING
) -> Node:
    """The node of a parameter, there because of `causes`: the winner, and what it won over."""
    found = replay.trace.guard(chain_node(replay, resource, param, path), causes)
    if path or resource.info is not None or param.how in _DEFAULTS or not replay.telling:
        return found
    default = _default_of(replay, resource, param)
    if default is None:
        return found
    # The default of a parameter of a class or define that was given something else.
    definition = resource.definition
    assert definition is not None
    assert definition.unit is not None
    where = declared(resource)
    scope = where.scope if where.scope is not None else replay.left.record.top
    here = Here(definition.unit, scope, None, where.when)
    value = replay.labels.shown(replay.value(here, default))
    node = replay.memo.aside(replay.of, here, default)
    return replay.trace.choice(found, losers=[Loser(value, node, "default", found)])


def _default_of(replay: Replay, resource: Resource, param: Param) -> ast.Expr | None:
    """The default that a definition has for a parameter, if it is a plain value."""
    if resource.definition is None or param.how == "inherited":
        return None
    name = replay.indexes.name_of(resource, param)
    default = None if name is None else replay.indexes.defaults_of(resource.definition).get(name)
    kinds = (ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Minus)
    return default if isinstance(default, kinds) else None


def chain_node(replay: Replay, resource: Resource, param: Param, path: Path = ()) -> Node:
    """A parameter with what it replaced."""
    if param.how == "given" and param.old is None and _is_written(param):
        return _plain(replay, resource, param, path)  # as most are
    trace = replay.trace
    winner = with_changes(replay, param.value, _given(replay, resource, param, path))
    if not replay.telling:
        return winner
    losers: list[Loser] = []
    record = record_of(param.detail) if param.how == "hiera" else None
    if record is not None:
        losers += lower_levels(replay, _asking(replay, resource, param), record, path)
    if param.how == "default":
        losers += _outer_defaults(replay, resource, param, path)
    old = param.old
    replaced = old is not None and not (old.value is None and param.how == "parameter default")
    if old is not None and replaced and param.how not in ("arrow", "require") and not param.add:
        reason: Reason = "default" if old.how in _DEFAULTS else "override"
        value = None if path else replay.labels.shown(old.value)
        node = replay.memo.aside(chain_node, replay, resource, old, path)
        losers.append(Loser(value, node, reason, _label(replay, param)))
    return trace.choice(winner, losers=losers)


def _is_written(param: Param) -> bool:
    """Whether a parameter stands with a resource as ``name => value``."""
    return param.node.__class__ is ast.Attribute and param.frame is not None


def _plain(replay: Replay, resource: Resource, param: Param, path: Path) -> Node:
    """A parameter that stands with its resource and replaced nothing."""
    here = _asking(replay, resource, param)
    found = replay.of(here, param.node.value, path)
    if param.guard is not declared(resource).guard:
        found = replay.trace.guard(found, replay.guards(param.guard))
    return with_changes(replay, param.value, found)


def _outer_defaults(
    replay: Replay, resource: Resource, param: Param, path: Path
) -> Iterator[Loser]:
    """The resource defaults of scopes further out that one of a nearer scope wins over."""
    name = replay.indexes.name_of(resource, param)
    scope = param.frame.scope.parent if param.frame is not None else None
    while scope is not None and name is not None:
        outer = scope.defaults.get(resource.type, {}).get(name)
        if outer is not None:
            value = None if path else replay.labels.shown(outer.value)
            node = replay.memo.aside(_given, replay, resource, outer, path)
            yield Loser(value, node, "default", _label(replay, param))
        scope = scope.parent


def history_node(replay: Replay, resource: Resource, param: Param) -> Node:
    """All values a parameter had, one after the other: who tested it may have seen any."""
    found: list[Node] = []
    at: Param | None = param
    while at is not None:
        found.append(_given(replay, resource, at, ()))
        at = at.old
    return replay.trace.union(*found)


def _asking(replay: Replay, resource: Resource, param: Param) -> Here:
    """Where and when a parameter was evaluated; without a text, the manifest speaks for it."""
    where = declared(resource)
    when = where.when if param.when is None else param.when
    unit = replay.left.program.units[0]
    if param.frame is not None:
        frame = calling(param.frame, param.node)
        return Here(param.unit if param.unit is not None else unit, frame, param.guard, when)
    assert where.scope is not None
    return Here(unit, where.scope, None, when)


def _given(replay: Replay, resource: Resource, param: Param, path: Path) -> Node:
    trace = replay.trace
    here = _asking(replay, resource, param)
    if param.how == "hiera":
        record = record_of(param.detail)
        assert record is not None
        found = hiera(replay, here, record, path)[0]
        return trace.guard(found, _undefined(replay, resource, param))
    if param.how == "inherited":
        return _inherited(replay, resource, param, path)
    if param.unit is None or param.node is None or param.frame is None:
        if param.how == "given" and resource.type == "Class" and resource.definition is not None:
            name = replay.indexes.name_of(resource, param)
            return replay.inputs.classified(resource.definition.name, name)
        text = replay.labels.shown(param.value)
        at = replay.left.program.units[0].source.span(0, 0)
        return replay.labels.input("argument", at, str(text))
    if param.how in ("arrow", "require"):
        return _related(replay, resource, param, path)
    found = _expression(replay, here, param, path)
    if param.how != "given":
        found = trace.guard(found, _because(replay, resource, here, param))
    elif param.guard is not declared(resource).guard:
        found = trace.guard(found, replay.guards(param.guard))
    if param.add and param.old is not None:
        return _added(replay, resource, param, param.old, found, path)
    return found


def _related(replay: Replay, resource: Resource, param: Param, path: Path) -> Node:
    """A relationship that an arrow or require() added to: each element is of one of them."""
    trace, here, before = replay.trace, _asking(replay, resource, param), param.old
    made = trace.guard(replay.everything(here, param.node), replay.epc(here))
    made = trace.operation("arrow", [made])
    place = replay.labels.put_together(here.unit, param.node)
    if before is None or before.value is None or before.value == []:
        return trace.composed(place, made)
    if path and isinstance(path[0], int) and isinstance(param.value, list):
        if path[0] == (len(param.value) - 1 if param.detail is None else param.detail):
            return trace.composed(place, made)
        way = path if isinstance(before.value, list) else path[1:]
        return chain_node(replay, resource, before, way)
    return trace.operation("arrow", [chain_node(replay, resource, before), made])


def _added(
    replay: Replay, resource: Resource, param: Param, old: Param, found: Node, path: Path
) -> Node:
    """What ``+>`` made: an element is of what was there, or of what was added."""
    before = chain_node(replay, resource, old)
    whole = replay.trace.operation("+>", [before, found])
    if not path or not isinstance(path[0], int) or not isinstance(param.value, list):
        return whole
    was = old.value if isinstance(old.value, list) else [old.value]
    if path[0] < len(was) and inside(was, path[:1]) == inside(param.value, path[:1]):
        way = path if isinstance(old.value, list) else path[1:]
        return replay.trace.copy(chain_node(replay, resource, old, way), whole)
    here = _asking(replay, resource, param)
    node = param.node.value if isinstance(param.node, ast.Attribute) else param.node
    added = replay.value(here, node)
    items = added if isinstance(added, list) else [added]
    for index, item in enumerate(items):
        if item == param.value[path[0]]:
            way = path[1:] if items is not added else (index, *path[1:])
            return replay.trace.copy(_expression(replay, here, param, way), whole)
    return whole


def _because(replay: Replay, resource: Resource, here: Here, param: Param) -> Node:
    """Why a parameter was written that does not stand with its resource."""
    if param.how != "parameter default":
        return replay.epc(here)
    definition = resource.definition
    if definition is None or definition.kind != "class":
        return _undefined(replay, resource, param)
    name = getattr(param.detail, "name", "")
    key = f"{definition.name}::{name}"
    record = replay.left.hiera.miss(key)
    found = _undefined(replay, resource, param)
    if record is None:
        return replay.trace.union(found, *hierarchies(replay, key))
    return replay.trace.union(found, hiera(replay, here, record)[0])


def _undefined(replay: Replay, resource: Resource, param: Param) -> Node:
    """A default, or data, were used because what was given is undef."""
    if param.old is None:
        return NOTHING
    return chain_node(replay, resource, param.old)


def _inherited(replay: Replay, resource: Resource, param: Param, path: Path) -> Node:
    """A metaparameter that comes from what contains the resource."""
    around = list(resource.containers)
    causes = [replay.exists(container) for container in around]
    causes += _around(replay, resource, param)
    causes.append(replay.absences.any("tag"))
    if param.unit is None or param.node is None or param.frame is None:
        union = replay.trace.union(*causes)
        for container in around:
            if "stage" in container.params:
                value = chain_node(replay, container, container.params["stage"], path)
                return replay.trace.copy(value, union)
        return replay.trace.operation("stage", [], union)
    here = _asking(replay, resource, param)
    return replay.trace.copy(_expression(replay, here, param, path), replay.trace.union(*causes))


def _around(replay: Replay, resource: Resource, param: Param) -> list[Node]:
    """Who else could have written a metaparameter of what a resource is in."""
    name = replay.indexes.name_of(resource, param)
    found: list[Node] = []
    todo, seen = list(resource.containers), set(resource.containers)
    while todo and name is not None:
        at = todo.pop()
        found.append(meddlers(replay, at, name))
        todo += set(at.containers) - seen
        seen.update(at.containers)
    return found


def _expression(replay: Replay, here: Here, param: Param, path: Path) -> Node:
    node: Any = param.node
    match node:
        case ast.Attribute(value=value):
            return replay.of(here, value, path)
        case ast.Attributes(value=value):
            return replay.of(here, value, (param.detail, *path))
        case ast.Call(args=args) if isinstance(param.detail, tuple):
            title, name = param.detail
            called = name_called(node)
            if called == "create_resources" and len(args) in (2, 3):
                return _created(replay, here, args, (title, name, *path))
            every = replay.everything(here, node)
            passed = passed_on(replay, here, called, param.value, args, path)
            if passed is not None:
                return replay.trace.copy(passed, every)
            return replay.trace.operation(called, [every])
    return replay.of(here, node, path)


def _created(replay: Replay, here: Here, args: list[Any], path: Path) -> Node:
    """A parameter that create_resources() gave, as the resource has it or as all have it."""
    given = replay.of(here, args[1], path)
    if len(args) == 2:
        return given
    if inside(replay.value(here, args[1]), path[:2]) is ABSENT:
        given = replay.trace.guard(replay.of(here, args[2], path[1:]), given)
    return given


def _label(replay: Replay, param: Param) -> Node:
    if param.unit is None or param.node is None:
        return NOTHING
    return replay.labels.of(param.unit, param.node, "definition")
