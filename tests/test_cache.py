"""The cache: what is believed, how large it gets, who else may use it, what is left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli
from headwater.langs import cache as caches
from headwater.langs.cache import MOST_BYTES, Cache, most_bytes, user_cache, user_folder
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.syntax import cache as trees
from headwater.langs.puppet.syntax import parse
from headwater.langs.puppet.syntax.cache import TreeCache
from headwater.text import Source


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def test_what_is_stored_is_found_again(cache: Cache) -> None:
    assert cache.load("k") is None
    assert cache.store("k", b"body")
    assert cache.load("k") == b"body"
    assert cache.store("k", b"other")
    assert cache.load("k") == b"other"
    assert Cache(cache.folder).load("k") == b"other"
    assert cache.load("K") is None


# --- what the key binds ----------------------------------------------------------------------


def test_an_entry_under_another_key_is_not_accepted(cache: Cache) -> None:
    cache.store("good", b"no findings")
    for other in ("bad", "good ", "Good", ""):
        target = Path(cache.place(other))
        target.parent.mkdir(exist_ok=True)
        shutil.copy(cache.place("good"), target)
        assert cache.load(other) is None
    os.link(cache.place("good"), cache.place("linked"))
    assert cache.load("linked") is None


@pytest.mark.parametrize("at", [0, 5, 16, 20, 48, -1])
def test_an_entry_that_was_changed_is_not_accepted(cache: Cache, at: int) -> None:
    cache.store("k", b"body of an entry")
    path = Path(cache.place("k"))
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)

    assert cache.load("k") is None
    assert cache.store("k", b"again")
    assert cache.load("k") == b"again"


def test_no_findings_do_not_survive_a_change_of_the_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = TreeCache(tmp_path)
    program = parse(Source("a.pp", "include a")).program
    cache.store(program)
    assert cache.holds(program.source)
    for name, value in (("version_of", lambda *_: "another"), ("FORMAT", "another")):
        with monkeypatch.context() as changed:
            changed.setattr(trees, name, value)
            assert not cache.holds(program.source)
            assert cache.load(program.source) is None
    assert cache.holds(program.source)


def test_the_version_is_that_of_the_files_that_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "headwater/langs/x"
    folder.mkdir(parents=True)
    (folder / "check.py").write_text("1")
    (folder / "inner").mkdir()
    (folder / "inner/more.py").write_text("1")
    monkeypatch.setattr(caches, "__file__", str(tmp_path / "headwater/langs/cache.py"))

    def version() -> str:
        caches.version_of.cache_clear()
        return caches.version_of("langs/x")

    first = version()
    assert version() == first
    (folder / "inner/more.py").write_text("22")
    second = version()
    (folder / "new.py").write_text("")
    third = version()
    (folder / "check.py").unlink()
    assert len({first, second, third, version()}) == 4
    monkeypatch.undo()
    caches.version_of.cache_clear()


@pytest.mark.parametrize("places", [trees.JUDGES, ("langs/puppet/hiera/yaml.py",)])
def test_the_judges_are_there(places: tuple[str, ...]) -> None:
    for place in places:
        assert (Path(caches.__file__).parents[1] / place).exists()


def test_a_tree_that_nobody_found_fault_with_yet_is_no_tree_without_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from headwater.langs.puppet.types import parse_type

    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "c"))
    text = "Tuple[Integer, Float, 3, 7]"
    parse_type(text, ours=True)
    cache = trees.user_cache()
    assert cache is not None

    assert files(tmp_path / "c")
    assert not cache.holds(Source("type.pp", text))


# --- whose it is -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o720])
def test_a_folder_that_others_may_write_to_is_not_used(cache: Cache, mode: int) -> None:
    cache.store("k", b"body")
    part = os.path.dirname(cache.place("k"))
    for folder in (cache.folder, part):
        os.chmod(folder, mode)
        assert cache.load("k") is None
        assert not cache.store("other", b"body") or folder == part
        os.chmod(folder, 0o700)
    assert cache.load("k") == b"body"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", ["folder", "part", "entry"])
def test_what_belongs_to_others_is_not_used(cache: Cache, which: str) -> None:
    cache.store("k", b"body")
    entry = cache.place("k")
    target = {"folder": cache.folder, "part": os.path.dirname(entry), "entry": entry}[which]
    os.chown(target, 12345, 12345)

    assert cache.load("k") is None


@pytest.mark.parametrize("which", ["folder", "part", "entry"])
def test_a_link_is_not_used(cache: Cache, which: str, tmp_path: Path) -> None:
    cache.store("k", b"body")
    entry = cache.place("k")
    target = {"folder": cache.folder, "part": os.path.dirname(entry), "entry": entry}[which]
    os.rename(target, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", target)

    assert cache.load("k") is None


def test_an_entry_that_is_a_pipe_is_not_waited_for(cache: Cache) -> None:
    cache.store("k", b"body")
    os.unlink(cache.place("k"))
    os.mkfifo(cache.place("k"), 0o600)

    assert cache.load("k") is None
    assert cache.store("k", b"body")
    assert cache.load("k") == b"body"


def test_files_have_mode_0600_and_folders_0700(cache: Cache) -> None:
    before = os.umask(0)
    try:
        for number in range(40):
            cache.store(str(number), b"body")
    finally:
        os.umask(before)
    for path in [Path(cache.folder), *Path(cache.folder).rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted


# --- how large it gets -----------------------------------------------------------------------


def test_the_size_is_capped_and_the_oldest_go(cache: Cache) -> None:
    cache.most_bytes = 160_000
    for number in range(1000):
        assert cache.store(str(number), b"x" * 1000)
    entries, size = cache.info()

    assert size <= 160_000
    assert 80 <= entries <= 160
    kept = [number for number in range(1000) if cache.load(str(number)) is not None]
    assert len(kept) == entries
    assert min(kept) > 500


def test_what_was_used_is_kept_longer(cache: Cache) -> None:
    cache.most_bytes = 160_000
    first = [str(number) for number in range(60)]
    long_ago = time.time() - 10 * 86_400
    for key in first:
        cache.store(key, b"x" * 1000)
        os.utime(cache.place(key), (long_ago, long_ago))
    used = first[::2]
    for key in used:
        assert cache.load(key) is not None
    for number in range(100, 150):
        cache.store(str(number), b"x" * 1000)
    still = {key for key in first if cache.load(key) is not None}

    assert len(still & set(used)) > len(still - set(used))


def test_what_is_too_large_is_not_kept(cache: Cache) -> None:
    cache.most_bytes = 16_000

    assert not cache.store("k", b"x" * 1000)
    assert cache.store("k", b"x" * 900)


@pytest.mark.parametrize(
    ("setting", "wanted"),
    [("", MOST_BYTES), ("1000", 1000), ("10M", 10 << 20), ("0", 0), ("nonsense", MOST_BYTES)],
)
def test_the_size_can_be_set(setting: str, wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE_SIZE", setting)

    assert most_bytes() == wanted


# --- others, and the end of a process --------------------------------------------------------

WRITER = """
import os, sys
from headwater.langs.cache import Cache
cache = Cache(sys.argv[1], int(sys.argv[2]))
print("ready", flush=True)
number = 0
while True:
    key = str(number % 300)
    cache.store(key, key.encode() * 3000)
    found = cache.load(str((number * 7) % 300))
    assert found is None or found == str((number * 7) % 300).encode() * 3000
    number += 1
