"""The state of section 4.1: stores σ, stacks Σ, worlds ω, and what a judgement returns.

Everything is immutable, as in the paper.  Beside the paper's values, a store keeps for
every place it does *not* bind the causes of that, and a configuration the causes of
running at all (`pc`): the dependency provenance of control.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.opal.codes import TOO_MANY_STEPS
from headwater.langs.opal.effects import Effect, Places
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.steps import MOST_STEPS
from headwater.langs.opal.syntax import Com, Handle, Place
from headwater.langs.opal.values import Heap, SexpValue
from headwater.langs.opal.writes import Binding, Expressions, Inside
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.why import NOTHING, Node, Trace


@dataclass(frozen=True, slots=True)
class Stuck:
    """No rule applies: the program has no result, and why."""

    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Store:
    """σ: places to bindings; `absent` are the causes of a place not being bound here."""

    bound: Mapping[Place, Binding] = field(default_factory=dict)
    absent: Mapping[Place, Node] = field(default_factory=dict)

    def bind(self, place: Place, binding: Binding) -> Store:
        """σ[(n, v) ↦ s]"""
        before = self.bound.get(place)
        if before is not None:
            binding = binding._replace(written=before.written)
        absent = {p: node for p, node in self.absent.items() if p != place}
        return Store({**self.bound, place: binding}, absent)

    def might_bind(self, place: Place, trace: Trace, causes: Node) -> Store:
        """The same store, which would bind the place otherwise if the causes were different."""
        if causes == NOTHING:
            return self
        old = self.bound.get(place)
        if old is None:
            node = trace.union(self.absent.get(place, NOTHING), causes)
            return Store(self.bound, {**self.absent, place: node})
        guarded = old._replace(node=trace.guard(old.node, causes))
        return Store({**self.bound, place: guarded}, self.absent)


def override(upper: Store, lower: Store, trace: Trace) -> Store:
    """σ′; σ: what the upper store binds, and otherwise the lower one."""
    for place, binding in upper.bound.items():
        lower = lower.bind(place, binding)
    for place, causes in upper.absent.items():
        lower = lower.might_bind(place, trace, causes)
    return lower


@dataclass(frozen=True, slots=True)
class Stack:
    """Σ: a store on top of others."""

    top: Store
    below: Stack | None = None

    def find(self, place: Place, trace: Trace) -> tuple[Binding | None, Node]:
        """Σ(n, v), and the causes of the stores above not binding it."""
        passed = NOTHING
        stack: Stack | None = self
        while stack is not None:
            if place in stack.top.bound:
                return stack.top.bound[place], passed
            passed = trace.union(passed, stack.top.absent.get(place, NOTHING))
            stack = stack.below
        return None, passed


def bound_in(stack: Stack | None) -> dict[Place, Binding]:
    """All that a stack binds."""
    stores: list[Store] = []
    while stack is not None:
        stores.append(stack.top)
        stack = stack.below
    whole: dict[Place, Binding] = {}
    for store in reversed(stores):
        whole |= store.bound
    return whole


@dataclass(frozen=True, slots=True)
class Tried:
    """A world: Σ_orig and σ_hyp; what it may have written; the causes of it being this one."""

    orig: Stack
    hyp: Store
    may: Places
    at: Span
    causes: Node = NOTHING
    permitted: frozenset[str] = frozenset()
    """The nodes whose permission it had: around it, or somewhere in it."""


Worlds: TypeAlias = Mapping[str, Tried]


@dataclass(frozen=True, slots=True)
class Config:
    """⟨·, Σ, ω, π, ρ, η, μ⟩; a handle stands for its entries in η and μ.

    `later` holds in handler and merge expressions, where worlds may not be read (G17).
    """

    stack: Stack
    omega: Worlds
    pi: frozenset[str]
    rho: str
    eta: Mapping[str, Handle]
    mu: Mapping[Place, Handle]
    pc: Node = NOTHING
    inside: Inside | None = None
    later: bool = False


@dataclass(frozen=True, slots=True)
class After:
    """⟨σ′, ω′⟩"""

    top: Store
    omega: Worlds


@dataclass(frozen=True, slots=True)
class Known:
    """The value of an S-expression, and how it came about."""

    value: SexpValue
    node: Node


@dataclass(frozen=True, slots=True)
class Decided:
    """The value of a Boolean, and what it depends on."""

    value: bool
    causes: Node


@dataclass(slots=True)
class Applied:
    """A rule as applied in the derivation; the text is filled in with the conclusion."""

    rule: str
    text: str
    at: Span
    depth: int


UNFINISHED = "stuck"
"""The rule of an application whose premises were not all derived."""


class Run:
    """One evaluation: its heap and trace, the steps counted, the derivation if it is wanted."""

    def __init__(self, inputs: Inputs, com: Callable[[Run, Com, Config], After | Stuck],
                 *, derive: bool) -> None:  # fmt: skip
        self.inputs = inputs
        self.com = com
        """The judgement ⇓Com, which worlds need in turn."""
        self.heap = Heap()
        self.trace = Trace()
        self.expressions = Expressions(self.trace)
        self.rules: set[str] = set()
        self.committed: set[Span] = set()
        """The hyps that were committed."""
        self.endorsed: list[str] = []
        """The nodes that have given their permission, one after the other."""
        self.effects: dict[int, Effect] = {}
        self.derive = derive
        self.derivation: list[Applied] = []
        self.depth = 0
        self.steps = 0

    def tick(self, at: Span) -> Stuck | None:
        """Counts a step; stuck when there are too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            return Stuck(TOO_MANY_STEPS.at(at, bound=MOST_STEPS))
        return None

    def begin(self, at: Span) -> int:
        """Opens the application of a rule; its premises come between this and `end`."""
        if not self.derive:
            return -1
        self.derivation.append(Applied(UNFINISHED, "no rule applies", at, self.depth))
        self.depth += 1
        return len(self.derivation) - 1

    def end(self, opened: int, rule: str, text: str) -> None:
        """Closes it: now the rule and the conclusion are known."""
        self.rules.add(rule)
        if opened >= 0:
            self.depth -= 1
            self.derivation[opened].rule = rule
            self.derivation[opened].text = text
