"""Who owns what a problem or a value comes from."""

from __future__ import annotations

import json
import os
from pathlib import Path

from checked_control import checked
from test_repository import WHOLE, control, run

__all__ = ["control"]


OWNED = """
[owners]
"data/**" = "ops"
"modules/**" = "vendors"
"ntp::*" = "network"
"profile::base" = "base"
"data/nodes/db*" = "dba"
"""


def test_the_owner_of_a_place_is_the_last_that_fits(control: Path) -> None:
    (control / "headwater.toml").write_text(WHOLE + OWNED)
    with (control / "data/common.yaml").open("a") as file:
        file.write("zz::a: 1\nntp::servrs: []\n'ntp::quoted':\n  - 1\n")
    with (control / "data/nodes/db1.example.com.yaml").open("a") as file:
        file.write("zz::b: 1\n")
    found = {p.diagnostic.at.text.strip("'"): p.owner for p in checked().problems}
    assert found == {"zz::a": "ops", "ntp::servrs": "network", "ntp::quoted": "network",
                     "zz::b": "dba"}  # fmt: skip

    line = next(one for one in run("check")[1].splitlines() if "zz::b" in one)
    assert line.endswith("  owner: dba")
    document = json.loads(run("check", "--format", "json")[1])
    assert {one["owner"] for one in document["diagnostics"]} == {"ops", "network", "dba"}
    log = json.loads(run("check", "--format", "sarif")[1])
    owners = [one["properties"]["owner"] for one in log["runs"][0]["results"]]
    assert sorted(owners) == ["dba", "network", "network", "ops"]
    assert "  = owner: dba" in run("check", "--long")[1]


def test_explain_says_who_may_change_a_value(control: Path) -> None:
    asked = ("explain", "web1:File[/etc/motd].content")
    assert "may be changed by" not in run(*asked)[1]

    (control / "headwater.toml").write_text(WHOLE + OWNED)
    said = run(*asked)[1].splitlines()
    at = said.index("may be changed by")
    assert said[at + 1].startswith("  ops  data/common.yaml:")
    assert any(line.startswith("  base  site/profile/manifests/base.pp:") for line in said[at:])
    entry = json.loads(run(*asked, "--format", "json")[1])
    owned = {os.path.basename(one["file"]): one.get("owner") for one in entry["depends"]}
    assert owned["common.yaml"] == "ops"
    assert owned["hiera.yaml"] is None
