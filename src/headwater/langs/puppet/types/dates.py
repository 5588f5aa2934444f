"""A moment broken into the fields of the calendar, and the names of time zones."""

from __future__ import annotations

import msgspec

from headwater.text.patterns import LatePattern

SECOND = 1_000_000_000
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_ZONES = {
    "utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2, "bst": 1, "wet": 0, "west": 1,
    "eet": 2, "eest": 3, "msk": 3, "jst": 9, "akst": -9, "akdt": -8, "hst": -10, "at": -2,
    "art": -3, "brt": -3, "brst": -2, "nzst": 12, "nzt": 12, "met": 1, "mest": 2, "mesz": 2,
    "mez": 1, "sgt": 8, "sst": -11, "sast": 2, "eat": 3, "bt": 3, "cct": 8, "east": 10,
    "gst": 10, "idle": 12, "idlw": -12, "nt": -11, "wat": 1, "yst": -9, "ydt": -8, "zp4": 4,
    "zp5": 5, "zp6": 6, "ahst": -10, "cat": -10, "hdt": -9, "adt": -3, "ast": -4, "clt": -4,
    "clst": -3, "fst": 2, "fwt": 1, "swt": 1, "sst2": 2, "eadt": 11, "wadt": 8, "wast": 7,
}  # fmt: skip
_HALVES = {"ist": 19800, "nst": -12600, "ndt": -9000}
_OFFSET = LatePattern(r"(?:gmt|utc)?([+-])(\d{1,2}):?(\d\d)?(?::?(\d\d))?\Z")


def zone_offset(name: str) -> int | None:
    """Seconds east of UTC, by name or by number; None for no zone."""
    text = name.strip().lower()
    if text in _ZONES:
        return _ZONES[text] * 3600
    if text in _HALVES:
        return _HALVES[text]
    if len(text) == 1 and text.isalpha() and text != "j":
        return _military(text) * 3600
    found = _OFFSET.match(text)
    if found is None:
        return None
    digits = int(found[2]) * 3600 + int(found[3] or 0) * 60 + int(found[4] or 0)
    return -digits if found[1] == "-" else digits


def _military(letter: str) -> int:
    place = ord(letter) - ord("a")
    if place < 9:
        return place + 1
    if place < 13:
        return place
    return 12 - place


class DateTime(msgspec.Struct, frozen=True):
    """A moment in a zone: fields of the calendar and of the clock."""

    seconds: int
    nanosecond: int
    offset: int
    local: bool
    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    weekday: int
    """0 is Sunday."""
    yearday: int
    """1 is the first of January."""

    @staticmethod
    def of(nanoseconds: int, offset: int = 0, local: bool = False) -> DateTime:
        """The fields of a moment, `offset` seconds east of UTC."""
        seconds, nano = divmod(nanoseconds, SECOND)
        days, rest = divmod(seconds + offset, 86400)
        year, month, day = civil(days)
        yearday = days - days_from_civil(year, 1, 1) + 1
        return DateTime(
            seconds, nano, offset, local, year, month, day, rest // 3600, rest // 60 % 60,
            rest % 60, (days + 4) % 7, yearday,
        )  # fmt: skip


def civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970-01-01 (any year)."""
    days += 719468
    era = days // 146097
    doe = days - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    year = yoe + era * 400 + (month <= 2)
    return year, month, doy - (153 * mp + 2) // 5 + 1


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 of a date (any year)."""
    year -= month <= 2
    era = year // 400
    yoe = year - era * 400
    doy = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    doe = yoe * 365 + yoe // 4 - yoe // 100 + doy
    return era * 146097 + doe - 719468
