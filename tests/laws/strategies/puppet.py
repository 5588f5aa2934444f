"""Programs over the whole grammar of Puppet, as trees that the parser can produce.

Every strategy names the layer of the grammar it fills: `assignments` over `resources`
over `expressions` over `operands`.  What the grammar can only write in parentheses is
put in parentheses here, so each tree has a text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from hypothesis import strategies as st

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr
from headwater.langs.puppet.syntax.expressions import POWERS

T = TypeVar("T")
Made = TypeVar("Made", bound=Callable[..., Any])


def builds(
    kind: Callable[..., T], *args: st.SearchStrategy[Any], **options: st.SearchStrategy[Any]
) -> st.SearchStrategy[T]:
    """Like `st.builds`, but without a look at the hints of a node, which refer to each other."""

    def make(*values: object, **named: object) -> T:
        return kind(*values, **named)

    return st.builds(make, *args, **options)


def lazily(make: Made) -> Made:
    """A strategy made once for its arguments, when it is drawn from; its repr stays short."""

    @cache
    def strategy(*args: object, **options: object) -> object:
        return st.deferred(lambda: make(*args, **options))

    return cast("Made", strategy)


words = st.sampled_from(["a", "b", "port", "ssl_x", "x1", "a::b", "apache::mod::ssl", "::c"])
simple_words = st.sampled_from(["a", "b", "port", "ssl_x", "x1", "ensure"])
capitals = st.sampled_from(["File", "A", "Apache::Vhost", "::Foo", "Integer", "Optional"])
texts = st.text(
    st.one_of(
        st.sampled_from(list("ab $${}\"'\\\n\t/%<>|@()é_-:0")),
        st.characters(blacklist_categories=("Cs",)),  # type: ignore[arg-type]
    ),
    max_size=12,
)
variables = builds(
    ast.Variable, st.sampled_from(["x", "y", "a::b", "::z", "_u", "0", "12", "class", "type"])
)
names = builds(ast.Name, words)
types = builds(ast.TypeName, capitals)
integers = builds(ast.Integer, st.integers(0, 2**63 - 1), st.sampled_from([10, 10, 16, 8]))
floats = builds(
    ast.Float, st.floats(min_value=1e-300, max_value=1e300, allow_nan=False, exclude_min=True)
)
patterns = st.sampled_from(["a", "^a/b$", r"x\\", "[a-z]+", "a b", r"\d{2,3}", "é"])
literals = st.one_of(
    builds(ast.Undef),
    builds(ast.Default),
    builds(ast.Boolean, st.booleans()),
    integers,
    floats,
    builds(ast.String, texts),
    builds(ast.String, simple_words),
    names,
    types,
    variables,
)
_OPERATORS = [op for op in POWERS if POWERS[op] < 100 and op not in ("?", "/")]


@lazily
def expressions(depth: int, level: int = 0) -> st.SearchStrategy[Expr]:
    """What binds at least as tightly as `level`."""
    if depth <= 0:
        return literals
    choices = [operands(depth)]
    operators = [op for op in _OPERATORS if POWERS[op] >= level]
    if operators:
        choices.append(st.sampled_from(operators).flatmap(lambda op: binaries(op, depth - 1)))
    if level <= POWERS["?"]:
        option = builds(ast.Option, expressions(depth - 1), expressions(depth - 1))
        value = expressions(depth - 1, POWERS["?"])
        options = st.lists(option, min_size=1, max_size=3)
        choices.append(builds(ast.Selector, value, options))
    return st.one_of(choices)


@lazily
def binaries(op: str, depth: int) -> st.SearchStrategy[Expr]:
    """``l op r``"""
    power = POWERS[op]
    left, right = expressions(depth, power), expressions(depth, power + 1)
    return builds(ast.Binary, st.just(op), left, right)


@lazily
def operands(depth: int) -> st.SearchStrategy[Expr]:
    """What needs no parentheses before an access."""
    if depth <= 0:
        return literals
    inner = assignments(depth - 1)
    receivers = st.one_of(variables, names, types, builds(ast.Paren, inner), arrays(depth - 1))
    prefixed = st.one_of(receivers, integers, floats)
    return st.one_of(
        literals,
        builds(ast.Regex, patterns),
        arrays(depth - 1),
        hashes(depth - 1),
        builds(ast.Paren, inner),
        strings(depth - 1),
        heredocs(depth - 1),
        builds(ast.Not, prefixed),
        builds(ast.Minus, prefixed),
        builds(ast.Splat, prefixed),
        builds(ast.Access, receivers, st.lists(expressions(depth - 1), min_size=1, max_size=2)),
        calls(depth - 1),
        builds(
            ast.Method,
            receivers,
            builds(ast.Name, st.sampled_from(["each", "map", "a::b", "type"])),
            st.lists(inner, max_size=2),
            st.none() | lambdas(depth - 1),
        ),
        builds(
            ast.Binary, st.just("/"), st.one_of(variables, integers), st.one_of(variables, integers)
        ).map(ast.Paren),
    )


@lazily
def calls(depth: int) -> st.SearchStrategy[ast.Call]:
    """``f(a)`` where a value stands"""
    function = st.one_of(names, types, st.just(ast.Name("type")))
    arguments = st.lists(assignments(depth), max_size=3)
    return builds(ast.Call, function, arguments, st.none() | lambdas(depth))


@lazily
def arrays(depth: int) -> st.SearchStrategy[Expr]:
    """``[a, b]``"""
    return builds(ast.Array, st.lists(assignments(depth), max_size=3))


@lazily
def hashes(depth: int) -> st.SearchStrategy[Expr]:
    """``{ k => v }``"""
    entries = builds(ast.Entry, assignments(depth), assignments(depth))
    return builds(ast.Hash, st.lists(entries, max_size=3))


@lazily
def strings(depth: int, *, heredoc: bool = False) -> st.SearchStrategy[ast.Interpolated]:
    """``"a ${e} b"``; chunks are never empty and never side by side"""
    inner = literals if heredoc else assignments(depth - 1)
    keys = st.lists(st.one_of(variables, integers, names), min_size=1, max_size=2)
    embedded = st.one_of(
        variables,
        builds(ast.Access, variables, keys),
        builds(ast.Method, variables, names, st.lists(inner, max_size=1)),
        builds(ast.Binary, st.just("+"), variables, integers),
        builds(ast.Paren, inner),
        builds(ast.Call, names, st.lists(inner, max_size=2)),
    )
    chunk = st.none() | texts.filter(bool)
    pieces = st.lists(st.tuples(chunk, embedded), min_size=1, max_size=3)

    def build(pairs: list[tuple[str | None, Expr]], last: str | None) -> ast.Interpolated:
        segments: list[ast.String | ast.Embedded] = []
        for text, value in pairs:
            if text:
                segments.append(ast.String(text))
            segments.append(ast.Embedded(value))
        if last:
            segments.append(ast.String(last))
        return ast.Interpolated(segments)

    return builds(build, pieces, chunk)


@lazily
def heredocs(depth: int) -> st.SearchStrategy[ast.Heredoc]:
    """``@(TAG)``, with text of any kind but another heredoc"""
    text = st.one_of(builds(ast.String, texts), strings(1, heredoc=True))
    return builds(ast.Heredoc, st.sampled_from(["", "", "yaml", "a+b"]), text)


@lazily
def assignments(depth: int) -> st.SearchStrategy[Expr]:
    """The widest layer."""
    if depth <= 0:
        return literals
    plain = resources(depth)
    arrow = st.sampled_from(["->", "~>", "<-", "<~"])
    target = st.one_of(variables, arrays(0))
    return st.one_of(
        expressions(depth),
        plain,
        builds(ast.Relation, arrow, resources(depth - 1), resources(depth - 1)),
        builds(ast.Assignment, st.just("="), target, expressions(depth - 1)),
        conditions(depth - 1),
    )


@lazily
def operations(depth: int) -> st.SearchStrategy[list[ast.Operation]]:
    """``a => b, * => c``"""
    name = st.sampled_from(["ensure", "mode", "if", "class", "default", "type", "require"])
    value = expressions(depth)
    return st.lists(
        st.one_of(
            builds(ast.Attribute, name, st.sampled_from(["=>", "=>", "+>"]), value),
            builds(ast.Attributes, value),
        ),
        max_size=3,
    )


@lazily
def resources(depth: int) -> st.SearchStrategy[Expr]:
    """Resources in all their forms"""
    if depth <= 0:
        return literals
    inner = depth - 1
    form = st.sampled_from(["regular", "regular", "virtual", "exported"])
    body = builds(ast.Body, expressions(inner), operations(inner))
    kind = st.one_of(builds(ast.Name, st.sampled_from(["file", "class", "a::b"])), types)
    reference = builds(ast.Access, types, st.lists(expressions(0), min_size=1, max_size=2))
    resource = builds(ast.Resource, kind, st.lists(body, min_size=1, max_size=2), form)
    return st.one_of(
        expressions(inner),
        resource.filter(lambda r: r.type != ast.Name("class") or r.form == "regular"),
        builds(ast.Defaults, types, operations(inner), form),
        builds(ast.Override, reference, operations(inner), form),
        builds(
            ast.Collect, types, st.none() | expressions(inner), st.booleans(), operations(inner)
        ),
    )


@lazily
def bodies(depth: int) -> st.SearchStrategy[list[Expr]]:
    """Statements"""
    return st.lists(assignments(depth), max_size=3).map(as_statements)


def as_statements(body: list[Expr]) -> list[Expr]:
    """A call that is a statement does not give a value."""
    return [
        ast.Call(node.function, node.args, node.block, True) if isinstance(node, ast.Call) else node
        for node in body
    ]


@lazily
def conditions(depth: int) -> st.SearchStrategy[Expr]:
    """``if``, ``unless``, ``case``"""
    test = expressions(depth)
    body = bodies(depth)
    when = builds(ast.When, st.lists(expressions(depth), min_size=1, max_size=2), body)
    return st.one_of(
        builds(ast.If, test, body, body),
        builds(ast.If, test, body, builds(ast.If, test, body, body, st.just(True)).map(_one)),
        builds(ast.Unless, test, body, body),
        builds(ast.Case, test, st.lists(when, min_size=1, max_size=2)),
    )


def _one(node: Expr) -> list[Expr]:
    return [node]


@lazily
def lambdas(depth: int) -> st.SearchStrategy[ast.Lambda]:
    """``|$x| { … }``; a default that ends with a call would take the bar for a lambda"""
    return builds(ast.Lambda, params(literals), st.none() | simple_types(), bodies(min(depth, 1)))


@lazily
def params(default: st.SearchStrategy[Expr]) -> st.SearchStrategy[list[ast.Param]]:
    """``T *$x = 1, …``"""
    name = st.sampled_from(["a", "b", "c", "_d"])
    type_ = st.none() | simple_types()
    param = builds(ast.Param, name, type_, st.none() | default, st.booleans())
    return st.lists(param, max_size=3)


@lazily
def simple_types() -> st.SearchStrategy[Expr]:
    """``T`` or ``T[…]``"""
    keys = st.lists(st.one_of(types, integers, builds(ast.Default)), min_size=1, max_size=2)
    return st.one_of(types, builds(ast.Access, types, keys))


@lazily
def definitions(depth: int, prefix: str = "") -> st.SearchStrategy[Expr]:
    """Everything that defines something"""
    name = simple_words.map(lambda word: prefix + word)
    nested = bodies(depth)
    if depth > 1:
        nested = name.flatmap(lambda n: _class_body(n, depth))
    host = st.one_of(
        builds(ast.String, texts),
        builds(ast.Regex, patterns),
        builds(ast.Default),
        strings(0),
    )
    parent = st.sampled_from([None, "base", "default", "::x::y"])
    classes = name.flatmap(
        lambda n: builds(ast.ClassDef, st.just(n), params(expressions(1)), parent,
                            _class_body(n, depth))
    )  # fmt: skip
    return st.one_of(
        classes,
        builds(ast.Define, name, params(expressions(1)), bodies(depth)),
        builds(ast.Function, words, params(expressions(1)), st.none() | simple_types(), nested
                  if depth <= 1 else bodies(depth)),
        builds(ast.Node, st.lists(host, min_size=1, max_size=2), st.none() | host,
                  bodies(depth)),
        builds(ast.Alias, capitals, st.one_of(simple_types(), arrays(1))),
        builds(ast.TypeDef, capitals, st.none() | capitals, bodies(depth)),
    )  # fmt: skip


@lazily
def _class_body(name: str, depth: int) -> st.SearchStrategy[list[Expr]]:
    if depth <= 1:
        return bodies(depth)
    inner = definitions(depth - 1, f"{name}::")
    return st.lists(st.one_of(assignments(depth - 1), inner), max_size=2).map(as_statements)


@lazily
def programs(depth: int = 3) -> st.SearchStrategy[list[Expr]]:
    """Manifests"""
    statement = st.one_of(assignments(depth), definitions(depth - 1))
    return st.lists(statement, max_size=4).map(as_statements)


def templates() -> st.SearchStrategy[list[Expr]]:
    """EPP: text and code in turn, since two texts side by side are one"""
    text = builds(ast.RenderText, texts.filter(bool))
    code = st.one_of(
        builds(ast.Render, expressions(1)),
        builds(ast.If, variables, st.lists(text, max_size=1), st.lists(text, max_size=1)),
        builds(ast.Assignment, st.just("="), variables, expressions(1)),
    )

    def build(
        params: list[ast.Param] | None, first: Expr | None, pairs: list[tuple[Expr, Expr | None]]
    ) -> list[Expr]:
        body = [first] if first else []
        for node, following in pairs:
            body.append(node)
            if following:
                body.append(following)
        return [ast.Epp(params, body)]

    pairs = st.lists(st.tuples(code, st.none() | text), max_size=3)
    return builds(build, st.none() | params(literals), st.none() | text, pairs)
