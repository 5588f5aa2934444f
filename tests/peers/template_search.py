"""Sets of variables that make each condition of a template go both ways, found by rendering here.

Rendering here is quick, so many sets are tried: drawn ones first, then changes of those that showed
something new.  Only what showed something is put to real Puppet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headwater.langs.puppet.ruby import evaluate
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.values import RubyValue
from peers.catalogs import ours
from peers.debian import MODULES
from peers.template_shapes import Place, Template
from peers.template_values import Given, Job, aimed, changed, drawn, job

_FEW = 3
"""When so few ways are left, places are also changed one by one."""

Way = tuple[Place, bool]
"""A condition, and what it gave."""


class Watched(s.Node, frozen=True):
    """The body of a ``when``: it ran, and those before it were asked in vain."""

    body: s.Expr
    here: Place | None
    before: list[Place]


class Conditions:
    """The conditions that ran, and which ways they went."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ways: set[tuple[str, Place, bool]] = set()
        self._case = evaluate.MAKERS[s.Case]
        makers: dict[type, Any] = {s.If: self._if, s.Case: self._cases, Watched: self._body}
        monkeypatch.setattr(evaluate, "MAKERS", {**evaluate.MAKERS, **makers})

    def _if(self, cx: Context, node: s.If) -> Run:
        condition = cx.make(node.condition)
        then, otherwise = cx.make(node.then), cx.make(node.otherwise)
        file, place = _file(cx), (node.condition.at, node.condition.end)

        def watched(fr: Frame) -> RubyValue:
            value = condition(fr)
            holds = value is not None and value is not False
            self.ways.add((file, place, holds))
            return then(fr) if holds else otherwise(fr)

        return watched

    def _cases(self, cx: Context, node: s.Case) -> Run:
        before: list[Place] = []
        whens = []
        for when in node.whens:
            place = (when.at, when.end)
            body = Watched(body=when.body, here=place, before=[*before], at=when.at, end=when.end)
            whens.append(s.When(patterns=when.patterns, body=body, at=when.at, end=when.end))  # type: ignore[arg-type]
            before.append(place)
        otherwise = Watched(
            body=node.otherwise, here=None, before=before,
            at=node.otherwise.at, end=node.otherwise.end,
        )  # fmt: skip
        watched = s.Case(
            subject=node.subject, whens=whens, otherwise=otherwise,  # type: ignore[arg-type]
            at=node.at, end=node.end,
        )  # fmt: skip
        return self._case(cx, watched)

    def _body(self, cx: Context, node: Watched) -> Run:
        body, file = cx.make(node.body), _file(cx)
        ways = {(file, place, False) for place in node.before}
        ways |= {(file, node.here, True)} if node.here else set()

        def watched(fr: Frame) -> RubyValue:
            self.ways.update(ways)
            return body(fr)

        return watched


def _file(cx: Context) -> str:
    return str(Path(cx.file).resolve())


@dataclass(frozen=True)
class Trial:
    """A set of variables, what came of it here, and which ways conditions went."""

    job: Job
    answer: dict[str, Any]
    ways: frozenset[tuple[str, Place, bool]]


class Search:
    """The sets of variables for one template."""

    def __init__(self, template: Template, conditions: Conditions, links: Path) -> None:
        self.template = template
        self.modulepath = [str(MODULES), *([str(links)] if template.is_linked else [])]
        self._conditions = conditions
        self._whole = template.whole()
        self._file = str(template.path.resolve())
        self._wanted = {(place, way) for place in template.conditions for way in (True, False)}
        self._rendered: dict[Way, list[Given]] = {}
        """The sets of variables that showed a way and gave a text."""
        self._refused: dict[Way, Given] = {}
        self._random = Random(template.name)

    def trials(self, most: int, patience: int, least: int) -> Iterator[Trial]:
        """The sets that show something new, and some that render and some that do not."""
        rendered = refused = last = 0
        for number in range(most):
            enough = rendered >= least or number > 4 * patience
            if enough and (not self.left() or number - last > patience):
                return
            given = self._next(number)
            trial = self._tried(given)
            ok = trial.answer["ok"]
            if new := self._shows(trial, given):
                last = number
            rendered += ok
            refused += not ok
            if new or (rendered if ok else refused) <= least:
                yield trial

    def left(self) -> list[Way]:
        """The ways that no rendered text has shown."""
        return sorted(self._wanted - self._rendered.keys())

    def _shows(self, trial: Trial, given: Given) -> bool:
        """Whether a trial shows a way that none did before."""
        ways = dict.fromkeys(
            (place, way) for file, place, way in sorted(trial.ways) if file == self._file
        )
        if trial.answer["ok"]:
            new = ways.keys() - self._rendered.keys()
            for way in ways:
                self._rendered.setdefault(way, []).append(given)
        else:
            new = ways.keys() - self._rendered.keys() - self._refused.keys()
            self._refused |= dict.fromkeys(new, given)
        return bool(new)

    def _next(self, number: int) -> Given:
        random = self._random
        left = self.left()
        if number < 8 or not left:
            return drawn(self._whole, random, 0.12 if number < 4 else 0.0)
        if not self._rendered:
            return drawn(self._whole, random, 0.0, keep=random.choice([0.2, 0.5, 1.0]))
        if number % 8 == 0:
            return drawn(self._whole, random, 0.0, keep=random.choice([0.5, 1.0]))
        place, way = random.choice(left)
        condition = self.template.conditions[place]
        near = self._near((place, not way)) or (condition.inside and self._near(condition.inside))
        given = random.choice(near or random.choice(list(self._rendered.values())))
        if random.random() < 0.15:
            return changed(self._whole, given, random)
        alone = len(left) <= _FEW and random.random() < 0.5
        return aimed(self._whole, given, condition, random, alone=alone)

    def _near(self, way: Way) -> list[Given]:
        """The sets of variables to begin with where a condition should go another way."""
        found = self._rendered.get(way) or []
        return found or ([self._refused[way]] if way in self._refused else [])

    def _tried(self, given: Given) -> Trial:
        made = job(self._whole, given)
        self._conditions.ways = set()
        answer = ours(made.code, modulepath=":".join(self.modulepath), facts=made.facts)
        return Trial(made, answer, frozenset(self._conditions.ways))
