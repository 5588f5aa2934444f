"""split, match and regsubst."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.parameter_checks import flatten
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.regexps import (
    Match,
    after,
    compiled,
    escaped,
    find,
    plain,
    search,
)
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.substitution import substitute
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp


@dispatch("split", "String str, String pattern")
def _split_text(call: Call, text: str, pattern: str) -> list[str]:
    return split(text, pattern)


@dispatch("split", "String str, Regexp pattern")
def _split_regexp(call: Call, text: str, pattern: Regexp) -> list[str]:
    return split(text, pattern.pattern)


@dispatch("split", "String str, Type[Regexp] pattern")
def _split_type(call: Call, text: str, pattern: m.RegexpType) -> list[str]:
    return split(text, pattern.pattern or "")


def split(text: str, pattern: str) -> list[str]:
    """Ruby's ``String#split``: groups are kept, empty parts at the end are dropped."""
    data = text.encode()
    result: list[bytes] = []
    simple = plain(pattern)
    if simple is not None and simple.consumes and not simple.regex.groups and simple.suits(data):
        result = simple.regex.split(data)
        while result and not result[-1]:
            result.pop()
        return [part.decode() for part in result]
    begin = start = 0
    after_empty = False
    while start <= len(data):
        match = find(pattern, data, start)
        if match is None:
            break
        if match.start == start and match.end == match.start:
            if not data:
                result.append(b"")
                break
            if not after_empty:
                start = start + 1 if start == len(data) else after(data, start)
                after_empty = True
                continue
            result.append(data[begin : after(data, begin)])
            begin = start
        else:
            result.append(data[begin : match.start])
            begin = start = match.end
        after_empty = False
        for one, two in zip(match.starts[1:], match.ends[1:], strict=True):
            if one >= 0:
                result.append(data[one:two])
    if data and begin < len(data):
        result.append(data[begin:])
    while result and not result[-1]:
        result.pop()
    return [part.decode() for part in result]


@dispatch("match", "String string, Variant[Any, Type] pattern")
def _match(call: Call, text: str, pattern: Value) -> list[Any] | None:
    return match_any(text, pattern)


@dispatch("match", "Array[String] string, Variant[Any, Type] pattern")
def _match_each(call: Call, texts: list[str], pattern: Value) -> list[Any]:
    return [match_any(text, pattern) for text in texts]


def match_any(text: str, pattern: Value) -> list[Any] | None:
    """The match and its groups, by a pattern or by the first of several that matches."""
    match pattern:
        case str():
            return _groups(search(pattern, text))
        case Regexp():
            return _groups(search(pattern.pattern, text))
        case m.RegexpType():
            if pattern.pattern is None:
                raise Failed("Given Regexp Type has no regular expression")
            return _groups(search(pattern.pattern, text))
        case m.PatternType():
            return _first(text, pattern.patterns)
        case m.VariantType():
            return _first(text, pattern.types)
        case m.AliasType():
            return match_any(text, pattern.resolved())
        case list():
            return _first(text, flatten(pattern))
    raise Failed(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or "
        f"Array[T]. Got {ruby_class(pattern)}"
    )


def _first(text: str, patterns: Iterable[Value]) -> list[Any] | None:
    for item in patterns:
        found = match_any(text, item)
        if found is not None:
            return found
    return None


def _groups(match: Match | None) -> list[Any] | None:
    return None if match is None else match.groups()


Target = str | list[str]
_TARGET = "Variant[Array[String],String] target"
_REPLACEMENT = "Variant[String,Hash[String,String]] replacement"


@dispatch(
    "regsubst",
    f"{_TARGET}, String pattern, {_REPLACEMENT}, Optional[Pattern[/^[GEIM]*$/]] flags?, "
    "Enum['N','E','S','U'] encoding?",
)
def _regsubst_text(
    call: Call, target: Target, pattern: str, replacement: str | Hash, flags: str | None = None,
    encoding: str | None = None,
) -> Target:  # fmt: skip
    flags = flags or ""
    options = "".join(
        letter for flag, letter in (("M", "m"), ("I", "i"), ("E", "x")) if flag in flags
    )
    compiled(pattern)
    if options:
        pattern = f"(?{options}:{pattern}\n)" if "x" in options else f"(?{options}:{pattern})"
    return _regsubst(target, pattern, replacement, "G" in flags)


@dispatch(
    "regsubst",
    f"{_TARGET}, Variant[Regexp,Type[Regexp]] pattern, {_REPLACEMENT}, Pattern[/^G?$/] flags?",
)
def _regsubst_regexp(
    call: Call,
    target: Target,
    pattern: Regexp | m.RegexpType,
    replacement: str | Hash,
    flags: str | None = None,
) -> Target:
    if isinstance(pattern, m.RegexpType):
        # Real Puppet uses the text of the type's pattern as a plain string here.
        from_type = pattern.pattern or ""
        return _each(target, lambda text: _as_text(text, from_type, replacement, flags == "G"))
    return _regsubst(target, pattern.pattern, replacement, flags == "G")


def _each(target: Target, change: Callable[[str], str]) -> Target:
    return [change(item) for item in target] if isinstance(target, list) else change(target)


def _regsubst(target: Target, pattern: str, replacement: str | Hash, everywhere: bool) -> Target:
    return _each(target, lambda text: substitute(text, pattern, replacement, everywhere))


def _as_text(text: str, part: str, replacement: str | Hash, everywhere: bool) -> str:
    return substitute(text, escaped(part), replacement, everywhere)
