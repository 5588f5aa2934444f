"""The rooms of Puppet: modules of a room never import each other in a circle.

Every import counts: those for types alone and those inside of functions too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
PUPPET = "headwater.langs.puppet"
WITHOUT_CYCLES = (f"{PUPPET}.types", f"{PUPPET}.functions")
"""The rooms, with all rooms in them, that have no cycle."""

Graph = dict[str, set[str]]


def modules(room: str) -> dict[str, ast.Module]:
    """The modules of a room by their names."""
    folder = SOURCES.joinpath(*room.split("."))
    found: dict[str, ast.Module] = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text())
    return found


def imported(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """Every import of a module: a module, and what is taken from it."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((one.name, None) for one in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from ((module, one.name) for one in names)


def graph(trees: dict[str, ast.Module]) -> Graph:
    """Which module of the room imports which; what is taken from a folder may be a module."""
    found: Graph = {}
    for name, tree in trees.items():
        wanted = {
            inner if (inner := f"{module}.{part}") in trees else module
            for module, part in imported(tree)
        }
        found[name] = (wanted & trees.keys()) - {name}
    return found


def cycle(edges: Graph) -> list[str]:
    """The modules of one cycle, in order; none if there is none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("room", WITHOUT_CYCLES)
def test_no_modules_import_each_other_in_a_circle(room: str) -> None:
    edges = graph(modules(room))

    assert len(edges) > 5
    assert cycle(edges) == []


def test_a_cycle_is_found_through_types_and_functions() -> None:
    trees = {
        "r": ast.parse("from r.a import x"),
        "r.a": ast.parse("if TYPE_CHECKING:\n    from r import b"),
        "r.b": ast.parse("def f():\n    from r.c import g"),
        "r.c": ast.parse("import r.a"),
    }

    assert sorted(set(cycle(graph(trees)))) == ["r.a", "r.b", "r.c"]
    assert cycle(graph({**trees, "r.c": ast.parse("import os")})) == []
