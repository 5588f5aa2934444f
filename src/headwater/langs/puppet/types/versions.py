"""Versions and ranges of versions, after semantic_puppet 1.0.

A range is a union of intervals; an interval includes its lower end unless `open_low`,
and its upper end unless `open_high`.  None stands for no upper end.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from headwater.langs.puppet.types.refusals import BadVersion
from headwater.langs.puppet.values import SemVer, SemVerRange
from headwater.text.patterns import LatePattern

PART = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = LatePattern(
    rf"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-({PART}))?(?:\+({PART}))?(?=\n?\Z)", re.ASCII
)
_XR = r"x|X|\*|0|[1-9][0-9]*"
_PARTIAL = rf"(?:{_XR})(?:\.(?:{_XR})(?:\.(?:{_XR})(?:-{PART})?(?:\+{PART})?)?)?"
_FIELDS = LatePattern(
    rf"({_XR})(?:\.({_XR})(?:\.({_XR})(?:-({PART}))?(?:\+({PART}))?)?)?\Z", re.ASCII
)
_SIMPLE = LatePattern(rf"([<>=~^]|<=|>=|~>|~=)?({_PARTIAL})\Z", re.ASCII)
_HYPHEN = LatePattern(rf"({_PARTIAL})\s+-\s+({_PARTIAL})\Z", re.ASCII)


class Interval(msgspec.Struct, frozen=True):
    """Versions from `low` to `high`."""

    low: SemVer
    high: SemVer | None = None
    open_low: bool = False
    open_high: bool = False
    everything: bool = False
    exact: bool = False
    """Whether it is one version, of which the build counts too."""

    def holds(self, version: SemVer) -> bool:
        if self.exact:
            return version == self.low
        low = compare(version, self.low)
        if low < 0 or (low == 0 and self.open_low):
            return False
        if self.high is None:
            return True
        high = compare(version, self.high)
        return high < 0 or (high == 0 and not self.open_high)

    def allows(self, version: SemVer) -> bool:
        """Whether a version before a release may be in it: only beside one that names it."""
        if self.everything or version.prerelease in (None, ()):
            return True
        core = (version.major, version.minor, version.patch)
        return any(
            end is not None
            and end.prerelease not in (None, ())
            and (end.major, end.minor, end.patch) == core
            for end in (self.low, self.high)
        )


LEAST = SemVer(0, 0, 0, ())
NOTHING = Interval(LEAST, LEAST, open_high=True)
EVERYTHING = Interval(LEAST, everything=True)


def compare(a: SemVer, b: SemVer) -> int:
    """-1, 0 or 1 as a comes before, with or after b."""
    for x, y in ((a.major, b.major), (a.minor, b.minor), (a.patch, b.patch)):
        if x != y:
            return -1 if x < y else 1
    if a.prerelease is None or b.prerelease is None:
        return (a.prerelease is None) - (b.prerelease is None)
    for p, q in zip(a.prerelease, b.prerelease, strict=False):
        if p == q and isinstance(p, int) == isinstance(q, int):
            continue
        if isinstance(p, int) != isinstance(q, int):
            return -1 if isinstance(p, int) else 1
        return -1 if p < q else 1  # type: ignore[operator]
    return (len(a.prerelease) > len(b.prerelease)) - (len(a.prerelease) < len(b.prerelease))


def version_text(value: SemVer) -> str:
    """A version as it is written."""
    text = f"{value.major}.{value.minor}.{value.patch}"
    if value.prerelease is not None:
        text += "-" + ".".join(str(part) for part in value.prerelease)
    if value.build is not None:
        text += "+" + ".".join(str(part) for part in value.build)
    return text


def parse_version(text: str) -> SemVer:
    """The version a text spells."""
    found = VERSION.match(text)
    if found is None:
        raise BadVersion(f"Unable to parse '{text}' as a semantic version identifier")
    major, minor, patch, pre, build = found.groups()
    return SemVer(int(major), int(minor), int(patch), _pre(pre), _build(build))


def _pre(text: str | None) -> tuple[str | int, ...] | None:
    if text is None:
        return None
    parts: list[str | int] = []
    for part in text.split("."):
        if part.isdigit():
            if len(part) > 1 and part[0] == "0":
                raise BadVersion("Numeric pre-release identifiers MUST NOT contain leading zeroes")
            parts.append(int(part))
        else:
            parts.append(part)
    return tuple(parts)


def _build(text: str | None) -> tuple[str | int, ...] | None:
    return None if text is None else tuple(text.split("."))


@lru_cache(maxsize=512)
def intervals(text: str) -> tuple[Interval, ...]:
    """The intervals of a range."""
    spelled = re.sub(r"([><=~^])(?:\s+|\s*v)", r"\1", text)
    choices = spelled.split("||")
    choices[:-1] = [choice.rstrip() for choice in choices[:-1]]
    choices[1:] = [choice.lstrip() for choice in choices[1:]]
    while choices and choices[-1] == "":
        choices.pop()
    if not choices:
        return (EVERYTHING,)
    found = [_choice(choice, text) for choice in choices]
    kept = [item for item in dict.fromkeys(found) if item is not None]
    return tuple(_merged(kept)) or (NOTHING,)


def _choice(text: str, whole: str) -> Interval | None:
    hyphen = _HYPHEN.match(text)
    if hyphen is not None:
        return _both(Interval(_fill(hyphen[1])), Interval(LEAST, _fill(hyphen[2])))
    result: Interval | None = None
    for index, simple in enumerate(_words(text)):
        found = _SIMPLE.match(simple)
        if found is None:
            raise BadVersion(f'Unparsable version range: "{whole}"')
        one = _one(found[1], found[2])
        result = one if index == 0 else _both(result, one)
    return result


def _words(text: str) -> list[str]:
    words = re.split(r"\s+", text)
    while len(words) > 1 and not words[-1]:
        words.pop()
    return words


def _fields(text: str) -> tuple[Any, ...]:
    found = _FIELDS.match(text)
    if found is None:
        raise BadVersion(f'Unparsable version range: "{text}"')

    def digit(part: str | None) -> int | None:
        return None if part in (None, "x", "X", "*") else int(part)

    return digit(found[1]), digit(found[2]), digit(found[3]), _pre(found[4]), _build(found[5])


def _fill(text: str) -> SemVer:
    major, minor, patch, pre, build = _fields(text)
    return SemVer(major or 0, minor or 0, patch or 0, pre, build)


def _one(operator: str | None, text: str) -> Interval:
    major, minor, patch, pre, build = _fields(text)
    match operator:
        case ">=":
            return Interval(_fill(text))
        case "<":
            return Interval(LEAST, _fill(text), open_high=True)
        case ">":
            if major is None:
                return NOTHING
            if minor is None:
                return Interval(SemVer(major + 1, 0, 0))
            if patch is None:
                return Interval(SemVer(major, minor + 1, 0))
            return Interval(SemVer(major, minor, patch, pre, build), open_low=True)
        case "<=":
            if major is None:
                return EVERYTHING
            if minor is None:
                return Interval(LEAST, SemVer(major + 1, 0, 0), open_high=True)
            if patch is None:
                return Interval(LEAST, SemVer(major, minor + 1, 0), open_high=True)
            return Interval(LEAST, SemVer(major, minor, patch, pre, build))
    if major is None:
        return EVERYTHING
    low = SemVer(major, minor or 0, patch or 0, pre, build)
    if minor is None or (operator == "^" and major > 0):
        return Interval(low, SemVer(major + 1, 0, 0), open_high=True)
    if patch is None:
        return Interval(SemVer(major, minor, 0), SemVer(major, minor + 1, 0), open_high=True)
    if operator in (None, "="):
        return Interval(low, low, exact=True)
    return Interval(low, SemVer(major, minor + 1, 0), open_high=True)


def _both(a: Interval | None, b: Interval | None) -> Interval | None:
    """What lies in both."""
    if a is None or b is None:
        return None
    if a.everything:
        return b
    if b.everything:
        return a
    order = compare(a.low, b.low)
    low, open_low = (b.low, b.open_low) if order < 0 else (a.low, a.open_low)
    if order == 0:
        open_low = a.open_low or b.open_low
    high, open_high = a.high, a.open_high
    if high is None or (b.high is not None and compare(b.high, high) < 0):
        high, open_high = b.high, b.open_high
    elif b.high is not None and compare(b.high, high) == 0:
        open_high = a.open_high or b.open_high
    if high is not None:
        order = compare(low, high)
        if order > 0 or (order == 0 and (open_low or open_high)):
            return None
    return Interval(low, high, open_low, open_high)


def _merged(items: list[Interval]) -> list[Interval]:
    """Intervals that overlap or touch, joined."""
    changed = True
    while len(items) > 1 and changed:
        changed = False
        result: list[Interval] = []
        while items:
            memo = items.pop()
            rest: list[Interval] = []
            for item in items:
                joined = _joined(memo, item)
                if joined is None:
                    rest.append(item)
                else:
                    memo, changed = joined, True
            result.append(memo)
            items = rest
        items = result[::-1]
    return items


def _joined(a: Interval, b: Interval) -> Interval | None:
    if a.everything or b.everything:
        return EVERYTHING
    touching = (
        a.holds(b.low)
        or b.holds(a.low)
        or (a.high is not None and a.high == b.low and not (a.open_high and b.open_low))
        or (b.high is not None and b.high == a.low and not (b.open_high and a.open_low))
    )
    if not touching:
        return None
    order = compare(a.low, b.low)
    first = a if order < 0 else b
    open_low = a.open_low and b.open_low if order == 0 else first.open_low
    if a.high is None or b.high is None:
        return Interval(first.low, None, open_low)
    order = compare(a.high, b.high)
    last = a if order > 0 else b
    open_high = a.open_high and b.open_high if order == 0 else last.open_high
    return Interval(first.low, last.high, open_low, open_high)


def in_range(range_: SemVerRange, version: SemVer) -> bool:
    """Whether the range includes the version."""
    return any(item.holds(version) and item.allows(version) for item in intervals(range_.text))


def _span(range_: SemVerRange) -> Interval | None:
    items = intervals(range_.text)
    return items[0] if len(items) == 1 else None


def covered_by(a: SemVerRange, b: SemVerRange) -> bool:
    """Whether `a` lies within `b`; only single intervals are compared, as Puppet does."""
    inner, outer = _span(a), _span(b)
    if inner is None or outer is None:
        return a.text == b.text
    if compare(outer.low, inner.low) > 0:
        return False
    if outer.high is None:
        return True
    if inner.high is None:
        return False
    order = compare(outer.high, inner.high)
    return order > 0 or (order == 0 and (not outer.open_high or inner.open_high))


def merged(ranges: list[SemVerRange]) -> tuple[SemVerRange, ...]:
    """The ranges of a type: those that meet are joined."""
    if len(ranges) < 2:
        return tuple(ranges)
    rest = list(ranges)
    result: list[SemVerRange] = []
    while rest:
        memo = rest.pop()
        unmerged: list[SemVerRange] = []
        for item in rest:
            a, b = _span(memo), _span(item)
            joined = None if a is None or b is None else _joined(a, b)
            if joined is None:
                unmerged.append(item)
            else:
                memo = SemVerRange(interval_text(joined))
        result.append(memo)
        rest = unmerged
    return tuple(result[::-1])


def interval_text(item: Interval) -> str:
    """An interval in words that read back as the same."""
    low = (">" if item.open_low else ">=") + version_text(item.low)
    if item.high is None:
        return low
    return f"{low} {'<' if item.open_high else '<='}{version_text(item.high)}"
