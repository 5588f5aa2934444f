"""Statements (A.3.4.1 to A.3.4.6 and A.3.4.11).

ExprStep, Expr; SeqStep, SeqSkip; AssignStep, Assign; IfStep, IfT, IfF; UnlessStep, UnlessT,
UnlessF; CaseStep1, CaseStep2, CaseMatch, CaseNoMatch, CaseDone (of the where-chapter also
CaseDefault); ScopeStep, DefScopeStep, ScopeDone, DefScopeDone.

Chapter 5 adds the outer annotation: ``s^{+β}`` is `Under`, its rules Statement,
AssignStepPlus and AssignPlus.  D+ notes what the branches not taken could have done.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.effects import Effects, effects
from headwater.langs.puppet.paper.judgement import (
    EXPRESSIONS,
    STATEMENTS,
    StmtStep,
    is_value,
    step_expr,
    step_stmt,
)
from headwater.langs.puppet.paper.natives import PRESET, RELATIONSHIPS
from headwater.langs.puppet.paper.provenance import ERASED, Beta, Masked
from headwater.langs.puppet.paper.state import Here, State, Stuck
from headwater.langs.puppet.paper.structures import case_match
from headwater.langs.puppet.paper.values import plain, plus, show, truth, whole
from headwater.text import Span


def step_expression(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """ExprStep and Expr: an expression as a statement; its value is ignored."""
    if isinstance(s, t.VALUES):
        return StmtStep("Expr", state, t.SKIP)
    step = step_expr(state, s, here)  # type: ignore[arg-type]
    return step if isinstance(step, Stuck) else StmtStep.of(step, state, step.term, "ExprStep")


def step_seq(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """SeqStep and SeqSkip"""
    assert isinstance(s, t.Seq)
    if s.first is t.SKIP:
        return StmtStep("SeqSkip", state, s.second)
    step = step_stmt(state, s.first, here)
    return step if isinstance(step, Stuck) else step.within("SeqStep", t.Seq(step.term, s.second))


def step_assign(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """AssignStep and Assign; with an outer annotation AssignStepPlus and AssignPlus"""
    assert isinstance(s, t.Assign)
    if not isinstance(s.value, t.VALUES):
        step = step_expr(state, s.value, here)
        if isinstance(step, Stuck):
            return step
        return StmtStep.of(step, state, t.Assign(s.name, step.term, s.at, s.masks), "AssignStep")
    if (here.scope, s.name) in state.sigma:
        return Stuck(codes.REASSIGNED, s.at, {"name": s.name})
    if here.scope is t.TOP and s.name in PRESET:
        return Stuck(BEYOND_PAPER, s.at, {"what": f"an assignment to the preset ${s.name}"})
    inside = here.world.like_puppet and isinstance(here.scope, t.ClassScope | t.DefScope)
    if inside and s.name in RELATIONSHIPS:
        return Stuck(BEYOND_PAPER, s.at, {"what": f"an assignment to the metaparameter {s.name}"})
    value = plus(s.value, here.epc)
    if isinstance(s.masks, t.Atom) and value.why is not ERASED:
        lost = Masked(plain(s.masks), s.masks.why, "default", whole(value).depends)
        value = replace(value, why=value.why.over((lost,)))
    return StmtStep("Assign", state.bind(here.scope, s.name, value), t.SKIP, (), s.at)


def under(s: t.Stmt, beta: Beta, here: Here) -> t.Stmt:
    """``s^{+β}``"""
    if s is t.SKIP or not beta:
        return s
    return t.Under(s, beta, beta if here.world.repaired else frozenset())


def untaken(state: State, s: t.Stmt, beta: Beta, here: Here) -> State:
    """D+: notes what a branch would have done that was not taken because of β."""
    if s is t.SKIP or not beta or not here.world.repaired:
        return state
    return replace(state, notes=state.notes.untaken(effects_of(s, here), beta, here.scope))


def effects_of(s: t.Stmt, here: Here) -> Effects:
    """The static effects of a statement, computed once per evaluation."""
    known = here.world.effects_of.get(id(s))
    if known is None:
        known = here.world.effects_of[id(s)] = effects(s, here.world.manifest)
    return known


def condition(value: t.Value, at: Span, here: Here) -> bool | Stuck:
    """Whether a condition holds."""
    held = truth(value, like_puppet=here.world.like_puppet)
    return Stuck(codes.NOT_BOOLEAN, at, {"value": show(value)}) if held is None else held


def step_if(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """IfStep, IfT, IfF"""
    assert isinstance(s, t.If)
    if not isinstance(s.test, t.VALUES):
        step = step_expr(state, s.test, here)
        if isinstance(step, Stuck):
            return step
        return StmtStep.of(step, state, t.If(step.term, s.then, s.otherwise, s.at), "IfStep")
    held = condition(s.test, s.at, here)
    if isinstance(held, Stuck):
        return held
    beta = whole(s.test).depends
    taken, other = (s.then, s.otherwise) if held else (s.otherwise, s.then)
    after = untaken(state, other, beta, here)
    return StmtStep("IfT" if held else "IfF", after, under(taken, beta, here), (), s.at)


def step_unless(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """UnlessStep, UnlessT, UnlessF"""
    assert isinstance(s, t.Unless)
    if not isinstance(s.test, t.VALUES):
        step = step_expr(state, s.test, here)
        if isinstance(step, Stuck):
            return step
        return StmtStep.of(step, state, t.Unless(step.term, s.body, s.at), "UnlessStep")
    held = condition(s.test, s.at, here)
    if isinstance(held, Stuck):
        return held
    beta = whole(s.test).depends
    if held:
        return StmtStep("UnlessT", untaken(state, s.body, beta, here), t.SKIP, (), s.at)
    return StmtStep("UnlessF", state, under(s.body, beta, here), (), s.at)


def step_case(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """CaseStep1, CaseStep2, CaseMatch, CaseNoMatch, CaseDone, CaseDefault"""
    assert isinstance(s, t.Case)
    if not isinstance(s.control, t.VALUES):
        step = step_expr(state, s.control, here)
        if isinstance(step, Stuck):
            return step
        return StmtStep.of(step, state, t.Case(step.term, s.options, s.at), "CaseStep1")
    if not s.options:
        return StmtStep("CaseDone", state, t.SKIP, (), s.at)
    (case, body), rest = s.options[0], s.options[1:]
    control = whole(s.control).depends
    if isinstance(case, t.Default):
        beta = control | case.why.depends
        for _, other in rest:
            state = untaken(state, other, beta, here)
        return StmtStep("CaseMatch", state, under(body, beta, here), ("CaseDefault",), s.at)
    if not isinstance(case, t.VALUES):
        step = step_expr(state, case, here)
        if isinstance(step, Stuck):
            return step
        options = ((step.term, body), *rest)
        return StmtStep.of(step, state, t.Case(s.control, options, s.at), "CaseStep2")
    beta = control | whole(case).depends
    if case_match(s.control, case, here):
        for _, other in rest:
            if other is not body:
                state = untaken(state, other, beta, here)
        return StmtStep("CaseMatch", state, under(body, beta, here), (), s.at)
    # ``(case v {C})^{+(β∪β1)}``: the labels stay with the control, so every later branch has them.
    after = untaken(state, body, beta, here)
    return StmtStep("CaseNoMatch", after, t.Case(plus(s.control, beta), rest, s.at), (), s.at)


PLUS = frozenset(
    ["AssignStep", "Assign", "CDecStep", "CDecU", "CDecPU", "CDecPD", "DefStep", "Def"]
)
"""Rules that chapter 5 states again for ``s^{+β}``: AssignStepPlus, AssignPlus, CDecStepPlus,
CDecUPlus, CDecPUPlus, CDecPDPlus, DefStepPlus, DefPlus."""


def step_under(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """Statement: ``s^{+β}`` steps as s does, and what follows is under β too."""
    assert isinstance(s, t.Under)
    inner = Here(here.scope, here.world, here.epc | s.epc, here.tpc | s.tpc, here.path)
    step = step_stmt(state, s.body, inner)
    if isinstance(step, Stuck):
        return step
    names = ("Statement", *(f"{rule}Plus" for rule in (step.rule, *step.via) if rule in PLUS))
    term = t.SKIP if step.term is t.SKIP else t.Under(step.term, s.epc, s.tpc)
    return StmtStep(step.rule, step.state, term, (*step.via, *names), step.at)


def step_scoped(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """ScopeStep, DefScopeStep, ScopeDone, DefScopeDone"""
    assert isinstance(s, t.Scoped)
    of_define = isinstance(s.scope, t.DefScope)
    if s.body is t.SKIP:
        if of_define:
            return StmtStep("DefScopeDone", state.clear(s.scope), t.SKIP)
        return StmtStep("ScopeDone", state, t.SKIP)
    step = step_stmt(state, s.body, Here(s.scope, here.world, s.epc, s.tpc, s.path))
    if isinstance(step, Stuck):
        return step
    term = t.Scoped(s.scope, step.term, s.epc, s.tpc, s.path)
    return step.within("DefScopeStep" if of_define else "ScopeStep", term)


def is_done(s: t.Stmt) -> bool:
    """Whether nothing is left to do."""
    return s is t.SKIP


for kind in (*t.VALUES, *EXPRESSIONS):
    STATEMENTS[kind] = step_expression
STATEMENTS[t.Seq] = step_seq
STATEMENTS[t.Assign] = step_assign
STATEMENTS[t.If] = step_if
STATEMENTS[t.Unless] = step_unless
STATEMENTS[t.Case] = step_case
STATEMENTS[t.Under] = step_under
STATEMENTS[t.Scoped] = step_scoped

__all__ = ["is_done", "is_value", "under", "untaken"]
