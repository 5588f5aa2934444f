"""Work that grows in proportion to a program: counted, not timed (`bench/growth.py` has the times).

Each test does something for n and for 2n and counts what is done: nodes made, steps made, entries
looked at.  Twice the size may take a little more than twice the work, and not four times.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterable, Iterator, ValuesView
from pathlib import Path
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
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.why import queries
from headwater.langs.smartfrog.engine.outcome import EngineCauses
from headwater.langs.smartfrog.order import Listing, OrderChange, order_change
from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.causes import ProductionCauses
from headwater.langs.smartfrog.production.components import Comp
from headwater.report import Note
from headwater.text import Source
from headwater.why import views

LITTLE_MORE = 2.3

Item = TypeVar("Item")
Result = TypeVar("Result")


def noted(into: list[Item], item: Item, result: Result) -> Result:
    """The result, when something has been noted."""
    into.append(item)
    return result


def compiled(name: str, text: str, **more: Any) -> Compiled:  # noqa: ANN401
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

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401
        self.reads += 1
        return super().__getitem__(at)


class CountedPasses(list[Any]):
    """A list that counts how often somebody goes through it."""

    passes = 0

    def __iter__(self) -> Iterator[Any]:
        self.passes += 1
        return super().__iter__()


class CountedTable(dict[str, Any]):
    """A table that counts how often somebody goes through its values."""

    passes = 0

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self.passes += 1
        return super().values()


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


def test_what_was_there_when_defined_was_asked_is_put_together_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    real = queries._declaring
    monkeypatch.setattr(queries, "_declaring", lambda *a: noted(asked, 1, real(*a)))

    def work(n: int) -> int:
        asked.clear()
        line = "if !defined(Notify['n{0}']) {{ notify {{ 'n{0}': message => 'm' }} }}\n"
        more = "class c{0} {{ }}\nif !defined(Class['c{0}']) {{ include c{0} }}\n"
        blame(compiled("a.pp", "".join((line + more).format(i) for i in range(n))))
        return len(asked)

    proportional(work, 30)


def test_a_line_of_classes_is_gone_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = Program.find_class
    monkeypatch.setattr(Program, "find_class", lambda self, n: noted(asked, 1, real(self, n)))

    def work(n: int) -> int:
        asked.clear()
        line = "class c{1} inherits c{0} {{ notify {{ 'n{0}': message => 'm' }} }}\n"
        text = "".join(line.format(i, i + 1) for i in range(n))
        compiled("a.pp", f"class c0 {{ }}\n{text}include c{n}\n")
        return len(asked)

    proportional(work, 30)


def test_classes_in_classes_know_what_is_around_them() -> None:
    line = "class c{0} {{ include c{1} }}\n"
    text = "".join(line.format(i, i + 1) for i in range(30))
    made = compiled("a.pp", f"{text}class c30 {{ }}\nnode default {{ include c0 }}\n")
    record = made.outcome.causes.compilation.record  # type: ignore[union-attr]
    deepest = record.scopes["c30"]
    assert deepest.enclosing().is_node
    deepest.parent.parent = None  # nobody goes up that far
    assert deepest.parent.around is deepest.around is record.node_scope


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
        self._patterns = CountedTable()
        made.append(self)

    monkeypatch.setattr(Nodes, "__init__", begin)
    text = "".join(f"node /^n{i}x/ {{ }}\n" for i in range(50))
    compiled("a.pp", text + "node default { }\n", lang="puppet")
    passes = [one._patterns.passes for one in made]  # type: ignore[attr-defined]
    assert max(passes) > 0
    assert sum(passes) < 5


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


def test_a_chain_of_prototypes_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = Attr.clone
    monkeypatch.setattr(Attr, "clone", lambda self: noted(made, 1, real(self)))

    def copies(n: int) -> int:
        made.clear()
        nodes_made(compiled("a.sf", growing_chain(n), dialect="production"))
        return 1 + len(made)  # what is looked through is not copied at all

    def nodes(n: int) -> int:
        return nodes_made(compiled("a.sf", growing_chain(n), dialect="production"))

    proportional(copies, 40)
    proportional(nodes, 40)


@pytest.mark.parametrize(
    ("first", "link", "last"),
    [
        ("a 1;", "[sfFinal] x{0} {0}; [sfOverride] a {0};", ""),
        ("m extends {{ }}", "x{0} {0};", "m:z 1;"),
        ("", "x{0} extends {{ }} x{0}:a {0};", ""),
        ("m extends {{ }}", "[mine] m:a{0} {0}; m:b{0} extends {{ }} m:b{0}:c {0};", ""),
        ("", "x{0} extends {{ a 1; y extends {{ }} y:b 1; }} x{0}:a {0}; x{0}:f (1 + {0});", ""),
    ],
    ids=["tags", "a placement at the end", "a placement", "placed above", "placed inside"],
)
def test_tags_and_placements_copy_no_more_of_a_chain(
    monkeypatch: pytest.MonkeyPatch, first: str, link: str, last: str
) -> None:
    made: list[int] = []
    real = Attr.clone
    monkeypatch.setattr(Attr, "clone", lambda self: noted(made, 1, real(self)))

    def text(n: int) -> str:
        links = "".join(f"p{i + 1} extends p{i}, {{ {link.format(i)} }}\n" for i in range(n))
        return f"p0 extends {{ {first.format()} }}\n{links}sfConfig extends p{n}, {{ {last} }}\n"

    def copies(n: int) -> int:
        made.clear()
        nodes_made(compiled("a.sf", text(n), dialect="production"))
        return 1 + len(made)

    def nodes(n: int) -> int:
        return nodes_made(compiled("a.sf", text(n), dialect="production"))

    proportional(copies, 40)
    proportional(nodes, 40)


def test_what_is_not_in_a_prototype_is_not_copied_to_find_out() -> None:
    links = "".join(f"p{i + 1} extends p{i}, {{ c{i} extends Q; }}\n" for i in range(30))
    text = f"Q extends {{ q 1; }}\np0 extends {{ }}\n{links}sfConfig extends p30\n"
    made = compiled("a.sf", text, dialect="production")
    causes = made.outcome.causes
    assert isinstance(causes, ProductionCauses)
    result = causes._top.result
    assert isinstance(result, Comp)
    assert result.parent is not None
    waiting = [attr.value for attr in result.parent.settled.values()]
    assert sum(isinstance(one, Comp) and one.base is not None for one in waiting) == 31


def test_placements_do_not_copy_what_they_place_into() -> None:
    def nodes(n: int) -> int:
        sets = "".join(f"m:a{i} {i};\n" for i in range(n))
        text = f"sfConfig extends {{ m extends {{ }}\n{sets}}}\n"
        return nodes_made(compiled("a.sf", text, dialect="extended"))

    proportional(nodes, 40)


@pytest.mark.parametrize("dialect", ["core", "extended", "production"])
def test_many_prototypes_share_the_places_where_a_name_is_not(dialect: str) -> None:
    def nodes(n: int) -> int:
        names = ", ".join(f"P{i}" for i in range(n))
        text = "".join(f"P{i} extends {{ x{i} {i}; }}\n" for i in range(n))
        made = compiled("a.sf", f"{text}sfConfig extends {names}\n", dialect=dialect)
        assert made.outcome.causes is not None
        node = made.outcome.causes.of(("x0",))
        misses = [x for x in views.depends(made.outcome.causes.trace, node) if x.kind == "miss"]
        assert [x.text for x in misses].count("x0") == n - 1
        return nodes_made(made)

    proportional(nodes, 40)


def test_order_is_looked_at_only_where_something_was_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passes: list[int] = []

    def counted(
        listing: Listing,
        order: Iterable[str],
        placed: Callable[[str], tuple[Note, ...]],
        *,
        replaced: Callable[[str], bool],
    ) -> OrderChange | None:
        looked_at = CountedPasses(order)
        answer = order_change(listing, looked_at, placed, replaced=replaced)
        passes.append(looked_at.passes)
        return answer

    monkeypatch.setattr("headwater.langs.smartfrog.engine.evaluate.order_change", counted)
    (tmp_path / "a.sf").write_text(growing_chain(30))
    assert not list(check(Request(), [str(tmp_path / "a.sf")]))
    assert len(passes) > 30
    assert not any(passes)


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
    for text in (growing_chain(3), "sfConfig extends { m:a 1; m extends { } }"):
        plain = compiled("a.sf", text, dialect="extended")
        assert isinstance(plain.outcome.causes, EngineCauses), text
    for text in (
        "sfConfig extends { b 1; a 2; order a < b; }",
        "sfConfig extends { m:n:a 1; m:n extends { } m extends { } }",
        "p extends { a 1; } sfConfig extends merge p, { b 2; }",
        "sfConfig extends { a b; b 1; }",
    ):
        made = compiled("a.sf", text, dialect="extended")
        assert not isinstance(made.outcome.causes, EngineCauses), text


def test_what_was_not_merged_with_anything_is_noted_once_for_all_that_is_inside() -> None:
    def work(n: int) -> int:
        twice = "l extends merge p{0}, {{ }} r extends merge p{0}, {{ }}"
        blocks = [f"p{i + 1} extends merge {{ z 1; }}, {{ {twice.format(i)} }}\n" for i in range(n)]
        text = f"p0 extends {{ x 1; }}\n{''.join(blocks)}sfConfig extends {{ y p{n}:l:z; }}"
        made = compiled("a.sf", text, dialect="extended")
        assert made.outcome.causes is not None
        return len(made.outcome.causes.trace.tags)

    proportional(work, 20)


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
