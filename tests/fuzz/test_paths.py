"""Random paths through the door, and random damage to files of the cache.

``HEADWATER_FUZZ=50000`` says how many executions each part has; docs/laws/paths.md tells of long
runs.  What is right is asked of the kernel: it opens the path and says where that was.
"""

# ruff: noqa: E501 - tables of names

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.jobs import answer_line
from headwater.langs.cache import Cache
from headwater.langs.puppet.hiera.data import DataFile
from headwater.langs.puppet.syntax import parse
from headwater.langs.puppet.syntax.cache import TreeCache
from headwater.text import Source
from headwater.text.reading import Reach, Unread, files_under, look, names_in, read_bytes, within

COUNT = int(os.environ.get("HEADWATER_FUZZ", "2000"))
SECRET = "kept-from-strangers"

NAMES = [
    "in",
    "out",
    "secret",
    "open",
    "data",
    "deep",
    "l-out",
    "l-in",
    "l-up",
    "l-root",
    "l-secret",
    "l-proc",
    "l-zero",
    "l-pipe",
    "loop",
    "loop2",
    "pipe",
    "sock",
    "IN",
    "OUT",
    "Secret",
    "in ",
    " in",
    "in.",
    "%2e%2e",
    "..%2f",
    "．．",
    "‥",
    "~",
    "*",
    "{in,out}",
    "nothing",
    "secret.yaml",
    "l-secret.yaml",
    "open.yaml",
    "secret.sf",
    "l-secret.sf",
    "\u202eterces",
]
ODD = ["..", ".", "", "...", "\0", "\udcff", "x" * 300, "..\0", "\n", "é", "e\u0301"]
STARTS = ["/proc/self/root", "/proc/self/cwd", "/proc/self/fd/0", "/proc/1/environ", "/dev/fd/0",
          "/dev/stdin", "/dev/zero", "/sys/kernel", "/etc/passwd", "//proc/self/environ",
          "/proc/self/../self/environ", "/proc/thread-self/root"]  # fmt: skip


class Place:
    """A folder to be confined to, full of traps, beside one with secrets."""

    def __init__(self, folder: Path) -> None:
        self.base = folder
        self.root = folder / "in"
        for parent in ("in", "in/data", "in/deep/deep", "out", "out/data"):
            (folder / parent).mkdir(parents=True, exist_ok=True)
        for name in ("secret", "data/secret", "secret.yaml", "secret.sf"):
            text = {".yaml": f"k: {SECRET}\n", ".sf": f'a "{SECRET}";\n'}.get(
                Path(name).suffix, SECRET
            )
            (folder / "out" / name).write_text(text)
        for name in ("open", "data/open", "deep/deep/open"):
            (folder / "in" / name).write_text("for everybody")
        (folder / "in/open.yaml").write_text("k: open\n")
        for name, target in {
            "l-out": "../out", "l-in": ".", "l-up": "..", "l-root": "/", "l-secret": "../out/secret",
            "l-secret.yaml": "../out/secret.yaml", "l-secret.sf": "../out/secret.sf",
            "l-proc": "/proc/self", "l-zero": "/dev/zero", "l-pipe": "pipe", "loop": "loop2",
            "loop2": "loop", "deep/l-up": "../..", "deep/deep/l-secret": "../../../out/secret",
            "data/l-out": str(folder / "out"),
        }.items():  # fmt: skip
            (folder / "in" / name).symlink_to(target)
        os.mkfifo(folder / "in/pipe")
        os.mknod(folder / "in/sock", stat.S_IFSOCK | 0o600)

    def path(self, chance: random.Random) -> str:
        """Some path."""
        start = chance.choice(
            ["", "", "", str(self.root), str(self.base), "/", chance.choice(STARTS)]
        )
        parts = [
            chance.choice(NAMES if chance.random() < 0.65 else ODD[:3])
            for _ in range(chance.randint(0, 6))
        ]
        if chance.random() < 0.05:
            parts.insert(chance.randint(0, len(parts)), chance.choice(ODD))
        path = chance.choice(["/", "/", "/", "//", "/./"]).join(parts)
        return f"{start}/{path}" if start else path


def kernel(path: str) -> tuple[str, int] | None:
    """Where a path leads and what is there, as the kernel has it; None if it leads nowhere."""
    try:
        handle = os.open(path, os.O_PATH)
    except (OSError, ValueError, UnicodeEncodeError):
        return None
    try:
        return os.readlink(f"/proc/self/fd/{handle}"), os.fstat(handle).st_mode
    finally:
        os.close(handle)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    monkeypatch.chdir(made.root)
    return made


