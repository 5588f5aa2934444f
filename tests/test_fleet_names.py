"""Nodes, files and edits whose names or texts are no UTF-8: told like others, by every process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.fleet.bodies import Bodies, body_of

NAME = os.fsdecode(b"caf\xe9")
"""In Latin-1."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "headwater.toml": '[puppet]\nenvironment = "."\n[nodes]\nfacts = "facts"\n',
        "facts/web1.json": '{"kernel": "Linux"}\n',
        f"facts/{NAME}.json": '{"kernel": "Linux"}\n',
        "manifests/site.pp": "notify { 'a': message => lookup('k') }\n",
        f"manifests/{NAME}.pp": "warning('look')\nnotify { 'b': message => 'text' }\n",
        "hiera.yaml": "version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n",
        "data/common.yaml": "k: found\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def headwater(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


ASKED = {
    "check": ["check"],
    "check --format sarif": ["check", "--format", "sarif"],
    "check --format junit": ["check", "--format", "junit"],
    "nodes": ["nodes"],
    "fleet compile": ["fleet", "compile"],
    "fleet list": ["fleet", "list"],
    "fleet check": ["fleet", "check"],
    "fleet explain": ["fleet", "explain", "Notify[b].message"],
    "fleet impact": ["fleet", "impact", f"manifests/{NAME}.pp:2"],
    "fleet lookup": ["fleet", "lookup", "k"],
    "whatif": ["whatif", "data/common.yaml:k=other"],
    "whatif of bytes": ["whatif", f"data/common.yaml:1=k: {NAME}"],
    "whatif of bytes in a manifest": ["whatif", f"manifests/site.pp:1={NAME}"],
    "diff of facts": ["diff", "--from", f"facts={NAME}"],
    "diff of environments": ["diff", "--from", f"env={NAME}"],
}


@pytest.mark.parametrize("mistake", ["none", "in a manifest", "in facts"])
@pytest.mark.parametrize("name", ASKED)
def test_names_that_are_no_utf8_are_told(place: Path, name: str, mistake: str) -> None:
    if mistake == "in a manifest":
        Path(f"manifests/{NAME}.pp").write_text("notify {")
    if mistake == "in facts":
        Path(f"facts/{NAME}.json").write_text("{")
    first = headwater(*ASKED[name])
    again = headwater(*ASKED[name])
    assert first.exit_code in (0, 1, 3), first.output
    assert (first.exit_code, "UnicodeEncodeError" in first.output) == (again.exit_code, False)


def test_a_mistake_is_told_in_its_file(place: Path) -> None:
    Path(f"manifests/{NAME}.pp").write_text("notify {")
    shown = headwater("check").output
    assert "caf\\udce9.pp:1" in shown
    assert "all 2 nodes: caf\\udce9, web1" in shown


@pytest.mark.parametrize(
    "text", ["plain", NAME, "\ufdd0", "\ufdd0dce9", f"\ufdd0dce9{NAME}\ud800\udc00", "\udfff"]
)
def test_every_text_passes_between_processes(text: str) -> None:
    for value in ([text], [text, NAME], [{text: [text]}.__repr__(), NAME]):
        assert Bodies(list[str]).decode(body_of(value)) == value
    assert Bodies(dict[str, bytes]).decode(body_of({text: b"\xff", NAME: b""})) == {
        text: b"\xff", NAME: b"",
    }  # fmt: skip
