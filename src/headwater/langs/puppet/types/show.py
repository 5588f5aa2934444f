"""The printed form of types, and of values within them."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import BUILT_IN_NAMES
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.inference import infer
from headwater.langs.puppet.types.quoting import float_text, quoted
from headwater.langs.puppet.types.regexps import shown as regexp_shown
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.types.versions import version_text
from headwater.langs.puppet.values import (
    Binary,
    Default,
    Deferred,
    Regexp,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    Uri,
    capitalised,
)


def show_type(type_: m.Type, expanded: bool = False) -> str:
    """A type as Puppet prints it; `expanded` adds what its aliases stand for."""
    if isinstance(type_, m.AliasType | m.ObjectType):
        # An alias or object type printed by itself always says what it stands for.
        return _Printer(True).show(type_)
    return _Printer(expanded).show(type_)


def show_value(value: Value) -> str:
    """A value as Puppet prints it within a type."""
    return _Printer(False).show(value)


_OBJECTS = {
    "Object": "Object[{}]",
    "Deferred": (
        "Object[{name => 'Deferred', attributes => {'name' => "
        r"Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/], "
        "'arguments' => {type => Optional[Array], value => undef}}}]"
    ),
}


class _Printer:
    """Prints a type; knows which aliases it is inside of."""

    def __init__(self, expanded: bool) -> None:
        self.expanded = expanded
        self.inside: set[str] = set()

    def show(self, value: Value) -> str:
        if m.is_type(value):
            return self.type(value)
        match value:
            case None:
                return "undef"
            case bool():
                return "true" if value else "false"
            case int():
                return str(value)
            case float():
                return float_text(value)
            case str():
                return quoted(value)
            case Default():
                return "default"
            case Regexp():
                return regexp_shown(value.pattern)
            case list():
                return "[" + ", ".join(self.show(item) for item in value) + "]"
            case Hash():
                pairs = (f"{self.show(k)} => {self.show(item)}" for k, item in value.pairs())
                return "{" + ", ".join(pairs) + "}"
            case SemVer():
                return f"'{version_text(value)}'"
            case SemVerRange():
                return f"'{value.text}'"
            case Timestamp():
                from headwater.langs.puppet.types.timestamps import timestamp_text

                return f"'{timestamp_text(value)}'"
            case Timespan():
                from headwater.langs.puppet.types.timespans import timespan_text

                return f"'{timespan_text(value)}'"
            case Uri():
                return f"URI({quoted(value.text)})"
            case Deferred():
                fields = f"'name' => {quoted(value.name)}"
                if value.arguments:
                    fields += f", 'arguments' => {self.show(value.arguments)}"
                return "Deferred({" + fields + "})"
            case Sensitive() | Binary():
                return "Instance of " + self.show(infer(value))
        return "Instance of " + self.show(infer(value))

    def of(self, name: str, parts: list[str]) -> str:
        return f"{name}[{', '.join(parts)}]" if parts else name

    def range(self, size: m.IntegerType | m.FloatType | None) -> list[str]:
        if size is None or (size.low is None and size.high is None):
            return []
        low = "default" if size.low is None else self.show(size.low)
        return [low] if size.high is None else [low, self.show(size.high)]

    def type(self, t: m.Type) -> str:
        match t:
            case m.Plain():
                return t.name
            case m.IntegerType():
                return self.of("Integer", self.range(t))
            case m.FloatType():
                return self.of("Float", self.range(t))
            case m.BooleanType():
                return self.of("Boolean", [] if t.value is None else [self.show(t.value)])
            case m.StringType():
                return self.of("String", self.range(t.size))
            case m.EnumType():
                values = [quoted(value) for value in t.values]
                return self.of("Enum", [*values, "true"] if values and t.ignore_case else values)
            case m.RegexpType():
                return self.of("Regexp", [] if t.pattern is None else [regexp_shown(t.pattern)])
            case m.PatternType():
                return self.of("Pattern", [regexp_shown(p.pattern or "") for p in t.patterns])
            case m.CollectionType():
                return self.of("Collection", self.range(t.size))
            case m.ArrayType():
                if t.size == m.EMPTY_ARRAY.size:
                    return "Array[0, 0]"
                return "Array" if t == m.ARRAY else self.of(
                    "Array", [self.show(t.element), *self.range(t.size)]
                )  # fmt: skip
            case m.HashType():
                if t.size == m.EMPTY_HASH.size:
                    return "Hash[0, 0]"
                return "Hash" if t == m.HASH else self.of(
                    "Hash", [self.show(t.key), self.show(t.value), *self.range(t.size)]
                )  # fmt: skip
            case m.TupleType():
                types = [self.show(item) for item in t.types]
                return self.of("Tuple", types + self.range(t.size) if types else [])
            case m.StructType():
                pairs = [self.element(item) for item in t.elements]
                return "Struct[{" + ", ".join(pairs) + "}]" if pairs else "Struct"
            case m.VariantType():
                return self.of("Variant", [self.show(item) for item in t.types])
            case m.OptionalType():
                return self.of("Optional", self.wrapped(t.type))
            case m.NotUndefType():
                return self.of("NotUndef", [] if t.type == m.ANY else self.wrapped(t.type))
            case m.TypeType():
                return self.of("Type", self.inner(t.type))
            case m.SensitiveType():
                return self.of("Sensitive", [] if t.type == m.ANY else [self.show(t.type)])
            case m.IterableType():
                return self.of("Iterable", self.inner(t.type))
            case m.IteratorType():
                return self.of("Iterator", self.inner(t.type))
            case m.InitType():
                if t.type is None:
                    return "Init"
                return self.of("Init", [self.show(item) for item in (t.type, *t.arguments)])
            case m.CallableType():
                return self.callable(t)
            case _:
                return self.other(t)

    def other(self, t: m.Type) -> str:
        match t:
            case m.TimestampType() | m.TimespanType():
                name = "Timestamp" if isinstance(t, m.TimestampType) else "Timespan"
                if t.low is None and t.high is None:
                    return name
                parts = ["default" if t.low is None else self.show(t.low)]
                if t.high is not None and t.high != t.low:
                    parts.append(self.show(t.high))
                return self.of(name, parts)
            case m.SemVerType():
                return self.of("SemVer", [self.show(item) for item in t.ranges])
            case m.UriType():
                return self.of("URI", [] if t.parts is None else [self.show(Hash.of(t.parts))])
            case m.RuntimeType():
                if t.runtime is None and t.name is None:
                    return "Runtime"
                return self.of("Runtime", [str(t.runtime), self.show(t.name)])
            case m.ObjectType(text=str() as text):
                return f"Object[{text}]"
            case m.ObjectType():
                return _OBJECTS.get(t.name, t.name) if self.expanded else t.name
            case m.TypeReference():
                return f"TypeReference[{quoted(t.text)}]"
            case m.AliasType():
                return self.alias(t)
            case m.ClassRef():
                if t.name is None:
                    return "Class"
                return f"Class[{capitalised(t.name) if t.held else t.name}]"
            case m.ResourceRef():
                if t.type is None:
                    return "Resource"
                name = t.type if t.type[:1].isupper() else capitalised(t.type)
                if t.held:
                    return f"{name}[{t.title or ''}]"
                return name if t.title is None else f"{name}[{quoted(t.title)}]"
        raise AssertionError(t)

    def inner(self, t: m.Type | None) -> list[str]:
        return [] if t is None else [self.show(t)]

    def wrapped(self, t: m.Type | None) -> list[str]:
        if isinstance(t, m.StringType) and t.value is not None:
            return [quoted(t.value)]
        return self.inner(t)

    def element(self, item: m.StructElement) -> str:
        key: str = quoted(item.name)
        optional = assignable(item.value, m.UNDEF)
        if isinstance(item.key, m.OptionalType):
            key = key if optional else f"Optional[{key}]"
        elif optional:
            key = f"NotUndef[{key}]"
        return f"{key} => {self.show(item.value)}"

    def callable(self, t: m.CallableType) -> str:
        if t.params is None:
            if t.returns is None:
                return "Callable"
            return f"Callable[[], {self.show(t.returns)}]"
        parts = [self.show(item) for item in t.params.types if item != m.UNIT]
        if not t.params.types:
            parts += ["0", "0"]
        else:
            parts += self.range(t.params.size)
        if t.block is not None:
            parts.append(self.show(t.block))
        inside = ", ".join(parts)
        return f"Callable[{inside}]" if t.returns is None else (
            f"Callable[[{inside}], {self.show(t.returns)}]"
        )  # fmt: skip

    def alias(self, t: m.AliasType) -> str:
        if not self.expanded or t.name in BUILT_IN_NAMES or t.name in self.inside:
            return t.name
        self.inside.add(t.name)
        try:
            return f"{t.name} = {self.show(t.resolved())}"
        finally:
            self.inside.discard(t.name)


_CLASS_NAMES = {
    m.ClassRef: "Class",
    m.ResourceRef: "Resource",
    m.UriType: "URI",
    m.SemVerType: "SemVer",
    m.TypeReference: "TypeReference",
}


def simple_name(t: m.Type) -> str:
    """The name of the type without its parameters."""
    if isinstance(t, m.Plain | m.ObjectType | m.AliasType):
        return t.name
    known = _CLASS_NAMES.get(t.__class__)
    return known or t.__class__.__name__.removesuffix("Type")
