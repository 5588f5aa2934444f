"""What is doubtful in the body of one class or define: the order of its lines, its defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.protocol import Finding
from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.facts.legacy import is_legacy
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.tidy.fixes import assigned_first
from headwater.langs.puppet.tidy.texts import Texts, names_in
from headwater.report import Note

_GIVEN = ("facts", "trusted", "title", "name", "module_name")
"""What every class and define has from the start."""

_INCLUDING = frozenset(["include", "contain", "require"])


def read_before_assigned(texts: Texts) -> Iterator[Finding]:
    """Variables that a body reads above the line that assigns them.

    Only what is surely evaluated in that order counts: assignments at the top of a body, and
    reads that stand in no lambda.
    """
    outside = None if texts.facts is None else texts.facts | _assigned_outside(texts)
    for unit, body, known in _bodies(texts):
        assigned: dict[str, Any] = {}
        for node in body:
            if isinstance(node, ast.Assignment) and isinstance(node.left, ast.Variable):
                assigned.setdefault(node.left.name, node)
        for name, where in assigned.items():
            if name in known:
                continue
            for read in _reads(body, name):
                if read.start < where.start:
                    note = Note("it is assigned here", unit.span(where.left))
                    told = codes.READ_BEFORE.at(unit.span(read), name=name, labels=[note])
                    alone = outside is not None and name not in outside and not is_legacy(name)
                    fix = assigned_first(unit, body, where, read, known) if alone else None
                    yield Finding(told, fix)
                    break


def _assigned_outside(texts: Texts) -> set[str]:
    """The variables of nodes and of the top, which every body may read."""
    nodes = (node.body for _, node in texts.of_kind(ast.Node))
    bodies = [*(unit.program.body for unit in texts.units), *nodes]
    found: set[str] = set()
    todo: list[Any] = [one for body in bodies for one in body]
    while todo:
        at = todo.pop()
        if isinstance(at, ast.Assignment):
            lefts = at.left.items if isinstance(at.left, ast.Array) else [at.left]
            found.update(one.name for one in lefts if isinstance(one, ast.Variable))
        if isinstance(at, ast.Record) and not isinstance(at, ast.ClassDef | ast.Define):
            todo.extend(ast.children(at))
    return found


def _bodies(texts: Texts) -> Iterator[tuple[Unit, list[Any], set[str]]]:
    """The bodies of a program, each with the variables that are there from the start."""
    for unit in texts.units:
        yield unit, unit.program.body, set()
    for unit, node in texts.definitions():
        yield unit, node.body, {*_GIVEN, *(param.name for param in node.params)}


def _reads(body: list[Any], name: str) -> Iterator[ast.Variable]:
    """The reads of a variable in a body itself, in order."""
    todo: list[Any] = list(reversed(body))
    while todo:
        node = todo.pop()
        match node:
            case ast.Variable(name=read):
                if read == name:
                    yield node
            case ast.Assignment(left=ast.Variable(), right=right):
                todo.append(right)
            case ast.ClassDef() | ast.Define() | ast.Node() | ast.Function() | ast.Lambda():
                continue
            case ast.Record():
                todo.extend(reversed(list(ast.children(node))))


def leaking_defaults(texts: Texts) -> Iterator[Finding]:
    """Resource defaults of classes that declare something of another module below them."""
    modules = set(texts.modules)
    for unit, node in texts.definitions():
        own = node.name.partition("::")[0].lower()
        for at, default in enumerate(node.body):
            if not isinstance(default, ast.Defaults):
                continue
            for later in node.body[at + 1 :]:
                other = next((n for n in _declared(later) if _module(n) != own), None)
                if other is not None and _module(other) in modules:
                    note = Note(f"{other} is declared here", unit.span(later))
                    (kind,) = names_in(default.type) or [("",)]
                    shown = kind[0] or unit.span(default.type).text
                    told = codes.LEAKING_DEFAULT.at(
                        unit.span(default.type), type=shown, other=other, labels=[note]
                    )
                    yield Finding(told)
                    break


def _declared(node: object) -> Iterator[str]:
    """The classes and defines that a piece of program declares by name."""
    todo: list[Any] = [node]
    while todo:
        at = todo.pop()
        if not isinstance(at, ast.Record):
            continue
        if isinstance(at, ast.Call) and name_called(at) in _INCLUDING:
            names = [name for arg in at.args for name in names_in(arg)]
        elif isinstance(at, ast.Resource):
            names = names_in(at.type)
            if names == [("class",)]:
                names = [name for body in at.bodies for name in names_in(body.title)]
        else:
            names = []
        yield from (name[0].removeprefix("::").lower() for name in names if name[0])
        todo.extend(ast.children(at))


def _module(name: str) -> str:
    return name.partition("::")[0]
