"""What of its own text a function in Ruby read: the methods that ran, and all that is no method.

A method that did not run cannot change what the function gave.  All else in a file can: types in
a ``dispatch``, constants, the order in which things are defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.calling import Method
from headwater.langs.puppet.ruby.functions import functions_of
from headwater.text import Source, Span

_OUTLINES: dict[str, tuple[s.Program, Source, frozenset[Span]]] = {}
"""What of each file is in no method, with what that was told of."""


class Tracing:
    """While it lasts a file runs; tells which pieces of text did."""

    __slots__ = ("_around", "_host", "_path")

    def __init__(self, host: RubyHost, path: str) -> None:
        self._host = host
        self._path = path

    def __enter__(self) -> None:
        machine = self._host.machine
        self._around, machine.entered = machine.entered, set()

    def __exit__(self, *_: object) -> None:
        machine = self._host.machine
        ran = machine.entered
        machine.entered = self._around
        self._around |= ran
        self.note(_ran(self._host, self._path, ran))

    def note(self, spans: frozenset[Span]) -> None:
        """Notes the pieces of text that ran."""
        raise AssertionError("each has its own")


class Reading(Tracing):
    """While it lasts a function of a file runs for a call; notes what it read of its text."""

    __slots__ = ("_call",)

    def __init__(self, host: RubyHost, call: Call, path: str) -> None:
        super().__init__(host, path)
        self._call = call

    def note(self, spans: frozenset[Span]) -> None:
        known = (id(self._call.node), spans)
        if known not in self._host.noted:
            self._host.noted.add(known)
            self._call.read("ruby", self._path, self._path, spans)


class ForACall(Reading):
    """The same, while Ruby runs for that call: afterwards the machine stands where it stood."""

    __slots__ = ("_stood",)

    def __enter__(self) -> None:
        machine = self._host.machine
        self._stood = machine.output, machine.depth, machine.at
        self._host.enter(self._call)
        self._around, machine.entered = machine.entered, set()

    def __exit__(self, *_: object) -> None:
        machine = self._host.machine
        try:
            super().__exit__()
        finally:
            machine.output, machine.depth, machine.at = self._stood
            self._host.leave()


class ReadingOthers(Reading):
    """While it lasts a template is rendered.

    Notes the functions of the older API that it calls by ``function_x``, and the methods of other
    templates that ran.
    """

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        super().__enter__()
        functions = functions_of(self._host.machine)
        self._before, functions.called = functions.called, set()

    def __exit__(self, *_: object) -> None:
        machine = self._host.machine
        ran, machine.entered = machine.entered, self._around
        functions = functions_of(machine)
        called, functions.called = functions.called, self._before
        functions.called |= called
        for file in sorted({function.file for function in called}):
            self._call.read("ruby", file, file, _ran(self._host, file, ran))
        if not ran:
            return
        machine.entered |= ran
        found: dict[str, set[Span]] = {}
        for method in ran.intersection(functions_of(machine).of_templates.values()):
            assert isinstance(method, Method)
            file, start, end = method.where
            source = self._host.sources.get(file)
            if file != self._path and source is not None and source not in self._host.inline:
                found.setdefault(file, set()).add(source.span(start, end))
        for file, spans in found.items():
            self._call.read("ruby", file, file, frozenset(spans))


class ReadingTitles(Tracing):
    """While it lasts the file of a type runs, for the title patterns of its resources."""

    __slots__ = ("_call",)

    def __init__(self, host: RubyHost, call: Call, path: str) -> None:
        super().__init__(host, path)
        self._call = call

    def note(self, spans: frozenset[Span]) -> None:
        self._call.read("titles", self._call.name, self._path, spans)


def _ran(host: RubyHost, path: str, ran: set[Any]) -> frozenset[Span]:
    """The pieces of text that ran, of a file and of what it needs."""
    if not ran and path not in host.required:
        return _outside_methods(host, path)
    if host.required:
        return frozenset(_spans(host, path, ran))
    which = (path, frozenset(ran))
    found = host.ran.get(which)
    if found is None:
        found = host.ran[which] = frozenset(_spans(host, path, ran))
    return found


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


def _outside_methods(host: RubyHost, file: str) -> frozenset[Span]:
    """All of a file that is in no method."""
    tree, source = host.trees.get(file), host.sources.get(file)
    if tree is None or source is None:
        return frozenset()
    known = _OUTLINES.get(file)
    if known is None or known[0] is not tree or known[1] is not source:
        spans = frozenset(source.span(start, end) for start, end in _outline(tree.body))
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
