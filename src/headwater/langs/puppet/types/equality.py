"""Equality, order, membership and matching, with Puppet's rules.

Strings are compared without regard to the case of ASCII letters; hash keys, ``-`` and
the types are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeGuard

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes, Incompatible, of_sum
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.types.refusals import BadRegexp, BadVersion
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    DEFAULT,
    Regexp,
    SemVer,
    SemVerRange,
    Timespan,
    Timestamp,
)
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.regexps import Match, finder
    from headwater.langs.puppet.types.versions import in_range, parse_version
else:
    when_called(globals(), "headwater.langs.puppet.types.versions", "in_range parse_version")
    when_called(globals(), "headwater.langs.puppet.types.regexps", "Match finder")

_FOLD = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_NUMBERS = (int, float)


def folded(text: str) -> str:
    """A text with its ASCII letters in lower case."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def equals(a: object, b: object) -> bool:
    """``a == b``"""
    if a.__class__ is str and b.__class__ is str:
        return a == b or folded(a) == folded(b)
    if isinstance(a, str):
        return isinstance(b, str) and folded(a) == folded(b)
    if a is None:
        return b is None
    if a.__class__ is bool or b.__class__ is bool:
        return a is b
    if isinstance(a, _NUMBERS):
        return isinstance(b, _NUMBERS) and a == b
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(equals, a, b))
    if isinstance(a, Hash):
        if not isinstance(b, Hash) or len(a) != len(b):
            return False
        return all(equals(b.get(key), value) for key, value in a.pairs())
    if isinstance(a, Timespan | Timestamp) and isinstance(b, _NUMBERS):
        return a.nanoseconds == b * 1_000_000_000
    return bool(a == b)


def compare(a: object, b: object, operator: str) -> int:
    """Less than, equal to or greater than zero as `a` is to `b`."""
    if isinstance(a, str) and isinstance(b, str):
        x, y = folded(a), folded(b)
        return (x > y) - (x < y)
    if _number(a) and _number(b):
        return (a > b) - (a < b)
    if isinstance(a, Timespan | Timestamp) or isinstance(b, Timespan | Timestamp):
        left, right = _nanoseconds(a), _nanoseconds(b)
        mixed = {type(a), type(b)} == {Timespan, Timestamp}
        if left is not None and right is not None and not mixed:
            return (left > right) - (left < right)
    if isinstance(a, SemVer) and isinstance(b, SemVer):
        from headwater.langs.puppet.types.versions import compare as compare_versions

        return compare_versions(a, b)
    if a is DEFAULT and b is DEFAULT:
        return 0
    raise Problem(codes.NOT_COMPARABLE, left=_shown(a), right=_shown(b), operator=operator)


def _number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, _NUMBERS) and value.__class__ is not bool


def _nanoseconds(value: object) -> float | None:
    if isinstance(value, Timespan | Timestamp):
        return value.nanoseconds
    return value * 1_000_000_000 if _number(value) else None


def _shown(value: object) -> str:
    from headwater.langs.puppet.types.text import text_of

    text = text_of(value)
    if isinstance(value, str):
        text = f"'{text}'"
    return text if len(text) <= 60 else text[:57] + "…"


def regex_search(pattern: str, text: str) -> Match | None:
    """The first match of a regular expression; a hostile one is given up."""
    try:
        return finder(pattern)(text)
    except BadRegexp as error:
        raise bad_match(error) from None


def bad_match(error: BadRegexp) -> Problem:
    """The refusal of a text that is no regular expression."""
    return Problem(codes.BAD_MATCH, message=f"not a regular expression: {error}")


class Matching(Protocol):
    """A frame, which keeps the groups of the last match."""

    match: Match | None


def matches(value: Value, pattern: Value, frame: Matching | None) -> bool:
    """Whether a value is what an option of case or selector asks for."""
    if isinstance(pattern, str):
        return isinstance(value, str) and (value == pattern or folded(value) == folded(pattern))
    if isinstance(pattern, Regexp):
        if not isinstance(value, str):
            return False
        found = regex_search(pattern.pattern, value)
        if found is not None and frame is not None:
            frame.match = found
        return found is not None
    if pattern is DEFAULT:
        return True
    if isinstance(pattern, list):
        return (
            isinstance(value, list)
            and len(value) == len(pattern)
            and all(matches(v, p, frame) for v, p in zip(value, pattern, strict=True))
        )
    if isinstance(pattern, Hash):
        return isinstance(value, Hash) and all(
            matches(value.get(key), part, frame) for key, part in pattern.pairs()
        )
    if is_type(pattern):
        return is_instance(pattern, value)
    if isinstance(pattern, SemVer | SemVerRange):
        return _version_matches(value, pattern)
    return equals(value, pattern)


def _version_matches(value: object, pattern: SemVer | SemVerRange) -> bool:
    if isinstance(value, str):
        try:
            value = parse_version(value)
        except BadVersion:
            return False
    if not isinstance(value, SemVer):
        return False
    return value == pattern if isinstance(pattern, SemVer) else in_range(pattern, value)


def fitting(left: str, right: str) -> None:
    """Refuses strings whose encodings do not go together."""
    if left.__class__ is Bytes or right.__class__ is Bytes:
        try:
            of_sum(left, right)
        except Incompatible as error:
            raise Problem(codes.MIXED_ENCODINGS, what=str(error)) from None


def includes(container: Value, item: Value, frame: Matching) -> bool:
    """``item in container``"""
    if isinstance(container, str):
        if isinstance(item, str):
            fitting(container, item)
            return item.lower() in container.lower()
        if isinstance(item, Regexp):
            found = regex_search(item.pattern, container)
            if found is not None:
                frame.match = found
            return found is not None
        return False
    if isinstance(container, Hash):
        container = list(container)
    if isinstance(container, list):
        if isinstance(item, Regexp):
            for element in container:
                if isinstance(element, str):
                    found = regex_search(item.pattern, element)
                    if found is not None:
                        frame.match = found
                        return True
            return False
        if isinstance(item, str):
            same = folded(item)
            for element in container:
                if isinstance(element, str):
                    if element == item or folded(element) == same:
                        return True
                elif matches(item, element, frame):
                    return True
            return False
        if is_type(item):
            return any(is_instance(item, element) for element in container)
        return any(equals(element, item) for element in container)
    if isinstance(container, SemVerRange):
        return _version_matches(item, container)
    return False
