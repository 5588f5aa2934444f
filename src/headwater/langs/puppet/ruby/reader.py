"""Ruby text to our own tree (`syntax`), by way of tree-sitter: one function per kind of node.

tree-sitter gives the shape; what is decided here and in `reading` is what Ruby decides
while it reads: which lone names are variables, which heredoc belongs to which mark, what
escapes stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from headwater.langs.puppet.ruby import literals, patterns
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.grammar import Patience
from headwater.langs.puppet.ruby.reading import SILENT, Reader
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from headwater.langs.puppet.ruby.shifts import with_blanks

if TYPE_CHECKING:
    from tree_sitter import Node as Tree


def read(text: str, origins: Callable[[int], int] | None = None) -> s.Program:
    """The tree of a text; `origins` leads an offset back to what the text was made from."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Unreadable("half a surrogate pair", 0)
    patience = Patience(len(text))
    try:
        try:
            return Reader(text, origins, KINDS).program(patience)
        except Unreadable:
            shifted = with_blanks(text, patience)
            if shifted is None:
                raise
            back = shifted.origins(origins)
            return Reader(shifted.text, back, KINDS).program(patience)
    except RecursionError:
        raise Unreadable("nested too deep", 0) from None


def _nil(r: Reader, n: Tree) -> s.Expr:
    return s.Nil(**r.span(n))


def _true(r: Reader, n: Tree) -> s.Expr:
    return s.Bool(value=True, **r.span(n))


def _false(r: Reader, n: Tree) -> s.Expr:
    return s.Bool(value=False, **r.span(n))


def _self(r: Reader, n: Tree) -> s.Expr:
    return s.Self(**r.span(n))


def _integer(r: Reader, n: Tree) -> s.Expr:
    return s.Integer(text=r.text(n), **r.span(n))


def _float(r: Reader, n: Tree) -> s.Expr:
    return s.Float(value=float(r.text(n).replace("_", "")), **r.span(n))


def _rational(r: Reader, n: Tree) -> s.Expr:
    return s.Rational(text=r.text(n), **r.span(n))


def _string(r: Reader, n: Tree) -> s.Expr:
    return r.string(r.pieces(n), r.span(n))


def _chained(r: Reader, n: Tree) -> s.Expr:
    parts = [piece for child in n.named_children for piece in r.pieces(child)]
    return r.string(parts, r.span(n))


def _character(r: Reader, n: Tree) -> s.Expr:
    text = r.text(n)[1:]
    value = literals.escaped(text) if text.startswith("\\") else text
    return s.Str(value=value, **r.span(n))


def _heredoc(r: Reader, n: Tree) -> s.Expr:
    return r.heredoc(n)


def _simple_symbol(r: Reader, n: Tree) -> s.Expr:
    return s.Symbol(name=r.text(n)[1:], **r.span(n))


def _delimited_symbol(r: Reader, n: Tree) -> s.Expr:
    made = r.string(r.pieces(n), r.span(n))
    if isinstance(made, s.Str):
        return s.Symbol(name=made.value, **r.span(n))
    assert isinstance(made, s.Interpolated)
    return s.InterpolatedSymbol(parts=made.parts, **r.span(n))


def _regex(r: Reader, n: Tree) -> s.Expr:
    parts: list[s.Expr] = []
    for child in n.named_children:
        if child.type == "interpolation":
            parts.append(r.statements(child, child.named_children))
        else:
            text = r.text(child).replace("\\/", "/")
            last = parts[-1] if parts else None
            if isinstance(last, s.Str):
                parts[-1] = s.Str(value=last.value + text, at=last.at, end=r.span(child)["end"])
            else:
                parts.append(s.Str(value=text, **r.span(child)))
    flags = r.text(n.children[-1])[1:]
    return s.Regex(parts=parts, flags=flags, **r.span(n))


def _array(r: Reader, n: Tree) -> s.Expr:
    items = r.items(n)
    if items and isinstance(items[-1], s.Hash) and items[-1].keywords:
        last = items[-1]
        items[-1] = s.Hash(pairs=last.pairs, at=last.at, end=last.end)
    return s.Array(items=items, **r.span(n))


