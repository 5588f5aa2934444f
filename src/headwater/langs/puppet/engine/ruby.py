"""The compiler as Ruby sees it: a machine for each compilation, and the calls it runs for.

Ruby runs only inside a call of a function of Puppet (`template`, a function of a module), and
may call others, which may run Ruby again.  So there is a row of calls; the last is the one whose
scope, place and log Ruby sees.  Whatever stops Ruby becomes a problem of that call.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, invoke
from headwater.langs.puppet.engine.ruby_blocks import RubyBlock
from headwater.langs.puppet.engine.ruby_catalog import RubyCatalog
from headwater.langs.puppet.engine.ruby_changes import Changes
from headwater.langs.puppet.engine.ruby_files import BUILT_IN_NEW, STATEMENTS
from headwater.langs.puppet.engine.ruby_scope import RubyScope
from headwater.langs.puppet.engine.ruby_unknown import Unknown, known
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.functions_protocol import Block
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import library
from headwater.langs.puppet.ruby.classes import OBJECT
from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.functions import functions_of
from headwater.langs.puppet.ruby.functions3 import run_old
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import Class, Proc, RubyValue
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import LookupContext, ResourceRef
from headwater.text import Source, Unreadable, read_source

assert EQUIPMENT  # every class has its methods before anything runs

A_STEP: Final = 10
"""Evaluations that a step of Ruby counts: a call, a turn of a loop."""

_FATAL: Final = frozenset(
    one.name
    for one in (
        codes.TOO_MANY_STEPS, codes.TOO_MANY_CALLS, codes.VALUE_TOO_LARGE, codes.NUMBER_TOO_LARGE,
        codes.REGEX_BOUND, codes.RUBY_BEYOND, codes.RUBY_BOUND, codes.RUBY_TITLE,
        codes.ENDLESS,
    )
)  # fmt: skip
"""Refusals that no ``rescue`` of a program may take for an answer."""


_FREE: list[Machine] = []
"""Machines whose compilations are forgotten."""


class RubyHost(RubyCatalog):
    """What Ruby may ask of the compilation (see `ruby.machine.Host`)."""

    def __init__(self, compilation: Compilation) -> None:
        super().__init__(compilation)
        try:
            self.machine, self.again = _FREE.pop(), True
        except IndexError:
            self.machine = Machine()
        self.machine.begin(self)
        self.machine.follow(compilation.level.version)
        functions_of(self.machine).top = self._top
        self.changes = Changes(self.machine)
        self.machine.watch = self._before_change
        self.inline: set[Source] = set()
        """Texts that are in no file."""
        self.odd_names: tuple[int, dict[str, str]] | None = None
        """How many variables there were at the top, and which facts Ruby names otherwise."""
        self.untold: dict[str, str] = {}
        """Types of resources whose title patterns cannot be told, and why."""

    def forget(self) -> None:
        """Lets another compilation have the machine."""
        self.machine.begin(None)
        _FREE.append(self.machine)

    def _top(self) -> ScopeObject:
        return ScopeObject(RubyScope(self.caller.at_top()))

    def reads(self, source: Source, file: str, *, inline: bool = False) -> None:
        """Notes a text of Ruby under the name Ruby knows it by, so that places can be told."""
        self.sources[file] = source
        if inline:
            self.inline.add(source)

    def during(self, call: Call) -> During:
        """While it lasts, Ruby runs for a call, and its steps are counted there."""
        return During(self, call)

    def enter(self, call: Call) -> None:
        """Ruby begins to run for a call."""
        self._calls.append(call)
        self.machine.steps = self._compilation.work.left // A_STEP

    def leave(self) -> None:
        """Ruby has run for the last call; what it changed is settled."""
        self._calls.pop()
        self._compilation.work.left = max(self.machine.steps, 0) * A_STEP
        self.changes.settle()

    @property
    def is_outermost(self) -> bool:
        """Whether the program called what runs, and no Ruby did."""
        return len(self._calls) == 1

    def _before_change(self, value: list[Any] | Hash) -> None:
        self.changes.before(self._calls[-1], value)

    def give(self, value: Value) -> RubyValue:
        """A value of the program as Ruby gets it; what is unknown ends the run."""
        if value.__class__ is str or value is None or value.__class__ is bool:
            return value
        self.changes.look_into(value)
        told = self.changes.as_told(value)
        if told is None:
            told = to_ruby(known(value) if self._compilation.work.opaque else value)
        return self.changes.give(value, told)

    # -- the protocol of the machine -------------------------------------------------------------

    def log(self, level: str, message: str) -> None:
        self._calls[-1].log(level, message)

    def call(
        self,
        name: str,
        args: list[Any],
        block: Proc | None = None,
        scope: ScopeObject | None = None,
    ) -> RubyValue:
        """Calls a function of Puppet, as `call_function` does."""
        surroundings: Any = None if scope is None else scope.surroundings
        call: Call = self.caller if scope is None else surroundings.call
        given = None if block is None else RubyBlock(block, self)
        values = [from_ruby(arg) for arg in args]
        function = name.removeprefix("::")

        def work() -> Value:
            return invoke(call.frame, call.unit, call.node, function, values, given)

        return self.give(self.outside(work))

    def find_resource(self, type_: str, title: str) -> Resource | None:
        """A resource of the catalog; a title that no pattern of its type fits is refused."""
        found = super().find_resource(type_, title)
        if found is None and type_ != "Class":
            self.call("defined", [ResourceRef(type_, title)])
        return found

    def call_old(self, name: str, args: list[Any], scope: ScopeObject) -> RubyValue:
        """Calls a function of the older API, whatever else has its name."""
        machine = self.machine
        if self.old_function(name):
            return run_old(machine, functions_of(machine).old[name], scope, args)
        if name in BUILT_IN_NEW:
            message = f"{name}() can only be called using the 4.x function API. "
            raise machine.error(library.PARSE_ERROR, f"{message}See Scope#call_function")
        result = self.call(name, args, None, scope)
        return None if name in STATEMENTS else result

    def run_lambda(self, block: Block, args: list[Any]) -> RubyValue:
        """Calls a lambda of Puppet."""
        return self.give(self.outside(lambda: block(*[from_ruby(arg) for arg in args])))

    def lambda_of(self, block: Proc) -> RubyBlock:
        """A block of Ruby as a lambda of Puppet."""
        return RubyBlock(block, self)

    def interpolated(self, context: LookupContext, value: RubyValue) -> RubyValue:
        """A value of Ruby with its interpolations of Hiera done."""
        call = self.caller

        def work() -> Value:
            try:
                return context.interpolate(from_ruby(value))
            except Problem as problem:
                raise problem.at(call.span) from None

        return self.give(self.outside(work))

    def data_file(self, path: str) -> str | None:
        """The text of a file that a function of data reads; None if there is no such file."""
        self.caller.external("file", path, path)
        source = read_source(path)
        if not isinstance(source, Unreadable):
            return source.text
        if source.kind == "missing":
            return None
        raise refused(source, path).at(self.caller.span)

    def own_file(self, path: str, construct: str) -> str | None:
        """The text of a file of a module, None if there is no such file."""
        path = os.path.normpath(path)
        if not self.is_own(path):
            raise Beyond(construct)
        return self.data_file(path)

    def outside(self, work: Callable[[], Value]) -> Value:
        """Does what Puppet does, not Ruby; what it refuses is an error that Ruby can rescue."""
        machine, budget = self.machine, self._compilation.work
        budget.left = max(machine.steps, 0) * A_STEP
        self.changes.settle()
        try:
            return known(work())
        except Fault as fault:
            raise self._raised(fault) from None
        finally:
            machine.steps = budget.left // A_STEP

    def back(self, run: Callable[[], RubyValue]) -> RubyValue:
        """Runs Ruby inside of a function that Ruby called."""
        machine, work = self.machine, self._compilation.work
        machine.steps = work.left // A_STEP
        try:
            return run()
        finally:
            work.left = max(machine.steps, 0) * A_STEP

    def constant(self, machine: Machine, path: str) -> RubyValue:
        """A constant that nobody has set is one of what is not evaluated here, but for the module
        that Puppet has for helpers of modules."""
        if path != "PuppetX":
            raise Beyond(path)
        made = Class(path, None, True)
        machine.set_constant(OBJECT, path, made)
        return made

    def _raised(self, fault: Fault) -> Exception:
        """The refusal of a function as an error that Ruby can rescue, unless it is a bound."""
        found = fault.diagnostic
        if found.code in _FATAL:
            return fault
        if fault.raised is not None:
            return fault.raised
        if found.code == codes.MISTYPED.name:
            return self.machine.error("ArgumentError", found.message, fault=fault)
        return self.machine.error(library.PARSE_ERROR, found.message, fault=fault)


class During:
    """The time in which Ruby runs for a call; afterwards the machine stands where it stood."""

    __slots__ = ("_at", "_call", "_depth", "_host", "_output")

    def __init__(self, host: RubyHost, call: Call) -> None:
        self._host = host
        self._call = call

    def __enter__(self) -> Machine:
        machine = self._host.machine
        self._output, self._depth, self._at = machine.output, machine.depth, machine.at
        self._host.enter(self._call)
        return machine

    def __exit__(self, *_: object) -> None:
        machine = self._host.machine
        machine.output, machine.depth, machine.at = self._output, self._depth, self._at
        self._host.leave()


def host_of(call: Call) -> RubyHost:
    """The host of a compilation, made with the first Ruby that runs."""
    services = call.compilation.services
    if services.ruby is None:
        services.ruby = RubyHost(call.compilation)
    found: RubyHost = services.ruby
    return found


__all__ = ["RubyHost", "Unknown", "host_of", "known"]
