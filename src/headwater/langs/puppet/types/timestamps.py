"""Timestamps: parsing and printing with Ruby's letters (`strptime`, `strftime`)."""

from __future__ import annotations

import time

from headwater.langs.puppet.types.dates import DateTime, days_from_civil, zone_offset
from headwater.langs.puppet.types.refusals import BadTime
from headwater.langs.puppet.types.strftime import strftime
from headwater.langs.puppet.types.strptime import Parsed, strptime
from headwater.langs.puppet.values import Timestamp
from headwater.text.reads import note_outside

SECOND = 1_000_000_000
WITHOUT_ZONE = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"]
WITH_ZONE = [f"{spec} %Z" for spec in WITHOUT_ZONE]
DEFAULTS = WITH_ZONE + WITHOUT_ZONE


def now() -> Timestamp:
    """This moment."""
    note_outside("the clock")
    return Timestamp(time.time_ns())


def timestamp_text(value: Timestamp) -> str:
    """A timestamp in the form Puppet prints it."""
    return strftime("%FT%T.%N %Z", DateTime.of(value.nanoseconds))


def format_timestamp(value: Timestamp, spec: str, zone: str | None = None) -> str:
    """A timestamp by a format, seen from a time zone."""
    if not zone:
        return strftime(spec, DateTime.of(value.nanoseconds))
    offset = seconds_of(zone)
    return strftime(spec, DateTime.of(value.nanoseconds, offset, local=True))


def seconds_of(zone: str) -> int:
    """The offset of a zone from UTC."""
    if zone.lower() == "current":
        note_outside("the time zone of the machine")
        return -time.timezone if time.localtime().tm_isdst == 0 else -time.altzone
    offset = zone_offset(zone)
    if offset is None:
        raise BadTime(f"Illegal timezone '{zone}'")
    return offset


def parse_timestamp(text: str, spec: list[str] | str | None, zone: str | None) -> Timestamp:
    """The time a text spells, by one format, by the first of several that fits, or by default."""
    has_zone = bool(zone)
    if spec is None:
        spec = WITHOUT_ZONE if has_zone else DEFAULTS
    parsed: Parsed | None = None
    if isinstance(spec, list):
        for item in spec:
            parsed = strptime(text, item)
            if parsed is not None and not (parsed.leftover or (has_zone and parsed.zone)):
                break
            parsed = None
        if parsed is None:
            raise BadTime(f"Unable to parse '{text}' using any of the formats {', '.join(spec)}")
    else:
        parsed = strptime(text, spec)
        if parsed is None or parsed.leftover:
            raise BadTime(f"Unable to parse '{text}' using format '{spec}'")
        if has_zone and parsed.zone:
            raise BadTime(
                "Using a Timezone designator in format specification is mutually exclusive to "
                "providing an explicit timezone argument"
            )
    if not has_zone:
        zone = parsed.zone
    seconds = _seconds(parsed)
    if zone:
        seconds -= seconds_of(zone)
    return Timestamp(seconds * SECOND + parsed.fraction)


def _seconds(parsed: Parsed) -> int:
    if parsed.year is None:
        raise BadTime("no implicit conversion of nil into Integer")
    month, day = parsed.month or 1, parsed.day or 1
    if not (1 <= month <= 12 and 1 <= day <= 31):
        raise BadTime("argument out of range")
    hour, minute, second = parsed.hour or 0, parsed.minute or 0, parsed.second or 0
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and (minute or second)):
        raise BadTime("argument out of range")
    days = days_from_civil(parsed.year, month, 1) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
