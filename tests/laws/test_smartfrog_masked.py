"""The masked values of SmartFrog, with real edits: what decided a contest is undone.

M1  without that one write, the first masked value is back, from the place where it was written
M2  without the whole prototype it is back too, unless the value depends on more that this brought

A statement is undone by deleting it.  A prototype is undone by a block in its place that has all
that it brought but the contested attribute.  Without the whole prototype, what comes later may be
another thing: in ``sfConfig extends a, a:b, sfConfig:b``, without ``a:b``, ``sfConfig:b`` is
another component.

Between two plain values this always holds.  Where one of them is a component, something else may
have been found in it: ``sfConfig extends { y 1; y extends sfConfig }`` has its ``y:y`` only by the
statement that decided.  Then the decision must be among the causes of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given

from headwater.langs.smartfrog.paper.domains import Basic, Ref, Store, Stuck, Val, Vector
from headwater.langs.smartfrog.paper.references import concat
from headwater.langs.smartfrog.paper.stores import Found, find, resolve, shown
from headwater.langs.smartfrog.paper.valuation import Valuation
from headwater.langs.smartfrog.results import SUB_STORE, first_level
from headwater.langs.smartfrog.syntax import (
    Assignment,
    Link,
    Literal,
    Prototype,
    Reference,
    SfValue,
)
from headwater.tree import Address, DataReference, Value
from headwater.tree.diff import same
from headwater.tree.result import NotThere
from headwater.why import Label, Masked, Node, depends, where
from laws.edits import Edit, edits, key_of
from laws.profile import law
from laws.smartfrog_runs import Run, after, program_of
from laws.strategies.smartfrog import Program, programs, show_basic

Key = tuple[str, str, int]


class Noting(Valuation):
    """The reference semantics; it notes what each prototype brings, and over which names."""

    def __init__(self) -> None:
        super().__init__()
        self.brought: dict[Key, tuple[Store, set[str]]] = {}
        self.led: dict[Key, tuple[Node, Node]] = {}
        """What prototypes and links were found by: what they stand in, and the search."""
        self._targets: list[Ref] = []

    def P(  # noqa: N802
        self, prototypes: tuple[Prototype, ...], ns: Ref, r: Ref, s: Store
    ) -> Store | Stuck:
        self._targets.append(r)
        answer = super().P(prototypes, ns, r, s)
        self._targets.pop()
        return answer

    def V(  # noqa: N802
        self, value: SfValue, ns: Ref, r: Ref, s: Store, statement: Assignment
    ) -> Store | Stuck:
        if isinstance(value, Link):
            parts = value.reference.parts
            found_in, found, searched = resolve(self.trace, s, ns, parts)
            there = find(self.trace, s, concat(found_in, parts[:-1]))
            if isinstance(found, Found) and isinstance(there, Found):
                self.led[key_of(Label("reference", value.at, ""))] = (there.exists, searched)
        return super().V(value, ns, r, s, statement)

    def listing_of_prototype(self, s: Store, ns: Ref, reference: Reference) -> object:  # type: ignore[override]
        _, prototype, searched = resolve(self.trace, s, ns, reference.parts)
        target = find(self.trace, s, self._targets[-1])
        assert isinstance(prototype, Found)
        assert isinstance(prototype.value, Store)
        assert isinstance(target, Found)
        assert isinstance(target.value, Store)
        key = key_of(Label("reference", reference.at, ""))
        self.brought[key] = (prototype.value, {a.id for a in target.value.attributes})
        self.led[key] = (prototype.exists, searched)
        return super().listing_of_prototype(s, ns, reference)


@dataclass(frozen=True)
class Contest:
    """A value that won, the first one that lost, and how to undo what decided."""

    address: Address
    lost: Masked
    undo: Edit
    whole: Edit | None = None
    """For a prototype: the edit that takes it away altogether."""


class Contests:
    """The contests of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.run = Run(program)
        self._after: dict[tuple[object, str], Run] = {}
        if not self.run.ok:
            return
        body = self.run.loaded().body
        self._statements = {e.label: e for e in edits(body, []) if e.kind == "delete"}
        self._noting = Noting()
        answer = self._noting.SF(body)
        assert not isinstance(answer, Stuck)
        self._top = answer[1]

    def all(self) -> Iterator[Contest]:
        """The innermost contest of each value."""
        for address in self.run.leaves if self.run.ok else ():
            masked = self.run.views(address).masked
            if not masked:
                continue
            (decided,) = (x for x in masked[0].by if x.kind in ("key", "reference"))
            key = key_of(decided)
            if decided.kind == "key":
                yield Contest(address, masked[0], self._statements[key])
                continue
            brought, over = self._noting.brought[key]
            names = over & self._same(brought, address)
            assert names, (address, decided, self.program.files)
            undo = Edit("delete", key, decided.at, block_of(brought, names))
            yield Contest(address, masked[0], undo, Edit("delete", key, decided.at, "{ }"))

    def decides_more(self, contest: Contest) -> bool:
        """Whether a decision made what the value stands in, or what it was found by."""
        address, key = contest.address, contest.undo.label
        at: Val = self._top.value
        exists = [self._top.exists]
        for part in address[:-1]:
            attribute = at.attributes.get(str(part)) if isinstance(at, Store) else None
            if attribute is None:
                break
            exists.append(attribute.exists)
            at = attribute.value
        for label in self.run.views(address).depends:
            exists += self._noting.led.get(key_of(label), ())
        return key in map(key_of, depends(self._noting.trace, *exists))

    def _same(self, brought: Store, address: Address) -> set[str]:
        """The attributes of a store that are the value at an address, written at the same place."""
        value, origins = self.run.leaves[address], self.run.views(address).origins
        found = set()
        for attribute in brought.attributes:
            origin = where(self._noting.trace, attribute.why)
            there = origin is not None and key_of(origin) in map(key_of, origins)
            if there and same(shown(attribute.value), value):
                found.add(attribute.id)
        return found

    def after(self, edit: Edit) -> Run:
        """The program after an edit."""
        key = edit.at, edit.new
        if key not in self._after:
            self._after[key] = after(self.program, edit)
        return self._after[key]


