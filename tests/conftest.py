"""Notes what a run has seen (`seen.py`), and what the long run of the laws did (``docs/laws``)."""

from __future__ import annotations

import datetime
import os
import platform
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis.internal.conjecture import providers

import seen
from laws.profile import is_long

seen.watch()

if not is_long():
    # Hypothesis also tries constants of whatever modules are loaded, which differ from worker to
    # worker: without them the short profile is the same everywhere.
    providers._get_local_constants = lambda: providers._local_constants

os.environ.setdefault("HEADWATER_CACHE", "off")  # commands under test leave no cache behind

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "laws"

# A headwater.toml that lies around on the machine is not meant for the tests.
os.environ["GIT_CEILING_DIRECTORIES"] = f"{tempfile.gettempdir()}:{ROOT.parent}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Adds the number of examples to the report of a law."""
    outcome: Any = yield
    if outcome.get_result().passed and outcome.get_result().when == "call":
        for mark in item.iter_markers("rule"):
            seen.saw_rules(mark.args[0], mark.args[1:])
    settings = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
    if settings is not None:
        outcome.get_result().user_properties.append(("examples", settings.max_examples))


class FromWorkers:
    """Collects what the workers have seen."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """A worker has ended."""
        seen.SEEN.update(getattr(node, "workeroutput", {}).get("seen", ()))


def pytest_configure(config: pytest.Config) -> None:
    """Whoever starts workers hears what they have seen."""
    config.pluginmanager.register(FromWorkers())


def is_whole(config: pytest.Config) -> bool:
    """Whether every test is run."""
    options = config.option
    chosen = options.keyword or options.markexpr or getattr(options, "lf", False)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not chosen


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tells what was seen; after a run of everything, fails it for what was not."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["seen"] = sorted(seen.SEEN)
        return
    listed = os.environ.get("HEADWATER_SEEN")
    if not (listed or is_whole(config)):
        return
    from headwater.langs.table import all_codes

    missing = seen.unseen(seen.SEEN, all_codes(), seen.rules_to_fire())
    if missing:
        print("\n" + "\n".join(missing))
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:  # noqa: ANN401
    """Writes the pages after a long run."""
    if not is_long():
        return
    pages: dict[str, dict[str, list[Any]]] = defaultdict(dict)
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            if report.when == "call" and "/laws/" in f"/{report.nodeid}":
                file, _, name = report.nodeid.partition("::")
                examples = dict(report.user_properties).get("examples")
                # A test of given texts is one row: the texts may be long.
                name = name if examples else name.partition("[")[0]
                law = name.removeprefix("test_").replace("_", " ")
                row = pages[Path(file).stem.removeprefix("test_")].setdefault(law, [0, 0.0, ""])
                row[0] += examples or 1
                row[1] += report.duration
                row[2] = outcome
    when = datetime.date.today().isoformat()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    for name, laws in pages.items():
        rows = [
            f"| {law} | {examples:,} | {seconds:.0f} | {outcome} |"
            for law, (examples, seconds, outcome) in sorted(laws.items())
        ]
        head = [
            f"# Long run: {name.replace('_', ' ')}",
            "",
            f"`make laws` on {when}, {python}. Examples are the number Hypothesis was asked for.",
            "",
            "| law | examples | seconds | outcome |",
            "|---|---|---|---|",
        ]
        PAGES.mkdir(exist_ok=True)
        (PAGES / f"{name}.md").write_text("\n".join([*head, *rows]) + "\n")
