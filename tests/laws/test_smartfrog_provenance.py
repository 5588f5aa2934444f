"""Provenance laws of SmartFrog, with real edits.

D1  no output changes unless the edited input is in its `depends`
W1  every origin is an input      W2  what is written there is the value
W3  nothing is computed           W4  changing the origin changes the value
W5  erasing the causes changes no result
E1-E4 an expression is the label of the origin, and a dependency
"""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from headwater.langs.smartfrog.load import load
from headwater.langs.smartfrog.paper.domains import Store, Stuck
from headwater.langs.smartfrog.paper.valuation import Valuation
from headwater.langs.smartfrog.syntax import Assignment, Literal
from headwater.text import Source
from headwater.tree import Address
from headwater.tree.diff import same
from headwater.why import NOTHING, Given, Label, Node, Trace
from laws.edits import FRESH, Edit, edits, insertions, key_of, names_written
from laws.production import changed_components
from laws.profile import law
from laws.smartfrog_runs import Run, after, changed, program_of, references_of
from laws.strategies.smartfrog import WORDS, Program, programs, show_basic


@law(250, 4_000)
@given(programs(), st.data())
def test_d1_nothing_changes_but_what_depends_on_the_edited_input(
    program: Program, data: st.DataObject
) -> None:
    before = Run(program)
    assume(before.ok and before.leaves)
    references = references_of(program)
    all_edits = list(edits(before.loaded().body, data.draw(st.permutations(references))[:3]))
    assume(all_edits)
    known = {a: {key_of(x) for x in before.views(a).depends} for a in before.leaves}
    output = before.output()
    for edit in data.draw(st.permutations(all_edits))[:12]:
        then = after(program, edit)
        if not then.ok:
            continue
        for address in changed(before, then):
            assert edit.label in known[address], (edit, address)
        if set(before.leaves) != set(then.leaves):
            assert edit.label in output, edit
        for address in changed_components(before.leaves, then.leaves):
            assert edit.label in {key_of(x) for x in before.views(address).depends}, (edit, address)


@law(150, 4_000)
@given(programs(), st.data())
def test_d1_a_rename_to_a_name_that_exists_changes_what_names_either(
    program: Program, data: st.DataObject
) -> None:
    before = Run(program)
    assume(before.ok and before.leaves)
    renames = [e for e in edits(before.loaded().body, []) if e.kind == "rename"]
    assume(renames)
    known = {a: before.views(a).depends for a in before.leaves}
    for edit in data.draw(st.permutations(renames))[:6]:
        for name in data.draw(st.permutations(WORDS))[:3]:
            taken = replace(edit, new=edit.new.replace(FRESH, name))
            then = after(program, taken)
            if not then.ok:
                continue
            for address in changed(before, then):
                assert may_change(known[address], address, taken, name), (taken, address)


def may_change(labels: list[Label], address: Address, edit: Edit, name: str) -> bool:
    """Whether docs/provenance.md lets a value change if an attribute gets a name in use."""
    listed = edit.label in {key_of(label) for label in labels}
    return listed or name in address or any(names(label, name) for label in labels)


def names(label: Label, name: str) -> bool:
    """Whether a key, a reference or a miss has a name in it; SmartFrog's may have apostrophes."""
    return label.kind in ("key", "reference", "miss") and name in re.findall(
        r"[^\W\d][\w']*", label.text
    )


def test_d1_a_placement_through_a_link_is_renamed_to_a_name_with_an_apostrophe() -> None:
    text = """b extends { d NULL; é' d; a b; }, { a:a b; a:a a:é'; }
sfConfig extends b, b
"""
    before = Run(program_of(text))
    first = next(e for e in edits(before.loaded().body, []) if e.at.text == "a:a")
    taken = replace(first, new="a:é'")
    then = after(program_of(text), taken)
    assert ("a", "a") in changed(before, then)
    labels = before.views(("a", "a")).depends
    assert first.label not in {key_of(label) for label in labels}
    assert {label.text for label in labels if names(label, "é'")} == {"é'", "a:é'"}
    assert may_change(labels, ("a", "a"), taken, "é'")


