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

    __slots__ = ("_begun", "_lowest", "_partial", "_trail", "whole")

    def __init__(self) -> None:
        self.whole: dict[Hashable, Node] = {}
        self._partial: dict[Hashable, tuple[Node, int]] = {}
        """Answers that rest on a question still open, with its depth."""
        self._trail: list[Hashable] = []
        """The keys of these in order, to be forgotten together."""
        self._begun: dict[Hashable, int] = {}
        """The questions that are open, with their depth."""
        self._lowest = _NEVER
        """The outermost open question that was asked again since the last one was begun."""

    def once(self, key: Hashable, make: Callable[..., Node], *args: object) -> Node:
        """The answer for a key, made from the arguments if it is not known."""
        whole = self.whole.get(key)
        if whole is not None:
            return whole
        partial = self._partial.get(key) if self._partial else None
        if partial is not None:
            if partial[1] < self._lowest:
                self._lowest = partial[1]
            return partial[0]
        begun = self._begun
        if key in begun:
            self._lowest = min(self._lowest, begun[key])
            return NOTHING
        outer, mark = self._lowest, len(self._trail)
        self._lowest = _NEVER
        depth = begun[key] = len(begun)
        try:
            node = make(*args)
        except BaseException:
            del begun[key]
            self._forget(mark)
            self._lowest = outer
            raise
        del begun[key]
        lowest = self._lowest
        if lowest == _NEVER:  # as nearly always
            self._lowest = outer
            self.whole[key] = node
        elif lowest >= depth:
            self._forget(mark)
            self._lowest = outer
            self.whole[key] = node
        else:
            self._lowest = min(outer, lowest)
            self._partial[key] = (node, lowest)
            self._trail.append(key)
        return node

    def _forget(self, mark: int) -> None:
        """Forgets what was answered in part since the trail was so long."""
        for old in self._trail[mark:]:
            del self._partial[old]
        del self._trail[mark:]

    def aside(self, make: Callable[..., Node], *args: object) -> Node:
        """An answer that is told beside the one being worked out, and is no part of it.

        What was answered in part meanwhile lacks what this answer has, so it is not used again.
        """
        mark = len(self._trail)
        try:
            return make(*args)
        finally:
            self._forget(mark)

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
