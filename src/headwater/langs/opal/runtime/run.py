"""Running a program over a store: all of its effects in one commit, or none.

It runs over a revision without locking anything.  Then one transaction looks whether what it
read is still so; if not, the program runs again inside the transaction, where nothing moves.
So the outcome is always that of programs one after the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from headwater.langs.durable import Committed
from headwater.langs.opal.codes import NO_MERGE_OUTSIDE
from headwater.langs.opal.engine import check as engine_check
from headwater.langs.opal.engine import run as engine_run
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import show_name
from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.canonical import encode_with_places
from headwater.langs.opal.runtime.commits import (
    Occasion,
    append,
    authentic,
    bare_entry,
    clock_warnings,
    is_id,
    is_stale,
    signing,
    untrusted_keys,
)
from headwater.langs.opal.runtime.endorsing import Endorsing, Session
from headwater.langs.opal.runtime.needs import Obliging
from headwater.langs.opal.runtime.plans import (
    Plan,
    WorldPlan,
    pack,
    sources_of,
    world_body,
    world_roots,
    write_plan,
)
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import iso
from headwater.langs.opal.runtime.stored import Stored, place_at
from headwater.langs.opal.runtime.wire import Vector, Wire
from headwater.langs.opal.self_reads import self_reads
from headwater.langs.opal.syntax import Com, Place
from headwater.langs.opal.writes import Finished, Left
from headwater.report import Diagnostic, in_order
from headwater.store import Entry, OpenedWorld, Store, Writing
from headwater.store.codes import ID_USED
from headwater.store.records import canonical, opening_of
from headwater.text import Source, Span
from headwater.why import NOTHING

MOST_ATTEMPTS = 8

WHOLE = "program"
"""The name of a world that is a whole program."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that is to run: its text and the settings it runs with."""

    source: Source
    id: str
    ext: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a run: a commit or a proposal, or errors; warnings in any case."""

    committed: Committed | None
    proposed: OpenedWorld | None = None
    plan: Plan | None = None
    diagnostics: tuple[Diagnostic, ...] = field(default=())


class _Stopped(Exception):
    """The program has no result."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__()
        self.diagnostics = diagnostics


def run(store: Store, program: Program, session: Session, *, propose: bool = False) -> Ran:
    """Runs a program and commits it; with `propose` its effect becomes a world instead."""
    start = program.source.span(0, 0)
    if not is_id(program.id):
        return Ran(None, diagnostics=(codes.BAD_ID.at(start, id=program.id),))
    parsed = parse(program.source, ext=program.ext)
    if parsed.program is None:
        return Ran(None, diagnostics=tuple(parsed.diagnostics))
    runner = _Runner(store, program, parsed.program, session)
    try:
        authentic(session, store, start)
        return runner.propose() if propose else runner.commit()
    except _Stopped as stopped:
        return Ran(None, diagnostics=stopped.diagnostics)
    except Refused as refused:
        found = (*runner.warnings, refused.diagnostic)
        return Ran(None, diagnostics=tuple(in_order(found)))


