"""What a piece of program could do if it ran: the static half of D+.

The consequences of a branch that was not taken are found when provenance is asked for, through
the bodies of classes, defines and functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.functions import OWN_NAMES
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.functions import NAMES
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.jumps import JUMPS
from headwater.langs.puppet.why.ruby_calls import RubyCalls

ANY = "*"
"""Stands in the sets of `Consequences` for every name."""

_DEFINING = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
             ast.TypeDef)  # fmt: skip
_PLAIN = frozenset([ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String,
                    ast.Name, ast.TypeName, ast.Regex, ast.Variable, ast.Reserved])  # fmt: skip
_DECLARING = frozenset(["include", "contain", "require", "hiera_include"])
_READING = frozenset(
    ["defined", "tagged", "lookup", "hiera", "hiera_array", "hiera_hash", "epp", "inline_epp",
     "template", "inline_template", "fail", "getvar"]
)  # fmt: skip
"""Functions of the compilation that only read."""


class Consequences:
    """What may be assigned, declared, added, defaulted, overridden, collected …; see `ANY`.

    `params` are parameters of resources by type and name, `related` what arrows may point
    from, by the parameter they set, type and title, `contained` classes; `tagged` and `requires`:
    whether the class or define that runs it gets tags, or a relationship; `jumps`: by what the body
    may be left, which is no matter of whoever runs it.
    """

    __slots__ = (
        "assigned",
        "classes",
        "collected",
        "contained",
        "defaults",
        "jumps",
        "overrides",
        "params",
        "related",
        "relations",
        "requires",
        "tagged",
        "tags",
        "types",
    )  # fmt: skip

    def __init__(self) -> None:
        self.assigned: set[str] = set()
        self.classes: set[str] = set()
        self.types: set[str] = set()
        self.defaults: set[str] = set()
        self.overrides: set[str] = set()
        self.collected: set[str] = set()
        self.params: set[tuple[str, str]] = set()
        self.related: set[tuple[str, str, str]] = set()
        self.contained: set[str] = set()
        self.tagged = self.requires = False
        self.relations = False
        self.tags = False
        self.jumps: set[str] = set()

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
        self.params.add((ANY, ANY))
        self.related.update([("before", ANY, ANY), ("notify", ANY, ANY)])
        self.relations = self.tags = self.requires = True

    def join(self, other: Consequences) -> None:
        """Adds what something else may do, in a scope of its own or in the same."""
        for name in _SETS:
            mine: set[Any] = getattr(self, name)
            mine |= getattr(other, name)
        for name in _FLAGS:
            if getattr(other, name):
                setattr(self, name, True)


_SETS = ("assigned", "classes", "collected", "contained", "defaults", "overrides", "related",
         "types", "params")  # fmt: skip
_FLAGS = ("relations", "requires", "tagged", "tags")

Lead = tuple[str, str]
"""A definition that statements lead to: ``class``, ``define`` or ``function``, and its name."""


class Summaries:
    """What the definitions of a compilation do by themselves; each is looked through once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[Lead, tuple[Consequences, set[Lead]]] = {}
        self._functions: dict[str, Any] = {}
        self.ruby = RubyCalls(program)

    def unreadable(self, found: Consequences) -> None:
        """A function that nobody here can read may do anything."""
        found.everything()

    def any_class(self, found: Consequences) -> None:
        """A class whose name is computed may be any."""
        found.classes.add(ANY)

    def consequences(self, statements: Iterable[Any], unit: Unit) -> Consequences:
        """The consequences of statements and of all that they lead to."""
        walk = Walk(self)
        walk.run([(node, True, True) for node in statements], unit)
        todo, seen = list(walk.leads), set(walk.leads)
        while todo:
            found, leads = self.of(todo.pop())
            walk.found.join(found)
            todo += leads - seen
            seen |= leads
        return walk.found

    def of(self, lead: Lead) -> tuple[Consequences, set[Lead]]:
        """What a definition does by itself, and what it leads to."""
        known = self._known.get(lead)
        if known is None:
            walk = Walk(self)
            self._look_through(lead, walk)
            known = self._known[lead] = (walk.found, walk.leads)
        return known

    def _look_through(self, lead: Lead, walk: Walk) -> None:
        kind, name = lead
        if kind == "function":
            unit, node = self.function(name)
            walk.run([(one, False, True) for one in node.body], unit)
            return
        definition = self.definition(name, kind)
        if definition is None or definition.unit is None:
            return
        params = getattr(definition.node, "params", None) or []
        walk.run([(one, False, False) for one in (*definition.body, *params)], definition.unit)
        if kind == "class" and definition.parent is not None:
            walk.enter_class(definition.parent)

    def definition(self, name: str, kind: str) -> Definition | None:
        """A class or define, loaded if need be."""
        find = self.program.find_class if kind == "class" else self.program.find_define
        try:
            return find(name)
        except (Fault, Problem):
            return None

    def function(self, name: str) -> Any:  # noqa: ANN401
        """The text and tree of a function written in Puppet; None for others."""
        if name not in self._functions:
            loaded: Any = self.program.own_function(name)
            if loaded is None:
                try:
                    loaded = self.program.function(name)
                except (Fault, Problem):
                    loaded = None
            self._functions[name] = loaded if isinstance(loaded, tuple) else None
        return self._functions[name]


