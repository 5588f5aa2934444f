"""The standard streams made fit for use: open, and able to write every character.

A stream that was closed by whoever started us (``>&-``) must not be a place where the next file
lands.  Writing to a closed output is an error that is told; what goes to a closed error stream
is lost; a closed input cannot be read.

A character that the encoding of a stream does not have is written as JSON writes it (``\\u00e9``),
so that documents stay what they are.  Half a surrogate pair, as names of files have that are not
UTF-8, stands for no character and becomes U+FFFD.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TextIO

HANDLER = "headwater.json"
"""The way with characters that cannot be encoded."""
_OVERRULED = ("strict", "backslashreplace", "surrogateescape")
"""Python's own ways with what cannot be encoded; a user who wants another one gets it."""


def mend_streams() -> None:
    """Opens what is closed, and lets no character stop the output."""
    for number, name, flags in (
        # Each stands for the closed one: the output and the input cannot be used.
        (0, "stdin", os.O_WRONLY),
        (1, "stdout", os.O_RDONLY),
        (2, "stderr", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, _stand_in(number, flags))
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors in _OVERRULED:
        sys.stdin.reconfigure(errors="replace")  # an answer that is no text is no yes
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.errors in _OVERRULED:
            setattr(sys, name, Output(stream))


class Output(io.TextIOWrapper):
    """An output that writes escapes; the one it is made from is of no more use.

    It does not give its encoding away: click takes an ASCII stream for a mistake, and would
    write UTF-8 to it behind our back.
    """

    def __init__(self, stream: io.TextIOWrapper) -> None:
        buffered, encoding = stream.line_buffering, stream.encoding
        super().__init__(stream.detach(), encoding, HANDLER, line_buffering=buffered)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """A name that says no more than that there is one."""
        return "escaped"


def _stand_in(number: int, flags: int) -> TextIO:
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, flags)  # takes the lowest number that is free: this one
    return open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)


def escaped(error: UnicodeError) -> tuple[bytes, int]:
    """What is written for characters that the encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = "".join(
        "\ufffd" if "\ud800" <= char <= "\udfff" else _escape(char)
        for char in error.object[error.start : error.end]
    )
    try:
        return shown.encode(error.encoding), error.end
    except UnicodeEncodeError:
        return shown.replace("\ufffd", "\\ufffd").encode(error.encoding), error.end


def _escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


codecs.register_error(HANDLER, escaped)
