"""Files of a revision, and edits that nobody made, stand in for the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from headwater.git.command import GitFailed
from headwater.git.objects import Objects
from headwater.git.revision import Revision, commit_of, top_of
from headwater.text.reading import (
    Reach,
    Unread,
    exists,
    files_under,
    instead_of,
    is_file,
    is_folder,
    is_link,
    names_in,
    read_bytes,
    standing_in,
    within,
)  # fmt: skip
from headwater.text.standin import Edits

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")

CONTROL = Path(__file__).parent.parent / "examples" / "control"


def git(folder: Path, *args: str) -> None:
    identity = ["-c", "user.name=Ann", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = (tmp_path / "repo").resolve()
    (folder / "data" / "inner").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", ".")
    (folder / "data" / "one").write_text("1")
    (folder / "data" / "inner" / "two").write_text("2")
    (folder / "link").symlink_to("data/inner")
    (folder / "round").symlink_to("round")
    (folder / "out").symlink_to("../elsewhere")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    (folder / "data" / "one").write_text("changed")
    (folder / "data" / "new").write_text("new")
    shutil.rmtree(folder / "data" / "inner")
    (tmp_path / "elsewhere").write_text("outside")
    return folder


def test_a_revision_is_read_where_the_disk_has_something_else(repository: Path) -> None:
    top = top_of(str(repository / "data"))
    assert top == str(repository)
    with Objects(top) as objects:
        revision = Revision(top, commit_of(top, "main"), objects)
        with standing_in(revision):
            assert read_bytes(f"{top}/data/one") == b"1"
            assert read_bytes(f"{top}/link/two") == b"2"
            assert names_in(f"{top}/data") == ["inner", "one"]
            assert names_in(f"{top}/link/../../link") == ["two"]
            assert is_folder(f"{top}/link")
            assert is_link(f"{top}/link")
            assert not is_link(f"{top}/data/inner")
            assert not exists(f"{top}/data/new")
            assert not exists(f"{top}/.git")
            assert not is_file(f"{top}/round")
            assert read_bytes(f"{top}/out") == b"outside"
            assert files_under(top, lambda _: True) == [
                f"{top}/data/inner/two", f"{top}/data/one", f"{top}/out", f"{top}/round",
            ]  # fmt: skip
            with pytest.raises(Unread, match="no such file"):
                read_bytes(f"{top}/data/new")
            with pytest.raises(Unread, match="it is a folder"):
                read_bytes(f"{top}/data")
            with within(Reach(most_bytes=0)), pytest.raises(Unread, match="larger than 0"):
                read_bytes(f"{top}/data/one")
            with within(Reach().fenced([f"{top}/data"])):
                assert read_bytes(f"{top}/data/one") == b"1"
                with pytest.raises(Unread, match="outside"):
                    read_bytes(f"{top}/out")
        assert read_bytes(f"{top}/data/one") == b"changed"


def test_edits_add_change_and_take_away(repository: Path) -> None:
    top = str(repository)
    with Objects(top) as objects:
        revision = Revision(top, commit_of(top, "HEAD"), objects)
        edits: dict[str, bytes | None] = {
            f"{top}/link/two": b"edited", f"{top}/data/one": None, f"{top}/a/b/c": b"deep",
        }  # fmt: skip
        with standing_in(Edits(edits, revision)):
            assert read_bytes(f"{top}/data/inner/two") == b"edited"
            assert not exists(f"{top}/data/one")
            assert names_in(f"{top}/data") == ["inner"]
            assert names_in(f"{top}/a") == ["b"]
            assert "a" in names_in(top)
        with instead_of({f"{top}/data/added": b"+", f"{top}/data/new": None}):
            assert names_in(f"{top}/data") == ["added", "one"]
            assert read_bytes(f"{top}/data/one") == b"changed"


def test_what_git_does_not_know_is_said(repository: Path, tmp_path: Path) -> None:
    for name in ("nothere", "--all", "main:data"):
        with pytest.raises(GitFailed, match="git knows no revision"):
            commit_of(str(repository), name)
    with pytest.raises(GitFailed, match="not a git repository"):
        top_of(str(tmp_path))


def test_a_revision_compiles_like_its_files_checked_out(tmp_path: Path) -> None:
    folder = tmp_path / "control"
    script = CONTROL / "revisions.sh"
    subprocess.run(["sh", str(script), str(folder)], check=True, capture_output=True)
    top = top_of(str(folder))
    node = {"node": "web1.example.com", "facts_file": f"{top}/facts/web1.example.com.json"}
    request = Request((top,), lang="puppet", inputs=node)
    for name in ("main", "feature"):
        git(folder, "checkout", "-q", name)
        checked_out = compile_request(request)
        git(folder, "checkout", "-q", "feature" if name == "main" else "main")
        with Objects(top) as objects, standing_in(Revision(top, commit_of(top, name), objects)):
            from_objects = compile_request(request)
        assert checked_out.outcome.result is not None
        assert from_objects.outcome.result is not None
        assert from_objects.outcome.result.get(()) == checked_out.outcome.result.get(())
        assert os.path.exists(top)