def _words(r: Reader, n: Tree) -> s.Expr:
    """``%w[a b]``, ``%i[a b]``"""
    opening = r.text(n.children[0])
    first, last = literals.quotes(opening)
    items: list[s.Expr] = []
    for word in n.named_children:
        span = r.span(word)
        if opening[1] in "wi":
            raw = literals.single_quoted(r.text(word), first, last).replace("\\ ", " ")
            made: s.Expr = s.Str(value=raw, **span)
        else:
            made = r.string(r.pieces_of_word(word), span)
        if opening[1] in "iI":
            made = (
                s.Symbol(name=made.value, **span)
                if isinstance(made, s.Str)
                else s.InterpolatedSymbol(parts=[made], **span)
            )
        items.append(made)
    return s.Array(items=items, **r.span(n))


def _hash(r: Reader, n: Tree) -> s.Expr:
    pairs = [r.pair(child) for child in n.named_children if child.type not in SILENT]
    return s.Hash(pairs=pairs, **r.span(n))


def _range(r: Reader, n: Tree) -> s.Expr:
    operator = n.child_by_field_name("operator")
    low = r.optional(n.child_by_field_name("begin"))
    high = r.optional(n.child_by_field_name("end"))
    exclusive = operator is not None and r.text(operator) == "..."
    return s.Range(low=low, high=high, exclusive=exclusive, **r.span(n))


def _identifier(r: Reader, n: Tree) -> s.Expr:
    return r.name(r.text(n), r.span(n))


def _instance(r: Reader, n: Tree) -> s.Expr:
    return s.Instance(name=r.text(n)[1:], **r.span(n))


def _class_variable(r: Reader, n: Tree) -> s.Expr:
    return s.ClassVariable(name=r.text(n)[2:], **r.span(n))


def _global(r: Reader, n: Tree) -> s.Expr:
    return s.Global(name=r.text(n), **r.span(n))


def _constant(r: Reader, n: Tree) -> s.Expr:
    return s.Constant(scope=None, name=r.text(n), **r.span(n))


def _scope_resolution(r: Reader, n: Tree) -> s.Expr:
    scope = n.child_by_field_name("scope")
    named = n.child_by_field_name("name")
    assert named is not None
    if named.type != "constant":
        receiver = None if scope is None else r.expr(scope)
        return s.Call(receiver=receiver, name=r.text(named), arguments=[], **r.span(n))
    return s.Constant(
        scope=None if scope is None else r.expr(scope),
        name=r.text(named),
        top=scope is None,
        **r.span(n),
    )


def _call(r: Reader, n: Tree) -> s.Expr:
    method = n.child_by_field_name("method")
    receiver = n.child_by_field_name("receiver")
    arguments = n.child_by_field_name("arguments")
    operator = n.child_by_field_name("operator")
    made = None if receiver is None else r.expr(receiver)
    negated = isinstance(made, s.Not) and receiver is not None and _says_not(r, receiver)
    if isinstance(made, s.Not) and negated:
        made = made.value
    given = [] if arguments is None else r.items(arguments)
    block = r.attached(n)
    if method is not None and method.type == "super":
        return s.Super(arguments=None if arguments is None else given, block=block, **r.span(n))
    name = "call" if method is None else r.text(method)
    call = s.Call(
        receiver=made,
        name=name,
        arguments=given,
        block=block,
        safe=operator is not None and r.text(operator) == "&.",
        **r.span(n),
    )
    return s.Not(value=call, **r.span(n)) if negated else call


def _says_not(r: Reader, n: Tree) -> bool:
    """Whether a receiver begins with ``not``, which means all that follows as well."""
    node: Tree | None = n
    while node is not None and node.type in ("call", "element_reference"):
        node = node.child_by_field_name("receiver") or node.child_by_field_name("object")
    operator = None if node is None else node.child_by_field_name("operator")
    return (
        node is not None
        and node.type == "unary"
        and operator is not None
        and r.text(operator) == "not"
    )


