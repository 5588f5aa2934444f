"""Every case, with every engine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cases import Case, all_cases, outputs, run_case
from seen import saw_rules

CASES = all_cases()
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
PAIRS = [pytest.param(case, e, id=f"{case.name}-{e}") for case in CASES for e in case.engines]


@pytest.mark.parametrize(("case", "engine"), PAIRS)
def test_case_gives_its_expected_output(case: Case, engine: str, tmp_path: Path) -> None:
    compiled = run_case(case, engine, tmp_path)
    made = outputs(case, compiled)
    if UPDATE and engine == case.engines[0]:
        inputs = {n: body for n, body in case.sections.items() if not n.startswith("out.")}
        case.sections = inputs | made
        case.path.write_text(case.text(), encoding="utf-8")
    expected = {n: body for n, body in case.sections.items() if n.startswith("out.")}

    assert made == expected
    saw_rules(case.name.split("/")[0], compiled.outcome.rules)
    if engine == "paper":
        missing = set(case.rules) - set(compiled.outcome.rules)
        assert not missing, f"rules that did not fire: {missing}"


def test_there_are_cases() -> None:
    assert len(CASES) > 20
