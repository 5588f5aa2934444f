r"""Quoted strings, interpolation and heredocs.

Escapes in ``'…'``: ``\\`` and ``\'``.  In ``"…"``: ``\\ \$ \' \" \r \n \t \s \uXXXX
\u{X…}`` and a line end, which disappears; any other escape stays as it is, with a
warning.  In a heredoc: those named after the slash of its tag.

A trap of Puppet 7.23, kept: a quote that would end a piece of text at its very first
character does not end it when another end follows at once, so ``'''`` is the string of
one quote, and ``""$x"`` holds a quote and a variable.
"""

from __future__ import annotations

import math
import re

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import tokens
from headwater.langs.puppet.syntax.scanner import Scanner
from headwater.langs.puppet.syntax.tokens import BLANK, BLANKS, DQMID, DQPOST, DQPRE, HEREDOC, STR
from headwater.text.patterns import LatePattern

_SQ = LatePattern(r"'((?:'(?=(?:\\\\)*'))?(?>(?:[^'\\]++|\\.)*))'", re.DOTALL)
_DQ_CHUNK = LatePattern(
    r'(?:"(?=(?:\\\\)*["$]))?(?>(?:[^"\\$]++|\\.|\$(?=\$))*)("|\$\{?)', re.DOTALL
)
_UQ_CHUNK = LatePattern(r"(?>(?:[^\\$]++|\\.)*)(\$\{?|\Z)", re.DOTALL)
_PLAIN_CHUNK = LatePattern(r"[^$]*(\$\{?|\Z)")
_UNICODE = LatePattern(
    r"((?:[^\\]|^)(?:\\\\)*)\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})",
    re.DOTALL | re.MULTILINE,
)
_ESCAPE = LatePattern(r"\\([^\r\n]|\r?\n)", re.DOTALL)
_LETTERS = {"r": "\r", "n": "\n", "t": "\t", "s": " ", "\n": "", "\r\n": ""}
_DQ_ESCAPES = frozenset({"\\", "$", "'", '"', "r", "n", "t", "s", "u", "\n", "\r\n"})
_MOST_DIGITS = 1000
MOST_SEGMENTS = 1_000_000
"""How many tokens one interpolated string may have."""

_PLAIN_EMBEDDED = LatePattern(
    r"(?!true\}|false\})((?:::)?[a-z][a-zA-Z0-9_]*(?:::[a-z][a-zA-Z0-9_]*)*)\}"
)
_HEREDOC_TAG = LatePattern(
    rf"@\(([^:/\r\n)]+)(?::[{BLANK}]*([a-z][a-zA-Z0-9_+]+)[{BLANK}]*)?"
    rf"(?:/([a-zA-Z0-9_$]*)[{BLANK}]*)?\)"
)


def number_value(word: str) -> int | float | None:
    """The number that a word means; None when it is beyond what can be written."""
    if word.isdigit():
        if len(word) > _MOST_DIGITS:
            return None
        return int(word, 8 if word[0] == "0" and len(word) > 1 else 10)
    if word[:2] in ("0x", "0X"):
        return int(word, 16)
    value = float(word)
    if math.isinf(value):
        return None
    # Puppet 7 refuses a zero with an exponent, such as 0.0e5.
    return None if re.fullmatch(r"0++\.?0*+[eE].*", word) else value


def single_quoted(lexer: Scanner, at: int) -> int:
    """``'…'`` with escapes in it, or never closed."""
    found = _SQ.match(lexer.text, at)
    if not found:
        lexer.fault(codes.UNCLOSED_STRING, at, at + 1, quote="'")
        return lexer.stop()
    value = re.sub(r"\\([\\'])", r"\1", found[1])
    return lexer.add(STR, value, at, found.end())


def double_quoted(lexer: Scanner, at: int) -> int:
    """``"…"`` with escapes or interpolation in it, or never closed."""
    return _chunks(lexer, at, at + 1, _DQ_CHUNK, _DQ_ESCAPES, '"')


