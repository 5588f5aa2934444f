"""Several threads of one process: what they share stays whole."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from headwater.text import Source
from headwater.text.recursion import entered, leave, room
from headwater.why import Label, Node, Trace, depends, origins
from laws.puppet_edits import compiled

COUNT = 2_000


@pytest.fixture(autouse=True)
def turns() -> Iterator[None]:
    """Threads give way to each other all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def together(*tasks: Callable[[], object]) -> list[object]:
    """What tasks answer that begin at the same time."""
    start = Barrier(len(tasks))

    def run(task: Callable[[], object]) -> object:
        start.wait()
        return task()

    with ThreadPoolExecutor(len(tasks)) as threads:
        return list(threads.map(run, tasks))


def traced() -> tuple[Trace, list[Node]]:
    """A trace of many values, each with an input and a guard of its own."""
    trace, source = Trace(), Source("main", "a" * COUNT)
    nodes = []
    for at in range(COUNT):
        value, guard = (Label(kind, source.span(at, at + 1), "a") for kind in ("literal", "key"))
        nodes.append(trace.guard(trace.label(value), trace.label(guard)))
    return trace, nodes


def test_a_trace_gives_two_threads_the_same_answers() -> None:
    for _ in range(5):
        trace, nodes = traced()

        def ask(seed: int, trace: Trace = trace, nodes: list[Node] = nodes) -> bool:
            return all(
                [x.at.start for x in (*origins(trace, nodes[at]), *depends(trace, nodes[at]))]
                == [at, at, at]
                for at in Random(seed).sample(range(COUNT), COUNT)
            )

        assert together(lambda: ask(1), lambda: ask(2)) == [True, True]


def deep(left: int) -> int:
    return 0 if left == 0 else 1 + deep(left - 1)


def test_no_thread_takes_away_the_frames_of_another() -> None:
    usual = sys.getrecursionlimit()

    def in_depth() -> int:
        with room(20_000):
            return max(deep(15_000) for _ in range(5))

    def often() -> int:
        for _ in range(5_000):
            with room(10_000), room(30_000):
                pass
        return sys.getrecursionlimit()

    assert together(in_depth, often, in_depth)[::2] == [15_000, 15_000]
    assert sys.getrecursionlimit() == usual


def test_an_alarm_leaves_the_rooms_that_were_entered_since() -> None:
    usual = sys.getrecursionlimit()
    with room(20_000):
        before = entered()
        room(30_000).__enter__()
        room(25_000).__enter__()
        assert sys.getrecursionlimit() == 30_000
        leave(before)
        assert sys.getrecursionlimit() == 20_000
    assert sys.getrecursionlimit() == usual
    leave((0, usual))
    assert sys.getrecursionlimit() == usual


def test_long_chains_are_compiled_and_asked_beside_short_questions() -> None:
    lines = [f"$v{at} = $v{at - 1} + 1\n" for at in range(1, 1_200)]
    chain = f"$v0 = 1\n{''.join(lines)}notify {{ 'n': message => \"x ${{v1199}}\" }}"

    def long() -> int:
        outcome = compiled(chain)
        assert outcome.causes is not None
        node = outcome.causes.of(("Notify[n]", "message"))
        return len(depends(outcome.causes.trace, node))

    def short() -> set[int]:
        found = set()
        for _ in range(40):
            outcome = compiled("$v = 1 notify { 'n': message => \"x ${v}\" }")
            assert outcome.causes is not None
            node = outcome.causes.of(("Notify[n]", "message"))
            found.add(len(depends(outcome.causes.trace, node)))
        return found

    alone = long(), short()
    assert together(long, short) == [*alone]
