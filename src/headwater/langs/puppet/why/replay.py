"""Provenance by replay: expressions are followed again over the frames that were recorded.

Variables are assigned once, so a frame as it is at the end says what every expression saw,
as far as it was written before.  Nothing is evaluated that could declare or write; where a
value is needed to know which way a choice went, pure expressions are evaluated again.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import identity
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import matches
from headwater.langs.puppet.why.absences import Absences, is_default_option
from headwater.langs.puppet.why.actions import name_called, parts
from headwater.langs.puppet.why.calls import Calling, call_arguments
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.inputs import Places
from headwater.langs.puppet.why.reasons import Running
from headwater.langs.puppet.why.replayed import UNKNOWN, past_value
from headwater.langs.puppet.why.resources import States
from headwater.langs.puppet.why.variables import variable_node
from headwater.why import NOTHING, Kind, Label, Node, Trace

Path = tuple[str | int, ...]

_LITERALS = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Name, ast.Regex,
    ast.TypeName,
)  # fmt: skip


class Replay:
    """The trace of one compilation, made as questions come."""

    def __init__(self, compilation: Compilation, trace: Trace | None = None) -> None:
        self.compilation = compilation
        self.trace = Trace() if trace is None else trace
        self.strict = (
            compilation.messages.strict_variables or compilation.messages.strict == "error"
        )
        self.places = Places(self)
        self.states = States(self)
        self.running = Running(self)
        self.absences = Absences(self)
        self.titles: dict[Resource, Node] = {}
        self._known: dict[tuple[int, int, Path], Node] = {}
        self._whole: dict[tuple[int, int], Node] = {}
        self.calling = Calling(self)

    # -- labels ----------------------------------------------------------------------------------

    def label(self, unit: Unit, node: Any, kind: Kind = "literal") -> Node:
        """The label of a piece of a program."""
        span = unit.span(node)
        return self.trace.label(Label(kind, span, span.text))

    def structure(self, unit: Unit, node: Any) -> Node:
        """The label of the shape of an array or hash as it is written."""
        text = "[…]" if isinstance(node, ast.Array) else "{…}"
        return self.trace.label(Label("structure", unit.span(node), text))

    def undef(self, causes: Node) -> Node:
        """A value that is not there."""
        return self.trace.operation("undef", [], causes)

    # -- expressions -----------------------------------------------------------------------------

    def of(self, here: Here, node: Any, path: Path = ()) -> Node:
        """How the value of an expression (or what lies in it along a path) came about."""
        key = (id(node), id(here.frame), path)
        known = self._known.get(key)
        if known is None:
            self._known[key] = NOTHING  # a value never depends on itself; this ends cycles
            try:
                known = self._known[key] = self._of(here, node, path)
            except BaseException:
                del self._known[key]
                raise
        return known

    def _of(self, here: Here, node: Any, path: Path) -> Node:
        if isinstance(node, _LITERALS):
            return self.label(here.unit, node)
        match node:
            case ast.Variable(name=name):
                return variable_node(self, here, name, path, node)
            case ast.Paren(value=inner) | ast.Embedded(value=inner) | ast.Splat(value=inner):
                return self.of(here, inner, path)
            case ast.Heredoc(text=inner) | ast.Assignment(right=inner):
                return self.of(here, inner, path)
            case ast.Array(items=items):
                return self._array(here, node, items, path)
            case ast.Hash():
                return self._hash(here, node, path)
            case ast.Interpolated(segments=segments):
                args = [self.of(here, segment) for segment in segments]
                return self.trace.operation("concat", args)
            case ast.Access():
                return self._access(here, node, path)
            case ast.Selector() | ast.Case():
                return self._choice(here, node, path)
            case ast.If() | ast.Unless():
                return self._if(here, node, path)
            case ast.Not(value=inner):
                return self.trace.operation("!", [self.of(here, inner)])
            case ast.Minus(value=ast.Integer() | ast.Float()):
                return self.label(here.unit, node)
            case ast.Minus(value=inner):
                return self.trace.operation("-", [self.of(here, inner)])
            case ast.Binary():
                return self._binary(here, node)
            case ast.Call() | ast.Method():
                return self.calling.of(here, node, path)
        return self.trace.operation(type(node).__name__.lower(), [self.everything(here, node)])

    def everything(self, here: Here, *nodes: Any) -> Node:
        """All that is written in a piece of program, and all that it could have read."""
        found: list[Node] = []
        for node in nodes:
            key = (id(node), id(here.frame))
            known = self._whole.get(key)
            if known is None:
                known = self._whole[key] = self._everything(here, node)
            found.append(known)
        return self.trace.union(*found)

    def _everything(self, here: Here, node: Any) -> Node:
        found: list[Node] = []
        todo = [(node, here)]
        functions: set[str] = set()
        while todo:
            at, where = todo.pop()
            if isinstance(at, _LITERALS):
                found.append(self.label(where.unit, at))
            elif isinstance(at, ast.Variable):
                found.append(self.of(where, at))
            elif isinstance(at, ast.Record):
                if isinstance(at, ast.Array | ast.Hash):
                    found.append(self.structure(where.unit, at))
                elif isinstance(at, ast.Access) and isinstance(unwound(at.left), ast.Access):
                    found.append(self.of(where, at))
                elif isinstance(at, ast.Call | ast.Method):
                    found += self.reads(where, at)
                    todo += self.calling.body(where, name_called(at), functions)
                todo.extend((part, where) for part in parts(at))
        return self.trace.union(*found)

    # -- arrays, hashes, access ------------------------------------------------------------------

    def _array(self, here: Here, node: ast.Array, items: list[Any], path: Path) -> Node:
        plain = not any(isinstance(unwound(item), ast.Splat) for item in items)
        structure = self.structure(here.unit, node)
        if path and plain and isinstance(path[0], int):
            if -len(items) <= path[0] < len(items):
                return self.trace.guard(self.of(here, items[path[0]], path[1:]), structure)
            return self.undef(structure)
        args = [self.of(here, item) for item in items]
        return self.trace.operation("array", args, structure)

    def _hash(self, here: Here, node: ast.Hash, path: Path) -> Node:
        keys = [self.key(here, entry.key) for entry in node.entries]
        structure = self.trace.union(self.structure(here.unit, node), *keys)
        if path:
            known = [self.value(here, entry.key) for entry in node.entries]
            for entry, key in zip(reversed(node.entries), reversed(known), strict=True):
                if identity(key) == path[0]:
                    return self.trace.guard(self.of(here, entry.value, path[1:]), structure)
            if UNKNOWN not in known:
                return self.undef(structure)
        args: list[Node] = []
        for key, entry in zip(keys, node.entries, strict=True):
            args += [key, self.of(here, entry.value)]
        return self.trace.operation("hash", args, structure)

    def key(self, here: Here, node: Any) -> Node:
        """A key of a hash."""
        if isinstance(node, _LITERALS):
            return self.label(here.unit, node, "key")
        return self.of(here, node)

    def _access(self, here: Here, node: ast.Access, path: Path) -> Node:
        keys = [self.of(here, key) for key in node.keys]
        if isinstance(node.left, ast.TypeName):
            return self.trace.operation("reference", keys)
        key = self.value(here, node.keys[0]) if len(node.keys) == 1 else UNKNOWN
        target = unwound(node.left)
        if isinstance(target, ast.Access) and isinstance(target.left, ast.TypeName):
            return self.states.attribute(here, node, target, key, path)
        if isinstance(key, str | int) and not isinstance(key, bool):
            found = self.of(here, node.left, (key, *path))
            return self.trace.copy(found, self.trace.union(*keys))
        return self.trace.operation("[]", [self.of(here, node.left), *keys])

    # -- operators and choices -------------------------------------------------------------------

    def _binary(self, here: Here, node: ast.Binary) -> Node:
        left = self.of(here, node.left)
        if node.op in ("and", "or"):
            value = self.value(here, node.left)
            falsy = value is None or value is False
            if value is not UNKNOWN and falsy is (node.op == "and"):
                return self.trace.operation(node.op, [left, self.trace.operation("_", [])])
        return self.trace.operation(node.op, [left, self.of(here, node.right)])

    def _choice(self, here: Here, node: ast.Selector | ast.Case, path: Path) -> Node:
        """A selector, or a case as a value."""
        subject = node.value if isinstance(node, ast.Selector) else node.test
        value = self.value(here, subject)
        causes = [self.of(here, subject)]
        default: Any = None
        for option in node.options:
            tests = option.values if isinstance(option, ast.When) else [option.match]
            if is_default_option(option):
                default = option
            for test in map(unwound, tests):
                if isinstance(test, ast.Default):
                    continue
                causes.append(self.of(here, test))
                pattern = self.value(here, test)
                if value is UNKNOWN or pattern is UNKNOWN:
                    return self.trace.operation("?", [self.everything(here, node)])
                several = pattern if isinstance(test, ast.Splat) else [pattern]
                if any(matches(value, one, None) for one in several):
                    return self._chosen(here, option, causes, path)
        if default is None:
            return self.undef(self.trace.union(*causes))
        tests = default.values if isinstance(default, ast.When) else [default.match]
        causes += [self.label(here.unit, test) for test in tests if isinstance(test, ast.Default)]
        return self._chosen(here, default, causes, path)

    def _chosen(self, here: Here, option: Any, causes: list[Node], path: Path) -> Node:
        union = self.trace.union(*causes)
        body = option.body if isinstance(option, ast.When) else [option.value]
        found = self.of(here, body[-1], path) if body else self.undef(NOTHING)
        return self.trace.guard(found, union)

    def _if(self, here: Here, node: ast.If | ast.Unless, path: Path) -> Node:
        value = self.value(here, node.test)
        if value is UNKNOWN:
            return self.trace.operation("if", [self.everything(here, node)])
        holds = value is not None and value is not False
        if isinstance(node, ast.Unless):
            holds = not holds
        body = node.then if holds else node.otherwise
        cause = self.of(here, node.test)
        if not body:
            return self.undef(cause)
        return self.trace.guard(self.of(here, body[-1], path), cause)

    # -- calls (see calling) ---------------------------------------------------------------------

    def reads(self, here: Here, node: Any) -> list[Node]:
        """What a call read beside its arguments: variables, files, data, the catalog."""
        return self.calling.reads(here, node)

    def arguments(self, here: Here, node: ast.Call | ast.Method) -> Node:
        """All that a call is given, and what it reads by itself."""
        found = [self.of(here, arg) for arg in call_arguments(node)]
        return self.trace.union(*found, *self.reads(here, node))

    def value(self, here: Here, node: Any) -> Any:
        """The value of an expression that has no effects; `UNKNOWN` for others."""
        return past_value(self, here, node)


__all__ = ["UNKNOWN", "Path", "Replay", "call_arguments"]
