"""What is doubtful in the body of one class or define: the order of its lines, its defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.tidy.texts import Texts, names_in
from headwater.report import Diagnostic, Note

_INCLUDING = frozenset(["include", "contain", "require"])


def read_before_assigned(texts: Texts) -> Iterator[Diagnostic]:
    """Variables that a body reads above the line that assigns them.

    Only what is surely evaluated in that order counts: assignments at the top of a body, and
    reads that stand in no lambda.
    """
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
                    yield codes.READ_BEFORE.at(unit.span(read), name=name, labels=[note])
                    break


def _bodies(texts: Texts) -> Iterator[tuple[Unit, list[Any], set[str]]]:
    """The bodies of a program, each with the variables that are there from the start."""
    for unit in texts.units:
        yield unit, unit.program.body, set()
    for unit, node in texts.definitions():
        yield unit, node.body, {param.name for param in node.params}


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


def leaking_defaults(texts: Texts) -> Iterator[Diagnostic]:
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
                    yield codes.LEAKING_DEFAULT.at(
                        unit.span(default.type), type=shown, other=other, labels=[note]
                    )
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
