"""The two engines agree: result, order, provenance and error, on specifications of all kinds."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.document import why_document
from headwater.langs.protocol import Options
from headwater.langs.smartfrog.load import load
from headwater.text import Source
from laws.profile import law
from laws.strategies.smartfrog import Program, programs

STRICT = Options(strict=True)


def both(
    path: str,
    options: Options = Options(),  # noqa: B008
    dialect: str | None = None,
) -> tuple[Compiled, Compiled]:
    """The outcomes of engine and paper."""
    one = compile_request(Request(files=(path,), dialect=dialect, options=options))
    other = compile_request(Request((path,), dialect=dialect, engine="paper", options=options))
    return one, other


def told(compiled: Compiled) -> object:
    """Everything an outcome says, order of attributes included."""
    diagnostics = [d.as_json() for d in compiled.diagnostics]
    if compiled.outcome.result is None:
        return diagnostics
    text = "".join(compiled.outcome.result.export("compact"))
    causes = compiled.outcome.causes
    assert causes is not None
    positions = [
        placed and (placed.reason, [(n.message, str(n.at)) for n in placed.notes])
        for a, _ in compiled.outcome.result.walk()
        for placed in [causes.position(a)]
    ]
    return diagnostics, text, why_document(compiled), positions


def agree(program: Program) -> None:
    path = program.written()
    one, other = both(path)
    assert told(one) == told(other)
    strict, strict_paper = both(path, STRICT)
    assert [d.as_json() for d in strict.diagnostics] == [
        d.as_json() for d in strict_paper.diagnostics
    ]


@law(1300, 13_000)
@given(programs())
def test_engines_agree_on_valid_specifications(program: Program) -> None:
    agree(program)


@law(300, 3_000)
@given(programs(mistakes=True))
def test_the_extended_dialect_means_the_same_by_either_engine(program: Program) -> None:
    one, other = both(program.written(), dialect="extended")
    assert told(one) == told(other)


@law(500, 5_000)
@given(programs(mistakes=True))
def test_engines_agree_on_specifications_with_mistakes(program: Program) -> None:
    agree(program)


@law(200, 2_000)
@given(programs(mistakes=True, includes=False), st.data())
def test_mutilated_texts_get_an_answer_from_both(program: Program, data: st.DataObject) -> None:
    text = program.text
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 5)))
    extra = data.draw(st.sampled_from(["", "{", "}", ";", '"', "/*", "[", "extends", "\x00", ":"]))
    program.files["main.sf"] = text[:at] + extra + text[end:]

    agree(program)


@law(300, 3_000)
@given(programs(includes=False))
def test_what_is_printed_parses_to_the_same_tree(program: Program) -> None:
    loaded = load(Source("main.sf", program.text))

    assert not loaded.errors
    assert loaded.body == program.body


@law(300, 3_000)
@given(programs())
def test_most_generated_specifications_are_valid_and_json(program: Program) -> None:
    compiled = compile_request(Request(files=(program.written(),)))
    if compiled.outcome.result is not None:
        text = "".join(compiled.outcome.result.export("compact"))
        assert json.loads(text) == compiled.outcome.result.plain()
