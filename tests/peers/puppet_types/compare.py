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
    except RecursionError:
        return {"ok": False, "error": "stack level too deep"}


def verdict(real: dict[str, Any], mine: dict[str, Any]) -> str:
    """``agree``, ``message`` (both refuse, in other words), ``value`` or ``refusal``."""
    if real["ok"] and mine["ok"]:
        return "agree" if real["value"] == mine["value"] else "value"
    if real["ok"] != mine["ok"]:
        return "refusal"
    return "agree" if bare(real["error"]) == bare(mine["error"]) else "message"


# Differences that are known, by what real Puppet does; each is told in the report.
EXPLAINED: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "ruby-internals",
        "Real Puppet fails inside its own Ruby code, or shows a Ruby object with its address; "
        "Headwater refuses in its own words, or shows the value.",
        re.compile(
            r"undefined method|undefined local variable|#<(?:Puppet|Class|Symbol|Object)|"
            r"no implicit conversion|"
            r"uninitialized constant|out of range of integer|stack level too deep|"
            r"Did you mean|too big to convert|@nsecs|wrong number of arguments|\(given \d"
        ),
    ),
    (
        "sort-order",
        "Elements that have no order are refused by both; which pair is named depends on the "
        "steps of the sorting algorithm.",
        re.compile(r"comparison of .* failed|Non comparable type|Can only compare values"),
    ),
    (
        "object-types",
        "Object types with attributes are beyond this implementation: a coded refusal.",
        re.compile(r"object |Object\["),
    ),
    (
        "uri-pattern",
        "Real Puppet prints its whole regular expression for URIs; Headwater names the rule.",
        re.compile(r"URI-Type parameter has wrong type"),
    ),
    (
        "bytes-in-messages",
        "Ruby shows letters beyond ASCII as bytes in the message about a number.",
        re.compile(r'invalid value for \w+\(\): "[^"]*\\x'),
    ),
)


def explanation(code: str, real: dict[str, Any], mine: dict[str, Any]) -> str | None:
    """The name of the known reason for a difference; None when there is none."""
    if real.get("value") == {"iterator": []} and isinstance(mine.get("value"), dict):
        return "iterator-state"
    if "Init[" in code and real.get("value", 0) is None:
        return "init-undef"
    if "||" in code and "SemVer" in code:
        return "version-unions"
    text = json.dumps(real)
    text = text.encode().decode("unicode_escape") if "\\u" in text else text
    refused = not real["ok"] and not mine["ok"]
    for name, _, pattern in EXPLAINED:
        internal = name == "ruby-internals" and "#<" in text
        if pattern.search(text) and (refused or internal):
            return name
    if "tree_each" in code and re.search(r"[A-Z]\w+", code):
        return "types-as-trees"
    if not real["ok"] and real["error"].startswith("Syntax error"):
        return "syntax-words"
    return None


OTHER_REASONS = {
    "iterator-state": (
        "Iterators of real Puppet remember how far they were read, so that using one twice gives "
        "nothing the second time; here they start anew."
    ),
    "types-as-trees": "tree_each goes into the attributes of a type; here a type is a leaf.",
    "syntax-words": "A text that spells no type is refused by both, in other words.",
    "init-undef": "Comparing with Init[T] gives undef in real Puppet where false is meant.",
    "version-unions": "Types over unions of version ranges fail inside Ruby when compared.",
}
