"""An address names a value in a result: ``a.b."x y"[0]``, or the JSON pointer ``/a/b/x y/0``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from headwater.text.patterns import LatePattern

Address: TypeAlias = tuple[str | int, ...]

_PLAIN = LatePattern(r"[^\W\d][\w'-]*\Z")
_PART = LatePattern(
    r"""
      (?P<word> [^\s.:\[\]"/]+ )
    | (?P<quoted> "(?:[^"\\]|\\.)*" )
    | \[ (?P<index> \d{1,9} ) \]
    | \[ (?P<key> "(?:[^"\\]|\\.)*" ) \]
    """,
    re.VERBOSE,
)


class BadAddress(ValueError):
    """The text is not an address; `args[0]` says why."""


def show_address(address: Sequence[str | int]) -> str:
    """The usual spelling of an address; the whole result is ``.``."""
    parts: list[str] = []
    for part in address:
        if isinstance(part, int):
            parts.append(f"[{part}]")
        else:
            word = part if _PLAIN.match(part) else _quoted(part)
            parts.append(f".{word}" if parts else word)
    return "".join(parts) or "."


def _quoted(part: str) -> str:
    import json

    return json.dumps(part, ensure_ascii=False)


def parse_address(text: str, *, separators: str = ".") -> Address:
    """The address a text spells; `separators` are the characters that part its words."""
    if text in ("", "."):
        return ()
    if text.startswith("/"):
        return tuple(_pointer_part(part) for part in text[1:].split("/"))
    found: list[str | int] = []
    at = 0
    while at < len(text):
        if found and text[at] in separators:
            at += 1
        hit = _PART.match(text, at)
        if hit is None:
            raise BadAddress(f"cannot read {text!r} as an address at character {at + 1}")
        if hit["index"] is not None:
            found.append(int(hit["index"]))
        elif (quoted := hit["quoted"] or hit["key"]) is not None:
            import json

            try:
                found.append(json.loads(quoted))
            except ValueError:
                raise BadAddress(f"{quoted} is not a well-formed string") from None
        else:
            found.append(hit["word"])
        at = hit.end()
    return tuple(found)


def _pointer_part(part: str) -> str | int:
    if part.isascii() and part.isdigit():
        return int(part)
    return part.replace("~1", "/").replace("~0", "~")
