"""What is the same for every instance of a define is found once.

A define that is used a thousand times declares the same resources each time.  Where their titles
and parameters only put together what variables hold, how they came about rests on how those
variables did, on why the instance is there, and on nothing else of it.  Instances that agree in
that have the same nodes.  Where anything else could matter (a condition, a call, a choice by a
value, an override) every resource is asked for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.classes import hop
from headwater.langs.puppet.why.declarations import exists
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.literals import ALIKE
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.scoping import owner_then
from headwater.langs.puppet.why.variables import own_node
from headwater.why import NOTHING, Node

_EXISTS = "@exists"
"""Beside the parameters: why a resource is there.  No parameter has such a name."""

_NO_VALUES = frozenset(["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">="])
"""Operators that are explained without looking at any value."""


class Plan(msgspec.Struct, frozen=True):
    """What a body of a resource reads, if it only puts together what variables hold.

    `whole` are variables that are read as they are, `parts` those that an element is taken of.
    """

    body: ast.Body
    operations: dict[str, ast.Attribute]
    whole: list[ast.Variable]
    parts: list[str]


Alike = tuple[object, ...]
"""What instances have to agree in."""


class Instances:
    """Resources of defines, and the nodes that those which agree have in common."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._plans: dict[int, tuple[object, Plan | None]] = {}
        self._alike: dict[Resource, tuple[Plan, Alike] | None] = {}
        self._nodes: dict[tuple[Alike, str], Node] = {}

    def parameter(
        self, resource: Resource, name: str, param: Param, make: Callable[[], Node]
    ) -> Node:
        """A parameter as an output; `make` answers for this resource alone."""
        found = self._of(resource)
        if found is None or not self._is_plain(found[0], resource, name, param):
            return make()
        key = (found[1], name)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = make()
        return node

    def exists(self, resource: Resource) -> Node:
        """Why a resource is there."""
        found = self._of(resource)
        if found is None:
            return exists(self._replay, resource)
        key = (found[1], _EXISTS)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = exists(self._replay, resource)
        else:
            self._replay.memo.whole[("exists", resource)] = node
        return node

    def _is_plain(self, plan: Plan, resource: Resource, name: str, param: Param) -> bool:
        """Whether a parameter stands in the body, and nothing replaced it or could."""
        return (
            param.how == "given"
            and param.old is None
            and param.guard is None
            and plan.operations.get(name) is param.node
            and not self._replay.indexes.contested(resource.type, name)
        )

    def _of(self, resource: Resource) -> tuple[Plan, Alike] | None:
        if resource not in self._alike:
            self._alike[resource] = self._find(resource)
        return self._alike[resource]

    def _find(self, resource: Resource) -> tuple[Plan, Alike] | None:
        found, replay = declared(resource), self._replay
        scope, changers = found.scope, replay.indexes.changers
        if (
            scope is None
            or found.frame is not scope
            or found.guard is not None
            or resource.info is None
            or resource.unknown is not None
            or scope.resource is None
            or scope.resource.type in ("Class", "Node")
            or replay.indexes.changed
            or changers is None  # nobody has looked yet
            or changers
            or not replay.absences.stays(scope)
        ):
            return None
        plan = self._plan(found.node, found.body)
        if plan is None:
            return None
        title = plan.body.title
        if isinstance(title, ast.Variable) and not isinstance(scope.vars.get(title.name), str):
            return None  # perhaps one of several titles
        alike = self._read(plan, scope, Here.of_declaration(resource))
        return None if alike is None else (plan, alike)

    def _read(self, plan: Plan, scope: Scope, here: Here) -> Alike | None:
        """How the variables came about that a body reads."""
        replay = self._replay
        found: list[object] = [
            id(plan.body), id(scope.outer), replay.entry(scope), replay.timing(scope),
            hop(replay, scope),
        ]  # fmt: skip
        for variable in plan.whole:
            if variable.name in scope.vars:
                node = own_node(replay, here, variable, ())
                if node is None:
                    return None
                found.append(node)
            else:
                found.append(self._outside(scope, here, variable.name))
        for name in plan.parts:
            found.append(None if name in scope.vars else self._outside(scope, here, name))
        return None if None in found else tuple(found)

    def _outside(self, scope: Scope, here: Here, name: str) -> int | None:
        """Which frame around a define has a variable, if only that could."""
        replay = self._replay
        owner = owner_then(replay.left.record, here, name)
        at: Scope | None = scope
        while at is not None and at is not owner:
            if replay.absences.variable(at, name, here.when) != NOTHING:
                return None
            at = at.outer
        if owner is None or at is None:
            return None
        while (at := at.outer) is not None:
            if name in at.vars:
                return None
        return id(owner)

    def _plan(self, node: object, body: object) -> Plan | None:
        known = self._plans.get(id(body))
        if known is None:
            known = self._plans[id(body)] = (body, self._make_plan(node, body))
        return known[1]

    def _make_plan(self, node: object, body: object) -> Plan | None:
        if not isinstance(node, ast.Resource) or not isinstance(body, ast.Body):
            return None
        if node.form != "regular" or not isinstance(node.type, ast.Name):
            return None
        operations = {o.name: o for o in body.operations if isinstance(o, ast.Attribute)}
        if len(operations) != len(body.operations) or any(
            isinstance(one.title, ast.Default) for one in node.bodies
        ):
            return None
        whole: dict[str, ast.Variable] = {}
        parts: dict[str, None] = {}
        if not isinstance(body.title, ast.Interpolated | ast.String | ast.Variable):
            return None
        todo: list[Any] = [body.title, *(one.value for one in operations.values())]
        while todo:
            read = self._reads(todo.pop())
            if read is None:
                return None
            for one in read:
                if isinstance(one, ast.Variable):
                    whole.setdefault(one.name, one)
                elif isinstance(one, str):
                    parts[one] = None
                else:
                    todo.append(one)
        return Plan(body, operations, list(whole.values()), list(parts))

    def _reads(self, node: object) -> list[Any] | None:
        """What an expression reads: variables, names of those it takes a part of, expressions.

        There is no such list if a value decides about it.
        """
        match node:
            case ast.Variable(name=name):
                return None if "::" in name or name.isdigit() else [node]
            case ast.Interpolated(segments=segments) if len(segments) > 1:
                return list(segments)
            case ast.Embedded(value=inner) | ast.Paren(value=inner):
                return [inner]
            case ast.Binary(op=op, left=left, right=right) if op in _NO_VALUES:
                return [left, right]
            case ast.Array(items=items) if not any(isinstance(i, ast.Splat) for i in items):
                return list(items)
            case ast.Access(left=ast.TypeName(), keys=keys) if not self._asks(node):
                return list(keys)
            case ast.Access():
                part = self._part(node)
                return None if part is None else [part]
            case _ if type(node) in ALIKE or isinstance(node, ast.Name):
                return []
        return None

    def _part(self, node: ast.Access) -> str | None:
        """The variable that an expression takes a part of, by keys that are written."""
        at: object = node
        while isinstance(at, ast.Access):
            if len(at.keys) != 1 or not isinstance(at.keys[0], ast.String | ast.Integer):
                return None
            if self._asks(at):
                return None
            at = at.left
        if not isinstance(at, ast.Variable) or "::" in at.name or at.name.isdigit():
            return None
        return at.name

    def _asks(self, node: object) -> bool:
        """Whether an expression reads parameters of resources."""
        return bool(self._replay.indexes.reads_of(node))
