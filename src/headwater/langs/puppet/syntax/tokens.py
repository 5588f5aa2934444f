"""The kinds of token of Puppet, and the regular expressions that find them.

An operator, a bracket and a keyword are their own kind; every other kind is
written in capitals.  Facts about the lexical rules: Puppet 7.23, by observation
(tests/peers) and puppet.md §4.1.
"""

from __future__ import annotations

import re
from functools import cache

NAME = "NAME"  # a bare word that is a name: apache::port
WORD = "WORD"  # a bare word that is not: a-b, _x
REF = "REF"  # a capitalised name
VAR = "VAR"  # $x; the value has no dollar
STR = "STR"  # a string without interpolation
NUM = "NUM"
REGEX = "REGEX"
BOOL = "BOOL"
DQPRE = "DQPRE"  # the first chunk of an interpolated string
DQMID = "DQMID"
DQPOST = "DQPOST"
HEREDOC = "HEREDOC"  # the tag; its text follows as STR or DQPRE …
RENDER_TEXT = "RENDER_TEXT"
RENDER = "RENDER"  # <%=
RENDER_END = "RENDER_END"  # the %> or -%> that ends a <%=
WSPAREN = "WSPAREN"  # a ( that is first on its line: it never starts a call
LIST = "LIST"  # a [ after white space: it never starts an access
BAD = "BAD"  # a character that starts no token
END = "END"

KEYWORDS = {
    word: word
    for word in (
        "case", "class", "default", "define", "if", "elsif", "else", "inherits", "node", "and",
        "or", "undef", "in", "unless", "function", "type", "attr", "private",
    )
}  # fmt: skip
"""Every keyword but the booleans, which are one kind."""

KINDS_OF_WORD = {**KEYWORDS, "true": BOOL, "false": BOOL}

NO_REGEX_AFTER = frozenset(
    {")", "]", "|>>", "|>", NAME, REF, NUM, STR, BOOL, DQPRE, DQMID, DQPOST, HEREDOC, REGEX, VAR,
     WORD}
)  # fmt: skip
"""After one of these a slash divides; anywhere else it may start a regular expression."""

BLANK = " \t\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
BLANKS = " \t\r\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

# The groups of the master expression, by number.
G_WORD, G_PUNCT, G_VAR, G_SQ, G_DQ, G_REF, G_OPEN, G_NUM, G_BARE, G_SPECIAL, G_END = range(1, 12)

_WORD = r"([a-z][a-zA-Z0-9_]*)(?![a-zA-Z0-9_]|-|::)"
_PUNCT = (
    r"(=>|[,{{}};)\].?%*]|:(?!:)|=[=~]?|->|-=?|<<\|?|<[|\-~=]?|>[>=]?|\|>>?|\||"
    r"\+[>=]?|![=~]?|~>?|@@|@(?!\()|(?<=[^\n{blank}])\[)"
)
_VAR = r"(\$(?:::)?(?:[a-zA-Z0-9_]+::)*[a-zA-Z0-9_]+)"
# An empty string directly before another quote goes the slow way: see strings.py.
_SQ = r"('(?:[^'\\]+'|'(?!['\\])))"
_DQ = r'("(?:[^"\\$]+"|"(?!["$\\])))'
_REF = r"((?:::)?[A-Z][a-zA-Z0-9_]*+(?>(?:::[A-Z][a-zA-Z0-9_]*+)*))(?!::|[a-zA-Z0-9_])"
_OPEN = r"([(\[])"
_NUM = r"(0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)(?![a-zA-Z0-9_])"
_BARE = r"((?:(?:::)?[a-z_](?:[a-zA-Z0-9_-]*[a-zA-Z0-9_])?)+)"
_SPECIAL = r"(.)"
_END = r"(\Z)"


@cache
def master(*, epp: bool = False, pending: bool = False) -> re.Pattern[str]:
    """Blanks and comments, then one token.  It matches at every place.

    `pending`: the text of a heredoc begins on the next line, so a line end is a token.
    `epp`: ``%>`` and ``-%>`` end the code.
    """
    blank = BLANK if pending else BLANK + r"\n"
    skip = rf"(?>(?:[{blank}]++|#[^\n]*+|/\*.*?\*/)*)"
    punct = _PUNCT.format(blank=BLANK)
    if epp:
        punct = r"(?!-?%>)" + punct
    groups = (_WORD, punct, _VAR, _SQ, _DQ, _REF, _OPEN, _NUM, _BARE, _SPECIAL, _END)
    return re.compile(skip + "(?:" + "|".join(groups) + ")", re.DOTALL)


STRICT_NAME = re.compile(r"(?:::)?[a-z][a-zA-Z0-9_]*(?:::[a-z][a-zA-Z0-9_]*)*\Z")
REGEX_LITERAL = re.compile(r"/(?>(?:[^/\\]++|\\.)*)/", re.DOTALL)
INTERPOLATED_NAME = re.compile(r"(?:::)?(?:[a-zA-Z0-9_]+::)*[a-zA-Z0-9_]+")
NUMBER_WORD = re.compile(r"[\w.]+")
