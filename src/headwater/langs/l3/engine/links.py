"""What references mean, and an order of definitions in which each comes after what it needs."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.l3.findings import reference_cycle, unknown_name
from headwater.langs.l3.syntax import (
    Annotated,
    Block,
    Expr,
    File,
    Literal,
    Member,
    Program,
    Reference,
    Undef,
    inside,
)
from headwater.report import Diagnostic
from headwater.text.named import NamedTuple


class Scope(NamedTuple):
    """A block and the scope it is in."""

    block: Block
    outer: Scope | None


class Target(NamedTuple):
    """The definitions that a reference means, with their files if it looked into all files."""

    definitions: tuple[tuple[File | None, Member], ...]
    scope: Scope


@dataclass(slots=True)
class Links:
    """The references of a program.  Members that are plain literals are in no table."""

    program: Program
    targets: dict[Reference, Target] = field(default_factory=dict)
    needs: dict[Member, list[tuple[Reference | None, Member]]] = field(default_factory=dict)
    order: list[Member] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)

    def missed(self, reference: Reference) -> list[Block]:
        """The blocks in which a reference was looked for in vain."""
        name = reference.path[0]
        missed: dict[Block, None] = {}
        scope: Scope | None = self.targets[reference].scope
        while scope is not None:
            if name in scope.block.members:
                return list(missed)
            missed[scope.block] = None
            scope = scope.outer
        for file in self.program.files:
            if name not in file.block.members:
                missed[file.block] = None
        return list(missed)


def link(program: Program) -> Links:
    """Looks up every reference; unknown names and cycles are among the errors."""
    links = Links(program)
    todo = [Scope(file.block, None) for file in program.files]
    while todo:
        scope = todo.pop()
        for member in scope.block.members.values():
            value = member.value
            kind = type(value)
            if kind is Literal or kind is Undef or _plain(value):
                continue
            references, blocks = inside(value)
            needed: list[tuple[Reference | None, Member]] = []
            for inner in blocks:
                todo.append(Scope(inner, scope))
                needed.extend((None, m) for m in inner.members.values())
            for reference in references:
                target = _look_up(reference.path[0], scope, program)
                if target is None:
                    links.errors.append(unknown_name(reference, _visible(scope, program)))
                else:
                    links.targets[reference] = target
                    needed.extend((reference, m) for _, m in target.definitions)
            links.needs[member] = needed
    knots = _sort(links)
    for knot in knots:
        links.errors.append(_cycle(links, knot))
    return links


def _plain(value: Expr) -> bool:
    """Whether a value is a literal with annotations, which is most of what is written."""
    return type(value) is Annotated and type(value.value) is Literal


def _look_up(name: str, scope: Scope, program: Program) -> Target | None:
    at: Scope | None = scope
    while at is not None:
        found = at.block.members.get(name)
        if found is not None:
            return Target(((None, found),), scope)
        at = at.outer
    everywhere = tuple(
        (file, file.block.members[name]) for file in program.files if name in file.block.members
    )
    return Target(everywhere, scope) if everywhere else None


def _visible(scope: Scope | None, program: Program) -> set[str]:
    names = {label for file in program.files for label in file.block.members}
    while scope is not None:
        names.update(scope.block.members)
        scope = scope.outer
    return names


def _sort(links: Links) -> list[list[Member]]:
    """Tarjan's algorithm with a stack of its own: fills `order`, returns the knots."""
    needs = links.needs
    index: dict[Member, int] = {}
    low: dict[Member, int] = {}
    open_: list[Member] = []
    is_open: set[Member] = set()
    knots: list[list[Member]] = []
    for root in needs:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_.append(root)
        is_open.add(root)
        work = [(root, iter(needs[root]))]
        while work:
            member, rest = work[-1]
            for _, other in rest:
                if other not in needs:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    open_.append(other)
                    is_open.add(other)
                    work.append((other, iter(needs[other])))
                    break
                if other in is_open:
                    low[member] = min(low[member], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[member])
                if low[member] == index[member]:
                    knot = []
                    while True:
                        one = open_.pop()
                        is_open.discard(one)
                        knot.append(one)
                        links.order.append(one)
                        if one is member:
                            break
                    if len(knot) > 1 or any(other is member for _, other in needs[member]):
                        knots.append(knot)
    return knots


def _cycle(links: Links, knot: list[Member]) -> Diagnostic:
    """The error for definitions that need each other, at their first reference."""
    within = set(knot)
    inner = [
        (reference.at.source.name, reference.at.start, reference, member, target)
        for member in knot
        for reference, target in links.needs[member]
        if reference is not None and target in within
    ]
    _, _, reference, start, target = min(inner, key=lambda edge: edge[:2])
    came: dict[Member, tuple[Reference | None, Member] | None] = {target: None}
    todo = [target]
    for member in todo:
        for via, other in links.needs.get(member, ()):
            if other not in came:
                came[other] = (via, member)
                todo.append(other)
    way: list[Reference] = []
    step = came[start]
    while step is not None:
        via, member = step
        if via is not None:
            way.append(via)
        step = came[member]
    return reference_cycle([reference, *reversed(way)])
