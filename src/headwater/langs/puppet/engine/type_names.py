"""What capitalised names mean in one compilation: data types, aliases, types of resources."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.natives import Natives
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.aliases import define
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.parameters import parameterise
from headwater.langs.puppet.types.resolution import NAMES, parse_type, resolve
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ResourceRef, capitalised

_KEPT = "alias"
"""What aliases are kept under that mean the same wherever the aliases in them do."""


class Types:
    """The names of types that can be seen: of data, and of resources."""

    def __init__(self, program: Program, natives: Natives) -> None:
        self._program = program
        self._natives = natives
        self.known: dict[str, Any] = {}
        """What capitalised names that were asked for stand for; see `named`."""
        self._aliases: dict[str, model.AliasType] = {}
        self._whole: set[str] = set()
        """Aliases that are resolved, and that name nothing but built-in types and others such."""
        self.resources: dict[str, tuple[str, TypeInfo | None, Definition | None]] = {}
        """The types of resources that have been named; see `resource`."""

    def apart(self, program: Program) -> Types:
        """The same names for a program that is set apart."""
        return Types(program, self._natives)

    def resource(self, name: str) -> tuple[str, TypeInfo | None, Definition | None]:
        """A type of resources: its name as in references, and the native type or the define."""
        found = self.resources.get(name)
        if found is None:
            info = self._natives.find(name) if "::" not in name else None
            definition = None if info is not None else self._program.find_define(name)
            if info is None and definition is None:
                help = self._program.modules.absence(name)
                raise Problem(codes.UNKNOWN_TYPE, name=name, help=help)
            found = (capitalised(name), info, definition)
            self.resources[name] = found
        return found

    def natives(self) -> list[TypeInfo]:
        """The native types that a program has named."""
        return [info for _, info, _ in self.resources.values() if info is not None]

    def source_of(self, info: TypeInfo) -> str | None:
        """The file of Ruby that defines a type of resources."""
        return self._natives.path(info.name)

    def tell(self, info: TypeInfo) -> None:
        """What is known of a type of resources from now on."""
        self._natives.tell(info)
        self.resources[info.name] = (capitalised(info.name), info, None)

    def named(self, name: str) -> model.Type:
        """What a capitalised name stands for; refuses a name that stands for nothing."""
        found = self.known.get(name)
        if found is None:
            key = name.lower().removeprefix("::")
            found = NAMES.get(key) or self.lookup(key)
            if key == "node":
                found = ResourceRef("Node")  # of node definitions, which no resource declares
            if found is None:
                help = self._program.modules.absence(name)
                raise Problem(codes.UNKNOWN_TYPE, name=name, help=help)
            self.known[name] = found
        return found

    def lookup(self, key: str) -> model.Type | None:
        """An alias, or a type of resources, by its name in lower case."""
        alias = self._alias(key)
        if alias is not None:
            return alias
        try:
            ref_type, _, _ = self.resource(key)
        except Problem:
            return None
        return ResourceRef(ref_type)

    def _alias(self, key: str) -> model.AliasType | None:
        aliases = self._aliases
        known = aliases.get(key)
        if known is not None:
            return known
        found = self._program.alias(key)
        if found is None:
            return None
        unit, node = found
        place = (_KEPT, id(node))
        kept: tuple[model.AliasType, dict[str, Any]] | None = unit.made.get(place)
        if kept is not None and all(self._alias(k) is used for k, used in kept[1].items()):
            aliases[key] = kept[0]
            self._whole.add(key)
            return kept[0]
        alias = aliases[key] = model.AliasType(capitalised(node.name.removeprefix("::")))
        used: dict[str, model.Type | None] = {}

        def lookup(name: str) -> model.Type | None:
            found = used[name] = self.lookup(name)
            return found

        try:
            define(alias, resolve(node.type, lookup, alias=True))
        except BadType as error:
            del aliases[key]
            raise Problem(codes.BAD_TYPE_EXPRESSION, message=str(error)).at(
                unit.span(node)
            ) from None
        if all(other in self._whole for other in used):
            self._whole.add(key)
            unit.made[place] = (alias, used)
        return alias

    def parameterized(self, type_: model.Type, keys: list[Any]) -> Value:
        """``T[keys]``"""
        try:
            return parameterise(type_, keys)
        except BadType as error:
            raise Problem(codes.BAD_TYPE_EXPRESSION, message=str(error)) from None

    def parsed(self, text: str) -> model.Type:
        """The type, or the reference, that a text spells."""
        try:
            return parse_type(text, self.lookup)
        except BadType as error:
            raise Problem(codes.BAD_TYPE_EXPRESSION, message=str(error)) from None


def is_plain(node: object) -> bool:
    """Whether a type means the same in every compilation: names of built-in types, literals."""
    todo: list[Any] = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, list):
            todo.extend(at)
        elif isinstance(at, ast.TypeName):
            if at.value.lower() not in NAMES:
                return False
        elif isinstance(at, ast.Variable | ast.Call | ast.Method):
            return False
        elif isinstance(at, ast.Record):
            todo.extend(ast.parts(at))
    return True
