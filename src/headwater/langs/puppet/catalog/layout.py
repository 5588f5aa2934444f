"""Whether the file of a type in Ruby is laid out as most are, so that a scan understands it.

The usual layout has one statement a line at the indentation of the parameters, each of a few
kinds, and parameters nowhere else: in no loop, condition, method or text.
"""

from __future__ import annotations

import re

from headwater.text.patterns import LatePattern

_TEXT_BEGINS = LatePattern(r"<<[-~]?+(['\"]?)([A-Za-z_]\w*+)\1")
_TELLS = LatePattern(
    r"\b(?:newparam|newproperty|newmetaparam|ensurable|isnamevar|isomorphic\??)(?!\w)"
)
_MEMBER = LatePattern(r"(?:newparam|newproperty|ensurable)\b")
_OUTSIDE = LatePattern(r"(?:end|require|require_relative|Puppet::Type\.newtype)\b|[)}\]]")
_INSIDE = LatePattern(
    r"new(?:param|property)\b(?!.*\b(?:if|unless|isnamevar)\b)|ensurable(?>(?:\s++do)?)$"
    r"|(?:apply_to\w*+|auto[a-z]++|def|desc|end|feature|private|provide|validate|@doc|@desc|\})(?!\w)"
)


def is_usual(code: str) -> bool:
    """Whether nothing but the usual statements make parameters and keys in a file without comments.

    Texts that go over several lines are no statements.
    """
    lines = list(_statements(code))
    members = [indent for indent, text in lines if _MEMBER.match(text)]
    if not members or re.search(r"^=begin\b", code, re.MULTILINE):
        return False
    first = members[0]
    return all(_is_usual_line(indent, text, first) for indent, text in lines)


def _is_usual_line(indent: int, text: str, first: int) -> bool:
    """Whether a line says what is usual at its indentation, where `first` is that of members."""
    told = len(_TELLS.findall(text))
    if indent < first:
        return not told and _OUTSIDE.match(text) is not None
    if indent > first:
        return not told or text == "isnamevar"
    return _INSIDE.match(text) is not None and told == (_MEMBER.match(text) is not None)


def _statements(code: str) -> list[tuple[int, str]]:
    """The lines with their indentation, without those of texts and empty ones."""
    found: list[tuple[int, str]] = []
    ends: str | None = None
    for line in code.splitlines():
        text = line.strip()
        if ends is not None:
            if text == ends:
                ends = None
            continue
        if text:
            found.append((len(line) - len(line.lstrip()), text))
        begins = _TEXT_BEGINS.search(line)
        ends = begins[2] if begins is not None else None
    return found
