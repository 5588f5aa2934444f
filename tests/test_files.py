"""The door through which files are read: regular files within a bound, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.text import reading
from headwater.text.reading import MOST_BYTES, Reach, Unread, files_under, read_bytes, within


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A file that is waited for fails its test instead of stopping all."""

    def give_up(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def headwater(*args: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(cli, args, input=given)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# --- what is no regular file, for everything that reads -------------------------------------


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _link_to_a_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


def _socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def _large(path: Path) -> None:
    path.touch(0o600)
    os.truncate(path, MOST_BYTES + 1)


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "pipe": (_fifo, "not-a-regular-file"),
    "link to a pipe": (_link_to_a_fifo, "not-a-regular-file"),
    "socket": (_socket, "not-a-regular-file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "not-a-regular-file"),
    "folder": (lambda path: path.mkdir(), "not-a-regular-file"),
    "system": (lambda path: path.symlink_to("/proc/self/environ"), "file-outside"),
    "large": (_large, "file-too-large"),
}

HIERA = "version: 5\nhierarchy: [{ name: c, path: c.yaml }]\n"
MODULE = "class m { }\n"
METADATA = '{"data_provider": "hiera"}'
OPAL = "n.x := ()\n"

USERS: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "source": ("a.sf", {}, ["compile", "a.sf"]),
    "check": ("d/a.sf", {}, ["check", "d/a.sf"]),
    "explain": ("a.sf", {}, ["explain", "a.sf", "x"]),
    "include": ("b.sf", {"a.sf": '#include "b.sf"\nsfConfig extends {}'}, ["compile", "a.sf"]),
    "include of production": (
        "b.sf",
        {"a.sf": '#include "b.sf"\nsfConfig extends {}'},
        ["compile", "--dialect", "production", "a.sf"],
    ),
    "L3": ("a.l3", {}, ["compile", "a.l3"]),
    "L3 data": ("a.yaml", {"b.l3": "x: 1"}, ["compile", "--lang", "l3", "b.l3", "a.yaml"]),
    "Opal": ("a.opal", {}, ["compile", "a.opal"]),
    "manifest": ("a.pp", {}, ["compile", "a.pp"]),
    "manifest of an environment": ("env/manifests/a.pp", {}, ["compile", "env"]),
    "environment.conf": (
        "env/environment.conf",
        {"env/manifests/a.pp": "notify { 'a': }"},
        ["compile", "env"],
    ),
    "hiera.yaml of an environment": (
        "env/hiera.yaml",
        {"env/manifests/a.pp": "lookup('k')"},
        ["compile", "env"],
    ),
    "class": ("m/m/manifests/init.pp", {"a.pp": "include m"}, ["compile", "a.pp"]),
    "class inside": ("m/m/manifests/x.pp", {"a.pp": "include m::x"}, ["compile", "a.pp"]),
    "function": ("m/m/functions/f.pp", {"a.pp": "m::f()"}, ["compile", "a.pp"]),
    "alias of a type": ("m/m/types/t.pp", {"a.pp": "$x = 1 =~ M::T"}, ["compile", "a.pp"]),
    "type in Ruby": ("m/m/lib/puppet/type/t.rb", {"a.pp": "t { 'a': }"}, ["compile", "a.pp"]),
    "described type": (
        "env/.resource_types/t.pp",
        {"env/manifests/a.pp": "t { 'a': }"},
        ["compile", "env"],
    ),
    "hiera.yaml of a module": (
        "m/m/hiera.yaml",
        {"m/m/manifests/init.pp": "class m($p = 1) { }", "a.pp": "include m"},
        ["compile", "a.pp"],
    ),
    "metadata.json": (
        "m/m/metadata.json",
        {"m/m/manifests/init.pp": "class m($p = 1) { }", "a.pp": "include m"},
        ["compile", "a.pp"],
    ),
    "file()": ("m/m/files/f", {"a.pp": "file('m/f')"}, ["compile", "a.pp"]),
    "binary_file()": ("m/m/files/f", {"a.pp": "binary_file('m/f')"}, ["compile", "a.pp"]),
    "epp()": ("m/m/templates/f.epp", {"a.pp": "epp('m/f.epp')"}, ["compile", "a.pp"]),
    "cached_file_data": (
        "d/x",
        {
            "hiera.yaml": "version: 5\nhierarchy: [{ name: c, data_hash: m::f, path: '../d/x' }]\n",
            "m/m/functions/f.pp": "function m::f($o, $c) { $c.cached_file_data($o['path']) }",
            "a.pp": "lookup('k')",
        },
        ["compile", "a.pp", "--hiera", "hiera.yaml"],
    ),
    "--facts": ("facts.json", {"a.pp": ""}, ["compile", "a.pp", "--facts", "facts.json"]),
    "--facts in YAML": ("f.yaml", {"a.pp": ""}, ["compile", "a.pp", "--facts", "f.yaml"]),
    "--facts of the paper": (
        "facts.json",
        {"a.pp": ""},
        ["compile", "--engine", "paper", "a.pp", "--facts", "facts.json"],
    ),
    "--hiera": ("h.yaml", {"a.pp": "lookup('k')"}, ["compile", "a.pp", "--hiera", "h.yaml"]),
    "data": (
        "data/c.yaml",
        {"a.pp": "lookup('k')", "h.yaml": HIERA},
        ["compile", "a.pp", "--hiera", "h.yaml"],
    ),
    "data in JSON": (
        "data/c.json",
        {"a.pp": "lookup('k')", "h.yaml": HIERA.replace("c.yaml", "c.json, data_hash: json_data")},
        ["compile", "a.pp", "--hiera", "h.yaml"],
    ),
    "data of a glob": (
        "data/c.yaml",
        {"a.pp": "lookup('k')", "h.yaml": HIERA.replace("path: c.yaml", "glob: '*.yaml'")},
        ["compile", "a.pp", "--hiera", "h.yaml"],
    ),
    "lookup": ("data/c.yaml", {"h.yaml": HIERA}, ["lookup", "k", "--hiera", "h.yaml"]),
    "jobs": ("jobs.jsonl", {}, ["compile", "--jobs", "jobs.jsonl"]),
    "program": ("a.opal", {}, ["run", "a.opal", "--store", "s.db", "--as", "ann"]),
    "key": ("a.key", {"a.opal": OPAL}, ["key", "show", "a.key"]),
    "public key": ("a.pub", {}, ["key", "show", "a.pub"]),
    "policy": (
        "p.toml",
        {"a.opal": OPAL},
        ["run", "a.opal", "--store", "s.db", "--as", "ann", "--policy", "p.toml"],
    ),
    "signatures of a policy": (
        "p.toml.sig",
        {"a.opal": OPAL, "p.toml": "format_version = 1\n"},
        ["run", "a.opal", "--store", "s.db", "--as", "ann", "--policy", "p.toml"],
    ),
    "endorsement": (
        "e.json",
        {"a.opal": OPAL},
        ["run", "a.opal", "--store", "s.db", "--as", "ann", "--endorsement", "e.json"],
    ),
    "request": ("r.json", {"a.key": ""}, ["endorse", "r.json", "--key", "a.key"]),
}  # fmt: skip


FOLDERS = {"check", "manifest", "manifest of an environment", "data of a glob",
           "include of production"}  # fmt: skip
"""Where a folder stands for what lies in it, or is passed over."""


@pytest.mark.parametrize(
    ("user", "kind"),
    [(u, k) for u in USERS for k in KINDS if not (k == "folder" and u in FOLDERS)],
)
def test_what_is_no_regular_file_is_refused_by_its_kind(
    user: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, files, command = USERS[user]
    make, code = KINDS[kind]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, files)
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / place)
    if (tmp_path / "m").is_dir():
        command = [*command, "--modulepath", "m"]

    done = headwater(*command)

    assert done.exit_code == 1, done.output
    assert f"[{code}]" in done.output
    assert os.path.basename(place) in done.output


