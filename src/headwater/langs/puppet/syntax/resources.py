"""Resources in all their forms, relationships and assignments: the layers over expressions."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import (
    Access,
    Assignment,
    Attribute,
    Attributes,
    Block,
    Body,
    Call,
    Defaults,
    Entry,
    Expr,
    Hash,
    Name,
    Operation,
    Override,
    Relation,
    Resource,
    String,
    TypeName,
)  # fmt: skip
from headwater.langs.puppet.syntax.expressions import MAX_CHAIN, OPERANDS, Expressions
from headwater.langs.puppet.syntax.messages import describe
from headwater.langs.puppet.syntax.tokens import KEYWORDS

ATTRIBUTE_NAMES = frozenset({"NAME", *KEYWORDS})
STATEMENT_CALLS = frozenset(
    {"require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning",
     "err", "fail", "import", "break", "next", "return"}
)  # fmt: skip
"""The functions that may be called without parentheses."""

MAX_BODIES = 50
"""How many pairs of braces may follow one another."""

_ASSIGN = frozenset({"=", "+=", "-="})
_ARROWS = frozenset({"->", "~>", "<-", "<~"})
_OVER_EXPRESSION = frozenset({*_ASSIGN, *_ARROWS, "{"})


class Resources(Expressions):
    """The layers `resource`, `relationship` and `assignment`."""

    __slots__ = ()

    def assignment(self) -> Expr:
        """``relationship = assignment``, associating to the right"""
        kind = self.kinds[self.i]
        if kind == "@" or kind == "@@" or kind == "class":
            left = self.resource()
        else:
            left = self.expression()
        if self.kinds[self.i] not in _OVER_EXPRESSION:
            return left
        return self.assignment_from(left)

    def assignment_from(self, left: Expr) -> Expr:
        """The same, when its first expression has been read."""
        kinds = self.kinds
        pending: list[tuple[str, Expr, int]] = []
        while True:
            if kinds[self.i] == "{":
                left = self.braces(left)
            if kinds[self.i] in _ARROWS:
                left = self.relationship(left)
            kind = kinds[self.i]
            if kind not in _ASSIGN:
                break
            pending.append((kind, left, self.spans[self.i][0]))
            if len(pending) > MAX_CHAIN:
                self.refuse_with(codes.TOO_DEEP, self.i, bound=MAX_CHAIN, what="assignments")
            self.i += 1
            left = self.resource()
        for op, target, at in reversed(pending):
            left = Assignment(op, target, left, at, target.start, left.end)
        return left

    def relationship(self, left: Expr) -> Expr:
        """The rest of ``a -> b ~> c``"""
        kinds = self.kinds
        count = 0
        while (kind := kinds[self.i]) in _ARROWS:
            count += 1
            if count > MAX_CHAIN:
                self.refuse_with(codes.TOO_DEEP, self.i, bound=MAX_CHAIN, what="relationships")
            at = self.spans[self.i][0]
            self.i += 1
            right = self.resource()
            left = Relation(kind, left, right, at, left.start, right.end)
        return left

    def resource(self) -> Expr:
        """An expression, a resource, or one with ``@`` or ``@@``"""
        kind = self.kinds[self.i]
        if kind == "@" or kind == "@@":
            return self.virtual()
        if kind == "class" and self.kinds[self.i + 1] == "{":
            left: Expr = self.class_resource()
        else:
            left = self.expression()
        return self.braces(left) if self.kinds[self.i] == "{" else left

    def virtual(self) -> Expr:
        """``@user { … }``, ``@@user { … }``"""
        marks = []
        while self.kinds[self.i] in ("@", "@@"):
            marks.append(self.i)
            self.i += 1
        value = self.resource()
        for i in reversed(marks):
            if not isinstance(value, Resource | Defaults | Override):
                self.refuse_with(codes.BAD_VIRTUAL, i, sign=self.kinds[i])
            value.form = "virtual" if self.kinds[i] == "@" else "exported"
            value.start = self.spans[i][0]
        return value

    def braces(self, left: Expr) -> Expr:
        """What braces make of what stands before them, again and again."""
        kinds = self.kinds
        count = 0
        while kinds[self.i] == "{":
            count += 1
            if count > MAX_BODIES:
                self.refuse_with(codes.TOO_DEEP, self.i, bound=MAX_BODIES, what="bodies")
            opening = self.i
            self.i = opening + 1
            if self.at_operations():
                operations = self.operations()
                end = self.spans[self.expect("}", ", or }")][1]
                left = self.without_title(left, operations, opening, end)
            else:
                bodies = self.bodies()
                end = self.spans[self.expect("}", ", ; or }")][1]
                left = Resource(left, bodies, "regular", left.start, end)
        return left

    def at_operations(self) -> bool:
        """Whether braces hold attributes at once, without a title."""
        kind, following = self.kinds[self.i], self.kinds[self.i + 1]
        if kind in ATTRIBUTE_NAMES:
            return following == "=>" or following == "+>"
        return kind == "}" or kind == "," or (kind == "*" and following == "=>")

    def without_title(
        self, left: Expr, operations: list[Operation], opening: int, end: int
    ) -> Expr:
        """``File { … }``, ``File['x'] { … }``, or a name with a hash"""
        match left:
            case TypeName():
                return Defaults(left, operations, "regular", left.start, end)
            case Access():
                return Override(left, operations, "regular", left.start, end)
            case Name():
                pass
            case _:
                what = describe_expr(left)
                self.refuse_with(codes.BAD_RESOURCE, opening, what=what)
        entries = []
        for operation in operations:
            if not isinstance(operation, Attribute) or operation.op == "+>":
                self.refuse_with(codes.BAD_RESOURCE, opening, what="a name")
            key = String(operation.name, operation.start, operation.name_end)
            entries.append(Entry(key, operation.value, operation.start, operation.end))
        hash_ = Hash(entries, False, self.spans[opening][0], end)
        if left.value in STATEMENT_CALLS:
            return Call(left, [hash_], None, True, True, left.start, end)
        return Block([left, hash_], left.start, end)

    def bodies(self) -> list[Body]:
        """``title: a => b; title: …`` up to the closing brace"""
        bodies = [self.body()]
        while self.kinds[self.i] == ";":
            self.i += 1
            if self.kinds[self.i] == "}":
                break
            bodies.append(self.body())
        return bodies

    def body(self) -> Body:
        """``title: a => b``"""
        title = self.expression()
        colon = self.expect(":", ": after the title")
        operations = self.operations()
        last = operations[-1].end if operations else self.spans[colon][1]
        return Body(title, operations, title.start, last)

    def operations(self) -> list[Operation]:
        """``a => b, c +> d, * => e``, a comma before and after allowed"""
        kinds, spans, values = self.kinds, self.spans, self.values
        operations: list[Operation] = []
        if kinds[self.i] == ",":
            self.i += 1
        while True:
            i = self.i
            kind = kinds[i]
            op = kinds[i + 1] if kind != "END" else ""
            if kind in ATTRIBUTE_NAMES and (op == "=>" or op == "+>"):
                self.i = i + 2
                value = self.expression()
                start, name_end = spans[i]
                operations.append(Attribute(values[i], op, value, name_end, start, value.end))
            elif kind == "*" and op == "=>":
                self.i = i + 2
                value = self.expression()
                operations.append(Attributes(value, spans[i][0], value.end))
            elif kind in ATTRIBUTE_NAMES:
                self.i = i + 1
                self.refuse("=> after the attribute name")
            else:
                return operations
            if kinds[self.i] != ",":
                return operations
            self.i += 1

    def class_resource(self) -> Expr:
        """``class { 'a': … }``"""
        i = self.i
        start, end = self.spans[i]
        self.i = i + 2
        bodies = self.bodies()
        close = self.expect("}", ", ; or }")
        return Resource(Name("class", start, end), bodies, "regular", start, self.spans[close][1])


_WORDS: dict[type[object], str] = {
    ast.String: "a string", ast.Interpolated: "a string", ast.Heredoc: "a heredoc",
    ast.Integer: "a number", ast.Float: "a number", ast.Boolean: "a boolean",
    ast.Undef: "undef", ast.Default: "default", ast.Name: "a name", ast.TypeName: "a type",
    ast.Regex: "a regular expression", ast.Reserved: "a reserved word",
    ast.Variable: "a variable", ast.Array: "an array", ast.Hash: "a hash",
    ast.Paren: "an expression in parentheses", ast.Not: "a negation", ast.Minus: "a number",
    ast.Splat: "a splat", ast.Binary: "an operation", ast.Relation: "a relationship",
    ast.Assignment: "an assignment", ast.Access: "an access", ast.Selector: "a selector",
    ast.Call: "a call", ast.Method: "a call", ast.If: "an if", ast.Unless: "an unless",
    ast.Case: "a case", ast.Resource: "a resource", ast.Defaults: "resource defaults",
    ast.Override: "a resource override", ast.Collect: "a collector", ast.Block: "a block",
    ast.ClassDef: "a class", ast.Define: "a define", ast.Node: "a node",
    ast.Function: "a function", ast.Alias: "a type alias", ast.TypeMapping: "a type mapping",
    ast.TypeDef: "a type definition", ast.RenderText: "text of a template",
    ast.Render: "a <%= %>", ast.Epp: "a template",
}  # fmt: skip


def describe_expr(node: Expr) -> str:
    """What kind of thing an expression is, in words."""
    return _WORDS[type(node)]


__all__ = ["OPERANDS", "Resources", "describe", "describe_expr"]
