"""Command-line transcripts: comments, then ``$ command``, its output, ``[exit N]`` if not 0.

Run in a copy of the folder ``examples`` so that paths read as a user would see them;
``2>&1`` is implied.  ``make update`` rewrites them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seen import saw_output

HERE = Path(__file__).parent
PROJECT = HERE.parent
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))


def replay(text: str, folder: Path, inside: Path = Path(".")) -> str:
    """The transcript with the outputs that its commands really have; they run `inside`.

    A line that is nothing but ``$ cd FOLDER`` holds for those after it.
    """
    script = folder / "bin" / "headwater"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m headwater "$@"\n')
    script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "NO_COLOR": "1", "GIT_CEILING_DIRECTORIES": str(folder)}
    made = []
    begun = False
    here = folder / inside
    for line in text.splitlines(keepends=True):
        # Comments stand before the first command: later on, # may begin a line of output.
        if line.startswith("$ ") or (line.startswith("#") and not begun):
            made.append(line)
            begun = begun or line.startswith("$ ")
        if alone := re.fullmatch(r"\$ cd ([\w./-]+)\n?", line):
            here = here / alone[1]
        elif line.startswith("$ "):
            done = subprocess.run(
                ["sh", "-c", f"{line[2:].rstrip()} 2>&1"],
                cwd=here,
                env=env,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            made.append(done.stdout)
            saw_output(done.stdout)
            if done.stdout and not done.stdout.endswith("\n"):
                made.append("\n")
            if done.returncode:
                made.append(f"[exit {done.returncode}]\n")
            made.append("\n")
    return "".join(made)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize("path", sorted((HERE / "transcripts").glob("*.txt")), ids=lambda p: p.stem)
def test_transcript_replays(path: Path, folder: Path) -> None:
    expected = path.read_text(encoding="utf-8")
    made = replay(expected, folder)
    if UPDATE:
        path.write_text(made, encoding="utf-8")
        expected = made

    assert expected == made


def documents() -> list[Path]:
    pages = [*(PROJECT / "docs").rglob("*.md"), *(PROJECT / "examples").rglob("*.md")]
    return [PROJECT / "README.md", *sorted(pages)]


@pytest.mark.parametrize("path", documents(), ids=lambda p: str(p.relative_to(PROJECT)))
def test_console_blocks_in_documents_replay(path: Path, folder: Path) -> None:
    text = path.read_text(encoding="utf-8")

    # The page of an example is for people who are in its folder.
    page = path.relative_to(PROJECT)
    inside = page.parent if page.parts[0] == "examples" else Path(".")

    def redo(block: re.Match[str]) -> str:
        return f"```console\n{replay(block[1], folder, inside).rstrip()}\n```"

    made = re.sub(r"^```console\n(.*?)^```", redo, text, flags=re.DOTALL | re.MULTILINE)
    if UPDATE:
        path.write_text(made, encoding="utf-8")
        text = made

    assert text == made


def test_the_ten_answers_fit_on_one_screen() -> None:
    text = (PROJECT / "docs" / "ten-questions.md").read_text()
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) == len(re.findall(r"^## \d+\. ", text, flags=re.MULTILINE)) == 10
    assert max(block.count("\n") for block in blocks) <= 40
