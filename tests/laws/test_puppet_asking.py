"""Asking is pure: answers hang neither on the order of questions nor on who else asks.

A1  asked in any order, of a compilation of its own each time, every question has one answer
A2  the same when two threads ask at once, of one compilation or of two
A3  nothing that was asked has changed the record
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.protocol import Outcome
from headwater.langs.puppet.record.digest import digest
from headwater.tree import Address
from headwater.why import depends, expression, masked, origins
from laws.profile import examples, law
from laws.puppet_counter_examples import EXAMPLES, taken_apart
from laws.puppet_edits import compiled, outputs
from laws.puppet_unknowns import UNKNOWN, modulepath
from laws.strategies.puppet_programs import programs
from laws.strategies.puppet_wide import program

CIRCLES = {
    "classes that include each other": """
        class a { $x = 1  include b  notify { 'a': message => "${b::y}" } }
        class b { $y = 2  include a  notify { 'b': message => "${a::x}" } }
        if $facts['f'] == 1 { include b }
        include a
    """,
    "three in a ring, from two sides": """
        class a ($p = 1) { include b }
        class b ($p = $a::p) { include c  notify { 'b': message => $p } }
        class c ($p = $b::p) { include a  notify { 'c': message => $p } }
        if $facts['f'] == 1 { class { 'c': p => 5 } } else { include b }
        include a
    """,
    "collectors that test what others set": """
        define d ($m = 'd') { notify { $title: message => $m } }
        @d { 'r': }  d { 's': m => 'x' }
        D <| title == 'r' |> { m => 'over' }
        Notify <| message == 'over' |> { noop => true }
        Notify <| noop == true |> { loglevel => 'err' }
        Notify <| loglevel == 'err' |> { withpath => true }
    """,
    "collectors in a circle": """
        define d ($m = 'd', $n = 'e') { notify { $title: message => "${m} ${n}" } }
        @d { 'r': }  @d { 's': n => 'f' }
        D <| m == 'over' |> { n => 'f' }
        D <| n == 'f' |> { m => 'over' }
        D <| title == 'r' |>
        Notify['r'] -> Notify <| title == 's' |>
    """,
    "defaults of classes that declare each other": """
        class a { Notify { message => "a ${b::v}" }  include b  notify { 'in a': } }
        class b { $v = 1  Notify { loglevel => 'err' }  include c  notify { 'in b': } }
        class c { if $facts['f'] { Notify { message => 'c' } }  include a  notify { 'in c': } }
        if $facts['f'] == 2 { include c }
        include a
    """,
    "defines that set what they run because of": """
        define d ($m = 'd', $n = 'n') {
          if $m == 'd' { D <| title == 'r' |> { n => 'e' }  notify { "${title} m": message => $n } }
          if $n == 'n' { D <| title == 's' |> { m => 'f' }  notify { "${title} n": message => $m } }
        }
        d { 'r': }  d { 's': n => 'x' }  d { 't': m => 'y' }
    """,
    "arrows from what arrows may change": """
        notify { ['v', 'w', 'z']: }
        notify { 'y': require => Notify['z'] }
        $needed = Notify['y']['require']
        $needed -> Notify['w']
        if Notify['w']['before'] == undef { Notify['v'] -> Notify['w'] }
        notify { 'u': message => "${needed}" }
    """,
    "branches that would change what they test": """
        notify { 'r': message => 'a', loglevel => 'err' }
        notify { 's': loglevel => 'info' }
        if Notify['r']['message'] == 'b' { Notify <| |> { loglevel => 'crit' } }
        if Notify['s']['loglevel'] == 'crit' { Notify <| |> { message => 'c' } }
        notify { 't': message => Notify['r']['loglevel'] }
    """,
    "one match that is looked for from two conditions": """
        $y = false
        if 'v' =~ /([uv])/ { notify { 'w': message => "m$1" } }
        case $y { 1: { notify { 's': } } false: { notify { 't': message => 3 } } default: { } }
        if $y == false { notify { 'u': message => $y } }
    """,
    "defaults, collectors and arrows": """
        Notify { message => "m ${x}" }
        $x = 'late'
        define d ($q) { Notify { tag => $q }  notify { $title: }  ->  notify { "${title} after": } }
        d { 'one': q => 'web' }  d { 'two': q => 'db' }
        Notify <| tag == 'web' |> -> Notify <| tag == 'db' |> { noop => defined(D['one']) }
        if $facts["f"] == 1 { d { "three": q => "web" } } else { Notify["one"] ~> Notify["two"] }
    """,
}
UNKNOWNS = {
    "arrows that read what arrows of unknown ends set": """
        notify { ['v', 'w', 'x', 'y']: }
        notify { 'z': require => Notify['y'] }
        Notify['v'] -> Notify[$u]
        $n = Notify['v']['before']
        Notify['w'] -> Notify[$n ? { undef => 'x', default => 'y' }]
        if Notify['w']['before'] == undef { Notify['x'] -> Notify['y'] }
        $m = Notify['x']['before']
        notify { 'q': message => "${n} ${m}", before => Notify[$u] }
    """,
}
Answer = tuple[Any, ...]


def answer(outcome: Outcome, address: Address) -> Answer:
    """All that can be said about an output."""
    causes = outcome.causes
    assert causes is not None
    node = causes.of(address)
    trace = causes.trace
    return (
        origins(trace, node),
        repr(expression(trace, node)),
        sorted({label.order for label in depends(trace, node)}),
        repr(masked(trace, node)),
        causes.path(address),
    )


def fingerprint(outcome: Outcome) -> str:
    """The digest of the record that a compilation left."""
    causes: Any = outcome.causes
    return digest(causes.compilation.record, causes.compilation.catalog)


@contextmanager
def taking_turns() -> Iterator[None]:
    """Threads give way to each other all the time, not only after some milliseconds."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def ask(text: str, seed: int, **inputs: object) -> int:
    """Asks all questions about a program in several orders; how many there are."""
    first = compiled(text, **inputs)
    if first.result is None:
        return 0
    random = Random(seed)
    addresses = list(outputs(first))
    before = fingerprint(first)
    known = {address: answer(first, address) for address in addresses}
    assert fingerprint(first) == before, text

    alone = compiled(text, **inputs)
    for address in random.sample(addresses, len(addresses)):
        assert answer(alone, address) == known[address], (address, text)

    shared = compiled(text, **inputs)
    orders = [random.sample(addresses, len(addresses)) for _ in range(2)]
    other = compiled(text, **inputs)
    with taking_turns(), ThreadPoolExecutor(3) as threads:
        asked = zip((shared, shared, other), (*orders, addresses), strict=True)
        for found in threads.map(lambda x: {a: answer(x[0], a) for a in x[1]}, asked):
            assert found == known, text
    for outcome in (alone, shared, other):
        assert fingerprint(outcome) == before, text
    return len(addresses)


