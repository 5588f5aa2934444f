"""What the language levels differ in: recorded answers of Puppet 7.23 and of OpenVox 8.28.1.

Each case of puppet/levels/cases.jsonl is a program with its files and both answers (`both` where
they are equal); ``answer_7_strict`` is 7.23 with strict=error and strict_variables, where that
differs from 8.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from peers.catalogs import FACTS, HERE, difference, ours

CASES = [json.loads(line) for line in (HERE / "levels" / "cases.jsonl").open(encoding="utf-8")]
STRICT = {"strict": "error", "strict_variables": True}
NOT_YET = {"hiera-v3-custom": "puppet-hiera-config"}
"""Cases that wait for Hiera 3, with the code of their refusal."""
RUNS = [
    pytest.param(case, level, answer, settings, id=f"{case['id']}-{name}")
    for case in CASES
    for name, level, answer, settings in (
        ("7", 7, case.get("both") or case["answer_7"], {}),
        ("8", 8, case.get("both") or case["answer_8"], {}),
        ("7-strict", 7, case.get("answer_7_strict"), STRICT),
    )
    if answer is not None
]


def told(
    case: dict[str, Any], level: int, settings: dict[str, Any], folder: Path
) -> dict[str, Any]:
    """What Headwater says about a case."""
    for name, text in case.get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("CASE", str(folder)), encoding="utf-8")
    inputs: dict[str, Any] = {
        name: str(folder / case[name]) for name in ("hiera", "env", "modulepath") if name in case
    }
    without = case.get("facts_without", ())
    inputs["facts"] = {name: value for name, value in FACTS.items() if name not in without}
    inputs["settings"] = {**case.get("settings", {}), **settings}
    name = f"{case['id'].removeprefix('trap-')}.pp" if case["id"].startswith("trap-") else "code.pp"
    answer = ours(case["program"], name, puppet=level, **inputs)
    plain: dict[str, Any] = json.loads(json.dumps(answer).replace(str(folder), "CASE"))
    return plain


@pytest.mark.parametrize(("case", "level", "answer", "settings"), RUNS)
def test_each_level_answers_as_its_version(
    case: dict[str, Any],
    level: int,
    answer: dict[str, Any],
    settings: dict[str, Any],
    tmp_path: Path,
) -> None:
    mine = told(case, level, settings, tmp_path)

    refused = NOT_YET.get(case["id"])
    if refused is None:
        assert difference(answer, mine) is None
    else:
        assert not mine["ok"], "it compiles now: take it out of NOT_YET"
        assert mine["error"]["code"] == refused


def test_there_are_cases() -> None:
    assert len(CASES) == 231
