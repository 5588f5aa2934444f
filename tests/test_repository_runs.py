"""A check on all processors, one that is interrupted, one whose worker dies."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from checked_control import checked, told
from headwater.ask.request import Request
from headwater.fleet.check import NodeResult, check_site
from headwater.fleet.rules import Rule
from headwater.fleet.site import Site, find_site
from headwater.fleet.workers import Pool
from test_repository import control
from test_start import swing

__all__ = ["control"]


def test_all_processors_give_the_same_answer(control: Path) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for number in range(2, 8):
        (control / f"facts/web{number}.example.com.json").write_text(facts)
    base = control / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    site = find_site()
    assert site is not None
    one = check_site(site, (), Request(), processes=1)
    two = check_site(site, (), Request(), processes=2)

    assert told(one) == told(two)
    assert one.nodes == two.nodes
    assert len(two.nodes) == 9


@pytest.mark.skipif(
    platform.python_implementation() != "CPython", reason="no chunks of frames to make room in"
)
def test_workers_have_room_for_their_calls() -> None:
    pool = Pool(lambda _: str(swing()).encode(), 2)
    pages = [int(answer) for _, answer in pool.over([str(number) for number in range(12)])]
    pool.close()

    assert len(pages) == 12
    assert max(pages[1:]) < 300 < pages[0]  # the first is done here, where nobody made room


def _both_work(parent: int) -> bool:
    """Whether a check on two processors is in the midst of it."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    ticks = [Path(f"/proc/{child}/stat").read_text().rsplit(")")[-1].split() for child in children]
    return len(ticks) == 2 and all(int(one[11]) >= 40 for one in ticks)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_what_was_not_done(number: int, control: Path) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for count in range(2, 10):
        (control / f"facts/web{count}.example.com.json").write_text(facts)
    (control / "manifests/site.pp").write_text(
        "if $trusted['hostname'] in ['web3', 'web4', 'web5', 'web6', 'web7', 'web8', 'web9'] {\n"
        "  Integer[1, 99999].each |$x| { Integer[1, 99999].each |$y| { $z = $x } }\n}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "headwater", "check", "--processes", "2", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not _both_work(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 1
    document = json.loads(out)
    assert document["stopped"] == "interrupted"
    assert "web9.example.com" in document["not_done"]
    assert "not checked: " in err
    assert "Traceback" not in err


def test_a_worker_that_dies_leaves_a_note(control: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = (control / "facts/web1.example.com.json").read_text()
    for count in range(2, 7):
        (control / f"facts/web{count}.example.com.json").write_text(facts)
    from headwater.fleet import check as module

    real = module._checked

    def dying(site: Site, name: str, request: Request, rules: Sequence[Rule]) -> NodeResult:
        if name.startswith("web6"):
            os._exit(9)
        return real(site, name, request, rules)

    monkeypatch.setattr(module, "_checked", dying)
    site = find_site()
    assert site is not None
    found = check_site(site, (), Request(), processes=2)

    assert "web6.example.com" in found.not_done
    assert found.stopped == "a worker process ended unexpectedly"


def _half_written(name: str) -> bytes:
    """A worker that dies while it writes an answer, as one does for which memory is not enough."""
    if name == "7":
        frame = sys._getframe()
        while "result_queue" not in frame.f_locals:
            assert frame.f_back is not None
            frame = frame.f_back
        answers = frame.f_locals["result_queue"]
        answers._wlock.acquire()  # nobody else can write from now on
        os.write(answers._writer.fileno(), (1_000_000).to_bytes(4, "big") + b"half")
        os._exit(9)
    return name.encode()


@pytest.mark.parametrize("whole", [True, False])
def test_a_worker_that_dies_while_it_writes_ends_the_run(*, whole: bool) -> None:
    pool = Pool(_half_written, 2)
    taken: list[str] = []

    def take() -> None:
        for name, _ in pool.over([str(number) for number in range(40)]):
            taken.append(name)
            if not whole and len(taken) == 3:
                time.sleep(1)
                break
        pool.close(wait=False)

    running = threading.Thread(target=take, daemon=True)
    running.start()
    running.join(timeout=60)

    assert not running.is_alive()
    assert "7" not in taken


@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.1])
def test_an_interrupt_while_the_program_loads_shows_no_traceback(seconds: float) -> None:
    code = (
        "import os, signal, sys, threading, time\n"
        "from headwater.cli import start\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['headwater', 'nodes', '--help']\n"
        "start._program = lambda: time.sleep(30)\n"
        f"threading.Timer({seconds}, os.kill, [os.getpid(), signal.SIGINT]).start()\n"
        "start.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Aborted!" in done.stderr


def test_a_bug_of_ours_is_one_node_s(control: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.fleet import check as module

    real = module._checked

    def failing(site: Site, name: str, request: Request, rules: Sequence[Rule]) -> NodeResult:
        if name.startswith("db1"):
            raise ZeroDivisionError("ours")
        return real(site, name, request, rules)

    monkeypatch.setattr(module, "_checked", failing)

    assert told(checked()) == [("internal-error", "db1.example.com:1", ["db1"])]
