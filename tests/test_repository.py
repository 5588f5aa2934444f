"""A repository: its file headwater.toml, its nodes, and questions that take a node's name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.request import BadRequest, Request
from headwater.fleet.config import BadRepository, read_repository
from headwater.fleet.site import Site, find_site
from seen import saw_output

CONTROL = Path(__file__).parents[1] / "examples" / "control"
WHOLE = """
[puppet]
level = 8
environment = "."
modulepath = ["site", "modules"]
[nodes]
facts = "facts"
"""


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the control repository with a headwater.toml, and we are in it."""
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    (folder / "headwater.toml").write_text(WHOLE)
    monkeypatch.chdir(folder)
    return folder


def run(*words: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """A command: its status, and what it wrote."""
    done = subprocess.run(
        [sys.executable, "-m", "headwater", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "NO_COLOR": "1", **(env or {})},
    )
    saw_output(done.stderr)
    saw_output(done.stdout)
    return done.returncode, done.stdout, done.stderr


def read(folder: Path, text: str) -> Site:
    """The repository of a text."""
    (folder / "headwater.toml").write_text(text)
    return Site(read_repository("headwater.toml"))


def refused(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """What is wrong with a text: code, place, and what is said or advised."""
    (folder / "headwater.toml").write_text(text)
    try:
        site = Site(read_repository("headwater.toml"))
        _ = site.inventory, site.environments
    except BadRepository as bad:
        return [(d.code, d.at.text, f"{d.message}; {d.help}") for d in bad.diagnostics]
    return []


# --- the file ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "at", "said"),
    [
        ("[puppet]\nmodulpath = []\n", "repository-key", "modulpath", "did you mean modulepath?"),
        ("[pupet]\nlevel = 8\n", "repository-key", "pupet", "did you mean puppet?"),
        ("[nodes]\nfact = 'facts'\n", "repository-key", "fact", "did you mean facts?"),
        ("puppet = 8\n", "repository-value", "8", "puppet must be a section, not 8"),
        ("[puppet\n", "repository-file", "", "cannot be used"),
        ("[puppet]\nlevel = 8\nlevel = 7\n", "repository-file", "", "Cannot overwrite"),
        ("[smartfrog]\n", "repository-key", "smartfrog", "there are puppet, nodes"),
        (
            "[puppet]\nenvironment = '.'\nenvironments = '.'\n",
            "repository-value",
            "'.'",
            "left out where there is environments",
        ),
    ],
)
def test_mistakes_are_told_where_they_stand(
    text: str, code: str, at: str, said: str, control: Path
) -> None:
    ((found, place, message),) = refused(control, text)

    assert (found, place) == (code, at)
    assert said in message


def test_all_mistakes_are_told_at_once(control: Path) -> None:
    found = refused(control, "[puppet]\nlevel = 'x'\nmodulpath = []\n[nodes]\nfacts = 'none'\n")

    assert [code for code, *_ in found] == ["repository-value", "repository-key", "repository-path"]


def test_a_bad_file_ends_every_question_with_a_diagnostic(control: Path) -> None:
    (control / "headwater.toml").write_text("[puppet]\nlevle = 8\n")
    for words in (["compile", "web1"], ["lookup", "role", "--node", "web1"], ["check"], ["nodes"]):
        status, out, err = run(*words)
        assert (status, out) == (1, "")
        assert err.startswith("error[repository-key]: headwater.toml has no key levle\n"), words


def test_a_folder_without_a_program_is_no_repository_of_programs(control: Path) -> None:
    (control / "empty").mkdir()
    os.chdir(control / "empty")
    found = refused(control / "empty", "[nodes]\n")

    assert [code for code, *_ in found] == ["repository-program"]
    status, _, err = run("check", "--fix")
    assert (status, "error[repository-program]" in err) == (1, True)


# --- nodes ---------------------------------------------------------------------------------------


def test_the_file_is_found_from_any_folder_below(control: Path) -> None:
    os.chdir(control / "site" / "role")
    status, out, _ = run("lookup", "ntp::servers", "--node", "web1", "--format", "value")

    assert (status, out) == (0, '["ntp.web.example.com"]\n')


def test_no_file_is_looked_for_above_a_ceiling_of_git(control: Path) -> None:
    os.chdir(control / "site" / "role")
    env = {"GIT_CEILING_DIRECTORIES": f"/elsewhere:{control}"}
    status, _, err = run("nodes", env=env)

    assert (status, "there is no headwater.toml here or above" in err) == (2, True)


def test_a_node_is_never_guessed(control: Path) -> None:
    names = "bastion1.example.com, db1.example.com, web1.example.com"
    for words in (["compile"], ["explain", "File[/etc/motd].content"], ["lookup", "role"]):
        status, out, err = run(*words)
        assert (status, out) == (2, "")
        assert f"which node? the nodes are {names}" in err, words

    status, _, err = run("compile", "wbe1")
    assert status == 2
    assert f"no node or file is called wbe1; did you mean web1? the nodes are {names}" in err


def test_a_node_without_a_value_is_asked_for_the_value(control: Path) -> None:
    for word in ("web1", "web1.example.com", "web1:"):
        status, out, err = run("explain", word)
        assert (status, out) == (2, "")
        assert f"which value of {word.rstrip(':')}? headwater blame" in err


def test_the_only_node_is_meant(control: Path) -> None:
    for name in ("db1", "bastion1"):
        (control / "facts" / f"{name}.example.com.json").unlink()
    status, out, _ = run("lookup", "role", "--format", "value")

    assert (status, out) == (0, '"webserver"\n')


def test_a_name_that_fits_two_nodes_is_refused(control: Path) -> None:
    (control / "facts" / "web1.example.org.json").write_text("{}")
    status, _, err = run("compile", "web1")

    assert status == 2
    assert "web1 may be any of web1.example.com, web1.example.org" in err


def test_a_path_is_a_file_and_the_option_decides(control: Path) -> None:
    (control / "db1").write_text("")
    assert run("compile", "db1")[0] == 2  # it is there, and no ending tells its language
    status, out, _ = run("compile", "--node", "db1")

    assert status == 0
    assert json.loads(out)["name"] == "db1.example.com"


def test_the_same_catalog_as_with_all_options(control: Path) -> None:
    by_name = run("compile", "web1")[1]
    name = "web1.example.com"
    options = ["--env", ".", "--node", name, "--facts", f"facts/{name}.json"]
    (control / "headwater.toml").unlink()

    assert json.loads(by_name) == json.loads(run("compile", *options)[1])


def test_options_win_over_the_file(control: Path) -> None:
    (control / "other.json").write_text('{"os": {"name": "X", "family": "X"}}')
    site = find_site()
    assert site is not None
    said = Request(inputs={"facts_file": "other.json", "puppet": 7, "modulepath": "mine"})

    inputs = site.request(said, "web1.example.com").inputs

    assert inputs["facts_file"] == "other.json"
    assert inputs["puppet"] == 7
    assert inputs["modulepath"] == "mine"
    assert "env_modulepath" not in inputs


def test_files_of_a_repository_are_read_with_what_it_says(control: Path) -> None:
    (control / "extra.pp").write_text("include role::bastion\n")
    status, out, _ = run("compile", "extra.pp", "--node", "web1")

    assert status == 0
    assert "role::bastion" in json.loads(out)["classes"]


def test_sets_of_nodes(control: Path) -> None:
    site = find_site()
    assert site is not None

    def chosen(*words: str) -> list[str]:
        return [name.partition(".")[0] for name in site.select(words, Request()).names]

    assert chosen() == ["bastion1", "db1", "web1"]
    assert chosen("web1") == ["web1"]
    assert chosen("*1.example.com") == ["bastion1", "db1", "web1"]
    assert chosen("[bw]*") == ["bastion1", "web1"]
    assert chosen("$facts['os']['family'] == 'Debian'") == ["bastion1", "web1"]
    assert chosen("$trusted['certname'] =~ /^db/", "web?.*") == ["db1", "web1"]
    assert chosen("$facts['nothing'] == undef") == ["bastion1", "db1", "web1"]
    assert len(site.select(["$facts['nothing']['here'] == 1"], Request()).skipped) == 3
    for word in ("nosuch*", "nosuch"):
        with pytest.raises(BadRequest, match="the nodes are bastion1"):
            site.select([word], Request())


@pytest.mark.parametrize("word", ["$facts[", "$a) { } if (true", "$facts['os'] + 1 > 2"])
def test_a_bad_expression_over_facts_is_told_in_its_own_columns(word: str, control: Path) -> None:
    status, out, err = run("nodes", word)

    assert "the expression:1:" in err
    assert status == 1
    assert out == ""


def test_a_broken_file_of_facts_is_reported_and_skipped(control: Path) -> None:
    (control / "facts" / "web2.example.com.json").write_text('{"os": ')
    status, out, err = run("nodes")

    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        "bastion1.example.com",
        "db1.example.com",
        "web1.example.com",
    ]
    assert "warning[node-skipped]: web2.example.com is left out" in err

    status, out, err = run("check")
    assert status == 1
    assert out.count("\n") == 1
    assert "web2.example.com" in out