class _Runner:
    def __init__(self, store: Store, program: Program, parsed: Com, session: Session) -> None:
        self.store = store
        self.program = program
        self.parsed = parsed
        self.session = session
        self.warnings: tuple[Diagnostic, ...] = ()
        self.at = program.source.span(0, 0)
        self.facts = {
            "program": program.source.digest(),
            "file": program.source.name,
            "location": session.location,
            "ext": program.ext,
        }

    # --- running ----------------------------------------------------------------------

    def finish(self, reader: Store | Writing, revision: int) -> tuple[Finished, Stored, Obliging]:
        """The program run over a revision."""
        stored = Stored(reader, revision)
        permitted = frozenset((self.session.principal,))
        found = engine_check.check(self.parsed, (), permitted, stored)
        # A world that stays open is normally handled inside its hyp: the store keeps merges.
        found = tuple(d for d in found if d.code != NO_MERGE_OUTSIDE.name)
        self.warnings = tuple(d for d in found if not d.is_error)
        if len(self.warnings) < len(found):
            raise _Stopped(found)
        self.warnings = (
            *in_order((*self.warnings, *self_reads(self.parsed, stored))),
            *untrusted_keys(self.session, reader, self.at),
        )
        obliging = Obliging()
        inputs = Inputs(
            endorser=obliging,
            transport=Wire(self.program.source, vector=Vector(self.store.id, revision)),
            location=self.session.location,
            ext=self.program.ext,
            permitted=permitted,
            below=stored,
        )
        finished = engine_run.evaluate(self.parsed, inputs, tracing=True)
        if finished.stuck is not None:
            raise _Stopped(tuple(in_order((*self.warnings, finished.stuck))))
        return finished, stored, obliging

    def plan(self, reader: Store | Writing, revision: int) -> tuple[Plan, Stored]:
        """What the program would do over a revision."""
        finished, stored, obliging = self.finish(reader, revision)
        committed = finished.committed
        worlds = [
            (name, left, obliging.of_world(left.at, committed))
            for name, left in finished.worlds.items()
        ]
        plan = write_plan(finished, stored, obliging.of_program(committed), worlds)
        return plan, stored

    def endorsing(self, reader: Store | Writing, stored: Stored) -> Endorsing:
        """Whoever asks for permission."""
        program = self.program
        return Endorsing(self.session, reader, self.store.id, program.id, stored, self.at)

    # --- committing -------------------------------------------------------------------

    def commit(self) -> Ran:
        """Asks without holding the store, then commits in one transaction."""
        for _ in range(MOST_ATTEMPTS):
            done = self.done_before(self.store)
            if done is not None:
                return done
            plan, stored = self.plan(self.store, self.store.head)
            answered = self.endorsing(self.store, stored).all(plan.needs, ask=True)
            with self.store.writing() as writing:
                done = self.done_before(writing)
                if done is not None:
                    return done
                authentic(self.session, writing, self.at)
                if is_stale(plan, writing):
                    plan, stored = self.plan(writing, writing.head)
                endorsing = self.endorsing(writing, stored)
                endorsements = endorsing.again(plan.needs, answered)
                if endorsements is None:
                    continue
                for world in plan.worlds:
                    self.check_world_reads(world, endorsing)
                self.warnings += clock_warnings(self.session, writing, self.at)
                occasion = Occasion(self.program.id, "program", plan.revision, self.facts)
                committed = append(
                    writing, self.store, self.session, occasion, plan, endorsing, endorsements
                )
            return Ran(committed, plan=plan, diagnostics=self.warnings)
        raise Refused(codes.CONTENDED.at(self.at, times=MOST_ATTEMPTS))

    def check_world_reads(self, world: WorldPlan, endorsing: Endorsing) -> None:
        """Raises `Refused` if a world that stays open has read what it may not."""
        for key in world.body["reads"]:
            place = place_at(key)
            if key not in world.body["orig"] and not endorsing.may_read(place.node):
                node, principal = show_name(place.node), self.session.principal
                help = f'ask {node} for read = ["{principal}"] in its policy (--policy FILE)'
                raise Refused(
                    codes.READ_NOT_GRANTED.at(
                        self.first_read(place), node=node, principal=principal, key=key, help=help
                    )
                )

    def first_read(self, place: Place) -> Span:
        """Where the program reads a variable for the first time."""
        rows, offsets = encode_with_places(self.parsed)
        found = [
            self.program.source.span(*span[:2])
            for row, span in zip(rows, offsets, strict=True)
            if row[0] in ("var", "weight") and row[-1] == list(place)
        ]
        return min(found, key=lambda span: span.start, default=self.at)

    def propose(self) -> Ran:
        """The effect of the program as a world, as if it stood in a hyp."""
        known = self.store.world(self.program.id)
        if known is not None:
            return self.proposed_before(known)
        done = self.done_before(self.store)
        if done is not None:
            return done
        finished, stored, obliging = self.finish(self.store, self.store.head)
        assert finished.store is not None
        blocks = obliging.of_program(finished.committed)
        left = Left(self.parsed.at, {}, finished.store, finished.absent, NOTHING)
        body = world_body(finished.trace, left, stored, blocks)
        kept = sources_of(finished.trace, finished.store.values(), stored)
        plan = WorldPlan(WHOLE, body)
        with self.store.writing() as writing:
            known = writing.world(self.program.id)
            if known is not None:
                return self.proposed_before(known)
            authentic(self.session, writing, self.at)
            endorsing = self.endorsing(writing, stored)
            self.check_world_reads(plan, endorsing)
            world = OpenedWorld(
                self.program.id,
                WHOLE,
                self.session.principal,
                stored.revision,
                iso(self.session.clock()),
                canonical({**body, **self.facts, "trace": self.program.id}),
            )
            writing.open_world(world)
            for source in kept:
                writing.keep_source(source)
            trace = pack(finished.trace, world_roots(WHOLE, left))
            writing.keep_trace(self.program.id, trace)
            for node, domain in endorsing.relied.items():
                writing.relied_on(node, domain.serial)
            entry = bare_entry(writing, opening_of(self.program.id), "open", self.session)
            entry = replace(entry, facts={"policies": endorsing.evidence()})
            writing.append(entry, signing(self.session, self.store, writing))
        return Ran(None, world, diagnostics=self.warnings)

    def proposed_before(self, world: OpenedWorld) -> Ran:
        """The proposal of this id, if this very program made it; raises `Refused`."""
        facts = json.loads(world.body)
        mine = world.principal == self.session.principal
        if not mine or facts.get("program") != self.facts["program"] or world.name != WHOLE:
            owner = f"a world of {world.principal}"
            raise Refused(ID_USED.at(self.at, id=world.id, owner=owner))
        return Ran(None, world, diagnostics=self.warnings)

    def done_before(self, reader: Store | Writing) -> Ran | None:
        """The commit of this id, if this very program made it already; raises `Refused`."""
        entry = reader.entry_of(self.program.id)
        if entry is not None:
            self.is_mine(entry)
            worlds = tuple(entry.facts.get("worlds", ()))
            return Ran(Committed(entry, worlds, again=True), diagnostics=self.warnings)
        world = reader.world(self.program.id)
        if world is not None:
            help = f"it was proposed: headwater world commit {world.id}"
            owner = f"a world of {world.principal}"
            raise Refused(ID_USED.at(self.at, id=world.id, owner=owner, help=help))
        return None

    def is_mine(self, entry: Entry) -> None:
        """Raises `Refused` unless a commit is of this program and principal."""
        same = entry.facts.get("program") == self.facts["program"]
        if entry.kind != "program" or entry.principal != self.session.principal or not same:
            owner = f"commit {entry.revision} of {entry.principal}"
            raise Refused(ID_USED.at(self.at, id=entry.world, owner=owner))
