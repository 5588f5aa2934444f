"""Regular expressions that Ruby and Python read alike: most of those in manifests.

Python's engine is several times as fast to ask as Oniguruma, but has no bound on its
steps.  So only expressions are taken whose steps can be bounded beforehand, by the length
of the text: no repeated groups, few repetitions, few choices.  Texts are ASCII, where a
byte is a character; and because Ruby and Python differ in what ``^`` means after the last
line end, expressions with anchors are for texts of one line.
"""

from __future__ import annotations

import re

from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

MOST_STEPS = 10_000_000
"""Steps that a search may take in the worst case; more is left to Oniguruma, which counts."""

_CLASS = r"""
    \[ \^? -? (?: [A-Za-z0-9] - [A-Za-z0-9] | [A-Za-z0-9_ .:,=@%"'<>!;`\#/(){}*+?$]
              | \\ [dws.\-/\\\]\[(){}*+?^$|] )+ -? \]
"""
_PIECE = LatePattern(
    rf"""
    (?P<group> \( (?:\?:)? ) | (?P<close> \) ) | (?P<choice> \| ) | (?P<anchor> [\^$] )
  | (?P<end> \\z ) | (?P<edge> \\ [Ab] )
  | (?: [A-Za-z0-9_ \-/:,=@%&~"'<>!;`\#.] | \\ [dDwWsSnrt.\-/\\\]\[(){{}}*+?^$|"':,@%=!<>~`_\ \#]
      | {_CLASS} )
    (?: (?P<repeat> (?: [*+] | \{{ \d{{1,2}} , (?:\d{{1,2}})? \}} (?!\?) ) \?? (?![*+?]) )
      | (?P<exact> \{{ \d{{1,2}} \}} (?![*+?]) ) | (?P<maybe> \? \?? (?![*+?]) ) )?
    """,
    re.VERBOSE,
)


class PlainRegexp(NamedTuple):
    """An expression for Python, and what a search costs at most."""

    regex: re.Pattern[bytes]
    anchored: bool
    longest: int
    """The length of texts that cannot take too long."""
    consumes: bool
    """Whether a match is sure to be of some length."""

    def suits(self, data: bytes) -> bool:
        """Whether a text is one for Python."""
        _, anchored, longest, _ = self
        return len(data) <= longest and data.isascii() and not (anchored and b"\n" in data)


def plain_regexp(pattern: str) -> PlainRegexp | None:
    """The expression for Python, or None where it might differ or take too long."""
    at, power, choices, anchored = 0, 1, 0, False
    depth, sure, split = 0, False, False
    closed = -1
    out: list[str] = []
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None or (closed == at and piece["close"] is None and _repeats(pattern[at])):
            return None
        at = piece.end()
        if piece["close"]:
            closed = at
        depth += (piece["group"] is not None) - (piece["close"] is not None)
        split = split or (depth == 0 and piece["choice"] is not None)
        sure = sure or (depth == 0 and _is_sure(piece))
        power += piece["repeat"] is not None
        choices += piece["choice"] is not None or piece["maybe"] is not None
        anchored = anchored or piece["anchor"] is not None
        out.append(r"\Z" if piece["end"] else piece[0])
    if power > 7 or choices > 10:
        return None
    try:
        regex = re.compile("".join(out).encode(), re.MULTILINE)
    except re.error:
        return None
    longest = int((MOST_STEPS / 2**choices) ** (1 / power)) - 1
    return PlainRegexp(regex, anchored, longest, sure and not split)


def _is_sure(piece: re.Match[str]) -> bool:
    """Whether a piece takes at least one character."""
    if any(piece[name] for name in ("group", "close", "choice", "anchor", "end", "edge", "maybe")):
        return False
    return not (piece["repeat"] or piece["exact"] or "+").startswith(("*", "{0"))


def _repeats(char: str) -> bool:
    return char in "*+?{"
