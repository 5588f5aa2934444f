"""Laws of the production and extended dialects, on generated specifications with real edits.

D1  no output changes unless the edited input is in its `depends`
W1  every origin is an input          W2  what is written there is the value
W3  a value without an origin has an expression
E1  an expression over numbers, evaluated, gives the value     E2  its leaves are dependencies
M1  undoing what decided a contest brings back the first masked value
"""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from headwater.ask import Request, compile_request
from headwater.langs.generation import Wanted
from headwater.langs.smartfrog.language import LANGUAGE
from headwater.langs.smartfrog.production.lexer import number
from headwater.langs.smartfrog.production.types import Typing
from headwater.text import Source, Span
from headwater.tree import Address
from headwater.tree.diff import same
from headwater.why import Applied, Expression, Given, Label
from laws.edits import FRESH, FRESH_LITERAL, Edit, insertions, key_of
from laws.production import ABSENT, Run, only_what_depends_changes
from laws.profile import law
from laws.strategies.smartfrog_chains import chains, placing
from laws.strategies.smartfrog_merges import NAMES, merges

SEEDS = st.integers(0, 1_000_000)
DIALECTS = ("production", "extended")
Generated = Callable[[int], str]
SIGNS = {"+": operator.add, "*": operator.mul, "-": operator.sub}


def generate(seed: int, dialect: str, *, invalid: bool = False) -> str:
    """The specification of a seed."""
    wanted = Wanted(mistake="any" if invalid else None)
    return LANGUAGE.generator.program(seed, dialect, wanted)


@pytest.mark.parametrize("dialect", DIALECTS)
@law(60, 1_500)
@given(SEEDS)
@example(5714)  # inherits from itself
@example(5988)  # a component is merged into the one before, and has nothing in it
@example(2314)  # a name in the block makes the component a function
@example(894523)  # something is placed through a link, out of the component it is written in
@example(780924)  # a function in a list would be kept, list and all, if its operand were lazy
@example(631737)  # the branch not taken is not lazy
@example(51484)  # a second writing ends a tag that what is placed over it would have
@example(286667)  # without what is written over a link, something would be placed through it
@example(941468)
@example(819215)  # something would be placed through a link by a component that is written over
@example(29412)  # a component is placed over before its heir takes it over
@example(488991)  # two copies place the same attribute into one component
@example(365741)  # a kept function is shown with its attributes in the order of their first writing
def test_d1_nothing_changes_but_what_depends_on_the_edited_input(dialect: str, seed: int) -> None:
    before = Run(generate(seed, dialect), dialect)
    assume(before.ok and before.leaves)
    dice = random.Random(seed)
    references = before.references()
    dice.shuffle(references)
    every = before.edits(references[:3])
    dice.shuffle(every)
    only_what_depends_changes(before, every[:12])


@pytest.mark.parametrize("generated", [chains, placing])
@law(30, 2_500)
@given(SEEDS)
@example(1093)  # what is placed over a component comes when an earlier writing of it would have
@example(1344)  # without the component it would have gone into, something waits for the next one
@example(1437)
@example(1821)
def test_d1_holds_where_prototypes_meet_tags_and_placements(
    generated: Generated, seed: int
) -> None:
    before = Run(generated(seed), "production")
    assume(before.ok and before.leaves)
    dice = random.Random(seed)
    references = before.references()
    every = before.edits(["a", *dice.sample(references, min(2, len(references)))])
    only_what_depends_changes(before, dice.sample(every, min(10, len(every))))
    only_what_records_a_miss_changes(before, 4)


TAGGED = [
    # What is placed or written over an attribute has its tags, but not those a second writing ends.
    "sfConfig extends { [sfTemp] a 1; a 2; } sfConfig:a 3;",
    "P extends { [sfTemp] a 1; a 2; } Q extends P, { a 3; } sfConfig extends Q, { a 4; }",
    # It is a prototype's tag that hides the attribute.
    "P extends { [sfLocal] a 1; } sfConfig extends { x extends P, { a 2; } b OPTIONAL(5) x:a; }",
    # A list is without what is temporary in its components.
    "sfConfig extends { a extends { [sfTemp] b 1; c 2; } d [a, [a]]; e d; }",
]


