"""``Date``: days of the Gregorian calendar.  Ruby counts those before 1582 by another one."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Final

from headwater.langs.puppet.ruby.classes import BUILTIN, COMPARABLE, OBJECT, OF_TYPE, define
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method, refuse, refuse_own
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib import calendar as cal
from headwater.langs.puppet.ruby.stdlib.times import TIME, Moment
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Native,
    Proc,
    RubyValue,
)

DATE: Final = define("Date", OBJECT)
DATE.included.append(COMPARABLE)
DATE_TIME: Final = define("DateTime", DATE)
"""Known by its name alone, which programs compare classes with."""
define("Date::Error", BUILTIN["ArgumentError"])
_FIRST: Final = cal.day_of(1582, 10, 15)


class Date(Native):
    """A day, by its number."""

    __slots__ = ("day",)

    def __init__(self, day: int) -> None:
        if day < _FIRST:
            raise Beyond("a date before 1582-10-15")
        self.day = day

    @property
    def parts(self) -> tuple[int, int, int]:
        """Its year, month and day."""
        return cal.date_of(self.day)

    def clock(self) -> cal.Clock:
        """Its midnight."""
        return cal.Clock(self.day, 0, Fraction(0), 0, "+00:00")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Date) and self.day == other.day

    def __hash__(self) -> int:
        return hash(self.day)


OF_TYPE[Date] = DATE


def _valid(year: int, month: int, day: int) -> int | None:
    """The number of a day; negative months and days count from the end."""
    month = month + 13 if month < 0 else month
    if not 1 <= month <= 12:
        return None
    length = cal.month_days(year, month)
    day = day + length + 1 if day < 0 else day
    return cal.day_of(year, month, day) if 1 <= day <= length else None


def _made(m: Machine, day: int | None) -> Date:
    if day is None:
        raise m.error("Date::Error", "invalid date")
    return Date(day)


def _whole(m: Machine, value: Given, usual: int, what: str = "day") -> int:
    if value is UNDEFINED:
        return usual
    if isinstance(value, bool) or not isinstance(value, int):
        if isinstance(value, float | Fraction):
            raise Beyond("a date with a part of a day")
        raise m.error("TypeError", f"invalid {what} (not numeric)")
    return value


@own_method(DATE, "new", "civil")
def new(
    m: Machine,
    self: RubyValue,
    year: Given = UNDEFINED,
    month: Given = UNDEFINED,
    day: Given = UNDEFINED,
) -> RubyValue:
    y, mon = _whole(m, year, -4712, "year"), _whole(m, month, 1, "month")
    return _made(m, _valid(y, mon, _whole(m, day, 1)))


@own_method(DATE, "valid_date?", "valid_civil?")
def valid(m: Machine, self: RubyValue, year: RubyValue, month: RubyValue, day: RubyValue) -> bool:
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return False
    return _valid(year, month, day) is not None


@own_method(DATE, "leap?", "gregorian_leap?")
def leap_year(m: Machine, self: RubyValue, year: RubyValue) -> bool:
    return cal.is_leap(to.integer(m, year))


@own_method(DATE, "jd")
def of_jd(m: Machine, self: RubyValue, number: Given = UNDEFINED) -> RubyValue:
    return Date(_whole(m, number, 0) - cal.JULIAN)


def _ordinal(year: int, day: int) -> int | None:
    length = 366 if cal.is_leap(year) else 365
    day = day + length + 1 if day < 0 else day
    return cal.day_of(year, 1, 1) + day - 1 if 1 <= day <= length else None


@own_method(DATE, "ordinal")
def of_ordinal(m: Machine, self: RubyValue, year: RubyValue, day: Given = UNDEFINED) -> RubyValue:
    return _made(m, _ordinal(_whole(m, year, 0, "year"), _whole(m, day, 1)))


@own_method(DATE, "valid_ordinal?")
def valid_ordinal(m: Machine, self: RubyValue, year: RubyValue, day: RubyValue) -> bool:
    return _ordinal(to.integer(m, year), to.integer(m, day)) is not None


def _commercial(year: int, week: int, day: int) -> int | None:
    weeks = cal.weeks_of_year(year)
    week = week + weeks + 1 if week < 0 else week
    day = day + 8 if day < 0 else day
    fits = 1 <= week <= weeks and 1 <= day <= 7
    return cal.week_day(year, week, day) if fits else None


@own_method(DATE, "commercial")
def of_week(
    m: Machine, self: RubyValue, year: RubyValue, week: Given = UNDEFINED, day: Given = UNDEFINED
) -> RubyValue:
    return _made(
        m, _commercial(_whole(m, year, 0, "year"), _whole(m, week, 1, "cweek"), _whole(m, day, 1))
    )


@own_method(DATE, "valid_commercial?")
def valid_week(
    m: Machine, self: RubyValue, year: RubyValue, week: RubyValue, day: RubyValue
) -> bool:
    found = _commercial(to.integer(m, year), to.integer(m, week), to.integer(m, day))
    return found is not None


@own_method(DATE, "parse", "iso8601", "xmlschema", "rfc3339", "httpdate", "rfc2822", "rfc822")
def parse(m: Machine, self: RubyValue, text: RubyValue, *how: RubyValue) -> RubyValue:
    said = cal.read(to.string(m, text), "Date.parse")
    assert said.year is not None
    assert said.month is not None
    assert said.day is not None
    return _made(m, _valid(said.year, said.month, said.day))


# -- what a day is -------------------------------------------------------------------------------


def _part(*names: str, of: Callable[[Date], RubyValue]) -> None:
    """What is told of a day."""

    def read(m: Machine, self: Date) -> RubyValue:
        return of(self)

    method(DATE, *names)(read)


def _falls_on(weekday: int, date: Date) -> bool:
    return cal.weekday(date.day) == weekday


_part("year", of=lambda d: d.parts[0])
_part("month", "mon", of=lambda d: d.parts[1])
_part("day", "mday", of=lambda d: d.parts[2])
_part("wday", of=lambda d: cal.weekday(d.day))
_part("yday", of=lambda d: cal.year_day(d.day))
_part("cwyear", of=lambda d: cal.week(d.day)[0])
_part("cweek", of=lambda d: cal.week(d.day)[1])
_part("cwday", of=lambda d: cal.week(d.day)[2])
_part("jd", of=lambda d: d.day + cal.JULIAN)
_part("mjd", of=lambda d: d.day + 40_587)
_part("ld", of=lambda d: d.day + 141_428)
_part("leap?", of=lambda d: cal.is_leap(d.parts[0]))
_part("gregorian?", of=lambda d: True)
_part("julian?", of=lambda d: False)
_part("to_date", "gregorian", of=lambda d: d)
for _index, _name in enumerate(cal.DAYS):
    _part(f"{_name.lower()}?", of=partial(_falls_on, _index))


@method(TIME, "to_date")
def date_of_time(m: Machine, self: Moment) -> RubyValue:
    return Date(self.clock().day)


# -- calculation ---------------------------------------------------------------------------------


def _count(m: Machine, value: RubyValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise m.error("TypeError", "expected numeric")
    if value.__class__ is float and not math.isfinite(value):
        raise m.error("FloatDomainError", to.infinite(value))
    if value != int(value):
        raise Beyond("a date with a part of a day")
    return int(value)


def _moved(date: Date, months: int) -> Date:
    """Months later; the last day of a shorter month."""
    year, month, day = date.parts
    year, month = divmod(year * 12 + month - 1 + months, 12)
    return Date(cal.day_of(year, month + 1, min(day, cal.month_days(year, month + 1))))


@method(DATE, "+")
def plus(m: Machine, self: Date, days: RubyValue) -> RubyValue:
    return Date(self.day + _count(m, days))


@method(DATE, "-")
def minus(m: Machine, self: Date, other: RubyValue) -> RubyValue:
    if isinstance(other, Date):
        return Fraction(self.day - other.day)
    return Date(self.day - _count(m, other))


@method(DATE, ">>")
def later(m: Machine, self: Date, months: RubyValue) -> RubyValue:
    return _moved(self, _count(m, months))


@method(DATE, "<<")
def earlier(m: Machine, self: Date, months: RubyValue) -> RubyValue:
    return _moved(self, -_count(m, months))


@method(DATE, "succ", "next")
def succ(m: Machine, self: Date) -> RubyValue:
    return Date(self.day + 1)


def _step(name: str, move: Callable[[Date, int], Date]) -> None:
    def go(m: Machine, self: Date, count: RubyValue = 1) -> RubyValue:
        return move(self, _count(m, count))

    method(DATE, name)(go)


_step("next_day", lambda d, n: Date(d.day + n))
_step("prev_day", lambda d, n: Date(d.day - n))
_step("next_month", _moved)
_step("prev_month", lambda d, n: _moved(d, -n))
_step("next_year", lambda d, n: _moved(d, 12 * n))
_step("prev_year", lambda d, n: _moved(d, -12 * n))


@method(DATE, "<=>")
def compare(m: Machine, self: Date, other: RubyValue) -> RubyValue:
    if isinstance(other, int | float | Fraction) and not isinstance(other, bool):
        raise Beyond("a date compared with a number")
    if not isinstance(other, Date):
        return None
    return (self.day > other.day) - (self.day < other.day)


@method(DATE, "===")
def same_day(m: Machine, self: Date, other: RubyValue) -> bool | None:
    if other.__class__ is Fraction:
        return False
    return bool(self == other) if isinstance(other, Date) or to.is_number(other) else None


@method(DATE, "eql?")
def same(m: Machine, self: Date, other: RubyValue) -> bool:
    return bool(self == other)


@method(DATE, "step")
def step(
    m: Machine, self: Date, limit: RubyValue, by: RubyValue = 1, block: Proc | None = None
) -> RubyValue:
    if block is None:
        return Enumerator(self, "step", [limit, by])
    count = _count(m, by)
    if count == 0:
        raise m.error("ArgumentError", "step can't be 0")
    if not isinstance(limit, Date):
        raise Beyond("Date#step to what is no date")
    for day in range(self.day, limit.day + (1 if count > 0 else -1), count):
        m.spend(1)
        block.one(Date(day))
    return self


@method(DATE, "upto")
def upto(m: Machine, self: Date, limit: RubyValue, block: Proc | None = None) -> RubyValue:
    return Enumerator(self, "upto", [limit]) if block is None else step(m, self, limit, 1, block)


@method(DATE, "downto")
def downto(m: Machine, self: Date, limit: RubyValue, block: Proc | None = None) -> RubyValue:
    return Enumerator(self, "downto", [limit]) if block is None else step(m, self, limit, -1, block)


# -- texts ---------------------------------------------------------------------------------------


def _form(*names: str, form: str) -> None:
    def write(m: Machine, self: Date) -> str:
        return cal.shown(self.clock(), form)

    method(DATE, *names)(write)


_form("to_s", "iso8601", "xmlschema", form="%Y-%m-%d")
_form("rfc3339", form="%Y-%m-%dT%H:%M:%S%:z")
_form("rfc2822", "rfc822", form="%a, %-d %b %Y %T %z")
_form("httpdate", form="%a, %d %b %Y %T GMT")
_form("ctime", "asctime", form="%c")


@method(DATE, "strftime")
def strftime(m: Machine, self: Date, form: Given = UNDEFINED) -> str:
    spelled = "%F" if form is UNDEFINED else to.string(m, form)
    if "%Q" in spelled or "%+" in spelled:
        raise Beyond("Date#strftime with %Q or %+")
    return cal.shown(self.clock(), spelled)


@method(DATE, "inspect")
def inspect(m: Machine, self: Date) -> str:
    text = cal.shown(self.clock(), "%F")
    return f"#<Date: {text} (({self.day + cal.JULIAN}j,0s,0n),+0s,2299161j)>"


_UNNEEDED: Final = "nobody needed it yet"
refuse(
    DATE_TIME, _UNNEEDED,
    "hour iso8601 jisx0301 min minute new_offset offset rfc3339 sec sec_fraction "
    "second second_fraction strftime to_date to_datetime to_s to_time xmlschema "
    "zone",
)  # fmt: skip
refuse_own(
    DATE_TIME, _UNNEEDED,
    "_strptime civil commercial httpdate iso8601 jd jisx0301 new now ordinal parse "
    "rfc2822 rfc3339 rfc822 strptime today xmlschema",
)  # fmt: skip
