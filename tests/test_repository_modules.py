"""Modules of a repository: what a Puppetfile names, what is there, and which versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checked_control import checked, told
from headwater.langs.puppet.program.puppetfile import parsed
from headwater.langs.puppet.repository.modules import fits
from headwater.text import Source
from test_repository import control, run

__all__ = ["control"]


def test_modules_are_compared_with_the_puppetfile_and_each_other(control: Path) -> None:
    (control / "Puppetfile").write_text(
        "forge 'https://forge.example.com'\n"
        "mod 'example/apache', '2.3.0'\n"
        "mod 'example/ntp', '1.5.0'   # another one is installed\n"
        "mod 'puppetlabs-stdlib',\n  '9.0.0'\n"
        "mod 'local', :local => true\n"
        "mod the_name, '1.0.0'\n"
    )
    metadata = control / "modules/apache/metadata.json"
    data = json.loads(metadata.read_text())
    data["dependencies"] = [
        {"name": "example/ntp", "version_requirement": ">= 2.0.0 < 3.0.0"},
        {"name": "puppetlabs/concat", "version_requirement": ">= 1.0.0"},
        {"name": "example-users", "version_requirement": "0.x"},
    ]
    metadata.write_text(json.dumps(data, indent=1))

    lines = metadata.read_text().splitlines()
    at = {word: 1 + next(i for i, text in enumerate(lines) if word in text) for word in
          ("example/ntp", "concat")}  # fmt: skip
    assert told(checked()) == [
        ("puppet-module-version", "Puppetfile:3", []),
        ("puppet-module-absent", "Puppetfile:4", []),
        ("puppet-module-absent", "Puppetfile:6", []),
        ("puppet-puppetfile", "Puppetfile:7", []),
        ("puppet-module-version", f"modules/apache/metadata.json:{at['example/ntp']}", []),
        ("puppet-module-absent", f"modules/apache/metadata.json:{at['concat']}", []),
        ("puppet-module-unnamed", "modules/users/metadata.json:1", []),
    ]


def test_what_is_missing_with_its_module_says_so(control: Path) -> None:
    (control / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\nmod 'a/ntp'\n")
    for code, said in (
        ("include stdlib::manage", "puppet-unknown-class"),
        ("stdlib::thing { 'x': }", "puppet-unknown-type"),
        ("$x = stdlib::round(1)", "puppet-unknown-function"),
        ("$x = round_half(1)", "puppet-unknown-function"),
        ("class c inherits stdlib::x { }\ninclude c", "puppet-unknown-class"),
    ):
        (control / "x.pp").write_text(code)
        status, _, err = run("compile", "x.pp", "--node", "web1")
        assert status == 1
        assert f"error[{said}]" in err, code
        assert "= help: module stdlib, Puppetfile:1, is not in the modulepath" in err, code


def test_check_says_so_too(control: Path) -> None:
    (control / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\n")
    (control / "manifests" / "site.pp").write_text("include stdlib::manage\n")
    _, out, _ = run("check")
    assert "no class is called stdlib::manage; module stdlib, Puppetfile:1, is not in" in out


@pytest.mark.parametrize(
    ("text", "names", "doubts"),
    [
        ("mod 'a/b', '1.0.0'", {"b": "1.0.0"}, 0),
        ('mod "a-b"', {"b": None}, 0),
        ("mod('a/b', '1.0.0')", {"b": "1.0.0"}, 0),
        ("mod 'b', git: 'https://x.example.com/b.git', tag: 'v1'", {"b": None}, 0),
        ("mod 'b',\n  :git => 'u', # where\n  :ref => 'main'\nmod 'c'", {"b": None, "c": None}, 0),
        ("mod 'a/b', :latest", {"b": None}, 0),
        ("moduledir 'thirdparty'\nmod 'a/b'", {"b": None}, 0),
        ("%w[a b].each { |m| mod m }\nmod 'c'", {"c": None}, 1),
        ('mod "a/#{name}"\n', {}, 1),
        ("# only words\n\n", {}, 0),
        ("mod 'a/b', '1.0.0' if true", {}, 1),
        ("mod 'a/b', ENV['V']", {}, 1),
    ],
)
def test_a_puppetfile_is_read_and_not_run(
    text: str, names: dict[str, str | None], doubts: int
) -> None:
    found = parsed(Source("Puppetfile", text))

    assert {named.name: named.version for named in found.modules.values()} == names
    assert len(found.doubts) == doubts


def test_ranges_of_versions() -> None:
    assert fits("1.4.1", ">= 1.0.0 < 2.0.0")
    assert not fits("2.0.0", ">= 1.0.0 < 2.0.0")
    assert fits("1.4.1", "1.x")
    assert not fits("2.1.0", "1.x")
    assert fits("1.4.1", "no range")
