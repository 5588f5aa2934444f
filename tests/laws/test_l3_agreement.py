"""The two engines of L3 agree: values, warnings, errors and all provenance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.l3.elements import literals_by_label
from headwater.langs.l3.load import load
from headwater.langs.l3.paper.outcome import run as run_paper
from headwater.langs.l3.values import BLOCK, value_of
from headwater.tree.json import compact
from laws.l3_runs import known, run, text, told, why
from laws.profile import law
from laws.strategies import l3


@law(600, 15_000)
@given(l3.programs, st.booleans())
def test_engines_agree(files: l3.Files, strict: bool) -> None:
    sources = l3.sources(files)
    one = run(sources, strict=strict)
    other = run(sources, engine="paper", strict=strict)

    assert [told(d) for d in one.diagnostics] == [told(d) for d in other.diagnostics]
    assert text(one) == text(other)
    if one.result is not None:
        assert why(one) == why(other)


@law(100, 2_500)
@given(l3.programs)
def test_masked_lists_exactly_the_losing_candidates(files: l3.Files) -> None:
    sources = l3.sources(files)
    outcome = run(sources)
    if outcome.result is None:
        return
    program = load(sources).program
    verdicts = run_paper(program, literals_by_label(program), strict=False).verdicts
    found = why(outcome)
    for address, _ in outcome.result.walk():
        if address not in verdicts:
            continue
        verdict = verdicts[address]
        losers = sorted(
            (compact(value_of(c.key)), known(place))
            for c in verdict.candidates
            if c not in verdict.winners and c.key != BLOCK
            for place in c.literals
        )
        listed = found[address]["masked"]

        assert sorted(entry[:2] for entry in listed if entry[1][0] == "literal") == losers
