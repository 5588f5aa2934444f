"""The tokens of SmartFrog (Definition 1), and the values of strings and numbers.

Lexing departs from the paper's Haskell compiler where NOTES.md says so: floats, one set
of escapes, comments that do not nest, ``null`` besides ``NULL``.
"""

from __future__ import annotations

import math

from headwater.langs.smartfrog import codes
from headwater.report import Diagnostic
from headwater.text import ESCAPES, Lexicon, Source, Span, Token, unescaped

KEYWORDS = {
    "true": "true",
    "false": "false",
    "NULL": "null",
    "null": "null",
    "DATA": "data",
    "extends": "extends",
}

MOST_DIGITS = 3500
"""Longer integers are refused: Python itself bounds the conversion of decimal digits."""

_KINDS = [
    ("blank", r"\s+"),
    ("line_comment", r"//[^\n]*"),
    ("comment", r"/\*.*?\*/"),
    ("open_comment", r"/\*.*"),
    ("string", r'"(?:[^"\\\n]|\\[^\n])*"'),
    ("open_string", r'"[^\n]*'),
    (
        "number",
        r"(?:[+-]\s*)?(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.'])",
    ),
    ("bad_number", r"[+-]?[0-9][\w.']*"),
    ("word", r"[^\W\d][\w']*"),
    ("include", r"\#include\b"),
    ("open", r"\{"),
    ("close", r"\}"),
    ("left", r"\["),
    ("right", r"\]"),
    ("comma", r","),
    ("semicolon", r";"),
    ("colon", r":"),
]
_SKIP = ("blank", "line_comment", "comment")
_LEXICON = Lexicon(_KINDS, skip=_SKIP)
_EXTENDED = Lexicon([*_KINDS, ("less", "<")], skip=_SKIP)


WRONG = frozenset({"unknown", "open_string", "open_comment", "bad_number"})
"""The kinds of token that are errors in themselves."""


def tokens(source: Source, *, extended: bool = False) -> list[Token]:
    """The tokens of a source, keywords told from names."""
    found = (_EXTENDED if extended else _LEXICON).tokens(source)
    keyword = KEYWORDS.get
    return [
        token._replace(kind=keyword(token.text, "word")) if token.text in KEYWORDS else token
        for token in found
    ]


def lexer_errors(source: Source, found: list[Token]) -> list[Diagnostic]:
    """What is wrong with the tokens themselves."""
    errors: list[Diagnostic] = []
    last = -1
    for token in [token for token in found if token.kind in WRONG]:
        at = Span(source, token.start, token.end)
        match token.kind:
            case "unknown":
                # A run of them (a binary file, say) is said once.
                if token.start != last:
                    shown = repr(token.text) if token.text.isprintable() else ascii(token.text)
                    errors.append(codes.UNKNOWN_CHARACTER.at(at, character=shown))
                last = token.end
            case "open_string":
                at = Span(source, token.start, token.start + len(token.text.rstrip("\r")))
                errors.append(codes.UNTERMINATED_STRING.at(at))
            case "open_comment":
                at = Span(source, token.start, token.start + 2)
                errors.append(codes.UNTERMINATED_COMMENT.at(at))
            case "bad_number":
                reason = "a number has no suffix" if token.text[-1] != "." else "digits follow ."
                errors.append(codes.BAD_NUMBER.at(at, text=token.text[:40], reason=reason))
    return errors


def string(at: Span, errors: list[Diagnostic]) -> str:
    """The text that a string literal stands for."""
    text, wrong = unescaped(at, ESCAPES)
    errors += [codes.BAD_ESCAPE.at(escape, escape=escape.text) for escape in wrong]
    return text


def number(at: Span, errors: list[Diagnostic]) -> int | float:
    """The number that a literal stands for."""
    text = at.text
    if not text.isdigit():
        text = "".join(text.split())  # the sign may stand apart
    if len(text) > MOST_DIGITS:
        reason = f"more than {MOST_DIGITS} digits"
        errors.append(codes.BAD_NUMBER.at(at, text=text[:20] + "…", reason=reason))
        return 0
    if "x" in text or "X" in text:
        return int(text, 16)
    if not any(c in text for c in ".eE"):
        return int(text)
    value = float(text)
    if math.isinf(value):
        errors.append(codes.BAD_NUMBER.at(at, text=text[:40], reason="too large"))
        return 0.0
    return value
