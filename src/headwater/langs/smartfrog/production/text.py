"""Values and results in the syntax of production SmartFrog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.smartfrog.production import components as c
from headwater.langs.smartfrog.production.lexer import is_word
from headwater.langs.smartfrog.production.syntax import (
    Bytes,
    Float,
    Literal,
    Long,
    Primitives,
    Reference,
    ToBeDefined,
    Variable,
    quoted,
    string_text,
)
from headwater.langs.smartfrog.results import SUB_STORE, first_level
from headwater.tree import DataReference


def scalar_text(value: Any) -> str:
    """A plain value."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case Bytes():
            return f"#HEX#{value}#"
        case str():
            return string_text(value)
        case Long():
            return f"{int(value)}L"
        case Float():
            return f"{float(value)!r}F"
        case _:
            return repr(value)


def reference_text(reference: Reference) -> str:
    """A reference with what stands before it."""
    words = "LAZY " if reference.lazy else ""
    words += "DATA " if reference.data else ""
    if reference.optional:
        words += "OPTIONAL "
        if reference.default is not None:
            words += f"({primitive_text(reference.default)}) "
    path = reference.path
    first = reference.parts[0]
    if first.kind == "ATTRIB" and is_word(first.name):
        path = path.removeprefix("ATTRIB ")
    return words + path


def primitive_text(value: Any) -> str:
    """A primitive straight from the parser."""
    match value:
        case Literal(value=plain):
            return scalar_text(plain)
        case Primitives(items=items):
            return "[|" + ", ".join(primitive_text(item) for item in items) + "|]"
        case Reference():
            return reference_text(value)
        case _:
            return "TBD"


def value_text(value: c.Value, *, linked: bool = True) -> str:
    """A value on one line; with `linked`, what linking has made of the parts."""
    match value:
        case c.Vec(items=items):
            return "[|" + ", ".join(value_text(item, linked=linked) for item in items) + "|]"
        case Reference():
            return reference_text(value)
        case ToBeDefined():
            return "TBD"
        case Variable(at=at):
            return " ".join(at.text.split())
        case c.Application():
            words = ("LAZY " if value.lazy else "") + ("DATA " if value.data else "") + value.word
            return words + " " + block_text(value.comp, linked=linked and value.word == "APPLY")
        case c.Comp():
            data = "" if value.eager else "DATA "
            return f"extends {data}{block_text(value, linked=False)}"
        case _:
            return scalar_text(value)


def block_text(comp: c.Comp, *, linked: bool) -> str:
    """A component's attributes on one line."""
    parts = []
    for key, attr in comp.attrs.items():
        value = attr.value
        if linked and attr.state == c.DONE and not isinstance(attr.result, c.Comp | c.Vec):
            value = attr.result
        end = "" if isinstance(value, c.Comp) else ";"
        parts.append(f"{key_text(key)} {value_text(value, linked=linked)}{end} ")
    return "{ " + "".join(parts) + "}"


def key_text(key: c.Key) -> str:
    """The left side of an attribute."""
    if isinstance(key, c.Nameless):
        return "--"
    return quoted(key) if isinstance(key, str) else ":".join(quoted(part) for part in key)


def shown(value: c.Value) -> Any:
    """A value as it is listed among overridden ones."""
    if isinstance(value, c.Comp):
        return first_level(
            (key_text(key), SUB_STORE if isinstance(attr.value, c.Comp) else shown(attr.value))
            for key, attr in value.attrs.items()
        )
    return plain(value)


def plain(value: c.Value) -> Any:
    """A value that is no component as the result tree holds it."""
    match value:
        case c.Vec(items=items):
            return [plain(item) for item in items]
        case Reference(data=True, optional=False):
            return DataReference(tuple(str(part) for part in value.parts))
        case Reference():
            text = reference_text(value)
            return f"${text}" if value.lazy or value.data else f"$LINK {text}"
        case c.Application():
            return "$" + value_text(value)
        case ToBeDefined():
            return "$TBD"
        case Variable():
            return "$" + value_text(value)
        case Bytes():
            return f"#HEX#{value}#"
        case Long():
            return int(value)
        case Float():
            return float(value)
        case c.Comp():
            return value.made
        case _:
            return value


def write(comp: c.Comp, *, linked: bool) -> Iterator[str]:
    """The attributes of a result, a line each, in SmartFrog."""
    todo: list[tuple[str, Iterator[tuple[c.Key, c.Attr]]]] = [("", iter(comp.attrs.items()))]
    while todo:
        indent, attributes = todo[-1]
        for key, attr in attributes:
            value = attr.result if linked else attr.value
            if linked and is_temporary(attr):
                continue
            tags = f"[ {' '.join(quoted(tag) for tag in attr.tags)} ] " if attr.tags else ""
            lead = f"{indent}{tags}{key_text(key)} "
            if not isinstance(value, c.Comp):
                yield f"{lead}{value_text(value, linked=linked)};\n"
                continue
            names = "".join(f" {t.path}," for t in value.types if isinstance(t, Reference))
            data = "" if value.eager else "DATA "
            if not any(not is_temporary(a) or not linked for a in value.attrs.values()):
                yield f"{lead}extends {data}{names} {{}}\n"
                continue
            yield f"{lead}extends {data}{names} {{\n"
            todo.append((indent + "  ", iter(value.attrs.items())))
            break
        else:
            todo.pop()
            if todo:
                yield f"{todo[-1][0]}}}\n"


def is_temporary(attr: c.Attr) -> bool:
    """Whether an attribute is dropped from the result."""
    dropped = attr.state == c.DONE and isinstance(attr.result, Dropped)
    return dropped or bool(attr.tags and "sfTemp" in attr.tags)


class Dropped(str):
    """The value of an assertion that has been checked for good."""
