"""What comes in by streams, bounded as files are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO

from headwater.text.reading import Unread, reach


def standard_input() -> bytes:
    """What is given on standard input, with the bound of a file; raises `Unread`."""
    most = reach().most_bytes
    if sys.stdin is None:
        raise Unread("-", "missing", "there is no standard input")
    try:
        data = sys.stdin.buffer.read(most + 1)
    except (OSError, ValueError) as error:
        raise Unread("-", "missing", str(error).lower()) from None
    if len(data) > most:
        raise Unread("-", "too-large", f"it is larger than {most:,} bytes")
    return data


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of one that is longer than the bound of a file, a byte more."""
    most = reach().most_bytes
    while line := stream.readline(most + 1):
        yield line
        while len(line) > most and not line.endswith(b"\n"):
            if not (line := stream.readline(most + 1)):
                return
