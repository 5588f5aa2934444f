"""The checks that Puppet makes on a tree before it evaluates anything.

Verdicts are those of Puppet 7.23 (tests/peers compares them on mutated modules).  The
walk visits only what can be wrong: literals that have no rule are never called upon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Operation, Param, Program
from headwater.langs.puppet.syntax.definition_checks import DefinitionChecks, Place
from headwater.langs.puppet.syntax.depth import MAX_NESTING, WALKING
from headwater.langs.puppet.syntax.embedded import embedded_fault, regex_fault
from headwater.langs.puppet.syntax.inert import titleless, without_effect
from headwater.langs.puppet.syntax.literals import literal
from headwater.langs.puppet.syntax.resources import describe_expr
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.patterns import LatePattern
from headwater.text.recursion import room

_VARIABLE = LatePattern(r"(?:::)?(?:[a-z][a-zA-Z0-9_]*::)*[a-z_][a-zA-Z0-9_]*\Z")
_NUMBERED = LatePattern(r"(?:0|[1-9][0-9]*)\Z")
_MIN, _MAX = -(2**63), 2**63 - 1


def validate(
    program: Program, place: Place | None = None, level: LanguageLevel = DEFAULT
) -> list[Diagnostic]:
    """What is wrong with a program that parses; `place` is its file within a module."""
    checks = Validation(program, place, level)
    try:
        with room(WALKING):
            checks.program_body(program.body)
    except RecursionError:
        span = program.source.span(0, 0)
        checks.faults.append(codes.TOO_DEEP.at(span, bound=MAX_NESTING, what="expressions"))
    return checks.faults


class Validation(DefinitionChecks):
    """The checks of everything but definitions."""

    __slots__ = ("known",)

    def __init__(self, program: Program, place: Place | None, level: LanguageLevel) -> None:
        super().__init__(program, place, level)
        self.known: set[str] = set()
        """Variable names that were found good."""

    # -- walking ----------------------------------------------------------------------------

    def visit(self, node: Expr | ast.Part) -> None:
        """Checks a node and what is in it."""
        check = CHECKS.get(type(node))
        if check is not None:
            check(self, node)

    def each(self, nodes: Iterable[Expr | ast.Part]) -> None:
        """Checks nodes, none of which needs to give a value."""
        find = CHECKS.get
        for node in nodes:
            check = find(type(node))
            if check is not None:
                check(self, node)

    def operand(self, node: Expr) -> None:
        """Checks a node that must give a value."""
        check = CHECKS.get(type(node))
        if check is not None:
            if type(node) is ast.Collect:
                self.fault(codes.NOT_A_VALUE, node, what="a collector")
            check(self, node)

    def operands(self, nodes: Iterable[Expr]) -> None:
        """Checks nodes that must give values."""
        find = CHECKS.get
        for node in nodes:
            check = find(type(node))
            if check is not None:
                self.operand(node)

    def body(self, statements: list[Expr], owner: str = "other") -> None:
        """Checks statements in order; `owner` says what they are the body of."""
        if len(statements) > 1:
            self.block_rules(statements)
        find = CHECKS.get
        for node in statements:
            kind = type(node)
            if kind in DEFINITIONS:
                self.definition(node, owner)
            else:
                check = find(kind)
                if check is not None:
                    check(self, node)

    def block_rules(self, statements: list[Expr]) -> None:
        """No statement but the last may be without effect."""
        name = titleless(statements)
        if name is not None:
            self.fault(codes.RESOURCE_WITHOUT_TITLE, statements[0], name=name.value)
            return
        for node in statements[:-1]:
            if type(node) not in _EFFECTIVE and without_effect(node):
                if not isinstance(node, ast.Block):
                    self.fault(codes.NO_EFFECT, node, what=describe_expr(node).split(" ", 1)[-1])
                return

    # -- literals ---------------------------------------------------------------------------

    def integer(self, node: ast.Integer) -> None:
        if not _MIN <= node.value <= _MAX:
            self.fault(codes.INTEGER_RANGE, node, value=node.value)

    def variable(self, node: ast.Variable) -> None:
        name = node.name
        if name in self.known:
            return
        if (_NUMBERED if name[:1].isdigit() else _VARIABLE).match(name):
            self.known.add(name)
        else:
            self.fault(codes.BAD_VARIABLE, node, name=name)

    def regex(self, node: ast.Regex) -> None:
        reason = regex_fault(node.pattern)
        if reason:
            self.fault(codes.BAD_REGEX, node, reason=reason)

    def reserved(self, node: ast.Reserved) -> None:
        self.fault(codes.RESERVED_WORD, node, word=node.word)

    def interpolated(self, node: ast.Interpolated) -> None:
        for segment in node.segments:
            if type(segment) is ast.Embedded:
                self.operand(segment.value)

    def heredoc(self, node: ast.Heredoc) -> None:
        self.visit(node.text)
        if node.syntax and isinstance(node.text, ast.String):
            reason = embedded_fault(node.syntax, node.text.value, _puppet)
            if reason:
                self.fault(codes.BAD_EMBEDDED, node, syntax=node.syntax, reason=reason)

    # -- composed values --------------------------------------------------------------------

    def array(self, node: ast.Array) -> None:
        self.operands(node.items)

    def hash(self, node: ast.Hash) -> None:
        entries = node.entries
        if len(entries) > 1:
            self.duplicate_keys(entries)
        for entry in entries:
            self.operand(entry.key)
            self.operand(entry.value)

    def duplicate_keys(self, entries: list[ast.Entry]) -> None:
        """Complains about keys that can be read off and are written twice."""
        seen: set[object] = set()
        for entry in entries:
            key = literal(entry.key, self.level)
            if key is None:
                continue
            if key in seen:
                text = self.program.source.text[entry.key.start : entry.key.end]
                self.fault(codes.DUPLICATE_KEY, entry, key=text)
            seen.add(key)

    # -- operations -------------------------------------------------------------------------

    def unary(self, node: ast.Paren | ast.Not | ast.Minus | ast.Splat | ast.Render) -> None:
        value: Expr = node
        while isinstance(value, ast.Paren | ast.Not | ast.Minus | ast.Splat | ast.Render):
            value = value.value
        self.operand(value)

    def binary(self, node: ast.Binary) -> None:
        left: Expr = node
        while type(left) is ast.Binary:
            self.operand(left.right)
            left = left.left
        self.operand(left)

    def relation(self, node: ast.Relation) -> None:
        left: Expr = node
        while type(left) is ast.Relation:
            self.visit(left.right)
            left = left.left
        self.visit(left)

    def assignment(self, node: ast.Assignment) -> None:
        right: Expr = node
        while type(right) is ast.Assignment:
            if right.op == "=":
                self.assignable(right.left)
            else:
                self.fault(codes.RETIRED_OPERATOR, right, operator=right.op)
            self.visit(right.left)
            right = right.right
        self.operand(right)

    def assignable(self, node: Expr) -> None:
        """Checks the left side of ``=``."""
        match node:
            case ast.Variable(name=name):
                if _NUMBERED.match(name):
                    self.fault(codes.NUMERIC_ASSIGNMENT, node, name=name)
                if "::" in name:
                    self.fault(codes.CROSS_SCOPE_ASSIGNMENT, node, name=name)
            case ast.Access():
                self.fault(codes.INDEXED_ASSIGNMENT, node)
            case ast.Array(items=items):
                for item in items:
                    self.assignable(item)
            case _:
                self.fault(codes.BAD_ASSIGNMENT, node, what=describe_expr(node))

    def access(self, node: ast.Access) -> None:
        left: Expr = node
        while type(left) is ast.Access:
            self.each(left.keys)
            left = left.left
        self.visit(left)

    def selector(self, node: ast.Selector) -> None:
        self.operand(node.value)
        defaults = 0
        for option in node.options:
            if type(option.match) is ast.Default:
                defaults += 1
                if defaults == 2:
                    self.fault(codes.TWO_DEFAULTS, option.match)
            self.operand(option.match)
            self.visit(option.value)

    # -- calls ------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> None:
        function = node.function
        if type(function) is not ast.Name:
            self.callable(node)
            self.visit(function)
        self.each(node.args)
        if node.block is not None:
            self.lambda_(node.block)

    def callable(self, node: ast.Call) -> None:
        """Checks what stands before the parentheses of a call."""
        match node.function:
            case ast.TypeName() | ast.Access(left=ast.TypeName()):
                pass
            case ast.RenderText():
                self.fault(codes.EPP_PARAMETERS, node)
            case other:
                self.fault(codes.BAD_CALL, other, what=describe_expr(other))

    def method(self, node: ast.Method) -> None:
        receiver: Expr = node
        while type(receiver) is ast.Method:
            self.each(receiver.args)
            if receiver.block is not None:
                self.lambda_(receiver.block)
            receiver = receiver.receiver
        self.visit(receiver)

    def lambda_(self, node: ast.Lambda) -> None:
        self.params(node.params)
        self.rest_last(node.params)
        if node.returns is not None:
            self.type_reference(node.returns)
            self.visit(node.returns)
        self.body(node.body)

    # -- conditions -------------------------------------------------------------------------

    def if_(self, node: ast.If | ast.Unless) -> None:
        current = node
        while True:
            self.operand(current.test)
            self.body(current.then)
            match current.otherwise:
                case [ast.If(elsif=True) as following]:
                    current = following
                case otherwise:
                    self.body(otherwise)
                    return

    def case(self, node: ast.Case) -> None:
        self.operand(node.test)
        defaults = 0
        for option in node.options:
            for value in option.values:
                if type(value) is ast.Default:
                    defaults += 1
                    if defaults > 1:
                        self.fault(codes.TWO_DEFAULTS, value)
                self.operand(value)
            self.body(option.body)

    # -- resources --------------------------------------------------------------------------

    def resource(self, node: ast.Resource) -> None:
        type_ = node.type
        if type(type_) is ast.Name:
            if node.form != "regular" and type_.value == "class":
                self.fault(codes.CLASS_NOT_VIRTUAL, node)
        else:
            self.visit(type_)
        for body in node.bodies:
            self.visit(body.title)
            self.operations(body.operations, append=False)
            splats = [o for o in body.operations if type(o) is ast.Attributes]
            for operation in splats[1:]:
                self.fault(codes.TWO_SPLATS, operation)

    def operations(self, operations: list[Operation], *, append: bool) -> None:
        """Checks attributes; `append`: whether ``+>`` has something to add to."""
        for operation in operations:
            if not append and type(operation) is ast.Attribute and operation.op == "+>":
                self.fault(codes.BAD_APPEND, operation)
            self.operand(operation.value)

    def defaults(self, node: ast.Defaults) -> None:
        if node.form != "regular":
            self.fault(codes.NOT_VIRTUAL, node, what="resource defaults")
        self.visit(node.type)
        self.operations(node.operations, append=False)

    def override(self, node: ast.Override) -> None:
        if node.form != "regular":
            self.fault(codes.NOT_VIRTUAL, node, what="a resource override")
        self.visit(node.target)
        self.operations(node.operations, append=True)

    def collect(self, node: ast.Collect) -> None:
        if type(node.type) is not ast.TypeName:
            self.fault(codes.BAD_COLLECTOR, node.type, what=describe_expr(node.type))
            self.visit(node.type)
        if node.query is not None:
            self.query(node.query)
            self.visit(node.query)
        self.operations(node.operations, append=True)

    def query(self, node: Expr) -> None:
        """Checks what may be searched for."""
        match node:
            case ast.Binary(op="==" | "!="):
                pass
            case ast.Binary(op="and" | "or"):
                self.query(node.left)
                self.query(node.right)
            case ast.Paren():
                self.query(node.value)
            case ast.Variable() | ast.Name() | ast.Integer() | ast.Float():
                pass
            case ast.String() | ast.Boolean():
                pass
            case _:
                self.fault(codes.BAD_QUERY, node, what=describe_expr(node))

    def block(self, node: ast.Block) -> None:
        self.body(node.statements)

    def epp(self, node: ast.Epp) -> None:
        params = node.params or []
        self.params(params)
        self.rest_last(params)
        self.no_rest(params, "template")
        self.unique(params)
        self.body(node.body)


DEFINITIONS = frozenset(
    {ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping, ast.TypeDef}
)
_EFFECTIVE = frozenset({ast.Call, ast.Method, ast.Resource, ast.Assignment, ast.Relation,
                        ast.RenderText, ast.Render, ast.Collect, ast.Defaults, ast.Override,
                        *DEFINITIONS})  # fmt: skip

CHECKS: dict[type[Any], Callable[[Validation, Any], None]] = {
    ast.Integer: Validation.integer,
    ast.Variable: Validation.variable,
    ast.Regex: Validation.regex,
    ast.Reserved: Validation.reserved,
    ast.Interpolated: Validation.interpolated,
    ast.Heredoc: Validation.heredoc,
    ast.Array: Validation.array,
    ast.Hash: Validation.hash,
    ast.Paren: Validation.unary,
    ast.Not: Validation.unary,
    ast.Minus: Validation.unary,
    ast.Splat: Validation.unary,
    ast.Render: Validation.unary,
    ast.Binary: Validation.binary,
    ast.Relation: Validation.relation,
    ast.Assignment: Validation.assignment,
    ast.Access: Validation.access,
    ast.Selector: Validation.selector,
    ast.Call: Validation.call,
    ast.Method: Validation.method,
    ast.If: Validation.if_,
    ast.Unless: Validation.if_,
    ast.Case: Validation.case,
    ast.Resource: Validation.resource,
    ast.Defaults: Validation.defaults,
    ast.Override: Validation.override,
    ast.Collect: Validation.collect,
    ast.Block: Validation.block,
    ast.Epp: Validation.epp,
    **dict.fromkeys(DEFINITIONS, Validation.misplaced),
}

__all__ = ["Param", "Place", "validate"]


def _puppet(text: str, name: str) -> str | None:
    """What is wrong with a text of Puppet in a heredoc."""
    from headwater.langs.puppet.syntax.parser import parse

    parsed = parse(Source(name, text))
    found = [*parsed.diagnostics, *(validate(parsed.program) if parsed.ok else ())]
    first = next((d for d in found if d.is_error), None)
    if first is None:
        return None
    line, column = first.at.first
    return f"{first.message} (line {line}, column {column} of the text)"
