"""Compiling with Headwater and comparing with what real Puppet says."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from headwater.langs import language_named
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.report import Diagnostic
from headwater.text import Source, Span

HERE = Path(__file__).with_name("puppet")
FACTS: dict[str, Any] = json.loads((HERE / "facts.json").read_text())
SERVER = {"servername": "oracle.example.com", "serverip": "192.0.2.1"}
"""The server that oracle.rb says it is."""
ORACLE = HERE / "oracle.rb"

_IN_A_TEXT = re.compile(r"Syntax error at .* \(line: \d+, column: \d+\) on node ")


def ours(code: str, name: str = "code.pp", **inputs: Any) -> dict[str, Any]:  # noqa: ANN401
    """The answer of Headwater in the form of the oracle, at the level of the installed Puppet."""
    inputs.setdefault("facts", FACTS)
    inputs.setdefault("puppet", 7)
    inputs["settings"] = {**SERVER, **inputs.get("settings", {})}
    job = Job((Source.of_text(name, code),), Fields(**inputs))
    outcome = language_named("puppet").compile(job)
    logs = [[d.severity, d.code, d.message] for d in outcome.diagnostics if not d.is_error]
    if outcome.result is not None:
        return {"ok": True, "catalog": outcome.result.plain(), "logs": logs}
    error = outcome.errors[0]
    at = _blamed(error)
    return {
        "ok": False,
        "error": {
            "message": error.message, "line": at.first.line, "code": error.code,
            "file": at.source.name,
        },
        "logs": logs,
    }  # fmt: skip


def _blamed(error: Diagnostic) -> Span:
    """The place that Puppet blames: for a line of data, where the class is declared."""
    if error.code == "puppet-mistyped" and not error.at.source.name.endswith(".pp"):
        declared = [note.at for note in error.labels if note.message.endswith("is declared here")]
        return declared[0] if declared else error.at
    return error.at


class Oracle:
    """One long-lived Ruby process that compiles with real Puppet: the one that is installed, or
    one whose `library` is given."""

    def __init__(self, *options: str, library: Path | None = None) -> None:
        path = [] if library is None else ["-I", str(library)]
        self.process = subprocess.Popen(
            ["ruby", *path, str(ORACLE), *options, "--serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, encoding="utf-8",
        )  # fmt: skip

    def ask(self, **job: object) -> dict[str, Any]:
        """The answer to one job."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        job.setdefault("facts", FACTS)
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the Ruby process ended"
        answer: dict[str, Any] = json.loads(line)
        return answer


def difference(real: dict[str, Any], mine: dict[str, Any]) -> str | None:
    """The first thing in which two answers differ, or None."""
    if not real["ok"] and "undefined method `" in real["error"]["message"]:
        return None  # Puppet itself broke: that is no answer
    if real["ok"] != mine["ok"]:
        if real["ok"]:
            return f"refused: {mine['error']}"
        return f"accepted, but Puppet: {real['error'].get('line')} {real['error']['message']}"
    if not real["ok"]:
        line = real["error"].get("line")
        if mine["error"]["file"].endswith((".yaml", ".json", ".erb", ".rb")):
            return None  # we point into data and templates, Puppet at what made it read them
        if _IN_A_TEXT.match(real["error"]["message"]) and not real["error"].get("file"):
            return None  # the line is one of a text that was to be a type, not of the program
        if line and line != mine["error"]["line"]:
            return f"line {mine['error']} instead of {line} {real['error']['message']}"
        return None
    theirs, own = real["catalog"], mine["catalog"]
    for key in ("tags", "name", "environment", "classes", "edges"):
        if theirs[key] != own[key]:
            return f"{key}: {own[key]} instead of {theirs[key]}"
    refs = [f"{r['type']}[{r['title']}]" for r in theirs["resources"]]
    mine_refs = [f"{r['type']}[{r['title']}]" for r in own["resources"]]
    if refs != mine_refs:
        return f"resources: {mine_refs} instead of {refs}"
    for a, b in zip(theirs["resources"], own["resources"], strict=True):
        if "#<Puppet::" in json.dumps(a.get("parameters")):
            continue  # how Ruby shows an object, with its address, is no answer to compare
        if not same(a, b) or list(a.get("parameters", ())) != list(b.get("parameters", ())):
            return f"{json.dumps(b)} instead of {json.dumps(a)}"
    return None


def same(a: object, b: object) -> bool:
    """Equal as JSON, the kinds of numbers included."""
    if isinstance(a, dict) and isinstance(b, dict):
        return sorted(a) == sorted(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b