class Walk:
    """One walk over statements: what they do by themselves, and what they lead to."""

    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries
        self.found = Consequences()
        self.leads: set[Lead] = set()
        self._in_ruby: set[tuple[str, bool, tuple[str | None, ...]]] = set()
        """The functions in Ruby that are looked through, with the texts they are given."""

    def run(self, statements: Iterable[tuple[Any, bool, bool]], unit: Unit) -> None:
        """Walks over nodes, each with whether it runs in the frame, and whether in the scope."""
        todo = list(statements)
        while todo:
            node, in_frame, in_scope = todo.pop()
            if node.__class__ in _PLAIN or isinstance(node, _DEFINING):
                continue
            if not isinstance(node, ast.Record):
                continue
            self.look(node, in_frame, in_scope)
            inner = in_frame and not isinstance(node, ast.Lambda)
            todo += [(part, inner, in_scope) for part in ast.children(node)]

    def look(self, node: object, in_frame: bool, in_scope: bool) -> None:
        """Notes what one node does by itself."""
        found = self.found
        match node:
            case ast.Assignment(left=left):
                if in_frame:
                    found.assigned.update(_variables(left))
            case ast.Resource(type=type_, bodies=bodies):
                self.resource(type_, [body.title for body in bodies])
            case ast.Defaults(type=type_, operations=operations):
                found.params.update(_params(type_, operations))  # a collector there brings them
                if in_scope:
                    found.defaults.add(_type_name(type_))
            case ast.Override(target=target, operations=operations):
                of = target.left if isinstance(target, ast.Access) else None
                found.overrides.add(_type_name(of))
                found.params.update(_params(of, operations))
            case ast.Collect(type=type_, operations=operations):
                found.collected.add(_type_name(type_))
                found.params.update(_params(type_, operations))
            case ast.Relation(op=op, left=left, right=right):
                found.relations = True
                parameter = "notify" if "~" in op else "before"
                first = right if op.startswith("<") else left
                found.related.update((parameter, *end) for end in _ends(first))
            case ast.Call(args=args):
                self.call(name_called(node), args, in_frame, in_scope)
            case ast.Method(receiver=receiver, args=args):
                self.call(name_called(node), [receiver, *args], in_frame, in_scope)

    def resource(self, type_: object, titles: list[Any]) -> None:
        """A resource expression: a native type, a define, or classes."""
        if isinstance(type_, ast.Name | ast.String):
            self.add(type_.value.removeprefix("::").lower(), titles)
        else:
            self.found.types.add(ANY)
            self.summaries.any_class(self.found)

    def add(self, name: str, titles: list[Any]) -> None:
        """Resources of a type, by its name."""
        if name == "class":
            self.classes(titles)
            return
        self.found.types.add(name)
        self.leads.add(("define", name))

    def call(self, name: str, args: list[Any], in_frame: bool, in_scope: bool) -> None:
        """A call by name; `in_scope`: of what the statements themselves stand in."""
        found = self.found
        own = name in OWN_NAMES or name in NAMES or name in JUMPS
        if not own or self.summaries.program.own_function(name) is not None:
            if self.summaries.function(name) is not None:
                self.leads.add(("function", name))
            else:
                self.ruby(name, args, in_scope, old=False)
            return
        if name in _DECLARING:
            if name == "contain":
                found.tags = True
                found.contained.update(map(_class_name, args))
            if name == "require":
                found.relations = True
                found.requires |= in_scope
            self.classes(args)
            if name == "hiera_include":
                self.summaries.any_class(found)
        elif name in JUMPS:
            if in_frame or name == "return":  # others end in the lambda that they stand in
                found.jumps.add(name)
        elif name == "realize":
            found.collected.add(ANY)
        elif name == "tag":
            found.tags = True
            found.tagged |= in_scope
        elif name == "create_resources":
            first = args[0] if args else None
            if isinstance(first, ast.String | ast.Name):
                kind = first.value.lstrip("@").removeprefix("::").lower()
                self.add(kind, [ast.Default()])
            else:
                found.everything()
        elif name == "call" or (name in OWN_NAMES and name not in _READING):
            found.everything()

    def ruby(self, name: str, args: list[Any], in_scope: bool, *, old: bool) -> None:
        """A function in Ruby, which does what the functions do that it calls by name."""
        texts = tuple(one.value if isinstance(one, ast.String | ast.Name) else None for one in args)
        if (name, old, texts) in self._in_ruby:
            return
        self._in_ruby.add((name, old, texts))
        calls = self.summaries.ruby.of(name, old=old)
        if calls is None:
            self.summaries.unreadable(self.found)
        for called in calls or ():
            given = [_as_written(one, args) for one in called.arguments]
            if called.old and self.summaries.program.modules.old_function(called.name) is not None:
                self.ruby(called.name, given, in_scope, old=True)
            elif called.name in JUMPS:
                self.summaries.unreadable(self.found)
            else:
                self.call(called.name, given, False, in_scope)

    def classes(self, names: list[Any]) -> None:
        """Declarations of classes by name; any class, if the name is computed."""
        for name in names:
            if isinstance(name, ast.Name | ast.String):
                self.enter_class(name.value.removeprefix("::").lower())
            else:
                self.summaries.any_class(self.found)

    def enter_class(self, name: str) -> None:
        """A class, which its body and the classes it inherits from come with."""
        self.found.classes.add(name)
        self.leads.add(("class", name))


