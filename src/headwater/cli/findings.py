"""Findings in the formats of ``check``."""

from __future__ import annotations

from collections.abc import Sequence

import headwater
from headwater.cli.options import write_json
from headwater.cli.say import say, say_diagnostics, say_raw
from headwater.report import Diagnostic
from headwater.text.paths import near


def say_findings(found: Sequence[Diagnostic], form: str, files: Sequence[str]) -> None:
    """Writes findings in one of the formats."""
    match form:
        case "json":
            write_json({"format_version": 1, "diagnostics": [d.as_json() for d in found]})
        case "sarif":
            from headwater.report.sarif import sarif

            write_json(sarif(found, headwater.__version__))
        case "junit":
            from headwater.report.junit import junit

            by_file: dict[str, list[Diagnostic]] = {name: [] for name in files}
            for one in found:
                by_file.setdefault(near(one.at.source.name), []).append(one)
            say_raw(junit(by_file.items()))
        case _:
            if found:
                say_diagnostics(found)
            of_files = "file" if len(files) == 1 else "files"
            of_findings = "finding" if len(found) == 1 else "findings"
            say(f"{len(files)} {of_files}, {len(found)} {of_findings}", err=True)
