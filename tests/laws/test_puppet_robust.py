"""Whatever the text, there is a tree or a located, coded error, and every node has its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.puppet.syntax import parse, show, validate
from headwater.langs.puppet.syntax.ast import Expr, Heredoc, Interpolated, Name, Program, Variable
from headwater.langs.puppet.syntax.comments import comments
from headwater.langs.puppet.syntax.definition_checks import children
from headwater.text import Source
from laws.profile import law
from laws.strategies.puppet import programs
from peers.mutants import POOL

texts = st.text(max_size=60)
soups = st.lists(st.sampled_from([*POOL, "\n", " ", "\0", "\ud800", "é"]), max_size=25)

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


def look_at(source: Source) -> None:
    """Parses, validates, prints: nothing may raise, and errors have codes and places."""
    parsed = parse(source)
    found = [*parsed.diagnostics, *validate(parsed.program)]
    for diagnostic in found:
        assert diagnostic.code.startswith("puppet-")
        assert 0 <= diagnostic.at.start <= diagnostic.at.end <= len(source.text)
    if parsed.ok:
        show(parsed.program)
        check_places(parsed.program)
    comments(source)


def check_places(program: Program) -> None:
    """Every node lies in its parent, but for the text of a heredoc, which follows it."""
    text = program.source.text
    todo: list[tuple[Expr, int, int]] = [(node, 0, len(text)) for node in program.body]
    while todo:
        node, low, high = todo.pop()
        assert low <= node.start <= node.end <= high, (node, low, high)
        if isinstance(node, Name | Variable):
            shown = text[node.start : node.end]
            assert node.value == shown if isinstance(node, Name) else node.name in shown
        if isinstance(node, Heredoc):
            low, high = 0, len(text)
        else:
            low, high = node.start, node.end
        if isinstance(node, Interpolated):
            for before, after in zip(node.segments, node.segments[1:], strict=False):
                assert before.end <= after.start
        todo.extend((child, low, high) for child in children(node))


@given(texts, st.sampled_from(["x.pp", "x.epp"]))
@law(short=300, long=20000)
def test_any_text_gets_an_answer(text: str, name: str) -> None:
    look_at(Source(name, text))


@given(soups, st.sampled_from(["", " "]), st.sampled_from(["x.pp", "x.epp"]))
@law(short=600, long=20000)
def test_any_soup_of_tokens_gets_an_answer(words: list[str], glue: str, name: str) -> None:
    look_at(Source(name, glue.join(words)))


@given(programs(2))
@law(short=100, long=2000)
def test_every_node_has_its_place(body: list[Expr]) -> None:
    source = Source("x.pp", show(Program(body, Source("x.pp", ""))))
    look_at(source)
