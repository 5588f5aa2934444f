"""Texts of Ruby as they are written: quotes, escapes, heredocs, regular expressions, numbers."""

from __future__ import annotations

import re
from typing import Final

from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable

ESCAPES: Final = {
    "n": "\n",
    "t": "\t",
    "s": " ",
    "r": "\r",
    "0": "\0",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "v": "\v",
    "f": "\f",
    "\n": "",
}

LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")

CLOSING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}


def escaped(text: str) -> str:
    """What an escape of a double-quoted text stands for (``\\n``, ``\\u00e9``, ``\\x41``)."""
    body = text[1:]
    if body[:1] == "u":
        digits = body[1:].strip("{}")
        return "".join(_character(code) for code in digits.split())
    if body[:1] == "x":
        return _byte(int(body[1:] or "0", 16))
    if body[:1].isdigit() and body[0] in "01234567":
        return _byte(int(body, 8) & 255)
    if body[:1] in ESCAPES:
        return ESCAPES[body[0]] + body[1:]
    return body


def _character(digits: str) -> str:
    """The character of a number."""
    code = int(digits, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,6}", digits) else 0x110000
    if code >= 0x110000 or 0xD800 <= code < 0xE000:
        raise Unreadable("invalid Unicode codepoint", 0)
    return chr(code)


def _byte(code: int) -> str:
    """A byte of a text; one that is no ASCII waits for its neighbours (see `joined`)."""
    return chr(code) if code < 128 else chr(0xDC00 + code)


def joined(text: str) -> str:
    """A text whose bytes, written one by one, are put together to characters."""
    if any("\udc80" <= char <= "\udcff" for char in text):
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return text


def single_quoted(text: str, opening: str, closing: str) -> str:
    """A text in single quotes: only the backslash and the quotes themselves are escaped."""
    if "\\" not in text:
        return text
    allowed = re.escape("\\" + opening + closing)
    return re.sub(rf"\\([{allowed}])", r"\1", text)


def is_raw(opening: str) -> bool:
    """Whether a text that opens so has neither escapes nor interpolation."""
    return opening == "'" or opening[:2] in ("%q", "%w", "%i", ":'")


def quotes(opening: str) -> tuple[str, str]:
    """The characters that open and close a text."""
    first = opening[-1]
    return first, CLOSING.get(first, first)


def dedent(parts: list[str | None]) -> list[str | None]:
    """The lines of ``<<~``: the indentation they share is taken off; None is an interpolation."""
    width: int | None = None
    fresh = True
    for index, part in enumerate(parts):
        if part is None:
            if fresh:
                width = 0
            fresh = False
            continue
        for piece in LINES.findall(part):
            if fresh:
                body = piece.lstrip(" \t")
                ends_here = not body and index + 1 < len(parts)
                if (body and body != "\n") or ends_here:
                    indent = _columns(piece[: len(piece) - len(body)])
                    width = indent if width is None else min(width, indent)
            fresh = piece.endswith("\n")
    if not width:
        return parts
    result: list[str | None] = []
    fresh = True
    for part in parts:
        if part is None:
            result.append(None)
            fresh = False
            continue
        pieces = []
        for piece in LINES.findall(part):
            pieces.append(_without(piece, width) if fresh else piece)
            fresh = piece.endswith("\n")
        result.append("".join(pieces))
    return result


def _columns(blanks: str) -> int:
    """How wide blanks are; a tab goes to the next multiple of eight."""
    width = 0
    for char in blanks:
        width = (width // 8 + 1) * 8 if char == "\t" else width + 1
    return width


def _without(line: str, width: int) -> str:
    """A line without so many columns of blanks."""
    column = 0
    for index, char in enumerate(line):
        if column >= width or char not in " \t":
            return line[index:]
        after = (column // 8 + 1) * 8 if char == "\t" else column + 1
        if after > width:
            return line[index:]
        column = after
    return ""


def integer(text: str) -> int:
    """A number as it is written: ``1_000``, ``0x1f``, ``0b1``, ``017``, ``0o17``."""
    plain = text.replace("_", "").lower()
    try:
        if plain.startswith("0d"):
            return int(plain[2:])
        if re.fullmatch(r"0[0-7]+", plain):
            return int(plain, 8)
        return int(plain, 0)
    except ValueError:
        if len(plain) > 4000:
            raise Beyond("a number with more than 4,000 digits") from None
        raise Unreadable(f"numeric literal without digits: {text}", 0) from None


def group_names(pattern: str) -> list[str]:
    """The names of the groups of a regular expression, in order."""
    return list(dict.fromkeys(re.findall(r"\(\?<([A-Za-z_]\w*)>", pattern)))
