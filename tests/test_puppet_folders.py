"""What is no manifest and is given as one: templates, folders without manifests, several files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from headwater.ask.jobs import answer_line
from headwater.cli.main import cli

PROJECT = Path(__file__).parents[1]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def codes(done: Result, stream: str = "stderr") -> list[str]:
    documents = [line for line in getattr(done, stream).splitlines() if line.startswith("{")]
    return [d["code"] for document in documents for d in json.loads(document)["diagnostics"]]


@pytest.fixture
def template(tmp_path: Path) -> Path:
    file = tmp_path / "motd.epp"
    file.write_text("<%- | String $x = 'you' | -%>\nhello <%= $x %>\n")
    return file


def test_a_template_is_checked(template: Path) -> None:
    assert run("check", template).exit_code == 0
    assert run("check", "--node", "web1", template).exit_code == 0
    template.write_text("<%= $x + %>")
    done = run("check", template, "--format", "json")

    assert done.exit_code == 1
    assert [d["code"] for d in json.loads(done.stdout)["diagnostics"]] == ["puppet-syntax"]


def test_an_environment_with_templates_is_checked() -> None:
    assert run("check", PROJECT / "examples" / "site").exit_code == 0


@pytest.mark.parametrize("engine", ["engine", "paper"])
@pytest.mark.parametrize(
    "verb", ["compile", "blame", "explain", "impact", "diff", "steps", "lookup"]
)
def test_a_template_is_no_program(verb: str, engine: str, template: Path) -> None:
    args: dict[str, list[object]] = {
        "explain": [template, "Notify[x]"],
        "impact": [f"{template}:1"],
        "diff": [template, template],
        "lookup": ["key", "--of", template],
    }
    done = run(verb, *args.get(verb, [template]), "--engine", engine, "--diagnostics", "json")

    assert done.exit_code == 1
    assert codes(done)[0] == "puppet-template"


def test_a_template_in_a_job_is_no_program() -> None:
    job = {"code": "hello", "filename": "a.epp"}
    answer: dict[str, Any] = json.loads(answer_line(json.dumps(job).encode()))

    assert answer["error"]["code"] == "puppet-template"


@pytest.fixture(params=["empty.pp", "misnamed"])
def nothing(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder: Path = tmp_path / request.param
    folder.mkdir()
    if request.param == "misnamed":
        (folder / "environment.conf").write_text("modulepath = modules\nmanifest = sites.pp\n")
    return folder


def test_a_program_without_manifests_is_doubtful(nothing: Path) -> None:
    for verb in (["compile"], ["blame"], ["steps"], ["compile", "--engine", "paper"]):
        done = run(*verb, nothing, "--diagnostics", "json")

        assert done.exit_code == 0
        assert codes(done)[0] == "puppet-no-manifest"


def test_a_value_of_a_program_without_manifests_is_not_there(nothing: Path) -> None:
    for sliced in ((), ("--slice", "--engine", "paper")):
        done = run("explain", nothing, "Notify[x]", *sliced, "--diagnostics", "json")

        assert done.exit_code == 1
        assert codes(done) == ["puppet-no-manifest", "unknown-address"]


def test_the_manifest_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("# ours\nmanifest = sites.pp\n")
    for args in (["check", tmp_path], ["compile", "--env", tmp_path], ["compile", tmp_path]):
        done = run(*args)
        text = done.stdout + done.stderr

        assert f"there is no manifest {tmp_path}/sites.pp" in text
        assert f"{tmp_path}/environment.conf:2:12" in text
    assert run("check", tmp_path).exit_code == 1


def test_classes_of_a_classifier_need_no_manifest(tmp_path: Path) -> None:
    manifests = tmp_path / "modules" / "m" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class m { notify { 'a': } }")
    job = {"env": str(tmp_path), "classes": ["m"], "lang": "puppet"}
    answer: dict[str, Any] = json.loads(answer_line(json.dumps(job).encode()))

    assert answer["ok"]
    assert answer["warnings"] == []


def test_the_calculus_takes_one_manifest(tmp_path: Path) -> None:
    for name in ("a.pp", "b.pp"):
        (tmp_path / name).write_text(f"notify {{ '{name}': }}")
    for verb in (["compile", "--engine", "paper"], ["steps"]):
        done = run(*verb, tmp_path, "--lang", "puppet", "--diagnostics", "json")

        assert codes(done) == ["several-files"]


def test_the_engines_are_compared_in_the_form_that_both_have(tmp_path: Path) -> None:
    text = "class c { notify { 'a': message => 'x' } }\ndefine d() { notify { $title: } }\n"
    (tmp_path / "same.pp").write_text(text + "include c\nd { 'b': }\n")
    (tmp_path / "strict.pp").write_text("notify { 'a': message => \"${nowhere}\" }\n")
    (tmp_path / "beyond.pp").write_text('[1].each |$x| { notify { "$x": } }\n')
    files = [tmp_path / name for name in ("same.pp", "strict.pp", "beyond.pp")]
    done = run("compare", *files, "--format", "json")
    verdicts = [entry["compilers"]["paper"] for entry in json.loads(done.stdout)["files"]]

    assert [v["verdict"] for v in verdicts] == ["agree", "differ", "fails"]
    assert "outside the language of the paper" in verdicts[2]["difference"]


def test_the_command_of_another_compiler_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("notify { 'a': }")
    done = run("compare", tmp_path / "a.pp", "--with", "x=' {file}")

    assert done.exit_code == 2
    assert "no closing quotation" in done.stderr


def test_the_resources_as_a_whole_have_causes(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("$x = 1\nnotify { 'a': message => $x }")
    for engine in ("engine", "paper"):
        for address in ("/resources", "/resources/0"):
            done = run(
                "explain", tmp_path / "a.pp", address, "--engine", engine, "--format", "json"
            )

            assert done.exit_code == 0
    whole = run("explain", tmp_path / "a.pp", "/resources", "--engine", "paper", "--format", "json")
    assert "1" in [label["text"] for label in json.loads(whole.stdout)["depends"]]


def test_a_value_of_an_odd_place_is_explained_without_its_rank(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("file { '/tmp/x': ensure => file }")
    for address in ("/resources/3/parameters/ensure", "/edges/0", "/tags/0", "/name"):
        assert run("explain", tmp_path / "a.pp", address).exit_code == 0, address


def test_a_folder_of_manifests_is_one_program(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("include b\n")
    (tmp_path / "b.pp").write_text("class b { notify { 'from b': } }\n")
    (tmp_path / "notes.txt").write_text("not a manifest\n")
    (tmp_path / "again").symlink_to(".")

    done = run("compile", tmp_path)
    assert "from b" in done.stdout
    assert done.exit_code == 0

    (tmp_path / "c.sf").write_text("sfConfig extends {}\n")
    done = run("compile", tmp_path)
    assert "name a file in it" in done.stderr
    assert done.exit_code == 2
