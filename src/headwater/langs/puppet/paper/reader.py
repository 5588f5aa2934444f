"""From Puppet's syntax tree to the terms of the calculus.

Where Puppet has more than one way to write a thing that the calculus has, the reader
translates: ``elsif`` is an ``if`` in the ``else``, ``include a, b`` two statements, a case
with several values several cases, a string with variables in it a concatenation.  What the
calculus does not have becomes `Beyond`, which is stuck when it is reached; definitions
that it does not have are refused at once, because they act without being reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.natives import METAPARAMETERS, NATIVES
from headwater.langs.puppet.paper.provenance import ERASED, NONE, Labels, Why, computed
from headwater.langs.puppet.syntax import Program, ast
from headwater.langs.puppet.syntax.brief import brief
from headwater.report import Diagnostic
from headwater.text import Span

ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "<<", ">>"])
COMPARISON = frozenset(["==", "!=", "<", "<=", ">", ">="])
DATA_TYPES = frozenset(
    [
        "any", "array", "binary", "boolean", "callable", "catalogentry", "collection", "data",
        "default", "deferred", "enum", "error", "float", "hash", "init", "integer", "iterable",
        "iterator", "notundef", "numeric", "object", "optional", "pattern", "regexp", "resource",
        "richdata", "runtime", "scalar", "scalardata", "semver", "semverrange", "sensitive",
        "string", "struct", "timespan", "timestamp", "tuple", "type", "typealias",
        "typereference", "typeset", "undef", "uri", "variant",
    ]
)  # fmt: skip
BEYOND_STATEMENTS = {
    ast.Defaults: "a resource default",
    ast.Override: "an override by reference",
    ast.Collect: "a resource collector",
    ast.Relation: "a chaining arrow",
    ast.Method: "a method call",
    ast.Block: "a resource without a title",
}
BEYOND_EXPRESSIONS = {
    ast.Float: "a floating-point number",
    ast.Regex: "a regular expression",
    ast.Heredoc: "a heredoc",
    ast.Minus: "the unary minus",
    ast.Splat: "a splat",
    ast.TypeName: "a type as a value",
    ast.Default: "default as a value",
    ast.If: "if as a value",
    ast.Unless: "unless as a value",
    ast.Case: "case as a value",
    ast.Assignment: "an assignment as a value",
    ast.Resource: "a resource as a value",
    **BEYOND_STATEMENTS,
}
LOGGING = frozenset(["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"])
"""Functions that only write messages; like-puppet evaluates their arguments."""
NESTED = {
    ast.ClassDef: "a class defined in a class",
    ast.Define: "a define inside another definition",
    ast.Node: "a node definition inside another definition",
    ast.Function: "a function definition",
    ast.Alias: "a type alias",
    ast.TypeMapping: "a type mapping",
    ast.TypeDef: "a type definition",
}


@dataclass(slots=True)
class Manifest:
    """A manifest in the terms of the calculus, and the table of what it defines."""

    elements: list[t.Element] = field(default_factory=list)
    classes: dict[str, t.ClassDefinition] = field(default_factory=dict)
    defines: dict[str, t.DefineDefinition] = field(default_factory=dict)
    nodes: list[t.NodeDefinition] = field(default_factory=list)
    refused: list[Diagnostic] = field(default_factory=list)


class Reader:
    """Reads one program."""

    def __init__(self, program: Program, labels: Labels, *, like_puppet: bool) -> None:
        self.program = program
        self.labels = labels
        self.like_puppet = like_puppet
        self.manifest = Manifest()
        self.nested: list[t.Element] = []

    def read(self) -> Manifest:
        """The manifest; in like-puppet, definitions come first and nodes last."""
        manifest = self.manifest
        definitions: list[t.Element] = []
        statements: list[t.Element] = []
        nodes: list[t.Element] = []
        for node in self.program.body:
            match node:
                case ast.ClassDef() | ast.Define():
                    made = self.definition(node)
                    definitions.append(made)
                    manifest.elements.append(made)
                case ast.Node():
                    host = self.node(node)
                    nodes.append(host)
                    manifest.nodes.append(host)
                    manifest.elements.append(host)
                case _:
                    for statement in self.statements_of(node):
                        statements.append(statement)
                        manifest.elements.append(statement)
        if self.like_puppet:
            manifest.elements = [*definitions, *self.nested, *statements, *nodes]
        return manifest

    def span(self, node: ast.Expr | ast.Part) -> Span:
        """Where a node stands."""
        return Span(self.program.source, node.start, node.end)

    # -- definitions ---------------------------------------------------------------------------

    def definition(self, node: ast.ClassDef | ast.Define) -> t.Element:
        """A class or a defined resource type."""
        at = Span(self.program.source, node.name_start, node.name_end)
        name = node.name.removeprefix("::")
        parameters = tuple(self.parameter(param) for param in node.params)
        body = self.block(node.body)
        typed = next((param for param in node.params if param.type or param.splat), None)
        if typed is not None:
            body = t.Seq(t.Beyond("a typed parameter", self.span(typed)), body)
        meta = next((param for param in node.params if param.name in METAPARAMETERS), None)
        if meta is not None and self.like_puppet:
            what = "a parameter with the name of a metaparameter"
            body = t.Seq(t.Beyond(what, self.span(meta)), body)
        if isinstance(node, ast.Define):
            define = t.DefineDefinition(name, parameters, body, at)
            self.manifest.defines.setdefault(name, define)
            return define
        parent = node.parent.removeprefix("::") if node.parent else None
        made = t.ClassDefinition(name, parameters, parent, body, at)
        self.manifest.classes.setdefault(name, made)
        return made

    def parameter(self, param: ast.Param) -> t.Parameter:
        """``$x = e``"""
        at = Span(self.program.source, param.name_start, param.name_end)
        default = None if param.default is None else self.expr(param.default)
        return t.Parameter(param.name, default, at)

    def node(self, node: ast.Node) -> t.NodeDefinition:
        """``node Q {s}``"""
        hosts = tuple(self.host(host) for host in node.hosts)
        return t.NodeDefinition(hosts, self.block(node.body), self.span(node))

    def host(self, host: ast.Expr) -> t.Host:
        """One of Q."""
        at = self.span(host)
        why = self.labels.literal("literal", at)
        match host:
            case ast.Default():
                return t.Host("default", "default", why, at)
            case ast.Regex(pattern=pattern):
                return t.Host("regex", pattern, why, at)
            case ast.String(value=text) | ast.Name(value=text):
                return t.Host("name", text, why, at)
            case _:
                return t.Host("name", at.text, why, at)

    # -- statements ----------------------------------------------------------------------------

    def block(self, body: Sequence[ast.Expr]) -> t.Stmt:
        """``s1 s2 …``, nested to the right."""
        statements = [made for node in body for made in self.statements_of(node)]
        if not statements:
            return t.SKIP
        whole: t.Stmt = statements[-1]
        for statement in reversed(statements[:-1]):
            whole = t.Seq(statement, whole)
        return whole

    def statements_of(self, node: ast.Expr) -> list[t.Stmt]:
        """The statements that one of Puppet stands for."""
        at = self.span(node)
        kind = type(node)
        if self.like_puppet and isinstance(node, ast.ClassDef | ast.Define):
            self.nested.append(self.definition(node))
            return []
        if kind in NESTED:
            self.manifest.refused.append(BEYOND_PAPER.at(at, what=NESTED[kind]))
            return []
        if kind in BEYOND_STATEMENTS:
            return [t.Beyond(BEYOND_STATEMENTS[kind], at)]
        match node:
            case ast.Assignment(
                op="=", left=ast.Variable(name=name), right=ast.Assignment(op="=") as inner
            ) if self.like_puppet and isinstance(inner.left, ast.Variable):
                again = t.Variable(inner.left.name, self.span(inner.left))
                return [*self.statements_of(inner), t.Assign(name, again, at)]
            case ast.Assignment(op="=", left=ast.Variable(name=name), right=value):
                return [t.Assign(name.removeprefix("::"), self.expr(value), at)]
            case ast.Assignment():
                return [t.Beyond("a multiple assignment", at)]
            case ast.If(test=test, then=then, otherwise=otherwise):
                return [t.If(self.expr(test), self.block(then), self.block(otherwise), at)]
            case ast.Unless(test=test, then=then, otherwise=[]):
                return [t.Unless(self.expr(test), self.block(then), at)]
            case ast.Unless(test=test, then=then, otherwise=otherwise):
                return [t.If(self.expr(test), self.block(otherwise), self.block(then), at)]
            case ast.Case(test=test, options=options):
                return [self.case(test, options, at)]
            case ast.Resource():
                return self.resource(node, at)
            case ast.Call(function=ast.Name(value="include" | "contain" | "require"), args=[]) if (
                self.like_puppet
            ):
                return [t.Include("", at)]
            case ast.Call(function=ast.Name(value="include"), args=args):
                return [made for arg in args for made in self.include(arg)]
            case ast.Call(function=ast.Name(value="contain" | "require"), args=args) if (
                self.like_puppet
            ):  # the same resources, other edges
                return [made for arg in args for made in self.include(arg)]
            case ast.Call(function=ast.Name(value=name), args=args, block=None) if (
                self.like_puppet and name in LOGGING
            ):
                return [self.expr(arg) for arg in args]
            case ast.Call(function=ast.Name(value="contain" | "require" as name)):
                return [t.Beyond(f"the function {name}", at)]
            case _:
                return [self.expr(node)]

    def include(self, arg: ast.Expr) -> list[t.Stmt]:
        """``include a``; in like-puppet a list of classes is one after the other."""
        at = self.span(arg)
        match arg:
            case ast.Name(value=name) | ast.String(value=name):
                return [t.Include(name.removeprefix("::").lower(), at)]
            case ast.Array(items=items) if self.like_puppet:
                return [made for item in items for made in self.include(item)]
            case ast.Access(left=ast.TypeName(value="Class"), keys=keys) if self.like_puppet:
                return [made for key in keys for made in self.include(key)]
            case _:
                return [t.Beyond("include of a computed name", at)]

    def case(self, test: ast.Expr, options: Sequence[ast.When], at: Span) -> t.Stmt:
        """``case e {C}``; each of several values of one branch becomes a branch."""
        branches: list[tuple[t.Expr | t.Default, t.Stmt]] = []
        control = self.expr(test)
        for option in options:
            body = self.block(option.body)
            branches += [(self.case_value(value), body) for value in option.values]
        return t.Case(control, self.ordered(branches), at)

    def case_value(self, value: ast.Expr) -> t.Expr | t.Default:
        """``c``"""
        if isinstance(value, ast.Default):
            return t.Default(self.labels.literal("literal", self.span(value)))
        return self.expr(value)

    def ordered(
        self, branches: Sequence[tuple[t.Expr | t.Default, t.Body]]
    ) -> tuple[tuple[t.Expr | t.Default, t.Body], ...]:
        """The branches; in like-puppet ``default`` is tried last, wherever it stands."""
        if not self.like_puppet:
            return tuple(branches)
        return tuple(sorted(branches, key=lambda branch: isinstance(branch[0], t.Default)))

    def resource(self, node: ast.Resource, at: Span) -> list[t.Stmt]:
        """``t {e: H}``, ``u {e: H}`` or ``class {a: H}``"""
        if node.form != "regular":
            article = "an" if node.form == "exported" else "a"
            return [t.Beyond(f"{article} {node.form} resource", at)]
        if len(node.bodies) != 1 and not self.like_puppet:
            return [t.Beyond("a resource with several bodies", at)]
        match node.type:
            case ast.Name(value=name) | ast.String(value=name):
                # Puppet's own types have no place; refused by the name no type has.
                own = self.like_puppet and name.lower().removeprefix("::") in NATIVES
                kind = name.lower() if own else name.removeprefix("::").lower()
            case _:
                return [t.Beyond("a computed resource type", at)]
        defaults = [body for body in node.bodies if isinstance(body.title, ast.Default)]
        if len(defaults) > 1 or (defaults and not self.like_puppet):
            return [t.Beyond("a default body of a resource", at)]
        shared = self.attributes(defaults[0]) if defaults else ()
        if isinstance(shared, t.Beyond):
            return [shared]
        # Puppet evaluates them once and first, even where no body needs them.
        made: list[t.Stmt] = [value for _, value in shared if not isinstance(value, t.VALUES)]
        for body in node.bodies:
            if body not in defaults:
                where = Span(self.program.source, node.start, body.title.end)
                made += self.body(kind, body, shared, where)
        return made

    def attributes(self, body: ast.Body) -> t.Attributes | t.Beyond:
        """``H`` of a resource."""
        made: list[tuple[str, t.Expr]] = []
        for operation in body.operations:
            match operation:
                case ast.Attribute(name=name, op="=>", value=value):
                    made.append((name, self.expr(value)))
                case ast.Attribute():
                    return t.Beyond("an appended attribute", self.span(operation))
                case _:
                    return t.Beyond("attributes from a hash", self.span(operation))
        return tuple(made)

    def body(self, kind: str, body: ast.Body, shared: t.Attributes, at: Span) -> list[t.Stmt]:
        """``e: H`` of a resource, with the attributes of its default body."""
        own = self.attributes(body)
        if isinstance(own, t.Beyond):
            return [own]
        given = {name for name, _ in own}
        attributes = (*own, *((name, e) for name, e in shared if name not in given))
        if kind == "class":
            return self.classes(body.title, attributes, at)
        if isinstance(body.title, ast.Array) and not self.like_puppet:
            return [t.Beyond("a resource with several titles", at)]
        return [t.Resource(kind, self.expr(body.title), attributes, at)]

    def classes(self, title: ast.Expr, attributes: t.Attributes, at: Span) -> list[t.Stmt]:
        """``class {a: H}``"""
        match title:
            case ast.Name(value=name) | ast.String(value=name):
                called = name.removeprefix("::").lower()
                return [t.ClassDeclaration(called, attributes, at)]
            case ast.Array(items=items) if self.like_puppet:
                return [made for item in items for made in self.classes(item, attributes, at)]
            case _:
                return [t.Beyond("a class with a computed name", self.span(title))]

    # -- expressions ---------------------------------------------------------------------------

    def literal(self, node: ast.Expr, value: int | str | bool) -> t.Atom:
        """A value as it is written."""
        why = self.labels.literal("literal", self.span(node))
        return t.Atom(value, why)

    def expr(self, node: ast.Expr) -> t.Expr:
        """An expression."""
        at = self.span(node)
        match node:
            case ast.Boolean(value=value) | ast.Integer(value=value):
                return self.literal(node, value)
            case ast.String(value=text) | ast.Name(value=text):
                return self.literal(node, text)
            case ast.Undef() if self.like_puppet:
                return t.Atom(None, self.labels.literal("literal", at))
            case ast.Undef():
                return t.Beyond("undef", at)
            case ast.Variable(name=name):
                return self.variable(name, at)
            case ast.Minus(value=ast.Integer(value=number)):
                return self.literal(node, -number)
            case ast.Minus(value=inner) if self.like_puppet:
                zero = t.Atom(0, ERASED if self.labels.erase else computed("0"))
                return t.Arithmetic("-", zero, self.expr(inner), at)
            case ast.Interpolated(segments=segments):
                return self.concat(segments, at)
            case ast.Array(items=items):
                structure = self.labels.literal("structure", at, brief(at.text))
                return t.Array(tuple(self.expr(item) for item in items), structure, at)
            case ast.Hash(entries=entries):
                return self.hash(entries, at)
            case ast.Paren(value=inner):
                return self.expr(inner)
            case ast.Not(value=inner):
                return t.Not(self.expr(inner), at)
            case ast.Binary(op="and", left=left, right=right):
                return t.And(self.expr(left), self.expr(right), at)
            case ast.Binary(op="or", left=left, right=right):
                return t.Or(self.expr(left), self.expr(right), at)
            case ast.Binary(op=op, left=left, right=right) if op in ARITHMETIC:
                return t.Arithmetic(op, self.expr(left), self.expr(right), at)
            case ast.Binary(op=op, left=left, right=right) if op in COMPARISON:
                return t.Comparison(op, self.expr(left), self.expr(right), at)
            case ast.Binary(op=op):
                return t.Beyond(f"the operator {op}", at)
            case ast.Selector(value=value, options=options):
                control = self.expr(value)
                made = [(self.case_value(o.match), self.expr(o.value)) for o in options]
                return t.Selector(control, self.ordered(made), at)
            case ast.Access(left=left, keys=[key]):
                return self.access(left, key, at)
            case ast.Access(left=ast.TypeName() as left, keys=keys) if self.like_puppet:
                structure = self.labels.literal("structure", at, brief(at.text))
                titles = t.Array(tuple(self.expr(key) for key in keys), structure, at)
                return self.reference(left, titles, at)
            case ast.Access():
                return t.Beyond("access with several keys", at)
            case ast.Call(function=ast.Name(value="fail"), args=args):
                return t.Fail(" ".join(self.span(arg).text for arg in args), at)
            case ast.Call(function=function):
                return t.Beyond(f"the function {self.span(function).text}", at)
            case _:
                return t.Beyond(BEYOND_EXPRESSIONS.get(type(node), "this construct"), at)

    def variable(self, name: str, at: Span) -> t.Expr:
        """``$x``, ``$::x`` or ``$::a::x``"""
        owner, colons, last = name.rpartition("::")
        if not colons:
            return t.Variable(name, at)
        if not owner:
            return t.TopVariable(last, at)
        return t.ClassVariable(owner.removeprefix("::"), last, at)

    def concat(self, segments: Sequence[ast.String | ast.Embedded], at: Span) -> t.Expr:
        """A string with variables in it."""
        parts: list[t.Expr] = []
        for segment in segments:
            if isinstance(segment, ast.Embedded):
                parts.append(self.expr(segment.value))
            else:
                parts.append(self.literal(segment, segment.value))
        return t.Concat(tuple(parts), self.put_together(at), at)

    def put_together(self, at: Span) -> Why:
        """The place where a text is put together."""
        return self.labels.literal("operation", at, brief(at.text))

    def hash(self, entries: Sequence[ast.Entry], at: Span) -> t.Expr:
        """``{k => e, …}``; the structure depends on every key."""
        made: list[tuple[t.Atom, t.Expr]] = []
        for entry in entries:
            match entry.key:
                case ast.String(value=value) | ast.Name(value=value) | ast.Integer(value=value):
                    key = self.key(entry.key, value)
                case _:
                    return t.Beyond("a hash with a computed key", self.span(entry.key))
            made.append((key, self.expr(entry.value)))
        structure = self.labels.literal("structure", at, brief(at.text))
        if structure is not ERASED:
            keys = NONE.union(*(key.why.depends for key, _ in made))
            structure = structure.plus(keys)
        return t.Hash(tuple(made), structure, at)

    def key(self, node: ast.Expr, value: int | str) -> t.Atom:
        """A key of a hash."""
        return t.Atom(value, self.labels.literal("key", self.span(node)))

    def access(self, left: ast.Expr, key: ast.Expr, at: Span) -> t.Expr:
        """``t[e]`` or ``d[e]``"""
        if not isinstance(left, ast.TypeName):
            return t.Dereference(self.expr(left), self.expr(key), at)
        if isinstance(key, ast.Array) and not self.like_puppet:
            return t.Beyond("a reference with several titles", at)
        return self.reference(left, self.expr(key), at)

    def reference(self, left: ast.TypeName, title: t.Expr, at: Span) -> t.Expr:
        """``t[e]``"""
        kind = left.value.removeprefix("::").lower()
        if kind in DATA_TYPES:
            return t.Beyond("a data type", at)
        return t.ReferenceTo(kind, title, at)
