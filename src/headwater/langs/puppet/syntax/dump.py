"""A syntax tree as text in PN, the notation of ``puppet parser dump --format pn``.

Differential tests compare it with what real Puppet prints; it is also a compact way
to look at a tree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr, Operation, Param, Program


def dump(program: Program) -> str:
    """The tree of a program."""
    body = program.body
    if not body:
        return "(nop)"
    return pn(body[0]) if len(body) == 1 else _call("block", *map(pn, body))


def pn(node: Expr | ast.Part) -> str:
    """The tree of one node."""
    return _FORMS[type(node)](node)


def _call(name: str, *parts: str) -> str:
    return f"({' '.join((name, *parts))})"


def _list(parts: Iterable[Expr | ast.Part]) -> str:
    return f"[{' '.join(map(pn, parts))}]"


def _map(*entries: tuple[str, str | None]) -> str:
    return f"{{{' '.join(f':{key} {value}' for key, value in entries if value is not None)}}}"


def _text(value: str) -> str:
    out = ['"']
    for char in value:
        code = ord(char)
        if char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif code < 0x20:
            out.append(f"\\o{code:03o}")
        else:
            out.append(char)
    return "".join(out) + '"'


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _float(value: float) -> str:
    """A float as Ruby prints it."""
    text = repr(value)
    if 1e15 <= abs(value) < 1e16:
        mantissa, _, exponent = f"{value:.15e}".partition("e")
        return f"{mantissa.rstrip('0').ljust(mantissa.index('.') + 2, '0')}e{exponent}"
    if math.isinf(value) or "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"


def _body(statements: list[Expr]) -> str | None:
    return _list(statements) if statements else None


def _integer(node: ast.Integer) -> str:
    if node.radix == 10:
        return str(node.value)
    return _call("int", _map(("radix", str(node.radix)), ("value", str(node.value))))


def _minus(node: ast.Minus) -> str:
    match node.value:
        case ast.Integer(value=value):
            return str(-value)
        case ast.Float(value=number):
            return _float(-number)
        case value:
            return _call("-", pn(value))


def _binary(node: ast.Binary | ast.Relation | ast.Assignment) -> str:
    """Chains lean to the left and may be long, so they are walked without recursion."""
    spine: list[Any] = []
    left: Expr = node
    while isinstance(left, ast.Binary | ast.Relation | ast.Assignment):
        spine.append(left)
        left = left.left
    out = pn(left)
    for link in reversed(spine):
        out = f"({link.op} {out} {pn(link.right)})"
    return out


def _call_form(node: ast.Call) -> str:
    return _call(
        "invoke" if node.statement else "call",
        _map(
            ("functor", pn(node.function)),
            ("args", _list(node.args)),
            ("block", pn(node.block) if node.block else None),
        ),
    )


def _method(node: ast.Method) -> str:
    functor = _call(".", pn(node.receiver), pn(node.function))
    block = pn(node.block) if node.block else None
    return _call("call-method", _map(("functor", functor), ("args", _list(node.args)),
                                     ("block", block)))  # fmt: skip


def _param(node: Param) -> str:
    return _map(
        ("type", pn(node.type) if node.type is not None else None),
        ("splat", "true" if node.splat else None),
        ("value", pn(node.default) if node.default is not None else None),
    )


def _params(params: list[Param]) -> str | None:
    return _map(*((param.name, _param(param)) for param in params)) if params else None


def _returns(type_: Expr | None) -> str | None:
    return pn(type_) if type_ is not None else None


def _if(name: str) -> Callable[[ast.If | ast.Unless], str]:
    def form(node: ast.If | ast.Unless) -> str:
        return _call(
            name,
            _map(
                ("test", pn(node.test)),
                ("then", _branch(node.then)),
                ("else", _branch(node.otherwise)),
            ),
        )

    return form


def _branch(body: list[Expr]) -> str | None:
    """A branch of one statement that is a block of its own is that block."""
    match body:
        case [ast.Block(statements=inner)]:
            return _list(inner)
        case _:
            return _body(body)


def _operations(operations: list[Operation]) -> str:
    return _list(operations)


def _form(node: ast.Resource | ast.Defaults | ast.Override) -> str | None:
    return None if node.form == "regular" else _text(node.form)


def _bodies(node: ast.Resource) -> str:
    parts = (_map(("title", pn(b.title)), ("ops", _operations(b.operations))) for b in node.bodies)
    return f"[{' '.join(parts)}]"


def _collect(node: ast.Collect) -> str:
    query = "exported-query" if node.exported else "virtual-query"
    return _call(
        "collect",
        _map(
            ("type", pn(node.type)),
            ("query", _call(query, *([pn(node.query)] if node.query is not None else []))),
            ("ops", _operations(node.operations) if node.operations else None),
        ),
    )


def _regex(node: ast.Regex) -> str:
    """Ruby shows the options of an expression whose encoding is fixed by what is in it."""
    pattern = node.pattern
    if not pattern.isascii() or re.search(r"\\[pPuX]", pattern):
        pattern = f"(?-imx:{pattern})"
    return _call("regexp", _text(pattern))


def _heredoc(node: ast.Heredoc) -> str:
    syntax = _text(node.syntax) if node.syntax else None
    return _call("heredoc", _map(("syntax", syntax), ("text", pn(node.text))))


def _epp(node: ast.Epp) -> str:
    body = _call("epp", *map(pn, node.body))
    return _call("lambda", _map(("params", _params(node.params or [])), ("body", f"[{body}]")))


_FORMS: dict[type[Any], Callable[[Any], str]] = {
    ast.Undef: lambda n: "nil",
    ast.Default: lambda n: "(default)",
    ast.Boolean: lambda n: "true" if n.value else "false",
    ast.Integer: _integer,
    ast.Float: lambda n: _float(n.value),
    ast.String: lambda n: _text(n.value),
    ast.Name: lambda n: _call("qn", _text(n.value)),
    ast.TypeName: lambda n: _call("qr", _text(n.value)),
    ast.Regex: _regex,
    ast.Variable: lambda n: _call("var", _text(n.name)),
    ast.Reserved: lambda n: _call("reserved", _text(n.word)),
    ast.Embedded: lambda n: _call("str", pn(n.value)),
    ast.Interpolated: lambda n: _call("concat", *map(pn, n.segments)),
    ast.Heredoc: _heredoc,
    ast.Array: lambda n: _call("array", *map(pn, n.items)),
    ast.Entry: lambda n: _call("=>", pn(n.key), pn(n.value)),
    ast.Hash: lambda n: _call("hash", *map(pn, n.entries)),
    ast.Paren: lambda n: _call("paren", pn(n.value)),
    ast.Not: lambda n: _call("!", pn(n.value)),
    ast.Minus: _minus,
    ast.Splat: lambda n: _call("unfold", pn(n.value)),
    ast.Binary: _binary,
    ast.Relation: _binary,
    ast.Assignment: _binary,
    ast.Access: lambda n: _call("access", pn(n.left), *map(pn, n.keys)),
    ast.Option: lambda n: _call("=>", pn(n.match), pn(n.value)),
    ast.Selector: lambda n: _call("?", pn(n.value), _list(n.options)),
    ast.Call: _call_form,
    ast.Method: _method,
    ast.Lambda: lambda n: _call(
        "lambda",
        _map(("params", _params(n.params)), ("returns", _returns(n.returns)),
             ("body", _body(n.body))),
    ),
    ast.If: _if("if"),
    ast.Unless: _if("unless"),
    ast.When: lambda n: _map(("when", _list(n.values)), ("then", _body(n.body) or "[(nop)]")),
    ast.Case: lambda n: _call("case", pn(n.test), _list(n.options)),
    ast.Attribute: lambda n: _call(n.op, _text(n.name), pn(n.value)),
    ast.Attributes: lambda n: _call("splat-hash", pn(n.value)),
    ast.Resource: lambda n: _call(
        "resource", _map(("type", pn(n.type)), ("bodies", _bodies(n)), ("form", _form(n)))
    ),
    ast.Defaults: lambda n: _call(
        "resource-defaults",
        _map(("type", pn(n.type)), ("ops", _operations(n.operations)), ("form", _form(n))),
    ),
    ast.Override: lambda n: _call(
        "resource-override",
        _map(("resources", pn(n.target)), ("ops", _operations(n.operations)), ("form", _form(n))),
    ),
    ast.Collect: _collect,
    ast.Block: lambda n: _call("block", *map(pn, n.statements)),
    ast.ClassDef: lambda n: _call(
        "class",
        _map(("name", _text(n.name)), ("parent", _text(n.parent) if n.parent else None),
             ("params", _params(n.params)), ("body", _body(n.body))),
    ),
    ast.Define: lambda n: _call(
        "define", _map(("name", _text(n.name)), ("params", _params(n.params)),
                       ("body", _body(n.body)))
    ),
    ast.Node: lambda n: _call(
        "node",
        _map(("matches", _list(n.hosts)), ("parent", pn(n.parent) if n.parent else None),
             ("body", _body(n.body))),
    ),
    ast.Function: lambda n: _call(
        "function",
        _map(("name", _text(n.name)), ("params", _params(n.params)), ("body", _body(n.body)),
             ("returns", _returns(n.returns))),
    ),
    ast.Alias: lambda n: _call("type-alias", _text(n.name), pn(n.type)),
    ast.TypeMapping: lambda n: _call("type-mapping", pn(n.type), pn(n.mapping)),
    ast.TypeDef: lambda n: _call(
        "type-definition", _text(n.name), _text(n.parent) if n.parent else "nil",
        _call("block", *map(pn, n.body)) if n.body else "(nop)",
    ),
    ast.RenderText: lambda n: _call("render-s", _text(n.value)),
    ast.Render: lambda n: _call("render", pn(n.value)),
    ast.Epp: _epp,
}  # fmt: skip
"""What each kind of node is written as."""
