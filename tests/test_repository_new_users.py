"""What somebody does who has a repository and no manual: answers that would mislead them."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from test_fleet import more_nodes
from test_repository import CONTROL, control, run

__all__ = ["control"]

NO_REPOSITORY = "there is no headwater.toml here or above; `headwater init` writes one"


def git(*words: str) -> None:
    identity = ["-c", "user.name=Ann", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "revisions"
    subprocess.run(["sh", str(CONTROL / "revisions.sh"), str(folder)], check=True)
    monkeypatch.chdir(folder)
    assert run("init")[0] == 0
    return folder


# --- nothing to answer about ------------------------------------------------------------------


@pytest.mark.parametrize("words", [["nodes"], ["fleet", "list"], ["nodes", "--format", "json"]])
def test_a_table_without_a_node_is_no_good_answer(control: Path, words: list[str]) -> None:
    for path in (control / "facts").iterdir():
        path.write_text('{"os": ')
    status, out, err = run(*words)

    assert status == 1
    assert "environment  facts" not in out
    assert "is left out" in out + err
    (control / "facts/web1.example.com.json").write_text("{}")
    assert run(*words)[0] == 0


def test_a_name_that_needs_escapes_stands_in_its_column(control: Path) -> None:
    (control / "facts/a\nb.json").write_text("{}")
    head, first, *_ = run("nodes")[1].splitlines()

    assert first.index("bastion") == head.index("role")
    assert first.startswith("a\\nb ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compile", "web1"], f"help: if web1 is a node: {NO_REPOSITORY}"),
        (["explain", "web1:Class[Ntp].servers"], NO_REPOSITORY),
        (["lookup", "ntp::servers", "--node", "web1"], NO_REPOSITORY),
        (["whatif", "data/common.yaml:role=x"], NO_REPOSITORY),
        (["diff", "--from", "puppet=7"], NO_REPOSITORY),
        (["diff"], NO_REPOSITORY),
    ],
)
def test_without_headwater_toml_that_is_what_is_told(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "nothing")
    status, _, err = run(*words)

    assert status == (1 if "file-unreadable" in err else 2)
    assert said in err


def test_data_without_a_hierarchy_are_told_where_one_could_be(control: Path) -> None:
    (control / "hiera.yaml").unlink()
    status, _, err = run("lookup", "ntp::servers", "--node", "web1")

    assert status == 1
    assert "--> hiera.yaml:1:1" in err
    assert "help: a hiera.yaml in the environment" in err


# --- one mistake, told once and where it is ----------------------------------------------------


def test_an_environment_that_is_not_known_is_one_mistake_of_all_nodes(control: Path) -> None:
    (control / "environments").mkdir()
    for name in ("live", "staging"):
        (control / "environments" / name / "manifests").mkdir(parents=True)
        (control / "environments" / name / "manifests/site.pp").write_text("notice('x')\n")
    toml = '[puppet]\nenvironments = "environments"\n[nodes]\nfacts = "facts"\n'
    (control / "headwater.toml").write_text(toml)

    for words in (["check"], ["fleet", "check"], ["fleet", "compile"], ["fleet", "lookup", "x"]):
        status, out, err = run(*words)
        told = [line for line in (out + err).splitlines() if "error[" in line]
        assert status == 1
        assert told == [
            "headwater.toml:2:16: error[node-undecided]: which environment? --env is one of live, "
            "staging  (all 3 nodes: bastion1.example.com, db1.example.com, web1.example.com)"
        ]


def test_an_environment_that_is_not_there_is_one_mistake(control: Path) -> None:
    status, out, _ = run("check", "--env", "nope", "--format", "json")

    assert status == 1
    assert [one["code"] for one in json.loads(out)["diagnostics"]] == ["puppet-bad-input"]


def test_facts_that_are_no_text_are_told_in_their_file(control: Path) -> None:
    path = control / "facts/web1.example.com.json"
    path.write_bytes(b'{"a": "\xe9"}')
    (control / "facts/link.json").symlink_to("nowhere")
    _, out, _ = run("check", "--format", "sarif")
    found = json.loads(out)["runs"][0]["results"]
    places = {
        (place["artifactLocation"]["uri"], place["region"]["startColumn"])
        for one in found
        for place in [one["locations"][0]["physicalLocation"]]
    }

    assert places == {("facts/web1.example.com.json", 8), ("facts/link.json", 1)}


def test_a_node_has_a_name_and_a_path_too(control: Path) -> None:
    for path in (control / "facts").iterdir():
        path.unlink()
    (control / "facts/all.json").write_text('[{"certname": "", "facts": {"a": 1}}]')
    status, _, err = run("nodes")
    assert status == 1
    assert "the name of a node is empty" in err

    (control / "headwater.toml").write_text('[nodes]\nfacts = ""\n')
    status, _, err = run("nodes")
    assert status == 1
    assert 'error[repository-value]: facts must be a path, not ""' in err


# --- two states --------------------------------------------------------------------------------


def test_a_side_without_headwater_toml_is_asked_as_the_other_says(revisions: Path) -> None:
    git("checkout", "-q", "feature")
    git("add", "headwater.toml")
    git("commit", "-q", "-m", "told")
    git("checkout", "-q", "main")
    assert not os.path.exists("headwater.toml")
    status, out, _ = run("diff", "main..feature", "--format", "json")

    assert status == 0
    found = json.loads(out)
    assert (found["added_nodes"], found["removed_nodes"]) == ([], [])
    assert found["groups"][0]["changes"][0]["address"] == "File[/etc/sudoers.d/admins].mode"


def test_the_side_that_fails_is_told(revisions: Path) -> None:
    git("checkout", "-q", "-b", "moved")
    git("mv", "modules/ntp/templates/ntp.conf.erb", "modules/ntp/templates/other.erb")
    git("commit", "-q", "-m", "moved")
    status, out, _ = run("diff", "main..moved", "--node", "db1")

    assert status == 1
    assert out.endswith("1 failed on moved: db1.example.com\n")


def test_a_clone_that_is_shallow_is_told(revisions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("clone", "-q", "--depth", "1", f"file://{revisions}", "../shallow")
    monkeypatch.chdir("../shallow")
    status, _, err = run("diff", "HEAD~1")

    assert status == 2
    assert "git knows no revision HEAD~1; the clone is shallow, `git fetch --unshallow`" in err


def test_a_content_that_git_lacks_is_told(revisions: Path) -> None:
    done = subprocess.run(
        ["git", "rev-parse", "main:hiera.yaml"], capture_output=True, text=True, check=True
    )
    name = done.stdout.strip()
    (revisions / ".git/objects" / name[:2] / name[2:]).unlink()
    status, _, err = run("diff", "main..feature")

    assert status == 2
    assert "git has no content of hiera.yaml at " in err


def causes(*words: str, address: str) -> list[tuple[str, str, str]]:
    status, out, _ = run("diff", *words, "--format", "json")
    assert status == 0
    every = [one for group in json.loads(out)["groups"] for one in group["changes"]]
    (change,) = [one for one in every if one["address"] == address]
    return [(one["side"], f"{one['file']}:{one['line']}", one["text"]) for one in change["causes"]]


def test_a_line_that_went_is_a_cause_beside_lines_that_came_elsewhere(revisions: Path) -> None:
    status, out, _ = run("diff", "feature..main", "--node", "web1")

    assert status == 0
    assert "from data/nodes/web1.example.com.yaml:19  port: 8443" in out
    assert "without modules/apache/templates/vhost.conf.erb:10  (" in out


def test_what_is_written_in_another_environment_is_a_cause(control: Path) -> None:
    other = control / "other"
    subprocess.run(["cp", "-r", str(CONTROL), str(other)], check=True)
    data = other / "data/common.yaml"
    data.write_text(data.read_text().replace("ntp1.example.com", "ntp7.example.com"))

    found = causes("--to", "env=other", "--node", "db1", address="Class[Ntp].servers")
    assert found == [
        ("old", "data/common.yaml:10", "- ntp1.example.com"),
        ("new", "other/data/common.yaml:10", "- ntp7.example.com"),
    ]


def test_what_other_facts_say_is_a_cause(control: Path) -> None:
    (control / "later").mkdir()
    for path in (control / "facts").iterdir():
        (control / "later" / path.name).write_text(path.read_text().replace("kvm", "xen"))

    words = ("--to", "facts=later", "--node", "web1")
    assert causes(*words, address="File[/etc/motd].content") == [
        ("old", "facts/web1.example.com.json:18", '"virtual": "kvm",'),
        ("new", "later/web1.example.com.json:18", '"virtual": "xen",'),
    ]


# --- a disk that is full -----------------------------------------------------------------------


def test_workers_that_can_keep_nothing_are_told_of(control: Path) -> None:
    more_nodes(60)
    done = subprocess.run(
        [sys.executable, "-m", "headwater", "fleet", "compile", "--processes", "2"],
        capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000)),
    )  # fmt: skip

    assert done.returncode == 0
    assert done.stderr.count("warning[kept-unavailable]") == 1
    assert "63 nodes: 63 worked out" in done.stdout
