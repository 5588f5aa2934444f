"""The inner rooms of Puppet: no import goes in a circle, no object is reached into by everybody.

What import-linter cannot say stands here: cycles between modules, imports for types included;
how many attributes of a class other modules use; and that the evaluation and the explanation of
each kind of node are in modules of the same name.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import headwater
from headwater.langs.puppet.engine import compile, expressions, templates
from headwater.langs.puppet.syntax import ast as nodes
from headwater.langs.puppet.why import constructs, replay

ROOM = "headwater.langs.puppet"
FOLDER = Path(headwater.__file__).parent / "langs" / "puppet"
MOST_ATTRIBUTES = 15
UNSAID = frozenset(["states", "running", "places", "past", "beginnings", "written", "effects"])
"""Names that only their author understands; `paper` speaks as the paper does."""

LOADED = (compile, templates, replay)
"""With these every construct is registered."""


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of Puppet."""
    found = {}
    for path in sorted(FOLDER.rglob("*.py")):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        found[".".join((ROOM, *parts))] = ast.parse(path.read_text())
    return found


def imports(tree: ast.Module) -> Iterator[str]:
    """The modules that a module imports: anywhere in it, and for its types too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in trees() else str(node.module)


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Modules that are left when those without imports are taken away again and again."""
    rest = {name: {to for to in found if to in graph} for name, found in graph.items()}
    while True:
        free = {name for name, found in rest.items() if not found & rest.keys()}
        if not free:
            return sorted(rest)
        rest = {name: found for name, found in rest.items() if name not in free}


def test_no_import_goes_in_a_circle() -> None:
    graph = {name: {*imports(tree)} - {name} for name, tree in trees().items()}
    assert circles(graph) == []


def test_a_circle_would_be_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["a", "b", "c", "d"]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def attributes(definition: ast.ClassDef) -> set[str]:
    """The attributes that a class has by itself: fields, properties, and what it sets on self."""
    found: set[str] = set()
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.FunctionDef) and any(
            isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list
        ):
            found.add(node.name)
    for node in ast.walk(definition):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                found.add(name)
    return {name for name in found if not name.startswith("_")}


def test_no_class_is_reached_into_by_everybody() -> None:
    """An attribute counts if another module reads or writes one of its name, of whatever class."""
    used: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                used[node.attr].add(module)
    many: dict[str, list[str]] = {}
    for module, tree in trees().items():
        if module.startswith((f"{ROOM}.syntax", f"{ROOM}.types")):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                reached = sorted(a for a in attributes(node) if used[a] - {module})
                if len(reached) > MOST_ATTRIBUTES:
                    many[f"{module}.{node.name}"] = reached
    assert many == {}


def test_each_kind_of_node_is_evaluated_and_explained_in_modules_of_one_name() -> None:
    def home(function: object) -> str:
        return str(function.__module__).rpartition(".")[2]

    kinds = [kind for part in get_args(nodes.Expr) for kind in get_args(part) or (part,)]
    assert len(kinds) > 30
    for kind in (*kinds, nodes.Embedded):
        assert kind in expressions.MAKERS, f"nothing evaluates {kind.__name__}"
        assert kind in constructs.EXPLAINERS, f"nothing explains {kind.__name__}"
        evaluated, explained = expressions.MAKERS[kind], constructs.EXPLAINERS[kind]
        assert home(evaluated) == home(explained), kind.__name__


def test_who_decides_says_by_what_and_what_was_not_taken() -> None:
    assert constructs.DECIDERS.keys() == constructs.BRANCHES.keys()


def test_names_say_what_a_thing_is() -> None:
    found: list[str] = []
    for module, tree in trees().items():
        if module.startswith(f"{ROOM}.paper"):
            continue
        names = [module.rpartition(".")[2]]
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                    names.append(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    names.append(name)
        found += [f"{module}: {name}" for name in names if name.strip("_").lower() in UNSAID]
    assert found == []
