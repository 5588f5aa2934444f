"""Rules over provenance, and baselines of what is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checked_control import checked, told
from headwater.fleet.config import BadRepository
from headwater.fleet.patterns import fits_address, fits_path
from headwater.fleet.rules import read_rules
from test_repository import WHOLE, control, run

__all__ = ["control"]


RULES = """
[[rule]]
values = ["File[/etc/sudoers*].content"]
only_from = ["site/security/**", "data/common.yaml"]
message = "who may become root is decided by security"
[[rule]]
values = ["Service[nt*].ensure"]
not_from = ["data/os/RedHat.yaml"]
[[rule]]
values = ["Class[Ntp].*"]
not_overridden_by = ["data/**", "!data/os/**"]
"""


def test_rules_over_provenance(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    found = checked(rules=["rules.toml"])

    assert told(found) == [
        ("rule-broken", "data/nodes/web1.example.com.yaml:5", ["web1"]),
        ("rule-broken", "data/nodes/web1.example.com.yaml:7", ["web1"]),
        ("rule-broken", "data/os/RedHat.yaml:2", ["db1"]),
    ]
    messages = [problem.diagnostic.message for problem in found.problems]
    assert messages[0] == "Class[Ntp].servers is overridden in data/nodes/web1.example.com.yaml"
    assert messages[1] == (
        "File[/etc/sudoers.d/admins].content is written in data/nodes/web1.example.com.yaml: "
        "who may become root is decided by security"
    )
    assert messages[2].startswith("Service[ntpd].ensure depends on data/os/RedHat.yaml")


def test_rules_of_the_repository_are_kept_without_being_named(control: Path) -> None:
    (control / "rules").mkdir()
    (control / "rules/one.toml").write_text(RULES)
    (control / "headwater.toml").write_text(f'{WHOLE}[rules]\nfiles = ["rules/*.toml"]\n')

    assert len(checked().problems) == 3


def test_a_finding_of_a_rule_has_its_chain_in_sarif(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    status, out, _ = run("check", "--rules", "rules.toml", "--format", "sarif")
    log = json.loads(out)

    assert status == 1
    (result,) = [r for r in log["runs"][0]["results"] if "sudoers" in r["message"]["text"]]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    places = [
        (step["location"]["physicalLocation"]["artifactLocation"]["uri"],
         step["location"]["physicalLocation"]["region"]["startLine"])
        for step in flow["locations"]
    ]  # fmt: skip
    assert places[0] == ("data/nodes/web1.example.com.yaml", 7)
    assert ("site/role/manifests/webserver.pp", 3) in places
    assert places[-1] == ("rules.toml", 2)
    assert result["properties"] == {"nodes": ["web1.example.com"]}


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("[[rule]]\nvalus = []\n", "repository-key", "valus"),
        ("[rules]\n", "repository-key", "rules"),
        ("[[rule]]\nvalues = 'File[*]'\nonly_from = []\n", "repository-value", "'File[*]'"),
        ("[[rule]]\nvalues = ['a']\nmessage = 1\nonly_from = ['b']\n", "repository-value", "1"),
        ("[[rule]]\nonly_from = ['x']\n", "repository-value", "rule"),
        ("[[rule]]\nvalues = ['x']\n", "repository-value", "rule"),
        ("rule = 1\n", "repository-value", "1"),
        ("[[rule\n", "repository-file", ""),
    ],
)
def test_mistakes_in_rules_are_told_where_they_stand(
    text: str, code: str, at: str, control: Path
) -> None:
    (control / "r.toml").write_text(text)
    with pytest.raises(BadRepository) as bad:
        read_rules(["r.toml"])

    assert (bad.value.diagnostics[0].code, bad.value.diagnostics[0].at.text) == (code, at)


def test_patterns() -> None:
    assert fits_path(["data/**"], "data/a/b.yaml")
    assert not fits_path(["data/*"], "data/a/b.yaml")
    assert fits_path(["**/b.yaml"], "b.yaml")
    assert not fits_path(["data/**", "!data/a/**"], "data/a/b.yaml")
    assert not fits_path([], "x")
    assert fits_address(["File[/etc/sudoers*].*"], "File[/etc/sudoers.d/x].mode")
    assert not fits_address(["File[/etc/sudoers*].*"], "File[/etc/motd].mode")
    assert fits_address(["Service[?].ensure"], "Service[a].ensure")


# --- baselines ------------------------------------------------------------------------------------


def test_a_baseline_holds_what_is_accepted(control: Path) -> None:
    (control / "rules.toml").write_text(RULES)
    words = ["check", "--rules", "rules.toml", "--baseline", "accepted.json"]
    status, out, err = run(*words, "--accept")
    assert (status, out) == (0, "")
    assert "accepted.json accepts 3 problems\n" in err

    common = control / "data/nodes/web1.example.com.yaml"
    common.write_text(f"# one line more\n{common.read_text()}")
    status, out, err = run(*words)
    assert (status, out) == (0, "")
    assert "0 problems, 3 accepted" in err

    common.write_text(common.read_text().replace("- carol", "- alice"))
    status, out, err = run(*words)
    assert status == 1
    assert out.count("\n") == 1
    assert "1 accepted problem of the baseline not found any more" in err


def test_a_baseline_that_is_none_is_told(control: Path) -> None:
    assert run("check", "--baseline", "nowhere.json")[0] == 1
    (control / "b.json").write_text('{"accepted": 1}')
    status, _, err = run("check", "--baseline", "b.json")

    assert status == 1
    assert "error[bad-baseline]: b.json is no baseline" in err
    assert run("check", "--accept")[0] == 2
