"""Errors show where things came from: the line of data, the levels searched, both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from headwater.report import Diagnostic

HIERA = """\
version: 5
hierarchy:
  - {name: node, path: nodes/a.yaml}
  - {name: os, path: "os/%{facts.os.family}.yaml"}
  - {name: common, path: common.yaml}
"""
NTP = """\
class ntp(
  Array[String] $servers,
  Integer $port = 123,
  Sensitive[String] $key = Sensitive('k'),
) {
  file { '/etc/ntp.conf': }
}
"""


@pytest.fixture
def env(tmp_path: Path) -> Path:
    for path, text in {
        "hiera.yaml": HIERA,
        "data/common.yaml": "ntp::servers:\n  - a\n",
        "data/os/Debian.yaml": "other: 1\n",
        "modules/ntp/manifests/init.pp": NTP,
        "manifests/site.pp": "include ntp\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def error(env: Path) -> Diagnostic:
    inputs = {"facts": {"os": {"family": "Debian"}}}
    made = compile_request(Request(files=(str(env),), inputs=inputs))
    (found,) = made.outcome.errors
    return found


def places(env: Path, found: Diagnostic) -> list[tuple[str, str, int]]:
    root = f"{env}/"
    return [
        (note.message, note.at.source.name.removeprefix(root), note.at.first.line)
        for note in found.labels
    ]


def test_a_mistyped_parameter_points_at_its_line_of_data(env: Path) -> None:
    (env / "data/common.yaml").write_text("# servers\nntp::servers: 'just one'\n")
    found = error(env)

    assert found.code == "puppet-mistyped"
    assert found.at.source.name == str(env / "data/common.yaml")
    assert (found.at.first.line, found.at.text) == (2, "'just one'")
    assert places(env, found) == [
        ("the parameter is defined here", "modules/ntp/manifests/init.pp", 2),
        ("Class[Ntp] is declared here", "manifests/site.pp", 1),
    ]


def test_a_mistyped_parameter_that_a_program_gives_shows_where(env: Path) -> None:
    (env / "manifests/site.pp").write_text("class { 'ntp':\n  port => 'x',\n}\n")
    found = error(env)

    assert found.code == "puppet-mistyped"
    assert places(env, found) == [
        ("the value is written here", "manifests/site.pp", 2),
        ("the parameter is defined here", "modules/ntp/manifests/init.pp", 3),
    ]


@pytest.mark.parametrize(
    "data", ["ntp::key: hunter2", "ntp::key: 5\nlookup_options:\n  ntp::key: {}"]
)
def test_a_line_with_a_secret_is_named_and_not_shown(env: Path, data: str) -> None:
    (env / "data/common.yaml").write_text(f"ntp::servers: [a]\n{data}\n")
    found = error(env)

    assert found.code == "puppet-mistyped"
    assert found.help is not None
    assert found.help.endswith("data/common.yaml:2:11")
    shown = [found.at, *(note.at for note in found.labels)]
    assert not any("common.yaml" in at.source.name for at in shown)


def test_a_missing_parameter_lists_the_levels_searched(env: Path) -> None:
    (env / "data/common.yaml").write_text("other: 1\n")
    found = error(env)

    assert found.code == "puppet-missing-parameter"
    assert places(env, found) == [("it has no default", "modules/ntp/manifests/init.pp", 2)]
    assert found.help is not None
    assert found.help.replace(f"{env}/", "") == (
        "ntp::servers is in none of the levels: data/nodes/a.yaml (no such file), "
        "data/os/Debian.yaml (no such key), data/common.yaml (no such key)"
    )


def test_a_duplicate_declaration_shows_the_way_to_both(env: Path) -> None:
    (env / "manifests/site.pp").write_text(
        "class other { include wrapped }\nclass wrapped { file { '/etc/ntp.conf': } }\n"
        "include ntp\ninclude other\n"
    )
    found = error(env)

    assert found.code == "puppet-duplicate-resource"
    assert (found.at.source.name, found.at.first.line) == (str(env / "manifests/site.pp"), 2)
    assert places(env, found) == [
        ("first: File[/etc/ntp.conf] is declared here", "modules/ntp/manifests/init.pp", 6),
        ("first: Class[Ntp] is declared here", "manifests/site.pp", 3),
        ("again: Class[Wrapped] is declared here", "manifests/site.pp", 1),
        ("again: Class[Other] is declared here", "manifests/site.pp", 4),
    ]


def test_a_cycle_shows_who_made_each_edge(env: Path) -> None:
    from headwater.ask.check import check

    site = env / "manifests/site.pp"
    site.write_text(
        "class one { notify { 'a': before => Notify['b'] } }\n"
        "class two { notify { 'b': before => Notify['a'] } }\n"
        "include one, two\n"
    )
    (found,) = check(Request(), [str(site)])

    assert found.code == "puppet-dependency-cycle"
    assert places(env, found) == [
        ("Notify[a] comes before Notify[b] (before by class one)", "manifests/site.pp", 1),
        ("Notify[b] comes before Notify[a] (before by class two)", "manifests/site.pp", 2),
    ]