def test_a_store_that_is_no_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, make in {"pipe": _fifo, "socket": _socket, "folder": Path.mkdir}.items():
        make(tmp_path / name)  # type: ignore[operator]
        done = headwater("store", "log", name)

        assert done.exit_code == 1
        assert "[store-unopenable]" in done.output


# --- the bound -------------------------------------------------------------------------------


def test_the_bound_can_be_lowered_and_raised_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "a.sf"
    file.write_text("sfConfig extends { a 1; }" + " " * 2000)

    assert headwater("compile", str(file)).exit_code == 0
    for size in ("1000", "1K", "1kib", "0"):
        done = headwater("compile", "--max-file-size", size, str(file))
        assert (done.exit_code, "[file-too-large]" in done.output) == (1, True)
    for size in ("2025", "1M", "64MiB", "1g"):
        assert headwater("compile", "--max-file-size", size, str(file)).exit_code == 0
    for size in ("-1", "x", "1T", "1.5M", "", "9" * 30):
        assert headwater("compile", "--max-file-size", size, str(file)).exit_code == 2
    assert headwater("compile", str(file)).exit_code == 0


def test_a_file_just_as_large_as_the_bound_is_read(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * 100)

    with within(Reach(100)):
        assert len(read_bytes(file)) == 100
    with within(Reach(99)), pytest.raises(Unread) as refused:
        read_bytes(file)
    assert refused.value.kind == "too-large"


