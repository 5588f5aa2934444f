"""The value that an expression had when it was evaluated: pure expressions are evaluated again.

They run in a frame of their own, in a compilation that is set apart from the one explained: it
sees what was there at the time, and what it writes is forgotten.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.apart import Apart
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import make, unwound
from headwater.langs.puppet.fault import Fault, Jump, Problem
from headwater.langs.puppet.record.frames import Frame, Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Sensitive, opaque_in
from headwater.langs.puppet.why.changes import changes_in
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.queries import resource_named
from headwater.langs.puppet.why.questions import UNKNOWN, Replay
from headwater.langs.puppet.why.scoping import find_then, owner_then

_PURE = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Name, ast.Regex,
    ast.TypeName, ast.Variable, ast.Interpolated, ast.Embedded, ast.Heredoc, ast.Array, ast.Hash,
    ast.Entry, ast.Paren, ast.Not, ast.Minus, ast.Splat, ast.Binary, ast.Access, ast.Selector,
    ast.Option,
)  # fmt: skip


def value_then(replay: Replay, apart: Apart, here: Here, node: object) -> Any:  # noqa: ANN401
    """The value of an expression that only gives a value, or of a call; `UNKNOWN` for others."""
    called = unwound(node)
    if isinstance(called, ast.Call | ast.Method):
        return _given_by(replay, here, called)
    if called.__class__ is ast.Variable and "::" not in called.name:
        owner = owner_then(replay.left.record, here, called.name)
        if owner is not None and not replay.indexes.changed:
            return owner.vars[called.name]
    if called.__class__ is ast.Embedded and called.value.__class__ is ast.Variable:
        inner = value_then(replay, apart, here, called.value)
        if isinstance(inner, str):  # a text stays as it is
            return inner
    names, attributes = here.unit.once("reads", node, lambda: _read_by(node))
    if names is None or any(_changed_since(replay, apart, here, at) for at in attributes):
        return UNKNOWN
    frame = Frame(None, apart.scope(here.frame.scope), None, {}, match=here.frame.match)
    later: list[tuple[Scope, str]] = []
    for name in names:
        if "::" not in name:
            owner = owner_then(replay.left.record, here, name)
            if owner is not None and changes_in(replay, owner.vars[name]):
                return UNKNOWN  # what it was at the time is not known
            frame.vars[name] = None if owner is None else owner.vars[name]
        else:
            found = find_then(replay.left.record, here, name)
            leaf = name.rpartition("::")[2]
            if found.owner is not None and changes_in(replay, found.owner.vars[leaf]):
                return UNKNOWN
            unseen = [scope for scope in found.missed if isinstance(scope, Scope)] + found.later
            later += [(scope, leaf) for scope in unseen if leaf in scope.vars]
    evaluate = here.unit.once("value", node, lambda: make(here.unit, node))
    try:
        if not later:
            return evaluate(frame)
        with apart.without(later):
            return evaluate(frame)
    except (Problem, Fault, Jump):
        return UNKNOWN


def _given_by(replay: Replay, here: Here, call: ast.Call | ast.Method) -> Any:  # noqa: ANN401
    """What a call gave, as far as it is known and no secret, and has not changed since."""
    found = replay.indexes.result_of(call, here.frame, name_called(call))
    if found is None:
        return UNKNOWN
    told = replay.indexes.told
    if id(found) not in told:  # looked through once, however many elements are asked about
        hidden = isinstance(found.value, Sensitive) or opaque_in(found.value) is not None
        told[id(found)] = not hidden and not changes_in(replay, found.value)
    return found.value if told[id(found)] else UNKNOWN


def _read_by(node: object) -> tuple[list[str] | None, list[ast.Access]]:
    """The variables in an expression, and the accesses that may be to attributes of resources.

    There are none of it (None) if it may have effects or cannot be repeated.
    """
    names: list[str] = []
    attributes: list[ast.Access] = []
    todo: list[Any] = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, list):
            todo.extend(at)
        elif isinstance(at, ast.Variable):
            if at.name.isdigit():
                return None, []
            names.append(at.name)
        elif isinstance(at, _PURE):
            if isinstance(at, ast.Access):
                attributes.append(at)
            todo.extend(ast.parts(at))
        elif isinstance(at, ast.Record):
            return None, []
    return names, attributes


def _changed_since(replay: Replay, apart: Apart, here: Here, node: ast.Access) -> bool:
    """Whether an access is to an attribute of a resource that may have changed since."""
    for read in replay.indexes.reads_of(node):
        resource, key = read.detail
        if _may_change(resource, key):
            return True
    inner = unwound(node.left)
    if not isinstance(inner, ast.Access) or not isinstance(inner.left, ast.TypeName):
        return False
    if len(inner.keys) != 1 or len(node.keys) != 1:
        return True
    parts = (inner.keys[0], node.keys[0])
    title, key = (value_then(replay, apart, here, part) for part in parts)
    resource = resource_named(replay, inner.left, title)
    if resource is None:
        return True
    return _may_change(resource, key)


def _may_change(resource: Resource, key: str) -> bool:
    """Whether a parameter may have had another value before."""
    param = resource.params.get(key)
    return param is None or param.old is not None or param.when is not None
