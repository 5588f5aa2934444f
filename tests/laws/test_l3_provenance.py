"""Provenance of L3 holds under real edits: what a value does not depend on cannot change it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import given

from headwater.langs import Outcome
from headwater.tree import Address, NotThere
from headwater.tree.diff import same
from headwater.tree.json import compact
from laws.l3_runs import labels_of, run, tree, why
from laws.profile import law
from laws.strategies import l3

Input = tuple[str, str, int]
"""Kind, file and offset of an input."""


@dataclass(frozen=True)
class Edit:
    """A change of one input; any of the labels stands for it, and `shape` for new labels."""

    inputs: tuple[tuple[str, str, int, str | None], ...]
    shape: Input
    files: l3.Files


def edits(files: l3.Files, choices: l3.Choices) -> Iterator[Edit]:
    """One edit of every piece of a program."""
    printer = l3.Printer().program(files)
    for number, site in enumerate(printer.sites):
        again = copy.deepcopy(files)
        piece = l3.Printer().program(again).sites[number].what
        file = f"f{site.file}.l3"
        end = site.end if any(piece is block for block in again) else site.end - 1
        at = (file, site.start)
        match piece:
            case l3.Lit():
                piece.text = choices.of((*l3.VALUES, '"zz"', "77"))
                yield Edit((("literal", *at, None),), ("literal", *at), again)
            case l3.Undef():
                changed = _replaced(again, piece, l3.Lit(choices.of(l3.VALUES)))
                yield Edit((("literal", *at, None),), ("literal", *at), changed)
            case l3.Tag():
                piece.name = choices.of(l3.TAGS)
                yield Edit((("tag", *at, None),), ("tag", *at), again)
            case l3.Order():
                piece.hi, piece.lo = choices.of(l3.PLAIN), choices.of(l3.PLAIN)
                yield Edit((("constraint", *at, None),), ("constraint", *at), again)
            case l3.Ref():
                piece.path[0] = choices.of(l3.TOPS + l3.INNER)
                yield Edit((("reference", *at, None),), ("reference", *at), again)
            case l3.Block(items=items):
                there = {item.label for item in items}
                names = [x for x in l3.INNER + l3.TOPS[:3] if x not in there]
                if names:
                    label = choices.of(names)
                    tagged = l3.Note(l3.Lit("0"), [l3.Tag(choices.of(l3.TAGS))])
                    items.append(l3.Item(label, tagged if choices.chance(50) else l3.Lit("0")))
                    yield Edit((("miss", file, end, label),), ("structure", *at), again)
            case l3.Item() if choices.chance(50):
                # One candidate more at this label: it came through the label.
                new = l3.Note(l3.Lit("0"), [l3.Tag(choices.of(l3.TAGS))])
                more = l3.Block([l3.Item(choices.of(l3.INNER), new)])
                piece.value = l3.Join([piece.value, more if choices.chance(60) else new])
                yield Edit((("key", *at, None),), ("key", *at), again)
            case l3.Item():
                for block in again:
                    for part in l3.walk(block):
                        if isinstance(part, l3.Block):
                            part.items[:] = [item for item in part.items if item is not piece]
                yield Edit((("key", *at, None),), ("key", *at), again)


def _replaced(files: l3.Files, old: object, new: Any) -> l3.Files:  # noqa: ANN401
    """The program with one piece in place of another."""
    for block in files:
        for part in l3.walk(block):
            match part:
                case l3.Item() | l3.Note() if part.value is old:
                    part.value = new
                case l3.Join(operands=operands) | l3.Spec(operands=operands):
                    operands[:] = [new if operand is old else operand for operand in operands]
                case _:
                    pass
    return files


def value_at(outcome: Outcome, address: Address) -> Any:  # noqa: ANN401
    """The value at an address, or that there is none."""
    assert outcome.result is not None
    try:
        return outcome.result.get(address)
    except NotThere:
        return ["absent"]


@law(160, 4_000)
@given(l3.programs, l3.choices)
def test_what_a_value_does_not_depend_on_cannot_change_it(
    files: l3.Files, choices: l3.Choices
) -> None:
    before = run(l3.sources(files))
    if before.result is None:
        return
    found = why(before)
    inputs = {
        address: {(k, f, s, t if k == "miss" else None) for k, f, s, t in entry["depends"]}
        for address, entry in found.items()
        if address != "output"
    }
    shape = {(kind, file, start) for kind, file, start, _ in found["output"]}
    for edit in edits(files, choices):
        after = run(l3.sources(edit.files))
        if after.result is None:
            continue
        for address, depends in inputs.items():
            if depends.isdisjoint(edit.inputs):
                assert same(value_at(after, address), value_at(before, address)) or (
                    # A block has more labels: that is in its structure.
                    edit.shape[0] == "structure" and (*edit.shape, None) in depends
                ), f"{address} changed by {edit.inputs}: {l3.texts(edit.files)}"
        if edit.shape not in shape:
            assert set(labels_of(after)) == set(labels_of(before)), edit.inputs


@law(100, 2_500)
@given(l3.programs)
def test_where_is_an_input_with_this_very_value(files: l3.Files) -> None:
    outcome = run(l3.sources(files))
    if outcome.result is None:
        return
    found = why(outcome)
    for address, value in outcome.result.walk():
        entry = found[address]
        assert entry["where"], address
        assert set(entry["where"]) <= set(entry["depends"])
        for kind, _, _, written in entry["where"]:
            if kind == "structure":
                assert value == {}
            else:
                read = json.loads(written.replace("none", "null"))
                assert same(value, read)


@law(100, 2_500)
@given(l3.programs)
def test_without_the_winner_the_first_masked_value_wins(files: l3.Files) -> None:
    outcome = run(l3.sources(files))
    if outcome.result is None:
        return
    found = why(outcome)
    for address in labels_of(outcome):
        entry = found[address]
        won = {place[:3] for place in entry["where"]}
        lost = entry["masked"]
        if not lost or lost[0][1][0] != "literal" or any(x[1][:3] in won for x in lost):
            continue
        again = copy.deepcopy(files)
        for site in l3.Printer().program(again).sites:
            if ("literal", f"f{site.file}.l3", site.start) in won and isinstance(site.what, l3.Lit):
                _replaced(again, site.what, l3.Undef())
        after = run(l3.sources(again))
        if after.result is not None and all(kind == "literal" for kind, _, _ in won):
            assert compact(value_at(after, address)) == lost[0][0]


def test_generated_programs_have_results() -> None:
    assert tree(run(l3.sources([l3.Block([l3.Item("a", l3.Lit("1"))])]))) == {"a": 1}
