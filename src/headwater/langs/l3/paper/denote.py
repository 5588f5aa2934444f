"""What an expression denotes: one equation for each form of syntax.

Primitive       p denotes ({(p, {})}, {}, {})
Block           a block literal denotes ({(BLOCK, {})}, M, {})
Undef           undef denotes ({}, {}, {})
Reference       $name denotes the *unresolved* value of the label, tags and constraints included
Projection      $a.b denotes the value of b in that of a, with the constraints of a

Composition, Tag, Constraint and Specialisation have modules of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.firing import fire
from headwater.langs.l3.findings import unknown_label
from headwater.langs.l3.labels import (
    block_label,
    key_label,
    literal_label,
    miss_label,
    note_label,
    reference_label,
)
from headwater.langs.l3.paper.annotate import constrain, specialise, tag
from headwater.langs.l3.paper.compose import compose, join, places_union
from headwater.langs.l3.paper.domains import NO_TAGS, UNDEF, Origin, Places, Stuck, V, measured
from headwater.langs.l3.paper.references import Names
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
    Tag,
    Undef,
)
from headwater.langs.l3.values import BLOCK, MOST_LEVELS
from headwater.langs.protocol import Step
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.why import Label

MOST_SIZE = 200_000
"""How many labels and candidates the reference semantics builds."""
MOST_WORK = 20 * MOST_SIZE
"""How many it builds with all that is built on the way; a candidate counts with its tags."""


@dataclass(slots=True)
class Denotation:
    """The values of the definitions denoted so far, and the steps that were taken."""

    names: Names
    values: dict[Member, V] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    errors: list[Diagnostic] = field(default_factory=list)
    work: int = 0

    def step(self, rule: str, at: Span) -> None:
        """Notes the application of a rule."""
        fire(rule)
        source, start, end = at
        text = " ".join(source.text[start : min(end, start + 400)].split())
        self.steps.append(Step(rule, text if len(text) <= 72 else text[:71] + "…", at))

    def program(self, program: Program) -> V | Stuck:
        """The files, denoted and composed."""
        for member in self.names.order:
            value = self.values[member] = self.expr(member.value)
            self.work += value.size + len(value.S)
            bound = self.broken_bound(value)
            if bound is not None:
                return Stuck((OUTPUT_TOO_LARGE.at(member.key, bound=bound),))
        if self.errors:
            return Stuck(tuple(self.errors))
        whole = UNDEF
        for file in program.files:
            block = self.expr(file.block)
            for note in file.annotations:
                block = self.annotate(block, note)
            whole = join(whole, block)
        return whole

    def expr(self, expr: Expr) -> V:
        """The value of an expression whose references are denoted already."""
        match expr:
            case Literal(key=p, at=at):
                self.step("Primitive", at)
                return V({(p, NO_TAGS): Origin(_place(literal_label(expr)))}, size=2)
            case Block(members=members, at=at):
                self.step("Block", at)
                M = {}  # noqa: N806
                for label, member in members.items():
                    M[label] = self.keyed(member)
                K = {(BLOCK, NO_TAGS): Origin(_place(block_label(expr)))}  # noqa: N806
                return measured(V(K, M, B=frozenset({expr})))
            case Undef(at=at):
                self.step("Undef", at)
                return V(S=_place(literal_label(expr)))
            case Reference():
                return self.reference(expr)
            case Compose(operands=operands, at=at):
                whole = self.expr(operands[0])
                for operand in operands[1:]:
                    whole = compose(whole, self.expr(operand))
                    self.step("Composition", at)
                    if self.grown(whole):
                        break
                return whole
            case Specialise(operands=operands, operators=operators):
                whole = self.expr(operands[0])
                for operand, operator in zip(operands[1:], operators, strict=True):
                    whole = specialise(whole, self.expr(operand), operator)
                    self.step("Specialisation", operator)
                    if self.grown(whole):
                        break
                return whole
            case Annotated(value=value, annotations=notes):
                annotated = self.expr(value)
                for note in notes:
                    annotated = self.annotate(annotated, note)
                return annotated

    def grown(self, value: V) -> bool:
        """Whether this step of a row of operands is too much; the member is refused then."""
        self.work += value.size + sum(len(T) for _, T in value.K)
        return self.work > MOST_WORK

    def broken_bound(self, value: V) -> str | None:
        """The bound that a value breaks, or all that was built."""
        if value.depth > MOST_LEVELS:
            return f"{MOST_LEVELS} levels"
        if value.size > MOST_SIZE or self.work > MOST_WORK:
            return f"{MOST_SIZE:,} values"
        return None

    def annotate(self, value: V, note: Tag | Order) -> V:
        """Tag or Constraint, as written."""
        because = _place(note_label(note))
        match note:
            case Tag(name=t, at=at):
                self.step("Tag", at)
                return tag(value, t, because)
            case Order(hi=hi, lo=lo, at=at):
                self.step("Constraint", at)
                return constrain(value, hi, lo, because)

    def keyed(self, member: Member) -> V:
        """The value of a definition, which came through its label."""
        return _through(self.values[member], _place(key_label(member)))

    def reference(self, reference: Reference) -> V:
        """Reference and Projection"""
        self.step("Reference", reference.at)
        target = self.names.targets[reference]
        name = reference.path[0]
        value = UNDEF
        for file, member in target.definitions:
            part = self.keyed(member)
            for note in file.annotations if file is not None else ():
                if isinstance(note, Tag):
                    part = tag(part, note.name, _place(note_label(note)))
            value = join(value, part)
        via = frozenset(miss_label(block, name) for block in target.missed)
        for depth, label in enumerate(reference.path[1:], start=1):
            self.step("Projection", reference.at)
            if label not in value.M:
                self.errors.append(unknown_label(reference, depth, value.M, value.B))
                return UNDEF
            via |= value.S
            via |= {miss_label(b, label) for b in value.B if label not in b.members}
            inner = value.M[label]
            C = places_union(value.C, inner.C)  # noqa: N806
            value = V(inner.K, inner.M, C, inner.S, inner.B, inner.size, inner.depth)
        return _through(value, via | _place(reference_label(reference)))


def _place(label: Label) -> Places:
    return frozenset({label})


def _through(value: V, via: Places) -> V:
    """The same value, which came through these inputs."""
    return V(value.K, value.M, value.C, value.S | via, value.B, value.size, value.depth)
