"""The standard streams as they may be found: closed, or unable to write what must be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = 'sfConfig extends { a 1; b "é😀"; }\n'
HEADWATER = f"{sys.executable} -m headwater"


def shell(command: str, folder: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **env},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.sf").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "bad.sf").write_text("sfConfig extends { a b; }")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "closed", "status", "told"),
    [
        ("compile a.sf", ">&-", 1, b"the output cannot be written: Bad file descriptor"),
        ("--help", ">&-", 1, b"the output cannot be written"),
        ("generate smartfrog", ">&-", 1, b"the output cannot be written"),
        ("check a.sf", ">&-", 0, b"1 file, 0 findings"),
        ("compile bad.sf", ">&-", 1, b"sf-unresolved-link"),
        ("compile bad.sf", "2>&-", 1, b""),
        ("compile a.sf", "2>&-", 0, b""),
        ("compile a.sf", "<&-", 0, b""),
        ("compile --jobs -", "<&-", 2, b"cannot read -"),
        ("compile --bogus", ">&- 2>&-", 2, b""),
        ("compile a.sf", "<&- >&- 2>&-", 1, b""),
        ("world list --store none", "<&- >&- 2>&-", 1, b""),
    ],
)
def test_a_closed_stream_is_no_bug(
    command: str, closed: str, status: int, told: bytes, folder: Path
) -> None:
    done = shell(f"{HEADWATER} {command} {closed}", folder)

    assert done.returncode == status
    assert told in done.stderr
    assert b"Traceback" not in done.stderr


def test_no_file_lands_in_a_closed_stream(folder: Path) -> None:
    (folder / "a.opal").write_text("with n do { n.x := 1 }")
    run = "run a.opal --store state.db --as n --ext"
    done = shell(f"{HEADWATER} {run} <&- >&- 2>&-; {HEADWATER} store verify state.db", folder)

    assert b"the store is what its log says" in done.stdout
    assert b"1 commit" in done.stdout


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_what_ascii_cannot_write_is_escaped(form: str, folder: Path) -> None:
    command = f"{HEADWATER} compile a.sf --format {form}"
    done = shell(command, folder, PYTHONIOENCODING="ascii")

    assert done.returncode == 0
    assert rb'"\u00e9\ud83d\ude00"' in done.stdout
    if form == "json":
        assert json.loads(done.stdout) == {"a": 1, "b": "é😀"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-16"])
@pytest.mark.parametrize("verb", ["explain a.sf b", "blame a.sf", "steps a.sf", "compile bad.sf"])
def test_every_encoding_gets_the_output(verb: str, encoding: str, folder: Path) -> None:
    done = shell(f"{HEADWATER} {verb}", folder, PYTHONIOENCODING=encoding)

    assert done.returncode in (0, 1)
    assert b"bug" not in done.stderr
    (done.stdout + done.stderr).decode(encoding)


def test_a_user_s_own_way_with_errors_is_kept(folder: Path) -> None:
    done = shell(f"{HEADWATER} compile a.sf", folder, PYTHONIOENCODING="ascii:replace")

    assert b'"b": "??"' in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"a\xff.sf", b"sfConfig extends { a b; }"),
        (b"a\xff.l3", b"a: ["),
        (b"a\xff.pp", b"notify {"),
        (b"a\xff.opal", b"x"),
    ],
)
def test_names_that_are_not_utf8_can_be_shown(name: bytes, text: bytes, tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
        file.write(text)
    shown = (rb"a\udcff", "a\ufffd".encode())  # in text and in JSON
    for verb in (b"compile", b"check", b"check --format json", b"check --format sarif", b"steps"):
        command = [sys.executable, "-m", "headwater", *os.fsdecode(verb).split()]
        done = subprocess.run(
            [*map(os.fsencode, command), name], cwd=tmp_path, capture_output=True, check=False
        )

        assert done.returncode == 1
        assert any(form in done.stdout + done.stderr for form in shown)
        assert b"bug" not in done.stderr


def test_a_name_that_is_too_long_is_a_finding(tmp_path: Path) -> None:
    done = shell(f"{HEADWATER} check {'a' * 300}.pp", tmp_path)

    assert done.returncode == 1
    assert b"file-unreadable" in done.stdout


def test_an_answer_that_is_no_text_is_no_yes(folder: Path) -> None:
    (folder / "a.opal").write_text("with n do { n.x := 1 }")
    run = "run a.opal --store state.db --as ann --ext --prompt"
    done = shell(f"printf '\\377\\n' | {HEADWATER} {run}", folder)

    assert done.returncode == 1
    assert b"bug" not in done.stderr


@pytest.mark.parametrize("words", ["compile {here}/a.sf", "compile web1", "compile --jobs -"])
def test_a_current_folder_that_is_gone_is_no_bug(words: str, folder: Path) -> None:
    gone = "mkdir gone && cd gone && rmdir ../gone"
    done = shell(f"{gone} && {HEADWATER} {words.format(here=folder)}", folder)

    assert done.returncode == 1
    assert b"the current folder is not there any more" in done.stderr
