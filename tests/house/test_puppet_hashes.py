"""Puppet's hashes are never handled as Python's dicts, which would confuse some of their keys.

`Hash` has no ``items()``, so mypy refuses most mistakes.  What it cannot see is looked for here.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOMS = Path(__file__).parents[2] / "src" / "headwater" / "langs" / "puppet"
MODULES = [path for path in sorted(ROOMS.rglob("*.py")) if not path.is_relative_to(ROOMS / "paper")]
FOREIGN = {
    "hashes.py": "makes hashes of data that other programs wrote",
    "catalog/comparing.py": "compares the documents of catalogs, other compilers' too",
    "catalog/reading.py": "reads the document of a catalog that another compiler wrote",
    "catalog/result.py": "shows the document of a catalog",
    "catalog/secrets.py": "hides secrets in the document of a catalog",
    "hiera/data.py": "reads JSON",
    "program/metadata.py": "reads JSON",
    "repository/modules.py": "reads JSON",
    "trials.py": "spells values of the document of a catalog",
    "record/digest.py": "digests the tables of the record",
}
"""The modules that see dicts which are no values of Puppet, and why."""


def _is_pairs(node: ast.expr) -> bool:
    """Whether an expression is the entries of a hash, perhaps in another form."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "pairs":
            return True
        return any(_is_pairs(argument) for argument in node.args)
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return any(_is_pairs(one.iter) for one in node.generators)
    return False


def dicts_of_hashes(tree: ast.AST) -> list[int]:
    """The lines where the entries of a hash are put into a dict or a set."""
    found: list[int] = []
    for node in ast.walk(tree):
        match node:
            case ast.DictComp() | ast.SetComp():
                if any(_is_pairs(one.iter) for one in node.generators):
                    found.append(node.lineno)
            case ast.Call(func=ast.Name(id="dict" | "set" | "frozenset"), args=args):
                if any(map(_is_pairs, args)):
                    found.append(node.lineno)
    return found


def _names_dict(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "dict" for part in ast.walk(node))


def lines_that_test_for_dicts(tree: ast.AST) -> list[int]:
    """The lines that ask whether a value is a dict."""
    found: list[int] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]) if _names_dict(kind):
                found.append(node.lineno)
            case ast.MatchClass(cls=ast.Name(id="dict")):
                found.append(node.lineno)
            case ast.Compare(comparators=[kind]) if _names_dict(kind):
                found.append(node.lineno)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOMS)))
def test_no_dict_is_made_of_the_entries_of_a_hash(path: Path) -> None:
    assert dicts_of_hashes(ast.parse(path.read_text())) == [], "use map_values, map_pairs or where"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOMS)))
def test_values_are_hashes_and_not_dicts(path: Path) -> None:
    lines = lines_that_test_for_dicts(ast.parse(path.read_text()))

    assert bool(lines) == (path.relative_to(ROOMS).as_posix() in FOREIGN), f"lines {lines}"


def test_the_house_sees_what_it_looks_for() -> None:
    lines = [
        "a = {k: v for k, v in h.pairs()}",
        "b = dict(h.pairs())",
        "c = {k for k, _ in sorted(h.pairs())}",
        "d = dict((k, v) for k, v in h.pairs())",
        "e = [k for k, _ in h.pairs()]",
        "f = isinstance(h, list | dict)",
        "g = h.__class__ is dict",
        "match h:\n  case dict():\n    pass",
    ]
    tree = ast.parse("\n".join(lines))

    assert dicts_of_hashes(tree) == [1, 2, 3, 4]
    assert sorted(lines_that_test_for_dicts(tree)) == [6, 7, 9]
