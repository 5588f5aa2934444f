"""Manifests (A.3.5): σ, κ, v_C, m →N σ′, κ′, v_C′, m′.

TopScope; MSeqStep, MSeqSkip; NodeMatch, NodeNoMatch; RDef; CDef, CDefI, CDefP, CDefPI.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import classes, operators, structures, variables
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.judgement import STATEMENTS, StmtStep
from headwater.langs.puppet.paper.provenance import ERASED, NONE, Beta, computed
from headwater.langs.puppet.paper.state import (
    ClassDef,
    DeclaredClass,
    Definition,
    Here,
    ResourceDef,
    State,
    Stuck,
    World,
)
from headwater.langs.puppet.paper.statements import untaken
from headwater.report import Note
from headwater.text import NOWHERE, Span

FAMILIES = (classes, operators, structures, variables)
"""The modules whose rules the judgements know once they are imported."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """⟨σ, κ, v_C, m⟩: the manifest m is the element at hand and those after it."""

    state: State
    element: t.Element
    rest: tuple[t.Element, ...] = ()
    waiting: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing is left: m is ``skip`` and no define waits."""
        return self.element is t.SKIP and not self.rest and not self.state.pending


@dataclass(slots=True)
class Taken:
    """A step of a configuration: the rule, those it rests on, and what came of it."""

    rule: str
    via: tuple[str, ...]
    at: Span
    after: Configuration


def start(state: State, elements: Sequence[t.Element]) -> Configuration:
    """The configuration at the beginning."""
    if not elements:
        return Configuration(state, t.SKIP)
    return Configuration(state, elements[0], tuple(elements[1:]))


def step(config: Configuration, world: World) -> Taken | Stuck:
    """One step of a configuration that is not done."""
    element, state = config.element, config.state
    if element is t.SKIP:
        if config.rest:
            after = Configuration(state, config.rest[0], config.rest[1:])
            return Taken("MSeqSkip", (), NOWHERE, after)
        waiting = state.pending[0]
        after = Configuration(replace(state, pending=state.pending[1:]), waiting.body, (), True)
        return Taken("Def", (), waiting.body.path[-1], after)
    taken: StmtStep | Stuck
    rule = STATEMENTS.get(type(element))
    match element:
        case _ if rule is not None:
            taken = rule(state, element, Here(t.TOP, world))  # type: ignore[arg-type]
            if not isinstance(taken, Stuck):
                taken = taken.within("TopScope", taken.term)
        case t.ClassDefinition():
            taken = define_class(state, element)
        case t.DefineDefinition(name=u, parameters=rho, body=s, at=at):
            taken = define(state, u, ResourceDef(rho, s, at), "RDef", at)
        case t.NodeDefinition():
            taken = step_node(state, element, world)
        case _:
            raise AssertionError(element)
    if isinstance(taken, Stuck):
        return taken
    via = (*taken.via, "MSeqStep") if config.rest else taken.via
    after = Configuration(taken.state, taken.term, config.rest, config.waiting)
    return Taken(taken.rule, via, taken.at, after)


def define_class(state: State, element: t.ClassDefinition) -> StmtStep | Stuck:
    """CDef, CDefI, CDefP, CDefPI"""
    match bool(element.parameters), element.parent:
        case False, None:
            rule = "CDef"
        case False, _:
            rule = "CDefI"
        case True, None:
            rule = "CDefP"
        case _:
            rule = "CDefPI"
    made = ClassDef(element.parent, element.parameters, element.body, element.at)
    return define(state, element.name, made, rule, element.at)


def define(state: State, name: str, made: Definition, rule: str, at: Span) -> StmtStep | Stuck:
    """κ[a: D], provided that a ∉ dom(κ)"""
    before = state.kappa.get(name)
    if before is not None:
        what = "declared" if isinstance(before, DeclaredClass) else "first defined"
        labels = (Note(f"{what} here", before.at),)
        return Stuck(codes.REDEFINED, at, {"name": name}, labels)
    return StmtStep(rule, state.define(name, made), t.SKIP, (), at)


