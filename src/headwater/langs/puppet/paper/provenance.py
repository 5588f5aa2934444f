"""Annotations: what a value of the calculus carries besides itself.

A `Why` holds the thesis's three annotations side by side (chapters 4 and 5):

``where``       the label the value was copied from, or None (the thesis's ⊥)
``expression``  a formula over labels
``depends``     β, a set of labels

Labels are numbers, given out by `Labels` when the manifest is read.  Beside labels a β
may hold the *name* of a class: the symbol E_a, "class a is declared", which stands for the
smallest of its witnesses and is replaced when the evaluation is over (`witness.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from headwater.text import Span
from headwater.why import Kind, Label, Reason

Beta: TypeAlias = frozenset[int | str]
NONE: Beta = frozenset()


@dataclass(frozen=True, slots=True)
class Applied:
    """``op(args)``: a step of a computation."""

    op: str
    args: tuple[Formula, ...]


Formula: TypeAlias = int | Applied


@dataclass(frozen=True, slots=True)
class Masked:
    """A value that lost: what it was, its own annotation, why it lost and to what."""

    value: Any
    why: Why
    reason: Reason
    by: Beta


@dataclass(frozen=True, slots=True)
class Why:
    """The annotations of one value."""

    where: int | None
    expression: Formula
    depends: Beta
    masked: tuple[Masked, ...] = ()
    path: tuple[Span, ...] = field(default=(), compare=False)

    def plus(self, beta: Beta) -> Why:
        """``(v^β1)^{+β2}``: more labels, the same origin (Figure 5.4)."""
        if beta <= self.depends:
            return self
        return Why(self.where, self.expression, self.depends | beta, self.masked, self.path)

    def over(self, masked: tuple[Masked, ...]) -> Why:
        """The same, having won over others."""
        if not masked:
            return self
        return Why(self.where, self.expression, self.depends, self.masked + masked, self.path)


ERASED = Why(None, Applied("erased", ()), NONE)
"""The annotation of every value when nothing is recorded."""


def operation(op: str, *parts: Why) -> Why:
    """The annotation of a computed value: ⊥, the formula, and the union of the sets."""
    if parts and parts[0] is ERASED:
        return ERASED
    formula = Applied(op, tuple(part.expression for part in parts))
    return Why(None, formula, NONE.union(*(part.depends for part in parts)))


def put_together(at: Why, of: Why) -> Why:
    """The annotation of a text with insertions: made of others where it is written."""
    if of is ERASED:
        return ERASED
    return Why(at.where, of.expression, at.depends | of.depends, of.masked, of.path)


def computed(op: str) -> Why:
    """The annotation of a value that is made of nothing that was written."""
    return Why(None, Applied(op, ()), NONE)


class Labels:
    """The inputs of a manifest, numbered as they are read."""

    def __init__(self, *, erase: bool = False) -> None:
        self.all: list[Label] = []
        self.erase = erase

    def new(self, kind: Kind, at: Span, text: str | None = None) -> int:
        """The number of an input that stands there."""
        self.all.append(Label(kind, at, at.text if text is None else text))
        return len(self.all) - 1

    def literal(self, kind: Kind, at: Span, text: str | None = None) -> Why:
        """The annotation of a value that is written there: ``v^l``."""
        if self.erase:
            return ERASED
        label = self.new(kind, at, text)
        return Why(label, label, frozenset((label,)))
