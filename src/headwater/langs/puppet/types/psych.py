"""What a plain scalar of YAML means to Ruby's Psych.

Ruby has its own mind about ``1:30``, ``1,000``, ``yes``, ``:sym`` …
"""

from __future__ import annotations

import math
import re

from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

_WORDY = LatePattern(r"[^\d.:-]?[A-Za-z_\s!@#$%^&*(){}<>|/\\~;=\u0080-\U0010ffff]+")
_TIME = LatePattern(
    r"-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?"
    r"(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\Z"
)
_DATE = LatePattern(r"\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)\Z")
_SIXTY = LatePattern(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\Z")
_SIXTY_FLOAT = LatePattern(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*\Z")
_FLOAT = LatePattern(r"[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?\Z")
_INTEGER = LatePattern(
    r"(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)"
    r"|[-+]?0x[0-9a-fA-F_,]+)\Z"
)


MOST_DIGITS = 4_000
"""Characters of a number."""


class TooManyDigits(ValueError):
    """A number longer than the bound."""

    def __init__(self) -> None:
        super().__init__(f"a number of more than {MOST_DIGITS:,} digits")


class Sym(NamedTuple):
    """A symbol."""

    name: str


class Dated(NamedTuple):
    """A date or a time."""

    text: str


def plain(text: str) -> bool | int | float | str | Sym | Dated | None:
    """What a plain scalar means; raises `TooManyDigits`."""
    if not text:
        return None
    if _WORDY.match(text) or "\n" in text:
        if len(text) > 5:
            return text
        low = text.lower()
        if text == "~" or low == "null":
            return None
        if low in ("yes", "true", "on"):
            return True
        return False if low in ("no", "false", "off") else text
    if _TIME.match(text) or _DATE.match(text):
        return Dated(text)
    low = text.lower()
    if low in (".inf", "+.inf", "-.inf", ".nan"):
        return math.nan if low == ".nan" else -math.inf if low[0] == "-" else math.inf
    if len(text) > 1 and text[0] == ":":
        quoted = re.match(r""":(["'])(.*)\1""", text)
        return Sym(quoted[2].removeprefix(":") if quoted else text[1:])
    return _number(text)


def is_text(text: str) -> bool:
    """Whether a plain scalar means the text that it is."""
    try:
        return plain(text).__class__ is str
    except TooManyDigits:
        return False


def _number(text: str) -> int | float | str:
    if len(text) > MOST_DIGITS and (_INTEGER.match(text) or _SIXTY.match(text)):
        raise TooManyDigits
    if _SIXTY.match(text):
        return int(sum(_leading(n, int) * 60 ** abs(e - 2) for e, n in enumerate(text.split(":"))))
    if _SIXTY_FLOAT.match(text):
        return sum(_leading(n, float) * 60 ** abs(e - 2) for e, n in enumerate(text.split(":")))
    if _FLOAT.match(text):
        return text if text in (".", "+.", "-.") else float(re.sub(r"[,_]", "", text))
    if _INTEGER.match(text):
        digits = re.sub(r"[,_]", "", text)
        sign, body = (digits[0], digits[1:]) if digits[0] in "+-" else ("", digits)
        base = (
            16
            if body[:2] == "0x"
            else 2
            if body[:2] == "0b"
            else 8
            if (len(body) > 1 and body[0] == "0")
            else 10
        )
        return int(sign + body, base)
    return text


def _leading(text: str, kind: type[int | float]) -> float:
    """The number a text begins with, as Ruby's to_i and to_f read it."""
    found = re.match(r"[-+]?[0-9][0-9_]*(?:\.[0-9_]+)?", text)
    if found is None:
        return 0
    clean = found[0].replace("_", "")
    return int(clean.partition(".")[0]) if kind is int else float(clean)
