"""The comparison with real Puppet on mutated modules, and the report about it.

The long profile (``make laws``) writes docs/laws/puppet-syntax.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from headwater.langs.puppet.syntax import parse, validate
from headwater.langs.puppet.syntax.dump import dump
from headwater.text import Source
from peers.mutants import mutants
from peers.puppet import Puppet

REPORT = Path(__file__).resolve().parent.parent.parent / "docs" / "laws" / "puppet-syntax.md"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What we say about a text: whether Puppet would take it, why not, and its tree."""

    ok: bool
    codes: tuple[str, ...]
    line: int | None
    dump: str | None


def verdict(source: Source) -> Verdict:
    """Our verdict on a text."""
    parsed = parse(source)
    errors = [d for d in parsed.diagnostics if d.is_error]
    tree = None if errors else dump(parsed.program)
    if not errors:
        errors = [d for d in validate(parsed.program) if d.is_error]
    line = errors[0].at.first.line if errors else None
    return Verdict(not errors, tuple(d.code for d in errors), line, tree)


@dataclass
class Comparison:
    """How we and Puppet judged the same texts."""

    count: int = 0
    accepted: int = 0
    agreed: int = 0
    same_tree: int = 0
    same_line: int = 0
    refused: int = 0
    one_message: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)

    @property
    def agreement(self) -> float:
        return self.agreed / self.count if self.count else 1.0


def compare(peer: Puppet, files: tuple[Path, ...], count: int, seed: int) -> Comparison:
    """Judges so many mutants of files, ourselves and by the peer."""
    found = Comparison()
    for mutant in mutants(files, count, seed):
        found.count += 1
        theirs = peer.parse(mutant.text, mutant.name, dump=True)
        try:
            ours = verdict(Source(mutant.name, mutant.text))
        except Exception as error:  # noqa: BLE001 - any crash of ours is what we look for
            found.crashes.append(f"{mutant.change}: {error!r}")
            continue
        issue = next((i for i in theirs["issues"] if i[0] == "error"), None)
        if ours.ok != theirs["ok"]:
            cause = cause_of(ours, issue)
        elif ours.ok and ours.dump != theirs["dump"]:
            cause = "both accept, but the trees differ"
        else:
            cause = None
        if cause is None or ours.ok == theirs["ok"]:
            found.agreed += 1
        if cause:
            found.causes[cause] += 1
            found.examples.setdefault(cause, mutant.change)
        if ours.ok and theirs["ok"]:
            found.accepted += 1
            found.same_tree += ours.dump == theirs["dump"]
        elif not ours.ok and issue is not None:
            found.refused += 1
            found.same_line += ours.line == issue[2]
            found.one_message += len(ours.codes) == 1
            found.codes[issue[1], ours.codes[0]] += 1
    return found


def cause_of(ours: Verdict, issue: list[object] | None) -> str:
    """Why the verdicts differ: the code of whoever refuses."""
    if ours.ok:
        assert issue is not None
        return f"Puppet refuses ({issue[1]}), we accept"
    return f"we refuse ({ours.codes[0]}), Puppet accepts"


def write_report(found: Comparison, files: tuple[Path, ...]) -> None:
    """Writes the page."""
    causes = [
        f"| {cause} | {number} | `{found.examples[cause][:100].replace('|', chr(92) + '|')}` |"
        for cause, number in found.causes.most_common()
    ]
    codes = [
        f"| {theirs} | {ours} | {number} |"
        for (theirs, ours), number in found.codes.most_common(60)
    ]
    lines = [
        "# Puppet syntax: agreement with real Puppet on mutated modules",
        "",
        "Written by `make laws` (tests/peers/puppet_report.py); do not edit.",
        "",
        f"Every text is a file of the {len(files):,} manifests and templates in Debian's",
        "puppet-module packages with one token deleted, duplicated, swapped with its neighbour or",
        "replaced.  The peer is Puppet 7.23 (`puppet parser validate`, in one Ruby process).",
        "",
        "| what | number |",
        "|---|---|",
        f"| mutants | {found.count:,} |",
        f"| same verdict | {found.agreed:,} ({found.agreement:.2%}) |",
        f"| both accept | {found.accepted:,} |",
        f"| … with the same tree | {found.same_tree:,} |",
        f"| both refuse | {found.refused:,} |",
        f"| … first error on the same line | {found.same_line:,} |",
        f"| … one mistake, one message from us | {found.one_message:,} |",
        f"| crashes of ours | {len(found.crashes)} |",
        "",
        "## Differences by cause",
        "",
        *(["| cause | number | example |", "|---|---|---|", *causes] if causes else ["None."]),
        "",
        "## What both refuse, by the names of both",
        "",
        "| Puppet's issue | our code | number |",
        "|---|---|---|",
        *codes,
        "",
    ]
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text("\n".join(lines), encoding="utf-8")
