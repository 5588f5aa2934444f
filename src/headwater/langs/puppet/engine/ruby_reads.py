"""What of its own text a function in Ruby read: the methods that ran, and all that is no method.

A method that did not run cannot change what the function gave.  All else in a file can: types in
a ``dispatch``, constants, the order in which things are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.calling import Method
from headwater.text import Source, Span

_OUTLINES: dict[str, tuple[s.Program, Source, list[Span]]] = {}
"""What of each file is in no method, with what that was told of."""


@contextmanager
def reading(host: RubyHost, call: Call, path: str) -> Iterator[None]:
    """While it lasts a function of a file runs for a call; notes what it read of its text."""

    def note(spans: frozenset[Span]) -> None:
        known = (id(call.node), spans)
        if known not in host.noted:
            host.noted.add(known)
            call.read("ruby", path, path, spans)

    with tracing(host, path, note):
        yield


@contextmanager
def tracing(host: RubyHost, path: str, note: Callable[[frozenset[Span]], None]) -> Iterator[None]:
    """While it lasts a file runs; tells which pieces of text did."""
    machine = host.machine
    around, machine.entered = machine.entered, set()
    try:
        yield
    finally:
        ran = machine.entered
        machine.entered = around
        around |= ran
        note(frozenset(_spans(host, path, ran)))


def _spans(host: RubyHost, path: str, ran: set[Any]) -> Iterator[Span]:
    ran = {method for method in ran if isinstance(method, Method)}
    files: set[str] = {path, *(method.where[0] for method in ran)}
    todo = list(files)
    while todo:
        more = host.required.get(todo.pop(), set()) - files
        files |= more
        todo += more
    for file in files:
        yield from _outside_methods(host, file)
    for method in ran:
        file, start, end = method.where
        source = host.sources.get(file)
        if source is not None:
            yield source.span(start, end)


def _outside_methods(host: RubyHost, file: str) -> list[Span]:
    """All of a file that is in no method."""
    tree, source = host.trees.get(file), host.sources.get(file)
    if tree is None or source is None:
        return []
    known = _OUTLINES.get(file)
    if known is None or known[0] is not tree or known[1] is not source:
        spans = [source.span(start, end) for start, end in _outline(tree.body)]
        known = _OUTLINES[file] = (tree, source, spans)
    return known[2]


def _outline(node: s.Expr) -> Iterator[tuple[int, int]]:
    match node:
        case s.Definition():
            return
        case s.Sequence(items=items):
            for item in items:
                yield from _outline(item)
        case s.ClassBody(body=body, at=at) | s.ModuleBody(body=body, at=at):
            yield at, body.at
            yield from _outline(body)
        case s.Call(name="create_function", block=s.Block(body=body), at=at):
            yield at, body.at
            yield from _outline(body)
        case _:
            yield node.at, node.end
