"""A folder that may not be read is neither empty nor absent.

What Puppet 7.23 does with each is in the names of the tests: it refuses a folder of modules and a
module, takes manifests and data for absent without a word, and refuses a file of a glob.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.ask.check import files_in
from headwater.cli.main import cli
from headwater.fleet.catalogs import COMPILE
from headwater.text import reading
from headwater.text.moment import Seen, at_one_moment
from headwater.text.reading import Unread
from laws.fleet_repository import write as write_fleet
from laws.test_fleet_sequences import asked, folder
from unprivileged import LOCKED, UNLISTABLE, UNSEARCHABLE, locked

__all__ = ["folder"]

FILES = {
    "headwater.toml": '[puppet]\nenvironment = "."\n[nodes]\nfacts = "facts"\n',
    "facts/web1.json": '{"kernel": "Linux", "os": {"family": "Debian"}}\n',
    "manifests/site.pp": "notify { 'site': }\n",
    "manifests/sub/x.pp": "notify { 'sub': }\n",
    "modules/m/manifests/init.pp": "class m { }\n",
    "modules/m/files/f": "text\n",
    "modules/m/lib/puppet/functions/m/f.rb": (
        "Puppet::Functions.create_function(:'m::f') { def f; 'x'; end }\n"
    ),
    "modules/n/manifests/init.pp": "class n { }\n",
    "hiera.yaml": (
        "version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n"
        '  - { name: g, glob: "extra/*.yaml" }\n'
    ),
    "data/common.yaml": "k: found\n",
    "data/extra/a.yaml": "e: found\n",
    "facts.d/a.txt": "a=b\n",
    "class.pp": "include m\n",
    "other.pp": "include n\n",
    "file.pp": "notify { 'x': message => file('m/f') }\n",
    "absolute.pp": "notify { 'x': message => file('/PLACE/secret/f', 'm/f') }\n",
    "call.pp": "notify { 'x': message => m::f() }\n",
    "k.pp": "notify { 'x': message => lookup(k, { default_value => 'default' }) }\n",
    "e.pp": "notify { 'x': message => lookup(e, { default_value => 'default' }) }\n",
    "secret/f": "secret\n",
    "far/modules/x/manifests/init.pp": "class x { }\n",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("/PLACE", str(tmp_path)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def headwater(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


# --- the door -------------------------------------------------------------------------------


def test_the_door_tells_locked_from_absent_and_empty(place: Path) -> None:
    (place / "empty").mkdir()
    assert reading.names_in("empty") == reading.names_in("nowhere") == []
    with locked("data"):
        for look in (reading.names_in, reading.leads_to_folder, reading.exists, reading.look):
            with pytest.raises(Unread) as refused:
                look("data" if look is reading.names_in else "data/extra")
            assert refused.value.kind == "locked"
        with pytest.raises(Unread, match="the folder data may not be searched"):
            reading.look_all(["data/common.yaml"])
        with pytest.raises(Unread, match="the folder data may not be searched"):
            reading.read_bytes("data/common.yaml")
        assert reading.is_folder("data")


def test_a_file_that_may_not_be_read_is_no_locked_folder(place: Path) -> None:
    with locked("data/common.yaml"), pytest.raises(Unread) as refused:
        reading.read_bytes("data/common.yaml")
    assert refused.value.kind == "missing"


@pytest.mark.parametrize("mode", [LOCKED, UNSEARCHABLE])
@pytest.mark.parametrize("moment", [False, True])
def test_other_folders_are_looked_at(place: Path, mode: int, moment: bool) -> None:
    refused: list[Unread] = []
    with locked("manifests/sub", mode), at_one_moment(Seen()) if moment else nullcontext():
        files = reading.files_under("manifests", lambda n: n.endswith(".pp"), refused=refused)
    assert "manifests/site.pp" in files
    if mode == UNSEARCHABLE and moment:  # the listing itself tells that it is a file
        assert "manifests/sub/x.pp" in files
        assert refused == []
    else:
        assert [one.path for one in refused] == [
            "manifests/sub" if mode == LOCKED else "manifests/sub/x.pp"
        ]


def test_a_link_into_a_locked_folder(place: Path) -> None:
    (place / "link").symlink_to("secret/inner")
    with locked("secret"), pytest.raises(Unread, match="the folder secret may not be searched"):
        reading.leads_to_folder("link")


def test_a_path_outside_is_refused_as_such(place: Path) -> None:
    with locked("secret"), reading.within(reading.Reach().fenced(["data"])):
        for look in (reading.names_in, reading.look):
            with pytest.raises(Unread) as refused:
                look("secret/f")
            assert refused.value.kind == "outside"


# --- errors ---------------------------------------------------------------------------------

ALL = ["compile", "--modulepath", "modules"]

REFUSED = {
    "a folder that is checked": ("data", ["check", "data"]),
    "a folder below one that is checked": ("modules/m", ["check", "modules"]),
    "a folder of manifests": ("manifests", ["compile", "."]),
    "a folder in one of manifests": ("manifests/sub", ["compile", "."]),
    "a folder of manifests, of a node": ("manifests", ["compile", "web1"]),
    "a modulepath": ("modules", [*ALL, "other.pp"]),
    "a module that nobody asks for": ("modules/m", [*ALL, "other.pp"]),
    "manifests of a module": ("modules/m/manifests", [*ALL, "class.pp"]),
    "files of a module": ("modules/m/files", [*ALL, "file.pp"]),
    "functions of a module": ("modules/m/lib/puppet/functions", [*ALL, "call.pp"]),
    "external facts": ("facts.d", ["compile", "--external-facts", "facts.d", "other.pp"]),
    "facts of a node": ("facts", ["compile", "web1"]),
    "modules of a repository": ("modules", ["check"]),
    "manifests of a repository": ("manifests", ["check"]),
    "a fleet": ("facts", ["fleet", "list"]),
    "what levels refuse": ("manifests", ["check", "--upgrade", "."]),
    "fixes": ("modules/m", ["check", "--fix", "."]),
}


@pytest.mark.parametrize("mode", [LOCKED, UNSEARCHABLE])
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_needed_is_refused(place: Path, name: str, mode: int) -> None:
    path, words = REFUSED[name]
    assert "folder-locked" not in headwater(*words).output
    with locked(path, mode):
        result = headwater(*words)
    assert result.exit_code == 1 or (mode, path) == (UNSEARCHABLE, "facts"), result.output
    assert "permission denied" in result.output, result.output
    assert "folder-locked" in result.output or (mode, path) == (UNSEARCHABLE, "facts")


def test_the_facts_are_told_where_they_are_named(place: Path) -> None:
    with locked("facts"):
        output = headwater("nodes").output
    assert "folder-locked" in output
    assert "headwater.toml:4:9" in output


def test_environments_are_told_where_they_are_named(place: Path) -> None:
    Path("headwater.toml").write_text('[puppet]\nenvironments = "far"\n[nodes]\nfacts = "facts"\n')
    with locked("far"):
        output = headwater("check").output
    assert "folder-locked" in output
    assert "headwater.toml:2:16" in output


def test_a_check_goes_on_with_other_folders(place: Path) -> None:
    Path("modules/n/manifests/bad.pp").write_text("class {\n")
    with locked("modules/m"):
        output = headwater("check", "modules").output
    assert output.count("folder-locked") == 1
    assert "modules/n/manifests/bad.pp" in output


def test_nothing_is_called_unused_where_not_all_is_read(place: Path) -> None:
    Path("modules/n/manifests/init.pp").write_text("class n { }\nclass n::unused { }\n")
    with locked("manifests/sub"):
        output = headwater("check").output
    assert "folder-locked" in output
    assert "puppet-unused" not in output


def test_a_folder_that_may_be_searched_alone(place: Path) -> None:
    """Puppet lists no module; what is named in it is there."""
    with locked("modules/m", UNLISTABLE):
        assert headwater(*ALL, "class.pp").exit_code == 0
    with locked("data", UNLISTABLE):
        assert '"found"' in headwater("compile", "--env", ".", "k.pp").output


def test_a_survey_says_what_it_did_not_see(place: Path) -> None:
    with locked("facts"):
        result = headwater("init", "--force")
    assert "facts in facts: the folder may not be listed (permission denied)" in result.output


# --- files ----------------------------------------------------------------------------------

FILES_REFUSED = {
    "settings of an environment": ("environment.conf", ["compile", "."]),
    "settings that --env names": ("environment.conf", ["compile", "--env", ".", "k.pp"]),
    "settings, of a node": ("environment.conf", ["compile", "web1"]),
    "settings, where nodes are listed": ("environment.conf", ["nodes"]),
    "settings, in a check": ("environment.conf", ["check"]),
    "settings, in a check of the folder": ("environment.conf", ["check", "."]),
    "settings, with fixes": ("environment.conf", ["check", "--fix", "."]),
    "settings, for the next level": ("environment.conf", ["check", "--upgrade"]),
    "metadata of a module": ("modules/m/metadata.json", ["compile", "."]),
    "metadata of a module, in a check": ("modules/m/metadata.json", ["check"]),
    "a Puppetfile": ("Puppetfile", ["check"]),
    "the repository itself": ("headwater.toml", ["compile", "web1"]),
    "facts": ("facts/web1.json", ["compile", "web1"]),
    "a hierarchy": ("hiera.yaml", ["compile", "--env", ".", "k.pp"]),
    "data": ("data/common.yaml", ["compile", "--env", ".", "k.pp"]),
    "a manifest": ("manifests/site.pp", ["compile", "."]),
    "a manifest, for the next level": ("manifests/site.pp", ["check", "--upgrade"]),
}  # fmt: skip
METADATA = (
    '{"name": "a-m", "version": "1.0.0", "source": "s", "author": "a", "license": "x", '
    '"dependencies": []}\n'
)


@pytest.mark.parametrize("name", FILES_REFUSED)
def test_a_file_that_may_not_be_read_is_not_absent(place: Path, name: str) -> None:
    path, words = FILES_REFUSED[name]
    Path("environment.conf").write_text("environment_timeout = 0\n")
    Path("modules/m/metadata.json").write_text(METADATA)
    Path("Puppetfile").write_text("mod 'a/m', '1.0.0'\nmod 'a/n', '1.0.0'\n")
    assert "permission denied" not in headwater(*words).output
    with locked(path):
        result = headwater(*words)
    assert result.exit_code == 1, result.output
    assert "permission denied" in result.output
    assert path in result.output


def test_a_survey_says_that_settings_cannot_be_read(place: Path) -> None:
    Path("environment.conf").write_text("modulepath = site\n")
    with locked("environment.conf"):
        result = headwater("init", "--force")
    assert result.exit_code == 0
    assert "environment.conf: permission denied" in result.output


# --- data: as Puppet has it, with a warning --------------------------------------------------


@pytest.mark.parametrize("mode", [LOCKED, UNSEARCHABLE])
def test_data_that_are_passed_over_are_told(place: Path, mode: int) -> None:
    with locked("data", mode):
        result = headwater("compile", "--env", ".", "k.pp")
    assert result.exit_code == 0
    assert '"default"' in result.output
    assert "warning[puppet-hiera-locked]: cannot read data/common.yaml" in result.output.replace(
        "./data", "data"
    )
    assert "hiera.yaml:3:5" in result.output


def test_a_locked_folder_of_a_glob_is_told(place: Path) -> None:
    with locked("data/extra"):
        result = headwater("compile", "--env", ".", "e.pp")
    assert result.exit_code == 0
    assert "hiera.yaml:4:5" in result.output


def test_a_file_of_a_glob_is_refused(place: Path) -> None:
    with locked("data/extra", UNSEARCHABLE):
        result = headwater("compile", "--env", ".", "e.pp")
    assert result.exit_code == 1
    assert "error[folder-locked]" in result.output


def test_a_look_up_says_what_it_passed_over(place: Path) -> None:
    with locked("data"):
        result = headwater("lookup", "k", "--env", ".")
    assert result.exit_code == 1
    assert "puppet-hiera-locked" in result.output


def test_a_file_outside_of_modules_is_there_if_it_may_be_read(place: Path) -> None:
    """As Puppet has it: `file` takes the first that it may read."""
    with locked("secret"):
        result = headwater(*ALL, "absolute.pp")
    assert result.exit_code == 0
    assert '"text\\n"' in result.output


# --- caches ---------------------------------------------------------------------------------

KEPT = ["manifests", "modules/a", "modules/a/manifests", "modules/a/lib/puppet/functions/a",
        "modules/a/templates", "data", "data/nodes", "data/extra", "data/os"]  # fmt: skip


@pytest.mark.parametrize("mode", [LOCKED, UNSEARCHABLE])
@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_changes_with_permissions(folder: Path, name: str, mode: int) -> None:
    write_fleet(folder)
    before, _ = asked(COMPILE, kept=True)
    with locked(name, mode):
        without, _ = asked(COMPILE, kept=False)
        assert without != before
        assert asked(COMPILE, kept=True)[0] == without
        assert asked(COMPILE, kept=True)[0] == without
    assert asked(COMPILE, kept=True)[0] == before


def test_files_in_a_locked_folder_are_no_answer(place: Path) -> None:
    with locked("modules"), pytest.raises(Unread):
        files_in(["modules"])
