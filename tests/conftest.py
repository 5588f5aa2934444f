"""Notes what the long run of the laws did: a page per file under ``docs/laws``."""

from __future__ import annotations

import datetime
import os
import platform
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis.internal.conjecture import providers

from laws.profile import is_long

if not is_long():
    # Hypothesis also tries constants of whatever modules are loaded, which differ from worker to
    # worker: without them the short profile is the same everywhere.
    providers._get_local_constants = lambda: providers._local_constants

os.environ.setdefault("HEADWATER_CACHE", "off")  # commands under test leave no cache behind

PAGES = Path(__file__).parents[1] / "docs" / "laws"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Adds the number of examples to the report of a law."""
    outcome: Any = yield
    settings = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
    if settings is not None:
        outcome.get_result().user_properties.append(("examples", settings.max_examples))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Writes the pages after a long run."""
    if not is_long():
        return
    pages: dict[str, list[str]] = defaultdict(list)
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            if report.when == "call" and "/laws/" in f"/{report.nodeid}":
                file, _, name = report.nodeid.partition("::")
                examples = dict(report.user_properties).get("examples", 1)
                law = name.removeprefix("test_").replace("_", " ")
                row = f"| {law} | {examples:,} | {report.duration:.0f} | {outcome} |"
                pages[Path(file).stem.removeprefix("test_")].append(row)
    when = datetime.date.today().isoformat()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    for name, rows in pages.items():
        head = [
            f"# Long run: {name.replace('_', ' ')}",
            "",
            f"`make laws` on {when}, {python}. Examples are the number Hypothesis was asked for.",
            "",
            "| law | examples | seconds | outcome |",
            "|---|---|---|---|",
        ]
        PAGES.mkdir(exist_ok=True)
        (PAGES / f"{name}.md").write_text("\n".join([*head, *sorted(rows)]) + "\n")
