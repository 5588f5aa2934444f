"""The calculus as `language.py` sees it: a job in, an outcome or steps out."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import is_
from typing import Any, TypeVar

from headwater.langs.protocol import Job, Outcome, Step
from headwater.langs.puppet.codes import NO_EFFECT, NO_EFFECT_LAST, TOO_DEEP
from headwater.langs.puppet.facts import given_facts
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.machine import run, steps
from headwater.langs.puppet.paper.outcome import PaperCauses, Resources
from headwater.langs.puppet.paper.provenance import ERASED, Labels, computed
from headwater.langs.puppet.paper.reader import Reader
from headwater.langs.puppet.paper.state import State, Stuck, World
from headwater.langs.puppet.paper.values import capitalised, show
from headwater.langs.puppet.syntax import Program, parse, validate
from headwater.report import Diagnostic, in_order
from headwater.text import NOWHERE, Source, Span

Key = TypeVar("Key", bound=Hashable)

MOST_LEVELS = 200
"""How deep expressions and blocks may be nested; the rules recurse as the paper's do."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A manifest ready to be evaluated."""

    source: Source
    world: World
    state: State
    labels: Labels


def with_frame(job: Job[Fields]) -> Source:
    """The text of a job, with what is to be put before and after it."""
    before, after = job.inputs.pre or "", job.inputs.post or ""
    if not (before or after):
        return job.source
    text = f"{before}\n" if before else ""
    text += job.source.text
    text += f"\n{after}\n" if after else ""
    return Source(job.source.name, text)


def prepare(job: Job[Fields]) -> Prepared | list[Diagnostic]:
    """Reads a job, or says what is wrong with its text."""
    source = with_frame(job)
    parsed = parse(source)
    if not parsed.ok:
        return parsed.diagnostics
    deep = deeper_than(parsed.program, MOST_LEVELS)
    if deep is not None:
        return [TOO_DEEP.at(deep, bound=MOST_LEVELS, what="expressions and blocks")]
    found = [d for d in validate(parsed.program) if d.is_error]
    if job.dialect != "like-puppet":
        # An expression may be a statement in the calculus (rules ExprStep and Expr).
        found = [d for d in found if d.code not in (NO_EFFECT.name, NO_EFFECT_LAST.name)]
    if found:
        return in_order(found)
    return ready(parsed.program, job)


def ready(
    program: Program,
    job: Job[Fields],
    *,
    erase: bool = False,
    reader: type[Reader] = Reader,
) -> Prepared | list[Diagnostic]:
    """A program in the terms of the calculus, or the definitions it does not have."""
    like_puppet = job.dialect == "like-puppet"
    labels = Labels(erase=erase)
    inputs = job.inputs
    name = inputs.node or "default"
    given = dict(item.split("=", 1) for item in inputs.set or () if "=" in item)
    named = dict(item.split("=", 1) for item in inputs.setting or () if "=" in item)
    settings = {"strict_variables": True, **given, **(inputs.settings or {}), **named}
    strict = settings["strict_variables"]
    lenient = like_puppet and str(strict).lower() == "false"
    certname = labels.literal("argument", Source("--node", name).span(0, len(name)))
    manifest = reader(program, labels, like_puppet=like_puppet).read()
    if manifest.refused:
        return in_order(manifest.refused)
    world = World(
        manifest,
        node=name,
        like_puppet=like_puppet,
        strict=not lenient,
        repaired=inputs.provenance != "thesis" and not erase,
        certname=ERASED if erase else certname,
        most_steps=inputs.max_steps,
    )
    try:
        facts = given_facts(inputs, job.texts).values
    except Problem as problem:
        return [problem.at(program.source.span(0, 0)).diagnostic]
    except Fault as fault:
        return [fault.diagnostic]
    sigma: dict[tuple[t.Scope, str], t.Value] = {
        (t.TOP, str(key)): fact(value, str(key), labels) for key, value in facts.pairs()
    }
    for key, text in given.items():
        if key not in ("strict", "strict_variables"):
            why = labels.literal("argument", Source(f"--set {key}", text).span(0, len(text)))
            sigma[t.TOP, key] = t.Atom(text, why)
    if like_puppet:
        main = t.Atom("main", ERASED if erase else computed("title"))
        sigma |= {(t.TOP, "title"): main, (t.TOP, "name"): main}
    return Prepared(program.source, world, State(sigma=sigma), labels)


def _entries(part: Hash) -> dict[str, Any]:
    return dict(zip(map(str, part), part.values(), strict=True))


def fact(value: object, name: str, labels: Labels) -> t.Value:
    """A fact as a value of the top scope; the parts of a structured fact share its label."""
    text = json.dumps(value, ensure_ascii=False, default=_entries)
    why = labels.literal("fact", Source(f"fact {name}", text).span(0, len(text)))

    def made(part: object) -> t.Value:
        match part:
            case Hash():
                entries = [(t.Atom(str(k), why), made(v)) for k, v in part.pairs()]
                return t.HashValue(tuple(entries), why)
            case list():
                return t.ArrayValue(tuple(made(v) for v in part), why)
            case bool() | int() | str() | None:
                return t.Atom(part, why)
            case _:
                return t.Atom(str(part), why)

    return made(value)


def compile_job(job: Job[Fields]) -> Outcome:
    """The catalog of a job with its causes, or why there is none."""
    prepared = prepare(job)
    if isinstance(prepared, list):
        return Outcome(None, tuple(prepared), sources=job.sources)
    return evaluate(prepared)