def _chunks(
    lexer: Scanner, opening: int, at: int, chunk: LatePattern, escapes: frozenset[str], quote: str
) -> int:
    """The chunks and expressions of a string from `at` on; where it ends.

    The first token of the string begins at `opening` and the last one ends after the
    closing quote, so that they give the place of the whole; chunks in between have
    exactly the place of their text.
    """
    text, kind = lexer.text, DQPRE
    base = len(lexer.kinds)
    begin, value = at, ""
    while True:
        found = chunk.match(text, at)
        if not found:
            if quote:
                lexer.fault(codes.UNCLOSED_STRING, opening, opening + 1, quote=quote)
            else:
                lexer.fault(codes.HEREDOC_BACKSLASH, max(len(text) - 1, 0), len(text))
            return lexer.stop()
        ending = found[1]
        piece = found[0][: len(found[0]) - len(ending)]
        if "\\" in piece:
            piece = unescape(lexer, piece, at, escapes, warn=bool(quote))
        value += piece
        close, at = found.end() - len(ending), found.end()
        if len(lexer.kinds) - base > MOST_SEGMENTS:
            lexer.fault(codes.TOO_LARGE, at, at, bound=f"{MOST_SEGMENTS:,}")
            return lexer.stop()
        if ending == quote:
            if kind == DQPRE:
                return lexer.add(STR, value, opening, at)
            return lexer.add(DQPOST, value, begin, at)
        if ending == "${":
            lexer.add(kind, value, opening if kind == DQPRE else begin, close)
            plain = _PLAIN_EMBEDDED.match(text, at)
            if plain:
                lexer.add(tokens.VAR, plain[1], at, plain.end(1))
                at = plain.end()
            else:
                at = lexer.interpolation(at)
                if lexer.stopped:
                    return at
        else:
            name = tokens.INTERPOLATED_NAME.match(text, at)
            if not name:
                value += "$"
                continue
            lexer.add(kind, value, opening if kind == DQPRE else begin, close)
            at = lexer.add(tokens.VAR, name[0], close, name.end())
        kind, begin, value = DQMID, at, ""


def unescape(lexer: Scanner, piece: str, at: int, escapes: frozenset[str], *, warn: bool) -> str:
    """A chunk with its escapes carried out."""
    if "u" in escapes and "\\u" in piece:
        # An escape may give a backslash that starts another, so until nothing changes.
        changed = 1
        while changed:
            piece, changed = _UNICODE.subn(lambda m: m[1] + _code_point(lexer, m, at), piece)
    escaped_at = at

    def replace(found: re.Match[str]) -> str:
        char = found[1]
        if char not in escapes:
            if warn:
                place = escaped_at + found.start()
                lexer.fault(codes.UNKNOWN_ESCAPE, place, place + 2, escape=found[0])
            return found[0]
        if char == "u":
            place = escaped_at + found.start()
            lexer.fault(codes.BAD_UNICODE_ESCAPE, place, place + 2)
            return "\\u"
        return _LETTERS.get(char, char)

    return _ESCAPE.sub(replace, piece)


