"""Resources and defined types (A.3.3, A.3.4.7, A.3.4.8).

RbodyExp, RbodyStep, RName, Rbody (names of App. B); ResStep, ResDecl; DefStep, Def; merge.
In like-puppet the body of a defined type waits until the manifest is done (DefWait), and an
array of titles declares a resource each (ResTitles).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.judgement import (
    STATEMENTS,
    ExprStep,
    StmtStep,
    step_expr,
)
from headwater.langs.puppet.paper.natives import NATIVES, is_built_in, native
from headwater.langs.puppet.paper.parameters import (
    bad_tag,
    bad_value,
    merge,
    name_given,
    refuse_metaparameters,
)
from headwater.langs.puppet.paper.provenance import NONE
from headwater.langs.puppet.paper.relationships import managed, relations_of
from headwater.langs.puppet.paper.state import (
    Here,
    Pending,
    ResourceDef,
    ResourceValue,
    State,
    Stuck,
)
from headwater.langs.puppet.paper.values import capitalised, parts, plain, plus, show
from headwater.report import Note, nearest
from headwater.text import Span

MOST_NESTED = 100
"""How deep declarations of defined types may be nested before that counts as a cycle."""
MOST_RECURSIVE = 300
"""How many instances of a defined type may wait inside instances of the same type."""


def step_attributes(
    state: State, attributes: t.Attributes, here: Here
) -> tuple[ExprStep, t.Attributes] | Stuck | None:
    """H →H H′ by RbodyExp and RbodyStep; None when every attribute is a value."""
    for i, (name, value) in enumerate(attributes):
        if isinstance(value, t.VALUES):
            continue
        step = step_expr(state, value, here)
        if isinstance(step, Stuck):
            return step
        rules = ("RbodyExp", *["RbodyStep"] * bool(i))
        made = (*attributes[:i], (name, step.term), *attributes[i + 1 :])
        return ExprStep(step.rule, step.term, (*step.via, *rules), step.at), made
    return None


def step_resource(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """ResStep or DefStep, then ResDecl or Def"""
    assert isinstance(s, t.Resource)
    definition = state.kappa.get(s.type)
    defined = isinstance(definition, ResourceDef)
    if here.world.like_puppet and s.type in NATIVES:
        defined, definition = False, None  # Puppet prefers a built-in type to a defined one
    if not defined and not is_built_in(s.type, like_puppet=here.world.like_puppet):
        return unknown_type(s, here)
    rule = "DefStep" if defined else "ResStep"
    if not isinstance(s.title, t.VALUES):
        step = step_expr(state, s.title, here)
        if isinstance(step, Stuck):
            return step
        made = t.Resource(s.type, step.term, s.attributes, s.at)
        return StmtStep.of(step, state, made, "RName", rule)
    inner = step_attributes(state, s.attributes, here)
    if isinstance(inner, Stuck):
        return inner
    if inner is not None:
        part, attributes = inner
        made = t.Resource(s.type, s.title, attributes, s.at)
        return StmtStep.of(part, state, made, "Rbody", rule)
    if isinstance(s.title, t.ArrayValue) and here.world.like_puppet:
        titles = [plus(item, s.title.why.depends) for item in s.title.items]
        each: list[t.Stmt] = [t.Resource(s.type, title, s.attributes, s.at) for title in titles]
        return StmtStep("ResTitles", state, sequence(each, t.SKIP), (), s.at)
    if not (isinstance(s.title, t.Atom) and isinstance(s.title.value, str) and s.title.value):
        return Stuck(codes.BAD_TITLE, s.at, {"value": show(s.title)})
    names = [name for name, _ in s.attributes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return Stuck(codes.DUPLICATE_ATTRIBUTE, s.at, {"name": twice})
    values = {name: value for name, value in s.attributes if isinstance(value, t.VALUES)}
    if isinstance(definition, ResourceDef):
        return expand(state, s, s.title, values, definition, here)
    return declare(state, s, s.title, values, here)


def unknown_type(s: t.Resource, here: Here) -> Stuck:
    """A type that is neither built in nor defined, or not yet."""
    labels: tuple[Note, ...] = ()
    later = here.world.manifest.defines.get(s.type)
    if later is not None:
        labels = (Note("it is defined here, after its use", later.at),)
    close = nearest(s.type, [*NATIVES, *here.world.manifest.defines])
    help = f"did you mean {close}?" if close and later is None else None
    return Stuck(codes.UNKNOWN_TYPE, s.at, {"name": s.type}, labels, help)


def declare(
    state: State, s: t.Resource, title: t.Atom, values: Mapping[str, t.Value], here: Here
) -> StmtStep | Stuck:
    """ResDecl: the resource is added to the catalog."""
    shown = f"{capitalised(s.type)}[{title.value}]"
    before = state.catalog.get((s.type, str(title.value)))
    if before is not None:
        labels = (Note("first declared here", before.at),)
        return Stuck(codes.DUPLICATE_RESOURCE, s.at, {"resource": shown}, labels)
    if here.world.like_puppet:
        refused = refuse(state, s, title, values)
        if refused is not None:
            return refused
    exists = here.epc | title.why.depends
    attributes = tuple((name, plus(value, exists)) for name, value in values.items())
    made = ResourceValue(s.type, title, attributes, exists, at=s.at, path=(*here.path, s.at))
    return StmtStep("ResDecl", state.add(made), t.SKIP, (), s.at)


def refuse(
    state: State, s: t.Resource, title: t.Atom, values: Mapping[str, t.Value]
) -> Stuck | None:
    """What Puppet refuses of a resource and the calculus does not."""
    known = native(s.type)
    assert known is not None
    for name in values:
        if name == "stage" or (name not in known.attributes and name != "name"):
            fields = {"of": capitalised(s.type), "name": name}
            close = nearest(name, known.attributes)
            help = f"did you mean {close}?" if close and name != "stage" else None
            return Stuck(codes.BAD_PARAMETER, s.at, fields, help=help)
    if "tag" in values and (tag := bad_tag(values["tag"])):
        return bad_value(f"{capitalised(s.type)}[{title.value}]", "tag", tag, s.at)
    if "alias" in values:
        return Stuck(BEYOND_PAPER, s.at, {"what": "the metaparameter alias"})
    for value in values.values():
        for part in parts(value):
            if isinstance(part, t.HashValue) and not all(
                isinstance(key.value, str) for key, _ in part.entries
            ):
                return Stuck(BEYOND_PAPER, s.at, {"what": "a hash with a number as its key"})
    if known.unique:
        key = identity(title, values, s.type)
        for (kind, _), other in state.catalog.items():
            if kind == s.type:
                theirs = identity(other.title, dict(other.attributes), kind)
                if key == theirs or title.value == theirs or other.title.value == key:
                    shown = f"{capitalised(s.type)}[{key}]"
                    labels = (Note("first declared here", other.at),)
                    return Stuck(codes.DUPLICATE_RESOURCE, s.at, {"resource": shown}, labels)
    return None


def identity(title: t.Atom, values: Mapping[str, t.Value], kind: str) -> str:
    """What no two resources may manage; of packages, with the provider."""
    text = managed(title, values, kind)
    provider = values.get("provider") if kind == "package" else None
    return f"{text} by {provider.value}" if isinstance(provider, t.Atom) else text


def sequence(statements: list[t.Stmt], last: t.Stmt) -> t.Stmt:
    """``s1 s2 … last``"""
    for statement in reversed(statements):
        last = t.Seq(statement, last)
    return last


def expand(
    state: State,
    s: t.Resource,
    title: t.Atom,
    values: Mapping[str, t.Value],
    definition: ResourceDef,
    here: Here,
) -> StmtStep | Stuck:
    """Def: the body in a scope of its own, now or, in like-puppet, when the manifest is done."""
    like_puppet = here.world.like_puppet
    of = f"{capitalised(s.type)}[{title.value}]"
    rho = definition.parameters
    statements = merge(rho, values, of=of, at=s.at, beta=NONE, like_puppet=like_puppet)
    if like_puppet and not isinstance(statements, Stuck):
        beyond = refuse_metaparameters(state, values, of=of, at=s.at, of_class=False)
        statements = beyond or statements
    if isinstance(statements, Stuck):
        return statements
    chain = here.scope.around if isinstance(here.scope, t.DefScope) else ()
    bound = MOST_RECURSIVE if like_puppet else MOST_NESTED
    if chain.count(s.type) > 0 and (len(chain) >= bound or crowd(state, s.type) > bound):
        return cycle(s.type, chain, s.at, definition.at)
    names = ("title", "name") if like_puppet else ("title",)
    called: dict[str, t.Value] = dict.fromkeys(names, title)
    if like_puppet and name_given(values):
        called["name"] = values["name"]
    first: list[t.Stmt] = [t.Assign(name, value, s.at) for name, value in called.items()]
    body = sequence([*first, *statements], definition.body)
    # In place, a scope is named by where it stands.  Instances that wait need a number, and
    # no longer stand in each other: their base is that of the first scope that is no define's.
    number = len(state.instances) + 1 if like_puppet else 0
    inner = here.scope
    while like_puppet and isinstance(inner, t.DefScope):
        inner = inner.inner
    scope = t.DefScope(inner, number, (*chain, s.type))
    made = t.Scoped(scope, body, here.epc, here.tpc, (*here.path, s.at))
    if not like_puppet:
        return StmtStep("Def", state, made, (), s.at)
    keys = {(s.type, str(plain(value))): s.at for value in called.values()}
    for key in keys:
        if key in state.instances:
            labels = (Note("first declared here", state.instances[key]),)
            return Stuck(codes.DUPLICATE_RESOURCE, s.at, {"resource": of}, labels)
    waiting = Pending(s.type, number, made, (*chain, s.type))
    after = replace(
        state,
        pending=(*state.pending, waiting),
        instances={**state.instances, **keys},
        relations=(*state.relations, *relations_of(values, s.at)),
    )
    return StmtStep("DefWait", after, t.SKIP, (), s.at)


def crowd(state: State, name: str) -> int:
    """How many instances that wait are inside an instance of this type."""
    return sum(1 for waiting in state.pending if name in waiting.generation[:-1])


def cycle(name: str, chain: tuple[str, ...], at: Span, defined: Span) -> Stuck:
    """The error for declarations of defined types that go round."""
    start = len(chain) - 1 - chain[::-1].index(name)
    way = " declares ".join((*chain[start:], name))
    return Stuck(codes.CYCLE, at, {"way": way}, (Note(f"{name} is defined here", defined),))


STATEMENTS[t.Resource] = step_resource
