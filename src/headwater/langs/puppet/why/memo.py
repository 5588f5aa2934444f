"""`Memo`: answers are worked out once, and circles among questions end.

A question that is asked again while it is being answered gives NOTHING, because a value
never depends on itself.  What was answered meanwhile is then only a part of the answer: it
is kept until the question that the circle began with is answered, and worked out again
when somebody asks later.  So no answer hangs on what was asked before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from headwater.why import NOTHING, Node

_NEVER = 1 << 60


class Memo:
    """The answers of one replay."""

    __slots__ = ("_begun", "_depth", "_lowest", "_partial", "_trail", "_whole")

    def __init__(self) -> None:
        self._whole: dict[Hashable, Node] = {}
        self._partial: dict[Hashable, tuple[Node, int]] = {}
        """Answers that rest on a question still open, with its depth."""
        self._trail: list[Hashable] = []
        """The keys of these in order, to be forgotten together."""
        self._begun: dict[Hashable, int] = {}
        """The questions that are open, with their depth."""
        self._lowest = _NEVER
        """The outermost open question that was asked again since the last one was begun."""
        self._depth = 0

    def once(self, key: Hashable, make: Callable[..., Node], *args: object) -> Node:
        """The answer for a key, made from the arguments if it is not known."""
        whole = self._whole.get(key)
        if whole is not None:
            return whole
        partial = self._partial.get(key)
        if partial is not None:
            if partial[1] < self._lowest:
                self._lowest = partial[1]
            return partial[0]
        begun = self._begun.get(key)
        if begun is not None:
            if begun < self._lowest:
                self._lowest = begun
            return NOTHING
        outer, mark = self._lowest, len(self._trail)
        self._lowest = _NEVER
        depth = self._depth
        self._depth = depth + 1
        self._begun[key] = depth
        answered = False
        try:
            node = make(*args)
            answered = True
        finally:
            del self._begun[key]
            self._depth = depth
            lowest = self._lowest
            if not answered or lowest >= depth:
                for old in self._trail[mark:]:
                    del self._partial[old]
                del self._trail[mark:]
                lowest = _NEVER
            if outer < lowest:
                self._lowest = outer
            else:
                self._lowest = lowest
        if lowest == _NEVER:
            self._whole[key] = node
        else:
            self._partial[key] = (node, lowest)
            self._trail.append(key)
        return node

    def aside(self, make: Callable[..., Node], *args: object) -> Node:
        """An answer that is told beside the one being worked out, and is no part of it.

        What was answered in part meanwhile lacks what this answer has, so it is not used again.
        """
        mark = len(self._trail)
        try:
            return make(*args)
        finally:
            for old in self._trail[mark:]:
                del self._partial[old]
            del self._trail[mark:]

    def watched(self, make: Callable[..., Node], *args: object) -> tuple[Node, bool]:
        """An answer, and whether it is whole."""
        outer = self._lowest
        self._lowest = _NEVER
        try:
            node = make(*args)
        finally:
            found = self._lowest
            self._lowest = min(outer, found)
        return node, found == _NEVER
