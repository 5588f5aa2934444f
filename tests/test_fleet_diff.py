"""Two revisions, and edits that nobody made, over the nodes of a repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.langs.puppet.hiera.editing import NotEdited, with_value
from headwater.text import Source

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")

CONTROL = Path(__file__).parent.parent / "examples" / "control"
NODES = ["bastion1.example.com", "db1.example.com", "web1.example.com"]


def git(folder: Path, *args: str) -> None:
    identity = ["-c", "user.name=Ann", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "control"
    script = CONTROL / "revisions.sh"
    subprocess.run(["sh", str(script), str(folder)], check=True, capture_output=True)
    monkeypatch.chdir(folder)
    assert run("init").exit_code == 0
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def answered(*words: str) -> dict[str, object]:
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_changes_are_told_once_with_their_nodes_and_the_edited_lines(control: Path) -> None:
    found = answered("diff", "main..feature")
    groups = found["groups"]
    assert isinstance(groups, list)
    first = groups[0]
    assert first["nodes"] == NODES
    change = first["changes"][0]
    assert change["address"] == "File[/etc/sudoers.d/admins].mode"
    assert (change["kind"], change["old"], change["new"]) == ("changed", "0440", "0400")
    cause = next(one for one in change["causes"] if one["side"] == "new")
    assert (cause["file"], cause["line"]) == ("site/profile/manifests/base.pp", 32)
    assert "bob" in cause["author"]
    told = {change["address"] for group in groups for change in group["changes"]}
    assert "File[/etc/apache2/sites-enabled/shop.example.com.conf].content" in told
    assert found["failed"] == []


def test_the_causes_of_a_rendered_file_are_data_and_template(control: Path) -> None:
    text = run("diff", "main..feature", "--node", "web1").output
    after = text.partition("shop.example.com.conf].content")[2]
    assert "+  SSLProtocol -all +TLSv1.3" in after
    assert "from data/nodes/web1.example.com.yaml:19" in after
    assert "from modules/apache/templates/vhost.conf.erb:10" in after


def test_who_reads_nothing_that_changed_is_proved_unaffected(control: Path) -> None:
    assert answered("diff", "main..")["unaffected"] == 3
    path = control / "data/nodes/db1.example.com.yaml"
    path.write_text(path.read_text().replace("role:", "rolle:"))
    found = answered("diff", "main..")
    assert (found["unaffected"], found["recompiled"]) == (2, 0)
    path.write_text(path.read_text().replace("rolle:", "# a comment\nrole:"))
    found = answered("diff", "main..")
    assert (found["unaffected"], found["groups"]) == (3, [])


def test_nothing_is_checked_out_and_the_working_tree_has_no_part(control: Path) -> None:
    before = answered("diff", "main..feature")["groups"]
    shutil.rmtree(control / "site")
    (control / "hiera.yaml").write_text("nonsense")
    assert answered("diff", "main..feature")["groups"] == before
    assert not (control / "site").exists()


def test_a_side_that_fails_is_never_without_differences(control: Path) -> None:
    (control / "site/profile/manifests/base.pp").write_text("class profile::base {")
    done = run("diff", "main..")
    assert done.exit_code == 1
    assert "3 failed" in done.output
    git(control, "commit", "-qam", "broken")
    done = run("diff", "HEAD..")
    assert done.exit_code == 1, "it fails on both sides in the same way"
    assert "3 failed" in done.output


def test_one_revision_or_none_is_compared_with_the_working_tree(control: Path) -> None:
    data = control / "data/common.yaml"
    data.write_text(data.read_text().replace("ops@example.com", "help@example.com"))
    assert answered("diff") == answered("diff", "HEAD..")
    assert answered("diff", "feature") == answered("diff", "feature..")
    assert answered("diff", "feature")["groups"]


def test_nodes_come_and_go(control: Path) -> None:
    git(control, "mv", "facts/db1.example.com.json", "facts/db2.example.com.json")
    found = answered("diff", "main..")
    assert (found["added_nodes"], found["removed_nodes"]) == (
        ["db2.example.com"], ["db1.example.com"],
    )  # fmt: skip
    assert run("diff", "main..", "--exit-code").exit_code == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["diff", "main..nothere"], "git knows no revision nothere"),
        (["diff", "nothere"], "git knows no revision nothere"),
        (["diff", "nothere.pp"], "Missing argument 'OTHER'"),
        (["diff", "data/common.yaml"], "Missing argument 'OTHER'"),
        (["diff", "data/common.yaml", "--to", "puppet=7"], "Missing argument 'OTHER'"),
        (["diff", "main..feature", "--node", "web9"], "web9"),
        (["diff", "a.pp", "b.pp", "--format", "markdown"], "--format markdown is for nodes"),
        (["whatif", "nothere:1=x"], "there is no file nothere"),
        (["whatif", "data/common.yaml:999=x"], "has 40 lines: there is no line 999"),
        (["whatif", "data/common.yaml:41=x"], "has 40 lines: there is no line 41"),
        (["whatif", "data/common.yaml"], "FILE:LINE=TEXT"),
        (["whatif", "data/common.yaml:ntp::servers=[a"], "is no YAML"),
        (["whatif", "data/common.yaml:ntp::servers.9=a"], "there is nothing at ntp::servers.9"),
    ],
)
def test_what_is_wrong_is_said(control: Path, words: list[str], said: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_an_edit_that_nobody_made_shows_its_effect_and_is_not_made(control: Path) -> None:
    before = (control / "data/common.yaml").read_text()
    found = answered("whatif", "data/common.yaml:ntp::servers=[a.example.com]")
    groups = found["groups"]
    assert isinstance(groups, list)
    assert groups[0]["changes"][0]["new"] == ["a.example.com"]
    assert found["unaffected"] == 1, "web1 has its own time servers"
    assert (control / "data/common.yaml").read_text() == before


def test_lines_and_several_edits(control: Path) -> None:
    found = answered(
        "whatif", "site/profile/manifests/base.pp:32=    mode => '0777',", "data/common.yaml:new=1"
    )
    groups = found["groups"]
    assert isinstance(groups, list)
    assert [change["new"] for change in groups[0]["changes"]] == ["0777"]


def test_markdown_for_a_merge_request(control: Path) -> None:
    text = run("diff", "main..feature", "--format", "markdown").output
    assert text.startswith("**main..feature: 3 nodes change")
    assert '```diff\n  - "0440"\n  + "0400"\n  ```' in text


@pytest.mark.parametrize(
    ("text", "key", "value", "edited"),
    [
        ("a: 1\nb: 2\n", "a", "3", "a: 3\nb: 2\n"),
        ("a:\n  - x\n  - y\nb: 2\n", "a", "[z]", "a:\n  [z]\nb: 2\n"),
        ("a: {b: 1}\n", "a.b", "2", "a: {b: 2}\n"),
        ("a: [1, 2]\n", "a.1", "x", "a: [1, x]\n"),
        ("a: 1", "b", "2", "a: 1\nb: 2\n"),
        ("", "b", "2", "b: 2\n"),
        ('{"a": 1}', "a", '"x"', '{"a": "x"}'),
        ("a: |\n  text\n  more\nb: 1\n", "a", "x", "a: x\nb: 1\n"),
    ],
)
def test_values_are_written_where_they_stand(text: str, key: str, value: str, edited: str) -> None:
    assert with_value(Source("x.yaml", text), key, value) == edited


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [("a: 1\n", "a", "{"), ("- 1\n", "a", "1"), ("{}", "a", "1"), ("a: 1", "a.b", "1"),
     ("a: [", "a", "1"), ("a: 1", "a", "1\nb: 2")],
)  # fmt: skip
def test_values_that_cannot_be_written_are_refused(text: str, key: str, value: str) -> None:
    with pytest.raises(NotEdited):
        with_value(Source("x.yaml", text), key, value)


def test_the_edited_line_of_a_secret_is_not_shown(control: Path) -> None:
    path = control / "data/nodes/db1.example.com.yaml"
    before = path.read_text()
    assert "password:" in before
    edited = [
        f"{line.rpartition(':')[0]}: tell-nobody" if "password:" in line else line
        for line in before.split("\n")
    ]
    path.write_text("\n".join(edited).replace("shared_buffers: ", "shared_buffers: 1"))
    for form in ("text", "json", "markdown"):
        output = run("diff", "main..", "--format", form).output
        assert "tell-nobody" not in output


MODULE = {
    "hiera.yaml": "version: 5\nhierarchy:\n  - { name: all, path: all.yaml }\n",
    "modules/m/manifests/init.pp": "class m($a = 1, $b = 2, $c = 3) "
    "{ notify { 'm': message => \"${a}${b}${c}\" } }\n",
    "manifests/site.pp": "include m\n",
    "facts/one.json": "{}",
    "headwater.toml": '[puppet]\nenvironment = "."\nmodulepath = ["modules"]\n'
    '[nodes]\nfacts = "facts"\n',
}


@pytest.mark.parametrize("data", ["x: 1\n", "lookup_options: { '^x': { merge: deep } }\n"])
@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_a_key_that_was_missed_is_a_key_that_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, name: str
) -> None:
    for file, text in {**MODULE, "data/all.yaml": data}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "one")
    assert "1 proved unaffected" in run("whatif", f"data/all.yaml:m::{name}x='9'").output
    assert "1 node changes" in run("whatif", f"data/all.yaml:m::{name}='9'").output


def test_what_is_kept_gives_the_same_answers(control: Path) -> None:
    words = [
        ["diff", "main..feature"],
        ["fleet", "diff", "main..feature"],
        ["diff", "feature..main"],
        ["whatif", "data/common.yaml:ntp::servers=[a.example.com]"],
    ]
    once = [answered(*one) for one in words]
    assert [answered(*one) for one in words] == once
    git(control, "checkout", "-q", "feature")
    after = answered("diff", "main..")
    assert {**after, "sides": 0} == {**once[0], "sides": 0}
    assert run("fleet", "compile").output == "3 nodes: 0 worked out, 3 known from before\n"


def test_many_nodes_are_compared_by_workers(control: Path) -> None:
    text = (control / "facts/bastion1.example.com.json").read_text()
    for number in range(2, 12):
        path = control / f"facts/bastion{number}.example.com.json"
        path.write_text(text.replace("bastion1", f"bastion{number}"))
    git(control, "add", "facts")
    git(control, "commit", "-q", "-m", "more")
    (control / "data/nodes/bastion3.example.com.yaml").write_text("ntp::servers: [added]\n")
    path = control / "site/profile/manifests/base.pp"
    path.write_text(path.read_text() + "# the end\n")
    found = answered("diff", "HEAD..")
    groups = found["groups"]
    assert isinstance(groups, list)
    assert [group["nodes"] for group in groups] == [["bastion3.example.com"]]
    assert (found["unaffected"], found["recompiled"], found["failed"]) == (0, 12, [])
    path.write_text(path.read_text().removesuffix("# the end\n"))
    found = answered("diff", "HEAD..")
    assert (found["unaffected"], found["recompiled"]) == (12, 0)


def test_a_long_line_is_cut_where_it_is_a_cause(control: Path) -> None:
    """Facts may be one line of JSON with everything about a node."""
    facts = control / "facts/web1.example.com.json"
    facts.write_text(json.dumps({**json.loads(facts.read_text()), "pad": ["x"] * 5_000}))
    text = run("whatif", "--fact", "networking.fqdn=other", "--node", "web1").output
    causes = [line for line in text.splitlines() if "from facts/web1" in line]
    assert causes
    assert all(len(line) < 200 for line in causes)


def test_three_dots_are_refused_with_what_to_write(control: Path) -> None:
    done = run("diff", "main...feature")
    assert done.exit_code == 2
    assert '"$(git merge-base main feature)..feature"' in done.output


@pytest.mark.parametrize("text", ['{"resources": 3}', "[1", "{}", "[" * 100_000])
def test_a_file_of_json_that_is_no_catalog_is_called_that(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.json").write_text(text)
    (tmp_path / "two.json").write_text('{"resources": []}')
    done = run("diff", str(tmp_path / "one.json"), str(tmp_path / "two.json"))
    assert done.exit_code == 2
    assert "one.json holds no catalog" in done.output