@pytest.mark.parametrize("text", TAGGED)
def test_d1_holds_for_tags(text: str) -> None:
    before = Run(text, "production")
    assert before.ok
    only_what_depends_changes(before, [*before.edits(before.references()), *before.tag_edits()])


@pytest.mark.parametrize("generated", [chains, placing])
@law(40, 4_000)
@given(SEEDS)
def test_d1_a_tag_changes_only_what_depends_on_it(generated: Generated, seed: int) -> None:
    dice = random.Random(seed)
    text = re.sub(r"(?<=[{;] )\b(?=[a-z])", lambda _: some_tag(dice), generated(seed))
    before = Run(text, "production")
    assume(before.ok)
    only_what_depends_changes(before, before.tag_edits())


def some_tag(dice: random.Random) -> str:
    """A tag that means something, now and then."""
    tags = ["sfTemp", "sfLocal", "sfFinal", "sfOverride"]
    return f"[{dice.choice(tags)}] " if dice.random() < 0.1 else ""


@pytest.mark.parametrize("dialect", DIALECTS)
@law(20, 1_000)
@given(SEEDS)
@example(5714)
@example(111817)
@example(729021)  # an element of a list is a component until its prototype is a function
def test_d1_a_rename_to_a_name_that_is_used_changes_what_names_either(
    dialect: str, seed: int
) -> None:
    before = Run(generate(seed, dialect), dialect)
    assume(before.ok and before.leaves)
    known = {a: before.views(a).depends for a in before.leaves}
    dice = random.Random(seed)
    renames = [edit for edit in before.edits([]) if edit.kind == "rename"]
    parts = {str(part) for address in before.leaves for part in address}
    names = sorted(part for part in parts if part.isidentifier())
    for edit in dice.sample(renames, min(6, len(renames))):
        for name in dice.sample(names, min(3, len(names))):
            then = before.after(replace(edit, new=edit.new.replace(FRESH, name)))
            for address in before.changed(then) if then.ok else ():
                labels = known[address]
                named = any(name in re.findall(r"\w+", label.text) for label in labels)
                listed = edit.label in {key_of(label) for label in labels}
                assert listed or named or name in address, (edit, name, address, before.text)


@pytest.mark.parametrize("dialect", DIALECTS)
@law(40, 1_500)
@given(SEEDS)
@example(171)  # what is missed is a placement, and goes through a link in an heir
@example(10389)  # a component in a list gains the attribute
@example(15738)  # what is missed is a component that is merged with a later one
@example(563)  # a component lacks what it would have been merged with
def test_d1_an_attribute_written_at_a_miss_changes_only_what_records_it(
    dialect: str, seed: int
) -> None:
    before = Run(generate(seed, dialect), dialect)
    assume(before.ok and before.leaves)
    only_what_records_a_miss_changes(before, 5)


@law(15, 1_500)
@given(SEEDS)
def test_d1_holds_where_components_are_merged(seed: int) -> None:
    before = Run(merges(seed), "extended")
    assume(before.ok and before.leaves)
    dice = random.Random(seed)
    every = before.edits(dice.sample(["a", "a:b", "c", "p0", *before.references()], 3))
    only_what_depends_changes(before, dice.sample(every, min(12, len(every))))
    only_what_records_a_miss_changes(
        before, 5, [f"extends {{ {x} {FRESH_LITERAL}; }}" for x in NAMES]
    )


def only_what_records_a_miss_changes(before: Run, most: int, values: Sequence[str] = ()) -> None:
    """Asserts D1 for some misses; besides plain values, others that are written there."""
    known = {a: before.views(a).depends for a in before.leaves}
    keys = {a: {key_of(x) for x in labels} for a, labels in known.items()}
    own = before.source.name  # nothing is written in the files of the library
    every = (x for labels in known.values() for x in labels)
    misses = {x for x in every if x.kind == "miss" and x.at.source.name == own}
    for miss in sorted(misses, key=lambda x: x.order)[:most]:
        at = Span(miss.at.source, miss.at.start, miss.at.start)
        others = [Edit("insert", key_of(miss), at, f" {miss.text} {value} ") for value in values]
        for edit in [*insertions(miss), *others]:
            if before.dialect == "extended" and edit.new.count(FRESH_LITERAL) > 1:
                continue
            then = before.after(edit)
            for address in before.changed(then, gained=False) if then.ok else ():
                listed = key_of(miss) in keys[address]
                again = writes_again(before, miss, edit, address)
                assert listed or again, (edit, address, before.text)


