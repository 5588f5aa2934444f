"""From atoms to a `Verdict`: the full judgement of a label, made when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.langs.l3.engine.contest import Constraints, Referee, chain, relevant
from headwater.langs.l3.engine.heads import Atom, Env, TagSet
from headwater.langs.l3.labels import block_label, literal_label, note_label
from headwater.langs.l3.syntax import DEFAULT, FINAL, Literal, Tag, TagName
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Candidate, Lost, Verdict
from headwater.why import Label, Reason


class Group:
    """A candidate: the atoms with one value and one tag set."""

    __slots__ = ("atoms", "default", "final", "given", "key", "tags")

    def __init__(self, key: Key, tags: TagSet) -> None:
        self.key = key
        self.tags = tags
        self.atoms: dict[Atom, None] = {}
        self.given: set[Tag] = set()
        self.default = tags.default
        self.final = tags.final

    def candidate(self) -> Candidate:
        """The candidate with its places; anonymous tags have none."""
        labels: dict[TagName, set[Label]] = {}
        for tag in self.given:
            labels.setdefault(tag.name, set()).add(note_label(tag))
        return Candidate(
            self.key,
            frozenset(t for t in self.tags if isinstance(t, str)),
            frozenset(
                literal_label(atom) if type(atom) is Literal else block_label(atom)  # type: ignore[arg-type]
                for atom in self.atoms
            ),
            {name: frozenset(places) for name, places in labels.items()},
        )


def grouped(atoms: Iterable[tuple[Atom, Env]]) -> list[Group]:
    """The candidates that atoms make, in the order of values."""
    groups: dict[tuple[Key, TagSet], Group] = {}
    for atom, env in atoms:
        key = atom.key if type(atom) is Literal else BLOCK
        tags, given = env
        group = groups.get((key, tags))
        if group is None:
            group = groups[key, tags] = Group(key, tags)
        group.atoms[atom] = None
        if given:
            group.given |= given
    if len(groups) == 1:
        return [*groups.values()]
    return sorted(groups.values(), key=_group_key)


def _group_key(group: Group) -> Key:
    return group.key


class Choice:
    """Winners, survivors and their class; without winners if finals clash."""

    __slots__ = ("contenders", "finals", "survivors", "winners")

    def __init__(self, groups: list[Group], constraints: Constraints, referee: Referee) -> None:
        finals = [g for g in groups if g.final]
        self.finals = bool(finals)
        if finals:
            self.contenders = self.survivors = finals
            same = all(g.key == finals[0].key for g in finals)
            self.winners = finals if same else []
            return
        self.contenders = [g for g in groups if not g.default] or groups
        sets = frozenset(g.tags for g in self.contenders)
        alive = referee.survivors(sets, constraints)
        self.survivors = [g for g in self.contenders if g.tags in alive]
        least = self.survivors[0].key
        self.winners = [g for g in self.survivors if g.key == least]

    @property
    def tied(self) -> bool:
        """Whether different values are left."""
        return bool(self.winners) and len(self.winners) < len(self.survivors)


def verdict(groups: list[Group], constraints: Constraints, referee: Referee) -> Verdict:
    """The full verdict over candidates whose finals do not clash."""
    choice = Choice(groups, constraints, referee)
    assert choice.winners
    made = {id(group): group.candidate() for group in groups}
    winners = {id(group) for group in choice.winners}
    rest = [group for group in groups if id(group) not in winners]
    after = {id(g) for g in Choice(rest, constraints, referee).winners} if rest else set()
    judge = _Reasons(choice, made, constraints)
    lost = tuple(
        Lost(made[id(group)], *judge.reason(group), next=id(group) in after) for group in rest
    )
    return Verdict(
        tuple(made[id(g)] for g in groups),
        tuple(made[id(g)] for g in choice.winners),
        tuple(made[id(g)] for g in choice.survivors),
        lost,
        frozenset()
        if choice.finals
        else relevant([g.tags for g in choice.contenders], constraints),
    )


class _Reasons:
    """Why candidates lost; chains are looked for once for each tag set."""

    def __init__(
        self, choice: Choice, made: dict[int, Candidate], constraints: Constraints
    ) -> None:
        self.choice = choice
        self.made = made
        self.constraints = constraints
        self.survivors = {id(g) for g in choice.survivors}
        self.contenders = {id(g) for g in choice.contenders}
        winners = [made[id(g)] for g in choice.winners]
        self.finals = frozenset(
            x for c in winners for x in c.tag_labels.get(FINAL, ()) if choice.finals
        )
        self.literals = frozenset(x for c in winners for x in c.literals)
        self.chains: dict[TagSet, tuple[Label | None, str | None, frozenset[Label]]] = {}

    def reason(self, group: Group) -> tuple[Reason, frozenset[Label]]:
        """Why this candidate lost, and the inputs that say so."""
        if self.choice.finals:
            return "final", self.finals
        if id(group) not in self.contenders:
            return "default", self.made[id(group)].tag_labels[DEFAULT]
        if id(group) in self.survivors:
            return "tie", self.literals
        first, last, labels = self.chain(group.tags)
        by = set(labels)
        if last is not None:
            by.update(self.made[id(group)].tag_labels[last])
        if first is not None:
            by.add(first)
        return "constraint", frozenset(by)

    def chain(self, loser: TagSet) -> tuple[Label | None, str | None, frozenset[Label]]:
        """Where the tag that a chain begins with is first given, and the tag it ends with."""
        known = self.chains.get(loser)
        if known is None:
            others = self.choice.survivors
            found = chain(loser, {g.tags for g in others}, self.constraints)
            if found is None:
                others = [g for g in self.choice.contenders if g.tags is not loser]
                found = chain(loser, {g.tags for g in others}, self.constraints)
            assert found is not None
            first, last, labels = found
            place: Label | None = None
            if first is not None:
                given = (
                    label
                    for g in others
                    if first in g.tags
                    for label in self.made[id(g)].tag_labels[first]
                )
                place = min(given, key=lambda label: label.order)
            known = self.chains[loser] = (place, last, labels)
        return known
