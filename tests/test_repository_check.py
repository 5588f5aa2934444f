"""Checking a repository: nodes, data, formats, folders without headwater.toml, fifty nodes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fifty
from checked_control import checked, told
from test_repository import CONTROL, WHOLE, control, run
from test_transcripts import UPDATE, replay

__all__ = ["control"]


def test_a_sound_repository_has_no_problems(control: Path) -> None:
    found = checked()

    assert found.problems == ()
    assert [name.partition(".")[0] for name in found.nodes] == ["bastion1", "db1", "web1"]
    assert found.files == 23


def test_a_problem_of_all_nodes_is_told_once_with_their_names(control: Path) -> None:
    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    status, out, err = run("check")

    names = "bastion1.example.com, db1.example.com, web1.example.com"
    assert status == 1
    assert out == (
        "site/profile/manifests/base.pp:10:3: error[puppet-unknown-class]: "
        f"no class is called usres  (all 3 nodes: {names})\n"
    )
    assert err == "3 nodes, 23 files, 1 problem\n"


def test_a_manifest_that_no_file_of_a_module_may_hold_is_told_though_nobody_uses_it(
    control: Path,
) -> None:
    (control / "site/profile/manifests/spare.pp").write_text("class profile::spare { }\n$x = 1\n")
    assert told(checked()) == [
        ("puppet-bad-top-construct", "site/profile/manifests/spare.pp:2", [])
    ]


def test_nodes_can_be_chosen(control: Path) -> None:
    web = control / "site/profile/manifests/web.pp"
    web.write_text(web.read_text().replace("include apache", "fail('no')"))

    assert checked("db1").problems == ()
    assert told(checked("*b1.*")) == [("puppet-fail", "site/profile/manifests/web.pp:9", ["web1"])]
    assert checked("$facts['os']['family'] == 'RedHat'").nodes == ("db1.example.com",)


def test_circles_are_found(control: Path) -> None:
    site = control / "manifests/site.pp"
    site.write_text(
        site.read_text() + "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b'] -> Notify['a']\n"
    )

    assert [code for code, _, _ in told(checked())] == ["puppet-dependency-cycle"]


def test_data_that_nobody_asks_for_are_told(control: Path) -> None:
    spare = control / "site/profile/manifests/spare.pp"
    spare.write_text("class profile::spare (String $text) {\n  notify { $text: }\n}\n")
    with (control / "data/common.yaml").open("a") as file:
        file.write("ntp::servrs: []\nprofile::spare::text: unread\n")
    found = checked().problems
    assert [(p.diagnostic.code, str(p.diagnostic.at), p.diagnostic.message) for p in found] == [
        ("puppet-unused-key", "data/common.yaml:41:1",
         "nothing reads the key ntp::servrs: the class ntp has no parameter servrs"),
        ("puppet-unused-key", "data/common.yaml:42:1",
         "no node reads the key profile::spare::text"),
    ]  # fmt: skip

    # A node that is not compiled might ask: nothing is said then.
    (control / "facts/db1.example.com.json").write_text("{}")
    left = [at for code, at, _ in told(checked()) if code == "puppet-unused-key"]
    assert left == ["data/common.yaml:41"]


def test_data_of_a_node_that_is_not_in_the_inventory_are_not_unused(control: Path) -> None:
    (control / "data/nodes/old.example.com.yaml").write_text("ntp::service: old\n")

    assert checked().problems == ()


# --- formats and ends -----------------------------------------------------------------------------


def test_junit_has_a_test_for_each_node(control: Path) -> None:
    web = control / "site/profile/manifests/web.pp"
    web.write_text(web.read_text().replace("include apache", "fail('no <way>')"))
    status, out, _ = run("check", "--format", "junit")
    suite = ElementTree.fromstring(out)

    assert status == 1
    assert suite.attrib["tests"] == "4"
    failed = [case.attrib["name"] for case in suite if case.find("failure") is not None]
    assert failed == ["web1.example.com"]


# --- folders without the file --------------------------------------------------------------------


def test_a_folder_is_checked_with_its_environment(control: Path) -> None:
    (control / "headwater.toml").unlink()
    name = "web1.example.com"
    words = ["check", str(control), "--node", name, "--facts", f"facts/{name}.json"]
    assert run(*words)[0] == 0

    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    status, out, _ = run(*words)
    assert status == 1
    assert "no class is called usres" in out


def test_a_folder_that_is_a_repository_is_checked_as_one(control: Path) -> None:
    os.chdir(control.parent)
    status, _, err = run("check", "control")

    assert (status, err) == (0, "3 nodes, 23 files, 0 problems\n")


def test_files_without_a_repository_have_junit_too(control: Path) -> None:
    (control / "headwater.toml").unlink()
    (control / "x.pp").write_text("$a = \n")
    status, out, _ = run("check", "x.pp", "manifests/site.pp", "--format", "junit")
    suite = ElementTree.fromstring(out)

    assert status == 1
    assert [(case.attrib["name"], len(case)) for case in suite] == [
        ("x.pp", 1),
        ("manifests/site.pp", 0),
    ]
    assert run("check", "x.pp", "--rules", "r.toml")[0] == 2


# --- fifty nodes ---------------------------------------------------------------------------------


def test_the_first_answers_about_fifty_nodes(tmp_path: Path) -> None:
    fifty.write(tmp_path / "control")
    page = Path(__file__).with_name("fifty.txt")
    expected = page.read_text(encoding="utf-8")
    made = replay(expected, tmp_path, Path("control"))
    if UPDATE:
        page.write_text(made, encoding="utf-8")
        expected = made

    assert expected == made


def test_fifty_nodes_have_three_systems_and_every_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifty.write(tmp_path / "control")
    monkeypatch.chdir(tmp_path / "control")
    (tmp_path / "control/headwater.toml").write_text(WHOLE)
    found = json.loads(run("nodes", "--format", "json")[1])["nodes"]

    assert len(found) == 50
    roles = {path.stem for path in (CONTROL / "site/role/manifests").iterdir()}
    assert {row["role"] for row in found} == roles