@pytest.mark.parametrize("name", CIRCLES)
@pytest.mark.parametrize("strict", ["false", "true"])
@pytest.mark.parametrize("seed", range(3))
def test_a1_a2_a3_where_causes_go_in_circles(name: str, strict: str, seed: int) -> None:
    settings = {"strict_variables": strict}
    assert ask(CIRCLES[name], seed, facts={"f": 1}, settings=settings) > 5 or strict == "true"


@pytest.mark.parametrize("name", UNKNOWNS)
def test_a1_a2_a3_where_something_is_unknown(name: str) -> None:
    text = f"$u = {UNKNOWN}\n{UNKNOWNS[name]}"
    assert ask(text, 1, modulepath=modulepath(), on_unknown="opaque") > 5


@pytest.mark.parametrize("marked", [pytest.param(e[1], id=e[0]) for e in EXAMPLES])
def test_a1_a2_a3_where_a_distant_literal_decides(marked: str) -> None:
    assert ask(taken_apart(marked)[0], 1) > 0


@law(12, 1_500)
@given(programs(), st.integers(0, 10**6))
def test_a1_a2_a3_random_programs(text: str, seed: int) -> None:
    ask(text, seed)


@pytest.mark.parametrize("seed", range(examples(8, 1_000)))
def test_a1_a2_a3_programs_of_many_classes(seed: int) -> None:
    ask(program(seed), seed, facts={"os": "a"})
