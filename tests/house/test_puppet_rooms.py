"""The inner rooms of Puppet: no object is reached into by everybody.  No import goes in a circle.

What import-linter cannot say stands here: circles of imports anywhere in the house, of which every
one counts, also those for types alone and those inside of functions; how many attributes of a class
other modules use; that each kind of node is evaluated and explained in modules of the same name.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import get_args

from headwater.langs.puppet.engine import expressions
from headwater.langs.puppet.syntax import ast as nodes
from headwater.langs.puppet.why import constructs, replay

SOURCES = Path(__file__).parents[2] / "src"
PUPPET = "headwater.langs.puppet"
MOST_ATTRIBUTES = 15
UNSAID = frozenset(["states", "running", "places", "past", "beginnings", "written", "effects"])
"""Names that only their author understands; `paper` speaks as the paper does."""

LOADED = (replay, *(import_module(f"{PUPPET}.engine.{name}") for name in expressions.CONSTRUCTS))
"""With these every construct is registered."""

Graph = dict[str, set[str]]


@cache
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
            case ast.ImportFrom(level=level) if level:
                raise AssertionError(f"a relative import: {ast.unparse(node)}")
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


def test_no_modules_import_each_other_in_a_circle() -> None:
    edges = graph(modules("headwater"))

    assert len(edges) > 700
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


def by_name(tree: ast.Module) -> Iterator[ast.expr]:
    """What a module loads by a name that it puts together."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[wanted, *_]) if (
                name in ("import_module", "__import__")
            ):
                yield wanted


def test_what_is_loaded_by_name_stands_in_a_table() -> None:
    """One module that is named in a string is an import like any other, which no graph shows."""
    found = [
        (module, ast.unparse(wanted))
        for module, tree in modules(PUPPET).items()
        for wanted in by_name(tree)
        if not isinstance(wanted, ast.JoinedStr)
        or not isinstance(wanted.values[-1], ast.FormattedValue)
    ]

    assert found == []


def test_an_import_in_a_string_is_found() -> None:
    source = "def f():\n    return importlib.import_module(f'{__package__}.b').g(__import__('r.c'))"
    wanted = [ast.unparse(one) for one in by_name(ast.parse(source))]

    assert sorted(wanted) == ["'r.c'", "f'{__package__}.b'"]


PROPERTIES = frozenset(["property", "cached_property"])


def attributes(definition: ast.ClassDef) -> set[str]:
    """The attributes of a class itself: fields, properties, slots, and what it sets on self."""
    found: set[str] = set()
    for node in definition.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Assign(targets=targets, value=value):
                names = {one.id for one in targets if isinstance(one, ast.Name)}
                found |= names
                if "__slots__" in names:
                    found |= {
                        str(one.value) for one in ast.walk(value) if isinstance(one, ast.Constant)
                    }
            case ast.FunctionDef(name=name, decorator_list=decorators):
                if any(ast.unparse(one).rpartition(".")[2] in PROPERTIES for one in decorators):
                    found.add(name)
    for part in ast.walk(definition):
        match part:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.Call(
                func=ast.Name(id="setattr") | ast.Attribute(attr="__setattr__"),
                args=[_, ast.Constant(value=str(name)), _],
            ):
                found.add(name)
    return {name for name in found if not name.startswith("_")}


def test_every_way_to_have_an_attribute_is_counted() -> None:
    source = """
class A:
    __slots__ = ("a", "b")
    c: int
    d = 1
    @property
    def e(self): ...
    @functools.cached_property
    def f(self): ...
    @classmethod
    def g(cls): cls.h = 1
    def i(self):
        self.j, self._k = 1, 2
        object.__setattr__(self, "l", 3)
"""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)

    assert attributes(definition) == {*"abcdefhjl"}


def test_no_class_is_reached_into_by_everybody() -> None:
    """An attribute counts if another module reads or writes one of its name, of whatever class."""
    used: dict[str, set[str]] = defaultdict(set)
    for module, tree in modules(PUPPET).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                used[node.attr].add(module)
    many: dict[str, list[str]] = {}
    for module, tree in modules(PUPPET).items():
        if module.startswith((f"{PUPPET}.syntax", f"{PUPPET}.types")):
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
        assert kind in expressions.CONSTRUCTS[home(evaluated)]


def test_who_decides_says_by_what_and_what_was_not_taken() -> None:
    assert constructs.DECIDERS.keys() == constructs.BRANCHES.keys()


def names_in(tree: ast.Module) -> Iterator[str]:
    """Every name in a module, of whatever: the fields of nodes that are texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            continue
        for _, value in ast.iter_fields(node):
            if isinstance(value, str):
                yield from value.split(".")
            elif isinstance(node, ast.Global | ast.Nonlocal):
                yield from value


def test_names_say_what_a_thing_is() -> None:
    found: list[str] = []
    for module, tree in modules(PUPPET).items():
        if module.startswith(f"{PUPPET}.paper"):
            continue
        names = [*module.split("."), *names_in(tree)]
        found += [f"{module}: {name}" for name in names if name.strip("_").lower() in UNSAID]
    assert found == []


def test_a_name_is_found_wherever_it_stands() -> None:
    source = """
import a as b, c.d
from e.f import g as h
def i(j, *k, l=1, **m): global n
class o(p, q=r): s: t = u.v
async def w():
    try: x(y=1)
    except z as aa: lambda bb: 0
    match cc:
        case {"dd": [ee, *ff], **gg}: (hh := 0)
"""
    every = {*"abcdefghijklmnopqrstuvwxyz"} | {c * 2 for c in "abcefgh"}

    assert every <= set(names_in(ast.parse(source)))
