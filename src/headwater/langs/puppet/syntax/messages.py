"""What a syntax error says: what was found, what was expected, and what is most often missing."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.tokens import KEYWORDS
from headwater.report import Diagnostic, Note, nearest
from headwater.text import Source, Span

_NAMES = {
    "NAME": "the name {0}",
    "WORD": "the word {0}",
    "REF": "the type {0}",
    "VAR": "the variable ${0}",
    "STR": "a string",
    "NUM": "the number {0}",
    "REGEX": "a regular expression",
    "BOOL": "{0}",
    "DQPRE": "a string",
    "DQMID": "the } of an interpolation",
    "DQPOST": "the } of an interpolation",
    "HEREDOC": "a heredoc",
    "RENDER_TEXT": "text outside <% %>",
    "RENDER": "<%=",
    "RENDER_END": "%>",
    "WSPAREN": "( at the start of a line",
    "LIST": "[ after a blank",
    "BAD": "the character {0}",
    "END": "the end of the file",
}
OPENERS = {"{": "}", "(": ")", "WSPAREN": ")", "[": "]", "LIST": "]", "<|": "|>", "<<|": "|>>"}
CLOSERS = frozenset(OPENERS.values())
_OPERANDS = frozenset({"NAME", "STR", "VAR", "NUM", "REF", "BOOL", "WORD", "DQPRE", "default",
                       "undef", "REGEX", "HEREDOC"})  # fmt: skip
_ENDS_OPERAND = frozenset({"NAME", "STR", "VAR", "NUM", "REF", "BOOL", "WORD", "DQPOST", "default",
                           "undef", "REGEX", ")", "]", "}"})  # fmt: skip


def describe(kind: str, value: str) -> str:
    """A token in words."""
    if kind in KEYWORDS:
        return f"the keyword {kind}"
    return _NAMES.get(kind, kind).replace("{0}", value)


def syntax_error(
    source: Source, kinds: Sequence[str], values: Sequence[str],
    spans: Sequence[tuple[int, int]], i: int, expected: Sequence[str],
) -> Diagnostic:  # fmt: skip
    """The complaint about token `i`."""
    place = Span(source, *spans[i])
    opening = enclosing(kinds, i)
    labels = []
    if kinds[i] == "END" and opening is not None:
        return codes.UNCLOSED.at(
            Span(source, *spans[opening]),
            open=values[opening],
            help=_where_it_ends(source, spans, opening),
        )
    if kinds[i] in CLOSERS and opening is not None:
        labels.append(Note(f"within this {values[opening]}", Span(source, *spans[opening])))
    return codes.SYNTAX.at(
        place,
        labels=labels,
        help=hint(source, kinds, values, spans, i, opening, " ".join(expected)),
        expected=" or ".join(dict.fromkeys(expected)),
        found=describe(kinds[i], values[i]),
    )


def enclosing(kinds: Sequence[str], i: int) -> int | None:
    """The index of the bracket that is open before token `i`."""
    closed = 0
    for j in range(i - 1, -1, -1):
        kind = kinds[j]
        if kind in CLOSERS:
            closed += 1
        elif kind in OPENERS:
            if closed == 0:
                return j
            closed -= 1
    return None


def hint(
    source: Source, kinds: Sequence[str], values: Sequence[str],
    spans: Sequence[tuple[int, int]], i: int, opening: int | None, expected: str = "",
) -> str | None:  # fmt: skip
    """What is most often missing in such a place."""
    kind = kinds[i]
    following = kinds[i + 1] if i + 1 < len(kinds) else "END"
    before = kinds[i - 1] if i else "END"
    inside = kinds[opening] if opening is not None else ""
    line = source.position(spans[i - 1][0]).line if i else 1
    if before in _ENDS_OPERAND and following in ("=>", "+>"):
        if inside in ("(", "[", "LIST", "WSPAREN"):
            return f"did you forget a comma after the value at line {line}?"
        return f"did you forget a comma after the attribute at line {line}?"
    if kind in ("=>", "+>") and inside == "{":
        return _about_arrow(kinds, i, opening)
    if kind in _OPERANDS and before in _ENDS_OPERAND and inside in ("[", "LIST", "(", "WSPAREN"):
        return f"did you forget a comma after the value at line {line}?"
    if kind == "=" and before in ("NAME", "STR"):
        return "attributes and hash entries are written with =>; a variable starts with $"
    if kind == "elsif" or _misspelt_elsif(kinds, values, opening):
        return "the keyword is elsif, after the } of an if; unless has no elsif"
    if kind == "else":
        return "else follows the } of an if or unless directly"
    if kind == "}" and inside == "{" and before in _ENDS_OPERAND and "title" in expected:
        return "a title is followed by a colon: file { '/etc/motd': }"
    if kind == ")" or kind == "]" or kind == "}":
        if before == ",":
            return "is there a comma too many before it?"
        if opening is not None and OPENERS[inside] != kind:
            line = source.position(spans[opening][0]).line
            return f"the {values[opening]} at line {line} is still open"
        if opening is None:
            return f"nothing is open here: is there one {kind} too many?"
    if kind == ",":
        return "is there a comma too many, or is something missing before it?"
    if kind == ":":
        return "a colon follows a title or a case option; => is written between key and value"
    if kind == "=" and before in ("(", ",", "|", "=", "REF"):
        return "is the name before = missing?"
    if kind == "WSPAREN":
        return "a ( that is first on its line does not start a call; put it after the name"
    if kind == "LIST":
        return "a [ after a blank starts a list; write it directly after what it accesses"
    if before == "NAME" and i >= 1:
        word = nearest(values[i - 1], KEYWORDS)
        if word and kind in ("NAME", "STR", "VAR"):
            return f"did you mean the keyword {word} instead of {values[i - 1]}?"
    if before == "NAME" and kind == "STR":
        return f"did you forget {{ before the title: {values[i - 1]} {{ 'title': }}?"
    if kind in KEYWORDS and before in ("=", "=>", ",", "(", "["):
        return f"{kind} is a keyword; quote it if text is meant"
    return None


def _misspelt_elsif(kinds: Sequence[str], values: Sequence[str], opening: int | None) -> bool:
    """Whether the brace that is open belongs to an ``elseif`` or ``elif``."""
    first = max((opening or 0) - 8, 0)
    words = zip(kinds[first : opening or 0], values[first : opening or 0], strict=True)
    return any(kind == "NAME" and value in ("elseif", "elif") for kind, value in words)


def _about_arrow(kinds: Sequence[str], i: int, opening: int | None) -> str | None:
    if kinds[i - 1] == "STR" and kinds[i] == "=>" and opening is not None and i - 1 == opening + 1:
        return "a resource body starts with a title and a colon; attribute names are not quoted"
    if kinds[i - 1] in ("STR", "DQPOST"):
        return "attribute names are written without quotes"
    return "is a comma missing before this attribute, or a colon after the title?"


def _where_it_ends(source: Source, spans: Sequence[tuple[int, int]], opening: int) -> str | None:
    """The line at which the indentation says that an open brace should have been closed."""
    line, _ = source.position(spans[opening][0])
    margin = _margin(source.line(line))
    for number in range(line + 1, len(source.line_starts) + 1):
        text = source.line(number)
        if text.strip() and not text.lstrip().startswith("#") and _margin(text) <= margin:
            return f"by the indentation it should end before line {number}"
    return None


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
