"""EPP: the same language inside ``<% %>``, and text outside.

``<%=`` writes a value, ``<%#`` is a comment, ``<%%`` and ``%%>`` are the signs
themselves; ``<%-`` cuts the blanks before it on its line, ``-%>`` those after it and
the line end.
"""

from __future__ import annotations

import re

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.scanner import Scanner
from headwater.langs.puppet.syntax.tokens import RENDER, RENDER_END, RENDER_TEXT
from headwater.text.patterns import LatePattern

_TAG = LatePattern(r"<%(?:[%#=-])?|\Z")
_COMMENT = LatePattern(r".*?[^%]%>", re.DOTALL)
_TRIM = LatePattern(r"[ \t]*\r?\n?")


def template(lexer: Scanner) -> None:
    """Lexes a template."""
    at = text(lexer, 0, trim=False)
    while not lexer.stopped and at < len(lexer.text):
        at = lexer.code(at, nested=False)
    if lexer.epp and not lexer.stopped:
        _unbalanced(lexer)
    lexer.finish()


def text(lexer: Scanner, at: int, *, trim: bool) -> int:
    """Lexes text from `at` up to the next code; where the code begins."""
    whole, begin = lexer.text, at
    pieces: list[str] = []
    lexer.epp = ""
    while True:
        found = _TAG.search(whole, at)
        assert found is not None
        piece = whole[at : found.start()]
        if trim:
            cut = _TRIM.match(piece)
            assert cut is not None
            piece, trim = piece[cut.end() :], False
        pieces.append(piece.replace("%%>", "%>"))
        tag, at = found[0], found.end()
        if at == len(whole) and tag == "<%%":
            return at  # Puppet 7.23 loses the text before a tag that ends the template
        if tag == "<%%":
            pieces.append("<%")
        elif tag == "<%#":
            comment = _COMMENT.match(whole, at - 1)
            if not comment:
                lexer.fault(codes.EPP_UNBALANCED, found.start(), found.end())
                return lexer.stop()
            if whole[at : at + 1] == "-":
                pieces = ["".join(pieces).rstrip(" \t")]
            trim = comment[0].endswith("-%>")
            at = comment.end()
            if at == len(whole):
                return at
        else:
            break
    if tag == "<%-":
        pieces = ["".join(pieces).rstrip(" \t")]
    value = "".join(pieces)
    if value or (not tag and begin < len(whole)):
        lexer.add(RENDER_TEXT, value, begin, found.start())
    if not tag:
        return len(whole)
    if tag == "<%" and at == len(whole):
        lexer.fault(codes.EPP_UNBALANCED, found.start(), found.end())
        return lexer.stop()
    lexer.at = found.start()
    if tag == "<%=":
        lexer.add(RENDER, "", found.start(), at)
    lexer.epp = "value" if tag == "<%=" else "code"
    return at


def leave_code(lexer: Scanner, at: int) -> int:
    """``%>`` or ``-%>``: back to text; where the next code begins."""
    end = lexer.text.index("%>", at) + 2
    if lexer.epp == "value":
        lexer.add(RENDER_END, "%>", at, end)
    return text(lexer, end, trim=lexer.text[at] == "-")


def _unbalanced(lexer: Scanner) -> None:
    """Complains about the tag that was still open at the end of the text."""
    lexer.fault(codes.EPP_UNBALANCED, lexer.at, min(lexer.at + 2, len(lexer.text)))
    lexer.stop()
