"""Node definitions: exact names first, then regular expressions in order, then default."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem, fail
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import regex_search


class Host(msgspec.Struct, frozen=True):
    """One host of a node definition, by the name that the definition gets from it."""

    name: str
    host: Any
    unit: Unit
    node: ast.Node


class Nodes:
    """The node definitions of a program: of a thousand, a compilation needs one."""

    def __init__(self, level: LanguageLevel) -> None:
        self._level = level
        self._named: dict[str, Host] = {}
        self._patterns: dict[str, Host] = {}
        self._hosts: list[Host] = []
        self._definitions: dict[str, Definition] = {}
        self._shared = False
        """Whether the tables of hosts are those of another text."""

    def __bool__(self) -> bool:
        return bool(self._hosts)

    def add(self, unit: Unit, node: ast.Node) -> None:
        """Adds a definition under each of its hosts."""
        self._own()
        for host in _hosts(unit, node, self._level):
            regex = isinstance(host.host, ast.Regex)
            table = self._patterns if regex else self._named
            if host.name in table:
                shown = f"/{host.host.pattern}/" if regex else host.name
                fail(codes.REDEFINED, unit.span(node), what="node", name=shown)
            table[host.name] = host
            self._hosts.append(host)

    def adopt(self, other: Nodes) -> bool:
        """Adds all definitions of another text at once; not where a name would be there twice."""
        if not (self._named.keys().isdisjoint(other._named)
                and self._patterns.keys().isdisjoint(other._patterns)):  # fmt: skip
            return False
        if not self._hosts and not self._named:  # as it nearly always is: what is added is copied
            self._named, self._patterns, self._hosts = other._named, other._patterns, other._hosts
            self._shared = True
            return True
        self._own()
        self._named |= other._named
        self._patterns |= other._patterns
        self._hosts += other._hosts
        return True

    def _own(self) -> None:
        """Before something is added: the tables of another text stay what they are."""
        if self._shared:
            self._named, self._patterns = {**self._named}, {**self._patterns}
            self._hosts, self._shared = [*self._hosts], False

    def named(self, name: str) -> Definition | None:
        """The definition with a name, however its letters are written."""
        found = self._named.get(name.lower())
        return None if found is None else self._definition(found)

    @property
    def hosts(self) -> list[tuple[Definition, Any]]:
        """Every host with its definition, as written."""
        return [(self._definition(host), host.host) for host in self._hosts]

    def find(self, name: str) -> Definition | None:
        """The definition for a node."""
        found = self.named(name)
        if found is not None:
            return found
        for host in self._patterns.values():
            try:
                match = regex_search(host.host.pattern, name.lower())
            except Problem as problem:
                raise problem.at(host.unit.span(host.node)) from None
            if match is not None:
                definition = self._definition(host)
                definition.match = match
                return definition
        return self.named("default")

    def _definition(self, host: Host) -> Definition:
        found = self._definitions.get(host.name)
        if found is None:
            found = Definition("node", host.name, host.unit, host.node)
            self._definitions[host.name] = found
        return found


def nodes_of(unit: Unit, nodes: list[ast.Node], level: LanguageLevel) -> Nodes | None:
    """The node definitions of one text; None if a name is there twice."""
    found = Nodes(level)
    try:
        for node in nodes:
            found.add(unit, node)
    except Fault:
        return None
    return found


def _hosts(unit: Unit, node: ast.Node, level: LanguageLevel) -> list[Host]:
    found = []
    for host in node.hosts:
        match host:
            case ast.Regex(pattern=pattern):
                name = _name(pattern, level)
            case ast.Default():
                name = "default"
            case _:
                name = _text(host).lower()
        found.append(Host(name, host, unit, node))
    return found


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
