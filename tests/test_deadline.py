"""Time limits: they end one question, and leave nothing half done behind."""

from __future__ import annotations

import gc
import json
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cases import all_cases
from headwater.ask.jobs import answer_line
from headwater.cli.main import cli
from headwater.store import Store
from headwater.text.deadline import TimedOut, beyond_recall, limited
from opal_stores import Bench, put

SLOW = "Integer[1, 100000].each |$x| { Integer[1, 100000].each |$y| { $z = $x + $y } }"


def forever() -> None:
    while True:
        time.sleep(0.001)


def answer(**job: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer_line(json.dumps(job).encode()))
    return found


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(TimedOut), limited(0.02):
        forever()


def stubborn() -> None:
    while True:
        try:
            forever()
        except Exception:  # noqa: BLE001 - the very thing that must not catch it
            continue


def careless() -> None:
    gc.disable()
    sys.setrecursionlimit(sys.getrecursionlimit() + 1000)
    forever()


def importing() -> None:
    import slowly_imported  # type: ignore[import-not-found]  # noqa: F401

    forever()


def test_a_handler_on_the_way_does_not_stop_it() -> None:
    with pytest.raises(TimedOut), limited(0.02):
        stubborn()


def test_nothing_is_left_behind() -> None:
    gc.enable()
    frames, before = sys.getrecursionlimit(), signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimedOut), limited(0.02):
        careless()

    assert gc.isenabled()
    assert sys.getrecursionlimit() == frames
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_module_that_is_being_imported_is_imported_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slowly_imported.py").write_text(
        "import time\nbegan = time.monotonic()\n"
        "while time.monotonic() - began < 0.2:\n    pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(TimedOut), limited(0.02):
        importing()

    assert sys.modules["slowly_imported"].whole


def test_what_is_committed_is_beyond_recall() -> None:
    with limited(0.02):
        beyond_recall()
        time.sleep(0.06)


def test_other_threads_are_not_limited() -> None:
    ended: list[bool] = []

    def work() -> None:
        with limited(0.01):
            time.sleep(0.03)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert ended == [True]


def test_a_job_that_takes_too_long_does_not_end_the_stream() -> None:
    slow = answer(id=1, lang="puppet", code=SLOW, filename="site.pp", timeout=0.1)
    good = answer(id=2, lang="puppet", code="notify { 'a': }")

    assert (slow["id"], slow["ok"], slow["error"]["code"]) == (1, False, "timeout")
    assert slow["error"]["file"] == "site.pp"
    assert good["ok"]


@pytest.mark.parametrize("seconds", [0, -1, True, "5", 1e300, [], 10**30])
def test_a_time_limit_is_a_number_above_0(seconds: object) -> None:
    found = answer(lang="puppet", code="notify { 'a': }", timeout=seconds)

    assert found["error"]["code"] == "bad-job"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


@pytest.mark.parametrize(
    "verb",
    [
        ["compile"],
        ["check", "--node", "x"],
        ["blame"],
        ["explain", "--format", "json"],
        ["impact"],
        ["diff"],
        ["lookup"],
    ],
    ids=lambda verb: verb[0],
)
def test_every_question_has_a_time_limit(verb: list[str], tmp_path: Path) -> None:
    file = tmp_path / "a.pp"
    file.write_text(SLOW)
    args = {
        "explain": [str(file), "Notify[a]"],
        "impact": [f"{file}:1"],
        "diff": [str(file), str(file)],
        "lookup": ["key", "--of", str(file)],
    }.get(verb[0], [str(file)])
    done = run(*verb, *args, "--timeout", "0.1", "--diagnostics", "json")

    assert done.exit_code == 1
    assert [d["code"] for d in json.loads(done.stderr)["diagnostics"]] == ["timeout"]


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9", "soon"])
def test_the_command_line_refuses_other_limits(seconds: str, tmp_path: Path) -> None:
    assert run("compile", "a.pp", "--timeout", seconds).exit_code == 2


def test_the_limit_of_the_command_line_is_the_default_of_jobs(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs"
    jobs.write_text(
        json.dumps({"id": 1, "lang": "puppet", "code": SLOW})
        + "\n"
        + json.dumps({"id": 2, "lang": "puppet", "code": "notify { 'a': }"})
    )
    done = run("compile", "--jobs", str(jobs), "--timeout", "0.2")
    first, second = map(json.loads, done.stdout.splitlines())

    assert (done.exit_code, first["error"]["code"], second["ok"]) == (0, "timeout", True)


def test_a_run_that_takes_too_long_changes_nothing(tmp_path: Path) -> None:
    file, store = tmp_path / "a.opal", tmp_path / "state.db"
    file.write_text("with n do { " + "n.x := 1; " * 30_000 + "n.x := 2 }")
    with Store.open(store, create=True):
        pass
    done = run("run", str(file), "--store", str(store), "--as", "n", "--ext", "--timeout", "0.01")

    assert done.exit_code == 1
    assert "error[timeout]" in done.stderr
    with Store.open(store) as opened:
        assert opened.head == 0


def test_a_commit_that_is_made_is_told(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with limited(3600):
        ran = bench.run(put("n", "x", "1"), "n")
        still = signal.getitimer(signal.ITIMER_REAL)[0] > 0
    bench.store.close()

    assert still
    assert ran.committed is not None


def programs() -> list[dict[str, Any]]:
    """Jobs with the texts of cases of every language."""
    found = []
    for case in all_cases()[::5]:
        for name, text in case.sections.items():
            if name.startswith("in."):
                engine = case.engines[-1]
                job = {"code": text, "filename": name, "engine": engine, "why": True}
                found.append(job | ({"dialect": d} if (d := case.headers.get("dialect")) else {}))
    return found


def test_interrupted_jobs_leave_the_caches_as_they_should_be() -> None:
    choose = random.Random(13)
    jobs = programs()
    wanted = {json.dumps(job): _without_time(answer(**job)) for job in jobs}
    for _ in range(2):
        for job in jobs:
            answer(**job, timeout=choose.uniform(0.0001, 0.02))
    for job in jobs:
        assert _without_time(answer(**job)) == wanted[json.dumps(job)]


def _without_time(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key != "ms"}
