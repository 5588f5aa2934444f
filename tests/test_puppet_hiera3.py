"""A global hiera.yaml of version 3: what is said of it, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.ask import Request, compile_request
from headwater.cli.main import cli
from headwater.report import Diagnostic
from headwater.text import Source

CONFIG = """\
:backends:
  - yaml
  - http
:hierarchy:
  - "%{facts.kernel}"
  - common
:yaml:
  :datadir: DIR
"""


def told(folder: Path, config: str, key: str = "k", level: int = 7) -> list[Diagnostic]:
    """What is said of a look-up."""
    (folder / "common.yaml").write_text("k: 1\n")
    (folder / "hiera.yaml").write_text(config.replace("DIR", str(folder)))
    inputs = {"hiera": str(folder / "hiera.yaml"), "puppet": level}
    source = Source.of_text("a.pp", f"notify {{ 'a': message => lookup('{key}') }}")
    return list(
        compile_request(Request(sources=(source,), lang="puppet", inputs=inputs)).diagnostics
    )


def test_a_backend_of_hiera_3_is_refused_by_name_where_it_stands(tmp_path: Path) -> None:
    assert [d.code for d in told(tmp_path, CONFIG)] == ["puppet-hiera-3"]
    error = next(d for d in told(tmp_path, CONFIG, "nosuch") if d.is_error)

    assert error.code == "puppet-hiera-config"
    assert "http" in error.message
    assert error.at.first.line == 3


def test_at_level_8_it_is_refused_for_every_key(tmp_path: Path) -> None:
    (error,) = (d for d in told(tmp_path, CONFIG, level=8) if d.is_error)

    assert error.code == "puppet-no-hiera-3"
    assert error.at.first.line == 3


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (":backends:\n  - yaml\n  - yaml\n", 3),
        (":hierarchy:\n  - a\n  - 1\n", 3),
        (":merge_behavior: deepest\n", 1),
        (":backends: yaml\n:other: 1\n", 2),
        (":backends: yaml\n? [a]\n: 1\n", 3),
        (":yaml: 1\n", 1),
        ("version: '3'\n", 1),
        (":deep_merge_options: 1\n", 1),
        (":logger: ''\n", 1),
        ("version: 4\n", 1),
    ],
)
def test_what_is_wrong_with_it_is_told_at_its_line(config: str, line: int, tmp_path: Path) -> None:
    error = next(d for d in told(tmp_path, config) if d.is_error)

    assert error.code == "puppet-hiera-config"
    assert (error.at.source.name, error.at.first.line) == (str(tmp_path / "hiera.yaml"), line)


def test_lookup_shows_its_places(tmp_path: Path) -> None:
    told(tmp_path, CONFIG.replace("  - http\n", ""))
    args = ["lookup", "k", "--hiera", str(tmp_path / "hiera.yaml"), "--setting", "strict=warning"]
    done = CliRunner().invoke(cli, args)

    assert done.exit_code == 0, done.output
    assert "common.yaml:1:1" in done.output
    assert "%{facts.kernel} is empty" in done.output


@pytest.mark.parametrize("name", ["hiera.yaml", "modules/m/hiera.yaml"])
@pytest.mark.parametrize("text", ["version: 3\n", ":backends: [yaml]\n"])
def test_one_that_is_not_global_is_ignored_and_told_of(
    name: str, text: str, tmp_path: Path
) -> None:
    files = {"manifests/site.pp": "include m\n", "modules/m/manifests/init.pp": "class m($k=1) {}"}
    for path, content in {**files, name: text}.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    for level, severity in ((7, "warning"), (8, "error")):
        request = Request(files=(str(tmp_path),), lang="puppet", inputs={"puppet": level})
        (found,) = compile_request(request).diagnostics

        assert found.code == ("puppet-hiera-3" if level == 7 else "puppet-hiera-config")
        assert found.severity == severity
        assert found.at.source.name.endswith(name)