def tried(reading: Callable[[], Any]) -> tuple[str, Any]:
    """How a reading ends: ``read``, or the kind of its refusal; and what was read."""
    try:
        return "read", reading()
    except Unread as why:
        return why.kind, b""


def inside(where: str, root: Path) -> bool:
    return where == str(root) or where.startswith(f"{root}/")


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="only Linux tells where a file is")
def test_no_path_leads_outside(place: Place) -> None:
    chance = random.Random(1)
    seen: Counter[str] = Counter()
    with within(Reach().fenced([place.root])):
        for _ in range(COUNT):
            path = place.path(chance)
            real = kernel(path)
            here = real is not None and inside(real[0], place.root)
            plain = here and real is not None and stat.S_ISREG(real[1])
            outcome, data = tried(lambda path=path: read_bytes(path))  # type: ignore[misc]
            seen[outcome] += 1
            assert SECRET.encode() not in data, path
            assert (outcome == "read") == plain, (path, outcome, real)
            assert outcome in ("read", "outside") or real is None or here, path
            outcome, found = tried(lambda path=path: look(path))  # type: ignore[misc]
            assert not found or here, path
            assert outcome in ("read", "outside")
            outcome, listed = tried(lambda path=path: names_in(path))  # type: ignore[misc]
            assert not listed or here or not path, path
            if listed and chance.random() < 0.1:
                for file in files_under(path, lambda _: True):
                    assert inside(os.path.realpath(os.path.dirname(file)), place.root), file

    assert set(seen) == {"read", "outside", "missing", "special"}


def job(path: str, chance: random.Random) -> dict[str, Any]:
    """A job that reaches for a path in some way."""
    quoted = path.replace("\\", "\\\\").replace("'", "\\'")
    written = json.dumps(path, ensure_ascii=False)
    match chance.randrange(12):
        case 0:
            return {"lang": "puppet", "code": f"notify {{ file('{quoted}'): }}"}
        case 1:
            return {"lang": "puppet", "code": f"notify {{ epp('{quoted}'): }}"}
        case 2:
            return {"lang": "puppet", "code": f"notify {{ String(find_file('{quoted}')): }}"}
        case 3:
            return {"lang": "smartfrog", "code": f"#include {written}\nsfConfig extends {{}}"}
        case 4:
            return {"lang": "smartfrog", "dialect": "production",
                    "code": f"#include {written}\nsfConfig extends {{}}"}  # fmt: skip
        case 5:
            return {"lang": "puppet", "code": "notify { lookup('k'): }", "hiera": path}
        case 6:
            return {"lang": "puppet", "code": "", "facts_file": path}
        case 7:
            return {"lang": "puppet", "code": "include secret", "modulepath": path}
        case 8:
            return {"lang": "puppet", "env": path}
        case 9:
            return {"lang": "smartfrog", "code": '#include "secret.sf"\nsfConfig extends {}',
                    "include": [path]}  # fmt: skip
        case 10:
            return {"file": path, "lang": chance.choice(["puppet", "smartfrog", "l3", "opal"])}
        case _:
            how = chance.choice(["path", "glob", "datadir", "mapped"])
            entry = {
                "path": {"path": path},
                "glob": {"glob": path},
                "datadir": {"datadir": path, "path": "secret.yaml"},
                "mapped": {"mapped_paths": ["p", "q", "%{q}"]},
            }[how]
            data = {"version": 5, "hierarchy": [{"name": "n", **entry}]}  # type: ignore[dict-item]
            Path("fuzzed.yaml").write_text(json.dumps(data))
            code = f"$p = ['{quoted}']\nnotify {{ lookup('k'): }}"
            return {"lang": "puppet", "code": code, "hiera": "fuzzed.yaml"}


