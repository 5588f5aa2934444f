"""The compiler as Ruby sees it: one machine per compilation, and the calls it runs for.

Ruby runs only inside a call of a function of Puppet (`template`, a function of a module), and
may call others, which may run Ruby again.  So there is a row of calls; the last is the one whose
scope, place and log Ruby sees.  Whatever stops Ruby becomes a problem of that call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, invoke
from headwater.langs.puppet.engine.ruby_blocks import RubyBlock
from headwater.langs.puppet.fault import Fault, Jump
from headwater.langs.puppet.ruby import library, methods
from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.values import Opaque, opaque_in
from headwater.text import Source, Span

assert methods.__all__  # every class has its methods before anything runs

A_STEP: Final = 10
"""Evaluations that a step of Ruby counts: a call, a turn of a loop."""

_FATAL: Final = frozenset(
    one.name
    for one in (
        codes.TOO_MANY_STEPS, codes.TOO_MANY_CALLS, codes.VALUE_TOO_LARGE, codes.NUMBER_TOO_LARGE,
        codes.REGEX_BOUND, codes.RUBY_BEYOND, codes.RUBY_BOUND, codes.RUBY_FUNCTION,
        codes.RUBY_TITLE, codes.ENDLESS,
    )
)  # fmt: skip
"""Refusals that no ``rescue`` of a program may take for an answer."""


class Unknown(Exception):
    """Ruby read a value that nobody here can compute; what it would have given is unknown too."""

    def __init__(self, value: Opaque) -> None:
        super().__init__(value.why)
        self.value = value


class RubyHost:
    """What Ruby may ask of the compilation (see `ruby.machine.Host`)."""

    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation
        self.machine = Machine(self)
        self.machine.follow(compilation.level.version)
        self._calls: list[Call] = []
        self._sources: dict[str, Source] = {}
        self.inline: set[Source] = set()
        """Texts that are in no file."""

    def reads(self, source: Source, *, inline: bool = False) -> None:
        """Notes a text of Ruby, so that places in it can be told."""
        self._sources[source.name] = source
        if inline:
            self.inline.add(source)

    def span(self, file: str, offset: int) -> Span | None:
        """A place in a text of Ruby; none if the text is not known."""
        source = self._sources.get(file)
        if source is None:
            return None
        at = min(max(offset, 0), len(source.text))
        return source.span(at, at)

    @contextmanager
    def during(self, call: Call) -> Iterator[Machine]:
        """While it lasts, Ruby runs for a call, and its steps are counted there."""
        machine, work = self.machine, self._compilation.work
        self._calls.append(call)
        output, depth, at = machine.output, machine.depth, machine.at
        machine.steps = work.left // A_STEP
        try:
            yield machine
        finally:
            machine.output, machine.depth, machine.at = output, depth, at
            self._calls.pop()
            work.left = max(machine.steps, 0) * A_STEP

    # -- the protocol of the machine -------------------------------------------------------------

    def log(self, level: str, message: str) -> None:
        self._calls[-1].log(level, message)

    def call(self, name: str, args: list[Any], block: Any = None) -> Any:
        """Calls a function of Puppet, as `call_function` does."""
        call = self._calls[-1]
        machine, work = self.machine, self._compilation.work
        given = None if block is None else RubyBlock(block, self)
        work.left = max(machine.steps, 0) * A_STEP
        try:
            result = invoke(
                call.frame, call.unit, call.node, name.removeprefix("::"),
                [from_ruby(arg) for arg in args], given,
            )  # fmt: skip
        except Fault as fault:
            raise self._raised(fault) from None
        except Jump as jump:
            raise Beyond(f"{type(jump).__name__.lower()}() called from Ruby") from None
        finally:
            machine.steps = work.left // A_STEP
        return to_ruby(known(result))

    def back(self, run: Callable[[], Any]) -> Any:
        """Runs Ruby inside of a function that Ruby called."""
        machine, work = self.machine, self._compilation.work
        machine.steps = work.left // A_STEP
        try:
            return run()
        finally:
            work.left = max(machine.steps, 0) * A_STEP

    def has_function(self, name: str, *, old: bool) -> bool:
        """Whether there is a function of a name; `old`: one that ``function_x`` can call."""
        if old and name in OLD_FUNCTIONS:
            return True
        where = self._compilation.program.function(name)
        if old:
            return isinstance(where, str) and "/parser/functions/" in where
        return where is not None

    def constant(self, machine: Machine, path: str) -> Any:
        """A constant that nobody has set is one of what is not evaluated here."""
        raise Beyond(path)

    def known(self, machine: Machine, path: str) -> Any:
        return None

    def require(self, machine: Machine, name: str, relative_to: str | None) -> bool:
        raise Beyond(f"require '{name}'")

    def _raised(self, fault: Fault) -> Exception:
        """The refusal of a function as an error that Ruby can rescue, unless it is a bound."""
        found = fault.diagnostic
        if found.code in _FATAL:
            return fault
        return self.machine.error(library.PARSE_ERROR, found.message, fault=fault)


_OLD: Final = (
    "assert_type binary_file break contain create_resources defined dig digest each epp fail file "
    "filter find_file fqdn_rand generate hiera hiera_array hiera_hash hiera_include include "
    "inline_epp inline_template lest lookup map match md5 new next realize reduce regsubst require "
    "return reverse_each scanf sha1 sha256 shellquote slice split sprintf step strftime tag tagged "
    "template then type versioncmp with alert crit debug emerg err info notice warning"
)
OLD_FUNCTIONS: Final = frozenset(_OLD.split())
"""The functions of Puppet that are there under the older API too."""


def known(value: Any) -> Any:
    """A value that Ruby is given, unless it or something in it is unknown."""
    found = opaque_in(value)
    if found is not None:
        raise Unknown(found)
    return value


def host_of(call: Call) -> RubyHost:
    """The host of a compilation, made with the first Ruby that runs."""
    services = call.compilation.services
    if services.ruby is None:
        services.ruby = RubyHost(call.compilation)
    found: RubyHost = services.ruby
    return found
