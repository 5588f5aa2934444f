"""The printer: a syntax tree as Puppet code in a normal form.

parse ∘ print is the identity on trees (tests/laws/test_puppet_print.py).  Comments and
the choice between ways of writing the same tree are not kept: calls have parentheses,
hashes braces, strings single quotes where they can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Operation, Param, Program
from headwater.langs.puppet.syntax.value_printer import ValuePrinter
from headwater.langs.puppet.syntax.writer import quote

_NEEDS_SEMICOLON = ("-", "*", "{", "/")
"""A statement that begins so would be taken for the rest of the one before it."""


def show(program: Program) -> str:
    """The text of a program."""
    printer = Printer()
    match program.body:
        case [ast.Epp() as template]:
            printer.template(template)
        case body:
            printer.statements(body)
            printer.line()
    return printer.text()


class Printer(ValuePrinter):
    """Writes nodes."""

    __slots__ = ("in_epp", "names")

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.in_epp = False

    def expr(self, node: Expr | ast.Part) -> None:
        """Writes a node where a value stands."""
        _FORMS[type(node)](self, node)

    # -- statements -------------------------------------------------------------------------

    def statements(self, body: list[Expr]) -> None:
        """Writes statements, one a line."""
        for i, node in enumerate(body):
            if i:
                if _first_character(node) in _NEEDS_SEMICOLON:
                    self.write(";")
                self.line()
            self.statement(node)

    def statement(self, node: Expr) -> None:
        """Writes a node where a statement stands."""
        if isinstance(node, ast.Call):
            self.call(node)
        else:
            self.expr(node)

    def block(self, body: list[Expr]) -> None:
        """Writes ``{ … }``."""
        if not body:
            self.write("{ }")
            return
        self.write("{")
        self.indent += 1
        self.line()
        self.statements(body)
        self.indent -= 1
        self.line()
        self.write("}")

    def params(self, params: list[Param]) -> None:
        """Writes the parameters of a definition."""
        if not params:
            return
        self.write("(")
        self.indent += 1
        for param in params:
            self.line()
            self.expr(param)
            self.write(",")
        self.indent -= 1
        self.line()
        self.write(") ")

    # -- conditions -------------------------------------------------------------------------

    def if_(self, node: ast.If) -> None:
        current = node
        word = "if "
        while True:
            self.write(word)
            self.expr(current.test)
            self.write(" ")
            self.block(current.then)
            match current.otherwise:
                case []:
                    return
                case [ast.If(elsif=True) as following]:
                    current, word = following, " elsif "
                case otherwise:
                    self.write(" else ")
                    self.block(otherwise)
                    return

    def unless(self, node: ast.Unless) -> None:
        self.write("unless ")
        self.expr(node.test)
        self.write(" ")
        self.block(node.then)
        if node.otherwise:
            self.write(" else ")
            self.block(node.otherwise)

    def case(self, node: ast.Case) -> None:
        self.write("case ")
        self.expr(node.test)
        self.write(" {")
        self.indent += 1
        for option in node.options:
            self.line()
            self.listed(option.values)
            self.write(": ")
            self.block(option.body)
        self.indent -= 1
        self.line()
        self.write("}")

    # -- resources --------------------------------------------------------------------------

    def attribute(self, node: ast.Attribute) -> None:
        self.write(f"{node.name} {node.op} ")
        self.expr(node.value)

    def attributes(self, node: ast.Attributes) -> None:
        self.write("* => ")
        self.expr(node.value)

    def operations(self, operations: list[Operation], last: str = ",") -> None:
        """Writes attributes, one a line, and `last` after the last."""
        self.indent += 1
        for i, operation in enumerate(operations, 1):
            self.line()
            self.expr(operation)
            self.write(last if i == len(operations) else ",")
        self.indent -= 1

    def braced(self, operations: list[Operation]) -> None:
        """Writes attributes in braces."""
        self.write(" {")
        self.operations(operations)
        self.line()
        self.write("}")

    def resource(self, node: ast.Resource) -> None:
        self.write(_FORM_SIGNS[node.form])
        self.expr(node.type)
        self.write(" {")
        several = len(node.bodies) > 1
        self.indent += several
        for body in node.bodies:
            if several:
                self.line()
            else:
                self.write(" ")
            self.expr(body.title)
            self.write(":" if body.operations or not several else ":;")
            self.operations(body.operations, ";" if several else ",")
        self.indent -= several
        self.line()
        self.write("}")

    def defaults(self, node: ast.Defaults) -> None:
        self.write(_FORM_SIGNS[node.form])
        self.expr(node.type)
        self.braced(node.operations)

    def override(self, node: ast.Override) -> None:
        self.write(_FORM_SIGNS[node.form])
        self.expr(node.target)
        self.braced(node.operations)

    def collect(self, node: ast.Collect) -> None:
        self.expr(node.type)
        self.write(" <<|" if node.exported else " <|")
        if node.query is not None:
            self.write(" ")
            self.expr(node.query)
        self.write(" |>>" if node.exported else " |>")
        if node.operations:
            self.braced(node.operations)

    def several(self, node: ast.Block) -> None:
        """A resource without a title, or the statements of a ``<%=``."""
        match node.statements:
            case [ast.Name() as name, ast.Hash(entries=entries)] if not self.in_epp:
                self.expr(name)
                self.titleless(entries)
            case statements:
                self.block(statements)

    # -- definitions ------------------------------------------------------------------------

    def local_name(self, name: str) -> str:
        """The name of a definition as it is written inside the open classes."""
        return name.removeprefix("::".join([*self.names, ""])) if self.names else name

    def class_(self, node: ast.ClassDef) -> None:
        local = self.local_name(node.name)
        self.write("class ", local, " ")
        self.params(node.params)
        if node.parent is not None:
            self.write("inherits ", node.parent, " ")
        self.names.append(local)
        self.block(node.body)
        self.names.pop()

    def define(self, node: ast.Define) -> None:
        self.write("define ", self.local_name(node.name), " ")
        self.params(node.params)
        self.block(node.body)

    def function(self, node: ast.Function) -> None:
        self.write("function ", node.name, " ")
        self.params(node.params)
        if node.returns is not None:
            self.write(">> ")
            self.expr(node.returns)
            self.write(" ")
        self.block(node.body)

    def node(self, node: ast.Node) -> None:
        self.write("node ")
        self.listed(node.hosts)
        if node.parent is not None:
            self.write(" inherits ")
            self.expr(node.parent)
        self.write(" ")
        self.block(node.body)

    def alias(self, node: ast.Alias) -> None:
        self.write("type ", node.name, " = ")
        self.expr(node.type)

    def mapping(self, node: ast.TypeMapping) -> None:
        self.write("type ")
        self.expr(node.type)
        self.write(" = ")
        self.expr(node.mapping)

    def type_def(self, node: ast.TypeDef) -> None:
        self.write("type ", node.name, " ")
        if node.parent is not None:
            self.write("inherits ", node.parent, " ")
        self.block(node.body)

    # -- EPP --------------------------------------------------------------------------------

    def template(self, node: ast.Epp) -> None:
        """Writes a template: text as it is, everything else between ``<%`` and ``%>``."""
        self.in_epp = True
        if node.params is not None:
            self.write("<%- | ")
            self.listed(node.params)
            self.settle()
            self.write(" | %>")
        body = list(node.body)
        first = last = None
        if body and isinstance(body[-1], ast.RenderText):
            last = body.pop()
        if body and isinstance(body[0], ast.RenderText):
            first = body.pop(0)
        if isinstance(first, ast.RenderText):
            self.write(_epp_text(first.value))
        if body:
            self.write("<%")
            self.line()
            self.statements(body)
            self.settle()
            self.write("-%>\n" if last == ast.RenderText("") else " %>")
        elif last == ast.RenderText(""):
            self.write("<% -%>\n")
        if isinstance(last, ast.RenderText):
            self.write(_epp_text(last.value))

    def render_text(self, node: ast.RenderText) -> None:
        self.settle()
        self.write(" %>", _epp_text(node.value), "<% ")

    def render(self, node: ast.Render) -> None:
        self.settle()
        self.write(" %><%= ")
        self.expr(node.value)
        self.settle()
        self.write(" %><% ")


_FORM_SIGNS = {"regular": "", "virtual": "@", "exported": "@@"}


def _epp_text(value: str) -> str:
    return value.replace("%>", "%%>").replace("<%", "<%%")


def _float(value: float) -> str:
    return repr(value).replace("e+", "e")


def _first_character(node: Expr) -> str:
    """The character that the text of a statement begins with, as far as it matters."""
    while True:
        match node:
            case ast.Minus():
                return "-"
            case ast.Splat():
                return "*"
            case ast.Hash():
                return "{"
            case ast.Regex():
                return "/"
            case ast.Binary() | ast.Relation() | ast.Assignment() | ast.Access():
                node = node.left
            case ast.Method():
                node = node.receiver
            case ast.Selector():
                node = node.value
            case ast.Call():
                node = node.function
            case ast.Resource() | ast.Defaults() | ast.Collect():
                if not isinstance(node, ast.Collect) and node.form != "regular":
                    return "@"
                node = node.type
            case ast.Override():
                node = node.target
            case _:
                return ""


_FORMS: dict[type[Any], Callable[[Printer, Any], None]] = {
    ast.Undef: lambda p, n: p.write("undef"),
    ast.Default: lambda p, n: p.write("default"),
    ast.Boolean: lambda p, n: p.write("true" if n.value else "false"),
    ast.Integer: Printer.integer,
    ast.Float: lambda p, n: p.write(_float(n.value)),
    ast.String: lambda p, n: p.write(quote(n.value)),
    ast.Name: lambda p, n: p.write(n.value),
    ast.TypeName: lambda p, n: p.write(n.value),
    ast.Regex: lambda p, n: p.write("/", n.pattern.replace("/", "\\/"), "/"),
    ast.Variable: lambda p, n: p.write("$", n.name),
    ast.Reserved: lambda p, n: p.write(n.word),
    ast.Interpolated: Printer.interpolated,
    ast.Heredoc: Printer.heredoc,
    ast.Array: Printer.array,
    ast.Entry: lambda p, n: p.pair(n.key, n.value),
    ast.Hash: Printer.hash,
    ast.Paren: Printer.paren,
    ast.Not: Printer.prefix,
    ast.Minus: Printer.prefix,
    ast.Splat: Printer.prefix,
    ast.Binary: Printer.binary,
    ast.Relation: Printer.binary,
    ast.Assignment: Printer.assignment,
    ast.Access: Printer.access,
    ast.Option: lambda p, n: p.pair(n.match, n.value),
    ast.Selector: Printer.selector,
    ast.Call: Printer.inner_call,
    ast.Method: Printer.method,
    ast.Lambda: Printer.lambda_,
    ast.Param: Printer.param,
    ast.If: Printer.if_,
    ast.Unless: Printer.unless,
    ast.Case: Printer.case,
    ast.Attribute: Printer.attribute,
    ast.Attributes: Printer.attributes,
    ast.Resource: Printer.resource,
    ast.Defaults: Printer.defaults,
    ast.Override: Printer.override,
    ast.Collect: Printer.collect,
    ast.Block: Printer.several,
    ast.ClassDef: Printer.class_,
    ast.Define: Printer.define,
    ast.Node: Printer.node,
    ast.Function: Printer.function,
    ast.Alias: Printer.alias,
    ast.TypeMapping: Printer.mapping,
    ast.TypeDef: Printer.type_def,
    ast.RenderText: Printer.render_text,
    ast.Render: Printer.render,
}
