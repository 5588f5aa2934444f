"""Values that can be read off a tree without evaluating it: what counts as a literal."""

from __future__ import annotations

from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import Expr


def literal(node: Expr, level: LanguageLevel) -> object:
    """The value of a literal, tagged so that 1 and 1.0 and true differ; None if it is none."""
    match node:
        case ast.String(value=text) | ast.Name(value=text):
            return text
        case ast.Integer(value=number):
            return ("integer", number)
        case ast.Float(value=decimal):
            return ("float", decimal)
        case ast.Boolean(value=truth):
            return ("boolean", truth)
        case ast.Undef() | ast.Default():
            return (type(node).__name__,)
        case ast.Regex(pattern=pattern):
            return ("regex", pattern)
        case ast.Array(items=items):
            return _list(items, level)
        case ast.Hash(entries=entries):
            found: dict[object, object] = {}
            for entry in entries:
                key, value = literal(entry.key, level), literal(entry.value, level)
                if key is None or value is None:
                    return None
                found[key] = value
            return ("hash", frozenset(found.items()))
        case _ if level.keys_by_brackets:
            return _wider(node, level)
        case _:
            return None


def _wider(node: Expr, level: LanguageLevel) -> object:
    """The same for what only some levels count; of ``x[k]`` they see nothing but ``[k]``."""
    match node:
        case ast.TypeName(value=name):
            return name.lower()
        case ast.Access(keys=[ast.Array()]):
            return None
        case ast.Access(keys=keys):
            return _list(keys, level)
        case ast.Minus(value=value):
            match literal(value, level):
                case ("integer" | "float" as kind, int() | float() as number):
                    return (kind, -number)
                case str() as text:
                    return text  # Ruby has a minus of strings, which changes nothing
    return None


def _list(items: list[Expr], level: LanguageLevel) -> object:
    parts = tuple(literal(item, level) for item in items)
    return None if None in parts else ("array", parts)
