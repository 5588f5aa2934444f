"""Two states of nodes that are no two revisions: options, facts, nodes, saved catalogs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.langs.puppet.catalog.comparing import absent_references, in_form_only
from headwater.langs.puppet.facts.edited import with_fact
from headwater.text import Source
from headwater.tree import Change, Value

CONTROL = Path(__file__).parent.parent / "examples" / "control"


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    monkeypatch.chdir(folder)
    assert run("init").exit_code == 0
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def answered(*words: str) -> dict[str, Any]:
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def addresses(found: dict[str, Any]) -> list[str]:
    return [one["address"] for group in found["groups"] for one in group["changes"]]


def test_sides_have_their_own_levels_facts_nodes_and_classes(control: Path) -> None:
    found = answered("diff", "--from", "puppet=7", "--to", "puppet=8")
    assert (found["recompiled"], found["groups"]) == (3, [])
    assert found["sides"][0]["name"] == "the working tree with puppet=7"
    found = answered("diff", "--from", "node=web1", "--to", "node=db1")
    assert [group["nodes"] for group in found["groups"]] == [["web1 / db1"]]
    assert "Class[Role::Webserver]" in addresses(found)
    found = answered("diff", "--node", "db1", "--to", "classes=profile::ssh,ntp")
    assert found["failed"] == []
    shutil.copytree("facts", "other")
    path = Path("other/web1.example.com.json")
    path.write_text(path.read_text().replace("kvm", "physical"))
    found = answered("diff", "--to", "facts=other")
    assert addresses(found) == ["File[/etc/motd].content"]
    assert found["recompiled"] == 2


def test_a_fact_that_one_side_has(control: Path) -> None:
    found = answered("diff", "--node", "web1", "--to", "fact.virtual=metal")
    assert addresses(found) == ["File[/etc/motd].content"]
    same = answered("whatif", "--node", "web1", "--fact", "virtual=metal")
    assert same["groups"] == found["groups"]
    assert found["groups"][0]["changes"][0]["causes"][0]["file"] == "facts/web1.example.com.json"
    assert "metal" not in Path("facts/web1.example.com.json").read_text()
    found = answered("whatif", "--fact", "nobody.asks=1")
    assert (found["unaffected"], found["groups"]) == (3, [])


def test_an_environment_as_a_side(control: Path) -> None:
    shutil.copytree(".", "../other", ignore=shutil.ignore_patterns(".headwater"))
    path = Path("../other/data/common.yaml")
    path.write_text(path.read_text().replace("ntp1.example.com", "ntp7.example.com"))
    found = answered("diff", "--node", "db1", "--to", "env=../other")
    assert addresses(found) == ["Class[Ntp].servers", "File[/etc/ntp.conf].content"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["diff", "--from", "nod=web1"], "did you mean node?"),
        (["diff", "--from", "puppet=9"], "puppet is 7 or 8"),
        (["diff", "--from", "node=web1"], "the other side needs a node too"),
        (["diff", "--to", "facts=nowhere/"], "cannot be read"),
        (["diff", "--to", "fact.=1"], "is not OPTION=VALUE"),
        (["whatif", "--fact", "virtual"], "a fact is written PATH=VALUE"),
        (["whatif", "--fact", "virtual.deep=1"], "is no hash"),
        (["whatif"], "Missing argument"),
        (["diff", "a.pp", "b.pp", "--to", "puppet=7"], "--from and --to are for nodes"),
    ],
)
def test_what_is_wrong_is_said(control: Path, words: list[str], said: str) -> None:
    done = run(*words)
    assert done.exit_code != 0
    assert said in done.output


def test_a_key_that_an_edit_adds_is_told(control: Path) -> None:
    done = run("whatif", "data/common.yaml:ntp::server=[x]", "--node", "db1")
    assert "0 nodes change" in done.stdout
    assert (
        "warning[new-key]: data/common.yaml has no key ntp::server: the edit adds it" in done.stderr
    )
    assert "| ntp::server: [x]" in done.stderr
    assert "did you mean ntp::servers?" in done.stderr
    done = run("whatif", "data/common.yaml:ntp::servers=[x]", "--node", "db1")
    assert done.stderr == ""


def test_what_is_ignored_is_counted(control: Path) -> None:
    edit = "data/common.yaml:ntp::servers=[x]"
    found = answered("whatif", "--node", "db1", edit, "--ignore", "Class[*]")
    assert addresses(found) == ["File[/etc/ntp.conf].content"]
    assert found["ignored"] == 1
    toml = Path("headwater.toml")
    toml.write_text(toml.read_text() + '[diff]\nignore = ["*", "!File[/etc/ntp.conf]*"]\n')
    assert addresses(answered("whatif", "--node", "db1", edit)) == ["File[/etc/ntp.conf].content"]
    done = run("whatif", "--node", "db1", edit, "--ignore", "*", "--exit-code")
    assert done.exit_code == 0
    assert "left out: 2 differences that --ignore or [diff] names" in done.output


def test_the_text_of_a_source_is_compared(control: Path) -> None:
    files = control / "modules/ntp/files"
    files.mkdir()
    (files / "keys").write_text("one\n")
    with open("site/profile/manifests/base.pp") as file:
        text = file.read()
    at = text.rindex("}")
    text = f"{text[:at]}  file {{ '/etc/ntp.keys': source => 'puppet:///modules/ntp/keys' }}\n}}\n"
    Path("site/profile/manifests/base.pp").write_text(text)
    assert answered("whatif", "README.md:1=x")["unaffected"] == 3
    found = answered("whatif", "modules/ntp/files/keys:1=two")
    assert addresses(found) == ["File[/etc/ntp.keys].content"]
    change = found["groups"][0]["changes"][0]
    assert (change["old"], change["new"]) == ("one\n", "two\n")
    assert [(c["file"], c["line"]) for c in change["causes"] if c["side"] == "new"] == [
        ("modules/ntp/files/keys", 1)
    ]
    found = answered("whatif", "--node", "db1", "modules/ntp/files/keys:1=two")
    assert len(found["groups"]) == 1, "what is kept hangs on the file too"


def test_data_in_files_are_compared_as_data_when_asked(control: Path) -> None:
    with open("manifests/site.pp", "a") as file:
        file.write("\nfile { '/etc/x.json': content => lookup('x', String, 'first', '{}') }\n")
    one, other = """x='{"a": 1, "b": 2}'""", """x='{"b": 2,  "a": 1}'"""
    Path("data/common.yaml").write_text(
        Path("data/common.yaml").read_text() + one.replace("=", ": ", 1) + "\n"
    )
    found = answered("whatif", "--node", "db1", f"data/common.yaml:{other}")
    assert addresses(found) == ["File[/etc/x.json].content"]
    edit = """data/common.yaml:x='{"a": 1,   "b": 2}'"""
    found = answered("whatif", "--node", "db1", edit, "--data")
    assert (found["groups"], found["form_only"]) == ([], 1)
    edit = """data/common.yaml:x='{"a": 3,   "b": 2}'"""
    found = answered("whatif", "--node", "db1", edit, "--data")
    assert addresses(found) == ['File[/etc/x.json].content["a"]']


@pytest.mark.parametrize(
    ("name", "old", "new", "same"),
    [
        ("require", "File[/a]", ["File[/a]"], True),
        ("require", ["File[/a]"], "File[/a]", True),
        ("require", ["File[/a]", "File[/b]"], "File[/a]", False),
        ("content", "a", "b", False),
        ("tag", ["a", "b"], ["b", "a"], True),
        ("tag", ["a", "b"], ["b", "c"], False),
        ("members", ["a", "b"], ["b", "a"], False),
    ],
)
def test_what_differs_in_form_only(name: str, old: Value, new: Value, same: bool) -> None:
    assert in_form_only(Change("changed", ("File[/x]", name), old, new)) is same


def test_saved_catalogs_are_compared(control: Path) -> None:
    Path("old.json").write_text(run("compile", "db1").stdout)
    catalog = json.loads(Path("old.json").read_text())
    for resource in catalog["resources"]:
        if resource["title"] == "/etc/ntp.conf":
            resource["parameters"]["content"] = "other"
            resource["parameters"]["require"] = "Package[nowhere]"
            resource["parameters"]["tag"] = ["b"]
    Path("new.json").write_text(json.dumps({"document_type": "Catalog", "data": catalog}))
    done = run("diff", "old.json", "new.json", "--ignore", "*.tag", "--exit-code")
    assert done.exit_code == 3
    assert '+ File[/etc/ntp.conf].content = "other"' in done.output
    assert "File[/etc/ntp.conf].require refers to Package[nowhere], which is not" in done.output
    assert "left out: 1 that --ignore names" in done.output
    assert run("diff", "old.json", "old.json", "--exit-code").exit_code == 0
    Path("empty.json").write_text('{"resources": []}')
    assert "compiles to nothing" in run("diff", "old.json", "empty.json").output
    assert "not-a-secret-in" not in run("diff", "old.json", "empty.json").output
    done = run("diff", "old.json", "db1", "--ignore", "Class[*].password", "--exit-code")
    assert (done.exit_code, "0 differences" in done.output) == (0, True)


def test_references_to_what_is_not_there() -> None:
    result: Value = {
        "File[/a]": {"require": "File[/b]", "notify": ["Service[s]", "Exec[e]"]},
        "File[b]": {"path": "/b/"},
        "Service[s]": {},
    }
    assert absent_references(result) == {("File[/a]", "notify"): "Exec[e]"}


def test_compositions_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.l3").write_text("x: 1\ny: 2\n")
    Path("b.l3").write_text("z: 3\n")
    Path("c.l3").write_text("z: 4\n")
    done = run("diff", "a.l3+b.l3", "a.l3+c.l3")
    assert (done.exit_code, "- z = 3" in done.output, "+ z = 4" in done.output) == (0, True, True)


@pytest.mark.parametrize(
    ("text", "path", "value", "edited"),
    [
        ('{"os": {"major": "12"}}', "os.major", "13", '{"os": {"major": "13"}}'),
        ('{"n": 12}', "n", "13", '{"n": 13}'),
        ('{"os": {"a": 1}}', "os.b", "x", '{"os": {"b": "x", "a": 1}}'),
        ('{"os": {}}', "os.b.c", "[1]", '{"os": {"b": {"c": [1]}}}'),
        ("{}", "a", "{b: c}", '{"a": {"b": "c"}}'),
        ("os:\n  major: '12'\n", "os.major", "13", 'os:\n  major: "13"\n'),
        ('{"name": "a", "values": {}}', "b", "1", '{"name": "a", "values": {"b": 1}}'),
        (
            '[{"certname": "a", "facts": {"n": 1}}, {"certname": "b", "facts": {}}]',
            "n",
            "2",
            '[{"certname": "a", "facts": {"n": 2}}, {"certname": "b", "facts": {"n": 2}}]',
        ),
        (
            '[{"certname": "a", "facts": {"data": [{"name": "n", "value": 1}]}}]',
            "m",
            "2",
            '[{"certname": "a", "facts": {"data": [{"name": "m", "value": 2}, '
            '{"name": "n", "value": 1}]}}]',
        ),
        (
            '[{"certname": "a", "name": "n", "value": 1}, '
            '{"certname": "b", "name": "m", "value": 2}]',
            "n",
            "3",
            '[{"certname": "b", "name": "n", "value": 3}, '
            '{"certname": "a", "name": "n", "value": 3}, '
            '{"certname": "b", "name": "m", "value": 2}]',
        ),
    ],
)
def test_facts_are_written_where_they_stand(text: str, path: str, value: str, edited: str) -> None:
    source = Source("f.yaml" if text[0] not in "[{" else "f.json", text)
    assert with_fact(source, ["b", "a"], path, value) == edited
