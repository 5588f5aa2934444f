"""Text of users as a terminal may show it: what cannot be seen, or would act, is escaped.

Everything written for people goes through here, because any text of theirs (a source, a
value, a name of a file or a node, a message) may come from a stranger and be made to move the
cursor, to change the title of a window, to forge lines or to turn the direction of letters.
"""

from __future__ import annotations

from functools import lru_cache

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def visible(text: str, *, keep: str = "") -> str:
    """The text with every character that is not printable written as JSON writes it.

    Such are control characters, line ends, marks of direction and of no width, halves of
    surrogate pairs and blanks that are not a space; those in `keep` stay as they are.  A text
    in JSON stays the same text in JSON.
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in keep else _escaped(c) for c in text])


@lru_cache(maxsize=1024)
def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = (units[i : i + 2] for i in range(0, len(units), 2))
    return "".join(f"\\u{int.from_bytes(pair):04x}" for pair in pairs)
