"""Regular expressions that Ruby and Python read alike: most of those in manifests.

Python's engine is several times as fast to ask as Oniguruma, but has no bound on its
steps.  So only expressions are taken whose steps can be bounded beforehand, by the length
of the text: no repeated groups, few repetitions, few choices.  Texts are ASCII, where a
byte is a character; and because Ruby and Python differ in what ``^`` means after the last
line end, expressions with anchors are for texts of one line.
"""

from __future__ import annotations

import re

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


class PlainRegexp:
    """An expression for Python, and what a search costs at most.

    `longest` is the length of texts that cannot take too long; `consumes` is whether a match is
    sure to be of some length.
    """

    __slots__ = ("_bytes", "anchored", "consumes", "longest", "regex")

    def __init__(
        self, regex: re.Pattern[str], anchored: bool, longest: int, consumes: bool
    ) -> None:
        self.regex = regex
        self.anchored = anchored
        self.longest = longest
        self.consumes = consumes
        self._bytes: re.Pattern[bytes] | None = None

    @property
    def for_bytes(self) -> re.Pattern[bytes]:
        """The same for bytes."""
        if self._bytes is None:
            self._bytes = re.compile(self.regex.pattern.encode(), re.MULTILINE)
        return self._bytes

    def suits(self, data: bytes) -> bool:
        """Whether bytes are some for Python."""
        fits = len(data) <= self.longest and data.isascii()
        return fits and not (self.anchored and b"\n" in data)

    def suits_text(self, text: str) -> bool:
        """The same of a text, which is searched as it is; not of one of another class."""
        fits = text.__class__ is str and len(text) <= self.longest and text.isascii()
        return fits and not (self.anchored and "\n" in text)


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
        regex = re.compile("".join(out), re.MULTILINE | re.ASCII)
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
