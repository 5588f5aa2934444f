"""Values and results in the syntax of production SmartFrog."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

from headwater.langs.smartfrog.production import components as c
from headwater.langs.smartfrog.production.attributes import DONE, Attr
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
    single,
    string_text,
)
from headwater.langs.smartfrog.production.words import is_word
from headwater.langs.smartfrog.results import SUB_STORE, first_level
from headwater.tree import DataReference


def java_number(value: float) -> str:
    """``1.5``, ``1.0E10``: a double or float with the digits and the exponent Java gives it."""
    digits = shortest(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return with_fraction(format(digits, "f"))
    mantissa, exponent = f"{digits:E}".split("E")
    return f"{with_fraction(mantissa)}E{int(exponent)}"


def with_fraction(text: str) -> str:
    """Digits with a point, and one digit behind it if there is no more to say."""
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction.rstrip('0') or '0'}"


def shortest(value: float) -> Decimal:
    """The fewest digits, but two, that mean this number and no other of its size."""
    for digits in range(1, 9 if isinstance(value, Float) else 17):
        text = f"{float(value):.{digits}e}"
        with suppress(OverflowError):  # fewer digits may round up to more than there is
            read = single(float(text)) if isinstance(value, Float) else float(text)
            if read == value:
                return Decimal(text)
    return Decimal(repr(float(value)))


def scalar_text(value: object) -> str:
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
            return f"{java_number(value)}F"
        case float():
            return java_number(value)
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


def primitive_text(value: object) -> str:
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


def value_text(value: c.Value, *, linked: bool = True, found: bool = True) -> str:
    """A value on one line.

    What is temporary is left out of a `linked` result; inside a function, arguments show what
    linking `found` for them.
    """
    match value:
        case c.Vec(items=items):
            texts = [value_text(item, linked=linked, found=found) for item in items]
            return "[|" + ", ".join(texts) + "|]"
        case Reference():
            return reference_text(value)
        case ToBeDefined():
            return "TBD"
        case Variable(at=at):
            return " ".join(at.text.split())
        case c.Application():
            words = ("LAZY " if value.lazy else "") + ("DATA " if value.data else "") + value.word
            found = found and value.word == "APPLY"
            return f"{words} {block_text(value.comp, linked=linked, found=found)}"
        case c.Comp():
            return "extends " + component_text(value, linked=linked)
        case _:
            return scalar_text(value)


def component_text(comp: c.Comp, *, linked: bool) -> str:
    """What stands after ``extends``, on one line."""
    parts = [
        t.path if isinstance(t, Reference) else block_text(t, linked=linked, found=False)
        for t in comp.types
    ]
    if comp.attrs or not parts:
        parts.append(block_text(comp, linked=linked, found=False))
    return ("" if comp.eager else "DATA ") + ", ".join(parts)


def block_text(comp: c.Comp, *, linked: bool, found: bool) -> str:
    """A component's attributes on one line."""
    parts = []
    for key, attr in comp.attrs.items():
        if linked and is_temporary(attr):
            continue
        value = attr.value
        if found and attr.state == DONE and not isinstance(attr.result, c.Comp | c.Vec):
            value = attr.result
        text = value_text(value, linked=linked, found=found)
        end = "" if isinstance(value, c.Comp) and text.endswith("}") else ";"
        parts.append(f"{tags_text(attr)}{key_text(key)} {text}{end} ")
    return "{ " + "".join(parts) + "}"


def tags_text(attr: Attr) -> str:
    """The tags of an attribute, as they stand before its name."""
    return f"[ {' '.join(quoted(tag) for tag in attr.tags)} ] " if attr.tags else ""


def key_text(key: c.Key) -> str:
    """The left side of an attribute."""
    if isinstance(key, c.Nameless):
        return "--"
    return quoted(key) if isinstance(key, str) else ":".join(quoted(part) for part in key)


def name_before_linking(key: c.Key) -> str:
    """The name of an attribute in a tree that may hold paths still to be placed."""
    return key if isinstance(key, str) and ":" not in key else key_text(key)


def shown(value: c.Value) -> Any:  # noqa: ANN401
    """A value as it is listed among overridden ones."""
    if isinstance(value, c.Comp):
        return first_level(
            (key_text(key), SUB_STORE if isinstance(attr.value, c.Comp) else shown(attr.value))
            for key, attr in value.attrs.items()
        )
    return plain(value, linked=False)


class Unshown:
    """A component as it was at a time, from which it can be listed among overridden values."""

    __slots__ = ("_shown", "_values")

    def __init__(self, values: dict[c.Key, c.Value]) -> None:
        self._values = values
        self._shown: object = None

    def show(self) -> object:
        """The same."""
        if self._shown is None:
            self._shown = first_level(
                (key_text(key), SUB_STORE if isinstance(value, c.Comp) else shown(value))
                for key, value in self._values.items()
            )
        return self._shown


def plain(value: c.Value, *, linked: bool = True) -> Any:  # noqa: ANN401
    """A value that is no component as the result tree holds it."""
    match value:
        case c.Vec(items=items):
            return [plain(item, linked=linked) for item in items]
        case Reference(data=True, optional=False):
            return DataReference(tuple(str(part) for part in value.parts))
        case Reference():
            text = reference_text(value)
            return f"${text}" if value.lazy or value.data else f"$LINK {text}"
        case c.Application():
            return "$" + value_text(value, linked=linked)
        case ToBeDefined():
            return "$TBD"
        case Variable():
            return "$" + value_text(value)
        case Bytes():
            return f"#HEX#{value}#"
        case Long():
            return int(value)
        case Float():
            return float(shortest(value))
        case c.Comp():
            return value.made
        case _:
            return value


def write(comp: c.Comp, *, linked: bool) -> Iterator[str]:
    """The attributes of a result, a line each, in SmartFrog."""
    todo: list[tuple[str, Iterator[tuple[c.Key, Attr]]]] = [("", iter(comp.shown.items()))]
    while todo:
        indent, attributes = todo[-1]
        for key, attr in attributes:
            value = attr.result if linked else attr.value
            if linked and is_temporary(attr):
                continue
            lead = f"{indent}{tags_text(attr)}{key_text(key)} "
            if not isinstance(value, c.Comp):
                yield f"{lead}{value_text(value, linked=linked)};\n"
                continue
            if value.types:
                text = component_text(value, linked=linked)
                yield f"{lead}extends {text}{'' if text.endswith('}') else ';'}\n"
                continue
            data = "" if value.eager else "DATA "
            if not any(not is_temporary(a) or not linked for a in value.shown.values()):
                yield f"{lead}extends {data} {{}}\n"
                continue
            yield f"{lead}extends {data} {{\n"
            todo.append((indent + "  ", iter(value.shown.items())))
            break
        else:
            todo.pop()
            if todo:
                yield f"{todo[-1][0]}}}\n"


def is_temporary(attr: Attr) -> bool:
    """Whether an attribute is dropped from the result."""
    dropped = attr.state == DONE and isinstance(attr.result, Dropped)
    return dropped or bool(attr.tags and "sfTemp" in attr.tags)


class Dropped(str):
    """The value of an assertion that has been checked for good."""
