"""Who wrote a line: git is asked, and runs nothing that a repository names."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.ask.authors import Authors
from headwater.cli.main import cli
from headwater.text import Source
from headwater.text.reading import Reach, within

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")

TEXT = "sfConfig extends {\n  a 1;\n  b 2;\n}\n"


def git(folder: Path, *args: str) -> None:
    identity = ["-c", "user.name=Ann", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", ".")
    (folder / "a.sf").write_text(TEXT)
    git(folder, "add", "a.sf")
    git(folder, "commit", "-q", "-m", "first")
    monkeypatch.chdir(folder)
    return folder


def authors(text: str) -> list[str | None]:
    """The names of those who wrote the lines of a.sf, if it has that text now."""
    Path("a.sf").write_text(text)
    source = Source("a.sf", text)
    asked = Authors()
    found = [asked.of(source, line + 1) for line in range(text.count("\n"))]
    return [None if one is None else one.name for one in found]


def test_lines_have_the_author_of_the_commit(repository: Path) -> None:
    assert authors(TEXT) == ["Ann"] * 4


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("sfConfig extends {\n  a 1;\n  c 3;\n  b 2;\n}\n", ["Ann", "Ann", None, "Ann", "Ann"]),
        ("sfConfig extends {\n  b 2;\n}\n", ["Ann", "Ann", "Ann"]),
        ("sfConfig extends {\n  a 9;\n  b 2;\n}\n", ["Ann", None, "Ann", "Ann"]),
        (TEXT + "// more\n", ["Ann"] * 4 + [None]),
        (TEXT.replace("\n", "\r\n"), ["Ann"] * 4),
    ],
)
def test_lines_that_were_changed_since_have_none(
    text: str, wanted: list[str | None], repository: Path
) -> None:
    assert authors(text) == wanted


HOSTILE = {
    "textconv": ["diff.evil.textconv", "{}"],
    "a filter": ["filter.evil.clean", "{}"],
    "a filter that stays": ["filter.evil.process", "{}"],
    "fsmonitor": ["core.fsmonitor", "{}"],
    "hooks": ["core.hooksPath", "{}.hooks"],
    "a pager": ["core.pager", "{}"],
    "a pager of blame": ["pager.blame", "{}"],
    "an alias": ["alias.blame", "!{}"],
    "an editor": ["core.editor", "{}"],
    "an external diff": ["diff.external", "{}"],
    "a program to sign": ["gpg.program", "{}"],
    "ssh": ["core.sshCommand", "{}"],
    "a credential helper": ["credential.helper", "!{}"],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_that_a_repository_names_is_run(
    kind: str, repository: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    script = tmp_path / "evil"
    script.write_text(f'#!/bin/sh\ntouch {marker}\ncat "$1"\n')
    hooks = tmp_path / "evil.hooks"
    hooks.mkdir()
    for path in (script, *(hooks / name for name in ("post-index-change", "fsmonitor-watchman"))):
        path.write_text(script.read_text())
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    (repository / ".gitattributes").write_text("*.sf diff=evil filter=evil\n")
    key, value = HOSTILE[kind]
    git(repository, "config", key, value.format(script))
    os.utime(repository / "a.sf", (1, 1))

    assert authors(TEXT) == ["Ann"] * 4
    done = CliRunner().invoke(cli, ["blame", "a.sf"])
    assert done.exit_code == 0
    assert "Ann" in done.output
    assert not marker.exists()


def test_missing_objects_are_not_fetched(repository: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for key, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::sh -c touch% {marker}", "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():  # fmt: skip
        git(repository, "config", key, value)
    for path in (repository / ".git/objects").glob("??/*"):
        path.unlink()

    assert authors(TEXT) == [None] * 4
    assert not marker.exists()


def test_the_environment_does_not_choose_another_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(tmp_path / "evil"))

    assert authors(TEXT) == ["Ann"] * 4


def test_git_is_not_run_where_reading_is_confined(repository: Path) -> None:
    with within(Reach().fenced([repository])):
        assert authors(TEXT) == [None] * 4


def test_names_of_authors_are_shown_visibly(repository: Path) -> None:
    (repository / "a.sf").write_text(TEXT.replace("a 1", "a 7"))
    subprocess.run(
        ["git", "-c", "user.name=E\x1b[31mve", "-c", "user.email=e@e.org", "commit", "-qam", "x"],
        check=True, capture_output=True, cwd=repository,
    )  # fmt: skip
    done = CliRunner().invoke(cli, ["blame", "a.sf"])

    assert "\x1b" not in done.output
    assert "ve" in done.output
