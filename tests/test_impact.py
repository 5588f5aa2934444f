"""``impact``: what changes, by trying, from what may; what comes and goes; in groups."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli

SITE = """\
class web($port, $mode = 'slow') {
  file { '/etc/web': content => "port ${port}" }
  file { '/etc/web.d': mode => '0755' }
  service { 'web': enable => $port > 1024 }
  if $mode == 'fast' { notify { 'fast': } }
}
class { 'web': port => 8080 }
include base
class base { file { '/etc/motd':
  content => 'hi' } }
File <| title == '/etc/motd' |> { content => 'collected' }
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.pp"
    path.write_text(SITE)
    return path


def asked(site: Path, line: int, *more: str) -> str:
    done = CliRunner().invoke(cli, ["impact", f"{site}:{line}", *more])
    assert done.exit_code == 0, done.output
    return done.output


def document(site: Path, line: int, *more: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(asked(site, line, "--format", "json", *more))
    return found


def test_values_that_change_are_told_from_those_that_may(site: Path) -> None:
    found = document(site, 7)
    assert found["addresses"] == [
        "Class[Web].port", "File[/etc/web].content", "Service[web].enable"
    ] or "Service[web].enable" in found["addresses"]  # type: ignore[operator]  # fmt: skip
    assert "File[/etc/web].content" in found["changes"]  # type: ignore[operator]
    assert "Service[web].enable" in found["changes"]  # type: ignore[operator]  # by port 0
    assert site.read_text() == SITE

    plain = document(site, 7, "--no-try")
    assert plain["addresses"] == found["addresses"]
    assert "changes" not in plain


def test_resources_that_come_and_go(site: Path) -> None:
    assert document(site, 8)["go"] == ["Class[Base]", "File[/etc/motd]"]
    site.write_text(SITE.replace("'slow'", "'fas'"))
    assert document(site, 1)["come"] == []
    site.write_text(SITE.replace("== 'fast'", "!= 'slow'"))
    assert document(site, 1)["come"] == ["Notify[fast]"]


def test_answers_are_grouped_by_class_and_cut(site: Path) -> None:
    text = asked(site, 7)
    assert "  Class[Web]\n    Class[Web].port\n" in text
    site.write_text(
        "$a = 'x'\n" + "".join(f"file {{ '/f{i}': content => $a }}\n" for i in range(30))
    )
    text = asked(site, 1)
    assert "30 values change" in text
    assert "22 more like these: --all" in text
    assert "more like these" not in asked(site, 1, "--all")
    assert "28 more like these" in asked(site, 1, "--limit", "2")


def test_a_value_that_is_overridden_is_told_apart(site: Path) -> None:
    text = asked(site, 10)
    assert (
        "1 value overrides it, so that it has no effect on it:\n  File[/etc/motd].content" in text
    )


def test_trees_are_grouped_too(tmp_path: Path) -> None:
    path = tmp_path / "a.sf"
    path.write_text("sfConfig extends {\n  a 1;\n  b extends { c a; }\n}\n")
    text = asked(path, 2)
    assert "2 values change (tried 2 changes of the line)\n  a\n  b.c\n" in text
