"""What libyaml refuses before it reads any YAML: octets and characters that no text may have."""

from __future__ import annotations

import re
from typing import Final

from headwater.langs.puppet.bytestrings import BROKEN

_CONTROLS: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\U00010000-\U0010ffff]")
_WIDTHS: Final = ((0x80, 0x00, 1), (0xE0, 0xC0, 2), (0xF0, 0xE0, 3), (0xF8, 0xF0, 4))
_LEAST: Final = {1: 0, 2: 0x80, 3: 0x800, 4: 0x10000}


def wrong_octets(text: str) -> str | None:
    """What libyaml says of the first thing in a text that may not be there."""
    broken = BROKEN.search(text)
    end = len(text) if broken is None else broken.start()
    if _CONTROLS.search(text, 0, end):
        return "control characters are not allowed"
    if broken is None:
        return None
    return _of_sequence(text[end : end + 4].encode("utf-8", "surrogateescape"))


def _of_sequence(octets: bytes) -> str:
    """What is wrong with octets that begin no character."""
    lead = octets[0]
    width = next((width for mask, bits, width in _WIDTHS if lead & mask == bits), 0)
    if width == 0:
        return "invalid leading UTF-8 octet"
    if width > len(octets):
        return "incomplete UTF-8 octet sequence"
    value = lead & (0x7F if width == 1 else 0x7F >> width)
    for octet in octets[1:width]:
        if octet & 0xC0 != 0x80:
            return "invalid trailing UTF-8 octet"
        value = value << 6 | octet & 0x3F
    if value < _LEAST[width]:
        return "invalid length of a UTF-8 sequence"
    return "invalid Unicode character"


__all__ = ["wrong_octets"]
