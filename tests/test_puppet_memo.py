"""Answers to questions that lead back to themselves."""

from __future__ import annotations

from headwater.langs.puppet.why.memo import Memo
from headwater.text import Source
from headwater.why import Label, Node, Trace, depends

TRACE = Trace()
MARK = TRACE.label(Label("literal", Source("t.pp", "1").span(0, 1), "1"))


def test_what_is_told_beside_an_answer_leaves_no_hole_in_it() -> None:
    """a tells b beside it and rests on c; c rests on b and a, and b on c, a and the mark."""
    memo = Memo()

    def a() -> Node:
        memo.aside(lambda: memo.once("b", b))
        return memo.once("c", c)

    def b() -> Node:
        return TRACE.union(memo.once("c", c), memo.once("a", a), MARK)

    def c() -> Node:
        return TRACE.union(memo.once("b", b), memo.once("a", a))

    assert depends(TRACE, memo.once("a", a)) == depends(TRACE, MARK)
