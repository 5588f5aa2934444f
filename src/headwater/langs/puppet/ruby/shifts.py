"""``a<<b`` without blanks: the parser takes it for a heredoc, and Ruby does not.

A mark that follows a name, a number or a closing bracket at once is no heredoc.  A blank after such
a ``<<`` tells the parser so; where things stand is told of the text without it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from headwater.langs.puppet.ruby.reading import is_shift

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from headwater.langs.puppet.ruby.grammar import Patience

_MOST: Final = 200


@dataclass(frozen=True)
class Shifted:
    """A text with blanks put in, and where they stand in it."""

    text: str
    blanks: list[int]

    def origins(self, outer: Callable[[int], int] | None) -> Callable[[int], int]:
        """What leads an offset back to the text without the blanks, and from there on."""

        def back(at: int) -> int:
            own = at - bisect_left(self.blanks, at)
            return own if outer is None else outer(own)

        return back


def with_blanks(text: str, patience: Patience) -> Shifted | None:
    """The text with a blank after each ``<<`` that only looks like a heredoc; None without any."""
    body = text.encode("utf-8", "surrogatepass")
    blanks: list[int] = []
    while len(blanks) < _MOST and (at := _first(body, patience)) is not None:
        body = body[:at] + b" " + body[at:]
        blanks.append(len(body[:at].decode("utf-8", "replace")))
    if not blanks:
        return None
    return Shifted(body.decode("utf-8", "surrogatepass"), sorted(blanks))


def _first(body: bytes, patience: Patience) -> int | None:
    """Where a blank is missing, after the first such ``<<``."""
    pending: list[Tree] = [patience.tree(body)]
    while pending:
        node = pending.pop()
        if node.type == "heredoc_beginning" and is_shift(body, node):
            return node.start_byte + 2
        pending.extend(reversed(node.children))
    return None