def test_a_file_that_grows_while_it_is_read_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * 200_000)
    handle = os.open(file, os.O_RDONLY)
    try:
        with pytest.raises(Unread) as refused:
            reading._content("f", handle, 10, 100_000)
    finally:
        os.close(handle)
    assert refused.value.kind == "too-large"


def jobs(*lines: bytes, options: tuple[str, ...] = ()) -> list[dict[str, object]]:
    done = headwater("compile", "--jobs", "-", *options, given=b"\n".join(lines))
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def code_of(answer: dict[str, object]) -> object:
    error = answer.get("error")
    return error["code"] if isinstance(error, dict) else None


def test_a_job_has_its_own_bound(tmp_path: Path) -> None:
    file = tmp_path / "a.sf"
    file.write_text("sfConfig extends { a 1; }" + " " * 2000)
    job = {"file": str(file)}
    found = jobs(
        *(
            json.dumps({**job, **more}).encode()
            for more in (
                {},
                {"max_file_size": 1000},
                {},
                {"max_file_size": "1000"},
                {"max_file_size": -1},
                {"max_file_size": True},
            )
        )
    )

    assert [code_of(a) for a in found] == [
        None, "file-too-large", None, "bad-job", "bad-job", "bad-job",
    ]  # fmt: skip


def test_a_cached_file_is_not_given_to_a_job_with_a_smaller_bound(tmp_path: Path) -> None:
    write(tmp_path, {
        "m/m/manifests/init.pp": "class m { }" + " " * 2000,
        "hiera.yaml": HIERA + " " * 2000,
        "data/c.yaml": "k: 1" + " " * 2000,
    })  # fmt: skip
    job = {
        "lang": "puppet", "code": "include m", "modulepath": str(tmp_path / "m"),
    }  # fmt: skip
    data = {"lang": "puppet", "code": "lookup('k')", "hiera": str(tmp_path / "hiera.yaml")}
    small = {"max_file_size": 1000}
    found = jobs(
        *(json.dumps(j).encode() for j in (job, job | small, data, data | small, job, data))
    )

    assert [code_of(a) for a in found] == [
        None, "file-too-large", None, "file-too-large", None, None,
    ]  # fmt: skip


def test_a_line_of_jobs_is_bounded_and_the_next_is_answered() -> None:
    good = json.dumps({"id": 1, "lang": "smartfrog", "code": "sfConfig extends { a 1; }"}).encode()
    long = json.dumps({"id": 2, "code": "x" * 5000}).encode()
    found = jobs(good, long, good, long[:1000], long, options=("--max-file-size", "1000"))

    assert [code_of(a) for a in found] == [
        None, "file-too-large", None, "bad-job", "file-too-large",
    ]  # fmt: skip


# --- standard input --------------------------------------------------------------------------


