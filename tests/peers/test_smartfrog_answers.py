"""Both engines against the recorded answers of the compiler that was written from the paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from headwater.ask import Request, compile_request
from headwater.langs.protocol import EngineName

HERE = Path(__file__).parent / "smartfrog"
ANSWERS = [json.loads(line) for line in (HERE / "answers.jsonl").read_text().splitlines()]

DEPARTURES = {
    "figures/fig06_main_nosemi.sf": "a semicolon after #include is optional here, as in production",
    "probes/lex_float1.sf": "numbers may have a fraction; that compiler has integers only",
    "probes/lex_nested_comment.sf": "comments do not nest, as in production and Scala",
    "probes/lex_null.sf": "NULL is written null in JSON; that compiler prints Null",
    "probes/lex_null_lc.sf": "null is accepted besides NULL, as in OCaml",
    "probes/lex_unicode.sf": "strings are written as JSON; that compiler prints decimal escapes",
    "probes/sem_data_ref_in_vec.sf": "NULL is written null in JSON; that compiler prints Null",
    "probes/sem_sfconfig_basic.sf": "err7, where that compiler has no message and crashes",
    "probes/sem_sfconfig_vec.sf": "err7, where that compiler has no message and crashes",
    "probes/syn_include_nosemi.sf": "a semicolon after #include is optional here, as in production",
}


def answer_of(file: str, engine: EngineName) -> dict[str, Any]:
    """Our answer in the shape of the recorded one; errors by the paper's name."""
    compiled = compile_request(Request(files=(str(HERE / file),), engine=engine))
    if compiled.outcome.result is None:
        return {"error": compiled.outcome.errors[0].paper}
    return {"json": "".join(compiled.outcome.result.export("compact")).strip()}


def recorded(answer: dict[str, Any]) -> dict[str, Any]:
    """The recorded answer; a syntax error has no name in the paper."""
    if "json" in answer:
        return answer
    named = re.search(r"\[error (\d)\]", answer["error"])
    return {"error": f"err{named[1]}" if named else None}


@pytest.mark.parametrize("engine", ["engine", "paper"])
@pytest.mark.parametrize("entry", ANSWERS, ids=lambda e: e["file"])
def test_agrees_with_the_paper_s_compiler_or_says_why_not(
    entry: dict[str, Any], engine: EngineName
) -> None:
    ours = answer_of(entry["file"], engine)
    agrees = ours == recorded(entry["haskell"])

    assert agrees != (entry["file"] in DEPARTURES), (ours, entry["haskell"])


def test_every_departure_is_about_a_file_that_is_there() -> None:
    assert {entry["file"] for entry in ANSWERS} >= set(DEPARTURES)