# -- nodes ---------------------------------------------------------------------------------------


def step_node(state: State, element: t.NodeDefinition, world: World) -> StmtStep | Stuck:
    """NodeMatch and NodeNoMatch"""
    here = Here(t.TOP, world)
    if world.like_puppet:
        again = named_before(element, world.manifest.nodes)
        if again is not None:
            host, other = again
            labels = (Note("first defined here", other.at),)
            return Stuck(codes.REDEFINED, element.at, {"name": f"node {host.text}"}, labels)
    chosen, because = choose_node(world)
    if chosen is element:
        tpc = because if world.repaired else NONE
        epc = because if world.repaired else NONE
        within = element.body
        if world.like_puppet:
            name = next((h for h in element.hosts if h.kind != "regex"), None)
            within = titled(name.text.lower() if name else world.node, within, element.at, world)
        body = t.Scoped(t.NODE, within, epc, tpc)
        return StmtStep("NodeMatch", state, body, (), element.at)
    if chosen is None and world.like_puppet:
        return Stuck(codes.NO_NODE, element.at, {"name": world.node})
    own = NONE.union(*(host.why.depends for host in element.hosts))
    beta = own | because | world.certname.depends
    after = untaken(state, element.body, beta, replace(here, scope=t.NODE))
    return StmtStep("NodeNoMatch", after, t.SKIP, (), element.at)


def named_before(
    element: t.NodeDefinition, nodes: Sequence[t.NodeDefinition]
) -> tuple[t.Host, t.NodeDefinition] | None:
    """A host of a definition that has a definition already, here or earlier."""
    known: dict[str, t.NodeDefinition] = {}
    for node in nodes:
        for host in node.hosts:
            if node is element and key_of(host) in known:
                return host, known[key_of(host)]
            known.setdefault(key_of(host), node)
        if node is element:
            return None
    return None


def key_of(host: t.Host) -> str:
    """What Puppet knows a host by; of a regular expression only the letters and a few signs."""
    text = host.text.lower()
    if host.kind != "regex":
        return text
    return "/" + re.sub(r"[^-\w:.]", "", text, flags=re.ASCII).lstrip(".")


def titled(name: str, body: t.Stmt, at: Span, world: World) -> t.Stmt:
    """A body in whose scope Puppet sets $title and $name."""
    value = t.Atom(name, ERASED if world.erased else computed("title"))
    return t.Seq(t.Assign("title", value, at), t.Seq(t.Assign("name", value, at), body))


def choose_node(world: World) -> tuple[t.NodeDefinition | None, Beta]:
    """nodeMatch: by name, else the first regular expression, else ``default``.

    With the choice come the labels of the node's name and of every Q that had to be looked
    at: other names cannot become this one's without being a second definition of it.
    """
    nodes = world.manifest.nodes
    certname = world.certname.depends
    for node in nodes:
        for host in node.hosts:
            # Puppet looks for the word default as for a name.
            named = host.kind == "name" or (host.kind == "default" and world.like_puppet)
            if named and host.text.lower() == world.node.lower():
                return node, certname | host.why.depends
    names = [h for node in nodes for h in node.hosts if h.kind == "name"]
    seen = certname.union(*(host.why.depends for host in names))
    for node in nodes:
        for host in node.hosts:
            if host.kind == "regex":
                seen |= host.why.depends
                if matches(host.text, world.node.lower() if world.like_puppet else world.node):
                    return node, seen
    for node in nodes:
        for host in node.hosts:
            if host.kind == "default":
                return node, seen | host.why.depends
    return None, NONE


def matches(pattern: str, name: str) -> bool:
    """N ∈ L(r).  A pattern that cannot be read, or takes too long, matches nothing."""
    from headwater.langs.puppet.types.refusals import BadRegexp
    from headwater.langs.puppet.types.regexps import TooHard, search

    try:
        return search(pattern, name) is not None
    except (BadRegexp, TooHard):
        return False