def writes_again(before: Run, miss: Label, edit: Edit, address: Address) -> bool:
    """Whether an insertion at ``a:b`` is one more write to something of that name.

    What is placed goes over what is there, also in an heir, where ``a`` may lead elsewhere.  A
    component `a` is written over the one that is inherited; in the extended dialect it is merged
    with a later one, or written over the very component that lacks `b`: if that has no block, the
    miss stands behind it.
    """
    parts = miss.text.split(":")
    if len(parts) == 1:
        return False
    if ":" in edit.new.split()[0]:
        labels = before.views(address).depends
        named = {word for label in labels for word in re.findall(r"\w+", label.text)}
        return any(part in named or part in address for part in parts)
    if before.dialect == "extended":
        behind = before.text[: miss.at.start].rstrip()[-1:] not in ("", "{")
        if behind or parts[0] in before.names_written(miss):
            return True
    other = replace(edit, new=edit.new.replace(f"{parts[-1]} {FRESH_LITERAL}", f"{FRESH} 1"))
    then = before.after(other)
    return other != edit and then.ok and address in before.changed(then)


@pytest.mark.parametrize("dialect", DIALECTS)
@law(100, 3_000)
@given(SEEDS)
def test_w1_to_w3_and_e1_e2_a_value_is_what_its_origin_or_expression_says(
    dialect: str, seed: int
) -> None:
    before = Run(generate(seed, dialect), dialect)
    assume(before.ok and before.leaves)
    for address, value in before.leaves.items():
        views = before.views(address)
        assert views.expression is not None
        if not views.origins:
            assert isinstance(views.expression, Applied)  # W3
            assert leaves(views.expression) <= set(views.depends)  # E2
            result = computed(views.expression)
            assert result is None or result == value  # E1
            continue
        origin = views.origins[0]
        assert origin in views.depends
        if origin.kind == "literal":
            text = f"sfConfig extends {{ a {origin.at.text}; }}"
            written = Run(text, dialect)
            if origin.at.text != ";":
                assert same(written.leaves[("a",)], value), (address, before.text)
        else:
            kept = isinstance(value, str) and value.startswith("$LAZY APPLY")
            kinds = ("structure", "reference", "operation") if kept else ("structure", "reference")
            assert origin.kind in kinds, (origin, before.text)


def leaves(expression: Expression) -> set[Any]:
    """The inputs of an expression."""
    if isinstance(expression, Given):
        return {expression.label}
    return set().union(*(leaves(arg) for arg in expression.args))


def computed(expression: Expression) -> object:
    """The value of an expression of numbers, or nothing."""
    if isinstance(expression, Given):
        text = expression.label.at.text
        if expression.label.kind != "literal" or not text.lstrip("-").isdigit():
            return None
        return number(Source("n", text).span(0, len(text)), [])
    args = [computed(arg) for arg in expression.args]
    if expression.name not in SIGNS or None in args:
        return None
    return reduce(SIGNS[expression.name], args)


@pytest.mark.parametrize("dialect", DIALECTS)
@law(80, 2_000)
@given(SEEDS)
@example(111817)  # inherits from itself
def test_m1_undoing_the_decision_brings_back_the_first_masked_value(
    dialect: str, seed: int
) -> None:
    before = Run(generate(seed, dialect), dialect)
    # Where components are merged, deleting a statement undoes more than one decision.
    assume(before.ok and "merge" not in before.text)
    deletions = {e.label: e for e in before.edits([]) if e.kind == "delete"}
    for address in before.leaves:
        masked = before.views(address).masked
        if not masked or masked[0].where is None or masked[0].where.kind != "literal":
            continue
        decided = [x for x in masked[0].by if x.kind == "key"]
        if not decided or key_of(decided[0]) not in deletions:
            continue
        then = before.after(deletions[key_of(decided[0])])
        if then.ok and set(then.leaves) == set(before.leaves):
            now = then.leaves.get(address, ABSENT)
            assert same(now, masked[0].value), (address, decided, before.text)  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["core", *DIALECTS])
