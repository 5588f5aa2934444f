"""From a program to its outcome: names, denotation, resolution, and the causes of every value."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.firing import fire
from headwater.langs.l3.elements import element_node
from headwater.langs.l3.findings import both_findings, clash_findings, show_key, tie_findings
from headwater.langs.l3.labels import block_label, miss_label
from headwater.langs.l3.paper.denote import Denotation
from headwater.langs.l3.paper.domains import Stuck, V
from headwater.langs.l3.paper.references import names
from headwater.langs.l3.paper.resolve import (
    Constraints,
    candidates,
    contest,
    cycle_among,
    inherited,
)
from headwater.langs.l3.syntax import DEFAULT, FINAL, Literal, Program
from headwater.langs.l3.values import BLOCK, Key, value_of
from headwater.langs.l3.verdict import (
    Both,
    Clash,
    Tie,
    Verdict,
    by_place,
    first_level,
    node_of,
    own_causes,
    union,
)
from headwater.langs.protocol import Step
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.tree import Address, Value, show_address
from headwater.why import Label, Node, Trace

MOST_CONTEST = 300
"""So many candidates, or constraints, may meet at one label where there are constraints: the
rules close relations between them."""

RULES = {
    "final": "Final",
    "default": "Default",
    "constraint": "Precedence",
    "tie": "Arbitrary choice",
}
"""The rule by which a candidate loses for a reason."""


@dataclass(slots=True)
class Answer:
    """What the reference semantics makes of a program."""

    tree: Value = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    causes: PaperCauses | None = None
    steps: list[Step] = field(default_factory=list)
    verdicts: dict[Address, Verdict] = field(default_factory=dict)


def run(program: Program, literals: dict[Label, Literal], *, strict: bool) -> Answer:
    """The whole semantics."""
    answer = Answer()
    found = names(program)
    if isinstance(found, Stuck):
        answer.diagnostics = list(found.diagnostics)
        return answer
    denotation = Denotation(found)
    answer.steps = denotation.steps
    whole = denotation.program(program)
    if isinstance(whole, Stuck):
        answer.diagnostics = list(whole.diagnostics)
        return answer
    resolution = _Resolution(denotation.steps)
    large = too_many_at(whole)
    if large is not None:
        bound = f"{MOST_CONTEST} candidates and constraints at one label"
        answer.diagnostics = [OUTPUT_TOO_LARGE.at(large, bound=bound)]
        return answer
    answer.tree = resolution.resolve(whole, {}, (), put_out=True)
    answer.verdicts = resolution.verdicts
    answer.diagnostics = [
        *clash_findings(resolution.clashes),
        *tie_findings(resolution.ties, strict=strict),
        *both_findings(resolution.both),
    ]
    if not resolution.clashes:
        answer.causes = PaperCauses(whole, resolution, literals)
    return answer


def too_many_at(whole: V) -> Span | None:
    """A literal of a label at which more meet than the rules can be applied to."""
    todo: list[tuple[V, int]] = [(whole, 0)]
    while todo:
        value, above = todo.pop()
        stated = above + len(value.C)
        if stated and value.K and max(stated, len(value.K)) > MOST_CONTEST:
            return by_place(x for origin in value.K.values() for x in origin.literals)[0].at
        todo.extend((child, stated) for child in value.M.values())
    return None


@dataclass(slots=True)
class _Resolution:
    """The verdicts of all labels, and what is to be said about them."""

    steps: list[Step]
    verdicts: dict[Address, Verdict] = field(default_factory=dict)
    shown: dict[Address, Value] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    both: list[Both] = field(default_factory=list)

    def resolve(self, value: V, above: Constraints, address: Address, *, put_out: bool) -> Value:
        """resolve(V, C↓); a value in a discarded block is resolved too, for its errors.

        The caller leaves absent values out; here they are `None` like none itself.
        """
        C = inherited(above, value)  # noqa: N806
        verdict: Verdict | None = None
        if value.K:
            K = candidates(value)  # noqa: N806
            judged = contest(K, C)
            if isinstance(judged, Verdict):
                verdict = judged
                self.step(verdict, address)
                if put_out:
                    self.note(verdict, C, address)
            else:
                self.clashes.append(Clash(address, tuple(judged)))
        else:
            fire("Absent")
        inner = verdict is not None and verdict.key == BLOCK
        below: dict[str, Value] = {}
        keys: list[tuple[str, Key]] = []
        for label in sorted(value.M):
            at = (*address, label)
            child = self.resolve(value.M[label], C, at, put_out=put_out and inner)
            if at in self.verdicts:
                below[label] = child
                keys.append((label, self.verdicts[at].key))
        if verdict is None:
            return None
        self.verdicts[address] = verdict
        self.shown[address] = first_level(keys)
        return below if inner else value_of(verdict.key)

    def step(self, verdict: Verdict, address: Address) -> None:
        """One step for each rule that made candidates lose at a label."""
        at = by_place(verdict.winners[0].literals)[0].at
        text = f"{show_address(address)} is {show_key(verdict.key)}"
        rules = {RULES[lost.reason] for lost in verdict.lost}
        if any(FINAL in candidate.tags for candidate in verdict.winners):
            rules.add("Final")
        for rule in sorted(rules):
            self.steps.append(Step(rule, text, at, len(address)))

    def note(self, verdict: Verdict, C: Constraints, address: Address) -> None:  # noqa: N803
        """What there is to warn of at a label that is put out."""
        if len({c.key for c in verdict.survivors}) > 1:
            cycle = cycle_among(verdict.survivors, C)
            self.ties.append(Tie(address, verdict.survivors, cycle))
        for candidate in verdict.candidates:
            if DEFAULT in candidate.tags and FINAL in candidate.tags:
                self.both.append(Both(address, candidate))


class PaperCauses:
    """The causes of a resolved value."""

    def __init__(self, whole: V, resolution: _Resolution, literals: dict[Label, Literal]) -> None:
        self._trace = Trace()
        self._whole = whole
        self._resolution = resolution
        self._literals = literals

    @property
    def trace(self) -> Trace:
        """The trace of the resolution."""
        return self._trace

    def _walk(self, address: Address) -> tuple[V, Node, tuple[str, ...]]:
        """The value at the longest labelled part of an address, its context, and that part.

        The context of a label: what the value came through, and for every block around it
        that it is a block, and which of its literals could have said more.
        """
        value, context = self._whole, self._through(self._whole)
        verdicts = self._resolution.verdicts
        labels: tuple[str, ...] = ()
        for label in map(str, address):
            verdict = verdicts[labels]
            if verdict.key != BLOCK:
                return value, context, labels
            labels = (*labels, label)
            if verdict.mixed:
                context = self._trace.union(context, union(self._trace, own_causes(verdict)))
            misses = [miss_label(b, label) for b in value.B if label not in b.members]
            value = value.M[label]
            context = self._trace.union(context, union(self._trace, misses), self._through(value))
        return value, context, labels

    def _through(self, value: V) -> Node:
        return union(self._trace, value.S)

    def of(self, address: Address) -> Node:
        """The node of the value at an address."""
        value, context, labels = self._walk(address)
        verdict = self._resolution.verdicts[labels]
        if len(labels) < len(address):
            whole = self.of(labels)
            indexes = address[len(labels) :]
            return element_node(self._trace, verdict, self._literals, indexes, whole)
        if verdict.key == BLOCK:
            context = self._trace.union(context, self._inside(value, labels))
        return node_of(self._trace, verdict, context, self._resolution.shown[labels])

    def _inside(self, value: V, address: Address) -> Node:
        """Everything a whole block depends on."""
        parts = [union(self._trace, [block_label(b) for b in value.B])]
        for label in value.M:
            at = (*address, label)
            parts.append(self._through(value.M[label]))
            if at in self._resolution.verdicts:
                parts.append(self.of(at))
        return self._trace.union(*parts)

    def output(self) -> Node:
        """What could change which labels there are."""
        parts: list[Node] = []
        todo: list[tuple[V, Address]] = [(self._whole, ())]
        while todo:
            value, address = todo.pop()
            parts.append(self._through(value))
            parts.append(union(self._trace, [block_label(b) for b in value.B]))
            verdict = self._resolution.verdicts.get(address)
            if verdict is None:
                continue
            if verdict.mixed:
                parts.append(union(self._trace, own_causes(verdict)))
            if verdict.key == BLOCK:
                todo.extend((child, (*address, label)) for label, child in value.M.items())
        return self._trace.union(*parts)

    def position(self, address: Address) -> None:
        """Labels are sorted: nothing decides a place."""

    def path(self, address: Address) -> tuple[Span, ...]:
        """L3 has no calls: a value's way is told by the keys and references it depends on."""
        return ()
