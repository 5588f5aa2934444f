"""`Program`: the definitions of all texts that one compilation has read so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem, fail
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.definitions import Definition, hoisted
from headwater.langs.puppet.program.modules import Modules
from headwater.langs.puppet.program.nodes import Nodes, nodes_of
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.resolution import NAMES
from headwater.report import Diagnostic, Note

Check = Callable[[Unit, Definition], None]
"""Looks at the parameters of a definition when it is read."""


class Contents(msgspec.Struct, frozen=True):
    """The definitions of one text: all, all but those of nodes, and these."""

    all: list[Any]
    others: list[Any]
    nodes: Nodes | None
    """None if one of them is there twice."""
    plain: list[tuple[str, str, Any, str | None]] | None
    """Where there are only classes and defines: the kind, name and parent of each."""


def contents(unit: Unit, level: LanguageLevel) -> Contents:
    """The definitions of a text."""
    found = hoisted(unit.program)
    nodes = [node for node in found if isinstance(node, ast.Node)]
    others = [node for node in found if not isinstance(node, ast.Node)]
    plain = [
        ("class" if isinstance(node, ast.ClassDef) else "define", node.name.lower(), node,
         _parent(node))
        for node in found
        if isinstance(node, ast.ClassDef | ast.Define)
    ]  # fmt: skip
    return Contents(
        found, others, nodes_of(unit, nodes, level), plain if len(plain) == len(found) else None
    )


def _parent(node: ast.ClassDef | ast.Define) -> str | None:
    """The name of the class that a class inherits from."""
    parent = node.parent if isinstance(node, ast.ClassDef) else None
    return parent.lower().removeprefix("::") if parent else None


class Program:
    """Classes, defines, nodes, functions and aliases, loaded from modules as they are named.

    `check` looks at each definition that is read; `tell` takes what is doubtful in a text.
    """

    def __init__(
        self, units: list[Unit], modules: Modules, check: Check,
        tell: Callable[[Iterable[Diagnostic]], None],
    ) -> None:  # fmt: skip
        self.units = units
        self.modules = modules
        self.nodes = Nodes(modules.reading.level)
        self.definitions: dict[str, Definition] = {}
        self._functions: dict[str, tuple[Unit, ast.Function]] = {}
        self._aliases: dict[str, tuple[Unit, ast.Alias]] = {}
        self._check = check
        self._tell = tell
        self._doubted: set[Unit] = set()
        """The texts of which it was told what is doubtful in them."""
        self.main = Definition("class", "", units[0], None)
        self.main.body = units[0].program.body
        self.definitions[""] = self.main

    def apart(self, check: Check, tell: Callable[[Iterable[Diagnostic]], None]) -> Program:
        """The same program, which may load more without this one knowing."""
        from copy import copy

        copied = copy(self)
        copied.modules = self.modules.apart()
        copied.definitions = {**self.definitions}
        copied._functions, copied._aliases = {**self._functions}, {**self._aliases}
        copied._doubted = {*self._doubted}
        copied._check, copied._tell = check, tell
        return copied

    def doubt(self, unit: Unit) -> None:
        """Tells what is doubtful in a text that is used, once."""
        if unit.findings and unit not in self._doubted:
            self._doubted.add(unit)
            self._tell(self.modules.reading.judged(unit.findings))

    def take(self, unit: Unit) -> None:
        """Takes over the definitions of a text, and what is doubtful in it."""
        self.doubt(unit)
        level = self.modules.reading.level
        found: Contents = unit.once(
            f"definitions {level.number}", unit.program, lambda: contents(unit, level)
        )
        if found.plain is not None:
            for kind, name, node, parent in found.plain:
                self._define(kind, name, unit, node, parent)
            return
        known = found.nodes is not None and self.nodes.adopt(found.nodes)
        for node in found.others if known else found.all:
            match node:
                case ast.ClassDef():
                    self._define("class", node.name.lower(), unit, node, _parent(node))
                case ast.Define():
                    self._define("define", node.name.lower(), unit, node, None)
                case ast.Node():
                    self.nodes.add(unit, node)
                case ast.Function():
                    self._once(self._functions, node.name, unit, node, "function")
                case ast.Alias():
                    self._once(self._aliases, node.name.lower(), unit, node, "type")
                case _:
                    fail(codes.NOT_YET, unit.span(node), what="a type mapping")

    def _once(self, table: dict[str, Any], name: str, unit: Unit, node: object, what: str) -> None:
        """Notes a function or alias; refuses a second one of the name."""
        other = table.get(name)
        if other is not None and other != (unit, node):
            labels = [Note("defined here", other[0].span(other[1]))]
            raise Fault(codes.REDEFINED.at(unit.span(node), labels=labels, what=what, name=name))
        if what == "type" and name in NAMES:
            raise Fault(codes.REDEFINED.at(unit.span(node), what="the built-in type", name=name))
        table[name] = (unit, node)

    def _define(
        self,
        kind: str,
        name: str,
        unit: Unit,
        node: ast.ClassDef | ast.Define | ast.Node,
        parent: str | None,
    ) -> None:
        other = self.definitions.get(name)
        if other is not None:
            labels = [Note("defined here", other.unit.span(other.node))] if other.unit else []
            what = "class" if kind == "class" else "define"
            raise Fault(codes.REDEFINED.at(unit.span(node), labels=labels, what=what, name=name))
        definition = self.definitions[name] = Definition(kind, name, unit, node, parent)
        self._check(unit, definition)

    # -- questions -------------------------------------------------------------------------------

    def _find(self, name: str, kind: str) -> Definition | None:
        name = name.lower().removeprefix("::")
        found = self.definitions.get(name)
        if found is None and name:
            for place, unit in enumerate(self.modules.texts_for(name)):
                if unit is not None:
                    self.take(unit)
                found = self.definitions.get(name)
                if found is not None and place:  # after an init.pp Puppet reads one more file
                    break
        return found if found is not None and found.kind == kind else None

    def find_class(self, name: str) -> Definition | None:
        """The class of a name, loaded from a module if need be."""
        return self._find(name, "class")

    def unknown_class(self, name: str) -> Problem:
        """The problem of a name that no class has, and why that may be."""
        help = self.modules.absence(name, anywhere=False)
        return Problem(codes.UNKNOWN_CLASS, name=name, help=help)

    def find_define(self, name: str) -> Definition | None:
        """The define of a name, loaded from a module if need be."""
        return self._find(name, "define")

    def parent_of(self, definition: Definition) -> Definition:
        """The class a class inherits from."""
        if definition.parent_definition is None:
            assert definition.parent is not None
            found = self.find_class(definition.parent)
            if found is None:
                raise self.unknown_class(definition.parent)
            if found.parent is None and found is not definition:
                definition.parent_definition = found
                return found
            line = [definition]
            names = {definition.name}
            seen: Definition | None = found
            while seen is not None:
                if seen.name in names:
                    raise Problem(codes.INHERITS_ITSELF, name=seen.name)
                names.add(seen.name)
                line.append(seen)
                if seen.parent_definition is not None:
                    break  # what is above has been gone through
                seen = self.find_class(seen.parent) if seen.parent is not None else None
            for child, parent in pairwise(line):
                child.parent_definition = parent
        assert definition.parent_definition is not None
        return definition.parent_definition

    def function(self, name: str) -> tuple[Unit, ast.Function] | str | None:
        """A function written in Puppet, or the path of one written in Ruby."""
        found = self._functions.get(name) or self.modules.function(name)
        if isinstance(found, tuple):
            self.doubt(found[0])
        return found

    def own_function(self, name: str) -> tuple[Unit, ast.Function] | None:
        """A function of the texts themselves, which wins over those that are built in."""
        return self._functions.get(name)

    def alias(self, key: str) -> tuple[Unit, ast.Alias] | None:
        """The definition of an alias of a type, by its name in lower case."""
        found = self._aliases.get(key) or self.modules.alias(key)
        if found is not None:
            self.doubt(found[0])
        return found
