"""Days and clock times as numbers, and as texts: what `Time` and `Date` have in common.

A day is the number of days since 1970-01-01 in the Gregorian calendar, which goes on backwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from headwater.langs.puppet.ruby.refusals import Beyond

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAY: Final = 86_400
JULIAN: Final = 2_440_588
"""The Julian day number of 1970-01-01."""


def is_leap(year: int) -> bool:
    """Whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_days(year: int, month: int) -> int:
    """How many days a month has."""
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def day_of(year: int, month: int, day: int) -> int:
    """The number of a day; counted in years that begin in March."""
    year -= month <= 2
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + of_year - 719_468


def date_of(number: int) -> tuple[int, int, int]:
    """The year, month and day of a number."""
    number += 719_468
    era, rest = divmod(number, 146_097)
    years = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    of_year = rest - (365 * years + years // 4 - years // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return era * 400 + years + (month <= 2), month, day


def weekday(number: int) -> int:
    """0 for a Sunday."""
    return (number + 4) % 7


def year_day(number: int) -> int:
    """1 for the first of January."""
    return number - day_of(date_of(number)[0], 1, 1) + 1


def week(number: int) -> tuple[int, int, int]:
    """The year, week and day of ISO 8601, whose weeks begin on Mondays."""
    thursday = number - (weekday(number) - 1) % 7 + 3
    year = date_of(thursday)[0]
    return year, (thursday - day_of(year, 1, 1)) // 7 + 1, weekday(number) or 7


def week_day(year: int, number: int, day: int) -> int:
    """The day of a week of ISO 8601."""
    fourth = day_of(year, 1, 4)
    return fourth - (weekday(fourth) - 1) % 7 + (number - 1) * 7 + day - 1


def weeks_of_year(year: int) -> int:
    """How many weeks of ISO 8601 a year has."""
    return week(day_of(year, 12, 28))[1]


@dataclass(frozen=True, slots=True)
class Clock:
    """A point in time as a clock somewhere shows it."""

    day: int
    second: int
    """Of the day."""
    part: Fraction
    """Of the second."""
    offset: int
    """Seconds east of Greenwich."""
    zone: str

    @property
    def epoch(self) -> int:
        return self.day * DAY + self.second - self.offset


def offset_text(offset: int, colons: int = 0) -> str:
    """``+0100``, ``+01:00``, ``+01:00:00``"""
    minutes, seconds = divmod(abs(offset), 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if offset < 0 else "+"
    mark = ":" if colons else ""
    tail = f":{seconds:02}" if colons == 2 else ""
    return f"{sign}{hours:02}{mark}{minutes:02}{tail}"


_DIRECTIVE: Final = re.compile(r"%([-0^#_:]*+)(\d*+)([A-Za-z%])")
_LONGEST: Final = 1024
_COMPOSED: Final = {
    "c": "%a %b %e %H:%M:%S %Y", "D": "%m/%d/%y", "x": "%m/%d/%y", "F": "%Y-%m-%d",
    "T": "%H:%M:%S", "X": "%H:%M:%S", "R": "%H:%M", "r": "%I:%M:%S %p", "v": "%e-%^b-%Y",
}  # fmt: skip
_NUMBERS: Final[dict[str, tuple[int, str, Callable[[Clock], int]]]] = {
    "C": (2, "0", lambda c: date_of(c.day)[0] // 100),
    "y": (2, "0", lambda c: date_of(c.day)[0] % 100),
    "m": (2, "0", lambda c: date_of(c.day)[1]),
    "d": (2, "0", lambda c: date_of(c.day)[2]),
    "e": (2, " ", lambda c: date_of(c.day)[2]),
    "j": (3, "0", lambda c: year_day(c.day)),
    "H": (2, "0", lambda c: c.second // 3600),
    "k": (2, " ", lambda c: c.second // 3600),
    "I": (2, "0", lambda c: (c.second // 3600 - 1) % 12 + 1),
    "l": (2, " ", lambda c: (c.second // 3600 - 1) % 12 + 1),
    "M": (2, "0", lambda c: c.second // 60 % 60),
    "S": (2, "0", lambda c: c.second % 60),
    "s": (1, "0", lambda c: c.epoch),
    "u": (1, "0", lambda c: weekday(c.day) or 7),
    "w": (1, "0", lambda c: weekday(c.day)),
    "g": (2, "0", lambda c: week(c.day)[0] % 100),
    "V": (2, "0", lambda c: week(c.day)[1]),
    "U": (2, "0", lambda c: (year_day(c.day) + 6 - weekday(c.day)) // 7),
    "W": (2, "0", lambda c: (year_day(c.day) + 6 - (weekday(c.day) - 1) % 7) // 7),
}


def shown(clock: Clock, form: str) -> str:
    """``strftime``"""
    return _DIRECTIVE.sub(lambda found: _directive(clock, found), form)


def _directive(clock: Clock, found: re.Match[str]) -> str:
    flags, width, letter = found.groups()
    least = int(width) if width else None
    if least is not None and least > _LONGEST:
        raise Beyond(f"strftime with a width of {least}")
    if ":" in flags and letter != "z":
        return found[0]
    pad = " " if "_" in flags else "0" if "0" in flags else None
    match letter:
        case "Y" | "G":
            year = date_of(clock.day)[0] if letter == "Y" else week(clock.day)[0]
            text = _padded(year, 5 if year < 0 else 4, least, pad or "0", "-" in flags)
        case "L" | "N":
            digits = least or (3 if letter == "L" else 9)
            text = str(clock.part * 10**digits // 1).rjust(digits, "0")
        case "z":
            text = offset_text(clock.offset, flags.count(":"))
            if least is not None and len(text) < least:
                text = text[0] + text[1:].rjust(least - 1, "0")
        case "%" | "n" | "t":
            text = {"%": "%", "n": "\n", "t": "\t"}[letter]
        case _ if letter in _NUMBERS:
            digits, usual, number = _NUMBERS[letter]
            text = _padded(number(clock), digits, least, pad or usual, "-" in flags)
        case _:
            named = _word(clock, letter, flags)
            if named is None:
                return found[0]
            text = named if least is None else named.rjust(least, "0" if pad == "0" else " ")
    return text.upper() if "^" in flags else text


def _padded(number: int, digits: int, least: int | None, pad: str, bare: bool) -> str:
    if bare:
        return str(number)
    if pad == " ":
        return str(number).rjust(least or digits)
    sign = "-" if number < 0 else ""
    return sign + str(abs(number)).rjust((least or digits) - len(sign), "0")


def _word(clock: Clock, letter: str, flags: str) -> str | None:
    changed = "#" in flags
    match letter:
        case "B" | "b" | "h":
            name = MONTHS[date_of(clock.day)[1] - 1]
            name = name if letter == "B" else name[:3]
        case "A" | "a":
            name = DAYS[weekday(clock.day)]
            name = name if letter == "A" else name[:3]
        case "p" | "P":
            name = "AM" if clock.second < DAY // 2 else "PM"
            return name.lower() if letter == "P" or changed else name
        case "Z":
            return clock.zone.lower() if changed else clock.zone
        case _ if letter in _COMPOSED:
            name = shown(clock, _COMPOSED[letter])
        case _:
            return None
    return name.upper() if changed else name


ZONES: Final = {"UTC": 0, "GMT": 0, "Z": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
                "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}  # fmt: skip
_OFFSET: Final = re.compile(r"([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?\Z")


def offset_of(text: str) -> int | None:
    """Seconds east of Greenwich of ``+01:00``, ``EST``; None for what is no zone."""
    hours = ZONES.get(text.upper())
    if hours is not None:
        return hours * 3600
    found = _OFFSET.match(text)
    if found is None:
        return None
    sign, *parts = found.groups()
    total = sum(int(part or 0) * unit for part, unit in zip(parts, (3600, 60, 1), strict=True))
    return -total if sign == "-" else total


@dataclass(slots=True)
class Read:
    """What a text says of a point in time."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int = 0
    minute: int = 0
    second: int = 0
    part: Fraction = Fraction(0)
    offset: int | None = None
    zone: str = ""


_FORMS: Final = (
    re.compile(
        r"(?P<Y>\d{4})[-/](?P<m>\d\d?)[-/](?P<d>\d\d?)"
        r"(?:(?:T|\s++)(?P<H>\d\d?):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<N>\d++))?)?\s*+"
        r"(?P<z>[A-Z]{1,3}|[+-]\d\d(?::?\d\d)?)?)?\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<Y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?:T(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)(?P<z>Z)?)?\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:[a-z]{3,9},?\s++)?(?P<d>\d\d?)[\s-](?P<b>[a-z]{3,9})[\s-](?P<Y>\d{4})"
        r"(?:\s++(?P<H>\d\d?):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<N>\d++))?)?\s*+"
        r"(?P<z>[A-Z]{1,3}|[+-]\d\d(?::?\d\d)?)?)?\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:[a-z]{3}\s++)?(?P<b>[a-z]{3})\s++(?P<d>\d\d?)\s++"
        r"(?P<H>\d\d?):(?P<M>\d\d):(?P<S>\d\d)\s++"
        r"(?:(?P<z>[A-Z]{1,3})\s++)?(?P<Y>\d{4})(?:\s++(?P<z2>GMT|UTC))?\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<b>[a-z]{3,9})\s++(?P<d>\d\d?)(?:st|nd|rd|th)?,?\s++(?P<Y>\d{4})\Z", re.IGNORECASE
    ),
)


def read(text: str, what: str) -> Read:
    """A text in one of the forms that are written everywhere; others are refused."""
    found = next((one for form in _FORMS if (one := form.match(text.strip()))), None)
    if found is None or _month(found.groupdict().get("b") or "jan") is None:
        raise Beyond(f"{what} of a text like {text!r}")
    said = {name: value for name, value in found.groupdict().items() if value is not None}
    result = Read(year=int(said["Y"]), day=int(said["d"]))
    result.month = int(said["m"]) if "m" in said else _month(said["b"])
    if "H" in said:
        result.hour, result.minute = int(said["H"]), int(said["M"])
        result.second = int(said.get("S", 0))
        digits = said.get("N", "0")
        result.part = Fraction(int(digits), 10 ** len(digits))
    zone = said.get("z", said.get("z2"))
    if zone is not None:
        result.offset, result.zone = offset_of(zone), zone.upper()
        if result.offset is None:
            raise Beyond(f"the time zone {zone}")
    return result


def _month(name: str) -> int | None:
    """The month of its name, or of the first three letters."""
    short = name.lower()
    found = (n for n, one in enumerate(MONTHS, 1) if short in (one.lower(), one[:3].lower()))
    return next(found, None)
