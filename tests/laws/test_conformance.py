"""What holds of every result, whatever made it: language, dialect, phase, engine.

Each address has causes, unless the empty program has the same value there; each cause has a place,
every view answers, and the answers are the same in whatever order they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from cases import Case, all_cases, request_of
from headwater.ask import BadRequest, Compiled, Request, compile_request
from headwater.ask.generate import generate
from headwater.ask.request import EngineName
from headwater.ask.views import Views
from headwater.langs import LANGUAGES, families_of, language_named
from headwater.langs.fields import names_of
from headwater.langs.smartfrog.production.compiling import PHASES
from headwater.text import Source
from headwater.tree import Address
from headwater.why import Label, depends
from laws.profile import examples

CASES = all_cases()
MOST_ADDRESSES = 60

Setting = tuple[str, str, str | None, EngineName]


def settings() -> Iterator[Setting]:
    """Every language, dialect, phase (where there are any) and engine."""
    for name in LANGUAGES:
        for dialect, engines in language_named(name).dialects.items():
            phased = "phase" in names_of(families_of(name).program) and dialect == "production"
            for engine in engines:
                if (dialect, engine) != ("production", "paper"):  # no paper defines it
                    for phase in PHASES if phased else [None]:
                        yield name, dialect, phase, engine


def cases_of(setting: Setting) -> list[Case]:
    """The cases of a language that are written for a dialect and an engine."""
    name, dialect, _, engine = setting
    found = [case for case in CASES if case.name.startswith(f"{name}/")]
    default = next(iter(language_named(name).dialects))
    return [
        case
        for case in found
        if engine in case.engines
        and (case.headers.get("dialect", default) == dialect or case.of_calculus)
        and "out.json" in case.sections
    ]


def programs(setting: Setting, folder: Path) -> Iterator[Request]:
    """Requests for programs of cases, and for generated ones."""
    name, dialect, phase, engine = setting
    inputs = {} if phase is None else {"phase": phase}
    chosen = cases_of(setting)
    Random(f"{setting}").shuffle(chosen)
    for number, case in enumerate(chosen[: examples(5, 60)]):
        place = folder / str(number)
        request = request_of(case, engine, place)
        yield replace(request, dialect=dialect, inputs={**request.inputs, **inputs})
    try:
        for seed, text in generate(name, seed=1, count=examples(3, 40), dialect=dialect):
            source = Source(f"generated{seed}{LANGUAGES[name].endings[0]}", text)
            yield Request((), (source,), name, dialect, engine, inputs)
    except BadRequest:
        return


def in_every_result(setting: Setting) -> set[tuple[Address, str]]:
    """What the result of the empty program has: nothing in a program is the cause of it."""
    name, dialect, _, engine = setting
    empty = Source(f"empty{LANGUAGES[name].endings[0]}", "")
    result = compile_request(Request((), (empty,), name, dialect, engine)).outcome.result
    return set() if result is None else {(where, repr(value)) for where, value in result.walk()}


def answers(
    compiled: Compiled, order: list[Address], given: set[tuple[Address, str]]
) -> dict[Address, object]:
    """What every view says of each address, asked in that order."""
    causes = compiled.outcome.causes
    result = compiled.outcome.result
    assert causes is not None
    assert result is not None
    found: dict[Address, object] = {}
    for address in order:
        views = Views(causes, address)
        shown = compiled.language.show_address(address)
        if (address, repr(result.get(address))) not in given:
            assert views.depends, f"{shown} has no causes"
        for label in views.labels():
            assert_has_place(label, shown)
        position = causes.position(address)
        found[address] = (views.as_json(described), position and position.reason)
    output = depends(causes.trace, causes.output())
    for label in output:
        assert_has_place(label, "the set of values")
    found[()] = [described(label) for label in output]
    return found


def described(label: Label) -> tuple[str, str, str]:
    return label.kind, str(label.at), label.text


def assert_has_place(label: Label, of: str) -> None:
    at = label.at
    assert at.source.name, f"a cause of {of} is nowhere: {label}"
    assert 0 <= at.start <= at.end <= len(at.source.text), f"{of}: {label}"


@pytest.mark.parametrize("setting", list(settings()), ids=lambda s: "-".join(filter(None, s)))
def test_every_view_of_every_value_answers_in_any_order(setting: Setting, tmp_path: Path) -> None:
    tried = 0
    given = in_every_result(setting)
    for request in programs(setting, tmp_path):
        first = compile_request(request)
        if first.outcome.result is None:
            continue
        tried += 1
        addresses = [address for address, _ in first.outcome.result.walk()][:MOST_ADDRESSES]
        forward = answers(first, addresses, given)
        for address in addresses:
            shown = first.language.show_address(address)
            assert first.language.parse_address(shown) == address, shown
        shuffled = list(reversed(addresses))
        Random(tried).shuffle(shuffled)
        assert answers(compile_request(request), shuffled, given) == forward

    assert tried >= 3