def _code_point(lexer: Scanner, found: re.Match[str], at: int) -> str:
    number = int(found[2] or found[3], 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        start = at + found.end(1)
        lexer.fault(codes.BAD_CODE_POINT, start, at + found.end(), number=f"{number:04X}")
        return "\ufffd"
    return chr(number)


# -- heredocs -------------------------------------------------------------------------------


def heredoc(lexer: Scanner, at: int) -> int:
    """``@(TAG)``: the tag here and its text, which begins on the next line."""
    text = lexer.text
    if lexer.lines is not None:
        lexer.fault(codes.NESTED_HEREDOC, at, at + 2)
        return lexer.stop()
    close = text.find(")", at)
    if close < 0:
        lexer.fault(codes.HEREDOC_TAG, at, at + 2, reason="its parenthesis is never closed")
        return lexer.stop()
    spec = _HEREDOC_TAG.fullmatch(text, at, close + 1)
    if not spec:
        reason = 'write @(TAG), @("TAG"), @(TAG:json) or @(TAG/nt)'
        lexer.fault(codes.HEREDOC_TAG, at, close + 1, reason=reason)
        return lexer.stop()
    tag, interpolates = spec[1].strip(), False
    quoted = re.fullmatch(r'"(.*)"', tag)
    if quoted:
        tag, interpolates = quoted[1].strip(), True
    if not tag:
        lexer.fault(codes.HEREDOC_TAG, at, close + 1, reason="the tag is empty")
        return lexer.stop()
    escapes = _heredoc_escapes(lexer, spec)
    lexer.add(HEREDOC, spec[2] or "", at, close + 1)
    begin = lexer.jump if lexer.jump >= 0 else text.find("\n", close) + 1
    if begin <= 0:
        lexer.fault(codes.HEREDOC_END, at, close + 1, tag=tag)
        return lexer.stop()
    lines: list[tuple[int, int]] = []
    start = begin
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        closing = _closing(text[start:end], tag)
        if closing:
            lexer.jump = end
            lexer.bodies.append((lexer.origin(begin), lexer.origin(end)))
            _heredoc_text(lexer, lines, begin, closing, escapes, interpolates)
            return close + 1
        lines.append((start, end))
        start = end
    lexer.fault(codes.HEREDOC_END, at, close + 1, tag=tag)
    return lexer.stop()


def _heredoc_escapes(lexer: Scanner, spec: re.Match[str]) -> frozenset[str]:
    letters = spec[3]
    if letters is None:
        return frozenset()
    letters = letters or "trnsuL$"
    escapes = {"\\"}
    for letter in letters:
        if letter not in "trnsu$L" or letters.count(letter) > 1:
            start, end = spec.span(3)
            why = "is written twice" if letter in "trnsu$L" else "is not one of t r n s u L $"
            lexer.fault(codes.HEREDOC_TAG, start, end, reason=f"the escape {letter} {why}")
            break
        escapes |= {"\n", "\r\n"} if letter == "L" else {letter}
    return frozenset(escapes)


def _closing(line: str, tag: str) -> tuple[str, bool, bool] | None:
    """Margin, whether it is cut off, and whether the last line end is, if a line closes.

    Puppet looks for the tag at the *end* of a line, whatever stands before it.
    """
    bare = line.rstrip("\n").rstrip(BLANKS)
    if not bare.endswith(tag):
        return None
    before = bare[: len(bare) - len(tag)]
    rest = before.rstrip(BLANKS)
    chomp = rest.endswith("-")
    if chomp:
        before = rest[:-1]
        rest = before.rstrip(BLANKS)
    margin = rest.endswith("|")
    if margin:
        before = rest[:-1]
        rest = before.rstrip(BLANKS)
    return before[len(rest) :], margin, chomp


def _heredoc_text(
    lexer: Scanner, lines: list[tuple[int, int]], begin: int, closing: tuple[str, bool, bool],
    escapes: frozenset[str], interpolates: bool,
) -> None:  # fmt: skip
    """Adds the tokens of a heredoc's text."""
    leading, margin, chomp = closing
    pieces, local, origin, size = [], [0], [lexer.origin(begin)], 0
    for start, end in lines:
        if margin and leading and lexer.text.startswith(leading, start, end):
            start += len(leading)
        local.append(size)
        origin.append(lexer.origin(start))
        pieces.append(lexer.text[start:end])
        size += end - start
    text = "".join(pieces)
    if chomp and text.endswith("\n"):
        text = text[:-2] if text.endswith("\r\n") else text[:-1]
    sub = type(lexer)(lexer.source, text, (local, origin), lexer.depth + 1)
    if not interpolates:
        if escapes and "\\" in text:
            text = unescape(sub, text, 0, escapes, warn=False)
        sub.add(STR, text, 0, len(sub.text))
    else:
        chunk = _UQ_CHUNK if "$" in escapes else _PLAIN_CHUNK
        _chunks(sub, 0, 0, chunk, escapes, "")
    lexer.kinds += sub.kinds
    lexer.values += sub.values
    lexer.spans += [(sub.origin(start), sub.origin(end)) for start, end in sub.spans]
    lexer.faults += sub.faults
    lexer.stopped = lexer.stopped or sub.stopped
