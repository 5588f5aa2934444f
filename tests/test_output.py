"""Where output goes and how it looks: files, colours, warnings, standard input, completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli

UNKNOWN = """\
$a = inline_template('<%= `uptime` %>')
$b = inline_template('<%= `uptime` %>')
notify { 'a': message => "${a}${b}" }
if $a { notify { 'c': } }
"""


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(words), input=typed)


@pytest.fixture
def unknown(tmp_path: Path) -> str:
    site = tmp_path / "site.pp"
    site.write_text(UNKNOWN)
    return str(site)


def test_unknown_values_are_one_line_unless_all_are_asked_for(unknown: str) -> None:
    asked = ("explain", unknown, "Notify[a].message", "--on-unknown", "opaque")

    summary = run(*asked).stderr.splitlines()
    assert len(summary) == 2
    assert summary[0].startswith("warning[puppet-opaque-value]: ")
    assert "2 times, first at" in summary[0]
    assert "--warnings all" in summary[0]
    assert summary[1].startswith("warning[puppet-undecided]: ")

    every = run(*asked, "--warnings", "all").stderr
    assert every.count("warning[puppet-opaque-value]") == 2
    assert every.count("-->") == 3

    for none in (["--warnings", "none"], ["--quiet"], ["-q"]):
        answer = run(*asked, *none)
        assert answer.stderr == ""
        assert answer.stdout == run(*asked).stdout


def test_warnings_that_are_alike_are_counted_when_there_are_many(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    for count, lines in ((3, 0), (4, 1)):
        site.write_text("warning('again')\n" * count + "warning('once')\n")
        said = run("compile", str(site)).stderr
        assert said.count("warning[puppet-log]") == (1 if lines else count) + 1
        assert ("4 times" in said) == bool(lines)


def test_errors_are_told_whatever_is_said_of_warnings(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_text("notify { 'a': } notify { 'a': }")
    answer = run("compile", str(site), "--quiet")
    assert answer.exit_code == 1
    assert "error[puppet-duplicate" in answer.stderr


def test_an_answer_goes_to_a_file(tmp_path: Path) -> None:
    site, out = tmp_path / "site.pp", tmp_path / "out.json"
    site.write_text("notify { 'é': }")
    out.write_text("before")
    out.chmod(0o600)

    said = run("compile", str(site), "-o", str(out))
    assert (said.exit_code, said.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == run("compile", str(site)).stdout
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "site.pp"]


def test_a_file_stays_as_it_was_when_there_is_no_answer(tmp_path: Path) -> None:
    site, out = tmp_path / "site.pp", tmp_path / "out.json"
    site.write_text("notify {")
    out.write_text("before")

    assert run("compile", str(site), "-o", str(out)).exit_code == 1
    assert out.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "site.pp"]

    # Findings are an answer, though the command ends with 1.
    assert run("check", str(site), "-o", str(out)).exit_code == 1
    assert "puppet-unclosed" in out.read_text()

    lost = run("compile", str(site), "-o", str(tmp_path / "no" / "out.json"))
    assert lost.exit_code == 2
    assert "cannot write" in lost.output


def test_colour_is_as_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site.pp"
    site.write_text("notify { 'a': }")
    asked = ("explain", str(site), "Notify[a]")

    for setting, option, expected in (
        ("NO_COLOR", "always", True),
        ("FORCE_COLOR", "never", False),
        ("FORCE_COLOR", "auto", True),
        ("NO_COLOR", "auto", False),
    ):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        monkeypatch.setenv(setting, "1")
        assert ("\x1b[" in run(*asked, "--color", option).stdout) == expected, (setting, option)


def test_every_question_takes_its_program_from_standard_input() -> None:
    text = "notify { 'a': message => 'x' }\n"
    for words, expected in (
        (["compile", "-"], '"message": "x"'),
        (["explain", "-", "Notify[a].message"], "written here"),
        (["blame", "-"], "Notify[a].message"),
        (["impact", "--", "-:1"], "value changes"),
        (["check", "-"], "1 file, 0 findings"),
    ):
        answer = run(words[0], "--lang", "puppet", *words[1:], typed=text)
        assert answer.exit_code == 0, answer.output
        assert expected in answer.output, answer.output


def test_lines_that_end_with_crlf_are_shown_cleanly(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_bytes(
        b"class a(\r\n  $x = 'v',\r\n) {\r\n  notify { 'n':\r\n    message => $x,\r\n  }\r\n}\r\n"
        b"include a\r\nif\r\n  true {\r\n  notify { 'm': }\r\n}\r\n"
    )
    for words in (
        ["explain", str(site), "Notify[n].message", "--all"],
        ["explain", str(site), "Notify[m]", "--all"],
        ["blame", str(site)],
        ["impact", f"{site}:4"],
        ["impact", f"{site}:9"],
    ):
        answer = run(*words)
        assert answer.exit_code == 0, answer.output
        assert "\r" not in answer.output
        assert "\\r" not in answer.output, answer.output
        assert "\\x0d" not in answer.output


def test_a_shell_can_complete_commands_and_options() -> None:
    def asked(**more: str) -> str:
        env = {**os.environ, **more}
        command = [sys.executable, "-m", "headwater"]
        return subprocess.run(
            command, env=env, capture_output=True, text=True, check=False, timeout=60
        ).stdout

    for shell in ("bash", "zsh", "fish"):
        if shell == "bash" and not os.path.exists("/bin/bash"):
            continue
        assert "headwater" in asked(_HEADWATER_COMPLETE=f"{shell}_source")
    words = asked(_HEADWATER_COMPLETE="zsh_complete", COMP_WORDS="headwater exp", COMP_CWORD="1")
    assert "explain" in words
    words = asked(
        _HEADWATER_COMPLETE="zsh_complete", COMP_WORDS="headwater explain --no", COMP_CWORD="2"
    )
    assert "--node" in words


@pytest.mark.parametrize(
    "words", [("compile", "a.sf", "-o", "pipe"), ("check", "--baseline", "pipe", "--accept")]
)
def test_a_pipe_that_nobody_reads_is_not_waited_for(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.sf").write_text("sfConfig extends { a 1; }")
    (tmp_path / "headwater.toml").write_text('[puppet]\nenvironment = "."\n')
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("notify { 'a': message => $nowhere }\n")
    os.mkfifo(tmp_path / "pipe")
    done = subprocess.run(
        [sys.executable, "-m", "headwater", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
    assert "pipe" in done.stderr