@law(60, 2_000)
@given(SEEDS)
@example(647)  # a component inherits from one that it lies in, by way of a prototype at the top
def test_generated_specifications_compile_and_spoilt_ones_get_an_answer(
    dialect: str, seed: int
) -> None:
    assert Run(generate(seed, dialect), dialect).ok
    spoilt = compile_request(
        Request(
            sources=(Source("main.sf", generate(seed, dialect, invalid=True)),), dialect=dialect
        )
    )
    for diagnostic in spoilt.outcome.errors:
        assert diagnostic.at.source.name == "main.sf"


@law(60, 2_000)
@given(SEEDS)
def test_extended_means_the_same_where_the_core_accepts_and_nothing_is_placed(seed: int) -> None:
    text = generate(seed, "core")
    assume(not any(":" in line.split()[0] for line in text.split("\n") if line.strip()))
    core, extended = Run(text, "core"), Run(text, "extended")

    assert core.ok
    assert list(core.leaves.items()) == list(extended.leaves.items())


@law(60, 2_000)
@given(SEEDS)
def test_forward_links_always_come_to_an_end(seed: int) -> None:
    # The skeleton's references point anywhere, forwards, backwards and round; the call returns.
    text = generate(seed, "extended", invalid=True)
    shuffled = text.split("\n")
    random.Random(seed).shuffle(shuffled)
    Run("\n".join(shuffled), "extended")
    Run(text, "extended")


