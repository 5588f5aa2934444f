"""One text that has been parsed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.syntax import ast
from headwater.report import Diagnostic
from headwater.text import Source, Span


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
        """Expressions that closures have been made of; see `engine.steps`."""

    def once(self, kind: str, node: object, make: Callable[[], Any]) -> Any:  # noqa: ANN401
        """What is made from a node, made once for all compilations that use the text."""
        key = (kind, id(node))
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = make()
        return found

    def span(self, node: Any) -> Span:  # noqa: ANN401
        """Where a node stands."""
        return Span(self.source, node.start, node.end)

    def blamed(self, node: object) -> Span:
        """Where Puppet says that a node stands: an operation at its operator, a method's name."""
        match node:
            case ast.Binary(at=start) | ast.Method(function=ast.Name(start=start)):
                return Span(self.source, start, node.end)
        return self.span(node)

    def line(self, node: ast.Placed) -> int:
        """The line a node begins on."""
        start = node.start
        line = self.lines.get(start)
        if line is None:
            line = self.lines[start] = self.source.position(start).line
        return line
