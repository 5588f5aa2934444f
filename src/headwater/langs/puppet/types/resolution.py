"""Types from their spelling: names, literal parameters, and the text of a type.

The engine evaluates ``T[keys]`` itself and calls `parameterise`; here are the places
where Puppet reads a type without evaluating: aliases, signatures, ``assert_type('…')``.
"""

from __future__ import annotations

from functools import lru_cache

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.cache import user_cache
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import BUILT_IN
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.parameters import parameterise
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT, Regexp, capitalised
from headwater.text import Source


def _init_parts(t: m.InitType) -> m.InitParts:
    from headwater.langs.puppet.types.conversion import init_parts

    return init_parts(t, parse_type)


NAMES: dict[str, m.Type] = {
    **{
        t.name.lower(): t
        for t in (
            m.ANY, m.UNDEF, m.DEFAULT_TYPE, m.SCALAR, m.SCALAR_DATA, m.NUMERIC, m.BINARY,
            m.SEMVER_RANGE, m.CATALOG_ENTRY, m.TYPE_SET,
        )
    },
    "integer": m.INTEGER,
    "float": m.FLOAT,
    "string": m.STRING,
    "boolean": m.BOOLEAN,
    "enum": m.EnumType(),
    "regexp": m.RegexpType(),
    "pattern": m.PatternType(),
    "collection": m.CollectionType(),
    "array": m.ARRAY,
    "hash": m.HASH,
    "tuple": m.TupleType(),
    "struct": m.StructType(),
    "variant": m.VariantType(),
    "optional": m.OptionalType(),
    "notundef": m.NotUndefType(),
    "type": m.TypeType(),
    "sensitive": m.SensitiveType(),
    "iterable": m.IterableType(),
    "iterator": m.IteratorType(),
    "init": m.InitType(parts_of=_init_parts),
    "callable": m.CALLABLE,
    "timestamp": m.TimestampType(),
    "timespan": m.TimespanType(),
    "semver": m.SemVerType(),
    "uri": m.UriType(),
    "runtime": m.RuntimeType(),
    "object": m.ObjectType(),
    "typereference": m.TypeReference("UnresolvedReference"),
    "deferred": m.ObjectType("Deferred"),
    "error": m.ObjectType("Error"),
    "puppet::lookupcontext": m.ObjectType("Puppet::LookupContext"),
    "resource": m.ResourceRef(None),
    "class": m.ClassRef(None),
    **BUILT_IN,
}  # fmt: skip


def named(name: str, lookup: m.Lookup | None = None) -> m.Type:
    """What a capitalised name stands for."""
    key = name.lower().removeprefix("::")
    known = NAMES.get(key)
    if known is not None:
        return known
    found = None if lookup is None else lookup(key)
    return m.TypeReference(capitalised(name)) if found is None else found


def resolve(expr: ast.Expr, lookup: m.Lookup | None = None, *, alias: bool = False) -> m.Type:
    """The type that an expression of literals spells; in an alias Puppet loses some sizes."""
    value = _literal(expr, lookup, alias)
    if not m.is_type(value):
        raise BadType("The expression is not a valid type specification.")
    return value


def _unsized(made: Value) -> Value:
    """What is left of ``Array[Any, 1]`` and ``Collection[1]`` in an alias."""
    match made:
        case m.ArrayType(element=m.ANY) if made.size is not None:
            return m.ArrayType(m.ANY)
        case m.CollectionType():
            return m.CollectionType()
    return made


def _literal(expr: ast.Expr, lookup: m.Lookup | None, alias: bool) -> Value:
    match expr:
        case ast.TypeName():
            return named(expr.value, lookup)
        case ast.Access():
            left = _literal(expr.left, lookup, alias)
            if not m.is_type(left):
                raise BadType("The expression is not a valid type specification.")
            made = parameterise(left, [_literal(key, lookup, alias) for key in expr.keys])
            return _unsized(made) if alias else made
        case ast.Integer() | ast.Float() | ast.String() | ast.Name() | ast.Boolean():
            return expr.value
        case ast.Undef():
            return None
        case ast.Default():
            return DEFAULT
        case ast.Regex():
            return Regexp(expr.pattern)
        case ast.Minus():
            number = _literal(expr.value, lookup, alias)
            if not isinstance(number, int | float):
                raise BadType("The expression is not a valid type specification.")
            return -number
        case ast.Paren():
            return _literal(expr.value, lookup, alias)
        case ast.Array():
            return [_literal(item, lookup, alias) for item in expr.items]
        case ast.Hash():
            return Hash.of(
                (_literal(entry.key, lookup, alias), _literal(entry.value, lookup, alias))
                for entry in expr.entries
            )
    raise BadType("The expression is not a valid type specification.")


_TYPES = "(types)"
"""What trees of types are kept under: nobody has looked for findings in them."""


_PLAIN: dict[str, m.Type] = {}
"""Types by the texts that spell them, of texts that name built-in types only."""

_MOST_PLAIN = 1024


@lru_cache(maxsize=1024)
def _parsed(text: str, ours: bool) -> ast.Expr | None:
    source = Source("type.pp", text)
    cache = user_cache() if ours else None
    program = None if cache is None else cache.load(source, _TYPES)
    if program is None:
        from headwater.langs.puppet.syntax.parser import parse

        parsed = parse(source)
        if not parsed.ok:
            return None
        program = parsed.program
        if cache is not None:
            cache.store(program, _TYPES)
    return program.body[0] if len(program.body) == 1 else None


def parse_type(text: str, lookup: m.Lookup | None = None, *, ours: bool = False) -> m.Type:
    """The type a text spells; texts of `ours` are few, and their trees kept as those of files."""
    known = _PLAIN.get(text)
    if known is not None:
        return known
    if text.isascii() and text.isalpha() and text[0].isupper() and text.lower() in NAMES:
        return NAMES[text.lower()]
    expr = _parsed(text, ours)
    if expr is None:
        raise BadType(f"The expression <{text}> is not a valid type specification.")
    asked = lookup is None

    def noting(name: str) -> m.Type | None:
        nonlocal asked
        asked = True
        return None if lookup is None else lookup(name)

    try:
        found = resolve(expr, None if lookup is None else noting)
        if not asked:
            if len(_PLAIN) >= _MOST_PLAIN:
                _PLAIN.clear()
            _PLAIN[text] = found
        return found
    except BadType as error:
        if str(error) == "The expression is not a valid type specification.":
            raise BadType(f"The expression <{text}> is not a valid type specification.") from None
        raise
