"""The tokens of Opal.

A path (``n.x``, ``u.n.x``) is one token without blanks; a ``tail`` is the ``.n.x`` after a
hyp; a ``dot`` stands alone.  A reserved word or a punctuation mark is its own kind.
"""

from __future__ import annotations

import re

from headwater.langs.opal.syntax import RESERVED
from headwater.text import Lexicon, Source, Token

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_STRING = r'"(?:[^"\\\n]|\\[^\n])*"'
_PART = rf"(?:{_WORD}|{_STRING})"

LEXICON = Lexicon(
    [
        ("blank", r"\s+"),
        ("comment", r"#[^\n]*"),
        ("path", rf"{_PART}(?:\.{_PART})+"),
        ("word", _WORD),
        ("string", _STRING),
        ("integer", r"-?[0-9]+"),
        ("tail", rf"\.{_PART}(?:\.{_PART})*"),
        ("dot", r"\."),
        ("assign", r":=|≔"),
        ("or", r"∨|\\/|\|"),
        ("and", r"∧|/\\|&"),
        ("member", r"∈"),
        ("equals", r"="),
        ("empty", r"∅"),
        ("punctuation", r"[;{}()\[\],]"),
    ],
    skip=("blank", "comment"),
)

PART = re.compile(_PART)
"""A name inside a path."""


def tokens_of(source: Source) -> list[Token]:
    """The tokens; a reserved word or a punctuation mark is its own kind."""
    return [
        Token(t.text, t.text, t.start, t.end)
        if t.kind == "punctuation" or (t.kind == "word" and t.text in RESERVED)
        else t
        for t in LEXICON.tokens(source)
    ]


def pair_brackets(tokens: list[Token]) -> set[int]:
    """The indices of ``(`` that open an S-expression: ``()``, or with a dot directly inside."""
    found: set[int] = set()
    opened: list[int] = []
    for index, token in enumerate(tokens):
        kind = token.kind
        if kind in ("(", "{", "["):
            opened.append(index)
        elif kind in (")", "}", "]"):
            if opened:
                start = opened.pop()
                if kind == ")" and start == index - 1:
                    found.add(start)
        elif opened and (kind == "dot" or (kind == "tail" and tokens[index - 1].kind != "}")):
            found.add(opened[-1])
    return found
