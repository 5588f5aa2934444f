"""A question about a node: what is asked, and what tells it from every other question.

An answer depends on the question, and on what is read to answer it; nothing else.  What a request
says is part of the question, and so are Headwater itself and the folder that paths start from.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable

import msgspec

import headwater
from headwater.ask.request import Request
from headwater.fleet.told import Told
from headwater.langs.cache import version_of
from headwater.text.digest import sha256
from headwater.text.reading import reach


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """What is answered for a node: diagnostics, whether there is a result, and what was asked."""

    told: tuple[Told, ...]
    good: bool
    body: bytes = b""


class Question(msgspec.Struct, frozen=True):
    """A question about the program of one node."""

    name: str
    answer: Callable[[Request], Answer]
    more: tuple[str, ...] = ()
    """What else was asked: a key, a place."""
    places: bool = False
    """Whether an answer says where in files something stands."""

    def key(self, request: Request) -> bytes | None:
        """Tells it, about a request, from all other questions; None if that cannot be done."""
        limits = reach()
        said = [
            headwater.__version__, version_of(""), self.name, self.more, os.getcwd(),
            limits.most_bytes, limits.fences,
            request.files, [(one.name, one.text) for one in request.sources], request.lang,
            request.dialect, request.engine, request.inputs, request.options,
            {name: (one.name, one.text) for name, one in request.texts.items()},
        ]  # fmt: skip
        if request.classifier is not None:
            return None  # what a program prints is another thing every time
        try:
            return sha256(msgspec.msgpack.encode(said)).digest()
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None


def packed(data: bytes) -> bytes:
    """A text that is kept small."""
    return zlib.compress(data, 1)


def unpacked(data: bytes) -> bytes:
    """The text again."""
    return zlib.decompress(data)
