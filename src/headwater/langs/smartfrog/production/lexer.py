"""The tokens of production SmartFrog.

The longest token wins, as in the production compiler, so ``x+1`` is one word and ``x|`` an
operator; a sign belongs to the number that follows it at once.
"""

from __future__ import annotations

import re

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.production import syntax
from headwater.langs.smartfrog.production.words import RESERVED, WORD
from headwater.report import Diagnostic
from headwater.text import Lexicon, Source, Span, Token

_FLOAT = r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?"

_KINDS = [
    ("open_comment", r"/\*.*"),
    ("string", r'"(?:[^"\\\n\r]|\\[^\n\r])*"'),
    ("open_string", r'"[^\n\r]*'),
    ("include", r"\#include\??"),
    ("codebase", r"\#codebase"),
    ("bytes", r"\#(?:HEX|DEC|OCT|BIN|B64)\#[^\#]*\#"),
    ("multiline", r"\#\#(?:[^\#\\]|\\.)*\#"),
    ("open_multiline", r"\#\#.*"),
    ("number", rf"-?(?:[0-9]+[lL]|{_FLOAT}[dDfF]?)"),
    ("xor", r"x\|"),
    ("word", WORD),
    ("sign", r"\[\||\|\]|--|->|\+\+|<>|==|!=|>=|<=|&&|\|\||[{}\[\](),:;+*/%<>!-]"),
]
_SKIPPED = [("blank", r"[ \t\n\r\f]+"), ("line_comment", r"//[^\n\r]*"), ("comment", r"/\*.*?\*/")]
_ALONE = frozenset("{}](),:;")
"""Signs with which no longer token begins."""
_LEXICON = Lexicon([*_SKIPPED, *_KINDS], skip=[kind for kind, _ in _SKIPPED])
_NEXT = re.compile(
    r"(?>(?:[ \t\n\r\f]++|//[^\n\r]*+|/\*.*?\*/)*)(?:"
    + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in [*_KINDS, ("unknown", ".")])
    + r"|(?P<end>\Z))",
    re.DOTALL,
)
"""What is skipped, and a token."""

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\",
            "'": "'", "#": "#"}  # fmt: skip
_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3][0-7]{2}|.)", re.DOTALL)
_BASES = {"HEX": 16, "DEC": 10, "OCT": 8, "BIN": 2}
_WIDTHS = {"HEX": 2, "DEC": 3, "OCT": 3, "BIN": 8}

WRONG = frozenset({"unknown", "open_string", "open_multiline", "open_comment"})
"""The kinds of token that are errors in themselves."""

INTEGERS = {False: (-(2**31), 2**31 - 1), True: (-(2**63), 2**63 - 1)}
"""The range of a plain integer, and of one that ends in L."""


def tokens(source: Source) -> list[Token]:
    """The tokens of a source; reserved words and signs are kinds of their own."""
    new = tuple.__new__
    return [
        new(Token, (token[1], *token[1:])) if token[0] == "sign" or token[1] in RESERVED else token
        for token in _LEXICON.tokens(source)
    ]


def token_at(text: str, place: int) -> Token:
    """The first token of a text from a place on."""
    first = text[place : place + 1]
    if first == " ":
        place += 1
        first = text[place : place + 1]
    if first in _ALONE:
        return tuple.__new__(Token, (first, first, place, place + 1))
    if not first:
        return tuple.__new__(Token, ("end", "", len(text), len(text)))
    hit = _NEXT.match(text, place)
    assert hit is not None
    kind = hit.lastgroup
    assert kind is not None
    word = hit[kind]
    if kind == "sign" or word in RESERVED:
        return tuple.__new__(Token, (word, word, *hit.span(kind)))
    return tuple.__new__(Token, (kind, word, *hit.span(kind)))


def lexer_errors(source: Source, found: list[Token]) -> list[Diagnostic]:
    """What is wrong with the tokens themselves."""
    errors: list[Diagnostic] = []
    last = -1
    for token in [token for token in found if token.kind in WRONG]:
        at = Span(source, token.start, token.end)
        match token.kind:
            case "unknown":
                if token.start != last:
                    shown = repr(token.text) if token.text.isprintable() else ascii(token.text)
                    errors.append(codes.UNKNOWN_CHARACTER.at(at, character=shown))
                last = token.end
            case "open_comment":
                at = Span(source, token.start, token.start + 2)
                errors.append(codes.UNTERMINATED_COMMENT.at(at))
            case kind:
                if kind == "open_multiline":
                    at = Span(source, token.start, token.start + 2)
                errors.append(codes.UNTERMINATED_STRING.at(at))
    return errors


def string(at: Span, errors: list[Diagnostic]) -> str:
    """The text of ``"…"`` or ``##…#``."""
    text = at.text
    opening = 2 if text.startswith("##") else 1
    written = text[opening:-1]
    if "\\" not in written:
        return written

    def replaced(hit: re.Match[str]) -> str:
        what = hit[1]
        if what[0] == "u" and len(what) > 4:
            return chr(int(what[-4:], 16))
        if len(what) == 3:
            return chr(int(what, 8))
        if what in _ESCAPES:
            return _ESCAPES[what]
        start = at.start + opening + hit.start()
        errors.append(codes.BAD_ESCAPE.at(Span(at.source, start, start + 2), escape=hit[0]))
        return hit[0]

    made = _ESCAPE.sub(replaced, written)
    return made.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def number(at: Span, errors: list[Diagnostic]) -> int | float:
    """``1``, ``1L``, ``1.5``, ``1.5f``, ``1e3d``"""
    text = at.text
    digits = text.rstrip("lLdDfF")
    long = text[-1] in "lL"
    if digits.lstrip("-").isdigit() and (long or digits == text):
        low, high = INTEGERS[long]
        value = int(digits) if len(digits) < 30 else high + 1
        if not low <= value <= high:
            bits, help = (64, None) if long else (32, "an L behind it makes it a long")
            reason = f"it does not fit in {bits} bits"
            errors.append(codes.BAD_NUMBER.at(at, text=text[:40], reason=reason, help=help))
            return 0
        return syntax.Long(value) if long else value
    try:
        value_ = syntax.single(float(digits)) if text[-1] in "fF" else float(digits)
    except OverflowError:
        value_ = float("inf")
    if value_ in (float("inf"), float("-inf")):
        errors.append(codes.BAD_NUMBER.at(at, text=text[:40], reason="too large"))
        return 0.0
    return value_


def byte_array(at: Span, errors: list[Diagnostic]) -> syntax.Bytes:
    """``#HEX#AB 34#`` and its kin, as hexadecimal digits."""
    import base64
    import binascii

    kind, digits = at.text[1:4], "".join(at.text[5:-1].split())
    if kind == "B64":
        try:
            return syntax.Bytes(base64.b64decode(digits, validate=True).hex().upper())
        except (binascii.Error, ValueError):
            errors.append(codes.BAD_BYTES.at(at, reason="it is not base 64"))
            return syntax.Bytes("")
    width = _WIDTHS[kind]
    groups = [digits[i : i + width] for i in range(0, len(digits), width)]
    try:
        values = [int(group, _BASES[kind]) for group in groups]
    except ValueError:
        errors.append(codes.BAD_BYTES.at(at, reason=f"a digit is not one of {kind}"))
        return syntax.Bytes("")
    if any(len(group) != width for group in groups) or any(value > 255 for value in values):
        reason = f"a byte is {width} digits, 0 to 255"
        errors.append(codes.BAD_BYTES.at(at, reason=reason))
        return syntax.Bytes("")
    return syntax.Bytes(bytes(values).hex().upper())