def evaluate(prepared: Prepared) -> Outcome:
    """Runs what is ready."""
    sources = (prepared.source,)
    end, rules = run(prepared.world, prepared.state)
    names = tuple(sorted(qualified(rules, thesis=not prepared.world.repaired)))
    if isinstance(end, Stuck):
        return Outcome(None, (diagnostic(end),), rules=names, sources=sources)
    resources = Resources(end.state, prepared.world)
    causes = PaperCauses(resources, end.state, prepared.world, prepared.labels)
    return Outcome(resources, (), causes, names, sources)


def diagnostic(stuck: Stuck) -> Diagnostic:
    """The diagnostic that a stuck configuration stands for."""
    return stuck.code.at(stuck.at, labels=stuck.labels, help=stuck.help, **stuck.fields)


EVALUATION_ONLY = frozenset(
    [
        "ArrExp", "ArrEle", "ArrEleI", "HExp", "HEle", "HEleI", "DeRefExp", "DeRefIndex",
        "DeRefArray", "DeRefHash", "RefRes", "DeRefRes", "PNode", "PDefRes", "PClass", "BTop",
        "BNode", "BDefRes", "BClass", "OrLeft", "OrRightI", "OrRightII", "OrValue", "ConcatStep",
        "ConcatValue", "DefWait", "ResTitles", "undef",
    ]
)  # fmt: skip
"""Rules that the provenance chapters leave out; here they carry annotations all the same."""
DEPENDENCY_ONLY = frozenset(["Expre", "Statement"])


def qualified(rules: frozenset[str], *, thesis: bool) -> set[str]:
    """The names of rules.toml: the same rule evaluates and carries three annotations."""
    found: set[str] = set()
    for rule in rules:
        if rule in DEPENDENCY_ONLY or rule.endswith("Plus"):
            if thesis:
                found.add(f"dependency/{rule}")
            continue
        if rule in ("AndValueI", "AndValueII", "CaseDefault"):
            found |= {f"where/{rule}", f"expression/{rule}"}
            continue
        found.add(f"eval/{rule}")
        if rule not in EVALUATION_ONLY:
            found |= {f"where/{rule}", f"expression/{rule}"}
            if thesis:
                found.add(f"dependency/{rule}")
    return found


def steps_of(job: Job[Fields]) -> Iterator[Step | Diagnostic]:
    """The derivation: each step with its rule, what it changed and where it stands."""
    prepared = prepare(job)
    if isinstance(prepared, list):
        yield from prepared
        return
    state, last = prepared.state, prepared.source.span(0, 0)
    for taken in steps(prepared.world, state):
        if isinstance(taken, Stuck):
            yield diagnostic(taken)
            return
        text = changed(state, taken.after.state)
        if taken.via:
            text = f"{text + '  ' if text else ''}({' < '.join(taken.via)})"
        depth = sum(rule in ("ScopeStep", "DefScopeStep") for rule in taken.via)
        last = last if taken.at is NOWHERE else taken.at
        yield Step(taken.rule, text, last, depth)
        state = taken.after.state


def _unlike(
    before: Mapping[Key, object], after: Mapping[Key, object]
) -> tuple[list[Key], list[Key]]:
    """The keys that a step has added, and those that it took away; a copy keeps the others."""
    at = bytes(map(is_, before, after)).find(0)
    start = min(len(before), len(after)) if at < 0 else at
    old, new = (list(islice(one, start, None)) for one in (before, after))
    left, right = set(old), set(new)
    return [key for key in new if key not in left], [key for key in old if key not in right]


def _replaced(before: Mapping[Key, object], after: Mapping[Key, object]) -> list[Key]:
    """The keys that have another value than before, of mappings that begin with the same keys."""
    same = bytes(map(is_, before.values(), after.values()))
    return [key for key, kept in zip(after, same, strict=False) if not kept] if 0 in same else []


def changed(before: State, after: State) -> str:
    """What a step did to σ, κ and v_C, in the paper's notation."""
    found: list[str] = []
    if after.sigma is not before.sigma:
        made, gone = _unlike(before.sigma, after.sigma)
        for scope, name in made:
            found.append(f"σ[({scope}, {name}): {show(after.sigma[scope, name])}]")
        if gone:
            found.append(f"clear(σ, {gone[0][0]})")
    if after.kappa is not before.kappa:
        for name in (*_unlike(before.kappa, after.kappa)[0], *_replaced(before.kappa, after.kappa)):
            found.append(f"κ[{name}: {type(after.kappa[name]).__name__}]")
    if after.catalog is not before.catalog:
        for kind, title in _unlike(before.catalog, after.catalog)[0]:
            found.append(f"v_C + {capitalised(kind)}[{title}]")
    if len(after.pending) > len(before.pending):
        found.append(f"{after.pending[-1].name} waits")
    return " ".join(found)


def deeper_than(program: Program, levels: int) -> Span | None:
    """Where a program is nested deeper than that, if it is."""
    todo: list[tuple[Any, int]] = [(node, 0) for node in program.body]
    while todo:
        node, depth = todo.pop()
        if isinstance(node, list):
            todo.extend((inner, depth) for inner in node)
        elif hasattr(node, "__slots__") and hasattr(node, "start"):
            if depth > levels:
                return program.span(node)
            for name in node.__slots__:
                inner = getattr(node, name)
                if isinstance(inner, list) or hasattr(inner, "start"):
                    todo.append((inner, depth + 1))
    return None
