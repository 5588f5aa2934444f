"""The two Opal engines agree: on types, values, errors and causes.

On well-typed programs everything is compared.  On texts with exchanged names the type
checkers must say the same, and runs without type checking must end in the same way.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import print_program
from headwater.text import Source
from laws.opal_runs import FAST, PAPER, TRACED, over, parsed, run, stores, typed, well_typed, why
from laws.profile import law
from laws.strategies.opal import BYTES, mutated, program

STORES = (over({}), over({"n.h": [], "p.x": [[], []], "m.y": [[], []]}))


@law(2_000, 20_000)
@given(BYTES)
def test_engines_agree_on_well_typed_programs(data: bytes) -> None:
    c = parsed(print_program(program(data)[0]))
    by_paper, by_engine = typed(c)

    assert by_paper == by_engine
    assert well_typed(c)
    paper, fast, traced = (run(c, how) for how in (PAPER, FAST, TRACED))
    assert stores(paper) == stores(fast) == stores(traced)
    if paper.store is not None:
        assert why(paper) == why(traced)


@law(2_000, 20_000)
@given(BYTES, st.binary(min_size=8, max_size=16))
def test_engines_agree_on_programs_with_exchanged_names(data: bytes, change: bytes) -> None:
    found = parse(Source("law.opal", mutated(print_program(program(data)[0]), change)))
    c = found.program
    if c is None:
        assert {d.paper for d in found.diagnostics} == {"E001"}
        return
    inputs = STORES[change[0] % len(STORES)]
    by_paper, by_engine = typed(c, inputs.initial)

    assert by_paper == by_engine
    paper, fast, traced = (run(c, how, inputs) for how in (PAPER, FAST, TRACED))
    assert stores(paper) == stores(fast) == stores(traced)
    if paper.store is not None:
        assert why(paper) == why(traced)