def test_nodes_tell_their_role_environment_and_age(control: Path) -> None:
    os.utime(control / "facts" / "db1.example.com.json", (0, 0))
    facts = json.loads((control / "facts" / "web1.example.com.json").read_text())
    (control / "facts" / "web1.example.com.json").write_text(json.dumps({**facts, "role": "shop"}))
    _, out, _ = run("nodes", "--format", "json")
    rows: dict[str, Any] = {row["node"].partition(".")[0]: row for row in json.loads(out)["nodes"]}

    assert rows["web1"]["role"] == "shop"
    assert rows["web1"]["role_from"] == "facts.role"
    assert (rows["db1"]["role"], rows["db1"]["role_from"]) == ("database", "data, key role")
    assert {row["environment"] for row in rows.values()} == {"control"}
    assert rows["db1"]["age_seconds"] > 10**9


@pytest.mark.parametrize(
    ("around", "known"),
    [
        ({"name": "web1.example.com", "timestamp": "2020-01-02T03:04:05.678Z"}, True),
        ({"name": "web1.example.com", "timestamp": "2020-01-02 04:04:05.678901234 +01:00"}, True),
        ({"certname": "web1.example.com", "producer_timestamp": "2020-01-02T03:04:05+0000",
          "timestamp": "2021-01-01T00:00:00Z"}, True),
        ({"name": "web1.example.com", "timestamp": "last week"}, False),
        ({"name": "web1.example.com", "timestamp": "2020-13-45T03:04:05Z"}, False),
        ({"name": "web1.example.com", "timestamp": 17}, False),
    ],
)  # fmt: skip
def test_facts_that_say_when_they_were_gathered_are_so_old(
    around: dict[str, object], known: bool, control: Path
) -> None:
    file = control / "facts" / "web1.example.com.json"
    file.write_text(json.dumps({**around, "values": json.loads(file.read_text())}))
    os.utime(file, (0, 0))
    status, out, _ = run("nodes", "web1", "--format", "json")

    assert status == 0
    gathered = 1_577_934_245 if known else 0
    assert abs(time.time() - gathered - json.loads(out)["nodes"][0]["age_seconds"]) < 600


