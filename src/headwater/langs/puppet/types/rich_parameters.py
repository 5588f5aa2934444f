"""Parameters of the types of patterns, versions, times, URIs and other rich values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.parameter_checks import check_keys, flatten, label, wrong_count
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.regexps import compiled
from headwater.langs.puppet.types.show import show_type, show_value
from headwater.langs.puppet.types.uris import check, uri_parts
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.types.versions import intervals, merged
from headwater.langs.puppet.values import DEFAULT, Regexp, SemVerRange, Timespan, Timestamp

_TEXT = {"String": lambda key: isinstance(key, str)}
_PATTERNS = {
    **_TEXT,
    "Regexp": lambda key: isinstance(key, Regexp),
    "Pattern-Type": lambda key: isinstance(key, m.PatternType),
    "Regexp-Type": lambda key: isinstance(key, m.RegexpType),
}


def _pattern_type(t: m.PatternType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    check_keys(t, keys, 1, float("inf"), _PATTERNS)
    found: list[m.RegexpType] = []
    for key in keys:
        match key:
            case str():
                compiled(key)
                found.append(m.RegexpType(key))
            case Regexp():
                found.append(m.RegexpType(key.pattern))
            case m.PatternType():
                found.extend(key.patterns)
            case _:
                found.append(key)
    return m.PatternType(tuple(dict.fromkeys(found)))


def _regexp_type(t: m.RegexpType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise wrong_count(label(t), 1, None, len(keys))
    check_keys(t, keys, 1, 1, {**_TEXT, "Regexp": lambda key: isinstance(key, Regexp)})
    pattern = keys[0].pattern if isinstance(keys[0], Regexp) else keys[0]
    compiled(pattern)
    return m.RegexpType(pattern)


def _semver_type(t: m.SemVerType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    allowed = {**_TEXT, "SemanticPuppet::VersionRange": lambda key: isinstance(key, SemVerRange)}
    check_keys(t, keys, 1, float("inf"), allowed)
    ranges = [SemVerRange(key) if isinstance(key, str) else key for key in keys]
    for item in ranges:
        intervals(item.text)
    return m.SemVerType(merged(ranges))


def _time_type(t: m.TimestampType | m.TimespanType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) > 2:
        raise wrong_count(label(t), 0, 2, len(keys))
    moment = isinstance(t, m.TimestampType)
    low, high = (_moment(moment, key) for key in [*keys, DEFAULT, DEFAULT][:2])
    if low is not None and high is not None and low > high:
        raise BadType(f"'from' must be less or equal to 'to'. Got ({_bare(low)}, {_bare(high)}")
    return t.__class__(low, high)


def _bare(value: Timestamp | Timespan) -> str:
    if isinstance(value, Timestamp):
        shown = show_type(m.TimestampType(value, value))
    else:
        shown = show_type(m.TimespanType(value, value))
    return shown.partition("['")[2].removesuffix("']")


def _moment(stamp: bool, key: Value) -> Any:  # noqa: ANN401
    if key is None or key is DEFAULT:
        return None
    class_ = Timestamp if stamp else Timespan
    match key:
        case str():
            return _parsed(stamp, key)
        case int() | float() if not isinstance(key, bool):
            return class_(int(key * 1_000_000_000))
        case Hash():
            return _moment_of_hash(stamp, key)
    if isinstance(key, class_):
        return key
    raise BadType(
        f"Unable to create a Puppet::Pops::Time::{class_.__name__} from a {ruby_class(key)}"
    )


def _moment_of_hash(stamp: bool, key: Hash) -> Timestamp | Timespan:
    if stamp or "string" in key:
        return _parsed(stamp, key["string"], key.get("format"), key.get("timezone"))
    return timespan_of_fields(key)


def _parsed(
    stamp: bool, text: str, form: str | list[str] | None = None, zone: str | None = None
) -> Timestamp | Timespan:
    """A moment or a span that a text spells; few programs have any, so the readers come late."""
    if stamp:
        from headwater.langs.puppet.types.timestamps import parse_timestamp

        return parse_timestamp(text, form, zone)
    from headwater.langs.puppet.types.timespans import parse_timespan

    return parse_timespan(text, form)


def timespan_of_fields(fields: Hash) -> Timespan:
    """A timespan from its days, hours …"""
    total = fields.get("days") or 0
    for name, size in (
        ("hours", 24), ("minutes", 60), ("seconds", 60), ("milliseconds", 1000),
        ("microseconds", 1000), ("nanoseconds", 1000),
    ):  # fmt: skip
        total = total * size + (fields.get(name) or 0)
    return Timespan(-total if fields.get("negative") else total)


def _uri_type(t: m.UriType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise wrong_count("URI-Type", 1, None, len(keys))
    key = keys[0]
    if isinstance(key, str) and key:
        check(key)
        if "scheme" not in uri_parts(key):
            raise BadType("URI-Type parameter has wrong type, expects a match for an absolute URI")
        return m.UriType(tuple(uri_parts(key).items()) or None)
    if isinstance(key, Hash) and all(_is_uri_part(name, part) for name, part in key.pairs()):
        return m.UriType(tuple(key.pairs()) or None)
    raise BadType(f"URI-Type[] arguments must be types. Got {ruby_class(key)}")


_OF_TYPES = (m.TypeType(m.NotUndefType()), m.TypeType(m.UNDEF))
_TEXT_PART = m.VariantType(
    (
        m.StringType(m.IntegerType(1)),
        m.RegexpType(),
        m.TypeType(m.PatternType()),
        m.TypeType(m.EnumType()),
        m.UNDEF,
        *_OF_TYPES,
    )
)
_PORT_PART = m.VariantType((m.IntegerType(0), m.UNDEF, *_OF_TYPES))
_URI_TEXTS = ("scheme", "userinfo", "host", "path", "query", "fragment", "opaque")


def _is_uri_part(name: Value, part: Value) -> bool:
    return is_instance(_PORT_PART, part) if name == "port" else (
        name in _URI_TEXTS and is_instance(_TEXT_PART, part)
    )  # fmt: skip


def _init_type(t: m.InitType, keys: list[Any]) -> m.Type:
    if not keys or not m.is_type(keys[0]):
        got = ruby_class(keys[0] if keys else None)
        raise BadType(f"Init-Type[] arguments must be types. Got {got}")
    return m.InitType(keys[0], tuple(keys[1:]), t.parts_of)


def _runtime_type(t: m.RuntimeType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    check_keys(
        t, keys, 2, 2, {"String": lambda key: isinstance(key, str), "String ": lambda key: False}
    )
    return m.RuntimeType(keys[0], keys[1])


def _object_type(t: m.ObjectType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise wrong_count("Object-Type", 1, None, len(keys))
    if keys[0] in (None, "", Hash()):
        return m.ObjectType()
    if not isinstance(keys[0], Hash):
        got = ruby_class(keys[0])
        raise BadType(f"The expression <{got}> is not the definition of an object type")
    attributes = keys[0].get("attributes")
    if attributes is not None and not isinstance(attributes, Hash):
        raise BadType("the attributes of an object type are a hash")
    for name, type_ in attributes.pairs() if attributes is not None else ():
        if not isinstance(name, str) or not (m.is_type(type_) or isinstance(type_, Hash)):
            raise BadType(f"the attribute {name} of an object type has no type")
    return m.ObjectType(text=show_value(keys[0]))


def _unknown_type(t: m.TypeReference, keys: list[Any]) -> m.Type:
    raise BadType(f"Resource type not found: {t.text}")


_MAKE: dict[type, Callable[[Any, list[Any]], m.Type]] = {
    m.PatternType: _pattern_type,
    m.RegexpType: _regexp_type,
    m.SemVerType: _semver_type,
    m.TimestampType: _time_type,
    m.TimespanType: _time_type,
    m.UriType: _uri_type,
    m.InitType: _init_type,
    m.RuntimeType: _runtime_type,
    m.TypeReference: _unknown_type,
    m.ObjectType: _object_type,
}


def rich_type(t: m.Type, keys: list[Any]) -> m.Type:
    """One of these types with parameters."""
    return _MAKE[t.__class__](t, keys)