@law(250, 4_000)
@given(programs())
def test_d1_an_attribute_written_at_a_miss_changes_what_records_it(program: Program) -> None:
    before = Run(program)
    assume(before.ok and before.leaves)
    known = {a: before.views(a).depends for a in before.leaves}
    misses = sorted(
        {x for d in known.values() for x in d if x.kind == "miss"}, key=lambda x: x.order
    )
    assume(misses)
    keys = {a: {key_of(x) for x in d} for a, d in known.items()}
    for miss in misses[:8]:
        # To write `d:a` is to write `d` as well: where that is missed too, one may undo the other;
        # and so may a later statement of the component that writes the very name.
        # What an empty component holds is a matter of the set of outputs, asked for below.
        recorded = {a for a, d in known.items() if miss in d and before.leaves[a] != {}}
        for edit in insertions(miss):
            then = after(program, edit)
            if then.ok:
                different = {a for a in changed(before, then) if before.leaves[a] != {}}
                for address in different:
                    assert key_of(miss) in keys[address], (edit, address)
                if set(before.leaves) != set(then.leaves):
                    assert key_of(miss) in before.output() or adds_only_itself(before, then)
                recorded -= different
            elif not then.fails_in(edit):
                recorded.clear()  # what made sense before makes none now: all outputs are gone
            if not recorded:
                break
        again = miss.text.split(":")[0] in names_written(before.loaded().body, miss)
        assert not recorded or again or not alone(miss, misses), (miss, recorded)


def alone(miss: Label, misses: list[Label]) -> bool:
    """Whether no other name on the same path is missed at the same place."""
    beside = (other.text for other in misses if other.at == miss.at and other != miss)
    return not any(f"{miss.text}:".startswith(f"{text}:") for text in beside)


def adds_only_itself(before: Run, then: Run) -> bool:
    """Whether the new leaves are the inserted attribute and copies of it."""
    new = set(then.leaves) - set(before.leaves)
    return all(then.leaves[address] == "fresh value" for address in new)


@law(300, 4_000)
@given(programs())
def test_w1_to_w4_and_e1_to_e4_a_value_is_what_is_written_at_its_origin(program: Program) -> None:
    before = Run(program)
    assume(before.ok and before.leaves)
    for address, value in before.leaves.items():
        views = before.views(address)
        assert len(views.origins) == 1  # W3: SmartFrog computes nothing
        origin = views.origins[0]
        assert origin in views.depends  # D4, E2
        assert views.expression == Given(origin)  # E3, E4
        if origin.kind in ("literal", "reference"):  # W1, W2, E1
            parsed = load(Source("one.sf", f"sfConfig extends {{ a {origin.at.text}; }} a 0;"))
            statement = parsed.body.statements[0]
            assert isinstance(statement, Assignment)
            written = Run(Program(parsed.body, {"main.sf": parsed.sources[0].text}))
            assert same(written.leaves[("a",)], value)
        else:
            assert origin.kind == "structure"
            assert isinstance(value, list | dict)


@law(150, 2_000)
@given(programs(), st.data())
def test_w4_changing_the_origin_changes_the_value(program: Program, data: st.DataObject) -> None:
    before = Run(program)
    literals = {
        a: before.views(a).origins[0]
        for a, v in before.leaves.items()
        if not isinstance(v, list | dict) and v != "fresh value"
    }
    assume(literals)
    address = data.draw(st.sampled_from(sorted(literals, key=str)))
    origin = literals[address]
    new = show_basic(Literal("fresh value"))
    then = after(program, Edit("literal", key_of(origin), origin.at, new))

    assert then.ok
    assert then.leaves[address] == "fresh value"


class SilentTrace(Trace):
    """A trace that notes nothing."""

    def label(self, label: Label) -> Node:
        return NOTHING

    miss = label

    def union(self, *nodes: Node) -> Node:
        return NOTHING

    def copy(self, of: Node, via: Node) -> Node:
        return NOTHING

    def choice(self, winner: Node, **_: object) -> Node:
        return NOTHING


@law(300, 4_000)
@given(programs(mistakes=True, includes=False))
def test_w5_erasing_the_causes_changes_no_result(program: Program) -> None:
    traced = Valuation().SF(program.body)
    plain = Valuation(trace=SilentTrace()).SF(program.body)
    if isinstance(traced, Stuck):
        assert isinstance(plain, Stuck)
        assert plain.code == traced.code
    else:
        assert not isinstance(plain, Stuck)
        assert plain[0] == traced[0]  # causes do not take part in equality
        assert isinstance(plain[0], Store)
