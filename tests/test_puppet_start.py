"""What a command loads: no more than a small catalog needs, and functions where they are said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from headwater.langs.puppet import functions
from headwater.langs.puppet.functions.registry import OLD, SIGNATURES

PLAIN = """
import os, sys
os._exit = lambda code: print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
from headwater.cli.start import main
main()
"""
PROGRAM = """
import sys
from headwater.cli.main import cli
cli(sys.argv[1:], standalone_mode=False)
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


def loaded(cache: Path, *args: str, program: str = PROGRAM) -> set[str]:
    """The modules that a command has loaded when it is done."""
    environment = {**os.environ, "HEADWATER_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return set(done.stderr.splitlines())


def test_a_manifest_that_is_known_loads_neither_parser_nor_yaml_nor_provenance(
    tmp_path: Path,
) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("file { '/a': ensure => present } -> notify { \"b ${facts['c']}\": }\n")
    loaded(tmp_path / "cache", "compile", str(manifest))  # parses, and keeps the tree
    modules = loaded(tmp_path / "cache", "compile", str(manifest))

    puppet = "headwater.langs.puppet"
    for unneeded in (
        "yaml", "pathlib", "onigurumacffi", f"{puppet}.syntax.parser", f"{puppet}.syntax.lexer",
        f"{puppet}.why.replay", f"{puppet}.functions.registry", f"{puppet}.paper.terms",
        f"{puppet}.types.conversion", "headwater.why.views",
    ):  # fmt: skip
        assert unneeded not in modules


def test_a_plain_command_loads_no_library_and_no_code_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text('{"kernel": "Linux"}')
    manifest = tmp_path / "site.pp"
    manifest.write_text(
        "file { '/a': ensure => present } -> notify { \"b ${facts['kernel']}\": }\n"
    )
    args = ("compile", str(manifest), "--facts", str(tmp_path / "facts.json"), "--puppet", "7")
    loaded(tmp_path / "cache", *args)
    modules = loaded(tmp_path / "cache", *args, program=PLAIN)

    assert "headwater.langs.puppet.engine.compile" in modules
    for unneeded in (
        "base64", "click", "copy", "inspect", "json", "msgspec.inspect", "msgspec.toml", "platform",
        "headwater.langs.l3.fields", "headwater.langs.opal.fields",
        "headwater.langs.puppet.codes.catalog", "headwater.langs.puppet.types.timestamps",
    ):  # fmt: skip
        assert unneeded not in modules


def test_data_that_is_known_is_read_without_yaml(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "common.yaml").write_text("---\nc::p: [1, 2]\n")
    (tmp_path / "hiera.yaml").write_text(
        "---\nversion: 5\nhierarchy: [{name: c, path: common.yaml}]\n"
    )
    manifest = tmp_path / "site.pp"
    manifest.write_text('class c (Array[Integer] $p) { notify { "${p}": } }\ninclude c\n')
    args = ("compile", str(manifest), "--hiera", str(tmp_path / "hiera.yaml"))

    assert "yaml" in loaded(tmp_path / "cache", *args)
    assert "yaml" not in loaded(tmp_path / "cache", *args)


def test_every_function_is_where_the_index_says() -> None:
    assert set(functions.TABLE) == {*SIGNATURES, *OLD}
    for room, names in functions.ROOMS.items():
        for name in names.split():
            bodies = [s.run for s in SIGNATURES.get(name, ())] or [OLD[name][0]]
            assert {body.__module__ for body in bodies} == {f"{functions.__name__}.{room}"}
    listed = [name for names in functions.ROOMS.values() for name in names.split()]
    assert sorted(listed) == sorted(functions.TABLE)
