"""The tokens of L3, and the values of its strings and numbers.

The longest operator wins: ``<+>`` and ``+>`` before ``<`` and ``>``.  ``#`` begins a tag,
so it cannot begin a comment.
"""

from __future__ import annotations

import math
import re

from headwater.langs.l3 import codes
from headwater.report import Diagnostic
from headwater.text import ESCAPES, Cursor, Lexicon, Source, Span, Token, unescaped

MOST_DIGITS = 4000
"""Longer integers are refused: Python itself bounds the conversion of decimal digits."""

_NAME = r"[^\W\d][\w-]*"
_STRING = r'"(?:[^"\\\n]|\\[^\n])*"'

LEXICON = Lexicon(
    [
        ("blank", r"\s+"),
        ("line_comment", r"//[^\n]*"),
        ("comment", r"/\*.*?\*/"),
        ("open_comment", r"/\*.*"),
        ("name", _NAME),
        ("colon", r":"),
        ("string", _STRING),
        ("open_string", r'"[^\n]*'),
        ("number", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])"),
        ("bad_number", r"[+-]?\.?[0-9](?:[eE][+-]|[\w.])*"),
        ("comma", r","),
        ("compose", r"<\+>"),
        ("specialise", r"\+>"),
        ("above", r">"),
        ("below", r"<"),
        ("tag", r"\#" + _NAME),
        ("reference", rf"\$(?:{_NAME}|{_STRING})(?:\.(?:{_NAME}|{_STRING}))*"),
        ("open", r"\{"),
        ("close", r"\}"),
        ("left", r"\["),
        ("right", r"\]"),
        ("paren", r"\("),
        ("unparen", r"\)"),
    ],
    skip=("blank", "line_comment", "comment"),
)

_PART = re.compile(rf"{_NAME}|{_STRING}", re.DOTALL)
_ESCAPES = ESCAPES | {"/": "/"}


def tokens(source: Source) -> list[Token]:
    """The tokens of a source."""
    return LEXICON.tokens(source)


def lexer_errors(cursor: Cursor) -> list[Diagnostic]:
    """What is wrong with the tokens themselves."""
    errors: list[Diagnostic] = []
    last = -1
    for token in cursor.tokens:
        match token.kind:
            case "unknown":
                # A run of them (a binary file, say) is said once.
                if token.start != last:
                    errors.append(_unknown(cursor.span(token)))
                last = token.end
            case "open_string":
                at = Span(cursor.source, token.start, token.start + len(token.text.rstrip("\r")))
                errors.append(codes.UNTERMINATED_STRING.at(at))
            case "open_comment":
                at = Span(cursor.source, token.start, token.start + 2)
                errors.append(codes.UNTERMINATED_COMMENT.at(at))
            case "bad_number":
                errors.append(
                    codes.BAD_NUMBER.at(
                        cursor.span(token), text=token.text[:40], reason="write it as in JSON"
                    )
                )
    return errors


def _unknown(at: Span) -> Diagnostic:
    help = {
        "#": "# begins a tag, such as #default; comments begin with //",
        "$": "a reference is $name or $name.label",
        "=": "a label is followed by : and its value",
        ";": "members are parted by a comma or a new line",
        "'": 'strings stand between ", labels too',
    }.get(at.text)
    shown = repr(at.text) if at.text.isprintable() else ascii(at.text)
    return codes.UNKNOWN_CHARACTER.at(at, character=shown, help=help)


def string(at: Span, errors: list[Diagnostic]) -> str:
    """The text that a string literal stands for."""
    text, wrong = unescaped(at, _ESCAPES)
    errors += [codes.BAD_ESCAPE.at(escape, escape=escape.text) for escape in wrong]
    return text


def number(at: Span, errors: list[Diagnostic]) -> int | float:
    """The number that a literal stands for."""
    text = at.text
    if len(text) < 18 and text.isdecimal():
        return int(text)
    if not any(c in text for c in ".eE"):
        if len(text) > MOST_DIGITS:
            reason = f"more than {MOST_DIGITS} digits"
            errors.append(codes.BAD_NUMBER.at(at, text=text[:20] + "…", reason=reason))
            return 0
        return int(text)
    value = float(text)
    if math.isinf(value):
        errors.append(codes.BAD_NUMBER.at(at, text=text[:40], reason="it is too large"))
        return 0.0
    return value


def reference_path(at: Span, errors: list[Diagnostic]) -> tuple[str, ...]:
    """The labels of a reference ``$a."x y".c``."""
    found: list[str] = []
    for hit in _PART.finditer(at.source.text, at.start + 1, at.end):
        if hit[0][0] == '"':
            found.append(string(Span(at.source, hit.start(), hit.end()), errors))
        else:
            found.append(hit[0])
    return tuple(found)