def _super(r: Reader, n: Tree) -> s.Expr:
    return s.Super(arguments=None, **r.span(n))


def _yield(r: Reader, n: Tree) -> s.Expr:
    arguments = next(iter(n.named_children), None)
    return s.Yield(arguments=[] if arguments is None else r.items(arguments), **r.span(n))


def _element(r: Reader, n: Tree) -> s.Expr:
    whole = [child for child in n.named_children if child.type not in SILENT]
    receiver = r.expr(whole[0])
    arguments: list[s.Expr] = []
    pairs: list[s.Pair] = []
    for child in whole[1:]:
        if child.type in ("pair", "hash_splat_argument"):
            pairs.append(r.pair(child))
        elif child.type in ("block", "do_block"):
            raise Beyond("a block after […]", r.offset(child.start_byte))
        else:
            arguments.append(r.item(child))
    if pairs:
        arguments.append(s.Hash(pairs=pairs, at=pairs[0].at, end=pairs[-1].end))
    return s.Call(receiver=receiver, name="[]", arguments=arguments, **r.span(n))


def _lambda(r: Reader, n: Tree) -> s.Expr:
    body = n.child_by_field_name("body")
    assert body is not None
    block = r.block(body, n.child_by_field_name("parameters"))
    return s.Lambda(block=block, **r.span(n))


def _assignment(r: Reader, n: Tree) -> s.Expr:
    left, right = n.child_by_field_name("left"), n.child_by_field_name("right")
    assert left is not None
    assert right is not None
    target = r.target(left)
    value: s.Expr
    if right.type == "right_assignment_list":
        value = s.Array(items=r.items(right), **r.span(right))
    elif right.type == "splat_argument":
        value = s.Array(items=[r.item(right)], **r.span(right))
    else:
        value = r.expr(right)
        if isinstance(value, s.Matches) and right.type in ("test_pattern", "match_pattern"):
            # ``a = b in c`` asks about what was assigned
            assigned = s.Assign(target=target, value=value.subject, **r.span(n))
            return structs.replace(value, subject=assigned, at=assigned.at)
    return s.Assign(target=target, value=value, **r.span(n))


def _operator_assignment(r: Reader, n: Tree) -> s.Expr:
    left, operator = n.child_by_field_name("left"), n.child_by_field_name("operator")
    assert left is not None
    assert operator is not None
    target = r.target(left)
    value = r.field(n, "right")
    return s.OperatorAssign(target=target, operator=r.text(operator)[:-1], value=value, **r.span(n))


def _if(r: Reader, n: Tree) -> s.Expr:
    condition = r.field(n, "condition")
    then = r.sequence(n.child_by_field_name("consequence"))
    return s.If(condition=condition, then=then, otherwise=_alternative(r, n), **r.span(n))


def _unless(r: Reader, n: Tree) -> s.Expr:
    condition = r.field(n, "condition")
    then = r.sequence(n.child_by_field_name("consequence"))
    return s.If(condition=condition, then=_alternative(r, n), otherwise=then, **r.span(n))


def _alternative(r: Reader, n: Tree) -> s.Expr:
    alternative = n.child_by_field_name("alternative")
    if alternative is None:
        return s.Nil(at=0, end=0)
    return r.expr(alternative) if alternative.type == "elsif" else r.sequence(alternative)


def _conditional(r: Reader, n: Tree) -> s.Expr:
    condition = r.field(n, "condition")
    then = r.field(n, "consequence")
    return s.If(condition=condition, then=then, otherwise=r.field(n, "alternative"), **r.span(n))


def _if_modifier(r: Reader, n: Tree) -> s.Expr:
    body = r.field(n, "body")
    condition = r.field(n, "condition")
    none = s.Nil(at=0, end=0)
    if n.type == "if_modifier":
        return s.If(condition=condition, then=body, otherwise=none, **r.span(n))
    return s.If(condition=condition, then=none, otherwise=body, **r.span(n))


def _while(r: Reader, n: Tree) -> s.Expr:
    condition = r.field(n, "condition")
    body = r.sequence(n.child_by_field_name("body"))
    return s.While(condition=condition, body=body, negated=n.type == "until", **r.span(n))


