"""The metatheory of µPuppet at every step of generated manifests.

Determinism; monotonicity (Theorem 3); the label invariants of where-provenance (4.2.3)
and expression-provenance (4.3.3); W1 to W5, E1 to E4, D4 and D5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from headwater.langs.puppet.generate.calculus import manifest
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.adapter import Prepared
from headwater.langs.puppet.paper.machine import run, steps
from headwater.langs.puppet.paper.operators import calculate
from headwater.langs.puppet.paper.provenance import Applied, Formula, Why
from headwater.langs.puppet.paper.state import ClassDef, DeclaredClass, State, Stuck
from headwater.langs.puppet.paper.values import equal, parts, text_of
from laws.mupuppet_edits import First, Output, first_run, job, outputs, prepared, read
from laws.profile import examples

MODES = [("paper", {}), ("paper", {"provenance": "thesis"}), ("like-puppet", {})]


def ready_ones(count: int, dialect: str, **inputs: object) -> Iterator[tuple[int, Prepared]]:
    """Manifests ready to run."""
    for seed in range(count):
        program = read(manifest(seed))
        yield seed, prepared(program, job(program, dialect, **inputs))


def test_evaluation_is_deterministic() -> None:
    for _, made in ready_ones(examples(60, 5_000), "paper"):
        one, other = list(steps(made.world, made.state)), list(steps(made.world, made.state))

        assert one == other


@pytest.mark.parametrize(("dialect", "inputs"), MODES)
def test_w5_annotations_change_no_result(dialect: str, inputs: dict[str, Any]) -> None:
    like_puppet = dialect == "like-puppet"
    for seed, made in ready_ones(examples(80, 5_000), dialect, **inputs):
        program = read(manifest(seed))
        plain = prepared(program, job(program, dialect, **inputs), erase=True)
        one, other = run(made.world, made.state)[0], run(plain.world, plain.state)[0]
        if isinstance(one, Stuck):
            assert isinstance(other, Stuck)
            assert (one.code, one.at.start) == (other.code, other.at.start)
        else:
            assert not isinstance(other, Stuck)
            assert outputs(one.state, like_puppet=like_puppet) == outputs(
                other.state, like_puppet=like_puppet
            )


def below(before: State, after: State) -> bool:
    """(σ, κ, v_C) ⊑ (σ′, κ′, v_C′); the variables of a define's scope do not count."""
    sigma = all(
        after.sigma.get(key) == value
        for key, value in before.sigma.items()
        if not isinstance(key[0], t.DefScope)
    )
    kappa = all(
        after.kappa.get(name) == definition
        or (isinstance(definition, ClassDef) and isinstance(after.kappa.get(name), DeclaredClass))
        for name, definition in before.kappa.items()
    )
    catalog = list(after.catalog.items())[: len(before.catalog)] == list(before.catalog.items())
    return sigma and kappa and catalog


@pytest.mark.parametrize("dialect", ["paper", "like-puppet"])
def test_theorem_3_a_step_only_adds(dialect: str) -> None:
    count = 0
    for _, made in ready_ones(examples(60, 5_000), dialect):
        before = made.state
        for taken in steps(made.world, made.state):
            if isinstance(taken, Stuck):
                break
            assert below(before, taken.after.state)
            before = taken.after.state
            count += 1
    assert count > 500


def atoms(thing: object) -> Iterator[t.Atom]:
    """Every annotated atom in a term or an environment: the thesis's extraction functions."""
    todo = [thing]
    while todo:
        at = todo.pop()
        if isinstance(at, t.Atom):
            yield at
        elif isinstance(at, Why):
            continue
        elif is_dataclass(at):
            todo += [getattr(at, field.name) for field in fields(at)]
        elif isinstance(at, dict):
            todo += at.values()
        elif isinstance(at, list) or (isinstance(at, tuple) and not hasattr(at, "source")):
            todo += at


def labelled(thing: object) -> set[tuple[int, Any]]:
    """labels(·): the values that carry a label, with it."""
    return {(a.why.where, repr(a.value)) for a in atoms(thing) if a.why.where is not None}


def value_of(formula: Formula, mu: dict[int, Any]) -> Any:  # noqa: ANN401
    """A formula under µ."""
    if not isinstance(formula, Applied):
        return mu[formula]
    args = [value_of(arg, mu) for arg in formula.args]
    match formula.op:
        case "+" | "-" | "*":
            return calculate(formula.op, *args)
        case "==" | "!=":
            same = equal(boxed(args[0]), boxed(args[1]), like_puppet=LIKE_PUPPET[-1])
            return same == (formula.op == "==")
        case "and" | "or":
            return args[0] if args[1] is UNEVALUATED else args[1]
        case "!":
            return not args[0]
        case "concat":
            return "".join(text_of(boxed(arg)) or "" for arg in args)
        case "array":
            return tuple(args)
        case "hash":
            return frozenset(zip(args[::2], args[1::2], strict=True))
        case "_":
            return UNEVALUATED
        case other:
            raise AssertionError(other)


UNEVALUATED = object()
LIKE_PUPPET = [False]


