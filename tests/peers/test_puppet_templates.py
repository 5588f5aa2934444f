"""Every template in ERB of the installed modules, rendered by us and by real Puppet.

Each is rendered with at least five sets of variables (`peers.templates`), and with more until
every condition in it has been seen both ways, or nothing new is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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
from peers.debian import MODULES
from peers.puppet import ABSENT, installed
from peers.templates import Template, manifest, templates

LEAST, MOST = 5, 12
BEYOND = "puppet-ruby-beyond"


class Conditions:
    """The conditions that ran, and which ways they went."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: set[tuple[str, int, bool]] = set()
        monkeypatch.setattr(evaluate, "MAKERS", {**evaluate.MAKERS, s.If: self._watched})

    def _watched(self, cx: Context, node: s.If) -> Run:
        condition = cx.make(node.condition)
        then, otherwise = cx.make(node.then), cx.make(node.otherwise)

        def watched(fr: Frame) -> RubyValue:
            value = condition(fr)
            holds = value is not None and value is not False
            self.seen.add((cx.file, node.at, holds))
            return then(fr) if holds else otherwise(fr)

        return watched


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
    oracle, conditions = Oracle(), Conditions(monkeypatch)
    tally: Counter[str] = Counter()
    differences = []
    for template in sample():
        last = -1
        for number in range(MOST):
            if number >= LEAST and len(conditions.seen) == last:
                break
            last = len(conditions.seen)
            code = manifest(template, Random(f"{template.name} {number}"))
            mine = ours(code, modulepath=str(MODULES))
            if not mine["ok"] and mine["error"]["code"] == BEYOND:
                tally["beyond"] += 1
                continue
            real = oracle.ask(code=code, modulepath=[str(MODULES)])
            if real["ok"] and mine["ok"] and text(real) == text(mine):
                tally["equal"] += 1
            elif not real["ok"] and not mine["ok"]:
                tally["both refused"] += 1
            else:
                differences.append((template.name, number, code, mine.get("error")))
    oracle.process.kill()
    for kind, count in tally.items():
        record_property(kind, count)

    assert differences == []
    assert tally["equal"] > tally["beyond"]
