"""tree-sitter with Ruby's grammar, and a bound on the time that it takes.

It reads Ruby in proportion to its length, and what is no Ruby by the square of it: it looks for a
way to go on.  That is in C, where no alarm rings and no step is counted.  So it is handed the text
a piece at a time, and told that the text ends when it has taken longer than any Ruby does.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from headwater.langs.puppet.ruby.refusals import Unreadable

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter import Node as Tree

PATIENCE: Final = 5
"""Seconds of processor time that a text may take, and that a million of its characters may take;
Ruby takes about a tenth of it."""

_PIECE: Final = 512


@lru_cache(maxsize=1)
def _parser() -> tree_sitter.Parser:
    """Made when the first Ruby comes."""
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language()))


class Patience:
    """The time for a text, which what is made of it (`shifts`) shares."""

    def __init__(self, length: int) -> None:
        self.until = time.thread_time() + PATIENCE * (1 + length / 1_000_000)

    def tree(self, body: bytes) -> Tree:
        """The tree of a text; raises `Unreadable` when the time is up."""
        pieces = _Pieces(body, self.until)
        try:
            root = _parser().parse(pieces).root_node
        except SystemError as why:
            raise _rang(why) from None
        if pieces.why is not None:
            raise pieces.why
        return root


def _rang(why: BaseException) -> BaseException:
    """What an alarm raised on the way into a piece, which C hands on as an error of its own."""
    return why.__cause__ if isinstance(why, SystemError) and why.__cause__ else why


class _Pieces:
    """A text, a piece at a time; it ends early when something happens."""

    def __init__(self, body: bytes, until: float) -> None:
        self.body = body
        self.until = until
        self.why: BaseException | None = None
        """What happened: an exception cannot get through C."""

    def __call__(self, at: int, _: object) -> bytes:
        try:
            if self.why is None and time.thread_time() > self.until:
                self.why = Unreadable("it takes longer to read than any Ruby", 0)
            return self.body[at : at + _PIECE] if self.why is None else b""
        except BaseException as why:  # noqa: BLE001 - an alarm rings here
            self.why = _rang(why)
            return b""
