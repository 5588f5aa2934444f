"""Which expressions change nothing: their value is all there is to them."""

from __future__ import annotations

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr

_ALWAYS = frozenset(
    {ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name,
     ast.TypeName, ast.Regex, ast.Reserved, ast.Variable, ast.Interpolated, ast.Heredoc, ast.Array,
     ast.Hash, ast.Not, ast.Minus, ast.Splat, ast.Access, ast.Selector}
)  # fmt: skip


def without_effect(node: Expr) -> bool:
    """Whether evaluating a node changes nothing, as far as Puppet looks.

    Strings, selectors and lists count as such whatever is called inside them; a match
    does not, because it sets $1, $2 ….
    """
    kind = type(node)
    if kind in _ALWAYS:
        return True
    match node:
        case ast.Binary():
            return node.op not in ("=~", "!~")
        case ast.Paren():
            return without_effect(node.value)
        case ast.Block():
            return all(map(without_effect, node.statements))
        case ast.If() | ast.Unless():
            return (
                without_effect(node.test)
                and all(map(without_effect, node.then))
                and all(map(without_effect, node.otherwise))
            )
        case ast.Case():
            return without_effect(node.test) and all(
                all(map(without_effect, option.values)) and all(map(without_effect, option.body))
                for option in node.options
            )
        case _:
            return False


def titleless(body: list[Expr]) -> ast.Name | None:
    """The type of a resource that lacks its title, if statements look like one."""
    match body:
        case [ast.Name() as name, ast.Hash()]:
            return name
        case _:
            return None