def test_no_job_gets_at_what_is_outside(place: Place) -> None:
    chance = random.Random(2)
    codes: Counter[str] = Counter()
    with within(Reach().fenced([place.root])):
        for _ in range(max(COUNT // 5, 200)):
            asked = job(place.path(chance), chance)
            if chance.random() < 0.3:
                asked["confined"] = True
            answer = answer_line(json.dumps(asked).encode())
            found = json.loads(answer)
            code = "fine" if found["ok"] else found["error"]["code"]
            codes[code] += 1
            assert SECRET not in answer.decode(), asked
            assert "root:x:" not in answer.decode(), asked
            assert code not in ("internal-error", "timeout"), (asked, found)

        inner = {"lang": "puppet", "code": f"notify {{ file('{place.root}/open'): }}"}
        assert json.loads(answer_line(json.dumps(inner).encode()))["ok"]

    assert codes["file-outside"] > 0


FLIPPER = """
import os, sys
root, out = sys.argv[1:]
link, folder = os.path.join(root, "flip"), os.path.join(root, "flip-folder")
print("ready", flush=True)
while True:
    for name, one, other in ((link, "open", out + "/secret"), (folder, "data", out + "/data")):
        for target in (one, other):
            os.symlink(target, name + ".new")
            os.replace(name + ".new", name)
"""


def test_a_link_that_is_exchanged_all_the_time_leads_nowhere_else(place: Place) -> None:
    for name in ("flip", "flip-folder"):
        (place.root / name).symlink_to("open" if name == "flip" else "data")
    process = subprocess.Popen(
        [sys.executable, "-c", FLIPPER, str(place.root), str(place.base / "out")],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    outcomes: Counter[str] = Counter()
    try:
        with within(Reach().fenced([place.root])):
            for number in range(COUNT):
                path = ("flip", "flip-folder/secret", "flip-folder/open")[number % 3]
                try:
                    data = read_bytes(path)
                    outcomes["read"] += 1
                    assert data == b"for everybody"
                except Unread as why:
                    outcomes[why.kind] += 1
    finally:
        process.kill()
        process.wait()

    assert outcomes["read"] > 0
    assert outcomes["outside"] > 0


# --- the cache -------------------------------------------------------------------------------


def damaged(entry: Path, others: list[Path], chance: random.Random) -> None:
    """Does something to an entry."""
    data = bytearray(others[0].read_bytes())
    if entry.is_file() and not entry.is_symlink():
        data = bytearray(entry.read_bytes()) or data
    if entry.is_dir():
        entry.rmdir()
    else:
        entry.unlink(missing_ok=True)
    match chance.randrange(12):
        case 0:
            for _ in range(chance.randint(1, 4)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 1:
            del data[chance.randrange(len(data)) :]
        case 2:
            data += chance.randbytes(chance.randint(1, 50))
        case 3:
            data = bytearray(chance.choice(others).read_bytes())
        case 4:
            at = chance.randrange(len(data))
            data[at:at] = chance.randbytes(3)
        case 5:
            other = chance.choice(others).read_bytes()
            data = bytearray(other[: len(other) // 2] + bytes(data[len(data) // 2 :]))
        case 6:
            entry.symlink_to(chance.choice(others))
            return
        case 7:
            os.link(chance.choice(others), entry)
            return
        case 8:
            entry.mkdir()
            return
        case 9:
            os.mkfifo(entry, 0o600)
            return
        case 10:
            entry.write_bytes(data)
            entry.chmod(chance.choice([0o622, 0o666, 0o777, 0o660]))
            return
        case _:
            data = bytearray()
    entry.write_bytes(data)
    entry.chmod(0o600)


def test_no_damage_to_the_cache_changes_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "c"))
    cache = TreeCache(Cache(tmp_path / "c"))
    programs = [
        parse(Source("a.pp", f"notify {{ 'n{n}': message => {n} }}")).program for n in range(6)
    ]
    texts = [Source("d.yaml", f"k: {n}\nl: [{n}]\n") for n in range(6)]
    whole = tmp_path / "whole"
    for program in programs:
        cache.store(program)
    for text in texts:
        DataFile("d.yaml", text, "yaml_data")
    shutil.copytree(tmp_path / "c", whole)
    good = sorted(path for path in whole.rglob("*") if path.is_file())
    assert len(good) == 12
    outcomes: Counter[str] = Counter()
    for _ in range(COUNT):
        entry = tmp_path / "c" / chance.choice(good).relative_to(whole)
        damaged(entry, good, chance)
        for program in programs:
            loaded = cache.load(program.source)
            outcomes["kept" if loaded is not None else "refused"] += 1
            assert loaded is None or loaded == program
        number = chance.randrange(6)
        data = DataFile("d.yaml", texts[number], "yaml_data").data
        assert (data["k"], data["l"]) == (number, [number])
        if chance.random() < 0.5:
            if entry.is_dir():
                entry.rmdir()
            elif entry.is_symlink() or entry.exists():
                entry.unlink()
            entry.parent.mkdir(exist_ok=True)
            shutil.copy(whole / entry.relative_to(tmp_path / "c"), entry)
            entry.chmod(0o600)
    for program in programs:
        if Path(cache.path(program.source)).is_dir():
            continue
        assert cache.store(program)
        assert cache.load(program.source) == program

    assert outcomes["kept"] > 0
    assert outcomes["refused"] > 0
