"""Reference: which definitions ``$name`` means, and in which order they can be denoted.

``$name`` is the lexically nearest enclosing block literal that defines the label, outwards
to the file; if none does, the label in all files together.  Order means nothing: a
definition may come later.  A definition that needs itself is a reference cycle.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.l3.findings import reference_cycle, unknown_name
from headwater.langs.l3.paper.domains import Stuck
from headwater.langs.l3.syntax import Block, File, Member, Program, Reference, inside
from headwater.report import Diagnostic


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference means: a definition, or the definitions of several files; and the
    blocks that were searched in vain."""

    definitions: tuple[tuple[File | None, Member], ...]
    missed: tuple[Block, ...]


@dataclass(slots=True)
class Names:
    """All references of a program, and all definitions, each after those it needs."""

    targets: dict[Reference, Target] = field(default_factory=dict)
    order: list[Member] = field(default_factory=list)


def names(program: Program) -> Names | Stuck:
    """Looks up every reference of a program."""
    found = Names()
    needs: dict[Member, list[tuple[Reference | None, Member]]] = {}
    errors: list[Diagnostic] = []
    for file in program.files:
        todo: list[tuple[Block, tuple[Block, ...]]] = [(file.block, (file.block,))]
        while todo:
            block, scope = todo.pop()
            for member in block.members.values():
                needs[member] = []
                references, blocks = inside(member.value)
                for inner in blocks:
                    todo.append((inner, (*scope, inner)))
                    needs[member] += [(None, m) for m in inner.members.values()]
                for reference in references:
                    target = look_up(reference, scope, program)
                    if target is None:
                        errors.append(unknown_name(reference, _visible(scope, program)))
                        continue
                    found.targets[reference] = target
                    needs[member] += [(reference, m) for _, m in target.definitions]
    found.order = _in_order(needs)
    if len(found.order) < len(needs):
        errors += _cycles(needs, set(needs) - set(found.order))
    return Stuck(tuple(errors)) if errors else found


def look_up(reference: Reference, scope: tuple[Block, ...], program: Program) -> Target | None:
    """The nearest definition of a name, from the inside out."""
    name = reference.path[0]
    missed: list[Block] = []
    for block in reversed(scope):
        if name in block.members:
            return Target(((None, block.members[name]),), tuple(missed))
        missed.append(block)
    definitions = [
        (file, file.block.members[name]) for file in program.files if name in file.block.members
    ]
    missed += [file.block for file in program.files if name not in file.block.members]
    return Target(tuple(definitions), tuple(dict.fromkeys(missed))) if definitions else None


def _visible(scope: tuple[Block, ...], program: Program) -> set[str]:
    blocks = [*scope, *(file.block for file in program.files)]
    return {label for block in blocks for label in block.members}


def _in_order(needs: dict[Member, list[tuple[Reference | None, Member]]]) -> list[Member]:
    """Definitions, each after those it needs; those in or after a cycle are left out."""
    waiting = {member: len({m for _, m in needed}) for member, needed in needs.items()}
    users: dict[Member, list[Member]] = {member: [] for member in needs}
    for member, needed in needs.items():
        for other in {m for _, m in needed}:
            users[other].append(member)
    ready = [member for member, count in waiting.items() if count == 0]
    for member in ready:
        for user in users[member]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return ready


def _cycles(
    needs: dict[Member, list[tuple[Reference | None, Member]]], left: set[Member]
) -> list[Diagnostic]:
    """One error for each knot of definitions that need each other, at its first reference."""
    reach = {member: _reachable(member, needs, left) for member in left}
    first: dict[frozenset[Member], tuple[Reference, Member, Member]] = {}
    for member in left:
        for reference, target in needs[member]:
            if reference is None or target not in left or member not in reach[target]:
                continue
            knot = frozenset(m for m in reach[target] if target in reach[m])
            if knot not in first or _place(reference) < _place(first[knot][0]):
                first[knot] = (reference, member, target)
    return [
        reference_cycle([reference, *_way(target, member, needs)])
        for reference, member, target in first.values()
    ]


def _place(reference: Reference) -> tuple[str, int]:
    return (reference.at.source.name, reference.at.start)


def _reachable(
    start: Member, needs: dict[Member, list[tuple[Reference | None, Member]]], within: set[Member]
) -> set[Member]:
    found = {start}
    todo = [start]
    while todo:
        for _, member in needs[todo.pop()]:
            if member in within and member not in found:
                found.add(member)
                todo.append(member)
    return found


def _way(
    start: Member, goal: Member, needs: dict[Member, list[tuple[Reference | None, Member]]]
) -> list[Reference]:
    """The references on a shortest way from one definition to another."""
    came: dict[Member, tuple[Reference | None, Member] | None] = {start: None}
    todo = [start]
    for member in todo:
        for reference, target in needs[member]:
            if target not in came:
                came[target] = (reference, member)
                todo.append(target)
    way: list[Reference] = []
    step = came[goal]
    while step is not None:
        reference, member = step
        if reference is not None:
            way.append(reference)
        step = came[member]
    return way[::-1]
