"""Findings with fixes that are safe: ``--fix`` prints these as a diff, ``--write`` makes them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import headwater
from headwater.ask.upgrade import Finding, diagnostics_of, diff_of
from headwater.cli.findings import say_findings
from headwater.cli.options import write_json
from headwater.cli.say import say, say_text
from headwater.report.diagnostic import place


def say_fixes(
    found: Sequence[Finding], files: Sequence[str], form: str, *, fix: bool, write: bool
) -> NoReturn:
    """Says what was found in files, shows the fixes or makes them, and ends the program."""
    diff, after = diff_of(found)
    if fix and form == "text":
        if diff:
            say_text(diff)
    elif form == "json":
        write_json({"format_version": 1, "diagnostics": [_as_json(finding) for finding in found]})
    elif form == "sarif":
        from headwater.report.sarif import sarif

        fixes = {finding.diagnostic: finding.fix for finding in found if finding.fix is not None}
        edits = {
            told: (fix.message, [(e.at, e.text) for e in fix.edits]) for told, fix in fixes.items()
        }
        write_json(sarif(diagnostics_of(found), headwater.__version__, edits))
    else:
        say_findings(diagnostics_of(found), form, files)
    fixed = sum(finding.fix is not None for finding in found)
    if write:
        for source in after:
            coding = "utf-8-sig" if source.bom else "utf-8"
            Path(source.name).write_bytes(source.text.encode(coding))
    if form == "text":
        done = "fixed" if write else "with a safe fix (--fix shows it, --write makes it)"
        say(f"{fixed} of {len(found)} {done}", err=True)
    sys.exit(1 if len(found) > (fixed if write else 0) else 0)


def _as_json(finding: Finding) -> dict[str, Any]:
    edits = finding.fix.edits if finding.fix is not None else None
    fix = None if edits is None else [{**place(edit.at), "text": edit.text} for edit in edits]
    return {**finding.diagnostic.as_json(), "fix": fix}
