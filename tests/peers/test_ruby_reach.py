"""How far the evaluator of Ruby carries: what ``headwater check`` lists over Debian's modules.

The list is docs/laws/puppet-beyond.md (``make update`` writes it).  It belongs to the packages that
are installed; with others only its form is tested.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from peers.corpus import versions
from peers.puppet import MODULES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "laws" / "puppet-beyond.md"
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
CODE = "puppet-ruby-beyond"


def listed() -> list[dict[str, Any]]:
    """What the command says of all modules."""
    done = subprocess.run(
        [sys.executable, "-m", "headwater", "check", MODULES.name, "--format", "json"],
        cwd=MODULES.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    return found


def files() -> int:
    """How many files of Ruby and templates in ERB the command reads."""
    patterns = ("*/lib/puppet/functions/**/*.rb", "*/lib/puppet/parser/functions/**/*.rb",
                "*/**/*.erb")  # fmt: skip
    return len({path for pattern in patterns for path in MODULES.glob(pattern)})


def packages() -> str:
    """The packages that are installed, in few letters."""
    told = json.dumps(versions(), sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def page(found: list[dict[str, Any]]) -> str:
    """The list as people read it."""
    rows = [
        (one["message"].partition(" (")[0] if "`" not in one["message"] else "`…`",
         one["file"].partition("/")[2], one["line"])
        for one in found
    ]  # fmt: skip
    per_file = Counter(file for _, file, _ in rows)
    lines = [
        "# What of Ruby in Debian's modules is not evaluated",
        "",
        "Written by `make update` (tests/peers/test_ruby_reach.py); do not edit.",
        "",
        f"`headwater check modules` over all modules that Debian packages ({packages()}) reads",
        f"{files():,} files of Ruby functions and templates in ERB. {len(per_file)} of them name"
        " something that is not",
        f"evaluated, at {len(rows)} places; a program that comes to such a place is refused there"
        " (`puppet-ruby-beyond`),",
        "or the value is unknown with `--on-unknown opaque`. The others name nothing of the kind;",
        "what a value is asked for is only known when it is asked.",
        "",
        "| file | line | names |",
        "|---|---|---|",
        *(f"| {file} | {line} | {name} |" for name, file, line in rows),
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.peer
@pytest.mark.skipif(not MODULES.exists(), reason="Debian's modules are not installed")
def test_check_lists_all_that_is_beyond_the_evaluator() -> None:
    found = [one for one in listed() if one["code"] == CODE]
    if UPDATE:
        PAGE.write_text(page(found), encoding="utf-8")
    for one in found:
        assert f"{Path(one['file']).name}:{one['line']})" in one["message"]
    if f"({packages()})" in PAGE.read_text("utf-8"):
        assert page(found) == PAGE.read_text("utf-8")
