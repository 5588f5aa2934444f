"""Diagnostics as a SARIF 2.1.0 log, which code-review tools read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.report.codes import registry
from headwater.report.diagnostic import Diagnostic, Note
from headwater.text import Span

Edits = tuple[str, Sequence[tuple[Span, str]]]
"""What a change does, in words, and the new text for each place."""


def sarif(
    diagnostics: Sequence[Diagnostic], version: str, fixes: Mapping[Diagnostic, Edits] | None = None
) -> dict[str, Any]:
    """One run with a rule for each code that occurs, and the fixes that are known."""
    known_fixes = fixes or {}
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
                "results": [
                    _result(d, names.index(d.code), known_fixes.get(d)) for d in diagnostics
                ],
            }
        ],
    }


def _result(diagnostic: Diagnostic, rule: int, fix: Edits | None) -> dict[str, Any]:
    text = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
    mended = {} if fix is None else {"fixes": [_fix(*fix)]}
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [_location(diagnostic.at)],
        "relatedLocations": [
            {**_location(note.at), "message": {"text": note.message}} for note in diagnostic.labels
        ],
        **mended,
    }


def _fix(message: str, edits: Sequence[tuple[Span, str]]) -> dict[str, Any]:
    by_file: dict[str, list[dict[str, Any]]] = {}
    for at, text in edits:
        region = _location(at)["physicalLocation"]["region"]
        change = {"deletedRegion": region, "insertedContent": {"text": text}}
        by_file.setdefault(at.source.name, []).append(change)
    return {
        "description": {"text": message},
        "artifactChanges": [
            {"artifactLocation": {"uri": name}, "replacements": changes}
            for name, changes in by_file.items()
        ],
    }


def flow(notes: Sequence[Note]) -> dict[str, Any]:
    """Places in the order in which one led to the next, as a code flow."""
    return {
        "threadFlows": [
            {
                "locations": [
                    {"location": {**_location(note.at), "message": {"text": note.message}}}
                    for note in notes
                ]
            }
        ]
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
