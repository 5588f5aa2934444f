"""Node definitions: exact names first, then regular expressions in order, then default."""

from __future__ import annotations

import re
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import regex_search


class Nodes:
    """The node definitions of a program."""

    def __init__(self, level: LanguageLevel) -> None:
        self._level = level
        self.named: dict[str, Definition] = {}
        self.patterns: list[tuple[str, Definition]] = []
        self._pattern_names: set[str] = set()
        self.hosts: list[tuple[Definition, Any]] = []
        """Every host with its definition, as written."""

    def __bool__(self) -> bool:
        return bool(self.named or self.patterns)

    def add(self, unit: Unit, node: ast.Node) -> None:
        """Adds a definition under each of its hosts."""
        for host in node.hosts:
            match host:
                case ast.Regex(pattern=pattern):
                    name = _name(pattern, self._level)
                    if name in self._pattern_names:
                        fail(codes.REDEFINED, unit.span(node), what="node", name=f"/{pattern}/")
                    self._pattern_names.add(name)
                    definition = Definition("node", name, unit, node)
                    self.patterns.append((pattern, definition))
                case _:
                    name = "default" if isinstance(host, ast.Default) else _text(host).lower()
                    if name in self.named:
                        fail(codes.REDEFINED, unit.span(node), what="node", name=name)
                    definition = self.named[name] = Definition("node", name, unit, node)
            self.hosts.append((definition, host))

    def find(self, name: str) -> Definition | None:
        """The definition for a node."""
        found = self.named.get(name.lower())
        if found is not None:
            return found
        for pattern, definition in self.patterns:
            try:
                match = regex_search(pattern, name.lower())
            except Problem as problem:
                assert definition.unit is not None
                raise problem.at(definition.unit.span(definition.node)) from None
            if match is not None:
                definition.match = match
                return definition
        return self.named.get("default")


_SIGNS = str.maketrans(
    {"(": "lp", "?": "qu", "<": "lt", ">": "gt", "!": "ex", "=": "eq", ")": "rp"}
)


def _name(pattern: str, level: LanguageLevel) -> str:
    """The name of a definition that has a regular expression: of its source, what names may have.

    A group ``(?…)`` keeps its signs as letters at levels that tell such groups apart.
    """
    source = pattern.lower()
    if level.node_groups:
        source = re.sub(r"\(\?[^)]*+(\)|\Z)", _with_letters, source)
    name = re.sub(r"[^-\w:.]", "", source, flags=re.ASCII)
    return "__node_regexp__" + re.sub(r"^\.+", "", name)


def _with_letters(group: re.Match[str]) -> str:
    return group[0].translate(_SIGNS) if group[1] else group[0]


def _text(host: ast.Interpolated | ast.Name | ast.String | ast.Float | ast.Integer) -> str:
    if isinstance(host, ast.Interpolated):
        return "".join(str(getattr(segment, "value", "")) for segment in host.segments)
    return str(host.value)
