"""The judgements: σ, κ, v_C, e →α e′ and σ, κ, v_C, s →α σ′, κ′, v_C′, s′.

Each family of rules is a module; it says for which terms its rules are.  A rule that
rests on a step of a part names the rules of that step too (`via`), so a derivation shows
in one line: the rule that did something first, then those that led to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.state import Here, State, Stuck
from headwater.text import NOWHERE, Span


# Steps live for an instant and there are several per step: not frozen, they are made three
# times as fast, which halves the time of the laws.
@dataclass(slots=True)
class ExprStep:
    """e′, and the rules that led there."""

    rule: str
    term: t.Expr
    via: tuple[str, ...] = ()
    at: Span = NOWHERE

    def within(self, rule: str, term: t.Expr) -> ExprStep:
        """The step of a whole of which a part took this step."""
        return ExprStep(self.rule, term, (*self.via, rule), self.at)


@dataclass(slots=True)
class StmtStep:
    """σ′, κ′, v_C′ and s′, and the rules that led there."""

    rule: str
    state: State
    term: t.Stmt
    via: tuple[str, ...] = ()
    at: Span = NOWHERE

    def within(self, rule: str, term: t.Stmt) -> StmtStep:
        """The step of a whole of which a part took this step."""
        return StmtStep(self.rule, self.state, term, (*self.via, rule), self.at)

    @classmethod
    def of(cls, step: ExprStep, state: State, term: t.Stmt, *rules: str) -> StmtStep:
        """The step of a statement of which an expression took this step."""
        return cls(step.rule, state, term, (*step.via, *rules), step.at)


ExprRule: TypeAlias = Callable[[State, "t.Expr", Here], "ExprStep | Stuck"]
StmtRule: TypeAlias = Callable[[State, "t.Stmt", Here], "StmtStep | Stuck"]

EXPRESSIONS: dict[type, ExprRule] = {}
STATEMENTS: dict[type, StmtRule] = {}


def step_expr(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """One step of an expression that is not a value."""
    return EXPRESSIONS[type(e)](state, e, here)


def step_stmt(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """One step of a statement other than ``skip``."""
    return STATEMENTS[type(s)](state, s, here)


def is_value(e: t.Expr | t.Default) -> bool:
    """Whether an expression is a value."""
    return isinstance(e, t.VALUES)
