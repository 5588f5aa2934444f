"""Heads: what a definition gives at its own level, before anything is resolved.

The head of a definition is its atoms (literals and block literals, each with the tags it
has gathered) and its constraints.  What is inside a block literal is looked at only when
the label it ends up at is resolved, with the tags of the block carried along, so tags are
never pushed down in vain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.l3.engine.links import Links
from headwater.langs.l3.findings import unknown_label
from headwater.langs.l3.syntax import (
    DEFAULT,
    FINAL,
    Annotated,
    Block,
    Compose,
    Expr,
    Literal,
    Member,
    Order,
    Reference,
    Specialise,
    Tag,
)
from headwater.langs.l3.values import MOST_CANDIDATES, MOST_TAG_SETS
from headwater.report import Diagnostic
from headwater.text.named import NamedTuple

Atom: TypeAlias = Literal | Block


class Position(NamedTuple):
    """The place of an operand in a chain of +>: the anonymous tags of all its operators.

    The paper gives operand i of ``a +> b +> c`` one tag as the right side of its operator
    and one for every later operator.  Of two operands the later wins, so the place says
    the same, and a chain of n operands needs n tags instead of n².
    """

    chain: Specialise
    place: int


class TooLarge(Exception):
    """A bound is broken; caught in `language`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


class TagSet:
    """A set of tags.  Equal sets are one object, compared by identity (bench/l3.py)."""

    __slots__ = ("default", "final", "tags")

    def __init__(self, tags: frozenset[str | Position]) -> None:
        self.tags = tags
        self.default = DEFAULT in tags
        self.final = FINAL in tags

    def __contains__(self, tag: object) -> bool:
        return tag in self.tags

    def __iter__(self) -> Iterator[str | Position]:
        return iter(self.tags)


class Env(NamedTuple):
    """The tags that apply, and the places that gave them."""

    tags: TagSet
    given: frozenset[Tag]


class Envs:
    """The table of all tag sets of a program."""

    def __init__(self) -> None:
        self._sets: dict[frozenset[str | Position], TagSet] = {}
        self._joins: dict[tuple[TagSet, TagSet], TagSet] = {}
        self.empty = Env(self.set_of(frozenset()), frozenset())

    def set_of(self, tags: frozenset[str | Position]) -> TagSet:
        """The one object for these tags."""
        known = self._sets.get(tags)
        if known is None:
            known = self._sets[tags] = TagSet(tags)
        return known

    def count(self) -> int:
        """How many different sets there are."""
        return len(self._sets)

    def join(self, one: Env, other: Env) -> Env:
        """The tags of both."""
        if other is self.empty or one is other:
            return one
        if one is self.empty:
            return other
        key = (one[0], other[0])
        tags = self._joins.get(key)
        if tags is None:
            tags = self._joins[key] = self.set_of(one[0].tags | other[0].tags)
        return Env(tags, one[1] | other[1])

    def tagged(self, env: Env, notes: Iterable[Tag | Order]) -> Env:
        """With the tags among some annotations."""
        given = frozenset([note for note in notes if type(note) is Tag])
        if not given:
            return env
        tags = self.set_of(frozenset([tag.name for tag in given]))
        return self.join(env, Env(tags, given))

    def placed(self, env: Env, position: Position) -> Env:
        """As an operand of a +>."""
        return self.join(env, Env(self.set_of(frozenset({position})), frozenset()))


@dataclass(slots=True)
class Head:
    """Atoms with their tags, and constraints."""

    atoms: dict[tuple[Atom, TagSet], Env] = field(default_factory=dict)
    constraints: frozenset[Order] = frozenset()

    def add(self, atom: Atom, env: Env) -> None:
        """One atom more; the same atom with the same tags is one, given by more places."""
        key = (atom, env[0])
        known = self.atoms.setdefault(key, env)
        if known is not env:
            self.atoms[key] = Env(env[0], known[1] | env[1])


