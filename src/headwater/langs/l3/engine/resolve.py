"""The result: every label resolved, from the top down, with a stack of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.l3.engine.contest import Constraints, Referee, cycle_among
from headwater.langs.l3.engine.heads import Env, Heads, TooLarge
from headwater.langs.l3.engine.judge import Choice, Group, grouped
from headwater.langs.l3.syntax import Block, Literal, Member, Order, Program
from headwater.langs.l3.values import (
    BLOCK,
    MOST_CANDIDATES,
    MOST_LEVELS,
    MOST_VALUES,
    Key,
    value_of,
)
from headwater.langs.l3.verdict import Both, Clash, Tie
from headwater.text.named import NamedTuple
from headwater.tree import Address, Value


class Path(NamedTuple):
    """An address from its end: cheap to make, and only shown if there is something to say."""

    above: Path | None
    label: str
    depth: int


def address_of(path: Path | None) -> Address:
    """The address of a path."""
    labels: list[str] = []
    while path is not None:
        labels.append(path.label)
        path = path.above
    return tuple(reversed(labels))


class Task(NamedTuple):
    """A label to be resolved: its contributions, the constraints in force, where it goes."""

    contributions: list[tuple[Member, Env]]
    constraints: Constraints
    path: Path
    into: dict[str, Value]
    put_out: bool


@dataclass(slots=True)
class Resolved:
    """The tree, and what is to be said about it."""

    tree: dict[str, Value] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    both: list[Both] = field(default_factory=list)


class Resolution:
    """One run over a program."""

    def __init__(self, heads: Heads, referee: Referee) -> None:
        self.heads = heads
        self.referee = referee
        self.resolved = Resolved()
        self.todo: list[Task] = []
        self.values = self.candidates = 0

    def run(self, program: Program) -> Resolved:
        """Resolves the files, composed."""
        envs = self.heads.envs
        roots = [(f.block, envs.tagged(envs.empty, f.annotations)) for f in program.files]
        orders = frozenset(
            note for f in program.files for note in f.annotations if isinstance(note, Order)
        )
        self.root(roots)
        self.children(roots, orders, None, self.resolved.tree, put_out=True)
        while self.todo:
            self.label(self.todo.pop())
        return self.resolved

    def root(self, roots: list[tuple[Block, Env]]) -> None:
        """The top level is always a block; only its tags can be worth a warning."""
        for group in grouped(roots):
            if group.default and group.final:
                self.resolved.both.append(Both((), group.candidate()))

    def children(
        self,
        blocks: list[tuple[Block, Env]],
        constraints: Constraints,
        path: Path | None,
        into: dict[str, Value],
        *,
        put_out: bool,
    ) -> None:
        """The labels of a block.  Plain literals are done at once, others get a place to fill."""
        kids: dict[str, list[tuple[Member, Env]]] = {}
        for block, env in blocks:
            for label, member in block.members.items():
                known = kids.get(label)
                if known is None:
                    kids[label] = [(member, env)]
                else:
                    known.append((member, env))
        depth = path.depth + 1 if path is not None else 0
        self.values += len(kids)
        if self.values > MOST_VALUES:
            some = next(iter(kids.values()))[0][0]
            raise TooLarge(OUTPUT_TOO_LARGE.at(some.key, bound=f"{MOST_VALUES:,} values"))
        tasks: list[Task] = []
        for label in sorted(kids):
            given = kids[label]
            if len(given) == 1:
                member, env = given[0]
                if type(member.value) is Literal and not (env[0].default and env[0].final):
                    self.candidates += 1
                    into[label] = value_of(member.value.key)
                    continue
            into[label] = None
            tasks.append(Task(given, constraints, Path(path, label, depth), into, put_out))
        tasks.reverse()
        self.todo += tasks

    def label(self, task: Task) -> None:
        """One label: judges its candidates, then goes on to what is inside."""
        contributions, constraints, path, into, put_out = task
        if path.depth > MOST_LEVELS:
            at = contributions[0][0].key
            raise TooLarge(OUTPUT_TOO_LARGE.at(at, bound=f"{MOST_LEVELS} levels"))
        head = self.heads.gathered(contributions)
        if head.constraints:
            constraints |= head.constraints
        self.candidates += len(head.atoms)
        if self.candidates > MOST_CANDIDATES:
            bound = f"{MOST_CANDIDATES:,} candidates"
            raise TooLarge(OUTPUT_TOO_LARGE.at(contributions[0][0].key, bound=bound))
        atoms = [(atom, env) for (atom, _), env in head.atoms.items()]
        groups = grouped(atoms)
        if not groups:
            del into[path.label]
            return
        blocks = [(atom, env) for atom, env in atoms if type(atom) is Block]
        key = self.judge(groups, constraints, path, put_out)
        if key is not None and key != BLOCK:
            into[path.label] = value_of(key)
        below: dict[str, Value] = {}
        if key == BLOCK:
            into[path.label] = below
        if blocks:
            self.children(blocks, constraints, path, below, put_out=put_out and key == BLOCK)

    def judge(
        self, groups: list[Group], constraints: Constraints, path: Path, put_out: bool
    ) -> Key | None:
        """The winning value, or none if finals clash."""
        first = groups[0].key
        if len(groups) > 1 and any(group.key != first for group in groups):
            choice = Choice(groups, constraints, self.referee)
            if not choice.winners:
                finals = tuple(group.candidate() for group in choice.survivors)
                self.resolved.clashes.append(Clash(address_of(path), finals))
                return None
            if choice.tied and put_out:
                cycle = cycle_among([g.tags for g in choice.survivors], constraints)
                tied = tuple(group.candidate() for group in choice.survivors)
                self.resolved.ties.append(Tie(address_of(path), tied, cycle))
            first = choice.winners[0].key
        if put_out:
            for group in groups:
                if group.default and group.final:
                    self.resolved.both.append(Both(address_of(path), group.candidate()))
        return first
