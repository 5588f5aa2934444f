"""split, match and regsubst."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes, encoding_of, of_bytes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.parameter_checks import flatten
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.regexps import (
    Match,
    after,
    compiled,
    escaped,
    plain,
    search,
    searching,
)
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.substitution import A_MATCH, TOGETHER, substitute
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Regexp, Sensitive

MOST_PARTS = 2_000_000
"""Parts that a text is split into: so many values one value may have."""


@dispatch("split", "String str, String pattern")
def _split_text(call: Call, text: str, pattern: str) -> list[str]:
    return split(text, pattern, call.context.spend)


@dispatch("split", "String str, Regexp pattern")
def _split_regexp(call: Call, text: str, pattern: Regexp) -> list[str]:
    return split(text, pattern.pattern, call.context.spend)


@dispatch("split", "String str, Type[Regexp] pattern")
def _split_type(call: Call, text: str, pattern: m.RegexpType) -> list[str]:
    return split(text, pattern.pattern or "", call.context.spend)


def _splits_sensitive(level: LanguageLevel) -> bool:
    return "split" in level.takes_sensitive


@dispatch("split", "Sensitive[String] sensitive, String pattern", when=_splits_sensitive)
def _split_sensitive_text(call: Call, secret: Sensitive, pattern: str) -> Sensitive:
    return Sensitive(split(secret.value, pattern, call.context.spend))


@dispatch("split", "Sensitive[String] sensitive, Regexp pattern", when=_splits_sensitive)
def _split_sensitive_regexp(call: Call, secret: Sensitive, pattern: Regexp) -> Sensitive:
    return Sensitive(split(secret.value, pattern.pattern, call.context.spend))


@dispatch("split", "Sensitive[String] sensitive, Type[Regexp] pattern", when=_splits_sensitive)
def _split_sensitive_type(call: Call, secret: Sensitive, pattern: m.RegexpType) -> Sensitive:
    return Sensitive(split(secret.value, pattern.pattern or "", call.context.spend))


def split(text: str, pattern: str, spend: Callable[[int], None] | None = None) -> list[str]:
    """Ruby's ``String#split``: groups are kept, empty parts at the end are dropped."""
    simple = plain(pattern)
    if (
        simple is not None
        and simple.consumes
        and not simple.regex.groups
        and simple.suits_text(text)
    ):
        parts: list[str] = simple.regex.split(text, MOST_PARTS)
        if len(parts) > MOST_PARTS:
            raise Problem(codes.VALUE_TOO_LARGE, bound=f"{MOST_PARTS:,} values")
        while parts and not parts[-1]:
            parts.pop()
        return parts
    data = text.encode()
    result: list[bytes] = []
    begin = start = matches = 0
    after_empty = False
    find_from = searching(pattern, data)
    while start <= len(data):
        match = find_from(start)
        if match is None:
            break
        matches += 1
        if matches % TOGETHER == 0 and spend is not None:
            spend(TOGETHER * A_MATCH)
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
        for one, two in match.regs[1:]:
            if one >= 0:
                result.append(data[one:two])
    if data and begin < len(data):
        result.append(data[begin:])
    while result and not result[-1]:
        result.pop()
    return _texts(text, result)


def _texts(text: str, parts: list[bytes]) -> list[str]:
    """Parts of a text, in its encoding."""
    if text.__class__ is Bytes:
        return [of_bytes(part, encoding_of(text)) for part in parts]
    return [part.decode() for part in parts]


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


Target = Any
"""A text or an array of texts; at some levels also Sensitive ones."""
_PLAIN = "Variant[Array[String],String] target"
_ANY = (
    "Variant[Array[Variant[String,Sensitive[String]]],"
    "Sensitive[Array[Variant[String,Sensitive[String]]]],String,Sensitive[String]] target"
)
_REPLACEMENT = "Variant[String,Hash[String,String]] replacement"
_FLAGS = "Optional[Pattern[/^[GEIM]*$/]] flags?, Enum['N','E','S','U'] encoding?"
_PATTERN = "Variant[Regexp,Type[Regexp]] pattern"


def _substitutes_sensitive(level: LanguageLevel) -> bool:
    return "regsubst" in level.takes_sensitive


def _substitutes_plain(level: LanguageLevel) -> bool:
    return "regsubst" not in level.takes_sensitive


@dispatch("regsubst", f"{_ANY}, String pattern, {_REPLACEMENT}, {_FLAGS}",
          when=_substitutes_sensitive)  # fmt: skip
@dispatch("regsubst", f"{_PLAIN}, String pattern, {_REPLACEMENT}, {_FLAGS}",
          when=_substitutes_plain)  # fmt: skip
def _regsubst_text(
    call: Call, target: Target, pattern: str, replacement: str | Hash, flags: str | None = None,
    encoding: str | None = None,
) -> Target:  # fmt: skip
    if encoding is not None and not call.context.level.substitution_encoding:
        call.context.log("warning", "the encoding is ignored; regsubst() will not take it for long")
    flags = flags or ""
    options = "" if flags in {"", "G"} else _options(flags)
    compiled(pattern)
    if options:
        pattern = f"(?{options}:{pattern}\n)" if "x" in options else f"(?{options}:{pattern})"
    return _regsubst(call, target, pattern, replacement, "G" in flags)


def _options(flags: str) -> str:
    """What a regular expression says of itself for some flags."""
    return "".join(letter for flag, letter in (("M", "m"), ("I", "i"), ("E", "x")) if flag in flags)


@dispatch("regsubst", f"{_ANY}, {_PATTERN}, {_REPLACEMENT}, Pattern[/^G?$/] flags?",
          when=_substitutes_sensitive)  # fmt: skip
@dispatch("regsubst", f"{_PLAIN}, {_PATTERN}, {_REPLACEMENT}, Pattern[/^G?$/] flags?",
          when=_substitutes_plain)  # fmt: skip
def _regsubst_regexp(
    call: Call,
    target: Target,
    pattern: Regexp | m.RegexpType,
    replacement: str | Hash,
    flags: str | None = None,
) -> Target:
    if isinstance(pattern, m.RegexpType):
        # Real Puppet uses the text of the type's pattern as a plain string here.
        part = escaped(pattern.pattern or "")
        return _regsubst(call, target, part, replacement, flags == "G")
    return _regsubst(call, target, pattern.pattern, replacement, flags == "G")


def _regsubst(
    call: Call, target: Target, pattern: str, replacement: str | Hash, everywhere: bool
) -> Target:
    """The same for a text and for each text of an array; a Sensitive text stays Sensitive."""
    if isinstance(target, list):
        return [_regsubst(call, item, pattern, replacement, everywhere) for item in target]
    if isinstance(target, Sensitive):
        if isinstance(target.value, list):
            call.context.log("warning", _OPENED)
            return _regsubst(call, target.value, pattern, replacement, everywhere)
        made = substitute(target.value, pattern, replacement, everywhere, call.context.spend)
        return Sensitive(made)
    return substitute(target, pattern, replacement, everywhere, call.context.spend)


_OPENED = (
    "regsubst() gives the texts of a Sensitive array without Sensitive around them; "
    "wrap the result: Sensitive(regsubst(…))"
)
