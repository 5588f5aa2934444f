"""The causes of the engine's values, found when they are asked for.

A `Place` is one label of the result, taken apart again with the same heads; places are
made along the addresses that are asked about and kept, so that asking for every value
costs about as much as one compilation.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.l3.elements import element_node, literals_by_label
from headwater.langs.l3.engine.contest import Constraints, Referee
from headwater.langs.l3.engine.heads import Env, Heads
from headwater.langs.l3.engine.judge import grouped, verdict
from headwater.langs.l3.engine.leaves import Sides, sides
from headwater.langs.l3.labels import (
    block_label,
    key_label,
    literal_label,
    miss_label,
    reference_label,
)
from headwater.langs.l3.syntax import (
    Annotated,
    Block,
    Compose,
    Expr,
    Literal,
    Member,
    Order,
    Program,
    Reference,
    Specialise,
    Undef,
)
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Verdict, first_level, node_of, own_causes, union
from headwater.text import Span
from headwater.tree import Address
from headwater.why import NOTHING, Label, Node, Trace


class Place:
    """A label of the result: its block literals, the constraints in force, its verdict."""

    __slots__ = ("blocks", "constraints", "context", "kids", "through", "verdict")

    def __init__(
        self,
        blocks: list[tuple[Block, Env]],
        constraints: Constraints,
        judged: Verdict | None,
        through: Node,
        context: Node,
    ) -> None:
        self.blocks = blocks
        self.constraints = constraints
        self.verdict = judged
        self.through = through
        self.context = context
        self.kids: dict[str, Place] | None = None


class EngineCauses:
    """The causes of a result of the engine."""

    def __init__(self, heads: Heads, referee: Referee, program: Program) -> None:
        self.program = program
        self._heads = heads
        self._links = heads.links
        self._referee = referee
        self._trace = Trace()
        self._literals: dict[Label, Literal] | None = None
        self._through: dict[Member, Node] | None = None
        self._root: Place | None = None

    @property
    def trace(self) -> Trace:
        """The trace that grows with the questions."""
        return self._trace

    def verdict_at(self, address: Address) -> Verdict:
        """The verdict of a label that is put out."""
        return self._verdict(self._find(address)[0])

    def sides_at(self, address: Address, key: Key, *, through: bool = True) -> Sides:
        """The operands that bring a value to a label that is put out, and those of its rivals."""
        around, _ = self._find(address[:-1])
        label = str(address[-1])
        members = [b.members[label] for b, _ in around.blocks if label in b.members]
        return sides(members, key, self._heads, through=through)

    def places(self) -> Iterator[tuple[Address, Place]]:
        """Every label that is put out or absent, below the top."""
        todo: list[tuple[Address, Place]] = [((), self._top())]
        while todo:
            address, place = todo.pop()
            if address:
                yield address, place
            if place.verdict is not None and place.verdict.key == BLOCK:
                kids = self._kids(place)
                todo.extend(((*address, label), kids[label]) for label in reversed(kids))

    def _verdict(self, place: Place) -> Verdict:
        assert place.verdict is not None
        return place.verdict

    def _find(self, address: Address) -> tuple[Place, int]:
        """The place at the longest labelled part of an address, and how long that part is."""
        place = self._top()
        for depth, part in enumerate(address):
            if self._verdict(place).key != BLOCK:
                return place, depth
            place = self._kids(place)[str(part)]
        return place, len(address)

    def _top(self) -> Place:
        if self._root is None:
            files = self._links.program.files
            envs = self._heads.envs
            roots = [(f.block, envs.tagged(envs.empty, f.annotations)) for f in files]
            orders = frozenset(n for f in files for n in f.annotations if isinstance(n, Order))
            judged = verdict(grouped(roots), orders, self._referee)
            self._root = Place(roots, orders, judged, NOTHING, NOTHING)
        return self._root

    def _kids(self, place: Place) -> dict[str, Place]:
        """The places inside a block."""
        if place.kids is not None:
            return place.kids
        trace = self._trace
        around = place.context
        if place.verdict is not None and place.verdict.mixed:
            around = trace.union(around, union(trace, own_causes(place.verdict)))
        given: dict[str, list[tuple[Member, Env]]] = {}
        for block, env in place.blocks:
            for label, member in block.members.items():
                given.setdefault(label, []).append((member, env))
        literals = dict.fromkeys(block for block, _ in place.blocks)
        place.kids = {}
        for label in sorted(given):
            contributions = given[label]
            head = self._heads.gathered(contributions)
            constraints = place.constraints | head.constraints
            atoms = [(atom, env) for (atom, _), env in head.atoms.items()]
            groups = grouped(atoms)
            judged = verdict(groups, constraints, self._referee) if groups else None
            misses = [miss_label(b, label) for b in literals if label not in b.members]
            members = dict.fromkeys(member for member, _ in contributions)
            through = trace.union(*(self._came_through(member) for member in members))
            context = trace.union(around, union(trace, misses), through)
            blocks = [(atom, env) for atom, env in atoms if type(atom) is Block]
            place.kids[label] = Place(blocks, constraints, judged, through, context)
        return place.kids

    # -- what a definition came through ------------------------------------------------

    def _came_through(self, member: Member) -> Node:
        """Keys, references, misses and undef on the way to a definition's atoms."""
        if self._through is None:
            self._through = {}
            for one in self._links.order:
                self._through[one] = self._passed(one)
        found = self._through.get(member)
        return found if found is not None else self._passed(member)

    def _passed(self, member: Member) -> Node:
        trace = self._trace
        node = trace.label(key_label(member))
        todo: list[Expr] = [member.value]
        while todo:
            match todo.pop():
                case Undef() as undef:
                    node = trace.union(node, trace.label(literal_label(undef)))
                case Reference() as reference:
                    node = trace.union(node, self._referred(reference))
                case Compose(operands=operands) | Specialise(operands=operands):
                    todo.extend(operands)
                case Annotated(value=value):
                    todo.append(value)
                case _:
                    pass
        return node

    def _referred(self, reference: Reference) -> Node:
        trace, heads = self._trace, self._heads
        name = reference.path[0]
        node = trace.label(reference_label(reference))
        node = trace.union(
            node, union(trace, [miss_label(b, name) for b in self._links.missed(reference)])
        )
        definitions = self._links.targets[reference].definitions
        members = [(member, heads.envs.empty) for _, member in definitions]
        for label in reference.path[1:]:
            node = trace.union(node, *(self._came_through(m) for m, _ in members))
            atoms = {atom: None for atom, _ in heads.gathered(members).atoms}
            blocks = [atom for atom in atoms if isinstance(atom, Block)]
            lacking = [miss_label(b, label) for b in blocks if label not in b.members]
            node = trace.union(node, union(trace, lacking))
            members = [(b.members[label], heads.envs.empty) for b in blocks if label in b.members]
        return trace.union(node, *(self._came_through(member) for member, _ in members))

    # -- the protocol ------------------------------------------------------------------

    def of(self, address: Address) -> Node:
        """The node of the value at an address."""
        place, depth = self._find(address)
        trace = self._trace
        judged = self._verdict(place)
        if depth < len(address):
            if self._literals is None:
                self._literals = literals_by_label(self._links.program)
            whole = self.of(address[:depth])
            return element_node(trace, judged, self._literals, address[depth:], whole)
        context = place.context
        if judged.key == BLOCK:
            context = trace.union(context, self._inside(place))
        kids = self._kids(place) if place.blocks and judged.key != BLOCK else {}
        shown = first_level(
            (label, kid.verdict.key) for label, kid in kids.items() if kid.verdict is not None
        )
        return node_of(trace, judged, context, shown)

    def _inside(self, root: Place) -> Node:
        """Everything a whole block depends on."""
        trace = self._trace
        parts: list[Node] = []
        todo = [root]
        while todo:
            place = todo.pop()
            if place is not root:
                if place.verdict is None:
                    parts.append(place.through)
                    continue
                parts.append(place.context)
                parts.append(union(trace, own_causes(place.verdict)))
            if self._verdict(place).key == BLOCK:
                parts.append(union(trace, [block_label(b) for b, _ in place.blocks]))
                todo.extend(self._kids(place).values())
        return trace.union(*parts)

    def output(self) -> Node:
        """What could change which labels there are."""
        trace = self._trace
        parts: list[Node] = []
        todo = [self._top()]
        while todo:
            place = todo.pop()
            parts.append(place.through)
            parts.append(union(trace, [block_label(b) for b, _ in place.blocks]))
            if place.verdict is None:
                continue
            if place.verdict.mixed:
                parts.append(union(trace, own_causes(place.verdict)))
            if place.verdict.key == BLOCK:
                todo.extend(self._kids(place).values())
        return trace.union(*parts)

    def position(self, address: Address) -> None:
        """Labels are sorted: nothing decides a place."""

    def path(self, address: Address) -> tuple[Span, ...]:
        """L3 has no calls: a value's way is told by the keys and references it depends on."""
        return ()
