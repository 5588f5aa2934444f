"""The door through which files are read: regular files within a bound, and nothing else."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from headwater.cli.main import cli
from headwater.text.reading import MOST_BYTES


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