def _while_modifier(r: Reader, n: Tree) -> s.Expr:
    inner = n.child_by_field_name("body")
    body = r.field(n, "body")
    condition = r.field(n, "condition")
    return s.While(
        condition=condition,
        body=body,
        negated=n.type == "until_modifier",
        body_first=inner is not None and inner.type == "begin",
        **r.span(n),
    )


def _for(r: Reader, n: Tree) -> s.Expr:
    pattern, value = n.child_by_field_name("pattern"), n.child_by_field_name("value")
    assert pattern is not None
    assert value is not None
    target = r.target(pattern)
    over = r.expr(value.named_children[0])
    body = r.sequence(n.child_by_field_name("body"))
    return s.For(target=target, value=over, body=body, **r.span(n))


def _case(r: Reader, n: Tree) -> s.Expr:
    value = n.child_by_field_name("value")
    subject = None if value is None else r.expr(value)
    whens: list[s.When] = []
    otherwise: s.Expr = s.Nil(at=0, end=0)
    for child in n.named_children:
        if child.type == "when":
            patterns = [
                r.item(pattern.named_children[0])
                for pattern in child.children_by_field_name("pattern")
            ]
            body = r.sequence(child.child_by_field_name("body"))
            whens.append(s.When(patterns=patterns, body=body, **r.span(child)))
        elif child.type == "else":
            otherwise = r.sequence(child)
    return s.Case(subject=subject, whens=whens, otherwise=otherwise, **r.span(n))


def _binary(r: Reader, n: Tree) -> s.Expr:
    operator = n.child_by_field_name("operator")
    assert operator is not None
    left = r.field(n, "left")
    sign = r.text(operator)
    span = r.span(n)
    first = n.child_by_field_name("left")
    if (
        isinstance(left, s.Not)
        and sign not in ("and", "or")
        and first is not None
        and _says_not(r, first)
    ):
        return s.Not(value=_joined(left.value, sign, r.field(n, "right"), span), **span)
    if sign == "=~" and isinstance(left, s.Regex):
        names = [
            name
            for part in left.parts
            if isinstance(part, s.Str) and len(left.parts) == 1
            for name in literals.group_names(part.value)
        ]
        if names:
            value = r.field(n, "right")
            for name in names:
                r.scope.declare(name)
            return s.MatchAssign(pattern=left, value=value, names=names, **span)
    return _joined(left, sign, r.field(n, "right"), span)


def _joined(left: s.Expr, sign: str, right: s.Expr, span: dict[str, Any]) -> s.Expr:
    match sign:
        case "&&" | "and":
            return s.And(left=left, right=right, **span)
        case "||" | "or":
            return s.Or(left=left, right=right, **span)
        case _:
            return s.Call(receiver=left, name=sign, arguments=[right], **span)


def _unary(r: Reader, n: Tree) -> s.Expr:
    operator = n.child_by_field_name("operator")
    assert operator is not None
    value = r.field(n, "operand")
    span = r.span(n)
    match r.text(operator):
        case "!" | "not":
            return s.Not(value=value, **span)
        case "defined?":
            return s.Defined(value=value, **span)
        case "-" if isinstance(value, s.Integer):
            return s.Integer(text="-" + value.text, **span)
        case "-" if isinstance(value, s.Float):
            return s.Float(value=-value.value, **span)
        case "-":
            return s.Call(receiver=value, name="-@", arguments=[], **span)
        case "+":
            return s.Call(receiver=value, name="+@", arguments=[], **span)
        case "~":
            return s.Call(receiver=value, name="~", arguments=[], **span)
        case other:
            raise Beyond(other, span["at"])


def _begin(r: Reader, n: Tree) -> s.Expr:
    return r.statements(n, n.named_children)


def _rescue_modifier(r: Reader, n: Tree) -> s.Expr:
    body = r.field(n, "body")
    handler = r.field(n, "handler")
    span = r.span(n)
    if isinstance(body, s.Assign | s.OperatorAssign):
        rescued = _rescued(body.value, handler)
        if isinstance(body, s.Assign):
            return s.Assign(target=body.target, value=rescued, **span)
        return s.OperatorAssign(target=body.target, operator=body.operator, value=rescued, **span)
    return _rescued(body, handler)