CHAINS = [
    # Each link places something: into its own component, that of another link, over what is there,
    # inside of what it placed; heirs place too, override what something goes into, or go into it.
    "p0 extends { m extends { a 1; } m:b 2; } p1 extends p0, { m:b 3; x extends { y extends { } } "
    "x:y:c b; x:z extends { } x:z:d 4; b 5; } p2 extends p1, { m:a x:z:d; x:y:e 6; b 7; } p1:n 8; "
    "sfConfig extends { q extends p2, { x:z:f 9; } r extends p1, { m:b 8; } s p1:m; t extends p0 }",
    "p0 extends { m extends { a 1; } m:b 2; } p1 extends p0, { m 3; } sfConfig extends p1",
    "p0 extends { m extends { } m:b 2; } p1 extends p0, { m extends { c 4; } m:d c; } "
    "p0:m:e 5; sfConfig extends p1, { n p0:m; }",
    # What is kept for heirs has functions too.
    "p0 extends { f (1 + 2); m extends { } } p1 extends p0, { a 5; } p2 extends p1, { b 1; } "
    "p1:c 1; p0:m:d 4; sfConfig extends { x extends p2, { y 6; } }",
    # Placed into a function, and a function placed.
    '#include "org/smartfrog/functions.sf"\np0 extends { m extends sum, { a 1; } m:b 2; } '
    "p1 extends p0, { m:c b; m:d (1 + b); b 3; } sfConfig extends { x extends p1, { m:e m; } "
    "y extends p1, { m:e 4; b 5; } z extends p0; }",
    # Something is placed into each link: its heirs keep what was there before.
    "p0 extends { a 1; } p1 extends p0, { b 2; } p1:y 1; p2 extends p1, { c 3; } p0:y 2; "
    "p2:y 3; p2:z 4; sfConfig extends p2, { d y; e extends p1; y 5; }",
    "p0 extends { m extends { n 1; } } p1 extends p0, { b 2; } p1:x 1; p0:y 2; p1:m:n 3; p0:m:o 4; "
    "sfConfig extends { q extends p1, { m:n 5; } r extends p1, { s m:n; } t extends p0; }",
    # A chain of functions.
    '#include "org/smartfrog/functions.sf"\np0 extends sum, { a 1; } p1 extends p0, { b 2; } '
    "p2 extends p1, { c 3; a 4; } p1:e 1; sfConfig extends { s extends p2; t extends p2, { d s; } "
    "u extends p1, { sfFunctionLazy true; } v extends p2, { -- t; } w extends p0; x [s, t, w]; }",
    # The last link places something, and so do its own heirs.
    "p0 extends { l extends { v 1; } u (v ++ w); v 1; w 2; } p1 extends p0, { w 3; u (w ++ v); } "
    "sfConfig extends { a extends p1, { l:v w; u 4; } b extends p1, { l:v 5; } c extends p1; }",
    "p0 extends { a 1; c extends { d 1; e a; } }\n"
    "p1 extends p0, { b 2; c extends p0:c, { f 1; } }\n"
    "p2 extends p1, { a 3; }\np3 extends p2, { g b; h (a + b); }\n"
    "sfConfig extends p3, { a 4; z p1:b; y extends p2; }",
    "p0 extends { a 1; b extends { } }\nq extends { c 2; }\np1 extends p0, q, { d 4; }\n"
    "p2 extends p1, q, { a 5; i extends q; }\nsfConfig extends p2",
    "F extends { phase.function 'x'; }\np0 extends { s (1 + 2); }\np1 extends p0, { s 3; t 4; }\n"
    "sfConfig extends p1, { [sfFinal] u 1; }",
    "p0 extends { [sfFinal] a 1; }\np1 extends p0, { b 1; }\nsfConfig extends p1, { a 2; }",
    "p0 extends { a TBD; i extends { k a; } }\np1 extends p0, { a 1; }\n"
    "sfConfig extends p1, { n p0:i; }",
    # What overrides something is typed in its place; here the first error tells.
    "p0 extends { q extends { } }\np1 extends p0, { x extends one; q extends two; }\n"
    "sfConfig extends p1",
    "p0 extends { q extends { } r extends { } }\np1 extends p0, { r extends one; q extends two; }\n"
    "sfConfig extends p1",
    # A function in a prototype of what was overridden.
    "p0 extends { f (1 + 2); }\np1 extends { c extends p0; }\np2 extends p1, { c 5; }\n"
    "sfConfig extends p2",
    # Tags that forbid something, and tags that do not.
    "p0 extends { [sfOverride] a 1; }\np1 extends p0, { b 1; }\nsfConfig extends p1",
    "p0 extends { a 1; }\np1 extends p0, { [sfOverride] a 2; }\n"
    "p2 extends p1, { [mine] a 3; [sfOverride] b 1; }\nsfConfig extends p2",
    "p0 extends { a 1; }\np1 extends p0, { [sfOverride] a 2; [sfTemp] c 1; }\n"
    "p2 extends p1, { [mine] a 3; d c; }\nsfConfig extends p2, { [sfFinal] c 4; }",
    # Something is placed into a prototype that heirs are still to take over, or into one of them.
    "p0 extends { a 1; m extends { } }\np1 extends p0, { b 1; }\np2 extends p1, { e 1; }\n"
    "p0:c 1;\np0:m:d 1;\np1:a 2;\nsfConfig extends p2, { g p0; h p1; }",
    "p0 extends { a 1; }\nP extends { m extends { } m:a 1; }\n"
    "sfConfig extends { b extends p0, { q extends P; } }",
    # A function that was placed waits for its prototype, while it is told what it was.
    '#include "org/smartfrog/functions.sf"\np0 extends sum, { x (2 + 3); }\np1 extends { }\n'
    "p1:y extends p0;\nsfConfig extends { b extends p1, { y 7; z p1; } }",
    # What is kept for heirs gets heirs itself, and then something is placed inside of it.
    "p0 extends { m extends { } }\np0:a 6;\np1 extends p0, { m:b 7; }\np1:c extends { }\n"
    "p0:m:d 8;\nsfConfig extends { x extends p1, { e extends { } } }",
    # A prototype is placed over before its heirs have taken it over.
    "sfConfig extends { a extends { v [1, 2]; } c extends a, { } d extends c }\nsfConfig:a 3;",
]


