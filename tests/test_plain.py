"""A plain command line is read without click, and means what click reads in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.ask.inputs import Field, choices, fields, spelt, takes
from headwater.cli.main import cli
from headwater.cli.plain import read_line

LOADED = """
import sys
from headwater.cli.lean import load_msgspec
load_msgspec()
from headwater.cli.plain import compiled_plainly
try: plain = compiled_plainly(sys.argv[1:])
except SystemExit: plain = True
unneeded = {"click", "dataclasses", "inspect", "typing_extensions"}
print(plain, *sorted(unneeded & set(sys.modules)), file=sys.stderr)
"""


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    (tmp_path / "facts.json").write_text(json.dumps({"kernel": "Linux"}))
    (tmp_path / "site.pp").write_text(
        "notify { \"${tier} ${facts['kernel']} ${trusted['certname']}\": }\n$a = $nothing\n"
    )
    return str(tmp_path / "site.pp")


def plainly(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=False
    )


def both(*words: str) -> tuple[str, str]:
    """What is put out by the program as it starts, and by click."""
    begun = subprocess.run(
        [sys.executable, "-m", "headwater", *words], capture_output=True, text=True, check=False
    )
    clicked = CliRunner().invoke(cli, list(words), prog_name="headwater")
    ours, theirs = (begun.returncode, begun.stdout), (clicked.exit_code, clicked.stdout)
    return f"{ours} {begun.stderr}", f"{theirs} {clicked.stderr}"


def test_a_plain_line_loads_no_click(tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("notify { 'a': }\n")
    done = plainly("compile", str(manifest))

    assert done.stderr == "True\n"
    assert done.stdout == CliRunner().invoke(cli, ["compile", str(manifest)]).stdout


def test_options_mean_what_they_mean_to_click(manifest: str) -> None:
    facts = str(Path(manifest).with_name("facts.json"))
    rest = ["--puppet", "7", "--set", "tier=a", "--set=b=c", "--facts", facts, "--node=n.org"]
    assert read_line(["compile", manifest, *rest]) is not None
    firewall = str(Path(__file__).parents[1] / "examples/firewall.sf")
    for line in (
        ["compile", firewall, "--dialect", "core"],
        ["compile", manifest, *rest],
        ["compile", *rest, "--format", "yaml", manifest],
        ["compile", manifest, "--strict"],
        ["compile", manifest, "--lang", "puppet", "--on-unknown", "opaque"],
    ):
        ours, theirs = both(*line)
        assert ours == theirs, line


def test_what_is_wrong_is_told_by_click(manifest: str) -> None:
    for line in (
        ["compile", manifest, "--puppet", "9"],
        ["compile", manifest, "--puppet"],
        ["compile", manifest, "--format", "toml"],
        ["compile", manifest, "--lang", "klingon"],
        ["compile", manifest, "--nod", "x"],
        ["compile", f"{manifest}.absent"],
        ["compile", manifest, "--facts", "/dev/null"],
        ["compile", "--node", "x"],
        ["compil", manifest],
    ):
        ours, theirs = both(*line)
        assert ours == theirs, line


def test_options_of_all_languages_are_known_whatever_the_file() -> None:
    for field in fields():
        if field.about.option is not None and not takes(field, bool) and choices(field) is None:
            line = read_line(["compile", "a.pp", field.about.option, "1"])
            assert line is not None, field.about.option
            assert line.settings.inputs == {
                field.name: ["1"] if field.about.many else spelt(field, "1")
            }


def test_no_two_languages_have_an_option_or_a_field_that_differ() -> None:
    known: dict[str, Field] = {}
    for field in fields():
        for name in filter(None, (field.name, field.about.option)):
            other = known.setdefault(name, field)
            assert (other.type, other.about) == (field.type, field.about)


@pytest.mark.parametrize(
    "words",
    [[], ["--help"], ["compile"], ["compile", "--help"], ["compile", "-"], ["compile", "--", "a"],
     ["compile", "a", "--strict=yes"], ["compile", "a", "-o", "b"], ["compile", "a", "--node", "-"],
     ["compile", "a", "--node="], ["check", "a"], ["compile", "a", "-Ib"]],
)  # fmt: skip
def test_other_lines_are_left_to_click(words: list[str]) -> None:
    assert read_line(words) is None
