"""Ruby's ``Time#strftime``: directives with flags, widths and colons."""

from __future__ import annotations

import re

from headwater.langs.puppet.bytestrings import encoding_of, in_encoding
from headwater.langs.puppet.types.dates import DAYS, MONTHS, DateTime
from headwater.langs.puppet.types.refusals import TooWideTime
from headwater.text.patterns import LatePattern

_DIRECTIVE = LatePattern(r"%([-_0^#:]*)(\d*)([EO]?)(.)", re.DOTALL)
WIDTH_LIMIT = 65_535

_COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "v": "%e-%^b-%4Y",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
}


def strftime(spec: str, moment: DateTime) -> str:
    """The moment, by a format."""
    out: list[str] = []
    place = 0
    for found in _DIRECTIVE.finditer(spec):
        if found.start() < place:
            continue
        out.append(spec[place : found.start()])
        out.append(_directive(found, moment))
        place = found.end()
    out.append(spec[place:])
    return in_encoding("".join(out), encoding_of(spec))


def _directive(found: re.Match[str], t: DateTime) -> str:
    flags, digits, letter = found[1], found[2], found[4]
    width = int(digits) if digits else None
    if width is not None and width > WIDTH_LIMIT:
        raise TooWideTime(found[0])
    number = _number(letter, t)
    if number is not None:
        value, size, blank = number
        return _padded(value, size if width is None else width, flags, blank)
    text = _text(letter, t, flags, width)
    if text is None:
        return found[0]
    if "^" in flags:
        text = text.upper()
    elif "#" in flags:
        text = text.lower() if letter in "pZ" else text.upper()
    if width is not None and letter not in "NLz":
        return text.rjust(width, "0" if "0" in flags else " ")
    return text


def _padded(value: int, size: int, flags: str, blank: bool) -> str:
    if "-" in flags:
        return str(value)
    pad = " " if blank else "0"
    for flag in flags:
        if flag == "_":
            pad = " "
        elif flag == "0":
            pad = "0"
    if pad == "0" and value < 0:
        return "-" + str(-value).rjust(size - 1, "0")
    return str(value).rjust(size, pad)


def _number(letter: str, t: DateTime) -> tuple[int, int, bool] | None:
    """Value, usual width and whether blanks pad it."""
    match letter:
        case "Y":
            return t.year, 5 if t.year < 0 else 4, False
        case "C":
            return t.year // 100, 2, False
        case "y":
            return t.year % 100, 2, False
        case "m":
            return t.month, 2, False
        case "d":
            return t.day, 2, False
        case "e":
            return t.day, 2, True
        case "j":
            return t.yearday, 3, False
        case "H":
            return t.hour, 2, False
        case "k":
            return t.hour, 2, True
        case "I":
            return t.hour % 12 or 12, 2, False
        case "l":
            return t.hour % 12 or 12, 2, True
        case "M":
            return t.minute, 2, False
        case "S":
            return t.second, 2, False
        case "u":
            return t.weekday or 7, 1, False
        case "w":
            return t.weekday, 1, False
        case "s":
            return t.seconds, 1, False
        case "U":
            return (t.yearday + 6 - t.weekday) // 7, 2, False
        case "W":
            return (t.yearday + 6 - (t.weekday - 1) % 7) // 7, 2, False
        case "V":
            return iso_week(t)[1], 2, False
        case "G":
            year = iso_week(t)[0]
            return year, 5 if year < 0 else 4, False
        case "g":
            return iso_week(t)[0] % 100, 2, False
    return None


def iso_week(t: DateTime) -> tuple[int, int]:
    """Year and number of the week, which starts on Monday and belongs to its Thursday."""
    week = (t.yearday - (t.weekday or 7) + 10) // 7
    if week < 1:
        return t.year - 1, _weeks(t.year - 1)
    if week > _weeks(t.year):
        return t.year + 1, 1
    return t.year, week


def _weeks(year: int) -> int:
    def last(y: int) -> int:
        return (y + y // 4 - y // 100 + y // 400) % 7

    return 53 if last(year) == 4 or last(year - 1) == 3 else 52


def _text(letter: str, t: DateTime, flags: str, width: int | None) -> str | None:
    if letter in _COMPOSED:
        return strftime(_COMPOSED[letter], t)
    match letter:
        case "A":
            return DAYS[t.weekday]
        case "a":
            return DAYS[t.weekday][:3]
        case "B":
            return MONTHS[t.month - 1]
        case "b" | "h":
            return MONTHS[t.month - 1][:3]
        case "p":
            return "AM" if t.hour < 12 else "PM"
        case "P":
            return "am" if t.hour < 12 else "pm"
        case "L":
            return _fraction(t, width or 3)
        case "N":
            return _fraction(t, width or 9)
        case "z":
            return _zone(t, flags, width)
        case "Z":
            return "" if t.local else "UTC"
        case "n":
            return "\n"
        case "t":
            return "\t"
        case "%":
            return "%"
    return None


def _fraction(t: DateTime, width: int) -> str:
    return f"{t.nanosecond:09d}".ljust(width, "0")[:width]


def _zone(t: DateTime, flags: str, width: int | None) -> str:
    sign, offset = ("-", -t.offset) if t.offset < 0 else ("+", t.offset)
    hours, minutes, seconds = offset // 3600, offset // 60 % 60, offset % 60
    tail = (f"{minutes:02d}", f":{minutes:02d}", f":{minutes:02d}:{seconds:02d}")[
        min(flags.count(":"), 2)
    ]
    if "-" in flags:
        return f"{sign}{hours}{tail}"
    room = max(2, (width or 0) - len(tail) - 1)
    if "_" in flags:
        return f"{sign}{hours}".rjust(room + 1) + tail
    return f"{sign}{hours:0{room}d}{tail}"
