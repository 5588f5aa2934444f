"""Diagnostics as a SARIF 2.1.0 log, which code-review tools read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.report.codes import registry
from headwater.report.diagnostic import Diagnostic
from headwater.text import Span


def sarif(diagnostics: Sequence[Diagnostic], version: str) -> dict[str, Any]:
    """One run with a rule for each code that occurs."""
    known = registry()
    names = sorted({d.code for d in diagnostics})
    rules = [
        {
            "id": name,
            "shortDescription": {"text": known[name].what},
            "help": {"text": known[name].fix},
        }
        for name in names
    ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "headwater", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(d, names.index(d.code)) for d in diagnostics],
            }
        ],
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    text = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [_location(diagnostic.at)],
        "relatedLocations": [
            {**_location(note.at), "message": {"text": note.message}} for note in diagnostic.labels
        ],
    }


def _location(at: Span) -> dict[str, Any]:
    (line, column), (end_line, end_column) = at.first, at.last
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": at.source.name},
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        }
    }