def test_standard_input_is_read_where_it_is_asked_for(tmp_path: Path) -> None:
    program = b"sfConfig extends { a 1; }"
    done = headwater("compile", "--lang", "smartfrog", "-", given=program)
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"a": 1})

    (tmp_path / "a.pp").write_text("notify { 'a': message => $facts['x'] }")
    done = headwater("explain", str(tmp_path / "a.pp"), "Notify[a].message", "--facts", "-",
                     given=b'{"x": "hello"}')  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "-:1:" in done.output


@pytest.mark.parametrize(
    ("command", "given", "code"),
    [
        (["--max-file-size", "10", "-"], b"x" * 11, "file-too-large"),
        (["-"], b"\xff", "file-unreadable"),
    ],
)
def test_standard_input_has_the_bound_of_a_file(
    command: list[str], given: bytes, code: str
) -> None:
    done = headwater("compile", "--lang", "smartfrog", *command, given=given)

    assert (done.exit_code, f"[{code}]" in done.output) == (1, True)


def test_standard_input_is_not_read_where_it_is_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sf").write_text('#include "-"\nsfConfig extends {}')
    done = headwater("compile", "a.sf", given=b"b 1;")
    assert "[sf-include-missing]" in done.output
    (tmp_path / "a.pp").write_text("notify { 'a': }")
    assert headwater("compile", "-", "a.pp", "--facts", "-", given=b"{}").exit_code == 2
    line = json.dumps({"file": "-", "lang": "smartfrog"}).encode()
    assert [code_of(a) for a in jobs(line, line)] == ["file-unreadable", "file-unreadable"]
    line = json.dumps({"code": "", "lang": "puppet", "facts_file": "-"}).encode()
    assert [code_of(a) for a in jobs(line, line)] == ["puppet-bad-input", "puppet-bad-input"]


# --- folders that contain themselves ---------------------------------------------------------


def _circle(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in "abc":
        (folder / name).symlink_to(".")


def test_manifests_with_links_to_themselves_have_an_end(tmp_path: Path) -> None:
    write(tmp_path, {"env/manifests/site.pp": "notify { 'a': }", "env/manifests/b/c.pp": ""})
    _circle(tmp_path / "env/manifests/d")
    (tmp_path / "env/manifests/up").symlink_to("..")
    (tmp_path / "env/manifests/.hidden").mkdir()
    (tmp_path / "env/manifests/.hidden/x.pp").write_text("nonsense (")

    assert headwater("compile", str(tmp_path / "env")).exit_code == 0
    assert headwater("compile", str(tmp_path / "env/manifests"), "--lang", "puppet").exit_code == 0


def test_what_is_under_a_folder_is_found_once_and_in_order(tmp_path: Path) -> None:
    write(tmp_path, {"b.x": "", "a/c.x": "", "a/.d.x": "", "a/e.y": "", ".f/g.x": ""})
    _circle(tmp_path / "a/h")
    (tmp_path / "i").symlink_to("a")
    (tmp_path / "j.x").symlink_to("b.x")

    def found(*, hidden: bool) -> list[str]:
        paths = files_under(str(tmp_path), lambda name: name.endswith(".x"), hidden=hidden)
        return [os.path.relpath(path, tmp_path) for path in paths]

    assert found(hidden=False) == ["a/c.x", "b.x", "j.x"]
    assert found(hidden=True) == [".f/g.x", "a/.d.x", "a/c.x", "b.x", "j.x"]


def test_check_of_folders_with_links_to_themselves_has_an_end(tmp_path: Path) -> None:
    write(tmp_path, {"a.sf": "sfConfig extends { a 1; }", "b.pp": "notify { 'a': }"})
    _circle(tmp_path / "d")
    done = headwater("check", str(tmp_path))

    assert (done.exit_code, done.stderr) == (0, "2 files, 0 findings\n")


def test_check_of_a_folder_of_links_looks_at_what_they_lead_to(tmp_path: Path) -> None:
    write(
        tmp_path, {"kept/m/manifests/init.pp": "class m { $a = }", "kept/n/manifests/init.pp": ""}
    )
    _circle(tmp_path / "kept/m/manifests/d")
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "m").symlink_to("../kept/m")
    (modules / "again").symlink_to("../kept/m")
    (modules / "inside").symlink_to("../kept/m/manifests")
    (modules / "n").symlink_to("../kept/n")
    (modules / "self").symlink_to(".")
    (modules / "up").symlink_to("..")
    done = headwater("check", str(modules))

    assert done.exit_code == 1
    assert done.stderr.endswith("2 files, 1 finding\n")


