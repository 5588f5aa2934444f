"""Work that grows in proportion to a program: counted, not timed (`bench/growth.py` has the times).

Each test does something for n and for 2n and counts what is done: nodes made, steps made, entries
looked at.  Twice the size may take a little more than twice the work, and not four times.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from headwater.ask import Compiled, Request, compile_request
from headwater.ask import blame as blaming
from headwater.ask.blame import blame
from headwater.ask.check import check
from headwater.ask.impact import Affected, impact
from headwater.langs.puppet.hiera import yaml as data
from headwater.langs.puppet.language import LANGUAGE as PUPPET
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.nodes import Nodes
from headwater.langs.smartfrog.engine.outcome import EngineCauses
from headwater.text import Source
from headwater.why import views

LITTLE_MORE = 2.3

Item = TypeVar("Item")
Result = TypeVar("Result")


def noted(into: list[Item], item: Item, result: Result) -> Result:
    """The result, when something has been noted."""
    into.append(item)
    return result


def compiled(name: str, text: str, **more: Any) -> Compiled:
    """A program that must compile."""
    made = compile_request(Request(sources=(Source(name, text),), **more))
    assert made.outcome.result is not None, made.diagnostics
    return made


def nodes_made(made: Compiled) -> int:
    """How large the trace of a program is when everything was asked."""
    blame(made)
    assert made.outcome.causes is not None
    return len(made.outcome.causes.trace)


def proportional(work: Callable[[int], int], n: int) -> None:
    """Asserts that twice the size takes no more than a little more than twice the work."""
    once, twice = work(n), work(2 * n)
    assert once > 0
    assert twice <= LITTLE_MORE * once, (once, twice)


class CountedReads(array):  # type: ignore[type-arg]
    """An array that counts how often an element is read."""

    reads = 0

    def __getitem__(self, at: Any) -> Any:
        self.reads += 1
        return super().__getitem__(at)


class CountedPasses(list[Any]):
    """A list that counts how often somebody goes through it."""

    passes = 0

    def __iter__(self) -> Iterator[Any]:
        self.passes += 1
        return super().__iter__()


# -- Puppet ------------------------------------------------------------------------------------


def test_collectors_that_override_are_put_together_once() -> None:
    def work(n: int) -> int:
        line = (
            "notify {{ 'n{0}': message => 'm' }}\nNotify <| title == 'n{0}' |> {{ tag => 'x' }}\n"
        )
        return nodes_made(compiled("a.pp", "".join(map(line.format, range(n)))))

    proportional(work, 40)


def test_who_realized_a_resource_is_looked_up() -> None:
    line = "@notify {{ 'n{0}': message => 'm' }}\nNotify <| title == 'n{0}' |>\n"
    made = compiled("a.pp", "".join(map(line.format, range(50))))
    record = made.outcome.causes.compilation.record  # type: ignore[union-attr]
    record.collectors = CountedPasses(record.collectors)
    blame(made)
    assert record.collectors.passes < 5


def test_calls_of_tag_are_looked_up() -> None:
    line = "class c{0} {{ tag('t{0}') notify {{ 'n{0}': message => 'm' }} }}\ninclude c{0}\n"
    made = compiled("a.pp", "".join(map(line.format, range(50))))
    causes = made.outcome.causes
    assert causes is not None
    record = causes.compilation.record  # type: ignore[attr-defined]
    record.acts = CountedPasses(record.acts)
    for i in range(50):
        causes.of((f"Notify[n{i}]", "@tags", f"t{i}"))
    assert record.acts.passes < 5


def test_a_chain_of_arrows_is_gone_through_once() -> None:
    def work(n: int) -> int:
        chain = " -> ".join(f"notify {{ 'n{i}': message => 'm' }}" for i in range(n))
        return nodes_made(compiled("a.pp", chain))

    proportional(work, 30)


def test_chains_of_classes_are_not_measured_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = views.depends
    monkeypatch.setattr(
        "headwater.langs.puppet.why.replay.depends", lambda *a: noted(asked, 1, real(*a))
    )
    line = "class c{0} {{ notify {{ 'n{0}': message => 'm' }} include c{1} }}\n"
    text = "".join(line.format(i, i + 1) for i in range(50))
    blame(compiled("a.pp", f"{text}class c50 {{ }}\ninclude c0\n"))
    assert not asked, "no class of the chain rests on an input"


def test_patterns_of_nodes_are_not_compared_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Nodes] = []
    real = Nodes.__init__

    def begin(self: Nodes, level: LanguageLevel) -> None:
        real(self, level)
        self.patterns = CountedPasses()
        made.append(self)

    monkeypatch.setattr(Nodes, "__init__", begin)
    text = "".join(f"node /^n{i}x/ {{ }}\n" for i in range(50))
    compiled("a.pp", text + "node default { }\n", lang="puppet")
    assert made
    assert all(one.patterns.passes < 5 for one in made)  # type: ignore[attr-defined]


def test_the_places_of_keys_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(n: int) -> int:
        document = data.Document("".join(f"k{i}: {{ a: {i} }}\n" for i in range(n)))
        read: list[int] = []
        real = data._Reader.value
        with monkeypatch.context() as patch:
            patch.setattr(
                data._Reader, "value", lambda self, node: noted(read, 1, real(self, node))
            )
            for i in range(n):
                assert document.place((f"k{i}", "a")) is not None
        return len(read)

    proportional(work, 40)


# -- SmartFrog ---------------------------------------------------------------------------------


def growing_chain(n: int) -> str:
    """A chain of prototypes, each with an attribute more."""
    links = "".join(f"p{i + 1} extends p{i}, {{ x{i} {i}; }}\n" for i in range(n))
    return f"p0 extends {{ a 1; }}\n{links}sfConfig extends p{n}, {{ z 1; }}\n"


@pytest.mark.parametrize("dialect", ["core", "extended"])
def test_a_chain_of_prototypes_is_gone_down_once(dialect: str) -> None:
    def nodes(n: int) -> int:
        return nodes_made(compiled("a.sf", growing_chain(n), dialect=dialect))

    def steps(n: int) -> int:
        made = compiled("a.sf", growing_chain(n), dialect=dialect)
        blame(made)
        causes = made.outcome.causes
        assert isinstance(causes, EngineCauses)
        return causes._descent.landings

    proportional(nodes, 40)
    proportional(steps, 40)


def test_a_value_that_came_through_many_links_is_found_at_once() -> None:
    def work(n: int) -> int:
        links = "".join(f"a{i + 1} a{i};\n" for i in range(n))
        made = compiled("a.sf", f"sfConfig extends {{ a0 1;\n{links}}}\n")
        assert made.outcome.causes is not None
        trace = made.outcome.causes.trace
        nodes = [made.outcome.causes.of((f"a{i}",)) for i in range(n)]
        trace.tags = CountedReads("B", trace.tags)
        for node in nodes:
            assert views.where(trace, node) is not None
            assert list(views.beaten(trace, node)) == []
        return trace.tags.reads

    proportional(work, 40)


def test_an_extension_is_what_the_reference_semantics_is_for() -> None:
    plain = compiled("a.sf", growing_chain(3), dialect="extended")
    assert isinstance(plain.outcome.causes, EngineCauses)
    for text in (
        "sfConfig extends { b 1; a 2; order a < b; }",
        "sfConfig extends { m extends { } m:a 1; }",
        "p extends { a 1; } sfConfig extends merge p, { b 2; }",
        "sfConfig extends { a b; b 1; }",
    ):
        made = compiled("a.sf", text, dialect="extended")
        assert not isinstance(made.outcome.causes, EngineCauses), text


# -- all languages -----------------------------------------------------------------------------


def test_blame_and_impact_do_not_ask_why_others_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(views, "depends", lambda *a: noted(asked, 1, []))
    sets = "".join(f"a {i};\n" for i in range(20))
    made = compiled("a.sf", f"sfConfig extends {{\n{sets}}}\n")
    lines = blame(made)
    assert isinstance(lines, list)
    (line,) = lines
    assert line.overrides == 19
    answer = impact(made, "a.sf", 2)
    assert isinstance(answer, Affected)
    assert answer.masked == ("a",)
    assert not asked


def test_no_garbage_is_looked_for_during_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    real = views.where
    monkeypatch.setattr(blaming, "where", lambda *a: noted(seen, gc.isenabled(), real(*a)))
    was = PUPPET.check
    monkeypatch.setattr(
        type(PUPPET),
        "check",
        lambda self, job, **k: noted(seen, gc.isenabled(), was(job, **k)),
    )
    gc.enable()  # other tests of the process may have switched it off
    blame(compiled("a.sf", "sfConfig extends { a 1; }"))
    list(check(Request(sources=(Source("a.pp", ""),)), ["examples/web.pp"]))
    assert seen
    assert not any(seen)
    gc.enable()  # other tests of the process may have switched it off
