"""The time-server story: three commits by two people, and what explain says after each.

The manifests are examples/timeserver; docs/languages/mupuppet.md tells the story.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.cli.explain import command as explain
from headwater.cli.impact import command as impact

EXAMPLES = Path(__file__).parents[2] / "examples" / "timeserver"
VALUE = "File[/etc/timeserver].content"


def git(folder: Path, *words: str, author: str = "Ada") -> None:
    person = ["-c", f"user.name={author}", "-c", f"user.email={author.lower()}@example.org"]
    subprocess.run(["git", "-C", str(folder), *person, *words], check=True, capture_output=True)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path / "site.pp"


def commit(site: Path, version: str, author: str) -> None:
    site.write_text((EXAMPLES / f"{version}-site.pp").read_text(encoding="utf-8"))
    git(site.parent, "add", "site.pp")
    git(site.parent, "commit", "-q", "-m", f"version {version}", author=author)


def asked(site: Path) -> dict[str, Any]:
    words = [str(site), VALUE, "--engine", "paper", "--format", "json"]
    answer = CliRunner().invoke(explain, words)
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.output)
    return found


def test_a_masked_change_shows_when_the_override_goes(site: Path) -> None:
    commit(site, "1", "Ben")
    first = asked(site)
    assert first["value"] == "clock.lab.example"

    # Ada changes the default: nothing changes for Ben, and explain says what is masked.
    commit(site, "2", "Ada")
    second = asked(site)
    assert second["value"] == "clock.lab.example"
    assert second["where"]["author"] == "Ben"
    (masked,) = second["masked"]
    assert masked["value"] == "time.cheap.example"
    assert masked["reason"] == "shadow"
    assert masked["where"]["author"] == "Ada"

    # Ben removes his line: the value changes, and it is Ada's line that says so.
    commit(site, "3", "Ben")
    third = asked(site)
    assert third["value"] == "time.cheap.example"
    assert third["masked"] == []
    assert third["where"]["author"] == "Ada"
    assert third["where"]["commit"] == masked["where"]["commit"]
    assert "$timeserver = 'time.cheap.example'" in third["where"]["snippet"]


def test_impact_of_the_default_before_and_after(site: Path) -> None:
    commit(site, "2", "Ada")
    words = [f"{site}:3", "--of", str(site), "--engine", "paper"]
    before = CliRunner().invoke(impact, words)
    commit(site, "3", "Ben")
    after = CliRunner().invoke(impact, words)

    dependent, _, hidden = before.output.partition("no effect on")
    assert VALUE not in dependent
    assert VALUE in hidden
    assert VALUE in after.output
