"""Comparing answers: agreement, another message, another verdict, another value."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from peers.puppet_types.evaluate import Refused, run, written

SCRIPT = Path(__file__).parents[1] / "puppet_values.rb"
_LEAD = re.compile(
    r"\A(?:Evaluation Error: )?(?:Error while evaluating an? (?:Function Call|Method call|"
    r"'[^']*' expression|[A-Za-z ]+), )?"
)
_PLACE = re.compile(r" \((?:file: x\.pp, )?line: \d+(?:, column: \d+)?\)\Z|\s*\(line: .*\)\Z")


def bare(message: str) -> str:
    """A message without what the evaluator puts around it."""
    return _PLACE.sub("", _LEAD.sub("", message)).strip()


def theirs(codes: list[str]) -> list[dict[str, Any]]:
    """Real Puppet's answers, by one process."""
    lines = "".join(json.dumps({"id": i, "code": code}) + "\n" for i, code in enumerate(codes))
    done = subprocess.run(
        ["ruby", str(SCRIPT)], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(code: str) -> dict[str, Any]:
    """Our answer; anything but a value or a refusal is a mistake of ours."""
    try:
        return {"ok": True, "value": written(run(code))}
    except Refused as error:
        return {"ok": False, "error": str(error)}


def verdict(real: dict[str, Any], mine: dict[str, Any]) -> str:
    """``agree``, ``message`` (both refuse, in other words), ``value`` or ``refusal``."""
    if real["ok"] and mine["ok"]:
        return "agree" if real["value"] == mine["value"] else "value"
    if real["ok"] != mine["ok"]:
        return "refusal"
    return "agree" if bare(real["error"]) == bare(mine["error"]) else "message"