def block_of(store: Store, without: set[str]) -> str:
    """A block that has what a store has, but some attributes."""
    kept = (a for a in store.attributes if a.id not in without)
    return "{ " + " ".join(_statement(a.id, a.value) for a in kept) + " }"


def _statement(name: str, value: Val) -> str:
    if isinstance(value, Store):
        return f"{name} extends {block_of(value, set())}"
    return f"{name} {_basic(value)};"


def _basic(value: Val) -> str:
    if isinstance(value, Vector):
        return "[" + ", ".join(map(_basic, value.items)) + "]"
    assert isinstance(value, Basic)
    if isinstance(value.value, DataReference):
        return f"DATA {':'.join(value.value.path)}"
    return show_basic(Literal(value.value))


NOTHING_THERE = "there is no such value"


def first_look(run: Run, address: Address) -> Value:
    """The value at an address as it is shown among masked ones."""
    result = run.compiled.outcome.result
    assert result is not None
    try:
        value = result.get(address)
    except NotThere:
        return NOTHING_THERE
    if not isinstance(value, dict):
        return value
    return first_level((k, SUB_STORE if isinstance(v, dict) else v) for k, v in value.items())


def moved(label: Label | None, edit: Edit) -> Key | None:
    """What identifies a label once an edit before it was made."""
    if label is None:
        return None
    kind, file, start = key_of(label)
    later = file == edit.label[1] and start >= edit.at.end
    return kind, file, start + (len(edit.new) - len(edit.at.text) if later else 0)


def is_back(contest: Contest, then: Run) -> bool:
    """Whether the first masked value is the value now."""
    lost, edit = contest.lost, contest.undo
    if not same(first_look(then, contest.address), lost.value):
        return False
    return moved(lost.where, edit) in [key_of(x) for x in then.views(contest.address).origins]


def is_beaten_again(contest: Contest, before: Run, then: Run) -> bool:
    """Whether a component that is back lost to a prototype that was found through it."""
    lost, edit = contest.lost, contest.undo
    if not isinstance(lost.value, dict) or first_look(then, contest.address) == NOTHING_THERE:
        return False
    known = {moved(label, edit) for label in before.views(contest.address).depends}
    return any(
        same(entry.value, lost.value)
        and (entry.where and key_of(entry.where)) == moved(lost.where, edit)
        and {key_of(label) for label in entry.by if label.kind == "reference"} & known
        for entry in then.views(contest.address).masked
    )


