"""Random L3 programs that can be permuted and edited."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from hypothesis import strategies as st

from headwater.langs.l3.generating import (
    INNER,
    PLAIN,
    TAGS,
    TOPS,
    VALUES,
    Block,
    Choices,
    Expr,
    Files,
    Item,
    Join,
    Lit,
    Note,
    Order,
    Printer,
    Ref,
    Site,
    Spec,
    Tag,
    Undef,
    build,
    items,
    texts,
)
from headwater.text import Source


def sources(files: Files, names: list[str] | None = None) -> tuple[Source, ...]:
    """The files as sources."""
    given = texts(files)
    names = names or [f"f{i}.l3" for i in range(len(given))]
    return tuple(Source(name, text) for name, text in zip(names, given, strict=True))


def shuffled(files: Files, choices: Choices) -> Files:
    """The same program with operands of <+>, labels and files in another order."""
    again = copy.deepcopy(files)
    for block in again:
        for part in walk(block):
            match part:
                case Block(items=items):
                    _shuffle(items, choices)
                case Join(operands=operands):
                    _shuffle(operands, choices)
                case Note(notes=notes):
                    _shuffle(notes, choices)
                case _:
                    pass
    _shuffle(again, choices)
    return again


def _shuffle(items: list, choices: Choices) -> None:  # type: ignore[type-arg]
    for i in range(len(items) - 1, 0, -1):
        j = choices.below(i + 1)
        items[i], items[j] = items[j], items[i]


def walk(root: Expr) -> Iterator[object]:
    """Every piece of an expression."""
    todo: list[object] = [root]
    while todo:
        part = todo.pop()
        yield part
        match part:
            case Block(items=items):
                todo.extend(items)
            case Item(value=value):
                todo.append(value)
            case Join(operands=operands) | Spec(operands=operands):
                todo.extend(operands)
            case Note(value=value, notes=notes):
                todo.append(value)
                todo.extend(notes)
            case _:
                pass


choices = st.binary(min_size=120, max_size=360).map(Choices)
programs = choices.map(build)

__all__ = [
    "INNER", "PLAIN", "TAGS", "TOPS", "VALUES", "Block", "Choices", "Expr", "Files", "Item", "Join",
    "Lit", "Note", "Order", "Printer", "Ref", "Site", "Spec", "Tag", "Undef", "build", "choices",
    "items", "programs", "shuffled", "sources", "texts", "walk",
]  # fmt: skip
