"""What passes between processes, and is kept: bytes that hold every text there is.

A name of a file that is not UTF-8 has halves of surrogate pairs, which MessagePack does not take.
Where there are any, they are written as a character that no text should have, and their number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")

_MARK = "\ufdd0"
_ESCAPED = b"\xc1"
"""The byte that begins nothing in MessagePack."""

_HALF = re.compile(f"[\ud800-\udfff{_MARK}]")
_WRITTEN = re.compile(f"{_MARK}([0-9a-f]{{4}})")


def body_of(value: object) -> bytes:
    """A value as bytes."""
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, builtin_types=(bytes,))
        return _ESCAPED + msgspec.msgpack.encode(_mapped(plain, _without_halves))


class Bodies(Generic[T]):
    """Reads the values of a type; raises `msgspec.MsgspecError` if bytes hold none."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._decoder = msgspec.msgpack.Decoder(kind)

    def decode(self, body: bytes) -> T:
        """The value that bytes hold."""
        if body[:1] != _ESCAPED:
            return self._decoder.decode(body)
        plain = _mapped(msgspec.msgpack.decode(body[1:]), _with_halves)
        return msgspec.convert(plain, self._kind, builtin_types=(bytes,))


def _without_halves(text: str) -> str:
    return _HALF.sub(lambda half: f"{_MARK}{ord(half[0]):04x}", text)


def _with_halves(text: str) -> str:
    return _WRITTEN.sub(lambda half: chr(int(half[1], 16)), text)


def _mapped(value: object, change: Callable[[str], str]) -> object:
    """Data with each text changed."""
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [_mapped(one, change) for one in value]
        case dict():
            return {_mapped(name, change): _mapped(one, change) for name, one in value.items()}
        case _:
            return value
