"""``headwater check`` for L3: compositions that are ambiguous, annotations that do nothing."""

from __future__ import annotations

from headwater.langs import Job
from headwater.langs.fields import NoFields
from headwater.langs.l3.language import LANGUAGE
from headwater.text import Source


def found(*texts: str) -> list[tuple[str, int]]:
    """Code and line of every finding."""
    sources = tuple(Source(f"f{i}.l3", text) for i, text in enumerate(texts))
    return [(d.code, d.at.first.line) for d in LANGUAGE.check(Job(sources, NoFields()))]


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
    job = Job((Source("f.l3", "a: (1 #p <+> 2 #q)\n  #p > #q\n  #q > #p"),), NoFields())
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
    answer = LANGUAGE.to_win(Job(sources, NoFields()), ("a",), "2")

    assert getattr(answer, "code", None) == "l3-cannot-win"


def test_messages_name_values_tags_files_and_lines() -> None:
    sources = (Source("a.l3", "x: 1 #final #alice"), Source("b.l3", "\nx: 2 #final #bob"))
    (clash,) = LANGUAGE.compile(Job(sources, NoFields())).diagnostics

    assert "1 and 2" in clash.message
    assert [(n.message, str(n.at)) for n in clash.labels] == [
        ("1 written here with #alice #final", "a.l3:1:4"),
        ("2 written here with #bob #final", "b.l3:2:4"),
    ]


def test_steps_tell_the_rules_in_order() -> None:
    job = Job((Source("a.l3", "a: 1 #default\nb: $a <+> 2"),), NoFields())
    rules = [step.rule for step in LANGUAGE.steps(job)]  # type: ignore[union-attr]

    assert rules[:3] == ["Primitive", "Tag", "Reference"]
    assert "Composition" in rules
    assert rules[-1] == "Default"
