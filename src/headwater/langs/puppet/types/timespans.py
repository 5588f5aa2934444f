"""Timespans: Puppet's own little format language, for printing and for parsing."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from headwater.langs.puppet.types.refusals import BadTimespan
from headwater.langs.puppet.types.regexps import escaped, search
from headwater.langs.puppet.values import Timespan

MICRO, MILLI, SECOND = 1_000, 1_000_000, 1_000_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
_UNITS = {"D": DAY, "H": HOUR, "M": MINUTE, "S": SECOND, "L": MILLI, "N": 1}
_WIDTHS = {"D": 1, "H": 2, "M": 2, "S": 2, "L": 3, "N": 9}
_CYCLES = {"H": 24, "M": 60, "S": 60, "L": 1000}
_ORDER = "NLSMHD"
WIDTH_LIMIT = 10_000
DEFAULTS = (
    "%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S",
    "%D-%H:%M", "%S",
)  # fmt: skip


class Segment(msgspec.Struct):
    """One directive of a format (`letter`), or text between two (`literal`)."""

    letter: str = ""
    literal: str = ""
    pad: str | None = "0"
    width: int | None = None
    total: bool = False
    """Whether it holds everything, not just what is left by larger units."""


@lru_cache(maxsize=256)
def segments(spec: str) -> tuple[Segment, ...]:
    """The parts of a format."""
    result: list[Segment] = []
    highest = -1
    state, start = "text", 0
    pad: str | None = "0"
    width: int | None = None
    for place, char in enumerate(spec):
        if state == "text":
            if char == "%":
                state, start, pad, width = "pad", place, "0", None
            else:
                _literal(result, char)
            continue
        if char == "%":
            _literal(result, char)
            state = "text"
        elif char in "-_":
            if state != "pad":
                raise _bad(spec, start, place)
            pad, state = (None if char == "-" else " "), "width"
        elif char in _UNITS:
            highest = max(highest, _ORDER.index(char)) if char != "D" else 5
            result.append(Segment(char, "", pad, width))
            state = "text"
        elif char.isascii() and char.isdigit():
            if state == "pad" and char == "0":
                pad = "0"
            else:
                width = int(char) if width is None else width * 10 + int(char)
                if width > WIDTH_LIMIT:
                    raise BadTimespan(f"a width beyond {WIDTH_LIMIT} in '{spec}'")
            state = "width"
        else:
            raise _bad(spec, start, place)
    if state != "text":
        raise _bad(spec, start, len(spec) - 1)
    if highest >= 0:
        next(item for item in result if item.letter == _ORDER[highest]).total = True
    return tuple(result)


def _literal(result: list[Segment], char: str) -> None:
    if result and not result[-1].letter:
        result[-1].literal += char
    else:
        result.append(Segment(literal=char))


def _bad(spec: str, start: int, place: int) -> BadTimespan:
    return BadTimespan(
        f"Bad format specifier '{spec[start:place]}' in '{spec}', at position {place}"
    )


def timespan_text(value: Timespan) -> str:
    """A timespan in the form Puppet prints it."""
    return format_timespan(value, DEFAULTS[0])


def format_timespan(value: Timespan, spec: str) -> str:
    """A timespan by a format."""
    out = ["-"] if value.nanoseconds < 0 else []
    total = abs(value.nanoseconds)
    for item in segments(spec):
        out.append(_shown(item, total) if item.letter else item.literal)
    return "".join(out)


def _shown(item: Segment, total: int) -> str:
    width = item.width if item.width is not None else _WIDTHS[item.letter]
    if item.letter == "N":
        if width < 9:
            number = total // 10 ** (9 - width)
            number = number if item.total else number % 10**width
        else:
            number = total if item.total else total % SECOND
    else:
        number = total // _UNITS[item.letter]
        if item.letter in _CYCLES and not item.total:
            number %= _CYCLES[item.letter]
    if item.letter in "LN":
        if not item.total and item.pad != "0":
            number = int(str(number).rstrip("0") or "0")
        return str(number) if item.pad is None else str(number).ljust(width)
    if item.pad is None:
        return str(number)
    return str(number).rjust(width, item.pad)


def parse_timespan(text: str, spec: list[str] | str | None = None) -> Timespan:
    """The timespan a text spells, by one format or by the first of several that fits."""
    if spec is None or isinstance(spec, list):
        choices = list(DEFAULTS) if spec is None else spec
        for item in choices:
            parts = segments(item)
            try:
                return _parsed(text, item, parts)
            except BadTimespan:
                continue
        raise BadTimespan(f"Unable to parse '{text}' using any of the formats {', '.join(choices)}")
    return _parsed(text, spec, segments(spec))


def _parsed(text: str, spec: str, parts: tuple[Segment, ...]) -> Timespan:
    refused = BadTimespan(f"Unable to parse '{text}' using format '{spec}'")
    found = search(r"\A-?" + "".join(_pattern(item) for item in parts) + r"\z", text)
    if found is None:
        raise refused
    total = 0
    for item, group in zip(parts, found.groups()[1:], strict=True):
        if not item.letter:
            continue
        assert group is not None
        digits = (group or "").lstrip()
        if not digits.isdigit():
            raise refused
        if item.letter in "LN":
            if item.total:
                raise BadTimespan(
                    "Format specifiers %L and %N denotes fractions and must be used together "
                    "with a specifier of higher magnitude"
                )
            total += int(digits) * 10 ** max(0, 9 - len(digits))
        else:
            total += int(digits) * _UNITS[item.letter]
    return Timespan(-total if text.startswith("-") else total)


def _pattern(item: Segment) -> str:
    if not item.letter:
        return f"({escaped(item.literal)})"
    usual = _WIDTHS[item.letter]
    blank = item.pad == " "
    if item.width is None:
        if item.total:
            return r"\s*([0-9]+)" if blank else "([0-9]+)"
        return f"([0-9{chr(92) + 's' if blank else ''}]{{1,{usual}}})"
    if item.pad is None:
        return f"([0-9]{{1,{item.width}}})"
    return f"([0-9{chr(92) + 's' if blank else ''}]{{{item.width}}})"
