"""Laws of the Opal semantics, on generated well-typed programs.

P1 progress: a run ends in a result, or in R001, R002 or R007; P2 ``at`` changes no value;
P3 a world that is never committed changes nothing; P4 with the merge HYP, ``op`` and
``commit hyp { op }`` are the same; P5 whatever is committed was written with the
permission of its node; P6 running again gives the same; P7 printing and parsing are
inverse in both spellings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hypothesis import given

from headwater.langs.opal.distribution import OnlyThese
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.paper.run import derive
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.syntax import Assign, At, Com, Commit, Hyp, Op, Seq, With
from headwater.langs.opal.writes import Binding
from headwater.text import Span
from laws.opal_runs import FAST, PAPER, TRACED, parsed, run, stores, well_typed, why
from laws.profile import law
from laws.strategies.opal import BYTES, program

MAY_FAIL = {"R001", "R002", "R007"}


def rewritten(node: Any, rule: Callable[[Any], object]) -> Any:  # noqa: ANN401
    """The tree with a rule applied everywhere, parts first."""
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        return tuple(rewritten(part, rule) for part in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {
        f.name: rewritten(getattr(node, f.name), rule)
        for f in fields(node)
        if f.compare and not isinstance(getattr(node, f.name), str)
    }
    return rule(replace(node, **changed))


def parts(node: object) -> Iterator[Any]:
    """Every node of a tree."""
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        for part in node:
            yield from parts(part)
    elif is_dataclass(node):
        yield node
        for f in fields(node):
            if f.compare:
                yield from parts(getattr(node, f.name))


def flattened(commands: tuple[Com, ...]) -> Com:
    """A sequence in which no part is a sequence."""
    flat: list[Com] = []
    for command in commands:
        flat.extend(command.commands if isinstance(command, Seq) else (command,))
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def flat_everywhere(node: object) -> object:
    return flattened(node.commands) if isinstance(node, Seq) else node


@law(200, 10_000)
@given(BYTES)
def test_p1_a_run_ends_in_a_result_or_in_an_error_that_typing_allows(data: bytes) -> None:
    c = parsed(print_program(program(data)[0]))
    for how in (PAPER, FAST):
        finished = run(c, how)
        assert finished.stuck is None or finished.stuck.paper in MAY_FAIL
        denied = run(c, how, Inputs(endorser=OnlyThese(["n"])))
        assert denied.stuck is not None
        assert denied.stuck.paper == "R001"


@law(200, 10_000)
@given(BYTES)
def test_p2_without_at_the_store_is_the_same(data: bytes) -> None:
    c = program(data)[0]
    erased = rewritten(c, lambda n: n.body if isinstance(n, At) else n)
    erased = rewritten(erased, flat_everywhere)

    one, other = stores(run(c, FAST)), stores(run(erased, FAST))
    assert one == other


@law(200, 10_000)
@given(BYTES)
def test_p3_a_world_that_is_never_committed_changes_nothing(data: bytes) -> None:
    whole, body = program(data)
    tried = flattened((Assign("unused", Hyp(body)), body))
    c = rewritten(whole, lambda n: n)
    with_world = _with_body(c, body, tried)

    assert well_typed(with_world)
    assert stores(run(c, FAST)) == stores(run(with_world, FAST))


def _with_body(c: Any, body: Com, new: Com) -> Any:  # noqa: ANN401
    """The program with another body: the one inside the outer permissions and handles."""
    if c == body:
        return new
    return replace(c, body=_with_body(c.body, body, new))


@law(200, 10_000)
@given(BYTES)
def test_p4_an_operation_and_the_commit_of_a_world_with_it_are_the_same(data: bytes) -> None:
    c = program(data, hyp_merges=True)[0]
    moved = rewritten(c, lambda n: Commit(Hyp(n)) if isinstance(n, Op) else n)

    assert well_typed(moved)
    assert stores(run(c, FAST)) == stores(run(moved, FAST))


@law(200, 10_000)
@given(BYTES)
def test_p5_whatever_is_committed_was_written_with_permission(data: bytes) -> None:
    c = parsed(print_program(program(data)[0]))
    finished = run(c, TRACED)
    permitted = [(n.node, n.at) for n in parts(c) if isinstance(n, With)]
    for place, bound in (finished.store or {}).items():
        for at in _writes(bound):
            assert any(node == place.node and _covers(w, at) for node, w in permitted)


def _writes(bound: Binding) -> Iterator[Span]:
    """The place of the write that a value began with; a commit only carries it."""
    while bound.write is not None and bound.write.merged is not None:
        bound = bound.write.merged.hyp
    if bound.write is not None:
        yield bound.write.at


def _covers(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


@law(200, 10_000)
@given(BYTES)
def test_p6_running_again_gives_the_same_and_takes_bounded_steps(data: bytes) -> None:
    c = parsed(print_program(program(data)[0]))
    one, first = derive(c, Inputs())
    other, second = derive(c, Inputs())

    assert stores(one) == stores(other)
    assert [(a.rule, a.text, a.depth) for a in first] == [(a.rule, a.text, a.depth) for a in second]
    if one.store is not None:
        assert why(one) == why(other)
    # Termination is by structure: a command runs at most once, an expression once for each.
    size = sum(1 for _ in parts(c))
    assert len(first) <= size * size


@law(200, 10_000)
@given(BYTES)
def test_p7_what_is_printed_parses_to_the_same_program(data: bytes) -> None:
    c = program(data)[0]
    for unicode in (False, True):
        assert parsed(print_program(c, unicode=unicode)) == c
