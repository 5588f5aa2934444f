"""Every template in ERB of the installed modules, rendered by us and by real Puppet.

Each is rendered with sets of variables (`peers.templates`) until five texts are equal and every
condition in it has been seen both ways, or nothing new is seen.  In `make laws` all of them are,
which writes docs/laws/puppet-templates.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headwater.langs.puppet.ruby import evaluate
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.values import RubyValue
from laws.profile import examples, is_long
from peers.catalogs import Oracle, ours
from peers.corpus import SEVEN, versions
from peers.debian import MODULES
from peers.kept import KeptOracle
from peers.puppet import ABSENT, installed
from peers.templates import Template, manifest, templates

PAGE = Path(__file__).resolve().parents[2] / "docs" / "laws" / "puppet-templates.md"
LEAST, STALE, MOST = 5, examples(2, 12), examples(12, 80)
CAREFUL = examples(12, 60)
"""Sets of variables that lack nothing, for templates that refuse most others."""
BEYOND = "puppet-ruby-beyond"
_RSYSLOG = MODULES / "saz-rsyslog" / "templates"
PARTS = {
    "apache/vhost/_require.erb": "another template hands it a hash with symbols for keys",
    str(_RSYSLOG / "server-default.conf.erb"): "it renders templates of a module `rsyslog`",
    str(_RSYSLOG / "server-hostname.conf.erb"): "it renders templates of a module `rsyslog`",
}
"""Templates that nothing renders alone, in Puppet either."""


class Conditions:
    """The conditions that ran, and which ways they went."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: set[tuple[str, int, bool]] = set()
        monkeypatch.setattr(evaluate, "MAKERS", {**evaluate.MAKERS, s.If: self._watched})

    def _watched(self, cx: Context, node: s.If) -> Run:
        condition = cx.make(node.condition)
        then, otherwise = cx.make(node.then), cx.make(node.otherwise)
        file = str(Path(cx.file).resolve())

        def watched(fr: Frame) -> RubyValue:
            value = condition(fr)
            holds = value is not None and value is not False
            self.seen.add((file, node.at, holds))
            return then(fr) if holds else otherwise(fr)

        return watched

    def both_ways(self, template: Template) -> int:
        """How many conditions of a template went both ways."""
        file = str(template.path.resolve())
        return sum(
            (file, at, True) in self.seen and (file, at, False) in self.seen
            for at in template.conditions
        )


class Comparison:
    """Templates rendered by both, and what came of it."""

    def __init__(self, conditions: Conditions) -> None:
        self.oracle = Oracle()
        self.ask = KeptOracle(self.oracle, SEVEN.version, versions()).ask
        self.conditions = conditions
        self.tally: Counter[str] = Counter()
        self.differences: list[Any] = []
        self.few: dict[str, str] = {}
        """Templates with fewer equal texts than asked for, and why."""

    def compare(self, template: Template) -> None:
        """Renders a template often enough, with any variables, then with such as lack nothing."""
        seen, equal, why = self.conditions.seen, 0, ""
        for first, most, patience in ((0, MOST, STALE), (MOST, MOST + CAREFUL, STALE // 3)):
            stale = 0
            for number in range(first, most):
                both = self.conditions.both_ways(template)
                settled = both == len(template.conditions) or stale >= patience
                if equal >= LEAST and settled:
                    break
                before = len(seen)
                found, said = self._rendered(template, number, self._drawn(template, number))
                self.tally[found] += 1
                equal += found == "equal"
                why = said or why
                stale = stale + 1 if len(seen) == before else 0
        self.tally["templates"] += 1
        self.tally["conditions"] += len(template.conditions)
        self.tally["both ways"] += self.conditions.both_ways(template)
        if equal < LEAST:
            self.few[template.name] = f"{equal}: {why}"

    def _drawn(self, template: Template, number: int) -> str:
        """A program that renders a template with the variables of a number."""
        random = Random(f"{template.name} {number}")
        if number >= MOST:
            return manifest(template.whole(), random, 0.0, keep=1.0)
        return manifest(template, random, 0.12 if number < LEAST else 0.03 * (number % 2))

    def _rendered(self, template: Template, number: int, code: str) -> tuple[str, str]:
        mine = ours(code, modulepath=str(MODULES))
        if not mine["ok"] and mine["error"]["code"] == BEYOND:
            return "beyond", mine["error"]["message"]
        real = self.ask(code=code, modulepath=[str(MODULES)])
        if real["ok"] and mine["ok"] and text(real) == text(mine):
            return "equal", ""
        if not real["ok"] and not mine["ok"]:
            return "both refused", real["error"]["message"].splitlines()[0]
        self.differences.append((template.name, number, code, mine.get("error")))
        return "different", ""


def sample() -> list[Template]:
    """All templates in the long run; some of them, always the same, in the short."""
    every = templates()
    return every if is_long() else Random(1).sample(every, min(examples(24, 24), len(every)))


def text(answer: dict[str, Any]) -> str | None:
    """What a catalog has for the template."""
    found = [r for r in answer["catalog"]["resources"] if r["title"] == "rendered"]
    message: str | None = found[0].get("parameters", {}).get("message")
    return message


@pytest.mark.peer
@pytest.mark.skipif(not installed() or not MODULES.exists(), reason=ABSENT)
def test_templates_of_modules_render_as_in_puppet(
    monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    comparison = Comparison(Conditions(monkeypatch))
    for template in sample():
        comparison.compare(template)
    comparison.oracle.process.kill()
    for kind, count in comparison.tally.items():
        record_property(kind, count)
    if is_long():
        PAGE.write_text(page(comparison), encoding="utf-8")

    assert comparison.differences == []
    assert set(comparison.few) <= set(PARTS), comparison.few
    assert comparison.tally["both ways"] >= 0.8 * comparison.tally["conditions"]


def page(comparison: Comparison) -> str:
    """What became of all templates."""
    tally = comparison.tally
    lines = [
        "# Templates of Puppet modules, rendered by real Puppet too",
        "",
        "Written by `make laws` (tests/peers/test_puppet_templates.py); do not edit.",
        "",
        "Every template in ERB of the modules that Debian packages, rendered at level 7 and by",
        "Puppet 7.23 with variables drawn from what it does with them, until five texts are equal",
        "and every condition in it has gone both ways, or nothing new is seen.",
        "",
        "| | |",
        "|---|---|",
        f"| templates | {tally['templates']:,} |",
        f"| equal texts | {tally['equal']:,} |",
        f"| refused by both | {tally['both refused']:,} |",
        f"| refused here alone, by name | {tally['beyond']:,} |",
        f"| different | {len(comparison.differences):,} |",
        f"| conditions | {tally['conditions']:,} |",
        f"| … that went both ways | {tally['both ways']:,} |",
        f"| templates with fewer than {LEAST} equal texts | {len(comparison.few):,} |",
        "",
        f"## Templates with fewer than {LEAST} equal texts",
        "",
        *(f"- `{name}`, {why}" for name, why in comparison.few.items()),
        *(["none"] if not comparison.few else []),
    ]
    return "\n".join(lines) + "\n"