def answers(text: str, monkeypatch: pytest.MonkeyPatch, *, later: bool) -> str:
    """Everything that can be asked of a specification, written out."""
    with monkeypatch.context() as patch:
        if not later:
            patch.setattr(Typing, "may_wait", lambda *_: False)
        return told(Run(text, "production"))


def told(run: Run) -> str:
    """Everything that can be asked of a run, written out."""
    if not run.ok:
        return repr([(d.code, d.message, d.at, d.labels) for d in run.compiled.diagnostics])
    causes = run.compiled.outcome.causes
    assert causes is not None
    every: dict[Address, Any] = {}
    for address in sorted({a[:i] for a in run.leaves for i in range(len(a) + 1)}, key=repr):
        views = run.views(address)
        seen = views.origins, views.expression, views.depends, views.masked
        every[address] = *seen, causes.position(address)
    return repr((list(run.leaves.items()), every, sorted(run.output())))


@pytest.mark.parametrize("text", CHAINS)
def test_a_prototype_that_waits_is_the_same_as_one_that_does_not(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    later, at_once = (answers(text, monkeypatch, later=way) for way in (True, False))
    assert later == at_once


@law(60, 3_000)
@given(SEEDS)
def test_prototypes_that_wait_are_the_same_as_those_that_do_not(seed: int) -> None:
    for invalid in (False, True):
        text = generate(seed, "production", invalid=invalid)
        with pytest.MonkeyPatch.context() as monkeypatch:
            later, at_once = (answers(text, monkeypatch, later=way) for way in (True, False))
        assert later == at_once, text


@law(400, 20_000)
@given(SEEDS)
@example(54519)  # a function that was placed waits for its prototype
def test_so_are_those_that_meet_tags_and_placements(seed: int) -> None:
    text = chains(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        later, at_once = (answers(text, monkeypatch, later=way) for way in (True, False))
    assert later == at_once, text


@law(200, 20_000)
@given(SEEDS)
@example(33)  # something is placed into what was placed into a function
@example(369)  # a component of a prototype is where a placement would go, but for what keeps it out
@example(2847)  # a copy that is kept for heirs has functions too
@example(3585)  # what was placed is written over by a link, and something is placed through that
@example(692373)  # what is kept for heirs gets heirs itself
@example(6095)  # what is written to be placed inside of a component is gone with that component
def test_so_are_those_whose_links_place_something(seed: int) -> None:
    text = placing(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        later, at_once = (answers(text, monkeypatch, later=way) for way in (True, False))
    assert later == at_once, text


PLACED = [
    "sfConfig extends { m:a 1; m extends { b 2; } m:b 3; c m; n m:a; }",
    "P extends { z extends { w 1; } } sfConfig extends { a extends P; a:z:w 2; b extends a; x a; }",
    "P extends { m extends { } m:q 1; k m:q; } sfConfig extends P, { m:r 2; m extends { s 1; } }",
    "sfConfig extends { m:n:o 1; m:n extends { p 2; } m extends { } }",
    "sfConfig extends { m extends { } m:a extends { b c; } m:a:d m:a:b; c 1; m:a:b 4; }",
    "sfConfig extends { m 1; m:a 2; }",
    "A extends { v 1; m extends { } m:v 2; }\n"
    "sfConfig extends { x extends A; x:m:v 3; y extends x; }",
]


@pytest.mark.parametrize("text", PLACED)
def test_placements_wait_in_the_engine_as_in_the_reference_semantics(text: str) -> None:
    assert told(Run(text, "extended")) == told(Run(text, "extended", "paper")), text


@law(60, 4_000)
@given(SEEDS)
def test_the_engine_agrees_with_the_reference_semantics_of_extended(seed: int) -> None:
    text = generate(seed, "extended")
    assert told(Run(text, "extended")) == told(Run(text, "extended", "paper")), text
    # The core's programs place more, and link to nothing that comes later.
    text = generate(seed, "core")
    assert told(Run(text, "extended")) == told(Run(text, "extended", "paper")), text
