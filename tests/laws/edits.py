"""Real edits to SmartFrog texts: each changes one input, and says which label that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.langs.smartfrog.syntax import (
    Assignment,
    BasicValue,
    Body,
    Data,
    Extends,
    Included,
    Link,
    Literal,
    Reference,
    Vector,
)
from headwater.text import Span
from headwater.why import Label
from laws.strategies.smartfrog import WORDS

FRESH = "fresh_name"
FRESH_LITERAL = '"fresh value"'


@dataclass(frozen=True)
class Edit:
    """Text `new` for what stands at `at`; `label` is the kind and place of the input it changes."""

    kind: str
    label: tuple[str, str, int]
    at: Span
    new: str

    def apply(self, files: dict[str, str]) -> dict[str, str]:
        """The files after the edit."""
        name = self.at.source.name.rsplit("/", 1)[-1]
        text = files[name]
        return files | {name: text[: self.at.start] + self.new + text[self.at.end :]}


def key_of(label: Label) -> tuple[str, str, int]:
    """What identifies a label across compilations: kind, file, offset."""
    return label.kind, label.at.source.name.rsplit("/", 1)[-1], label.at.start


def _key(kind: str, at: Span) -> tuple[str, str, int]:
    return kind, at.source.name.rsplit("/", 1)[-1], at.start


def edits(body: Body, references: list[str]) -> Iterator[Edit]:
    """Every single edit of a specification; references are changed to the given ones."""
    for statement in body.statements:
        if isinstance(statement, Included):
            yield Edit("delete", _key("file", statement.at), statement.at, "")
            yield from edits(statement.body, references)
        elif isinstance(statement, Assignment):
            yield from _of_assignment(statement, references)


def _of_assignment(statement: Assignment, references: list[str]) -> Iterator[Edit]:
    key = _key("key", statement.target.at)
    parts = statement.target.parts
    renamed = ":".join((*parts[:-1], FRESH))
    yield Edit("rename", key, statement.target.at, renamed)
    yield Edit("delete", key, statement.at, "")
    match statement.value:
        case Link(reference=reference):
            yield from _of_reference(reference, references)
        case Extends(prototypes=prototypes):
            for prototype in prototypes:
                if isinstance(prototype, Reference):
                    yield from _of_reference(prototype, references)
                else:
                    yield from edits(prototype, references)
        case value:
            yield from _of_basic(value)


def _of_reference(reference: Reference, references: list[str]) -> Iterator[Edit]:
    for other in references:
        if other != str(reference):
            yield Edit("reference", _key("reference", reference.at), reference.at, other)


def _of_basic(value: BasicValue) -> Iterator[Edit]:
    match value:
        case Literal(at=at):
            yield Edit("literal", _key("literal", at), at, FRESH_LITERAL)
        case Data(at=at):
            yield Edit("literal", _key("reference", at), at, f"DATA {FRESH}")
        case Vector(items=items):
            for item in items:
                yield from _of_basic(item)


def names_written(body: Body, miss: Label) -> set[str]:
    """The names that the component of a miss gets in its own blocks, before or after."""
    names: set[str] = set()
    for statement in body.statements:
        if isinstance(statement, Included):
            names |= names_written(statement.body, miss)
        elif isinstance(statement, Assignment) and isinstance(statement.value, Extends):
            blocks = [b for b in statement.value.prototypes if isinstance(b, Body)]
            if any(key_of(miss) == _key("miss", block.inside) for block in blocks[:1]):
                inside = (s for block in blocks for s in block.statements)
                names |= {s.target.parts[0] for s in inside if isinstance(s, Assignment)}
            for block in blocks:
                names |= names_written(block, miss)
    return names


def insertions(miss: Label) -> Iterator[Edit]:
    """Ways to write an attribute where a miss says that it could be, the plainest first.

    ``a:b`` may mean a placement into a component that is there, or that it is missing too.  It
    is a plain value, or, since a prototype or a path may have been looked for, a component that
    has whatever is asked of it, one or two levels deep.
    """
    parts = miss.text.split(":")
    at = Span(miss.at.source, miss.at.start, miss.at.start)
    flat = " ".join(f"{name} {FRESH_LITERAL};" for name in WORDS)
    deep = " ".join(f"{name} extends {{ {flat} }}" for name in WORDS)
    for value in (f"{FRESH_LITERAL};", f"extends {{ {flat} }}", f"extends {{ {deep} }}"):
        for placed in range(len(parts), 0, -1):
            text = value
            for name in reversed(parts[placed:]):
                text = f"extends {{ {name} {text} }}"
            yield Edit("insert", key_of(miss), at, f" {':'.join(parts[:placed])} {text} ")
