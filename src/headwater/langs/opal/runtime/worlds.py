"""Worlds that outlived their program: what they hold, committing them, dropping them.

A commit merges against the values of the moment, with the merges kept beside them, inside one
transaction.  What the world only read must not have changed (``--reads check``).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from typing import Any

from headwater.langs.durable import Committed
from headwater.langs.opal.engine import run as engine_run
from headwater.langs.opal.inputs import Inputs, Kept
from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.canonical import NotSyntax
from headwater.langs.opal.runtime.commits import (
    Occasion,
    append,
    authentic,
    bare_entry,
    clock_warnings,
    signing,
    untrusted_keys,
)
from headwater.langs.opal.runtime.endorsing import Endorsing, Session
from headwater.langs.opal.runtime.needs import Block
from headwater.langs.opal.runtime.plans import Plan, with_needs, write_plan
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.run import MOST_ATTEMPTS, Ran
from headwater.langs.opal.runtime.statements import Asked
from headwater.langs.opal.runtime.stored import Stored, place_at
from headwater.langs.opal.syntax import Commit, WorldVar
from headwater.report import Diagnostic
from headwater.store import OpenedWorld, Store, Writing
from headwater.store.records import canonical, dropping_of
from headwater.text import Source, Span
from headwater.why import NOTHING, Node, Trace
from headwater.why.dump import Unloadable, load


@dataclass(frozen=True, slots=True)
class Held:
    """A world with its data read."""

    world: OpenedWorld
    body: dict[str, Any]

    @property
    def blocks(self) -> list[Block]:
        """The blocks that need permission."""
        return [Block.read(block) for block in self.body["blocks"]]


_BODY = {"orig", "hyp", "details", "merges", "absent", "reads", "blocks", "trace", "program",
         "file", "location", "ext"}  # fmt: skip


def place_of(id: str) -> Span:
    """The text that stands for committing a world, in which there is nothing else."""
    text = f"commit {id}"
    return Source("(world commit)", text).span(0, len(text))


def find(reader: Store | Writing, id: str, at: Span) -> Held:
    """A world; raises `Refused`."""
    world = reader.world(id)
    if world is None:
        raise Refused(codes.WORLD_UNKNOWN.at(at, world=id))
    reader.check_world(world)
    body = json.loads(world.body)
    if not isinstance(body, dict) or not body.keys() >= _BODY:
        raise reader.corrupt(f"world {id} lacks a part")
    return Held(world, body)


def mine(reader: Store | Writing, id: str, session: Session, at: Span) -> Held:
    """A world that is open and belongs to the caller; raises `Refused`."""
    held = find(reader, id, at)
    world = held.world
    if world.principal != session.principal:
        raise Refused(
            codes.WORLD_OF_OTHER.at(
                at, world=id, owner=world.principal, principal=session.principal
            )
        )
    authentic(session, reader, at)
    if world.state != "open":
        how = f"commit {world.revision}" if world.state == "committed" else "it was dropped"
        raise Refused(codes.WORLD_CLOSED.at(at, world=id, how=how))
    return held


def loaded(reader: Store | Writing, owner: str) -> tuple[Trace, dict[str, Node]]:
    """A trace that was kept, with its roots."""
    packed = reader.trace(owner)
    if packed is None:
        raise reader.corrupt(f"the trace of {owner} is missing")
    try:
        data = json.loads(zlib.decompress(packed))
        sources = {}
        for entry in data["sources"]:
            kept = reader.source(entry["sha256"])
            if kept is not None:
                sources[entry["sha256"]] = Source(kept.name, kept.text)
        return load(data, sources)
    except (zlib.error, ValueError, KeyError, TypeError, Unloadable) as error:
        raise reader.corrupt(f"the trace of {owner}: {error}") from None


def kept_world(reader: Store | Writing, held: Held, at: Span) -> tuple[Kept, Trace]:
    """A world as the engine takes it up, and the trace it goes on with."""
    body, name = held.body, held.world.name
    trace, roots = loaded(reader, body["trace"])
    kept = Kept(
        Stored(reader, held.world.base),
        {
            place_at(key): (data, roots[f"orig {key} in {name}"])
            for key, data in body["orig"].items()
        },
        {
            place_at(key): (
                data,
                roots[f"hyp {key} in {name}"],
                roots[f"written {key} in {name}"],
            )
            for key, data in body["hyp"].items()
        },
        {place_at(key): roots[f"absent {key} in {name}"] for key in body["absent"]},
        roots.get(f"causes of {name}", NOTHING),
        at,
    )
    return kept, trace


def plan_commit(
    reader: Store | Writing, revision: int, held: Held, session: Session, at: Span
) -> tuple[Plan, Stored]:
    """What committing a world over a revision would do; raises `Refused`."""
    kept, trace = kept_world(reader, held, at)
    stored = Stored(reader, revision)
    name = held.world.name
    if any("syntax" not in block for block in held.body["blocks"]):
        raise Refused(codes.WORLD_OLD.at(at, world=held.world.id))
    try:
        blocks = held.blocks
    except NotSyntax as error:
        raise reader.corrupt(f"world {held.world.id}: {error}") from None
    inputs = Inputs(
        location=session.location,
        ext=True,
        permitted=frozenset((session.principal, *(block.node for block in blocks))),
        below=stored,
    )
    finished = engine_run.resume(Commit(WorldVar(name, at), at), inputs, {name: kept}, trace)
    if finished.stuck is not None:
        raise Refused(finished.stuck)
    plan = write_plan(finished, stored, lambda _: blocks, more_reads=held.body["reads"])
    details, merges = {}, dict(plan.merges)
    for key, text in plan.details.items():
        detail = json.loads(text)
        detail["name"] = f"commit {held.world.id}"
        detail["merge"]["tried"] = held.body["details"][key]
        details[key] = canonical(detail)
        if detail["merge"]["expression"] is None and held.body["merges"][key] is not None:
            merges[key] = held.body["merges"][key]
    return with_needs(replace(plan, details=details, merges=merges), stored), stored


def check_reads(reader: Store | Writing, held: Held, at: Span) -> None:
    """Raises `Refused` if anything that the world only read has changed."""
    for key, value in held.body["reads"].items():
        if key in held.body["hyp"]:
            continue
        version = reader.read(key)
        if (None if version is None else version.value) != value:
            revision = 0 if version is None else version.revision
            raise Refused(codes.READS_CHANGED.at(at, key=key, revision=revision))


def commit(store: Store, id: str, session: Session) -> Ran:
    """Commits a world, once; a second time the first answer is given again."""
    at = place_of(id)
    try:
        for _ in range(MOST_ATTEMPTS):
            done = _done_before(store, id, session, at)
            if done is not None:
                return done
            held = mine(store, id, session, at)
            plan, stored = plan_commit(store, store.head, held, session, at)
            asked = Endorsing(session, store, store.id, id, stored, at)
            answered = asked.all(plan.needs, ask=True)
            with store.writing() as writing:
                done = _done_before(writing, id, session, at)
                if done is not None:
                    return done
                held = mine(writing, id, session, at)
                if session.check_reads:
                    check_reads(writing, held, at)
                if writing.head != plan.revision:
                    plan, stored = plan_commit(writing, writing.head, held, session, at)
                endorsing = Endorsing(session, writing, store.id, id, stored, at)
                endorsements = endorsing.again(plan.needs, answered)
                if endorsements is None:
                    continue
                warnings = clock_warnings(session, writing, at)
                warnings += untrusted_keys(session, writing, at)
                occasion = Occasion(id, "world", held.world.base, _facts(held, session))
                made = append(writing, store, session, occasion, plan, endorsing, endorsements)
            return Ran(made, plan=plan, diagnostics=warnings)
        raise Refused(codes.CONTENDED.at(at, times=MOST_ATTEMPTS))
    except Refused as refused:
        return Ran(None, diagnostics=(refused.diagnostic,))


def _facts(held: Held, session: Session) -> dict[str, Any]:
    facts = {name: held.body[name] for name in ("program", "file", "location", "ext")}
    return {**facts, "checked_reads": session.check_reads}


def _done_before(reader: Store | Writing, id: str, session: Session, at: Span) -> Ran | None:
    entry = reader.entry_of(id)
    if entry is None or entry.kind not in ("program", "world"):
        return None
    if entry.principal != session.principal:
        raise Refused(
            codes.WORLD_OF_OTHER.at(
                at, world=id, owner=entry.principal, principal=session.principal
            )
        )
    return Ran(Committed(entry, again=True))


def drop(store: Store, id: str, session: Session) -> Diagnostic | None:
    """Gives a world up; what is wrong, if it cannot be."""
    at = place_of(id)
    try:
        with store.writing() as writing:
            mine(writing, id, session, at)
            writing.close_world(id, "dropped")
            entry = bare_entry(writing, dropping_of(id), "drop", session)
            writing.append(entry, signing(session, store, writing))
    except Refused as refused:
        return refused.diagnostic
    return None


def requests(store: Store, id: str, session: Session) -> list[Asked] | Diagnostic:
    """What must be asked before a world can be committed as things are now."""
    at = place_of(id)
    try:
        held = mine(store, id, session, at)
        if session.check_reads:
            check_reads(store, held, at)
        plan, stored = plan_commit(store, store.head, held, session, at)
        endorsing = Endorsing(replace(session, prompt=None), store, store.id, id, stored, at)
        found = []
        for need in plan.needs:
            try:
                endorsing.one(need, ask=False)
            except Refused:
                found.append(endorsing.asked(need))
    except Refused as refused:
        return refused.diagnostic
    return found