def _rescued(body: s.Expr, handler: s.Expr) -> s.Expr:
    span: dict[str, Any] = {"at": body.at, "end": handler.end}
    rescue = s.Rescue(classes=[], target=None, body=handler, **span)
    return s.Begin(body=body, rescues=[rescue], otherwise=None, ensure=None, **span)


def _jump(r: Reader, n: Tree) -> s.Expr:
    return s.Jump(kind=n.type, value=r.values(n), **r.span(n))


def _method(r: Reader, n: Tree) -> s.Expr:
    return r.definition(n, None)


def _singleton_method(r: Reader, n: Tree) -> s.Expr:
    return r.definition(n, r.field(n, "object"))


def _class(r: Reader, n: Tree) -> s.Expr:
    above = n.child_by_field_name("superclass")
    superclass = None if above is None else r.expr(above.named_children[0])
    path = r.field(n, "name")
    if not isinstance(path, s.Constant):
        raise Unreadable("a class needs a constant as its name", path.at)
    body, names = r.closed(n)
    return s.ClassBody(path=path, superclass=superclass, body=body, names=names, **r.span(n))


def _module(r: Reader, n: Tree) -> s.Expr:
    path = r.field(n, "name")
    if not isinstance(path, s.Constant):
        raise Unreadable("a module needs a constant as its name", path.at)
    body, names = r.closed(n)
    return s.ModuleBody(path=path, body=body, names=names, **r.span(n))


def _singleton_class(r: Reader, n: Tree) -> s.Expr:
    value = r.field(n, "value")
    body, names = r.closed(n)
    return s.SingletonBody(value=value, body=body, names=names, **r.span(n))


def _alias(r: Reader, n: Tree) -> s.Expr:
    name, of = n.child_by_field_name("name"), n.child_by_field_name("alias")
    assert name is not None
    assert of is not None
    return s.Alias(name=r.text(name).lstrip(":"), of=r.text(of).lstrip(":"), **r.span(n))


KINDS: Final[Mapping[str, Callable[[Reader, Tree], s.Expr]]] = {
    "alias": _alias,
    "array": _array,
    "assignment": _assignment,
    "begin": _begin,
    "binary": _binary,
    "break": _jump,
    "call": _call,
    "case": _case,
    "case_match": patterns.case_in,
    "chained_string": _chained,
    "character": _character,
    "class": _class,
    "class_variable": _class_variable,
    "conditional": _conditional,
    "constant": _constant,
    "delimited_symbol": _delimited_symbol,
    "element_reference": _element,
    "elsif": _if,
    "false": _false,
    "float": _float,
    "for": _for,
    "global_variable": _global,
    "hash": _hash,
    "heredoc_beginning": _heredoc,
    "identifier": _identifier,
    "if": _if,
    "if_modifier": _if_modifier,
    "instance_variable": _instance,
    "integer": _integer,
    "lambda": _lambda,
    "match_pattern": patterns.matches,
    "method": _method,
    "module": _module,
    "next": _jump,
    "nil": _nil,
    "operator_assignment": _operator_assignment,
    "parenthesized_statements": _begin,
    "range": _range,
    "rational": _rational,
    "redo": _jump,
    "regex": _regex,
    "rescue_modifier": _rescue_modifier,
    "retry": _jump,
    "return": _jump,
    "scope_resolution": _scope_resolution,
    "self": _self,
    "simple_symbol": _simple_symbol,
    "singleton_class": _singleton_class,
    "singleton_method": _singleton_method,
    "string": _string,
    "string_array": _words,
    "super": _super,
    "symbol_array": _words,
    "test_pattern": patterns.matches,
    "true": _true,
    "unary": _unary,
    "unless": _unless,
    "unless_modifier": _if_modifier,
    "until": _while,
    "until_modifier": _while_modifier,
    "while": _while,
    "while_modifier": _while_modifier,
    "yield": _yield,
}
