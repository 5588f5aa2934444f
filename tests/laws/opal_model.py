"""What a store should hold, by the paper's semantics: a model that keeps everything in memory.

A program is one evaluation over all variables (Σ₀) with the merges kept beside them (μ₀) and
the caller's permission (π).  A world that outlives its program is (Σ_orig, σ_hyp); committing
it is the rule COMMIT over the variables of the moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from headwater.langs.opal.distribution import EveryoneAgrees, Request
from headwater.langs.opal.inputs import Given, Inputs
from headwater.langs.opal.paper.commands import com
from headwater.langs.opal.paper.run import evaluate
from headwater.langs.opal.paper.state import Config, Run, Stack, Store, Stuck, Tried
from headwater.langs.opal.paper.typing import check
from headwater.langs.opal.syntax import Com, Commit, Handle, Place, WorldVar
from headwater.langs.opal.values import from_plain, plain
from headwater.langs.opal.writes import Binding, Finished, Left, Write
from headwater.text import NOWHERE, Source, Span
from headwater.why import NOTHING, depends

Values = dict[Place, Any]


@dataclass
class ModelWorld:
    """A world that is open, or what became of it."""

    principal: str
    orig: Values
    hyp: Values
    merges: dict[Place, Handle | None]
    reads: dict[Place, Any]
    needs: set[str]
    state: str = "open"


@dataclass
class Asking(EveryoneAgrees):
    """Says yes and remembers."""

    requests: list[Request] = field(default_factory=list)

    def endorses(self, request: Request) -> bool:
        self.requests.append(request)
        return True


def hyps(request: Request) -> list[Span]:
    found, inside = [], request.inside
    while inside is not None:
        found.append(inside.hyp)
        inside = inside.outer
    return found


def handle_of(write: Write | None) -> Handle | None:
    """The handle whose merge a value has from its write."""
    while write is not None and write.handle is None:
        write = write.merged.hyp.write if write.merged is not None else None
    return write.handle if write is not None else None


class Model:
    """The state that the paper's semantics leads to."""

    def __init__(self) -> None:
        self.values: Values = {}
        self.merges: dict[Place, Handle] = {}
        self.worlds: dict[str, ModelWorld] = {}
        self.done: set[str] = set()

    def initial(self) -> dict[Place, Given]:
        """The variables, each with a text of its own."""
        return {
            place: Given(data, Source(str(place), "value").span(0, 5))
            for place, data in self.values.items()
        }

    # --- programs ---------------------------------------------------------------------

    def run(self, program: Com, caller: str, denied: frozenset[str]) -> str | Finished:
        """A run, or the code of why it has no effect; nothing changes yet."""
        permitted = frozenset((caller,))
        typed = check(program, self.values, permitted)
        errors = [d for d in typed.diagnostics if d.is_error]
        if errors:
            return errors[0].code
        asking = Asking()
        self.given = self.initial()
        inputs = Inputs(self.given, asking, permitted=permitted, merges=self.merges)
        finished = evaluate(program, inputs)
        if finished.stuck is not None:
            return finished.stuck.code
        self.asked = asking.requests
        needed = {r.principal for r in self.asked if set(hyps(r)) <= finished.committed}
        needed |= {r.principal for r in self.asked} & self.read_for_good(finished)
        return "opal-not-endorsed" if (needed - {caller}) & denied else finished

    def read_for_good(self, finished: Finished) -> set[str]:
        """The nodes whose variables decide what the run leaves behind."""
        assert finished.store is not None
        trace = finished.trace
        found = set()
        kept = [(None, node) for node in finished.absent.values()]
        for place, binding in finished.store.items():
            initial = binding.write is not None and binding.write.action == "initial"
            own = self.given[place].at.source if initial else None
            kept += [(own, binding.node), (own, binding.written)]  # type: ignore[list-item]
        by_source = {given.at.source: place.node for place, given in self.given.items()}
        for own, node in kept:
            sources = {label.at.source for label in depends(trace, node)} - {own}
            found |= {by_source[source] for source in sources if source in by_source}
        return found

    def apply(self, id: str, finished: Finished, caller: str) -> None:
        """What a run wrote and left."""
        self.done.add(id)
        assert finished.store is not None
        for name, left in finished.worlds.items():
            self.worlds[f"{id}.{name}"] = self.world(finished, left, caller)
        for place, binding in written(finished.store).items():
            self.values[place] = plain(binding.value)
            handle = handle_of(binding.write)
            if handle is not None:
                self.merges[place] = handle

    def world(self, finished: Finished, left: Left, caller: str) -> ModelWorld:
        trace = finished.trace
        nodes = [node for b in left.hyp.values() for node in (b.node, b.written)]
        labels = set(depends(trace, trace.union(*nodes, *left.absent.values(), left.causes)))
        sources = {label.at.source for label in labels}
        reads: dict[Place, Any] = {}
        for place, given in self.given.items():
            if given.at.source in sources:
                reads[place] = given.data
        for place, binding in left.orig.items():
            write = binding.write
            if write is not None and write.action != "initial" and write.label in labels:
                reads[place] = plain(binding.value)
        needs = {r.principal for r in self.asked} & {place.node for place in reads}
        for request in self.asked:
            around = hyps(request)
            at = request.command.at
            if left.at in around:
                if set(around[: around.index(left.at)]) <= finished.committed:
                    needs.add(request.principal)
            elif at.start <= left.at.start and left.at.end <= at.end:
                needs.add(request.principal)
        return ModelWorld(
            caller,
            {p: plain(b.value) for p, b in left.orig.items()},
            {p: plain(b.value) for p, b in left.hyp.items()},
            {p: handle_of(b.write) for p, b in left.hyp.items()},
            reads,
            needs,
        )

    # --- worlds -----------------------------------------------------------------------

    def commit(
        self, id: str, caller: str, denied: frozenset[str], *, check_reads: bool
    ) -> str | None:
        """Commits a world; the code of why not."""
        world = self.worlds.get(id)
        if world is None:
            return "opal-world-unknown"
        if world.principal != caller:
            return "opal-world-of-other"
        if world.state != "open":
            return None if world.state == "committed" else "opal-world-closed"
        merged = self.merge(world, caller)
        if isinstance(merged, str):
            return merged
        if (world.needs - {caller}) & denied:
            return "opal-not-endorsed"
        if check_reads:
            for place, value in world.reads.items():
                if place not in world.hyp and self.values.get(place) != value:
                    return "opal-reads-changed"
        for place, value in merged.items():
            if not (place in world.orig and place in self.merges):
                handle = world.merges[place]
                if handle is not None:
                    self.merges[place] = handle
            self.values[place] = value
        world.state = "committed"
        return None

    def merge(self, world: ModelWorld, caller: str) -> Values | str:
        """COMMIT, MERGESTO and MERGESTORE, over the variables of the moment."""
        run = Run(Inputs(), com, derive=False)

        def store(values: Values) -> Store:
            bound = {}
            for place, data in values.items():
                value = from_plain(run.heap, data, atoms=True)
                bound[place] = Binding(value, NOTHING, NOTHING, None)
            return Store(bound)

        hyp = store(world.hyp)
        tried = Tried(Stack(store(world.orig)), hyp, frozenset(hyp.bound), NOWHERE)
        merges = {p: h for p, h in self.merges.items() if p in world.orig}
        pi = frozenset((caller, *world.needs))
        start = Config(Stack(store(self.values)), {"u": tried}, pi, "home", {}, merges)
        after = com(run, Commit(WorldVar("u")), start)
        if isinstance(after, Stuck):
            return after.diagnostic.code
        return {place: plain(after.top.bound[place].value) for place in world.hyp}

    def drop(self, id: str, caller: str) -> str | None:
        """Gives a world up; the code of why not."""
        world = self.worlds.get(id)
        if world is None:
            return "opal-world-unknown"
        if world.principal != caller:
            return "opal-world-of-other"
        if world.state != "open":
            return "opal-world-closed"
        world.state = "dropped"
        return None

    def open(self) -> list[str]:
        return [id for id, world in self.worlds.items() if world.state == "open"]


def written(store: dict[Place, Binding]) -> dict[Place, Binding]:
    """What a run bound itself."""
    return {p: b for p, b in store.items() if b.write is None or b.write.action != "initial"}


def places(values: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(values))
