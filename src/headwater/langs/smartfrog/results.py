"""What both engines do alike with a finished result: its bounds and how values are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from headwater.tree import DataReference, Tree, Value
from headwater.tree.json import scalar

Component = TypeVar("Component")

MOST_VALUES = 2_000_000
"""How many values a result may have.  Links can double a result with every line."""

SUB_STORE = "{…}"
"""What stands for a component inside a shown component."""

MOST_SHOWN = 12


def first_level(attributes: Iterable[tuple[str, Value]]) -> Value:
    """A component as it is shown among overridden values: a few attributes, one level deep."""
    some = list(islice(attributes, MOST_SHOWN + 1))
    level: dict[str, Value] = dict(some[:MOST_SHOWN])
    if len(some) > MOST_SHOWN:
        level["…"] = SUB_STORE
    return level


def children_first(
    root: Component, inner: Callable[[Component], Iterable[Component]]
) -> list[Component]:
    """Every component below and including `root`, each once, inner ones first."""
    order: list[Component] = []
    seen: set[int] = set()
    todo: list[tuple[Component, bool]] = [(root, False)]
    while todo:
        component, done = todo.pop()
        if done:
            order.append(component)
        elif id(component) not in seen:
            seen.add(id(component))
            todo.append((component, True))
            todo.extend((child, False) for child in inner(component))
    return order


def count_values(
    components: list[Component], parts: Callable[[Component], Iterable[Component | None]]
) -> int:
    """How many values the tree of the last component has, counted without unfolding it.

    `components` come inner ones first; `parts` gives, for each attribute, the component it
    holds or none.  Stops once the bound is passed: the numbers of a doubling tree get long.
    """
    sizes: dict[int, int] = {}
    size = 0
    for component in components:
        size = sum(1 if part is None else 1 + sizes[id(part)] for part in parts(component))
        if size > MOST_VALUES:
            break
        sizes[id(component)] = size
    return size


class Specification(Tree):
    """A result that can be written in SmartFrog too."""

    __slots__ = ()

    def export(self, format: str) -> Iterator[str]:
        """As ``json``, ``compact``, ``yaml`` or ``sf``."""
        if format == "sf":
            yield from write_sf(self.root)
        else:
            yield from super().export(format)


def write_sf(root: Value) -> Iterator[str]:
    """The attributes of a result as SmartFrog reads them."""
    assert isinstance(root, dict)
    todo = [iter(root.items())]
    while todo:
        indent = "  " * (len(todo) - 1)
        for name, value in todo[-1]:
            if isinstance(value, dict):
                yield f"{indent}{name} extends {{\n"
                todo.append(iter(value.items()))
                break
            yield f"{indent}{name} {basic_sf(value)};\n"
        else:
            todo.pop()
            if todo:
                yield "  " * (len(todo) - 1) + "}\n"


def basic_sf(value: Value) -> str:
    """A basic value as SmartFrog reads it."""
    pieces: list[str] = []
    todo: list[Value | tuple[str]] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            pieces.append(item[0])
        elif isinstance(item, list):
            todo.append(("]",))
            for number, inner in enumerate(reversed(item)):
                todo.append(inner)
                if number + 1 < len(item):
                    todo.append((", ",))
            todo.append(("[",))
        elif isinstance(item, DataReference):
            pieces.append(f"DATA {item}")
        else:
            pieces.append("NULL" if item is None else scalar(item))
    return "".join(pieces)