def test_modules_with_links_to_themselves_have_an_end(tmp_path: Path) -> None:
    _circle(tmp_path / "m")
    write(tmp_path, {"m/x/manifests/init.pp": "class x { notify { 'x': } }", "a.pp": "include x"})
    done = headwater("compile", str(tmp_path / "a.pp"), "--modulepath", str(tmp_path / "m"))

    assert done.exit_code == 0


@pytest.mark.parametrize(
    "glob",
    ["**/*.yaml", "*/*/*/*.yaml", "/".join("*" * 60), "**/*/**/*/**/*.yaml", "{a,b}" * 40,
     "{a,b}/" * 40 + "x", "{" * 300 + "a" + "}" * 300, "**/" * 300 + "*", "{a,{b,{c,d}}}" * 30],
)  # fmt: skip
def test_globs_of_data_have_an_end(glob: str, tmp_path: Path) -> None:
    _circle(tmp_path / "data")
    write(
        tmp_path,
        {"data/k.yaml": "k: found", "h.yaml": HIERA.replace("path: c.yaml", f"glob: '{glob}'")},
    )
    done = headwater("lookup", "k", "--hiera", str(tmp_path / "h.yaml"))

    assert done.exit_code in (0, 1)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    if glob in ("**/*.yaml", "*/*/*/*.yaml"):
        assert '"found"' in done.output
    if glob in ("/".join("*" * 60), "{a,b}" * 40, "{a,b}/" * 40 + "x", "{a,{b,{c,d}}}" * 30):
        assert "[puppet-glob-bound]" in done.output


# --- what is put in the place of a file while it is read ---------------------------------------


@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "socket", "device", "system"])
def test_another_file_put_in_its_place_is_looked_at(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "f"
    real_open = os.open

    def open_another(path: str, flags: int) -> int:
        file.unlink(missing_ok=True)
        if kind == "link to a pipe":
            file.with_name("pipe").unlink(missing_ok=True)
        KINDS[kind][0](file)
        try:
            return real_open(path, flags)
        finally:
            file.unlink()
            file.write_text("harmless")

    file.write_text("harmless")
    monkeypatch.setattr(os, "open", open_another)
    with pytest.raises(Unread):
        read_bytes(file)


def test_a_file_that_is_replaced_in_between_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "f"
    file.write_text("old")
    real_open, opened = os.open, []  # type: ignore[var-annotated]

    def open_then_replace(path: str, flags: int) -> int:
        handle = real_open(path, flags)
        if not opened:
            opened.append(path)
            other = tmp_path / "new"
            other.write_text("new")
            other.replace(file)
        return handle

    monkeypatch.setattr(os, "open", open_then_replace)

    assert read_bytes(file) == b"new"


# --- folders of the system -------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["/proc", "/proc/self/fd", "/dev", "/sys/kernel", "link"])
@pytest.mark.parametrize(
    "command",
    [["check"], ["compile"], ["compile", "--lang", "puppet"], ["compile", "--env"], ["blame"],
     ["lookup", "k", "--env"], ["compile", "a.pp", "--modulepath"]],
)  # fmt: skip
def test_folders_of_the_system_are_not_searched(
    command: list[str], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("/proc/self")
    (tmp_path / "a.pp").write_text("include m\n")
    done = headwater(*command, folder)

    assert done.exit_code in (1, 2), done.output
    assert isinstance(done.exception, SystemExit)


def test_a_policy_brings_its_signatures_into_a_confined_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {
        "a.opal": "skip\n", "p.toml": "format_version = 1\n", "p.toml.sig": '{"signatures": {}}',
    })  # fmt: skip
    done = headwater(
        "run", "a.opal", "--store", "s.db", "--as", "ann", "--policy", "p.toml", "--confined"
    )

    assert done.exit_code == 0, done.output
