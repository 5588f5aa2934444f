"""Functions that serve levels of Hiera, in Puppet and in Ruby, as look-ups call them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, function_named
from headwater.langs.puppet.engine.lambdas import Callee
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import Beside
from headwater.langs.puppet.hiera.foreign import Foreign
from headwater.langs.puppet.hiera.host import DataCallee, NotFound
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.model import ANY
from headwater.langs.puppet.types.value import Value
from headwater.text import Span, Unreadable, read_source
from headwater.text.patterns import LatePattern

if TYPE_CHECKING:
    from headwater.langs.puppet.ruby.values import RubyValue

_CREATED = LatePattern(r"create_function\(\s*+:?['\"]?[\w:]*+")
"""How a file of Ruby begins a function."""


def data_function(compilation: Compilation, name: str) -> DataCallee | None:
    """A function that may serve a level."""
    found = compilation.program.function(name)
    if isinstance(found, tuple):
        return InPuppet(compilation, name, *found)
    old = found is not None and f"{os.sep}parser{os.sep}functions{os.sep}" in found
    return None if found is None or old else InRuby(compilation, name, found)


class InPuppet:
    """A function written in Puppet."""

    def __init__(self, compilation: Compilation, name: str, unit: Unit, node: ast.Function) -> None:
        self._compilation = compilation
        self._name = name
        self._unit = unit
        self._node = node
        self.at = unit.source.span(node.name_start, node.name_end)
        self.variables = _read_by(node)
        self.body = (unit, node)

    def results(self) -> list[Any]:
        unit, node = self._unit, self._node
        returns = unit.once("function", node, lambda: Callee(unit, node, self._name)).returns
        return [None if returns is None else returns(self._compilation.record.top)]

    def call(self, frame: Frame, args: list[Any], beside: Beside) -> Value:
        compilation, name = self._compilation, self._name
        function = compilation.services.functions.get(name)
        if function is None:
            function = function_named(compilation, name, self._unit, self._node)
        depth, before = compilation.work.depth, len(compilation.record.reads)
        try:
            return function(Call(frame, self._unit, self._node, name), args, None)
        except NotFound:
            compilation.work.depth = depth
            raise
        finally:
            _note(compilation, before, beside, in_ruby=False)


class InRuby:
    """A function written in Ruby, which sees the top of the program."""

    def __init__(self, compilation: Compilation, name: str, path: str) -> None:
        self._compilation = compilation
        self._name = name
        self._path = path
        source = read_source(path)
        if isinstance(source, Unreadable):
            raise refused(source, path)
        found = _CREATED.search(source.text)
        self.at: Span = source.span(*(found.span() if found else (0, 0)))
        self.variables: list[str] = []
        self.body: tuple[Unit, ast.Function] | None = None
        self._unit = compilation.program.units[0]
        self._node = ast.Undef(start=0, end=0)
        """It has no call in any text: this stands for one, so that its reads are told apart."""

    def results(self) -> list[Any]:
        from headwater.langs.puppet.engine.ruby_functions import dispatches_of

        call = Call(self._compilation.record.top, self._unit, self._node, self._name)
        with self._placed():
            every = [one.returns for one in dispatches_of(call, self._name, self._path)]
        return [None if returns == ANY else returns for returns in every]

    def call(self, frame: Frame, args: list[Any], beside: Beside) -> Value:
        from headwater.langs.puppet.engine.ruby import host_of
        from headwater.langs.puppet.engine.ruby_functions import ruby_function
        from headwater.langs.puppet.ruby.frames import Throw
        from headwater.langs.puppet.ruby.lookup_context import NO_SUCH_KEY, catching

        compilation = self._compilation
        function = ruby_function(compilation, self._name, self._path, _with_symbols)
        call = Call(frame, self._unit, self._node, self._name)
        tags = catching(host_of(call).machine)
        depth, before = compilation.work.depth, len(compilation.record.reads)
        tags.append(NO_SUCH_KEY)
        try:
            with self._placed():
                return function(call, args, None)
        except Throw as thrown:
            if thrown.tag is not NO_SUCH_KEY:
                raise
            compilation.work.depth = depth
            raise NotFound from None
        finally:
            tags.pop()
            _note(compilation, before, beside, in_ruby=True)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """What Ruby refuses meanwhile is told where it stands in Ruby: no text has the call."""
        from headwater.langs.puppet.engine.ruby_faults import IN_RUBY

        try:
            yield
        except Fault as fault:
            found = fault.diagnostic
            inside = next((note for note in found.labels if note.message == IN_RUBY), None)
            if inside is None:
                raise
            rest = tuple(note for note in found.labels if note is not inside)
            raise Fault(replace(found, at=inside.at, labels=rest)) from None


def _with_symbols(value: RubyValue) -> Value:
    """A value of Ruby whose symbols stay apart from texts: look-ups refuse them."""
    from headwater.langs.puppet.ruby.exchange import from_ruby
    from headwater.langs.puppet.ruby.values import Symbol

    def apart(part: RubyValue) -> Any:  # noqa: ANN401 - a symbol becomes what no value is
        match part:
            case list():
                return [apart(item) for item in part]
            case Hash():
                return Hash.of((apart(name), apart(item)) for name, item in part.pairs())
            case Symbol() if part.name not in ("default", "undef"):
                return Foreign(part.name)
        return part

    return from_ruby(apart(value))


def _note(compilation: Compilation, before: int, beside: Beside, *, in_ruby: bool) -> None:
    """Takes over what was read since the record of reads was as long as `before`.

    The calls of a function of data are never replayed, so nobody else asks for these reads, and
    a function that looked up what this one gives must not take them for its own.
    """
    reads = compilation.record.reads[before:]
    del compilation.record.reads[before:]
    for read in reads:
        match read.kind:
            case "variable":
                if in_ruby:
                    beside.variables.append(f"::{read.text.removeprefix('::')}")
            case "hiera":
                beside.lookups.append(read.detail)
            case "ruby":
                beside.texts += read.detail
            case "copied" | "rendering" | "epp" | "parameter":
                pass
            case _:
                beside.files.append((read.kind, read.text, read.path, read.unit.span(read.node)))


def _read_by(node: ast.Function) -> list[str]:
    """Facts, and variables of classes and the top, that stand in a function, as Hiera names them.

    Those of branches not taken are among them, those that other functions read are not.
    """
    found: list[str] = []
    todo: list[Any] = list(reversed(node.body))
    while todo:
        at = todo.pop()
        path: list[str] = []
        while (
            isinstance(at, ast.Access)
            and len(at.keys) == 1
            and isinstance(at.keys[0], ast.String)
            and isinstance(at.left, ast.Access | ast.Variable)
        ):
            path.insert(0, at.keys[0].value)
            at = at.left
        if isinstance(at, ast.Variable):
            if at.name in ("facts", "trusted") or "::" in at.name:
                plain = all("." not in part for part in path)
                found.append(".".join([at.name, *path]) if plain else at.name)
        elif isinstance(at, list):
            todo.extend(reversed(at))
        elif isinstance(at, ast.Record):
            todo.extend(reversed(list(ast.parts(at))))
    return list(dict.fromkeys(found))