class Heads:
    """The heads of all definitions that are more than a literal."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.envs = Envs()
        self.errors: list[Diagnostic] = []
        self._heads: dict[Member, Head] = {}
        self._count = 0
        for member in links.order:
            head = self._heads[member] = self._head(member.value)
            self._count += len(head.atoms)
            if self._count > MOST_CANDIDATES:
                bound = f"{MOST_CANDIDATES:,} candidates"
                raise TooLarge(OUTPUT_TOO_LARGE.at(member.key, bound=bound))
            if self.envs.count() > MOST_TAG_SETS:
                bound = f"{MOST_TAG_SETS:,} sets of tags"
                raise TooLarge(OUTPUT_TOO_LARGE.at(member.key, bound=bound))

    def of(self, member: Member) -> Head:
        """The head of a definition."""
        head = self._heads.get(member)
        return head if head is not None else self._head(member.value)

    def _head(self, expr: Expr) -> Head:
        head = Head()
        envs = self.envs
        todo: list[tuple[Expr, Env]] = [(expr, envs.empty)]
        while todo:
            part, env = todo.pop()
            match part:
                case Literal() | Block():
                    head.add(part, env)
                case Compose(operands=operands):
                    todo.extend((operand, env) for operand in operands)
                case Annotated(value=value, annotations=notes):
                    todo.append((value, envs.tagged(env, notes)))
                    orders = [note for note in notes if isinstance(note, Order)]
                    if orders:
                        head.constraints = head.constraints.union(orders)
                case Specialise(operands=operands):
                    todo.extend(
                        (operand, envs.placed(env, Position(part, i)))
                        for i, operand in enumerate(operands)
                    )
                case Reference():
                    self._refer(head, part, env)
                case _:
                    pass
        return head

    def _refer(self, into: Head, reference: Reference, env: Env) -> None:
        """What a reference stands for, put into a head."""
        target = self.projected(reference)
        if target is None:
            return
        if into.constraints != target.constraints and target.constraints:
            into.constraints |= target.constraints
        for (atom, _), inner in target.atoms.items():
            into.add(atom, self.envs.join(inner, env))
        if len(into.atoms) > MOST_CANDIDATES:
            bound = f"{MOST_CANDIDATES:,} candidates"
            raise TooLarge(OUTPUT_TOO_LARGE.at(reference.at, bound=bound))

    def projected(self, reference: Reference) -> Head | None:
        """The head of what ``$a.b`` names; none, with an error, if there is no such label."""
        meant = self.meant(reference)
        if meant is None:
            return None
        contributions, passed = meant
        head = self.gathered(contributions)
        if passed:
            head.constraints |= passed
        return head

    def meant(
        self, reference: Reference
    ) -> tuple[list[tuple[Member, Env]], frozenset[Order]] | None:
        """The definitions that ``$a.b`` names, and the constraints passed on the way to them."""
        contributions = [
            (member, self.envs.tagged(self.envs.empty, file.annotations if file else ()))
            for file, member in self.links.targets[reference].definitions
        ]
        passed: frozenset[Order] = frozenset()
        for depth, label in enumerate(reference.path[1:], start=1):
            head = self.gathered(contributions)
            passed |= head.constraints
            blocks = [(atom, env) for (atom, _), env in head.atoms.items() if type(atom) is Block]
            contributions = [(b.members[label], env) for b, env in blocks if label in b.members]
            if not contributions:
                known = {name for block, _ in blocks for name in block.members}
                self.errors.append(
                    unknown_label(reference, depth, known, (block for block, _ in blocks))
                )
                return None
        return contributions, passed

    def gathered(self, contributions: Iterable[tuple[Member, Env]]) -> Head:
        """The heads of several definitions as one, each with further tags."""
        whole = Head()
        envs = self.envs
        for member, env in contributions:
            value = member.value
            if type(value) is Literal or type(value) is Block:
                whole.add(value, env)
                continue
            if type(value) is Annotated and type(value.value) is Literal:
                notes = value.annotations
                whole.add(value.value, envs.tagged(env, notes))
                orders = [note for note in notes if type(note) is Order]
                if orders:
                    whole.constraints = whole.constraints.union(orders)
                continue
            head = self.of(member)
            if head.constraints:
                whole.constraints |= head.constraints
            for (atom, _), inner in head.atoms.items():
                whole.add(atom, envs.join(inner, env))
        return whole
