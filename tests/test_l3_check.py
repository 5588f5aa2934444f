"""``headwater check`` for L3: compositions that are ambiguous, annotations that do nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from headwater.langs import Job
from headwater.langs.l3.fields import Fields
from headwater.langs.l3.language import LANGUAGE
from headwater.langs.protocol import Suggestion
from headwater.text import Source
from headwater.why import depends


def found(*texts: str) -> list[tuple[str, int]]:
    """Code and line of every finding."""
    sources = tuple(Source(f"f{i}.l3", text) for i, text in enumerate(texts))
    return [(d.code, d.at.first.line) for d in LANGUAGE.check(Job(sources, Fields()))]


def test_a_clean_composition_has_no_findings() -> None:
    assert found("a: (1 #p <+> 2 #q) #p > #q") == []


def test_ties_are_findings() -> None:
    assert found("a: 1 <+> 2") == [("l3-tie", 1)]


def test_tags_that_no_constraint_mentions() -> None:
    assert found("a: 1 #alise\nb: 2 #default <+> 3 #final") == [("l3-unused-tag", 1)]


def test_constraints_that_never_decide() -> None:
    text = "a: { x: 1 #p } #p > #q\nb: (1 #p <+> 2 #r #final) #p > #r"
    assert found(text) == [("l3-idle-constraint", 1), ("l3-idle-constraint", 2)]


def test_a_constraint_that_another_file_makes_decide_is_used() -> None:
    assert found("x: 1 #p", "x: 2 #q", "{} #q > #p") == []


def test_constraints_in_a_cycle_are_told_together() -> None:
    assert found("a: { x: 1 #p, y: 2 #q } #p > #q #q > #p") == [("l3-constraint-cycle", 1)]
    job = Job((Source("f.l3", "a: (1 #p <+> 2 #q)\n  #p > #q\n  #q > #p"),), Fields())
    tie, cycle = LANGUAGE.check(job)

    assert tie.code == "l3-tie"
    assert "contradict" in tie.message
    assert [note.at.first.line for note in cycle.labels] == [2, 3]


def test_labels_that_only_defaults_define_unless_they_are_templates() -> None:
    text = "template: { x: 1 #default, y: 2 #default }\nmine: $template <+> { x: 3 }"
    assert found(text) == [("l3-only-defaults", 1)]


def test_errors_come_alone() -> None:
    assert found("a: $b\nc: 1 #unused") == [("l3-unknown-name", 1)]
    assert found("a: 1 #final <+> 2 #final") == [("l3-final-clash", 1)]


def test_a_value_that_no_change_makes_win() -> None:
    sources = (Source("a.json", '{"a": 1}'), Source("b.json", '{"a": 2}'))
    answer = LANGUAGE.to_win(LANGUAGE.compile(Job(sources, Fields())), ("a",), "2")

    assert getattr(answer, "code", None) == "l3-cannot-win"


def test_messages_name_values_tags_files_and_lines() -> None:
    sources = (Source("a.l3", "x: 1 #final #alice"), Source("b.l3", "\nx: 2 #final #bob"))
    (clash,) = LANGUAGE.compile(Job(sources, Fields())).diagnostics

    assert "1 and 2" in clash.message
    assert [(n.message, str(n.at)) for n in clash.labels] == [
        ("1 written here with #alice #final", "a.l3:1:4"),
        ("2 written here with #bob #final", "b.l3:2:4"),
    ]


def test_steps_tell_the_rules_in_order() -> None:
    job = Job((Source("a.l3", "a: 1 #default\nb: $a <+> 2"),), Fields())
    rules = [step.rule for step in LANGUAGE.steps(job)]  # type: ignore[union-attr]

    assert rules[:3] == ["Primitive", "Tag", "Reference"]
    assert "Composition" in rules
    assert rules[-1] == "Default"


# -- tags on the command line, and changes that earn no warning ------------------------------------


def _two(a: str, b: str) -> tuple[Source, ...]:
    return Source("a.l3", a), Source("b.yaml", b)


def test_a_file_that_takes_no_tags_is_tagged_on_the_command_line() -> None:
    sources = _two("a: 1 #base\nb: 1 #base\n", "a: 2\n")
    for engine in ("engine", "paper"):
        for tags, value in (
            (["b.yaml=#sec #sec > #base"], 2),
            (["b.yaml=#sec", "a.l3=#sec < #base"], 1),
            (["./b.yaml=#default"], 1),
            (["b.yaml=#final"], 2),
        ):
            outcome = LANGUAGE.compile(Job(sources, Fields(tag=tags), engine=engine))
            assert outcome.result is not None, outcome.errors
            assert not outcome.diagnostics, (tags, outcome.diagnostics)
            assert outcome.result.get(("a",)) == value, tags
    outcome = LANGUAGE.compile(Job(sources, Fields(tag=["b.yaml=#sec #sec > #base"])))
    assert outcome.causes is not None
    names = {x.at.source.name for x in depends(outcome.causes.trace, outcome.causes.of(("a",)))}
    assert "--tag b.yaml" in names


@pytest.mark.parametrize("tag", ["b.yaml", "b.yaml=", "c.yaml=#x", "=#x", "b.yaml=x", "b.yaml=#"])
def test_a_tag_that_cannot_be_is_refused(tag: str) -> None:
    outcome = LANGUAGE.compile(Job(_two("a: 1", "a: 2"), Fields(tag=[tag])))
    assert outcome.result is None
    assert {one.code for one in outcome.errors} <= {
        "l3-bad-tag",
        "l3-syntax",
        "l3-unknown-character",
    }


def test_what_makes_a_value_win_earns_no_warning() -> None:
    texts = ["a: 1 #x\n", "a: 2 #y\n", "b: { a: 1 #default, c: 2 } <+> { a: 3 }\n",
             "d: 1 #final <+> 2\n", "e: 1 <+> 2 #default <+> 3 #default\n"]  # fmt: skip
    for address, value in ((("a",), "2"), (("b", "a"), "1"), (("d",), "2"), (("e",), "3")):
        sources = tuple(Source(f"{i}.l3", text) for i, text in enumerate(texts))
        before = Counter(one.code for one in LANGUAGE.check(Job(sources, Fields())))
        answer = LANGUAGE.to_win(LANGUAGE.compile(Job(sources, Fields())), address, value)
        assert isinstance(answer, Suggestion), answer
        after = answer.apply(sources)
        found = Counter(one.code for one in LANGUAGE.check(Job(after, Fields())))
        assert found <= before, (address, answer.message, found)
