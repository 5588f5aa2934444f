"""No regular expression of ours takes long on any text: steps are counted, not timed."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from backtracking import Counting, TooMany, growth, pumped
from headwater.text import Lexicon

SOURCES = Path(__file__).parents[2] / "src"
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
SIZE = 16
MADE_OF_INPUT = {
    # Patterns that are put together at run time; each has a test of its own below.
}


class Written(NamedTuple):
    """A pattern, where it is written, and how it is used."""

    place: str
    source: str
    flags: int
    ways: frozenset[str]


def _module(path: Path) -> str:
    parts = list(path.relative_to(SOURCES).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call, str | None]]:
    """Each use of a pattern: the way, the call, and the name it is kept under."""
    named = {
        id(node.value): node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="re"), attr=way) if way in METHODS | {"compile"}:
                yield way, node, named.get(id(node))
            case ast.Name(id="LatePattern"):
                yield "compile", node, named.get(id(node))


def _ways(name: str | None, own: str, everything: str) -> frozenset[str]:
    """The methods that are called on a pattern that has a name."""
    if name is None:
        return frozenset({"match"})
    text = own if name.startswith("_") else everything
    used = set(re.findall(rf"\b{name}\.({'|'.join(METHODS)})\b", text))
    if not used:  # it is handed on
        used = set(re.findall(rf"\b[a-z_]+\.({'|'.join(METHODS - {'split'})})\(", own))
    return frozenset(used)


def written() -> tuple[list[Written], list[str]]:
    """Every pattern of the sources, and the places of those that are made at run time."""
    found: list[Written] = []
    made: list[str] = []
    paths = sorted(SOURCES.rglob("*.py"))
    texts = {path: path.read_text() for path in paths}
    everything = "\n".join(texts.values())
    for path, text in texts.items():
        if "re." not in text and "LatePattern" not in text:
            continue
        module = importlib.import_module(_module(path))
        for way, call, name in _calls(ast.parse(text)):
            place = f"{path.relative_to(SOURCES)}:{call.lineno}"
            try:
                source, flags = _evaluated(call, way, vars(module))
            except NameError:
                made.append(str(path.relative_to(SOURCES)))
                continue
            ways = _ways(name, text, everything) if way == "compile" else frozenset({way})
            if isinstance(source, bytes):
                source = source.decode("latin-1")
            found.append(Written(place, source, flags, ways))
        for name, value in vars(module).items():
            if isinstance(value, Lexicon):
                pattern = value._pattern
                found.append(Written(f"{place_of(path)}:{name}", pattern.pattern, pattern.flags,
                                     frozenset({"finditer"})))  # fmt: skip
    return found, made


def place_of(path: Path) -> str:
    """A path as it is shown."""
    return str(path.relative_to(SOURCES))


def _evaluated(call: ast.Call, way: str, names: dict[str, Any]) -> tuple[Any, int]:
    """The pattern and the flags of a call; `NameError` where it takes local variables."""
    wanted = [call.args[0]]
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(way, 2)
    flags = [k.value for k in call.keywords if k.arg == "flags"] or call.args[position:]
    values = [
        eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))  # noqa: S307
        for node in [*wanted, *flags[:1]]
    ]
    return values[0], int(values[1]) if len(values) > 1 else 0


FOUND, MADE = written()


def test_patterns_are_found() -> None:
    """The sources have well over a hundred; fewer means that they are no longer found."""
    assert len(FOUND) > 150


def explosive(source: str, flags: int, ways: frozenset[str]) -> list[str]:
    """The texts on which a pattern takes more than in proportion to their length."""
    bad = []
    pattern = Counting(source, flags, most=20_000)
    for way in sorted({w if w in ("match", "fullmatch") else "search" for w in ways}):
        for text in pumped(pattern):
            try:
                once, twice = growth(pattern, text, way, SIZE)
            except TooMany:
                bad.append(f"{way} {text!r}: without end")
                continue
            if twice > 2.6 * once + 50:
                bad.append(f"{way} {text!r}: {once} steps, then {twice}")
    return bad


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.place)
def test_a_pattern_takes_steps_in_proportion_to_the_text(one: Written) -> None:
    assert explosive(one.source, one.flags, one.ways)[:5] == []
