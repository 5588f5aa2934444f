"""Generated programs compiled by us and by real Puppet: the same catalog, or the same refusal.

``python -m peers.programs --seed S --count N --totals FILE`` runs a chunk of the long
comparison, adds its figures to those of FILE and writes docs/laws/puppet-programs.md; with
``--puppet 8`` it compares with Puppet 8.10, and writes docs/laws/puppet-8.md.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from headwater.langs.puppet.generate.programs import Program, program_of
from peers import puppet8
from peers.catalogs import Oracle, difference, ours

_LAWS = Path(__file__).resolve().parent.parent.parent / "docs" / "laws"
REPORT, REPORT_8 = _LAWS / "puppet-programs.md", _LAWS / "puppet-8.md"
RELAXED = {"strict": "warning", "strict_variables": False}


class Programs:
    """A comparison that goes on: one Ruby process, one folder for data.

    With Puppet 8 what its settings refuse is asked again with those of Puppet 7.
    """

    def __init__(self, level: int = 7) -> None:
        self.level = level
        self.oracle = Oracle() if level == 7 else puppet8.oracle()
        self.folder = Path(tempfile.mkdtemp(prefix="headwater-programs"))
        self.count: Counter[str] = Counter()
        self.found: list[str] = []

    def close(self) -> None:
        """Ends the process and removes the folder."""
        self.oracle.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def difference(self, program: Program) -> str | None:
        """In what the answers to a program differ."""
        inputs: dict[str, Any] = {}
        if self.level != 7 and puppet8.excepted(program.code):
            self.count["excepted"] += 1
            return None
        self.count["programs"] += 1
        here = self.folder / str(self.count["programs"])
        if program.files:
            self.count["with data"] += 1
            for name, text in program.files.items():
                path = here / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            inputs["hiera"] = str(here / "hiera.yaml")
        try:
            found = self._asked(program.code, inputs, "")
            if found is None and self.level != 7:
                found = self._asked(program.code, {**inputs, "settings": RELAXED}, " relaxed")
            return found
        finally:
            if program.files:
                shutil.rmtree(here)

    def _asked(self, code: str, inputs: dict[str, Any], how: str) -> str | None:
        real = self.oracle.ask(code=code, filename="code.pp", **inputs)
        self.count[("accepted" if real["ok"] else "refused") + how] += 1
        if real["ok"]:
            self.count["resources"] += len(real["catalog"]["resources"])
        level = 7 if self.level == 7 else puppet8.NUMBER
        return difference(real, ours(code, "code.pp", puppet=level, **inputs))

    def run(self, seed: int, count: int) -> None:
        """Compares so many random programs."""
        chance = random.Random(seed)
        for _ in range(count):
            data = chance.randbytes(chance.randint(40, 260))
            found = self.difference(program_of(data))
            if found is not None:
                smaller = self.shrunk(data)
                told = self.difference(program_of(smaller)) or found
                program = program_of(smaller)
                data_files = [f"-- {name}\n{text}" for name, text in program.files.items()]
                self.found.append("\n".join([program.code, *data_files, told]))

    def shrunk(self, data: bytes) -> bytes:
        """A smaller string of bytes whose program still differs, found greedily."""
        before = self.count.copy()
        size = len(data) // 2
        while size:
            at = 0
            while at < len(data):
                shorter = data[:at] + data[at + size :]
                zeroed = data[:at] + bytes(len(data[at : at + size])) + data[at + size :]
                for smaller in (shorter, zeroed):
                    if smaller != data and self.difference(program_of(smaller)) is not None:
                        data = smaller
                        break
                else:
                    at += size
            size //= 2
        self.count = before
        return data


def report(count: dict[str, int], found: list[str], mended: int = 0) -> str:
    """The page about all programs compared so far; `mended` were found and differ no more."""
    total = count["programs"]
    lines = [
        "# Puppet programs: generated ones compared with real Puppet",
        "",
        "Written by `make laws` (tests/peers/programs.py); do not edit.",
        "",
        "Programs drawn at random from the whole grammar (expressions, types, functions, classes,",
        "defines, resources, collectors, relationships, nodes) and some with data for Hiera,",
        "compiled here and by Puppet 7.23 in one Ruby process.  They agree when the catalogs are",
        "equal (resources, parameters, tags, edges, classes, all with their order), or both",
        "refuse, at the same line where Puppet names one.  Left out is what is no answer: Ruby's",
        "`undefined method` inside Puppet, and objects that it shows with their address.  What was",
        "found before is asked again by every run (tests/peers/puppet/small/generated.txt).",
        "",
        "| what | number |",
        "|---|---|",
        f"| programs | {total:,} |",
        f"| … with data for Hiera | {count.get('with data', 0):,} |",
        f"| accepted by Puppet | {count.get('accepted', 0):,} |",
        f"| refused by Puppet | {count.get('refused', 0):,} |",
        f"| resources compared | {count.get('resources', 0):,} |",
        f"| differences in the last run | {len(found) + mended} |",
        f"| … of which still differ | {len(found)} |",
        "",
    ]
    for text in found:
        lines += ["```", text[:1500], "```", ""]
    return "\n".join(lines)


def report_8(count: dict[str, int], found: list[str]) -> str:
    """The page about programs compared with Puppet 8.10."""
    lines = [
        "# Puppet 8: generated programs compared with Puppet 8.10",
        "",
        "Written by `make laws` (tests/peers/programs.py); do not edit.",
        "",
        "Programs as for [Puppet 7](puppet-programs.md), compiled here at level 8 and by Puppet",
        "8.10 in one Ruby process: as it comes, and again with `strict=warning` and",
        "`strict_variables=false`, since its own settings refuse many of them.  Level 8 follows",
        "OpenVox 8.28.1; what came after 8.10 (`regsubst` of Sensitive texts, `environment` of",
        "packages, the version itself) is left out for this comparison, and nodes whose regular",
        "expression has a group `(?…)` are excepted: Puppet 8.10 misnames them.",
        "",
        "| what | number |",
        "|---|---|",
        f"| programs | {count.get('programs', 0):,} |",
        f"| … with data for Hiera | {count.get('with data', 0):,} |",
        f"| … excepted | {count.get('excepted', 0):,} |",
        f"| accepted by Puppet 8.10 as it comes | {count.get('accepted', 0):,} |",
        f"| refused | {count.get('refused', 0):,} |",
        f"| accepted with the milder settings | {count.get('accepted relaxed', 0):,} |",
        f"| refused | {count.get('refused relaxed', 0):,} |",
        f"| resources compared | {count.get('resources', 0):,} |",
        f"| differences | {len(found)} |",
        "",
    ]
    for text in found:
        lines += ["```", text[:1500], "```", ""]
    return "\n".join(lines)


def main() -> None:
    """One chunk."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--totals", type=Path)
    parser.add_argument("--puppet", type=int, choices=(7, 8), default=7)
    given = parser.parse_args()
    programs = Programs(given.puppet)
    programs.run(given.seed, given.count)
    programs.close()
    total = Counter(programs.count)
    found = programs.found
    if given.totals is not None:
        if given.totals.exists():
            old = json.loads(given.totals.read_text())
            total += Counter(old["count"])
            found = [*old["found"], *found]
        given.totals.write_text(json.dumps({"count": total, "found": found}))
        if given.puppet == 7:
            REPORT.write_text(report(dict(total), found), encoding="utf-8")
        else:
            REPORT_8.write_text(report_8(dict(total), found), encoding="utf-8")
    print(dict(total), len(programs.found), "differences in this chunk")
    for text in programs.found:
        print("-" * 80, text, sep="\n")


if __name__ == "__main__":
    main()
