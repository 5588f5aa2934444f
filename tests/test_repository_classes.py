"""Classes of nodes: from a table, and from a classifier that the command line names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from test_repository import WHOLE, control, run

__all__ = ["control"]


def test_classes_of_a_table_and_of_a_file(control: Path) -> None:
    (control / "classes.yaml").write_text(
        "db1.example.com: [apache]\n"
        "web1.example.com:\n  classes: {role::bastion: }\n  parameters: {tier: gold}\n"
    )
    (control / "headwater.toml").write_text(f'{WHOLE}classes = "classes.yaml"\n')
    (control / "manifests/site.pp").write_text(
        "if $trusted['hostname'] == 'web1' { notify { \"tier ${tier}\": } }\n"
    )
    catalogs = {name: json.loads(run("compile", name)[1]) for name in ("db1", "web1", "bastion1")}

    assert "apache" in catalogs["db1"]["classes"]
    assert "role::bastion" in catalogs["web1"]["classes"]
    assert "tier gold" in [one["title"] for one in catalogs["web1"]["resources"]]
    assert "apache" not in catalogs["bastion1"]["classes"]

    (control / "more.yaml").write_text("[ntp]\n")
    found = json.loads(run("compile", "db1", "--classes", "more.yaml")[1])["classes"]
    assert "ntp" in found
    assert "apache" not in found


@pytest.mark.parametrize("text", ["db1.example.com: 5\n", "[1]\n", "a: [\n", "a: {b: 1}\n"])
def test_a_table_of_classes_that_is_none_is_told(text: str, control: Path) -> None:
    (control / "classes.yaml").write_text(text)
    (control / "headwater.toml").write_text(f'{WHOLE}classes = "classes.yaml"\n')
    status, _, err = run("compile", "db1")

    assert status == 1
    assert "error[puppet-bad-input]" in err
    assert "classes.yaml" in err


def enc(folder: Path, text: str) -> str:
    """A classifier."""
    path = folder / "enc.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_classifier_is_a_program_that_the_command_line_names(control: Path) -> None:
    command = enc(control, 'echo "{classes: {ntp: {}}, parameters: {who: $1}, environment: live}"')
    (control / "manifests/site.pp").write_text('notify { "${who} ${environment}": }\n')
    found = json.loads(run("compile", "db1", "--classifier", command)[1])

    assert "ntp" in found["classes"]
    assert "db1.example.com live" in [one["title"] for one in found["resources"]]
    assert run("check", "db1", "--classifier", command)[0] == 0
    assert run("compile", "db1", "--confined", "--classifier", command)[0] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo no such node >&2; exit 1", "it ended with status 1: no such node"),
        ("echo 'classes: 5'", "classes are a list of names"),
        ("printf '\\377'", "not UTF-8"),
    ],
)
def test_a_classifier_that_fails_is_told(text: str, said: str, control: Path) -> None:
    status, out, err = run("compile", "db1", "--classifier", enc(control, text))

    assert (status, out) == (1, "")
    assert said in err


def test_a_classifier_that_is_not_there_is_told(control: Path) -> None:
    status, _, err = run("lookup", "role", "--node", "db1", "--classifier", "./nowhere")

    assert status == 1
    assert "error[classifier-failed]: the classifier says nothing of db1.example.com" in err


def test_headwater_toml_cannot_name_a_classifier(control: Path) -> None:
    (control / "headwater.toml").write_text(f"{WHOLE}classifier = '/bin/true'\n")

    assert "error[repository-key]" in run("compile", "db1")[2]
