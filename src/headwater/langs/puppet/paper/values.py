"""Operations on annotated values: adding labels, comparing, reading as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.provenance import ERASED, NONE, Applied, Beta, Formula, Why
from headwater.tree import Value as Plain

MOST_SIZE = 1_000_000
"""So many elements and characters a value may have."""
MOST_BITS = 13_000
"""So many bits, about 3,900 digits, an integer may have: longer ones are not written out."""
MOST_LEVELS = 200
"""So deep arrays and hashes may be nested."""


def plus(value: t.Value, beta: Beta) -> t.Value:
    """``v^{+β}``: the labels go to the value, not into its elements."""
    if not beta:
        return value
    why = value.why.plus(beta)
    return value if why is value.why else replace(value, why=why)


def parts(value: t.Value) -> Iterator[t.Value]:
    """A value and everything in it."""
    todo = [value]
    while todo:
        at = todo.pop()
        yield at
        if isinstance(at, t.ArrayValue):
            todo += at.items
        elif isinstance(at, t.HashValue):
            todo += [inner for _, inner in at.entries]


def is_large(value: t.Value) -> bool:
    """Whether a value has more elements and characters, bits or levels than the bounds."""
    size = 0
    todo: list[tuple[t.Value, int]] = [(value, 0)]
    while todo:
        part, depth = todo.pop()
        size += 1
        match part:
            case t.ArrayValue(items=items):
                todo += [(item, depth + 1) for item in items]
            case t.HashValue(entries=entries):
                todo += [(item, depth + 1) for _, item in entries]
            case t.Atom(value=str(text)):
                size += len(text)
            case t.Atom(value=int(number)):
                size += MOST_SIZE if number.bit_length() > MOST_BITS else 1
            case _:
                pass
        if size > MOST_SIZE or depth > MOST_LEVELS:
            return True
    return False


def flat(value: t.Value) -> Iterator[t.Value]:
    """The elements of an array and of the arrays in it, each with the labels of its array."""
    if not isinstance(value, t.ArrayValue):
        yield value
        return
    for item in value.items:
        for part in flat(item):
            yield plus(part, value.why.depends)


def whole(value: t.Value) -> Why:
    """The annotation of a value taken with everything in it."""
    if value.why is ERASED or isinstance(value, t.Atom | t.Reference):
        return value.why
    depends = NONE.union(*(part.why.depends for part in parts(value)))
    return Why(value.why.where, formula(value), depends, value.why.masked, value.why.path)


def formula(value: t.Value) -> Formula:
    """How a value was computed, element by element."""
    match value:
        case t.ArrayValue(items=items):
            return Applied("array", tuple(formula(item) for item in items))
        case t.HashValue(entries=entries):
            pairs = [f for key, item in entries for f in (key.why.expression, formula(item))]
            return Applied("hash", tuple(pairs))
        case _:
            return value.why.expression


def equal(one: t.Value, other: t.Value, *, like_puppet: bool) -> bool:
    """``=``; Puppet compares strings without regard to case."""
    if not like_puppet:
        return one == other
    return folded(one) == folded(other)


def folded(value: t.Value) -> object:
    """What two values have in common when Puppet calls them equal."""
    match value:
        case t.Atom(value=str(text)):
            return ("text", text.lower())
        case t.Atom(value=inner):
            return (type(inner), inner)
        case t.ArrayValue(items=items):
            return ("array", tuple(folded(item) for item in items))
        case t.HashValue(entries=entries):
            # Keys keep their case, and the last of two equal keys counts.
            return ("hash", frozenset({key.value: folded(item) for key, item in entries}.items()))
        case t.Reference(type=kind, title=title):
            return ("reference", kind, title)


def truth(value: t.Value, *, like_puppet: bool) -> bool | None:
    """Whether a condition holds; the calculus knows it of booleans only."""
    if isinstance(value, t.Atom) and isinstance(value.value, bool):
        return value.value
    if not like_puppet:
        return None
    return not (isinstance(value, t.Atom) and value.value is None)


def plain(value: t.Value) -> Plain:
    """A value without annotations, as the catalog shows it."""
    match value:
        case t.Atom(value=inner):
            return inner
        case t.ArrayValue(items=items):
            return [plain(item) for item in items]
        case t.HashValue(entries=entries):
            return {str(key.value): plain(item) for key, item in entries}
        case t.Reference(type=kind, title=title):
            return f"{capitalised(kind)}[{title}]"


def capitalised(kind: str) -> str:
    """``my::type`` as references spell it: ``My::Type``"""
    return "::".join(part[:1].upper() + part[1:] for part in kind.split("::"))


def show(value: t.Value) -> str:
    """What kind of value it is, for messages."""
    match value:
        case t.Atom(value=None):
            return "undef"
        case t.Atom(value=bool(inner)):
            return str(inner).lower()
        case t.Atom(value=inner):
            return repr(inner)
        case t.ArrayValue():
            return "an array"
        case t.HashValue():
            return "a hash"
        case t.Reference():
            return str(plain(value))


def text_of(value: t.Value) -> str:
    """A value within a string, as Puppet spells it."""
    match value:
        case t.Atom(value=None):
            return ""
        case t.Atom(value=bool(inner)):
            return str(inner).lower()
        case t.Atom(value=inner):
            return str(inner)
        case t.ArrayValue(items=items):
            return f"[{', '.join(map(text_of, items))}]"
        case t.HashValue(entries=entries):
            last = {key.value: item for key, item in entries}
            return "{" + ", ".join(f"{key} => {text_of(item)}" for key, item in last.items()) + "}"
        case t.Reference(type="class", title=title):
            return f"Class[{title.lower()}]"
        case t.Reference(type=kind, title=title):
            return f"{capitalised(kind)}['{title}']"
