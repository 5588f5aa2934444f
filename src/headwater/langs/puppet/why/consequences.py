"""What a piece of program could do if it ran: the static half of D+.

The consequences of a branch that was not taken are found when provenance is asked for, through
the bodies of classes, defines and functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.functions import OWN_NAMES
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.functions import NAMES
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast

ANY = "*"
"""Stands in the sets of `Consequences` for every name."""

_DEFINING = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
             ast.TypeDef)  # fmt: skip
_DECLARING = frozenset(["include", "contain", "require", "hiera_include"])
_JUMPS = frozenset(["break", "next", "return"])
_READING = frozenset(
    ["defined", "tagged", "lookup", "hiera", "hiera_array", "hiera_hash", "epp", "inline_epp",
     "template", "inline_template", "fail", "getvar"]
)  # fmt: skip
"""Functions of the compilation that only read."""


class Consequences:
    """What may be assigned, declared, added, defaulted, overridden, collected …; see `ANY`."""

    __slots__ = ("assigned", "classes", "collected", "defaults", "jumps", "overrides", "relations",
                 "tags", "types")  # fmt: skip

    def __init__(self) -> None:
        self.assigned: set[str] = set()
        self.classes: set[str] = set()
        self.types: set[str] = set()
        self.defaults: set[str] = set()
        self.overrides: set[str] = set()
        self.collected: set[str] = set()
        self.relations = False
        self.tags = False
        self.jumps = False

    @property
    def grows(self) -> bool:
        """Whether the set of outputs may change."""
        return bool(
            self.classes or self.types or self.defaults or self.overrides or self.collected
            or self.relations or self.tags
        )  # fmt: skip

    def everything(self) -> None:
        """It may do anything: a function that nobody here can read."""
        for names in (self.classes, self.types, self.overrides, self.collected):
            names.add(ANY)
        self.relations = self.tags = True


def consequences(statements: Iterable[Any], unit: Unit, program: Program) -> Consequences:
    """The consequences of statements, should they run."""
    return Walk(program).run(statements, unit)


class Walk:
    """One walk over statements and the definitions they lead to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found = Consequences()
        self.entered: set[tuple[str, str]] = set()
        # A node, whether it runs in the frame, whether in the scope, and the text it stands in.
        self.todo: list[tuple[Any, bool, bool, Unit]] = []

    def run(self, statements: Iterable[Any], unit: Unit) -> Consequences:
        """Walks until nothing is left."""
        self.todo += [(node, True, True, unit) for node in statements]
        while self.todo:
            node, in_frame, in_scope, where = self.todo.pop()
            if isinstance(node, _DEFINING) or not isinstance(node, ast.Record):
                continue
            self.look(node, in_frame, in_scope, where)
            inner = in_frame and not isinstance(node, ast.Lambda)
            self.todo += [(part, inner, in_scope, where) for part in ast.children(node)]
        return self.found

    def look(self, node: Any, in_frame: bool, in_scope: bool, unit: Unit) -> None:
        """Notes what one node does by itself."""
        found = self.found
        match node:
            case ast.Assignment(left=left):
                if in_frame:
                    found.assigned.update(_variables(left))
            case ast.Resource(type=type_, bodies=bodies):
                self.resource(type_, [body.title for body in bodies])
            case ast.Defaults(type=type_):
                if in_scope:
                    found.defaults.add(_type_name(type_))
            case ast.Override(target=target):
                of = target.left if isinstance(target, ast.Access) else None
                found.overrides.add(_type_name(of))
            case ast.Collect(type=type_):
                found.collected.add(_type_name(type_))
            case ast.Relation():
                found.relations = True
            case ast.Call(args=args):
                self.call(name_called(node), args)
            case ast.Method(receiver=receiver, args=args):
                self.call(name_called(node), [receiver, *args])

    def resource(self, type_: Any, titles: list[Any]) -> None:
        """A resource expression: a native type, a define, or classes."""
        if isinstance(type_, ast.Name | ast.String):
            self.add(type_.value.removeprefix("::").lower(), titles)
        else:
            self.found.types.add(ANY)
            self.found.classes.add(ANY)

    def add(self, name: str, titles: list[Any]) -> None:
        """Resources of a type, by its name."""
        if name == "class":
            self.classes(titles)
            return
        self.found.types.add(name)
        if ("define", name) not in self.entered:
            self.entered.add(("define", name))
            self.enter(self.known(name, "define"))

    def call(self, name: str, args: list[Any]) -> None:
        """A call by name."""
        found = self.found
        function = self.program.own_function(name)
        built_in = name in OWN_NAMES or name in NAMES or name in _JUMPS
        if function is None and not built_in:
            try:
                loaded = self.program.function(name)
            except (Fault, Problem):
                loaded = None
            function = loaded if isinstance(loaded, tuple) else None
            if function is None:
                found.everything()
        if function is not None:
            if ("function", name) not in self.entered:
                self.entered.add(("function", name))
                unit, node = function
                self.todo += [(one, False, True, unit) for one in node.body]
            return
        if name in _DECLARING:
            found.tags |= name == "contain"
            found.relations |= name == "require"
            self.classes(args)
            if name == "hiera_include":
                found.classes.add(ANY)
        elif name in _JUMPS:
            found.jumps = True
        elif name == "realize":
            found.collected.add(ANY)
        elif name == "tag":
            found.tags = True
        elif name == "create_resources":
            first = args[0] if args else None
            if isinstance(first, ast.String | ast.Name):
                kind = first.value.lstrip("@").removeprefix("::").lower()
                self.add(kind, [ast.Default()])
            else:
                found.everything()
        elif name == "call" or (name in OWN_NAMES and name not in _READING):
            found.everything()

    def classes(self, names: list[Any]) -> None:
        """Declarations of classes by name; any class, if the name is computed."""
        for name in names:
            if isinstance(name, ast.Name | ast.String):
                self.enter_class(name.value.removeprefix("::").lower())
            else:
                self.found.classes.add(ANY)

    def enter_class(self, name: str) -> None:
        """A class, the classes it inherits from, and all that their bodies do."""
        while name not in self.found.classes:
            self.found.classes.add(name)
            definition = self.known(name, "class")
            if definition is None:
                return
            self.enter(definition)
            if definition.parent is None:
                return
            name = definition.parent

    def enter(self, definition: Definition | None) -> None:
        """The body of a class or define, which has a scope of its own."""
        if definition is not None and definition.unit is not None:
            params = getattr(definition.node, "params", None) or []
            inside = [*definition.body, *params]
            self.todo += [(node, False, False, definition.unit) for node in inside]

    def known(self, name: str, kind: str) -> Definition | None:
        """A class or define, loaded if need be."""
        find = self.program.find_class if kind == "class" else self.program.find_define
        try:
            return find(name)
        except (Fault, Problem):
            return None


def _variables(left: Any) -> set[str]:
    if isinstance(left, ast.Variable):
        return {left.name}
    if isinstance(left, ast.Array):
        return set().union(*map(_variables, left.items))
    return {left.name} if hasattr(left, "name") else set()


def _type_name(node: Any) -> str:
    return node.value.removeprefix("::").lower() if isinstance(node, ast.TypeName) else ANY
