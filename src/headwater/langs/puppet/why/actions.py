"""What a piece of program could do if it ran: the static half of D+.

`active` says, when a condition is compiled, whether anything but a value depends on it;
only such conditions are noted.  `Effects` of a branch that was not taken are found when
provenance is asked for, through the bodies of classes, defines and functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.syntax import ast

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compilation import Compilation
    from headwater.langs.puppet.program.definitions import Definition
    from headwater.langs.puppet.program.units import Unit

ANY = "*"
"""Stands in the sets of `Effects` for every name."""

_DOING = (ast.Assignment, ast.Resource, ast.Defaults, ast.Override, ast.Collect, ast.Relation)
_DEFINING = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
             ast.TypeDef)  # fmt: skip
_LEAVES = frozenset([ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String,
                     ast.Name, ast.TypeName, ast.Regex, ast.Variable, ast.Reserved])  # fmt: skip
_DECLARING = frozenset(["include", "contain", "require", "hiera_include"])
_JUMPS = frozenset(["break", "next", "return"])
_LOOKING = frozenset(["defined", "tagged", "lookup", "hiera", "hiera_array", "hiera_hash"])
_CALLING = frozenset(["break", "call", "fail", "import"])
_READING = frozenset(
    ["defined", "tagged", "lookup", "hiera", "hiera_array", "hiera_hash", "epp", "inline_epp",
     "template", "inline_template", "fail", "getvar"]
)  # fmt: skip
"""Functions of the compilation that only read."""


def parts(node: Any) -> Iterator[Any]:
    """The nodes right below a node."""
    for value in ast.parts(node):
        if isinstance(value, list):
            yield from value
        elif isinstance(value, ast.Record):
            yield value


def name_called(node: ast.Call | ast.Method) -> str:
    """The name of the function that a call calls; ``new`` for a type."""
    if isinstance(node.function, ast.Name):
        return node.function.value.removeprefix("::")
    return "new"


def active(nodes: Iterable[Any]) -> bool:
    """Whether running these nodes could do anything but give a value."""
    from headwater.langs.puppet.functions import TABLE

    todo = list(nodes)
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind in _LEAVES or kind in _DEFINING:
            continue
        if kind in _DOING:
            return True
        if kind is ast.Call or kind is ast.Method:
            name = name_called(node)
            if name in _CALLING or (name not in TABLE and name not in _LOOKING):
                return True
        if isinstance(node, ast.Record):
            todo.extend(parts(node))
    return False


class Effects:
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


def effects(statements: Iterable[Any], unit: Unit, compilation: Compilation) -> Effects:
    """The effects of statements, should they run."""
    return Walk(compilation).run(statements, unit)


class Walk:
    """One walk over statements and the definitions they lead to."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.found = Effects()
        self.entered: set[tuple[str, str]] = set()
        # A node, whether it runs in the frame, whether in the scope, and the text it stands in.
        self.todo: list[tuple[Any, bool, bool, Unit]] = []

    def run(self, statements: Iterable[Any], unit: Unit) -> Effects:
        """Walks until nothing is left."""
        self.todo += [(node, True, True, unit) for node in statements]
        while self.todo:
            node, in_frame, in_scope, where = self.todo.pop()
            if isinstance(node, _DEFINING) or not isinstance(node, ast.Record):
                continue
            self.look(node, in_frame, in_scope, where)
            inner = in_frame and not isinstance(node, ast.Lambda)
            self.todo += [(part, inner, in_scope, where) for part in parts(node)]
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
        from headwater.langs.puppet.engine.functions import OWN
        from headwater.langs.puppet.functions import TABLE

        found = self.found
        written = self.compilation.program.own_function(name)
        if written is None and name not in OWN and name not in TABLE and name not in _JUMPS:
            try:
                loaded = self.compilation.program.function(name)
            except (Fault, Problem):
                loaded = None
            written = loaded if isinstance(loaded, tuple) else None
            if written is None:
                found.everything()
        if written is not None:
            if ("function", name) not in self.entered:
                self.entered.add(("function", name))
                unit, node = written
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
        elif name == "call" or (name in OWN and name not in _READING):
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
        find = (
            self.compilation.program.find_class
            if kind == "class"
            else self.compilation.program.find_define
        )
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


__all__ = ["ANY", "Effects", "active", "effects", "name_called", "parts"]
