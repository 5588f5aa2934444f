"""Numbers of bytes as people write and read them: ``500K``, ``64M``, ``64.0 MiB``."""

from __future__ import annotations

import re

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parse_size(text: str) -> int | None:
    """The number of bytes that a text spells: plain, or with K, M or G; None if it spells none."""
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,12})([kmg]?)(?:ib)?", text, re.IGNORECASE | re.ASCII)
    return None if found is None else int(found[1]) * _UNITS[found[2].lower()]


def show_size(size: int) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024 or unit == "MiB":
            return f"{size:,} bytes" if unit == "bytes" else f"{size:,.1f} {unit}"
        size = size / 1024  # type: ignore[assignment]
    raise AssertionError
