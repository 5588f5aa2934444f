"""The printer: a syntax tree as Puppet code in a normal form.

parse ∘ print is the identity on trees (tests/laws/test_puppet_print.py).  Comments and
the choice between ways of writing the same tree are not kept: calls have parentheses,
hashes braces, strings single quotes where they can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Operation, Param, Program
from headwater.langs.puppet.syntax.tokens import INTERPOLATED_NAME, KINDS_OF_WORD, STRICT_NAME
from headwater.langs.puppet.syntax.writer import Writer, double, heredoc_body, quote

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


def show_node(node: Expr) -> str:
    """The text of one expression."""
    printer = Printer()
    printer.expr(node)
    printer.settle()
    return printer.text()


class Printer(Writer):
    """Writes nodes."""

    __slots__ = ("in_epp", "names")

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.in_epp = False

    def expr(self, node: Expr | ast.Part) -> None:
        """Writes a node where a value stands."""
        _FORMS[type(node)](self, node)

    def listed(self, nodes: Sequence[Expr | ast.Part]) -> None:
        """Writes nodes with commas between them."""
        for i, node in enumerate(nodes):
            if i:
                self.write(", ")
            self.expr(node)

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

    # -- values -----------------------------------------------------------------------------

    def integer(self, node: ast.Integer) -> None:
        match node.radix:
            case 16:
                self.write(hex(node.value))
            case 8:
                self.write(f"0{node.value:o}")
            case _:
                self.write(str(node.value))

    def interpolated(self, node: ast.Interpolated) -> None:
        self.write('"')
        self.segments(node, double)
        self.write('"')

    def segments(self, node: ast.Interpolated, chunk: Callable[[str], str]) -> None:
        for segment in node.segments:
            if isinstance(segment, ast.String):
                self.write(chunk(segment.value))
                continue
            self.write("${")
            mark = len(self.out)
            self.expr(segment.value)
            if _root_is_plain(segment.value):
                text = "".join(self.out[mark:])
                self.out[mark:] = [text[1:]]
            self.settle()
            self.write("}")

    def heredoc(self, node: ast.Heredoc) -> None:
        syntax = f":{node.syntax}" if node.syntax else ""
        if isinstance(node.text, ast.String) and "\r" not in node.text.value:
            tag, body = heredoc_body(node.text.value)
            self.write(f"@({tag}{syntax})")
        else:
            inner = Printer()
            text = node.text
            segments = [text] if isinstance(text, ast.String) else text.segments
            inner.segments(ast.Interpolated(list(segments)), _heredoc_chunk)
            tag, body = heredoc_body(inner.text())
            if isinstance(text, ast.String):
                self.write(f"@({tag}{syntax}/r)")
            else:
                self.write(f'@("{tag}"{syntax}/$r)')
        self.pending.append(body)

    def array(self, node: ast.Array) -> None:
        self.write("[")
        self.listed(node.items)
        self.write("]")

    def pair(self, key: Expr, value: Expr) -> None:
        self.expr(key)
        self.write(" => ")
        self.expr(value)

    def paren(self, node: ast.Paren) -> None:
        self.write("(")
        self.expr(node.value)
        self.write(")")

    def hash(self, node: ast.Hash) -> None:
        if not node.entries:
            self.write("{ }")
            return
        self.write("{ ")
        self.listed(node.entries)
        self.write(" }")

    def prefix(self, node: ast.Not | ast.Minus | ast.Splat) -> None:
        current: Expr = node
        while (sign := _SIGNS.get(type(current))) is not None:
            assert isinstance(current, ast.Not | ast.Minus | ast.Splat)
            self.write(sign)
            current = current.value
        self.expr(current)

    def binary(self, node: ast.Binary | ast.Relation) -> None:
        spine: list[Any] = []
        left: Expr = node
        while type(left) is type(node):
            spine.append(left)
            left = left.left
        self.expr(left)
        for link in reversed(spine):
            self.write(f" {link.op} ")
            self.expr(link.right)

    def assignment(self, node: ast.Assignment) -> None:
        right: Expr = node
        while isinstance(right, ast.Assignment):
            self.expr(right.left)
            self.write(f" {right.op} ")
            right = right.right
        self.expr(right)

    def access(self, node: ast.Access) -> None:
        self.expr(node.left)
        self.write("[")
        self.listed(node.keys)
        self.write("]")

    def selector(self, node: ast.Selector) -> None:
        self.expr(node.value)
        self.write(" ? { ")
        self.listed(node.options)
        self.write(" }")

    # -- calls ------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> None:
        self.expr(node.function)
        self.write("(")
        self.listed(node.args)
        self.write(")")
        if node.block is not None:
            self.write(" ")
            self.expr(node.block)

    def inner_call(self, node: ast.Call) -> None:
        """A call within an expression; one that gives no value has a form of its own."""
        match node:
            case ast.Call(statement=True, args=[ast.Hash(entries=entries)], block=None):
                self.expr(node.function)
                self.titleless(entries)
            case _:
                self.call(node)

    def method(self, node: ast.Method) -> None:
        self.expr(node.receiver)
        self.write(".", node.function.value)
        if node.args or node.block is None:
            self.write("(")
            self.listed(node.args)
            self.write(")")
        if node.block is not None:
            self.write(" ")
            self.expr(node.block)

    def lambda_(self, node: ast.Lambda) -> None:
        self.write("|")
        self.listed(node.params)
        self.write("| ")
        if node.returns is not None:
            self.write(">> ")
            self.expr(node.returns)
            self.write(" ")
        self.block(node.body)

    def param(self, node: Param) -> None:
        if node.type is not None:
            self.expr(node.type)
            self.write(" ")
        self.write("*$" if node.splat else "$", node.name)
        if node.default is not None:
            self.write(" = ")
            self.expr(node.default)

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

    def operations(self, operations: list[Operation]) -> None:
        """Writes attributes, one a line."""
        self.indent += 1
        for operation in operations:
            self.line()
            self.expr(operation)
            self.write(",")
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
        for i, body in enumerate(node.bodies):
            if i:
                self.write(";")
            if several:
                self.line()
            else:
                self.write(" ")
            self.expr(body.title)
            self.write(":")
            self.operations(body.operations)
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

    def titleless(self, entries: list[ast.Entry]) -> None:
        """Writes the entries of a hash as attributes."""
        self.write(" { ")
        for entry in entries:
            assert isinstance(entry.key, ast.String)
            self.write(entry.key.value, " => ")
            self.expr(entry.value)
            self.write(", ")
        self.write("}")

    # -- definitions ------------------------------------------------------------------------

    def local_name(self, name: str) -> str:
        """The name of a definition as it is written inside the open classes."""
        return name.removeprefix("::".join([*self.names, ""])) if self.names else name

    def class_(self, node: ast.ClassDef) -> None:
        written = self.local_name(node.name)
        self.write("class ", written, " ")
        self.params(node.params)
        if node.parent is not None:
            self.write("inherits ", node.parent, " ")
        self.names.append(written)
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


_SIGNS: dict[type[Any], str] = {ast.Not: "!", ast.Minus: "-", ast.Splat: "*"}
_FORM_SIGNS = {"regular": "", "virtual": "@", "exported": "@@"}


def _heredoc_chunk(value: str) -> str:
    return value.replace("\\", "\\\\").replace("$", "\\$").replace("\r", "\\r")


def _epp_text(value: str) -> str:
    return value.replace("%>", "%%>").replace("<%", "<%%")


def _float(value: float) -> str:
    return repr(value).replace("e+", "e")


def _root_is_plain(node: Expr) -> bool:
    """Whether an embedded expression may be written without its first dollar."""
    while isinstance(node, ast.Access | ast.Method):
        node = node.left if isinstance(node, ast.Access) else node.receiver
    if not isinstance(node, ast.Variable) or KINDS_OF_WORD.get(node.name) == "BOOL":
        return False
    if not INTERPOLATED_NAME.fullmatch(node.name):
        return True  # a refused name such as 1.0 or a-b can stand nowhere else
    return bool(STRICT_NAME.match(node.name)) or node.name.isdigit()


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