def depends_within(run: Run, address: Address, edit: Edit) -> bool:
    """Whether a value depends on something in the text that an edit wrote, not on what it lacks."""
    file, start, end = edit.label[1], edit.at.start, edit.at.start + len(edit.new)
    return any(
        kind != "miss" and name == file and start <= at < end
        for kind, name, at in map(key_of, run.views(address).depends)
    )


def tried(program: Program) -> Counter[str]:
    """Asserts M1 and M2 of a program; how many contests of which kind there were."""
    contests = Contests(program)
    counts: Counter[str] = Counter()
    for contest in contests.all():
        address = contest.address
        depth = "deep" if len(address) > 1 else "flat"
        then = contests.after(contest.undo)
        if not then.ok:
            counts["no longer makes sense"] += 1
            continue
        if not is_back(contest, then):
            plain = contests.run.leaves[address] != {} and not isinstance(contest.lost.value, dict)
            assert not plain, (contest, program.files)
            if not is_beaten_again(contest, contests.run, then):
                assert contests.decides_more(contest), (contest, program.files)
                counts["decided more"] += 1
                continue
            counts["beaten again"] += 1
        counts[f"{contest.undo.label[0]}, {depth}"] += 1
        if contest.whole is None:
            continue
        if depends_within(then, address, contest.undo):
            counts["brought more"] += 1
            continue
        without = contests.after(contest.whole)
        if without.ok:
            now = first_look(without, address)
            assert same(now, first_look(then, address)), (contest, program.files)
            counts[f"whole, {depth}"] += 1
    return counts


@law(300, 4_000)
@given(programs())
def test_m1_and_m2_undoing_the_decision_brings_back_the_first_masked_value(
    program: Program,
) -> None:
    tried(program)


SHAPES = [
    # Without `a:b`, `sfConfig:b` is `a:b`, which brings the name again.
    (
        "a extends { v 1; b extends { v 2; b extends { } } } sfConfig extends a, a:b, sfConfig:b",
        {"reference, flat": 2, "brought more": 1, "beaten again": 1, "whole, flat": 1},
    ),
    # Nothing that comes later leads through what the prototype brought.
    (
        "p extends { v 2; } sfConfig extends { a extends { b extends { v 1; }, p, { w 3; } } }",
        {"reference, deep": 1, "whole, deep": 1},
    ),
    # The winner is copied on, through a prototype and a link to another name.
    (
        "p extends { v 1; v 2; } q extends p sfConfig extends { a extends q b a:v; c extends a }",
        {"key, deep": 2, "key, flat": 1},
    ),
    # The statement that decided made the component that `y:y` stands in: only `y` is tried.
    ("sfConfig extends { y 1; y extends sfConfig }", {"decided more": 1}),
    # The statement that decided made `a:d`, from which `x` has its `d`.
    (
        "sfConfig extends { a extends { d extends { d extends { v 1; } } d extends a } "
        "x extends a:d }",
        {"decided more": 2},
    ),
    # Without the statement, a link is found further inside.
    (
        "sfConfig extends { b extends { b extends { b 2; } b 0; a b:b; } }",
        {"key, deep": 1, "decided more": 1},
    ),
    # The component that is back is found by the second prototype, and loses to what it has.
    (
        "sfConfig extends { a extends sfConfig, { } }, sfConfig:a, sfConfig:a",
        {"reference, flat": 1, "beaten again": 1, "whole, flat": 1},
    ),
    # Without the statement there is nothing to extend.
    ("sfConfig extends { a 1; a extends { } b extends a }", {"no longer makes sense": 1}),
]


@pytest.mark.parametrize(("text", "counts"), SHAPES)
def test_m1_and_m2_of_programs_that_decide_more_than_one_contest(
    text: str, counts: dict[str, int]
) -> None:
    assert tried(program_of(text)) == counts


def test_m1_and_m2_have_contests_of_all_kinds_to_try() -> None:
    counts: Counter[str] = Counter()

    @law(80, 400)
    @given(programs())
    def count(program: Program) -> None:
        counts.update(tried(program))

    count()
    # A law of few contests, or of flat ones only, would say little.
    for kind in ("key, flat", "key, deep", "reference, flat", "reference, deep", "whole, deep"):
        assert counts[kind] > 5, counts
    untold = counts["no longer makes sense"] + counts["decided more"]
    assert counts.total() > 3 * untold, counts
