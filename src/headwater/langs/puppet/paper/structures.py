"""Arrays, hashes, selectors, dereference (A.3.2.5 to A.3.2.8).

ArrExp, ArrEle, ArrEleI; HExp, HEle, HEleI; SCon, SEle, SChoose, SChooseI, SDefault;
DeRefExp, DeRefIndex, DeRefArray, DeRefHash, RefRes, DeRefRes.

An element keeps its own labels; taken out, it also has those of the structure and of the
index.  A chosen branch has the labels of the control and of every case that was tried.
"""

from __future__ import annotations

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.judgement import EXPRESSIONS, ExprStep, step_expr
from headwater.langs.puppet.paper.natives import native
from headwater.langs.puppet.paper.operators import grown
from headwater.langs.puppet.paper.provenance import ERASED, Beta, computed, operation
from headwater.langs.puppet.paper.relationships import resource_named
from headwater.langs.puppet.paper.state import Here, State, Stuck
from headwater.langs.puppet.paper.values import (
    capitalised,
    equal,
    flat,
    is_large,
    plus,
    show,
    whole,
)
from headwater.text import Span


def step_array(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """ArrExp over ArrEle and ArrEleI: elements from left to right."""
    assert isinstance(e, t.Array)
    done: list[t.Value] = []
    for i, item in enumerate(e.items):
        if isinstance(item, t.VALUES):
            done.append(item)
            continue
        step = step_expr(state, item, here)
        if isinstance(step, Stuck):
            return step
        items = (*e.items[:i], step.term, *e.items[i + 1 :])
        rules = ("ArrEleI", *["ArrEle"] * bool(i), "ArrExp")
        made = finished_array(items, e)
        if isinstance(made, t.VALUES) and is_large(made):
            return grown(e.at)
        return ExprStep(step.rule, made, (*step.via, *rules), step.at)
    return ExprStep("ArrExp", t.ArrayValue(tuple(done), e.why), (), e.at)


def finished_array(items: tuple[t.Expr, ...], e: t.Array) -> t.Expr:
    """The array with these elements: a value if they all are."""
    done = tuple(item for item in items if isinstance(item, t.VALUES))
    return t.ArrayValue(done, e.why) if len(done) == len(items) else t.Array(items, e.why, e.at)


def step_hash(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """HExp over HEle and HEleI: values from left to right."""
    assert isinstance(e, t.Hash)
    done: list[tuple[t.Atom, t.Value]] = []
    for i, (key, item) in enumerate(e.entries):
        if isinstance(item, t.VALUES):
            done.append((key, item))
            continue
        step = step_expr(state, item, here)
        if isinstance(step, Stuck):
            return step
        entries = (*e.entries[:i], (key, step.term), *e.entries[i + 1 :])
        rules = ("HEleI", *["HEle"] * bool(i), "HExp")
        made = finished_hash(entries, e)
        if isinstance(made, t.VALUES) and is_large(made):
            return grown(e.at)
        return ExprStep(step.rule, made, (*step.via, *rules), step.at)
    return ExprStep("HExp", t.HashValue(tuple(done), e.why), (), e.at)


def finished_hash(entries: tuple[tuple[t.Atom, t.Expr], ...], e: t.Hash) -> t.Expr:
    """The hash with these entries: a value if they all are."""
    done = tuple((key, item) for key, item in entries if isinstance(item, t.VALUES))
    if len(done) == len(entries):
        return t.HashValue(done, e.why)
    return t.Hash(entries, e.why, e.at)


def step_selector(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """SCon, SEle, SChoose, SChooseI, SDefault"""
    assert isinstance(e, t.Selector)
    if not isinstance(e.control, t.VALUES):
        step = step_expr(state, e.control, here)
        if isinstance(step, Stuck):
            return step
        return step.within("SCon", t.Selector(step.term, e.options, e.at))
    if not e.options:
        return Stuck(codes.NO_MATCH, e.at, {"value": show(e.control)})
    (case, chosen), rest = e.options[0], e.options[1:]
    control = whole(e.control).depends
    if isinstance(case, t.Default):
        return ExprStep("SDefault", t.UnderExpr(chosen, control | case.why.depends), (), e.at)
    if not isinstance(case, t.VALUES):
        step = step_expr(state, case, here)
        if isinstance(step, Stuck):
            return step
        options = ((step.term, chosen), *rest)
        return step.within("SEle", t.Selector(e.control, options, e.at))
    beta = control | whole(case).depends
    if case_match(e.control, case, here):
        return ExprStep("SChoose", t.UnderExpr(chosen, beta), (), e.at)
    # The labels of a case that did not match stay with the control: what is chosen has them.
    return ExprStep("SChooseI", t.Selector(plus(e.control, beta), rest, e.at), (), e.at)


def case_match(value: t.Value, case: t.Value, here: Here) -> bool:
    """caseMatch(v, v1): equality.  To Puppet a reference is a type, and no value here is of it."""
    if not here.world.like_puppet:
        return equal(value, case, like_puppet=False)
    match value, case:
        case _, t.Reference():
            return False
        case t.ArrayValue(items=items), t.ArrayValue(items=cases):
            pairs = zip(items, cases, strict=False)
            return len(items) == len(cases) and all(case_match(v, c, here) for v, c in pairs)
        case _:
            return equal(value, case, like_puppet=True)


def step_dereference(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """DeRefExp, DeRefIndex, then DeRefArray, DeRefHash or DeRefRes"""
    assert isinstance(e, t.Dereference)
    if not isinstance(e.target, t.VALUES):
        step = step_expr(state, e.target, here)
        if isinstance(step, Stuck):
            return step
        return step.within("DeRefExp", t.Dereference(step.term, e.index, e.at))
    if not isinstance(e.index, t.VALUES):
        step = step_expr(state, e.index, here)
        if isinstance(step, Stuck):
            return step
        return step.within("DeRefIndex", t.Dereference(e.target, step.term, e.at))
    beta = e.target.why.depends | whole(e.index).depends
    match e.target, e.index:
        case t.ArrayValue(items=items), t.Atom(value=int(n)) if not isinstance(n, bool):
            if n < 0 and not here.world.like_puppet:
                return missing(e.target, beta, e.at, here, str(n))
            if -len(items) <= n < len(items):
                return ExprStep("DeRefArray", plus(items[n], beta), (), e.at)
            return missing(e.target, beta, e.at, here, str(n))
        case t.HashValue(entries=entries), t.Atom():
            found = [item for key, item in entries if key == e.index]
            if found:
                item = found[-1] if here.world.like_puppet else found[0]
                return ExprStep("DeRefHash", plus(item, beta), (), e.at)
            return missing(e.target, beta, e.at, here, show(e.index))
        case t.Reference(type=kind, title=title), t.Atom(value=str(name)):
            return attribute_of(state, kind, title, name, beta, e.at, here)
        case t.Atom(value=str()), _ if here.world.like_puppet:
            return Stuck(BEYOND_PAPER, e.at, {"what": "access to the characters of a string"})
        case _:
            return Stuck(codes.NOT_INDEXABLE, e.at, {"value": show(e.target)})


def missing(target: t.Value, beta: Beta, at: Span, here: Here, index: str) -> ExprStep | Stuck:
    """An index or key that is not there: Puppet gives undef, the calculus nothing."""
    if not here.world.like_puppet:
        return Stuck(codes.NO_ELEMENT, at, {"value": show(target), "index": index})
    why = ERASED if target.why is ERASED else computed("undef").plus(beta)
    return ExprStep("undef", t.Atom(None, why), (), at)


def attribute_of(
    state: State, kind: str, title: str, name: str, beta: Beta, at: Span, here: Here
) -> ExprStep | Stuck:
    """DeRefRes: lookup_C(v_C, t, w, k)"""
    shown = f"{capitalised(kind)}[{title}]"
    resource = state.catalog.get((kind, title))
    if resource is None and here.world.like_puppet:
        resource = resource_named(state, kind, title)
    if resource is None:
        if kind in here.world.manifest.defines or kind == "class":
            return Stuck(BEYOND_PAPER, at, {"what": f"an attribute of {shown}"})
        return Stuck(codes.NO_RESOURCE, at, {"resource": shown})
    beta = beta | resource.exists
    for attribute, value in resource.attributes:
        if attribute == name:
            return ExprStep("DeRefRes", plus(value, beta), (), at)
    known = native(kind)
    if here.world.like_puppet and known is not None and name in known.attributes:
        why = ERASED if resource.title.why is ERASED else computed("undef").plus(beta)
        return ExprStep("undef", t.Atom(None, why), (), at)
    return Stuck(codes.NO_ATTRIBUTE, at, {"resource": shown, "name": name})


def step_reference(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """RefRes: ``t[e]``"""
    assert isinstance(e, t.ReferenceTo)
    if not isinstance(e.title, t.VALUES):
        step = step_expr(state, e.title, here)
        if isinstance(step, Stuck):
            return step
        return step.within("RefRes", t.ReferenceTo(e.type, step.term, e.at))
    if here.world.like_puppet and not has_type(e.type, here):
        return Stuck(codes.UNKNOWN_TYPE, e.at, {"name": e.type})
    if isinstance(e.title, t.ArrayValue) and here.world.like_puppet:
        titles = [plus(item, e.title.why.depends) for item in flat(e.title)]
        each = [reference_to(e.type, title, e.at) for title in titles]
        bad = next((one for one in each if isinstance(one, Stuck)), None)
        if bad is not None or not each:
            return bad or Stuck(codes.BAD_TITLE, e.at, {"value": show(e.title)})
        made = tuple(one for one in each if isinstance(one, t.Reference))
        return ExprStep("RefRes", t.ArrayValue(made, e.title.why), (), e.at)
    one = reference_to(e.type, e.title, e.at)
    return one if isinstance(one, Stuck) else ExprStep("RefRes", one, (), e.at)


def has_type(kind: str, here: Here) -> bool:
    """Whether Puppet can refer to resources of this type."""
    return kind in ("class", "node") or kind in here.world.manifest.defines or bool(native(kind))


def reference_to(kind: str, title: t.Value, at: Span) -> t.Reference | Stuck:
    """``t[w]``"""
    if not (isinstance(title, t.Atom) and isinstance(title.value, str)):
        return Stuck(codes.BAD_TITLE, at, {"value": show(title)})
    name = capitalised(title.value.removeprefix("::")) if kind == "class" else title.value
    return t.Reference(kind, name, operation("reference", title.why))


EXPRESSIONS[t.Array] = step_array
EXPRESSIONS[t.Hash] = step_hash
EXPRESSIONS[t.Selector] = step_selector
EXPRESSIONS[t.Dereference] = step_dereference
EXPRESSIONS[t.ReferenceTo] = step_reference
