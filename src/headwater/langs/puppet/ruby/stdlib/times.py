"""``Time``: points in time that are given.  The clock is not read, nor the machine's time zone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import COMPARABLE, OBJECT, OF_TYPE, define
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib import calendar as cal
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Native,
    RubyValue,
    Text,
    symbol,
)

TIME: Final = define("Time", OBJECT)
TIME.included.append(COMPARABLE)
HERE: Final = "Time in the zone of the machine"
_IN: Final = symbol("in")
_UNITS: Final = {"millisecond": 1000, "usec": 10**6, "microsecond": 10**6, "nsec": 10**9,
                 "nanosecond": 10**9}  # fmt: skip


class Moment(Native):
    """A point in time, and the zone in which its clock is read."""

    __slots__ = ("offset", "seconds", "utc")

    def __init__(self, seconds: Fraction, offset: int | None, utc: bool = False) -> None:
        self.seconds = seconds
        """Since 1970."""
        self.offset = offset
        """Seconds east of Greenwich; None in the zone of the machine."""
        self.utc = utc

    def clock(self) -> cal.Clock:
        """What a clock shows there."""
        if self.offset is None:
            raise Beyond(HERE)
        whole = self.seconds // 1
        day, second = divmod(whole + self.offset, cal.DAY)
        return cal.Clock(day, second, self.seconds - whole, self.offset, "UTC" if self.utc else "")

    def at(self, seconds: Fraction) -> Moment:
        """Another point, seen from the same zone."""
        return Moment(seconds, self.offset, self.utc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.seconds == other.seconds

    def __hash__(self) -> int:
        return hash(self.seconds)


OF_TYPE[Moment] = TIME


def _number(m: Machine, value: RubyValue) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into an exact number")
    if value.__class__ is float and not math.isfinite(value):
        raise m.error("FloatDomainError", to.infinite(value))
    return Fraction(value)


def _split(args: tuple[RubyValue, ...]) -> tuple[list[Any], RubyValue]:
    """The arguments, and what ``in:`` says."""
    if args and isinstance(args[-1], Hash):
        return list(args[:-1]), args[-1].get(_IN)
    return list(args), None


def _zone(m: Machine, zone: Given) -> tuple[int | None, bool]:
    if zone is None or zone is UNDEFINED:
        return None, False
    if isinstance(zone, int):
        return zone, False
    text = to.string(m, zone)
    if text in ("UTC", "Z"):
        return 0, True
    offset = cal.offset_of(text) if text[:1] in "+-" and len(text) >= 6 and ":" in text else None
    if offset is None:
        if len(text) == 1 and text in "ABCDEFGHIKLMNOPQRSTUVWXY":
            raise Beyond("a time zone of one letter")
        message = f'"+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: {text}'
        raise m.error("ArgumentError", message)
    return offset, text == "-00:00"


@own_method(TIME, "at")
def at(m: Machine, self: RubyValue, seconds: RubyValue, *more: RubyValue) -> RubyValue:
    parts, zone = _split(more)
    offset, utc = _zone(m, zone)
    if isinstance(seconds, Moment):
        return Moment(seconds.seconds, seconds.offset if zone is None else offset, seconds.utc)
    whole = _number(m, seconds)
    if parts:
        unit = "microsecond" if len(parts) < 2 else to.name_of(m, parts[1])
        if unit not in _UNITS:
            raise m.error("ArgumentError", f"unexpected unit: {unit}")
        whole += _number(m, parts[0]) / _UNITS[unit]
    return Moment(whole, offset, utc)


def _civil(m: Machine, parts: list[Any], offset: int, utc: bool) -> Moment:
    """A point by the calendar; a day that the month has not is one of the next."""
    given = [*parts, *[None] * (7 - len(parts))]
    year = _field(m, given[0])
    month = _month(m, given[1])
    day, hour, minute = (
        _field(m, one, usual) for one, usual in zip(given[2:5], (1, 0, 0), strict=True)
    )
    second = _seconds(m, given[5]) + (_number(m, given[6]) / 10**6 if given[6] is not None else 0)
    late = hour == 24 and (minute or second)
    for name, good in (
        ("argument", 1 <= day <= 31 and not late),
        ("hour", 0 <= hour <= 24),
        ("min", 0 <= minute < 60),
        ("sec", 0 <= second < 61),
    ):
        if not good:
            raise m.error("ArgumentError", f"{name} out of range")
    number = cal.day_of(year, month, 1) + day - 1
    return Moment(number * cal.DAY + hour * 3600 + minute * 60 + second - offset, offset, utc)


def _field(m: Machine, value: RubyValue, usual: int = 0) -> int:
    if value is None:
        return usual
    if to.is_string(value):
        text = to.string(m, value).strip()
        if _WHOLE.fullmatch(text) is None:
            raise m.error("ArgumentError", f"invalid value for Integer(): {m.inspect(value)}")
        return int(text)
    return to.integer(m, value)


_WHOLE = re.compile(r"-?[0-9]++(?>(?:_[0-9]++)*)")
"""A whole number as ``Integer()`` reads it, in tens."""


def _month(m: Machine, value: RubyValue) -> int:
    if to.is_string(value):
        name = to.string(m, value).lower()
        found = [n for n, one in enumerate(cal.MONTHS, 1) if one[:3].lower() == name]
        if found:
            return found[0]
    month = _field(m, value, 1)
    if not 1 <= month <= 12:
        raise m.error("ArgumentError", "mon out of range")
    return month


def _seconds(m: Machine, value: RubyValue) -> Fraction:
    if value is None:
        return Fraction(0)
    if to.is_string(value):
        return Fraction(_field(m, value))
    return _number(m, value)


@own_method(TIME, "utc", "gm")
def utc_of(m: Machine, self: RubyValue, year: RubyValue, *more: RubyValue) -> RubyValue:
    if len(more) > 6:
        raise Beyond("Time.utc with ten arguments")
    return _civil(m, [year, *more], 0, True)


@own_method(TIME, "new")
def new(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    parts, zone = _split(args)
    if not parts:
        raise Beyond("the clock (Time.now)")
    if len(parts) > 7:
        raise m.wrong_count(len(parts), 0, 7)
    if len(parts) == 7:
        zone = parts.pop()
    offset, utc = _zone(m, zone)
    if offset is None:
        raise Beyond(HERE)
    return _civil(m, parts, offset, utc)


@own_method(TIME, "local", "mktime")
def local(m: Machine, self: RubyValue, *args: RubyValue) -> RubyValue:
    raise Beyond(HERE)


def _told(m: Machine, said: cal.Read) -> Moment:
    if said.offset is None:
        raise Beyond(HERE)
    utc = said.zone in ("Z", "UTC", "GMT", "UT", "-00:00")
    parts = [said.year, said.month, said.day, said.hour, said.minute, said.second + said.part]
    return _civil(m, parts, said.offset, utc)


@own_method(TIME, "parse")
def parse(m: Machine, self: RubyValue, text: RubyValue, now: Given = UNDEFINED) -> RubyValue:
    return _told(m, cal.read(to.string(m, text), "Time.parse"))


@own_method(TIME, "iso8601", "xmlschema")
def from_iso8601(m: Machine, self: RubyValue, text: RubyValue) -> RubyValue:
    spelled = to.string(m, text)
    try:
        said = cal.read(spelled, "Time.iso8601")
    except Beyond:
        said = None
    if said is None or "T" not in spelled or "/" in spelled:
        raise m.error("ArgumentError", f"invalid xmlschema format: {m.inspect(Text(spelled))}")
    return _told(m, said)


@own_method(TIME, "httpdate", "rfc2822", "rfc822")
def from_mail(m: Machine, self: RubyValue, text: RubyValue) -> RubyValue:
    return _told(m, cal.read(to.string(m, text), "Time.rfc2822"))


# -- what a point is -----------------------------------------------------------------------------


def _part(*names: str, of: Callable[[cal.Clock], int]) -> None:
    """A number that the clock shows."""

    def read(m: Machine, self: Moment) -> RubyValue:
        return of(self.clock())

    method(TIME, *names)(read)


def _falls_on(weekday: int, clock: cal.Clock) -> bool:
    return cal.weekday(clock.day) == weekday


_part("year", of=lambda c: cal.date_of(c.day)[0])
_part("month", "mon", of=lambda c: cal.date_of(c.day)[1])
_part("day", "mday", of=lambda c: cal.date_of(c.day)[2])
_part("hour", of=lambda c: c.second // 3600)
_part("min", of=lambda c: c.second // 60 % 60)
_part("sec", of=lambda c: c.second % 60)
_part("wday", of=lambda c: cal.weekday(c.day))
_part("yday", of=lambda c: cal.year_day(c.day))
_part("utc_offset", "gmt_offset", "gmtoff", of=lambda c: c.offset)
_part("dst?", "isdst", of=lambda c: False)
for _index, _name in enumerate(cal.DAYS):
    _part(f"{_name.lower()}?", of=partial(_falls_on, _index))


@method(TIME, "zone")
def zone(m: Machine, self: Moment) -> str | None:
    return self.clock().zone or None


@method(TIME, "utc?", "gmt?")
def is_utc(m: Machine, self: Moment) -> bool:
    return self.utc


@method(TIME, "to_i", "tv_sec")
def to_i(m: Machine, self: Moment) -> int:
    return self.seconds // 1


@method(TIME, "to_f")
def to_f(m: Machine, self: Moment) -> float:
    nanoseconds = self.seconds * 10**9
    if nanoseconds.denominator == 1 and self.seconds.denominator != 1:
        return float(nanoseconds) / 1e9  # as Ruby divides, which is not exact
    return float(self.seconds)


@method(TIME, "to_r")
def to_r(m: Machine, self: Moment) -> RubyValue:
    return self.seconds


@method(TIME, "nsec", "tv_nsec")
def nsec(m: Machine, self: Moment) -> int:
    return self.seconds % 1 * 10**9 // 1


@method(TIME, "usec", "tv_usec")
def usec(m: Machine, self: Moment) -> int:
    return self.seconds % 1 * 10**6 // 1


@method(TIME, "subsec")
def subsec(m: Machine, self: Moment) -> RubyValue:
    part = self.seconds % 1
    return 0 if part == 0 else part


@method(TIME, "to_a")
def to_a(m: Machine, self: Moment) -> RubyValue:
    c = self.clock()
    year, month, day = cal.date_of(c.day)
    name = Text(c.zone) if c.zone else None
    return [c.second % 60, c.second // 60 % 60, c.second // 3600, day, month, year,
            cal.weekday(c.day), cal.year_day(c.day), False, name]  # fmt: skip


@method(TIME, "to_time")
def to_time(m: Machine, self: Moment) -> RubyValue:
    return self


# -- calculation ---------------------------------------------------------------------------------


@method(TIME, "+")
def plus(m: Machine, self: Moment, other: RubyValue) -> RubyValue:
    if isinstance(other, Moment):
        raise m.error("TypeError", "time + time?")
    return self.at(self.seconds + _number(m, other))


@method(TIME, "-")
def minus(m: Machine, self: Moment, other: RubyValue) -> RubyValue:
    if isinstance(other, Moment):
        return float(self.seconds - other.seconds)
    return self.at(self.seconds - _number(m, other))


@method(TIME, "<=>")
def compare(m: Machine, self: Moment, other: RubyValue) -> RubyValue:
    if not isinstance(other, Moment):
        return None
    return (self.seconds > other.seconds) - (self.seconds < other.seconds)


@method(TIME, "eql?")
def eql(m: Machine, self: Moment, other: RubyValue) -> bool:
    return bool(self == other)


def _rounded(m: Machine, self: Moment, digits: Given, how: Callable[[Fraction], int]) -> Moment:
    digits = 0 if digits is UNDEFINED or digits is None else to.integer(m, digits)
    if digits < 0:
        raise m.error("ArgumentError", "negative ndigits given")
    return self.at(Fraction(how(self.seconds * 10**digits), 10**digits))


@method(TIME, "round")
def round_(m: Machine, self: Moment, digits: Given = UNDEFINED) -> RubyValue:
    return _rounded(m, self, digits, lambda n: (n + Fraction(1, 2)) // 1)


@method(TIME, "floor")
def floor(m: Machine, self: Moment, digits: Given = UNDEFINED) -> RubyValue:
    return _rounded(m, self, digits, lambda n: n // 1)


@method(TIME, "ceil")
def ceil(m: Machine, self: Moment, digits: Given = UNDEFINED) -> RubyValue:
    return _rounded(m, self, digits, lambda n: -(-n // 1))


@method(TIME, "utc", "gmtime")
def utc(m: Machine, self: Moment) -> RubyValue:
    self.offset, self.utc = 0, True
    return self


@method(TIME, "getutc", "getgm")
def getutc(m: Machine, self: Moment) -> RubyValue:
    return Moment(self.seconds, 0, True)


@method(TIME, "localtime")
def localtime(m: Machine, self: Moment, zone: Given = UNDEFINED) -> RubyValue:
    self.offset, self.utc = _zone(m, zone)
    return self


@method(TIME, "getlocal")
def getlocal(m: Machine, self: Moment, zone: Given = UNDEFINED) -> RubyValue:
    return Moment(self.seconds, *_zone(m, zone))


# -- texts ---------------------------------------------------------------------------------------


@method(TIME, "strftime")
def strftime(m: Machine, self: Moment, form: RubyValue) -> str:
    return cal.shown(self.clock(), to.string(m, form))


def _form(*names: str, form: str) -> None:
    def write(m: Machine, self: Moment) -> str:
        return cal.shown(self.clock(), form)

    method(TIME, *names)(write)


_form("ctime", "asctime", form="%c")


@method(TIME, "httpdate")
def httpdate(m: Machine, self: Moment) -> str:
    return cal.shown(Moment(self.seconds, 0, True).clock(), "%a, %d %b %Y %H:%M:%S GMT")


@method(TIME, "rfc2822", "rfc822")
def rfc2822(m: Machine, self: Moment) -> str:
    return cal.shown(self.clock(), "%a, %d %b %Y %T " + ("-0000" if self.utc else "%z"))


@method(TIME, "iso8601", "xmlschema")
def iso8601(m: Machine, self: Moment, digits: RubyValue = 0) -> str:
    digits = to.integer(m, m.send(digits, "to_i", []))
    part = f".%{digits}N" if digits > 0 else ""
    return cal.shown(self.clock(), f"%FT%T{part}" + ("Z" if self.utc else "%:z"))


@method(TIME, "to_s")
def to_s(m: Machine, self: Moment) -> str:
    return cal.shown(self.clock(), "%F %T UTC" if self.utc else "%F %T %z")


@method(TIME, "inspect")
def inspect(m: Machine, self: Moment) -> str:
    part = self.seconds % 1
    if part * 10**9 % 1:
        raise Beyond("the text of a time that is finer than nanoseconds")
    digits = cal.shown(self.clock(), "%N").rstrip("0")
    tail = " UTC" if self.utc else " %z"
    return cal.shown(self.clock(), "%F %T" + (f".{digits}" if digits else "") + tail)
