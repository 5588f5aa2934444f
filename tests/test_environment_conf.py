"""``environment.conf``: what Puppet takes for a setting, and what it refuses.

`tests/peers/test_puppet_environment.py` compares the same texts with real Puppet.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.langs.puppet.engine.environment_conf import environment_conf
from headwater.text.reading import Unread

SETTINGS = {
    "manifest = other\n": {"manifest": "other"},
    "": {},
    "# manifest = other\n  \t# more\n\n": {},
    "manifest=first\nmanifest=second\n": {"manifest": "first"},
    "manifest = other # a comment\n": {"manifest": "other # a comment"},
    "[main]\nmanifest = other\n": {"manifest": "other"},
    "[agent]\nmanifest = other\n": {},
    "manifest = other\n[agent]\nmanifest = nowhere\n": {"manifest": "other"},
    "[agent]\nx = 1\n[main]\nmanifest = other\n": {"manifest": "other"},
    "manifest = 'other'\n": {"manifest": "other"},
    "manifest = ''other\n": {"manifest": "'other"},
    "manifest = other\r\nmodulepath = a\r\n": {"manifest": "other", "modulepath": "a"},
    "manifest = other\rmodulepath = a\r": {"manifest": "other\rmodulepath = a"},
    "manifest = a\u2028modulepath = b\n": {"manifest": "a\u2028modulepath = b"},
    "manifest = a\x0bmodulepath = b\n": {"manifest": "a\x0bmodulepath = b"},
    "manifest = other {mode = 644, owner = root}\n": {"manifest": "other"},
    "manifest = a{}b\n": {"manifest": "a{}b"},
    "manifest = a {\n": {"manifest": "a {"},
    "manifest =\n": {"manifest": ""},
    "manifest == other\n": {"manifest": "= other"},
    "manifest = $environment/x\n": {"manifest": "$environment/x"},
    "x = $nosuch\n": {"x": "$nosuch"},
}


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_are_read_as_puppet_reads_them(tmp_path: Path, text: str) -> None:
    (tmp_path / "environment.conf").write_bytes(text.encode())
    found = environment_conf(str(tmp_path))
    assert {name: setting.value for name, setting in found.items()} == SETTINGS[text]


REFUSED = {
    "manifest\n": (1, "this line is no setting"),
    "# ours\n;manifest = other\n": (2, "this line is no setting"),
    "x y = z\n": (1, "this line is no setting"),
    "[a b]\nmanifest = other\n": (1, "this line is no setting"),
    "[agent]\nnonsense\n": (2, "this line is no setting"),
    "\ufeffmanifest = other\n": (1, "byte order mark"),
    "manifest = third/${environment}\n": (1, "Puppet takes {environment} for options of a file"),
    "modulepath = {site,modules}\n": (1, "Puppet takes {site,modules} for options of a file"),
    "manifest = other {x = 644}\n": (1, "x is no option of a file"),
    "manifest = other {mode = rw}\n": (1, "the mode of a file must be a number"),
    "manifest = a\0b\n": (1, "NUL"),
    "\nmodulepath = $codedir/modules\n": (2, "$codedir is a setting of a server"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_setting_is_told_at_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "environment.conf").write_bytes(text.encode())
    with pytest.raises(Unread) as refused:
        environment_conf(str(tmp_path))
    line, reason = REFUSED[text]
    assert reason in refused.value.reason
    assert refused.value.named_at.first.line == line


def headwater(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


VERBS = {
    "compile": ["compile", "."],
    "compile --env": ["compile", "--env", ".", "manifests/site.pp"],
    "explain": ["explain", ".", "Notify[x].message"],
    "lookup": ["lookup", "k", "--env", "."],
    "check": ["check", "."],
    "check --fix": ["check", "--fix", "."],
    "check --upgrade": ["check", "--upgrade", "."],
    "steps": ["steps", "."],
}


@pytest.mark.parametrize(("text", "line"), [(b"\nnonsense\n", 2), (b"# caf\xe9\n", 1)])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_refuses_an_unusable_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, text: bytes, line: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("manifests").mkdir()
    Path("manifests/site.pp").write_text("notify { 'x': message => 'm' }\n")
    Path("environment.conf").write_bytes(text)
    result = headwater(*VERBS[verb])
    assert result.exit_code == 1, result.output
    assert "file-unreadable" in result.output
    assert f"environment.conf:{line}:" in result.output


def test_patterns_in_a_modulepath_are_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, said in (("site-a", "a"), ("site-b", "b"), ("far/base", "base")):
        for module in ("both", said):
            path = Path(folder, module, "manifests", "init.pp")
            path.parent.mkdir(parents=True)
            path.write_text(f"class {module} {{ notify {{ '{module} {said}': }} }}\n")
    Path("site-c").write_text("no folder\n")
    Path("site.pp").write_text("include both, a, b, base\n")
    Path("environment.conf").write_text("modulepath = site-*:$basemodulepath\nmanifest=site.pp\n")
    result = headwater("compile", ".", "--modulepath", "far/base")
    assert result.exit_code == 0, result.output
    for title in ("both a", "a a", "b b", "base base"):
        assert f'"{title}"' in result.output
    assert '"both b"' not in result.output


def test_a_pattern_of_a_modulepath_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("environment.conf").write_text(f"modulepath = {'*/' * 30}x:{'[' * 20_000}\n")
    Path("a").mkdir()
    for name in "bcdefgh":
        Path("a", name).symlink_to(".")
    Path("site.pp").write_text("notify { 'x': }\n")
    result = headwater("compile", "--env", ".", "site.pp")
    assert result.exit_code == 1
    assert "puppet-glob-bound" in result.output


def test_the_next_level_is_asked_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nowhere = headwater("check", "--upgrade")
    assert nowhere.exit_code == 2
    assert "which files?" in nowhere.output
    Path("manifests").mkdir()
    Path("manifests/site.pp").write_text("notify { 'x': message => $osfamily }\n")
    Path("headwater.toml").write_text('[puppet]\nenvironment = "."\n')
    result = headwater("check", "--upgrade")
    assert result.exit_code == 1
    assert "$facts['os']['family']" in result.output
