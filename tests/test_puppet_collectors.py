"""Many collectors find their resources in tables: the same ones as by looking at each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headwater.ask import Request, compile_request
from headwater.langs.puppet.catalog.population import Population
from headwater.langs.puppet.engine import collectors
from headwater.text import Source

CORNERS = Path(__file__).parent / "peers" / "puppet" / "small"
PROGRAMS = [
    program
    for name in ("many_collectors", "queries")
    for program in (CORNERS / f"{name}.txt").read_text().split("\n----\n")
]


def answer(program: str) -> Any:  # noqa: ANN401
    """The catalog of a program, or what is wrong with it."""
    made = compile_request(Request(sources=(Source("a.pp", program),)))
    result = made.outcome.result
    told = "null" if result is None else "".join(result.export("json"))
    return [d.code for d in made.diagnostics], json.loads(told)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_the_tables_give_what_looking_at_every_resource_gives(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collectors, "FEW", -1)
    by_table = answer(program)
    monkeypatch.setattr(collectors, "FEW", 1 << 30)
    assert by_table == answer(program)


@pytest.mark.parametrize(
    "line",
    [
        "@notify { 'n{i}': tag => 't{i}' } Notify <| tag == 't{i}' |>\n",
        "class c{i} { @notify { 'n{i}': } } include c{i}\nNotify <| tag == 'c{i}' |>\n",
        "@notify { 'n{i}': message => 'M{i}' } Notify <| message == 'm{i}' |>\n",
        "@notify { 'n{i}': } Notify <| title == 'N{i}' and tag == 'notify' |>\n",
        "@notify { 'n{i}': } Notify <| message != 'x' and title == 'n{i}' |>\n",
        "@notify { 'n{i}': message => 'm' } Notify <| message == 'm' and title == 'n{i}' |>\n",
        "@notify { 'n{i}': } Notify <| title == 'n{i}' or title == 'n0' |>\n",
        "@notify { 'n{i}': tag => 't{i}' } $t{i} = ['t{i}', 'u{i}'] Notify <| tag == $t{i} |>\n",
    ],
)
def test_a_collector_looks_at_those_it_may_want(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    for name in ("tagged", "valued"):
        real = getattr(Population, name)

        def counted(self: Population, *args: Any, real: Any = real) -> Any:  # noqa: ANN401
            found = real(self, *args)
            looked_at.append(len(found))
            return found

        monkeypatch.setattr(Population, name, counted)
    codes, catalog = answer("".join(line.replace("{i}", str(i)) for i in range(50)))
    assert codes == []
    assert len(looked_at) >= 50
    assert max(looked_at) <= 2
    titles = [found["title"] for found in catalog["resources"] if found["type"] == "Notify"]
    assert len(titles) == 50
