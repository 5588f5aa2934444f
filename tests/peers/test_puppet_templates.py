"""Every template in ERB of the installed modules, rendered by us and by real Puppet.

Each is rendered with sets of variables (`peers.template_search`) until five texts are equal and
every condition in it has gone both ways in equal texts, or nothing new is found.  In `make laws`
all of them are, which writes docs/laws/puppet-templates.md.  A condition that goes one way only
has its reason in template_conditions.txt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laws.profile import examples, is_long
from peers.catalogs import Oracle
from peers.corpus import SEVEN, versions
from peers.debian import MODULES
from peers.kept import KeptOracle
from peers.puppet import ABSENT, installed
from peers.template_search import Conditions, Search, Trial
from peers.template_shapes import Place, Template, templates

PAGE = Path(__file__).resolve().parents[2] / "docs" / "laws" / "puppet-templates.md"
REASONS = Path(__file__).with_name("template_conditions.txt")
LEAST = 5
MOST, PATIENCE = examples(300, 2500), examples(60, 400)
BEYOND = "puppet-ruby-beyond"


class Comparison:
    """Templates rendered by both, and what came of it."""

    def __init__(self, conditions: Conditions, links: Path) -> None:
        self.oracle = Oracle()
        self.ask = KeptOracle(self.oracle, SEVEN.version, versions()).ask
        self.conditions = conditions
        self.tally: Counter[str] = Counter()
        self.differences: list[Any] = []
        self.few: dict[str, str] = {}
        """Templates with fewer equal texts than asked for, and why."""
        self._links = links
        self._in_texts: set[tuple[str, Place, bool]] = set()
        """The ways that conditions went in equal texts, and before errors of both."""
        self._in_errors: set[tuple[str, Place, bool]] = set()

    def compare(self, template: Template) -> None:
        """Renders a template often enough."""
        equal, why = 0, ""
        search = Search(template, self.conditions, self._links)
        for trial in search.trials(MOST, PATIENCE, LEAST):
            found, said = self._compared(search, trial)
            self.tally[found] += 1
            equal += found == "equal"
            why = said or why
        self.tally["templates"] += 1
        self.tally["conditions"] += len(template.conditions)
        if equal < LEAST:
            self.few[template.name] = f"{equal}: {why}"

    def _compared(self, search: Search, trial: Trial) -> tuple[str, str]:
        mine, template = trial.answer, search.template
        if not mine["ok"] and mine["error"]["code"] == BEYOND:
            return "beyond", mine["error"]["message"]
        job = trial.job
        real = self.ask(code=job.code, modulepath=search.modulepath, facts=job.facts)
        if real["ok"] and mine["ok"] and text(real) == text(mine):
            self._in_texts |= trial.ways
            return "equal", ""
        if not real["ok"] and not mine["ok"]:
            self._in_errors |= trial.ways
            return "both refused", real["error"]["message"].splitlines()[0]
        self.differences.append((template.name, job, mine.get("error")))
        return "different", ""

    def one_way(self, template: Template) -> Iterator[tuple[Place, bool, bool]]:
        """The conditions of a template, and the way that no text showed; whether an error did."""
        file = str(template.path.resolve())
        for place in sorted(template.conditions):
            for way in (True, False):
                if (file, place, way) not in self._in_texts:
                    yield place, way, (file, place, way) in self._in_errors


def sample() -> list[Template]:
    """All templates in the long run; some of them, always the same, in the short."""
    every = templates()
    return every if is_long() else Random(1).sample(every, min(examples(24, 24), len(every)))


def text(answer: dict[str, Any]) -> str | None:
    """What a catalog has for the template."""
    found = [r for r in answer["catalog"]["resources"] if r["title"] == "rendered"]
    message: str | None = found[0].get("parameters", {}).get("message")
    return message


def reasons() -> dict[str, str]:
    """Why a condition goes one way only, by template, line and the way that it does not go."""
    lines = [one for one in REASONS.read_text("utf-8").splitlines() if one and one[0] != "#"]
    return {where: why for where, _, why in (one.partition("  ") for one in lines)}


@pytest.fixture
def links(tmp_path: Path) -> Path:
    """A folder with modules under their own names, where Debian has another."""
    for template in templates():
        if template.is_linked and not (tmp_path / template.module).exists():
            folder = template.path.relative_to(MODULES).parts[0]
            (tmp_path / template.module).symlink_to(MODULES / folder)
    return tmp_path


@pytest.mark.peer
@pytest.mark.skipif(not installed() or not MODULES.exists(), reason=ABSENT)
def test_templates_of_modules_render_as_in_puppet(
    monkeypatch: pytest.MonkeyPatch, links: Path, record_property: Callable[[str, object], None]
) -> None:
    comparison = Comparison(Conditions(monkeypatch), links)
    chosen = sample()
    for template in chosen:
        comparison.compare(template)
    comparison.oracle.process.kill()
    tally = comparison.tally
    left = dict(one_way(comparison, chosen))
    tally["one way"] = len({where.rpartition(" ")[0] for where in left})
    for kind, count in tally.items():
        record_property(kind, count)
    if is_long():
        PAGE.write_text(page(comparison, left), encoding="utf-8")

    assert comparison.differences == []
    assert comparison.few == {}
    if is_long():
        assert left.keys() == reasons().keys()
    else:
        assert tally["one way"] <= 0.05 * tally["conditions"], left


def one_way(comparison: Comparison, chosen: list[Template]) -> Iterator[tuple[str, str]]:
    """Where a condition did not go a way, and what it says there."""
    for template in chosen:
        written = template.path.read_text("utf-8", "replace")
        for (at, end), way, in_error in comparison.one_way(template):
            line = written.count("\n", 0, at) + 1
            seen = " (only before an error of both)" if in_error else ""
            said = written[at:end].splitlines()[0]
            yield f"{template.name}:{line}:{at} {str(way).lower()}", f"`{said}`{seen}"


def page(comparison: Comparison, left: dict[str, str]) -> str:
    """What became of all templates."""
    tally, why = comparison.tally, reasons()
    both = tally["conditions"] - tally["one way"]
    lines = [
        "# Templates of Puppet modules, rendered by real Puppet too",
        "",
        "Written by `make laws` (tests/peers/test_puppet_templates.py); do not edit.",
        "",
        "Every template in ERB of the modules that Debian packages, rendered at level 7 and by",
        "Puppet 7.23. Sets of variables are looked for by rendering here, until five texts are",
        "equal and every condition (`if`, `unless`, `? :`, `when`) has gone both ways in texts",
        "that are equal to Puppet's, or nothing new is found.",
        "",
        "| | |",
        "|---|---|",
        f"| templates | {tally['templates']:,} |",
        f"| equal texts | {tally['equal']:,} |",
        f"| refused by both | {tally['both refused']:,} |",
        f"| refused here alone, by name | {tally['beyond']:,} |",
        f"| different | {len(comparison.differences):,} |",
        f"| conditions | {tally['conditions']:,} |",
        f"| … that went both ways | {both:,} |",
        f"| … that go one way only, below | {tally['one way']:,} |",
        f"| templates with fewer than {LEAST} equal texts | {len(comparison.few):,} |",
        "",
        f"## Templates with fewer than {LEAST} equal texts",
        "",
        *(f"- `{name}`, {why}" for name, why in comparison.few.items()),
        *(["none"] if not comparison.few else []),
        "",
        "## Conditions that go one way only",
        "",
        "The template, the line, the offset, and the way that it does not go.",
        "",
        *(f"- `{where}`: {said}: {why.get(where, 'not known')}" for where, said in left.items()),
    ]
    return "\n".join(lines) + "\n"
