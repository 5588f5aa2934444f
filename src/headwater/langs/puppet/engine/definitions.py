"""Definitions: classes, defines, nodes and functions, with the text they stand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.syntax import ast
from headwater.report import Diagnostic
from headwater.text import Source, Span

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.frames import Frame

    Code = Callable[[Frame], Any]


class Unit:
    """One text that has been parsed: where its nodes stand, and which module it belongs to."""

    __slots__ = ("findings", "lines", "made", "module", "name", "program", "size", "source")

    def __init__(self, program: ast.Program, module: str | None = None) -> None:
        self.program = program
        self.source: Source = program.source
        self.name = program.source.name
        self.module = module
        self.lines: dict[int, int] = {}
        self.made: dict[tuple[str, int], Any] = {}
        self.findings: list[Diagnostic] = []
        self.size = 0
        """Expressions that closures have been made of; see `steps`."""

    def once(self, kind: str, node: Any, make: Callable[[], Any]) -> Any:
        """What is made from a node, made once for all compilations that use the text."""
        key = (kind, id(node))
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = make()
        return found

    def span(self, node: Any) -> Span:
        """Where a node stands."""
        return Span(self.source, node.start, node.end)

    def blamed(self, node: Any) -> Span:
        """Where Puppet says that a node stands: an operation at its operator, a method's name."""
        match node:
            case ast.Binary(at=start) | ast.Method(function=ast.Name(start=start)):
                return Span(self.source, start, node.end)
        return self.span(node)

    def line(self, node: Any) -> int:
        """The line a node begins on."""
        start = node.start
        line = self.lines.get(start)
        if line is None:
            line = self.lines[start] = self.source.position(start).line
        return line


_CONSTANTS = (ast.Undef, ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name)


def is_constant(node: Any) -> bool:
    """Whether an expression has the same value everywhere."""
    return isinstance(node, _CONSTANTS)


def constant_of(node: Any) -> Any:
    """The value of an expression that is constant, else None."""
    return node.value if is_constant(node) and not isinstance(node, ast.Undef) else None


class Parameter:
    """A parameter: its name, and how to get its type and default once they are compiled."""

    __slots__ = ("constant", "default", "name", "node", "plain", "splat", "type", "type_value")

    def __init__(self, node: ast.Param, type_: Code | None, default: Code | None) -> None:
        self.node = node
        self.name = node.name
        self.splat = node.splat
        self.type = type_
        self.default = default
        self.type_value: Any = None
        self.plain = False
        self.constant = is_constant(node.default)


class Definition:
    """A class, define or node: Puppet calls it a resource type.

    `kind` is ``class``, ``define`` or ``node``; `overriding` is set once a collector with
    new values was evaluated in it, after which it may override anything.
    """

    __slots__ = ("body", "code", "kind", "match", "name", "node", "overriding", "params",
                 "parent", "parent_definition", "steps", "unit")  # fmt: skip

    def __init__(
        self,
        kind: str,
        name: str,
        unit: Unit | None,
        node: ast.ClassDef | ast.Define | ast.Node | None,
        parent: str | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.unit = unit
        self.node = node
        self.parent = parent
        self.parent_definition: Definition | None = None
        self.overriding = False
        self.params: list[Parameter] | None = None
        self.body: list[ast.Expr] = node.body if node is not None else []
        self.code: Code | None = None
        self.steps = 0
        """What a run of the body counts."""
        self.match: Any = None

    @property
    def module(self) -> str | None:
        """The module whose file it stands in."""
        return self.unit.module if self.unit is not None else None

    def child_of(self, other: Definition | None) -> bool:
        """Whether it may override what the other declared: it inherits from it, or may all."""
        if self.overriding:
            return True
        seen: Definition | None = self
        while seen is not None and seen.parent is not None:
            seen = seen.parent_definition
            if seen is None:
                return False
            if seen is other or seen.overriding:
                return True
        return False


def hoisted(program: ast.Program) -> list[Any]:
    """The definitions of a program, nested classes too, in order."""
    found: list[Any] = []

    def visit(statements: list[Any]) -> None:
        for statement in statements:
            match statement:
                case ast.ClassDef():
                    found.append(statement)
                    visit(statement.body)
                case ast.Define() | ast.Node() | ast.Function() | ast.Alias() | ast.TypeMapping():
                    found.append(statement)
                case ast.Block(statements=inner):
                    visit(inner)
                case _:
                    pass

    visit(program.body)
    return found
