"""The worlds that the checker knows in one block, up to the border of a handle or hyp.

Nothing is copied at a border: a name that was not touched since is looked up outside when
somebody asks.  Nor at an if: each branch notes what it overwrites, and is undone.
"""

from __future__ import annotations

from typing import TypeAlias

from headwater.langs.opal.scope import Gone, Live, in_one_branch
from headwater.text import Span

Status: TypeAlias = Live | Gone | None


class Worlds:
    """What the block has done to world variables, seen over the block around it.

    Seen from inside, a live world of the outer block is `border`; one that is gone there
    is unknown here, and so is everything behind the next border.
    """

    __slots__ = ("_border", "_branches", "_here", "_outer")

    def __init__(self, outer: Worlds | None = None, border: Gone | None = None) -> None:
        self._outer = outer
        self._border = border
        self._here: dict[str, Live | Gone] = {}
        self._branches: list[dict[str, Live | Gone | None]] = []
        """For each branch of an if that is open: the names it touched, with what they were."""

    def get(self, name: str) -> Status:
        """A world, or why it is not there."""
        status = self._here.get(name)
        if status is not None or self._outer is None:
            return status
        return self._border if type(self._outer._here.get(name)) is Live else None

    def set(self, name: str, status: Live | Gone) -> None:
        """A world is declared or used up."""
        if self._branches:
            self._branches[-1].setdefault(name, self._here.get(name))
        self._here[name] = status

    def live(self) -> list[str]:
        """The names that can be used here."""
        return [name for name, status in self._here.items() if type(status) is Live]

    def leave(self, how: Gone | None) -> Worlds:
        """The outer block again; the worlds made in this one are lost, or were never known."""
        outer = self._outer
        assert outer is not None
        if how is not None:
            for name in self.live():
                if outer.get(name) is None:
                    outer.set(name, how)
        return outer

    # --- if ---------------------------------------------------------------------------

    def branch(self) -> None:
        """A branch begins."""
        self._branches.append({})

    def undo(self) -> dict[str, Status]:
        """The branch ends and nothing of it stays; what it left is the answer."""
        left: dict[str, Status] = {}
        for name, before in self._branches.pop().items():
            left[name] = self._here[name]
            if before is None:
                del self._here[name]
            else:
                self._here[name] = before
        return left

    def join(self, one: dict[str, Status], other: dict[str, Status], at: Span) -> None:
        """After both branches: only worlds that both leave are there."""
        for name in one.keys() | other.keys():
            before = self.get(name)
            left, right = one.get(name, before), other.get(name, before)
            if (type(left) is Live) == (type(right) is Live):
                status = left or right
            else:
                status = in_one_branch(right if type(left) is Live else left, before, at)
            assert status is not None
            self.set(name, status)
