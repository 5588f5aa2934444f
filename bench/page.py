"""Runs benchmarks and writes what they print into docs/performance.md, word for word.

The page has a place for each script: a comment that names it, what it printed, and a comment that
ends the place.  Scripts run one after the other; nothing else should run on the machine.

usage: python bench/page.py [SCRIPT …]
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from given import one_of, parser

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "performance.md"
PLACE = re.compile(r"<!-- (bench/(\w+)\.py)(.*?) -->\n(.*?)<!-- end -->\n", re.DOTALL)
"""A place of the page: the script, its options, and what it printed the last time."""


def places(text: str) -> list[tuple[str, list[str]]]:
    """The scripts that have a place, each with its options."""
    return [(found[2], found[3].split()) for found in PLACE.finditer(text)]


def put(text: str, name: str, printed: str, about: str) -> str:
    """The page with what a script printed in its place."""

    def place(found: re.Match[str]) -> str:
        if found[2] != name:
            return found[0]
        command = f"$ python {found[1]}{found[3]}"
        return (
            f"<!-- {found[1]}{found[3]} -->\n```text\n{command}\n{printed.rstrip()}\n```\n\n"
            f"{about}\n<!-- end -->\n"
        )

    return PLACE.sub(place, text)


def told() -> str:
    """When, with what and beside how much other work the scripts ran."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True
    ).stdout.strip()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"*{datetime.date.today().isoformat()}, {python}, {os.cpu_count()} processors, "
        f"load {os.getloadavg()[0]:.1f} at the start, code of {commit or 'no commit'}*"
    )


def main() -> int:
    """Runs what was asked for; 1 if a script missed a goal."""
    there = places(PAGE.read_text(encoding="utf-8"))
    names = [name for name, _ in there]
    asked = parser(__doc__)
    asked.add_argument("scripts", nargs="*", type=one_of(names), metavar="SCRIPT")
    wanted = asked.parse_args().scripts or names
    missed = 0
    for name, options in there:
        if name not in wanted:
            continue
        about = told()
        command = [sys.executable, str(HERE / f"{name}.py"), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            print(f"{name} ended with {done.returncode}\n{done.stderr}", file=sys.stderr)
            return 70
        missed += done.returncode
        print(f"== {name}\n{done.stdout}", flush=True)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put(text, name, done.stdout, about), encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
