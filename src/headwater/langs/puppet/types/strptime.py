"""Ruby's ``Date._strptime``: the fields a text gives by a format."""

from __future__ import annotations

import re

import msgspec

from headwater.langs.puppet.types.dates import DAYS, MONTHS
from headwater.text.patterns import LatePattern

_DIRECTIVE = LatePattern(r"%[EO]?(:{0,3}.)", re.DOTALL)
_NUMERIC = tuple("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy")
_COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "v": "%e-%b-%Y",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
    "+": "%a %b %e %H:%M:%S %Z %Y",
}
_ZONE = LatePattern(
    r"(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?"
    r"|(?:[a-z.\s]+)(?:standard|daylight)\stime\b"
    r"|(?:[a-z]+)(?:\sdst)?\b",
    re.IGNORECASE | re.ASCII,
)


class Parsed(msgspec.Struct):
    """The fields a text gave; `leftover` is what the format did not consume."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    fraction: int = 0
    zone: str | None = None
    leftover: str = ""
    afternoon: bool | None = None
    century: int | None = None


def strptime(text: str, spec: str) -> Parsed | None:
    """The fields; None when the text does not follow the format."""
    parsed = Parsed()
    place = _parse(text, 0, spec, parsed)
    if place is None:
        return None
    parsed.leftover = text[place:]
    if parsed.afternoon is not None and parsed.hour is not None:
        parsed.hour = parsed.hour % 12 + (12 if parsed.afternoon else 0)
    if parsed.century is not None and parsed.year is not None:
        parsed.year += parsed.century * 100
    return parsed


def _parse(text: str, place: int, spec: str, out: Parsed) -> int | None:
    index = 0
    while index < len(spec):
        char = spec[index]
        if char.isspace():
            while place < len(text) and text[place].isspace():
                place += 1
            index += 1
            continue
        found = _DIRECTIVE.match(spec, index) if char == "%" else None
        if found is None:
            if text[place : place + 1] != char:
                return None
            place, index = place + 1, index + 1
            continue
        index = found.end()
        follows = spec[index : index + 1]
        number_next = follows.isdigit() or (
            follows == "%" and spec[index + 1 : index + 2] in _NUMERIC
        )  # fmt: skip
        moved = _field(text, place, found[1], out, number_next)
        if moved is None:
            return None
        place = moved
    return place


_NUMBERS: dict[str, tuple[str, int, int, int]] = {
    "m": ("month", 2, 1, 12),
    "d": ("day", 2, 1, 31),
    "e": ("day", 2, 1, 31),
    "H": ("hour", 2, 0, 24),
    "k": ("hour", 2, 0, 24),
    "I": ("hour", 2, 1, 12),
    "l": ("hour", 2, 1, 12),
    "M": ("minute", 2, 0, 59),
    "S": ("second", 2, 0, 60),
}
_IGNORED = {"j": 3, "u": 1, "w": 1, "U": 2, "W": 2, "V": 2, "g": 2, "G": 4}


def _field(text: str, place: int, letter: str, out: Parsed, number_next: bool) -> int | None:
    letter = letter.lstrip(":") if letter.strip(":") == "z" else letter
    if letter in _COMPOSED:
        return _parse(text, place, _COMPOSED[letter], out)
    if letter in _NUMBERS:
        name, width, low, high = _NUMBERS[letter]
        if letter in "dekl" and text[place : place + 1] == " ":
            place += 1
            width = 1
        found = re.compile(rf"\d{{1,{width}}}", re.ASCII).match(text, place)
        if found is None or not low <= int(found[0]) <= high:
            return None
        setattr(out, name, int(found[0]))
        return found.end()
    if letter in _IGNORED:
        found = re.compile(rf"[+-]?\d{{1,{_IGNORED[letter]}}}", re.ASCII).match(text, place)
        return None if found is None else found.end()
    return _special(text, place, letter, out, number_next)


def _special(text: str, place: int, letter: str, out: Parsed, number_next: bool) -> int | None:
    match letter:
        case "Y" | "C" | "y":
            width = ("4" if number_next else "") if letter == "Y" else "2"
            found = re.compile(rf"[+-]?\d{{1,{width}}}", re.ASCII).match(text, place)
            if found is None:
                return None
            value = int(found[0])
            if letter == "C":
                out.century = value
            elif letter == "y":
                out.year = value if out.century is not None else value + (
                    1900 if value >= 69 else 2000
                )  # fmt: skip
            else:
                out.year = value
            return found.end()
        case "L" | "N":
            width = ("3" if letter == "L" else "9") if number_next else ""
            found = re.compile(rf"[+-]?(\d{{1,{width}}})", re.ASCII).match(text, place)
            if found is None:
                return None
            fraction = int(found[1][:9].ljust(9, "0"))
            out.fraction = -fraction if found[0].startswith("-") else fraction
            return found.end()
        case "A" | "a":
            return _name(text, place, DAYS)[0]
        case "B" | "b" | "h":
            end, month = _name(text, place, MONTHS)
            out.month = month
            return end
        case "p" | "P":
            found = re.compile(r"([ap])(?:m\b|\.m\.)", re.IGNORECASE).match(text, place)
            if found is None:
                return None
            out.afternoon = found[1].lower() == "p"
            return found.end()
        case "z" | "Z":
            found = _ZONE.match(text, place)
            if found is None:
                return None
            out.zone = found[0]
            return found.end()
        case "s":
            return _epoch(text, place)
        case "n" | "t":
            while place < len(text) and text[place].isspace():
                place += 1
            return place
        case "%":
            return place + 1 if text[place : place + 1] == "%" else None
    literal = "%" + letter
    return place + len(literal) if text.startswith(literal, place) else None


def _name(text: str, place: int, names: tuple[str, ...]) -> tuple[int | None, int | None]:
    lowered = text[place:].lower()
    for index, name in enumerate(names, 1):
        for form in (name.lower(), name[:3].lower()):
            if lowered.startswith(form):
                return place + len(form), index
    return None, None


def _epoch(text: str, place: int) -> int | None:
    found = re.compile(r"-?\d+", re.ASCII).match(text, place)
    if found is None:
        return None
    # Ruby keeps the seconds in a field that Puppet does not read: the year stays unset.
    return found.end()
