"""The checks of definitions: names, parameters, where they stand, what their bodies end with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Param, Program
from headwater.langs.puppet.syntax.inert import titleless, without_effect
from headwater.langs.puppet.syntax.literals import literal
from headwater.langs.puppet.syntax.resources import describe_expr
from headwater.report import Code, Diagnostic
from headwater.text import Span
from headwater.text.patterns import LatePattern

_NAME = LatePattern(r"[a-z][a-zA-Z0-9_]*(?:::[a-z][a-zA-Z0-9_]*)*\Z")
_TYPE_NAME = LatePattern(r"[A-Z][a-zA-Z0-9_]*(?:::[A-Z][a-zA-Z0-9_]*)*\Z")
_PARAM = LatePattern(r"[a-z_][a-zA-Z0-9_]*\Z")
_HOST = LatePattern(r"[a-zA-Z0-9_.-]*\Z")
RESERVED_TYPES = frozenset(
    {"type", "any", "unit", "scalar", "boolean", "numeric", "integer", "float", "collection",
     "array", "hash", "tuple", "struct", "variant", "optional", "enum", "regexp", "pattern",
     "runtime", "init", "object", "sensitive", "semver", "semverrange", "string", "timestamp",
     "timespan", "typeset"}
)  # fmt: skip


MAX_FAULTS = 200
"""How many mistakes of one file are recorded."""


class Place(msgspec.Struct, frozen=True):
    """Where a file stands in a module: the names that its definitions may begin with.

    `namespace` is None for a file from which Puppet loads nothing.
    """

    namespace: str | None


class DefinitionChecks:
    """The lower half of the validation: what it needs of the upper half is named here."""

    __slots__ = ("faults", "level", "place", "program")

    def __init__(self, program: Program, place: Place | None, level: LanguageLevel) -> None:
        self.program = program
        self.place = place
        self.level = level
        self.faults: list[Diagnostic] = []

    def fault(self, code: Code, node: Expr | ast.Part, **details: Any) -> None:  # noqa: ANN401
        """Records a mistake at a node; after so many, nobody reads on."""
        if len(self.faults) >= MAX_FAULTS:
            return
        start = node.at if isinstance(node, ast.Binary) else node.start  # as Puppet says it
        self.faults.append(code.at(Span(self.program.source, start, node.end), **details))

    @abstractmethod
    def visit(self, node: Expr | ast.Part) -> None:
        """Checks a node and what is in it."""

    @abstractmethod
    def body(self, statements: list[Expr], owner: str = "other") -> None:
        """Checks statements in order."""

    @abstractmethod
    def operand(self, node: Expr) -> None:
        """Checks a node that must give a value."""

    # -- where definitions stand ------------------------------------------------------------

    def program_body(self, statements: list[Expr]) -> None:
        """Checks the whole program."""
        if self.place is not None:
            for node in statements:
                if not isinstance(node, _MODULE_CONSTRUCTS):
                    self.fault(codes.BAD_TOP_CONSTRUCT, node, what=describe_expr(node))
        self.body(statements, "program")

    def misplaced(self, node: ast.Definition) -> None:
        """A definition where an expression stands."""
        self.definition(node, "other")

    def definition(self, node: Expr, owner: str) -> None:
        """Checks a definition in the body of a program, a class or something else."""
        what = describe_expr(node)
        if owner == "program":
            pass
        elif owner != "class":
            self.fault(codes.NOT_TOP_LEVEL, node, what=what)
        elif isinstance(node, ast.Function | ast.Alias | ast.TypeDef):
            self.fault(codes.NOT_ABSOLUTE_TOP_LEVEL, node, what=what)
        match node:
            case ast.ClassDef():
                self.class_(node)
            case ast.Define():
                self.define(node)
            case ast.Node():
                self.node(node)
            case ast.Function():
                self.function(node)
            case ast.Alias():
                self.alias(node)
            case ast.TypeMapping():
                self.mapping(node)
            case ast.TypeDef():
                self.fault(codes.UNSUPPORTED, node, what="a type definition with a body")
                self.body(node.body)

    def named(self, node: ast.ClassDef | ast.Define | ast.Function, kind: str) -> None:
        """Checks the name of a class, define or function."""
        name = node.name
        span = Span(self.program.source, node.name_start, node.name_end)
        if not _NAME.match(name):
            self.faults.append(codes.BAD_DEFINITION_NAME.at(span, name=name, kind=kind))
        if name in RESERVED_TYPES:
            self.faults.append(codes.RESERVED_TYPE_NAME.at(span, name=name))
        if name == "plan":
            self.faults.append(codes.FUTURE_WORD.at(span, word=name))
        place = self.place
        if place is not None and (
            place.namespace is None or not name.lower().startswith(place.namespace)
        ):
            self.faults.append(codes.BAD_PLACE.at(span, what=kind, name=name))

    # -- each kind --------------------------------------------------------------------------

    def class_(self, node: ast.ClassDef) -> None:
        """``class``"""
        self.named(node, "class")
        self.by_name(node.params, "class")
        if self.level.literal_class_types:
            self.literal_types(node.params)
        self.no_value(node.body, "class")
        self.body(node.body, "class")

    def define(self, node: ast.Define) -> None:
        """``define``"""
        self.named(node, "define")
        self.by_name(node.params, "define")
        self.no_value(node.body, "define")
        self.body(node.body)

    def function(self, node: ast.Function) -> None:
        """``function``"""
        self.named(node, "function")
        if node.returns is not None:
            self.type_reference(node.returns)
            self.visit(node.returns)
        self.params(node.params)
        self.unique(node.params)
        self.body(node.body)

    def node(self, node: ast.Node) -> None:
        """``node``"""
        for host in node.hosts:
            match host:
                case ast.String(value=name):
                    if not _HOST.match(name):
                        self.fault(codes.BAD_HOST, host, what=f"'{name}'")
                case ast.Regex() | ast.Default():
                    pass
                case _:
                    self.fault(codes.BAD_HOST, host, what=describe_expr(host))
            self.visit(host)
        if node.parent is not None:
            self.fault(codes.NODE_INHERITANCE, node.parent)
        self.no_value(node.body, "node")
        self.body(node.body)

    def alias(self, node: ast.Alias) -> None:
        """``type A = T``"""
        if not _TYPE_NAME.match(node.name):
            self.fault(codes.BAD_DEFINITION_NAME, node, name=node.name, kind="type")
        self.type_reference(node.type)
        self.visit(node.type)

    def mapping(self, node: ast.TypeMapping) -> None:
        """``type Runtime[…] = …``"""
        match node.type:
            case ast.Access(left=ast.TypeName(value="Runtime"), keys=[_, key]) if _replaces(key):
                fits = _replaces(node.mapping)
            case ast.Access(left=ast.TypeName(value="Runtime")):
                left = node.mapping
                fits = isinstance(left.left if isinstance(left, ast.Access) else left, ast.TypeName)
            case _:
                self.fault(codes.UNSUPPORTED, node, what="a mapping of such a type")
                fits = True
        if not fits:
            self.fault(codes.BAD_MAPPING, node)
        self.visit(node.type)
        self.visit(node.mapping)

    def no_value(self, body: list[Expr], container: str) -> None:
        """The last statement of something that gives no value must have an effect."""
        if body and without_effect(body[-1]):
            last = body[-1]
            if titleless(body) or (isinstance(last, ast.Block) and titleless(last.statements)):
                return
            what = describe_expr(last).split(" ", 1)[-1]
            self.fault(codes.NO_EFFECT_LAST, last, what=what, container=container)

    def type_reference(self, node: Expr) -> None:
        """Checks that a node is a type, with or without parameters."""
        name = node.left if isinstance(node, ast.Access) else node
        if not isinstance(name, ast.TypeName):
            self.fault(codes.BAD_TYPE, node, what=describe_expr(node))
        elif name.value.lower() == "plan":
            self.fault(codes.FUTURE_WORD, node, word=name.value)

    # -- parameters -------------------------------------------------------------------------

    def by_name(self, params: list[Param], container: str) -> None:
        """The parameters of a class or define."""
        if not params:
            return
        self.params(params)
        self.no_rest(params, container)
        self.unique(params)
        for param in params:
            if param.name == "title" or param.name == "name":
                self.fault(codes.RESERVED_PARAMETER, param, name=param.name, container=container)

    def params(self, params: list[Param]) -> None:
        """What holds for every parameter."""
        for param in params:
            if not _PARAM.match(param.name):
                self.fault(codes.BAD_PARAMETER, param, name=param.name)
            if param.type is not None:
                self.visit(param.type)
            if param.default is not None and type(param.default) not in _LEAVES:
                for found in assignments(param.default):
                    self.fault(codes.ASSIGNMENT_CONTEXT, found)
                self.visit(param.default)

    def literal_types(self, params: list[Param]) -> None:
        """Types of parameters should be written out, not computed."""
        for param in params:
            if param.type is not None and literal(param.type, self.level) is None:
                self.fault(codes.COMPUTED_TYPE, param, name=param.name)

    def unique(self, params: list[Param]) -> None:
        """No two parameters of one name."""
        if len({param.name for param in params}) == len(params):
            return
        seen: set[str] = set()
        for param in params:
            if param.name in seen:
                self.fault(codes.DUPLICATE_PARAMETER, param, name=param.name)
            seen.add(param.name)

    def no_rest(self, params: Iterable[Param], container: str) -> None:
        """No parameter that takes all remaining arguments."""
        for param in params:
            if param.splat:
                self.fault(codes.REST_NOT_HERE, param, name=param.name, container=container)

    def rest_last(self, params: list[Param]) -> None:
        """Only the last parameter may take all remaining arguments."""
        for param in params[:-1]:
            if param.splat:
                self.fault(codes.REST_NOT_LAST, param, name=param.name)


_MODULE_CONSTRUCTS = (ast.ClassDef, ast.Define, ast.Function, ast.Alias, ast.TypeMapping,
                      ast.TypeDef)  # fmt: skip
_LEAVES = frozenset({ast.Undef, ast.Default, ast.Boolean, ast.Float, ast.String, ast.Name,
                     ast.TypeName})  # fmt: skip


def _replaces(node: Expr) -> bool:
    """Whether a node is a pattern with its replacement."""
    match node:
        case ast.Array(items=[ast.Regex(), ast.String()]):
            return True
        case _:
            return False


def assignments(node: Expr) -> Iterator[ast.Assignment]:
    """The assignments in an expression, but for those inside lambdas."""
    stack: list[Any] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Assignment):
            yield current
        elif not isinstance(current, ast.Lambda):
            stack.extend(children(current))


def children(node: object) -> Iterator[Any]:
    """The nodes directly inside a node, in order of the text."""
    for value in ast.parts(node):
        if isinstance(value, list):
            yield from value
        elif hasattr(value, "start") and not isinstance(value, str | int):
            yield value
