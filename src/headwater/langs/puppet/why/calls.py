"""Calls in the trace: what they were given and read, what they copied, why lambdas ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.actions import name_called
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.variables import find_then, variable_node
from headwater.why import NOTHING, Node

if TYPE_CHECKING:
    from headwater.langs.puppet.why.replay import Path, Replay

_ITERATING = frozenset(["each", "map", "filter", "reverse_each", "group_by", "partition"])
"""Functions that call their lambda once for each element, whatever the elements are."""
_LOOKUPS = frozenset(["lookup", "hiera"])


class Calling:
    """The calls of one compilation."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.trace = replay.trace
        self.compilation = replay.compilation
        self._reads: dict[int, list[Any]] | None = None
        self._calls: dict[tuple[int, int], int] | None = None
        self._indexes: dict[tuple[int, int], dict[int, int]] = {}
        self._kept: list[Any] = []

    def of(self, here: Here, node: ast.Call | ast.Method, path: Path) -> Node:
        """The value of a call."""
        replay = self.replay
        args = call_arguments(node)
        found = [replay.of(here, arg) for arg in args]
        name = name_called(node)
        causes = self.reads(here, node)
        if node.block is not None:
            causes.append(replay.everything(here, *node.block.body, *node.block.params))
        inside = self.body(here, name, set())
        causes += [replay.everything(where, part) for part, where in inside]
        union = self.trace.union(*causes)
        copied = self._projection(here, node, name, args, path)
        if copied is not None:
            return self.trace.copy(copied, self.trace.union(union, *found))
        return self.trace.operation(name, found, union)

    def body(self, here: Here, name: str, seen: set[str]) -> list[tuple[Any, Here]]:
        """The body of a function written in Puppet, once; it sees the top or the node."""
        if name in seen:
            return []
        seen.add(name)
        callee = self.compilation.services.bodies.get(name)
        if callee is None:
            return []
        from headwater.langs.puppet.engine.functions import global_scope

        scope = global_scope(here.frame.scope)
        inside = Here(callee.unit, scope, here.guard, here.when)
        node = callee.node
        return [(part, inside) for part in (*node.body, *node.params)]

    def _projection(
        self, here: Here, node: Any, name: str, args: list[Any], path: Path
    ) -> Node | None:
        """A call that gives a part of what it reads as it is: ``dig``, ``getvar``, ``lookup`` …"""
        replay = self.replay
        if name == "dig" and args:
            keys = [replay.value(here, key) for key in args[1:]]
            if all(isinstance(key, str | int) for key in keys):
                return replay.of(here, args[0], (*keys, *path))
        if name == "unwrap" and args:
            return replay.of(here, args[0], path)
        if name == "getvar" and len(args) == 1:
            wanted = replay.value(here, args[0])
            if isinstance(wanted, str):
                root, *rest = split_key(wanted)
                if find_then(replay, here, str(root)).owner is not None:
                    return variable_node(replay, here, str(root), (*rest, *path), node)
        if name in _LOOKUPS:
            records = [
                read.detail
                for read in self._of_node(node)
                if read.kind == "hiera" and read.frame is here.frame
            ]
            if len(records) == 1 and any(tried.found for tried in records[0].tried):
                found = replay.places.hiera(here, records[0], path)[0]
                losers = replay.places.lower_levels(here, records[0], path)
                return self.trace.choice(found, losers=losers)
        return None

    # -- lambdas ---------------------------------------------------------------------------------

    def iteration(self, frame: Frame) -> Node:
        """Why a lambda was called: the call it is written after, and what that was given."""
        callee = frame.origin
        if callee is None or frame.up is None:
            return NOTHING
        call = self.replay.places.call_of(callee.unit, callee.node)
        if call is None:
            return NOTHING
        return self.turns(
            Here(callee.unit, frame.up, frame.guard, self.called(call, frame.up)), call
        )

    def turns(self, here: Here, call: ast.Call | ast.Method) -> Node:
        """What decides how often the lambda of a call is called."""
        replay = self.replay
        if call.block is None or name_called(call) not in _ITERATING:
            return replay.arguments(here, call)
        first, *rest = call_arguments(call)
        others = [replay.of(here, arg) for arg in rest]
        return self.trace.union(self.shape(here, first), *others, *self.reads(here, call))

    def shape(self, here: Here, node: Any) -> Node:
        """What decides how many elements there are, and under which keys."""
        replay = self.replay
        match node:
            case ast.Paren(value=inner):
                return self.shape(here, inner)
            case ast.Array(items=items) if not any(
                isinstance(unwound(item), ast.Splat) for item in items
            ):
                return replay.structure(here.unit, node)
            case ast.Hash(entries=entries):
                keys = [replay.key(here, entry.key) for entry in entries]
                return self.trace.union(replay.structure(here.unit, node), *keys)
            case ast.Variable(name=name) if "::" not in name:
                return self._shape_of_variable(here, node, name)
        return replay.of(here, node)

    def _shape_of_variable(self, here: Here, node: ast.Variable, name: str) -> Node:
        replay = self.replay
        owner = find_then(replay, here, name).owner
        write = owner.bindings.get(name) if owner is not None else None
        if write is None or write.kind != "assigned" or write.detail is not None:
            return replay.of(here, node)
        assert write.unit is not None
        assert write.frame is not None
        there = Here(write.unit, write.frame, write.guard, write.when - 1)
        if not isinstance(unwound(write.node), ast.Array | ast.Hash | ast.Variable):
            return replay.of(here, node)
        # Which variable is read is decided as for any element of it.
        looked = variable_node(replay, here, name, (_NO_ELEMENT,), node)
        return self.trace.union(self.shape(there, write.node), looked)

    def index_of(self, here: Here, node: Any, whole: list[Any], item: Any) -> int | None:
        """The only place of an element in an array that an expression gave."""
        key = (id(node), id(here.frame))
        known = self._indexes.get(key)
        if known is None:
            known = self._indexes[key] = {}
            for index, one in enumerate(whole):
                known[id(one)] = -1 if id(one) in known else index
            self._kept.append(whole)
        found = known.get(id(item), -1)
        return found if found >= 0 else None

    def called(self, call: Any, frame: Frame) -> int:
        """When a call of a lambda with effects was made in a frame."""
        if self._calls is None:
            self._calls = {
                (id(guard.node), id(guard.frame)): guard.when - 1
                for guard in self.compilation.record.decisions
                if isinstance(guard.node, ast.Call | ast.Method)
            }
        return self._calls.get((id(call), id(frame)), self.compilation.record.clock)

    # -- reads -----------------------------------------------------------------------------------

    def _of_node(self, node: Any) -> list[Any]:
        if self._reads is None:
            self._reads = {}
            for read in self.compilation.record.reads:
                self._reads.setdefault(id(read.node), []).append(read)
        return self._reads.get(id(node), [])

    def reads(self, here: Here, node: Any) -> list[Node]:
        """What a call read beside its arguments: variables, files, data, the catalog."""
        replay = self.replay
        found: list[Node] = []
        for kind, text, path, frame, unit, _, detail in self._of_node(node):
            where = Here(unit, frame, here.guard, here.when)
            if kind == "variable":
                found.append(variable_node(replay, where, text, (), node))
            elif kind == "hiera":
                found.append(replay.places.hiera(where, detail)[0])
            elif kind == "epp":
                template, up = detail
                inside = Here(template, up, here.guard, here.when)
                found.append(replay.everything(inside, *template.program.body))
            elif kind == "query":
                found.append(replay.states.query(where))
                found.append(replay.places.external(kind, text, path, unit.span(node)))
            else:
                found.append(replay.places.external(kind, text, path, unit.span(node)))
        return found


_NO_ELEMENT = -(1 << 40)
"""An index that no array has: asking for it finds what decides about any element."""


def call_arguments(node: ast.Call | ast.Method) -> list[Any]:
    """What a call is given, the receiver of a method and the type of ``new`` first."""
    if isinstance(node, ast.Method):
        return [node.receiver, *node.args]
    if isinstance(node.function, ast.Name):
        return [*node.args]
    return [node.function, *node.args]