def test_trusted_data_lie_beside_the_facts(control: Path) -> None:
    (control / "trusted").mkdir()
    (control / "trusted/web1.example.com.yaml").write_text("extensions: {pp_role: shop}\n")
    (control / "headwater.toml").write_text(f'{WHOLE}trusted = "trusted"\n')
    (control / "x.pp").write_text("notify { $trusted['extensions']['pp_role']: }\n")

    assert run("nodes", "web1")[1].splitlines()[1].split()[1] == "shop"
    titles = [one["title"] for one in json.loads(run("compile", "x.pp", "--node", "web1")[1])
              ["resources"]]  # fmt: skip
    assert "shop" in titles

    (control / "trusted/web1.example.com.yaml").write_text("[1]\n")
    status, _, err = run("compile", "web1")
    assert status == 1
    assert "trusted data are a hash" in err


# --- environments --------------------------------------------------------------------------------


@pytest.fixture
def two(control: Path) -> Path:
    """A repository with two environments."""
    around = control.parent / "two"
    for name in ("production", "testing"):
        shutil.copytree(control, around / "environments" / name)
        (around / "environments" / name / "headwater.toml").unlink()
    shutil.move(around / "environments" / "production" / "facts", around / "facts")
    text = '[puppet]\nenvironments = "environments"\n[nodes]\nfacts = "facts"\n'
    (around / "headwater.toml").write_text(text)
    os.chdir(around)
    return around


def say_environment(folder: Path, node: str, environment: str) -> None:
    """Lets the facts of a node name an environment."""
    path = folder / "facts" / f"{node}.example.com.json"
    facts = json.loads(path.read_text())
    path.write_text(json.dumps({**facts, "agent_specified_environment": environment}))


def test_a_node_is_compiled_in_its_environment(two: Path) -> None:
    say_environment(two, "web1", "testing")

    assert json.loads(run("compile", "web1")[1])["environment"] == "testing"
    assert json.loads(run("compile", "db1")[1])["environment"] == "production"
    assert json.loads(run("compile", "db1", "--env", "testing")[1])["environment"] == "testing"


def test_an_environment_that_is_not_there_is_told(two: Path) -> None:
    say_environment(two, "web1", "prodution")
    status, _, err = run("compile", "web1")

    assert status == 1
    assert "error[node-environment]: web1.example.com is in the environment prodution" in err
    assert "help: there are production, testing" in err


def test_which_environment_is_not_guessed(two: Path) -> None:
    (two / "environments" / "production").rename(two / "environments" / "staging")
    status, _, err = run("compile", "web1")

    assert status == 2
    assert "which environment? --env is one of staging, testing" in err
    assert run("nodes")[1].splitlines()[1].split()[2] == "-"


def test_a_file_is_compiled_in_the_environment_around_it(two: Path) -> None:
    path = two / "environments" / "testing" / "extra.pp"
    path.write_text("notice($environment)\ninclude role::bastion\n")
    status, out, _ = run("compile", str(path), "--node", "web1")

    assert status == 0
    assert json.loads(out)["environment"] == "testing"