def boxed(value: Any) -> t.Value:  # noqa: ANN401
    """A plain value as a value of the calculus."""
    match value:
        case tuple():
            return t.ArrayValue(tuple(boxed(item) for item in value))
        case frozenset():
            pairs = sorted(value, key=repr)
            return t.HashValue(tuple((t.Atom(key), boxed(item)) for key, item in pairs))
        case _:
            return t.Atom(value)


@pytest.mark.parametrize(("dialect", "inputs"), MODES)
def test_the_label_invariants_hold_at_every_step(dialect: str, inputs: dict[str, Any]) -> None:
    LIKE_PUPPET[-1] = dialect == "like-puppet"
    checked = 0
    for seed, made in ready_ones(examples(20, 1_500), dialect, **inputs):
        known = labelled([made.state, made.world.manifest.elements])
        mu = {a.why.where: a.value for a in atoms(made.world.manifest.elements)}
        good: set[int] = set()
        keep: list[Any] = []
        for taken in steps(made.world, made.state):
            if isinstance(taken, Stuck):
                break
            config = taken.after
            for atom in atoms([config.state.sigma, config.state.catalog, config.element]):
                if id(atom) in good:
                    continue
                good.add(id(atom))
                keep.append(atom)
                check(atom, known, mu, seed)
                checked += 1
    assert checked > 500


def check(atom: t.Atom, known: set[tuple[int, Any]], mu: dict[Any, Any], seed: int) -> None:
    """One annotated value against the invariants."""
    why = atom.why
    if isinstance(why.expression, Applied) and why.expression.op == "concat":
        assert why.where is None or why.where in why.depends  # put together where it stands
    elif why.where is not None:  # 4.2.1 to 4.2.3: W1, W2
        assert (why.where, repr(atom.value)) in known, seed
        assert why.expression == why.where  # E4
        assert why.where in why.depends  # D4
    else:  # W3
        assert isinstance(why.expression, Applied)
    if isinstance(why.expression, Applied) and why.expression.op == "title":
        return  # the name of a class, which like-puppet puts into its scope
    value = value_of(why.expression, mu)  # 4.3.1 to 4.3.3: E1, E3
    assert repr(value) == repr(atom.value), (seed, why)
    assert leaves(why.expression) <= why.depends, seed  # E2


def leaves(formula: Formula) -> set[int]:
    """The labels in a formula."""
    if isinstance(formula, Applied):
        return {leaf for arg in formula.args for leaf in leaves(arg)}
    return {formula}


def origins(text: str) -> dict[tuple[str, ...], tuple[int, str, Any]]:
    """For every copied parameter where its literal starts, how it is written, and the value."""
    program = read(text)
    made = prepared(program, job(program, "paper"))
    end = run(made.world, made.state)[0]
    if isinstance(end, Stuck):
        return {}
    found: dict[tuple[str, ...], tuple[int, str, Any]] = {}
    for (kind, title), resource in end.state.catalog.items():
        for name, value in resource.attributes:
            copied = isinstance(value.why.expression, int)
            if isinstance(value, t.Atom) and value.why.where is not None and copied:
                label = made.labels.all[value.why.where]
                found[kind, title, name] = (label.at.start, label.text, value.value)
    return found


def test_w4_while_the_origin_stays_changing_it_changes_the_value() -> None:
    changed = 0
    for seed in range(examples(60, 2_000)):
        text = manifest(seed)
        for output, (start, written, _) in origins(text).items():
            edited = text[:start] + "'fresh'" + text[start + len(written) :]
            after = origins(edited).get(output)
            if after is not None and after[0] == start:
                changed += 1
                assert after[2] == "fresh", (seed, output)
    assert changed > 20


def test_d5_dead_code_at_the_end_adds_no_label() -> None:
    dead = "if 1 == 2 { notify { 'dead': message => 5 } $dead = 6 }\n"
    for seed in range(examples(60, 3_000)):
        text = manifest(seed)
        plain, longer = read(text), read(text + dead)
        one = first_run(plain, job(plain, "paper"))
        other = first_run(longer, job(longer, "paper"))
        if one is None:
            continue
        assert other is not None
        assert {places(one, o) for o in one.outputs} == {places(other, o) for o in one.outputs}


def places(first: First, output: Output) -> tuple[Output, frozenset[int]]:
    """An output with the offsets of the literals it depends on."""
    at = {number: start for start, (number, _) in first.literals.items()}
    return output, frozenset(at[n] for n in first.depends[output] if n in at)


def test_every_part_of_a_structure_has_annotations_of_its_own() -> None:
    program = read("notify { 'n': message => [1, { 'k' => 2 }] }")
    made = prepared(program, job(program, "paper"))
    end = run(made.world, made.state)[0]
    assert not isinstance(end, Stuck)
    (_, value), *_ = end.state.catalog["notify", "n"].attributes

    shown = {made.labels.all[part.why.where].text for part in parts(value) if part.why.where}
    assert shown == {"[1, { 'k' => 2 }]", "{ 'k' => 2 }", "1", "2"}
