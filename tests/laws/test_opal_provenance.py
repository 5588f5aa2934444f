"""Provenance laws of Opal, with real edits to the program.

W1 every origin is an input; W2 what is written there is the value; W3 there is no origin
exactly if the value was computed; W5 tracing changes no value; E1 evaluating the
expression gives the value; E2 and D4 its inputs and the origin are dependencies;
D1 an edit changes only values that depend on what it edits; M1 without its last write,
a variable has the first value that the write masked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.opal.causes import StoreCauses
from headwater.langs.opal.merges import Made, merge_by
from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.syntax import Atom, Com, Commit, Empty, Op, Truth, Var
from headwater.langs.opal.values import Heap, from_plain, plain, show
from headwater.langs.opal.writes import TOO_LARGE, Finished
from headwater.text import Source, Span
from headwater.why import Applied, Expression, Given, Label, depends, expression, masked, where
from laws.opal_runs import FAST, TRACED, parsed, run, stores, well_typed
from laws.profile import law
from laws.strategies.opal import BYTES, program

Edit = tuple[tuple[str, int], Span, str]


def inputs_of(c: Com) -> dict[tuple[str, int], Any]:
    """The pieces of input of a program by kind and offset; those that are values, with them."""
    found: dict[tuple[str, int], Any] = {}
    for node in parts(c):
        match node:
            case Empty():
                found["literal", node.at.start] = []
            case Atom(value):
                found["literal", node.at.start] = value
            case Truth():
                found["literal", node.at.start] = None
            case Var():
                found["reference", node.at.start] = None
            case Op() | Commit():
                found["operation", node.at.start] = None
            case _ if hasattr(node, "place_at"):
                found["definition", node.place_at.start] = []
            case _ if hasattr(node, "world"):
                found["reference", node.at.start] = None
    return found


def parts(node: object) -> Iterator[Any]:
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        for part in node:
            yield from parts(part)
    elif is_dataclass(node):
        yield node
        for f in fields(node):
            if f.compare:
                yield from parts(getattr(node, f.name))


def key(label: Label) -> tuple[str, int]:
    return label.kind, label.at.start


def value_of(root: Expression | None, inputs: dict[tuple[str, int], Any]) -> object:
    """An expression evaluated over the inputs."""
    assert root is not None
    if isinstance(root, Given):
        return inputs[key(root.label)]
    args = [value_of(arg, inputs) for arg in root.args]
    if root.name == "cons":
        return args
    heap = Heap()
    o, h, c = (from_plain(heap, arg, atoms=True) for arg in args)
    merged = merge_by(root.name, heap, o, h, c)
    assert isinstance(merged, Made)
    return plain(merged.value)


def leaves(root: Expression | None) -> Iterator[Label]:
    if isinstance(root, Given):
        yield root.label
    elif root is not None:
        for arg in root.args:
            yield from leaves(arg)


def operations(root: Expression | None) -> set[str]:
    """The names of all operations in an expression."""
    if root is None or isinstance(root, Given):
        return set()
    return {root.name}.union(*(operations(arg) for arg in root.args))


@law(300, 20_000)
@given(BYTES)
def test_origins_and_expressions_give_the_value(data: bytes) -> None:
    check_values(parsed(print_program(program(data)[0])), core=True)


@law(200, 10_000)
@given(BYTES)
def test_origins_and_expressions_give_the_value_with_extensions(data: bytes) -> None:
    c = program(data, ext=True)[0]
    for unicode in (False, True):
        assert parsed(print_program(c, unicode=unicode), ext=True) == c
    check_values(parsed(print_program(c), ext=True), core=False)


def check_values(c: Com, *, core: bool) -> None:
    finished = run(c, TRACED)
    if finished.store is None:
        return
    inputs = inputs_of(c)
    causes = StoreCauses(lambda: finished)

    assert stores(finished) == stores(run(c, FAST))
    for place, bound in finished.store.items():
        node = causes.of(tuple(place))
        value = plain(bound.value)
        origin, computed = where(causes.trace, node), expression(causes.trace, node)
        dependencies = {key(label) for label in depends(causes.trace, node)}
        assert dependencies <= set(inputs)
        assert (origin is None) == isinstance(computed, Applied)
        if core:
            # The core language can compute nothing but pairs, and write nothing but ().
            assert (origin is None) == (value != [])
        if origin is not None:
            assert inputs[key(origin)] == value
            assert key(origin) in dependencies
        if TOO_LARGE not in operations(computed):
            assert value_of(computed, inputs) == value
        assert {key(label) for label in leaves(computed)} <= dependencies
        assert causes.write(tuple(place)).describe()


def edits(c: Com) -> Iterator[Edit]:
    """Single edits: the input they change, where, and the new text."""
    variables = sorted({node.at.text for node in parts(c) if isinstance(node, Var)})
    for node in parts(c):
        match node:
            case Empty():
                yield ("literal", node.at.start), node.at, "(() . ())"
            case Atom():
                yield ("literal", node.at.start), node.at, '"edited"'
            case Truth(value):
                yield ("literal", node.at.start), node.at, "false" if value else "true"
            case Var():
                for other in variables:
                    if other != node.at.text:
                        yield ("reference", node.at.start), node.at, other
                yield ("reference", node.at.start), node.at, "((() . ()) . ())"
            case Op() | Commit():
                yield ("operation", node.at.start), node.at, "skip"


def edited(text: str, chosen: list[Edit]) -> Finished | None:
    """The run of the program after some edits; none if it has no meaning any more."""
    for _, at, new in sorted(chosen, key=lambda edit: -edit[1].start):
        text = text[: at.start] + new + text[at.end :]
    c = parse(Source("law.opal", text), ext=True).program
    return run(c, FAST) if c is not None and well_typed(c) else None


@law(300, 20_000)
@given(BYTES, st.lists(st.integers(0, 10_000), min_size=6, max_size=6))
def test_d1_an_edit_changes_only_what_depends_on_it(data: bytes, picks: list[int]) -> None:
    check_edits(print_program(program(data)[0]), picks)


@law(200, 10_000)
@given(BYTES, st.lists(st.integers(0, 10_000), min_size=6, max_size=6))
def test_d1_holds_with_extensions(data: bytes, picks: list[int]) -> None:
    check_edits(print_program(program(data, ext=True)[0]), picks)


def check_edits(text: str, picks: list[int]) -> None:
    c = parsed(text, ext=True)
    before = run(c, TRACED)
    if before.store is None:
        return
    causes = StoreCauses(lambda: before)
    known = {
        place: {key(label) for label in depends(before.trace, bound.node)}
        for place, bound in before.store.items()
    }
    output = {key(label) for label in depends(before.trace, causes.output())}
    every = list(edits(c))
    if not every:
        return
    for pick in picks:
        check_edit(text, [every[pick % len(every)]], before, known, output)
    # Sets of edits, as long as they do not overlap.
    pair = [every[picks[0] % len(every)], every[picks[1] % len(every)]]
    one, other = sorted((edit[1] for edit in pair), key=lambda at: at.start)
    if one.end <= other.start:
        check_edit(text, pair, before, known, output)


def check_edit(
    text: str,
    chosen: list[Edit],
    before: Finished,
    known: dict[Any, set[tuple[str, int]]],
    output: set[tuple[str, int]],
) -> None:
    after = edited(text, chosen)
    if after is None or after.store is None:
        return
    assert before.store is not None
    touched = {edit[0] for edit in chosen}
    if not touched & output:
        assert after.store.keys() == before.store.keys()
    for place, bound in before.store.items():
        if touched & known[place]:
            continue
        if place in after.store:
            assert plain(after.store[place].value) == plain(bound.value), (place, chosen)
        else:
            assert touched & output, (place, chosen)


@law(150, 5_000)
@given(BYTES)
def test_m1_without_the_last_write_the_value_is_the_first_masked_one(data: bytes) -> None:
    text = print_program(program(data)[0])
    finished = run(parsed(text), TRACED)
    if finished.store is None:
        return
    causes = StoreCauses(lambda: finished)
    for place in finished.store:
        write = causes.write(tuple(place))
        losers = masked(causes.trace, causes.of(tuple(place)))
        if write.action not in ("operation", "commit") or not losers or write.inside is not None:
            continue
        undone = text[: write.at.start] + "skip" + text[write.at.end :]
        c = parsed(undone)
        again = run(c, TRACED) if well_typed(c) else None
        if again is None or again.store is None or place not in again.store:
            continue
        # Commands that come later may now do something else; then it is another story.
        now = again.store[place]
        if now.write is not None and now.write.at.start <= write.at.start:
            # A large value among the masked ones is a text that is cut.
            assert losers[0].value in (plain(now.value), show(now.value))