def _as_written(argument: str | int | None, given: list[Any]) -> ast.Expr:
    """An argument that Ruby passes on, as a program would write it; `Default` for any value."""
    match argument:
        case str():
            return ast.String(argument)
        case int() if argument < len(given) and isinstance(given[argument], ast.String | ast.Name):
            return ast.String(given[argument].value)
    return ast.Default()


def _variables(left: object) -> set[str]:
    if isinstance(left, ast.Variable):
        return {left.name}
    if isinstance(left, ast.Array):
        return set().union(*map(_variables, left.items))
    return {left.name} if hasattr(left, "name") else set()


def _params(type_: object, operations: list[Any]) -> Iterator[tuple[str, str]]:
    """The parameters that attributes set, by type and name."""
    for one in operations:
        yield _type_name(type_), one.name if isinstance(one, ast.Attribute) else ANY


def _ends(node: object) -> Iterator[tuple[str, str]]:
    """What an arrow may point from, by type and title."""
    match node:
        case ast.Paren(value=inner):
            yield from _ends(inner)
        case ast.Array(items=items):
            for item in items:
                yield from _ends(item)
        case ast.Relation(left=left, right=right):
            yield from _ends(right)
            yield from _ends(left)  # if the right side is a collector that finds nothing
        case ast.Access(left=ast.TypeName() as type_, keys=keys):
            yield from ((_type_name(type_), _text(key)) for key in keys)
        case ast.Collect(type=type_):
            yield _type_name(type_), ANY
        case ast.Resource(type=ast.Name(value=name), bodies=bodies):
            yield from ((name.removeprefix("::").lower(), _text(body.title)) for body in bodies)
        case _:
            yield ANY, ANY


def _text(node: object) -> str:
    return node.value if isinstance(node, ast.Name | ast.String | ast.TypeName) else ANY


def _class_name(node: object) -> str:
    return _text(node).removeprefix("::").lower()


def _type_name(node: object) -> str:
    return node.value.removeprefix("::").lower() if isinstance(node, ast.TypeName) else ANY
