"""Provenance by replay: expressions are followed again over the frames that were recorded.

Variables are assigned once, so a frame as it is at the end says what every expression in
it saw.  Nothing is evaluated that could declare or write; where a value is needed to
know which way a choice went, pure expressions are evaluated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.engine.compiler import Compiler
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.equality import matches, same_value
from headwater.langs.puppet.engine.expressions import make, unwound
from headwater.langs.puppet.engine.frames import Frame, Guard, Write, find_write
from headwater.langs.puppet.engine.places import Places
from headwater.langs.puppet.fault import Fault, Jump, Problem
from headwater.langs.puppet.syntax import ast
from headwater.why import NOTHING, Kind, Label, Node, Trace

Path = tuple[str | int, ...]
UNKNOWN = object()

_PURE = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Name, ast.Regex,
    ast.TypeName, ast.Variable, ast.Interpolated, ast.Embedded, ast.Heredoc, ast.Array, ast.Hash,
    ast.Entry, ast.Paren, ast.Not, ast.Minus, ast.Splat, ast.Binary, ast.Access, ast.Selector,
    ast.Option,
)  # fmt: skip
_LITERALS = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Name, ast.Regex,
    ast.TypeName,
)  # fmt: skip


class Replay:
    """The trace of one compilation, made as questions come."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.trace = Trace()
        self.places = Places(compiler.inputs)
        self._known: dict[tuple[int, int, Path], Node] = {}
        self._guards: dict[int, Node] = {}
        self._kept: list[Any] = []

    # -- labels ----------------------------------------------------------------------------------

    def label(self, unit: Unit, node: Any, kind: Kind = "literal") -> Node:
        """The label of a piece of a program."""
        span = unit.span(node)
        return self.trace.label(Label(kind, span, span.text))

    # -- expressions -----------------------------------------------------------------------------

    def of(self, unit: Unit, node: Any, frame: Frame, path: Path = ()) -> Node:
        """How the value of an expression (or what lies in it along a path) came about."""
        key = (id(node), id(frame), path)
        known = self._known.get(key)
        if known is None:
            self._known[key] = NOTHING  # a value never depends on itself; this ends cycles
            known = self._known[key] = self._of(unit, node, frame, path)
        return known

    def _of(self, unit: Unit, node: Any, frame: Frame, path: Path) -> Node:
        if isinstance(node, _LITERALS):
            return self.label(unit, node)
        match node:
            case ast.Variable():
                return self._variable(unit, node, frame, path)
            case ast.Paren(value=inner) | ast.Embedded(value=inner) | ast.Splat(value=inner):
                return self.of(unit, inner, frame, path)
            case ast.Heredoc(text=inner) | ast.Assignment(right=inner):
                return self.of(unit, inner, frame, path)
            case ast.Array(items=items):
                return self._array(unit, node, items, frame, path)
            case ast.Hash():
                return self._hash(unit, node, frame, path)
            case ast.Interpolated(segments=segments):
                args = [self.of(unit, segment, frame) for segment in segments]
                return self.trace.operation("concat", args)
            case ast.Access():
                return self._access(unit, node, frame, path)
            case ast.Selector():
                return self._selector(unit, node, frame, path)
            case ast.If() | ast.Unless():
                return self._if(unit, node, frame, path)
            case ast.Not(value=inner):
                return self.trace.operation("!", [self.of(unit, inner, frame)])
            case ast.Minus(value=inner):
                return self.trace.operation("-", [self.of(unit, inner, frame)])
            case ast.Binary():
                return self._binary(unit, node, frame)
            case ast.Call() | ast.Method():
                return self._call(unit, node, frame, path)
        return self.trace.operation(
            type(node).__name__.lower(), [self.everything(unit, node, frame)]
        )

    def everything(self, unit: Unit, node: Any, frame: Frame) -> Node:
        """All that is written in a piece of program, and what its variables depend on."""
        found: list[Node] = []
        todo = [node]
        while todo:
            at = todo.pop()
            if isinstance(at, list):
                todo.extend(at)
            elif isinstance(at, _LITERALS):
                found.append(self.label(unit, at))
            elif isinstance(at, ast.Variable):
                found.append(self.of(unit, at, frame))
            elif isinstance(at, ast.Record):
                todo.extend(ast.parts(at))
        return self.trace.union(*found)

    def _array(self, unit: Unit, node: Any, items: list[Any], frame: Frame, path: Path) -> Node:
        plain = not any(isinstance(unwound(item), ast.Splat) for item in items)
        if path and plain and isinstance(path[0], int) and -len(items) <= path[0] < len(items):
            return self.of(unit, items[path[0]], frame, path[1:])
        args = [self.of(unit, item, frame) for item in items]
        if not args:
            return self.label(unit, node, "structure")
        return self.trace.operation("array", args)

    def _hash(self, unit: Unit, node: ast.Hash, frame: Frame, path: Path) -> Node:
        if path:
            for entry in reversed(node.entries):
                if same_value(self.value(unit, entry.key, frame), path[0]):
                    found = self.of(unit, entry.value, frame, path[1:])
                    return self.trace.guard(found, self.of(unit, entry.key, frame))
        args = [self.of(unit, part, frame) for e in node.entries for part in (e.key, e.value)]
        return self.trace.operation("hash", args) if args else self.label(unit, node, "structure")

    def _access(self, unit: Unit, node: ast.Access, frame: Frame, path: Path) -> Node:
        keys = [self.of(unit, key, frame) for key in node.keys]
        if isinstance(node.left, ast.TypeName):
            return self.trace.operation("reference", [self.label(unit, node.left), *keys])
        key = self.value(unit, node.keys[0], frame) if len(node.keys) == 1 else UNKNOWN
        if isinstance(key, str | int) and not isinstance(key, bool):
            found = self.of(unit, node.left, frame, (key, *path))
            return self.trace.copy(found, self.trace.union(*keys))
        return self.trace.operation("[]", [self.of(unit, node.left, frame), *keys])

    def _binary(self, unit: Unit, node: ast.Binary, frame: Frame) -> Node:
        left = self.of(unit, node.left, frame)
        if node.op in ("and", "or"):
            value = self.value(unit, node.left, frame)
            falsy = value is None or value is False
            if value is not UNKNOWN and falsy is (node.op == "and"):
                return self.trace.operation(node.op, [left])
        return self.trace.operation(node.op, [left, self.of(unit, node.right, frame)])

    def _selector(self, unit: Unit, node: ast.Selector, frame: Frame, path: Path) -> Node:
        value = self.value(unit, node.value, frame)
        causes = [self.of(unit, node.value, frame)]
        chosen: ast.Option | None = None
        for option in node.options:
            test = unwound(option.match)
            if isinstance(test, ast.Default):
                continue
            causes.append(self.of(unit, test, frame))
            pattern = self.value(unit, test, frame)
            if value is UNKNOWN or pattern is UNKNOWN:
                return self.trace.operation("?", [self.everything(unit, node, frame)])
            several = pattern if isinstance(test, ast.Splat) else [pattern]
            if any(matches(value, one, None) for one in several):
                chosen = option
                break
        if chosen is None:
            chosen = next((o for o in node.options if isinstance(o.match, ast.Default)), None)
        if chosen is None:
            return self.trace.union(*causes)
        found = self.of(unit, chosen.value, frame, path)
        return self.trace.guard(found, self.trace.union(*causes))

    def _if(self, unit: Unit, node: ast.If | ast.Unless, frame: Frame, path: Path) -> Node:
        value = self.value(unit, node.test, frame)
        if value is UNKNOWN:
            return self.trace.operation("if", [self.everything(unit, node, frame)])
        holds = value is not None and value is not False
        if isinstance(node, ast.Unless):
            holds = not holds
        body = node.then if holds else node.otherwise
        cause = self.of(unit, node.test, frame)
        if not body:
            return self.trace.guard(self.label(unit, node, "structure"), cause)
        return self.trace.guard(self.of(unit, body[-1], frame, path), cause)

    def _call(self, unit: Unit, node: ast.Call | ast.Method, frame: Frame, path: Path) -> Node:
        if isinstance(node, ast.Method):
            name, args = node.function.value, [node.receiver, *node.args]
        else:
            name = node.function.value if isinstance(node.function, ast.Name) else "new"
            args = list(node.args) if name != "new" else [node.function, *node.args]
        found = [self.of(unit, arg, frame) for arg in args]
        causes = [self._read(unit, node, frame)]
        if node.block is not None:
            causes.append(self.everything(unit, node.block.body, frame))
        return self.trace.operation(name, found, self.trace.union(*causes))

    def _read(self, unit: Unit, node: Any, frame: Frame) -> Node:
        """What a call read from outside: files, data, the state of the catalog."""
        found: list[Node] = []
        for kind, text, path, where, _, what in self.compiler.reads:
            at = what[0] if isinstance(what, tuple) else what
            if where is not frame or at is not node:
                continue
            if isinstance(what, tuple):
                found.append(self.places.hiera(self.trace, what[1])[0])
            else:
                found.append(self.places.external(self.trace, kind, text, path, unit.span(node)))
        return self.trace.union(*found)

    # -- variables -------------------------------------------------------------------------------

    def _variable(self, unit: Unit, node: ast.Variable, frame: Frame, path: Path) -> Node:
        name = node.name
        if name.isdigit():
            return self.guard(frame.guard)
        owner = self._owner(name, frame)
        if owner is None:
            return self.trace.miss(Label("miss", unit.span(node), f"${name}"))
        where, write = owner
        if write is not None:
            return self.write(write, where, path)
        return self._argument(name.rpartition("::")[2], where, path)

    def _owner(self, name: str, frame: Frame) -> tuple[Frame, Write | None] | None:
        if "::" in name:
            owner, _, leaf = name.removeprefix("::").rpartition("::")
            scope = self.compiler.class_scopes.get(owner) if owner else self.compiler.top
            while scope is not None:
                if leaf in scope.vars:
                    return scope, scope.writes.get(leaf)
                parent = scope.source.parent
                scope = self.compiler.class_scopes.get(parent) if parent else None
            return None
        found = find_write(frame, name)
        if found is not None:
            return found
        local: Frame | None = frame
        while local is not None:
            if name in local.vars:
                return local, None
            local = local.up
        return None

    def write(self, write: Write, frame: Frame, path: Path) -> Node:
        """How a variable got its value."""
        if write.kind == "parameter":
            return self.param(write.detail, path)
        if write.kind == "fact":
            return self.places.fact(self.trace, (*write.detail, *path))
        if write.kind == "argument" and write.unit is not None and write.frame is not None:
            args = write.node.args
            if len(args) > 1:
                return self.of(write.unit, args[1], write.frame, (write.detail, *path))
            return NOTHING
        assert write.unit is not None
        assert write.frame is not None
        if write.detail is not None:
            found = self.of(write.unit, write.node, write.frame)
        else:
            found = self.of(write.unit, write.node, write.frame, path)
        return self.trace.guard(found, self.guard(write.guard))

    def _argument(self, name: str, frame: Frame, path: Path) -> Node:
        """A parameter of a lambda: an element of what is iterated over."""
        callee, up = frame.origin, frame.up
        if callee is None or up is None:
            return self.label_of_builtin(name)
        call = self.places.call_of(callee.unit, callee.node)
        if call is None:
            return NOTHING
        args = [call.receiver, *call.args] if isinstance(call, ast.Method) else call.args
        if not args:
            return NOTHING
        whole = self.value(callee.unit, args[0], up)
        if isinstance(whole, list) and name == callee.names[-1]:
            same = [i for i, item in enumerate(whole) if item is frame.vars[name]]
            if len(same) == 1:
                return self.of(callee.unit, args[0], up, (same[0], *path))
        found = [self.of(callee.unit, arg, up) for arg in args]
        return self.trace.operation("element", found)

    def label_of_builtin(self, name: str) -> Node:
        """A variable that Puppet sets: $title, $name, $environment …"""
        return self.trace.label(Label("argument", self.compiler.unit.source.span(0, 0), f"${name}"))

    # -- parameters and guards (the rest is in causes) -------------------------------------------

    def param(self, param: Any, path: Path = ()) -> Node:
        """How a parameter of a resource got its value; see causes."""
        from headwater.langs.puppet.engine.params import param_node

        return param_node(self, param, path)

    def guard(self, guard: Guard | None) -> Node:
        """Why a piece of program ran: the conditions around it."""
        if guard is None:
            return NOTHING
        known = self._guards.get(id(guard))
        if known is None:
            self._kept.append(guard)
            node, unit, frame = guard.node, guard.unit, guard.frame
            causes = [self.guard(guard.outer)]
            if isinstance(node, ast.If | ast.Unless):
                causes.append(self.of(unit, node.test, frame))
            elif isinstance(node, ast.Case):
                causes.append(self.of(unit, node.test, frame))
                for option in node.options:
                    for value in option.values:
                        if not isinstance(value, ast.Default):
                            causes.append(self.of(unit, value, frame))
                    if option is guard.taken:
                        break
            else:
                causes.append(self.everything(unit, node, frame))
            known = self._guards[id(guard)] = self.trace.union(*causes)
        return known

    def value(self, unit: Unit, node: Any, frame: Frame) -> Any:
        """The value of an expression that has no effects; `UNKNOWN` for others."""
        if not _pure(node):
            return UNKNOWN
        match = frame.match
        try:
            return make(unit, node)(frame)
        except (Problem, Fault, Jump):
            return UNKNOWN
        finally:
            frame.match = match


def _pure(node: Any) -> bool:
    todo: list[Any] = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, list):
            todo.extend(at)
        elif isinstance(at, _PURE):
            todo.extend(ast.parts(at))
        elif isinstance(at, ast.Record):
            return False
    return True


__all__ = ["UNKNOWN", "Path", "Replay", "Sequence"]
