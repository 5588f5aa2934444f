"""What ``explain`` says of changes was tried: --confirm, --why-not; and --absent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.ask.absent import Absent, absent
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.explain import Explanation, explain
from headwater.ask.request import Request
from headwater.ask.trying import confirm, value_with
from headwater.ask.why_not import why_not
from headwater.cli.main import cli
from headwater.text import Source

FILES = {
    "hiera.yaml": """\
version: 5
hierarchy:
  - {name: node, path: nodes/a.yaml}
  - {name: common, path: common.yaml}
""",
    "data/nodes/a.yaml": "app::port: 8080\n",
    "data/common.yaml": "app::port: 80\napp::hosts:\n  - one\n  - two\n",
    "manifests/site.pp": """\
class app(Integer $port, Array $hosts, $mode = 'slow') {
  $kind = $facts['family'] ? { 'Debian' => 'deb', 'RedHat' => 'rpm', default => 'tar' }
  notify { 'n': message => "${kind} ${port}", withpath => false }
  notify { 'hosts': message => $hosts }
  notify { 'sum': message => $port + 1 }
  if $mode == 'fast' { notify { 'fast': } }
}
class lonely { notify { 'lonely': } }
define unused { notify { "in ${title}": } }
include app
@notify { 'virtual': tag => 'x' }
Notify <| tag == 'y' |>
node other { notify { 'elsewhere': } }
node default { }
""",
    "facts.json": '{"family": "Debian", "other": "x"}\n',
}


@pytest.fixture
def made(tmp_path: Path) -> Compiled:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    inputs = {"facts_file": str(tmp_path / "facts.json")}
    return compile_request(Request(files=(str(tmp_path),), inputs=inputs))


def explained(made: Compiled, address: str) -> Explanation:
    answer = explain(made, address)
    assert isinstance(answer, Explanation), answer
    return answer


def test_inputs_are_confirmed_by_changing_them(made: Compiled) -> None:
    answer = explained(made, "Notify[n].message")
    found = confirm(made, answer.parts, answer.value, answer.views.depends)
    effects = {(label.kind, label.at.text.strip()): effect for label, effect in found.items()}

    assert effects["literal", "'deb'"] == "changes"
    assert effects["hiera", "8080"] == "changes"
    assert effects["fact", '"Debian"'] == "changes"
    assert not [key for key, effect in effects.items() if key[1] == "x"]


def test_nothing_on_disk_changes(made: Compiled, tmp_path: Path) -> None:
    answer = explained(made, "app::hosts")
    confirm(made, answer.parts, answer.value, answer.views.depends)
    why_not(made, answer, '["three"]', 3)
    assert all((tmp_path / path).read_text() == text for path, text in FILES.items())


@pytest.mark.parametrize(
    ("address", "wanted", "file", "text"),
    [
        ("app::port", "80", "data/nodes/a.yaml", ""),  # the level that overrides it goes
        ("app::port", "443", "data/nodes/a.yaml", "443"),  # another value
        ("app::hosts", '["one"]', "data/common.yaml", '["one"]'),
        ("app::mode", "fast", "manifests/site.pp", "'fast'"),
        ("Notify[n].withpath", "true", "manifests/site.pp", "true"),
        ("Notify[n].message", "rpm 8080", "facts.json", '"RedHat"'),  # a condition
    ],
)
def test_a_change_that_is_told_has_the_effect(
    made: Compiled, tmp_path: Path, address: str, wanted: str, file: str, text: str
) -> None:
    answer = explained(made, address)
    found = why_not(made, answer, wanted, 3)

    edits = [change.edits[0] for change in found.changes]
    told = [(edit.at.source.name.removeprefix(f"{tmp_path}/"), edit.text) for edit in edits]
    assert (file, text) in told
    for change in found.changes:
        assert value_with(made, answer.parts, change.edits) == (json.loads(found.wanted),)


def test_a_level_that_is_asked_first_is_offered(made: Compiled) -> None:
    found = why_not(made, explained(made, "app::hosts"), '["x"]', 3)
    assert [change.edits[0].text for change in found.changes] == [
        '["x"]',
        'app::hosts: ["x"]\n',
    ]


def test_a_value_that_nothing_gives_is_said_to_be_so(made: Compiled) -> None:
    found = why_not(made, explained(made, "Notify[sum].message"), "never this", 3)
    assert not found.changes
    assert found.tried > 1

    same = why_not(made, explained(made, "app::port"), "8080", 3)
    assert same.already


@pytest.mark.parametrize(
    ("address", "message", "last"),
    [
        ("Notify[lonely]", "nobody includes class lonely", "it is declared here"),
        ("Class[lonely]", "nobody includes class lonely", "class lonely is defined here"),
        ("Notify[fast]", "a condition did not come out so", "it is declared here"),
        ("Notify[virtual]", "no collector matches it", "this collector does not match it"),
        ("Notify[elsewhere]", "it stands in the definition of another node", "it is declared here"),
        ("Notify[in a]", "nothing declares a unused", "it is declared here by a computed name"),
        ("Class[nowhere]", "there is no class nowhere", None),
    ],
)
def test_why_a_resource_is_absent(
    made: Compiled, address: str, message: str, last: str | None
) -> None:
    found = absent(made, address)
    assert isinstance(found, Absent)
    (reason,) = found.reasons
    assert reason.message == message
    assert (reason.notes[-1].message if reason.notes else None) == last


def test_what_nobody_declares_and_what_is_there(made: Compiled) -> None:
    found = absent(made, "File[/nowhere]")
    assert isinstance(found, Absent)
    assert (found.there, found.reasons) == (False, ())
    found = absent(made, "notify['n']")
    assert isinstance(found, Absent)
    assert found.there


def test_a_text_that_was_typed_in_can_be_changed_too() -> None:
    made = compile_request(Request(sources=(Source("-", "$a = 1\nnotify { 'n': message => $a }"),),
                                   lang="puppet"))  # fmt: skip
    found = why_not(made, explained(made, "Notify[n].message"), "2", 3)
    assert [change.edits[0].text for change in found.changes] == ["2"]


def test_other_languages_can_be_tried_too(tmp_path: Path) -> None:
    site = tmp_path / "a.sf"
    site.write_text('sfConfig extends { a 1; b a; c "x"; }')
    made = compile_request(Request(files=(str(site),)))
    found = why_not(made, explained(made, "b"), "7", 3)
    assert [change.edits[0].text for change in found.changes] == ["7"]
    effects = confirm(made, ("b",), 1, explained(made, "b").views.depends)
    assert "changes" in effects.values()
    done = CliRunner().invoke(cli, ["explain", str(site), "b", "--absent"])
    assert done.exit_code == 2


def test_secrets_stay_hidden_whatever_is_tried(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_text("$s = Sensitive('hunter2')\nuser { 'u': password => $s }\n")
    for words in (["--confirm"], ["--why-not", "x"], ["--why-not", "x", "--format", "json"]):
        done = CliRunner().invoke(cli, ["explain", str(site), "User[u].password", *words])
        assert "hunter2" not in done.output, done.output