"""


def writer(folder: Path, most: int) -> subprocess.Popen[bytes]:
    started = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(most)], stdout=subprocess.PIPE
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    return started


@pytest.mark.parametrize("named", [False, True])
def test_a_killed_process_leaves_nothing_behind(
    tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if named:
        monkeypatch.setattr(caches, "_UNNAMED", 0)
        cache = Cache(tmp_path)
        cache.store("k", b"body")
        old = Path(cache.place("k")).parent / "unfinished-1-x"
        old.write_bytes(b"half")
        os.utime(old, (0, 0))
        cache = Cache(tmp_path)
        cache.store("k", b"body")
        assert [path.name for path in files(tmp_path)] == [Path(cache.place("k")).name]
        return
    for _ in range(5):
        process = writer(tmp_path, MOST_BYTES)
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
    cache = Cache(tmp_path)
    whole = {cache.place(str(n)) for n in range(300) if cache.load(str(n)) is not None}

    assert {str(path) for path in files(tmp_path)} == whole


def test_processes_share_it_safely(tmp_path: Path) -> None:
    processes = [writer(tmp_path, 2_000_000) for _ in range(3)]
    time.sleep(1)
    assert all(process.poll() is None for process in processes)
    for process in processes:
        process.kill()
        process.wait()
    cache = Cache(tmp_path)

    assert cache.info()[1] <= 2_000_000 * 9 // 8
    assert all(cache.load(str(n)) in (None, str(n).encode() * 3000) for n in range(300))


# --- the commands ----------------------------------------------------------------------------


def run(*args: str) -> str:
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_commands_show_and_clear_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "c"
    monkeypatch.setenv("HEADWATER_CACHE", str(folder))
    manifest = tmp_path / "a.pp"
    manifest.write_text("notify { 'a': }\n")
    assert "entries  0" in run("cache", "info")
    run("check", str(manifest))
    entries = len(files(folder))
    assert entries
    told = json.loads(run("cache", "info", "--format", "json"))
    assert (told["state"], told["folder"], told["entries"]) == ("on", str(folder), entries)
    assert told["bytes"] == sum(path.stat().st_size for path in files(folder))
    assert "256.0 MiB" in run("cache", "info")
    assert run("cache", "clear").startswith(f"forgot {entries} entr")
    assert files(folder) == []
    folder.chmod(0o777)
    assert "not used" in run("cache", "info")
    run("check", str(manifest))
    assert files(folder) == []
    monkeypatch.setenv("HEADWATER_CACHE", "off")
    assert "there is no cache" in run("cache", "info")
    assert "there is no cache" in run("cache", "clear")


def test_it_is_in_the_cache_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert user_folder() == "/somewhere/headwater"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert user_folder() is None
    assert user_cache() is None
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert user_folder() == "/home/ann/.cache/headwater"


def test_parsed_data_come_from_the_cache_only_if_they_are_those_of_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "c"))
    one, other = Source("a.yaml", "k: one\n"), Source("a.yaml", "k: two\n")
    assert DataFile("a.yaml", one, "yaml_data").data["k"] == "one"
    (entry,) = files(tmp_path / "c")
    cache = user_cache()
    assert cache is not None
    stored: list[str] = []
    with monkeypatch.context() as watched:
        watched.setattr(Cache, "load", lambda _, key: stored.append(key))
        DataFile("a.yaml", other, "yaml_data")
    target = Path(cache.place(stored[0]))
    target.parent.mkdir(exist_ok=True)
    shutil.copy(entry, target)

    assert DataFile("a.yaml", other, "yaml_data").data["k"] == "two"
    assert DataFile("a.yaml", one, "yaml_data").data["k"] == "one"
