"""String literals with the escapes of JSON."""

from __future__ import annotations

import re

from headwater.text.patterns import LatePattern
from headwater.text.source import Span

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\"}
_ESCAPE = LatePattern(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SURROGATE = LatePattern(r"\\u[dD][89a-fA-F]..")


def unescaped(at: Span, escapes: dict[str, str]) -> tuple[str, list[Span]]:
    """The text that a quoted literal stands for, and the escapes in it that mean nothing."""
    written = at.text[1:-1]
    if "\\" not in written:
        return written, []
    wrong: list[Span] = []

    def place(hit: re.Match[str]) -> Span:
        start = at.start + 1 + hit.start()
        return Span(at.source, start, start + len(hit[0]))

    def replaced(hit: re.Match[str]) -> str:
        what = hit[1]
        if what[0] == "u" and len(what) == 5:
            return chr(int(what[1:], 16))
        if what in escapes:
            return escapes[what]
        wrong.append(place(hit))
        return hit[0]

    made = _ESCAPE.sub(replaced, written)
    try:
        # A pair of \u escapes may spell one character beyond U+FFFF; half a pair spells none.
        return made.encode("utf-16", "surrogatepass").decode("utf-16"), wrong
    except UnicodeDecodeError:
        lone = _SURROGATE.search(written)
        assert lone is not None
        return "", [*wrong, place(lone)]
