"""``explain --to-win``: applying the suggestion makes the value win."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given

from headwater.langs import Job
from headwater.langs.l3.fields import Fields
from headwater.langs.l3.language import LANGUAGE
from headwater.langs.protocol import Suggestion
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.tree import Address, NotThere
from headwater.tree.json import compact
from laws.l3_runs import labels_of, run, why
from laws.profile import law
from laws.strategies import l3


def competes_around(found: dict[Any, Any], address: Address) -> bool:
    """Whether a literal that competes at a label competes with a block around it, too."""

    def places(at: Address) -> set[Any]:
        return {*found[at]["where"], *(place for _, place, _, _ in found[at]["masked"])}

    return any(places(address) & places(address[:depth]) for depth in range(len(address)))


def _warnings(sources: tuple[Source, ...]) -> Counter[str]:
    return Counter(one.code for one in LANGUAGE.check(Job(sources, Fields())))


def suggestions_hold(files: l3.Files) -> None:
    sources = l3.sources(files)
    outcome = run(sources)
    if outcome.result is None:
        return
    found = why(outcome)
    for address in list(labels_of(outcome))[:12]:
        for value, place, _, _ in found[address]["masked"][:2]:
            if place[0] != "literal":
                continue
            wanted = value.replace("null", "none")
            answer = LANGUAGE.to_win(LANGUAGE.compile(Job(sources, Fields())), address, wanted)
            if isinstance(answer, Diagnostic):
                assert answer.code == "l3-cannot-win"
                earned = "earns a warning" in answer.message
                assert earned or competes_around(found, address), "any other value can win"
                continue
            after = run(answer.apply(sources))
            assert after.result is not None
            try:
                assert compact(after.result.get(address)) == value, l3.texts(files)
            except NotThere:
                raise AssertionError(f"{address} is gone") from None
            if answer.edits:
                new = _warnings(answer.apply(sources)) - _warnings(sources)
                assert not new, "the change earns no warning"
                ties = [d for d in after.diagnostics if d.code == "l3-tie"]
                assert not any(LANGUAGE.show_address(address) in d.message.split(" could")[0].split(
                    ", ") for d in ties)  # fmt: skip


@law(140, 3_500)
@given(l3.programs)
def test_applying_the_suggestion_makes_the_value_win(files: l3.Files) -> None:
    suggestions_hold(files)


def ask(text: str, address: str, value: str) -> Suggestion | Diagnostic:
    job = Job((Source("a.l3", text),), Fields())
    return LANGUAGE.to_win(LANGUAGE.compile(job), LANGUAGE.parse_address(address), value)


def test_a_value_that_nobody_wrote_is_told_with_the_candidates() -> None:
    answer = ask("a: 1 <+> 2", "a", "3")

    assert isinstance(answer, Diagnostic)
    assert answer.code == "l3-not-a-candidate"
    assert len(answer.labels) == 2


def test_a_value_that_wins_already_needs_no_change() -> None:
    answer = ask("a: 1 #default <+> 2", "a", "2")

    assert isinstance(answer, Suggestion)
    assert answer.edits == ()


def test_a_text_may_be_written_without_quotes() -> None:
    answer = ask('a: "red" #p <+> "blue" #q', "a", "red")

    assert isinstance(answer, Suggestion)
    assert "#p > #q" in answer.message


def test_a_value_beside_the_block_around_it_can_win_inside() -> None:
    text = "a: 5\nb: { x: 1 } #final <+> { x: $a } <+> $a"
    answer = ask(text, "b.x", "5")

    assert isinstance(answer, Suggestion)
    assert answer.message.startswith("take #final off")


def test_two_data_files_cannot_hold_tags() -> None:
    sources = (Source("a.json", '{"a": 1}'), Source("b.json", '{"a": 2}'))
    answer = LANGUAGE.to_win(LANGUAGE.compile(Job(sources, Fields())), ("a",), "2")

    assert isinstance(answer, Diagnostic)
    assert answer.code == "l3-cannot-win"
    assert "tags cannot be written where the values stand" in answer.message


def test_data_files_are_not_edited() -> None:
    sources = (Source("a.l3", "a: 1"), Source("b.json", '{"a": 2}'))
    answer = LANGUAGE.to_win(LANGUAGE.compile(Job(sources, Fields())), ("a",), "2")

    assert isinstance(answer, Suggestion)
    assert {edit.at.source.name for edit in answer.edits} == {"a.l3"}
