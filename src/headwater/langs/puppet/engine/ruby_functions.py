"""Functions of modules that are written in Ruby: a file is loaded with the first call."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost, host_of
from headwater.langs.puppet.engine.ruby_faults import Run, Stopped, unknown_or_refused
from headwater.langs.puppet.engine.ruby_reads import Running
from headwater.langs.puppet.engine.ruby_scope import RubyScope
from headwater.langs.puppet.functions_protocol import Block
from headwater.langs.puppet.ruby import functions3, functions4
from headwater.langs.puppet.ruby.closed import key_of
from headwater.langs.puppet.ruby.exchange import check_told, from_ruby
from headwater.langs.puppet.ruby.functions import OldFunction, functions_of
from headwater.langs.puppet.ruby.lasting import Remembered, given_before, remember
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import Class, RubyValue
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import opaque_in


def ruby_function(
    compilation: Compilation,
    name: str,
    path: str,
    leaving: Callable[[RubyValue], Value] = from_ruby,
) -> Callable[..., Any]:
    """A function of a module that is written in Ruby, as the compiler calls it."""

    old = f"{os.sep}parser{os.sep}functions{os.sep}" in path

    def written_in_ruby(call: Call, args: Sequence[Any], block: Block | None) -> Value:
        host = host_of(call)
        unknown = opaque_in(list(args)) if compilation.work.opaque else None
        if unknown is None:
            with Running(host, call, path):
                try:
                    found = _loaded(host, name, path, old)
                    result = _call(host, call, name, path, found, list(args), block, leaving)
                    if host.is_outermost and not getattr(call.node, "statement", False):
                        check_told(result)
                    return result
                except Stopped as stopped:
                    unknown = unknown_or_refused(_run(host, call, name, path), stopped)
        if getattr(call.node, "statement", False):
            call.undecide(unknown)
        return unknown

    return written_in_ruby


def _run(host: RubyHost, call: Call, name: str, path: str) -> Run:
    return Run(host, call, path, f"the function {name}", "", f"{name}()", calls=True)


def dispatches_of(call: Call, name: str, path: str) -> list[functions4.Dispatch]:
    """The ways to call a function of the newer API; none if that cannot be told."""
    host = host_of(call)
    with Running(host, call, path):
        try:
            made = _loaded(host, name, path, f"{os.sep}parser{os.sep}functions{os.sep}" in path)
        except Stopped as stopped:
            unknown_or_refused(_run(host, call, name, path), stopped)
            return []
    dispatcher = made.ivars.get("dispatcher") if isinstance(made, Class) else None
    return dispatcher.dispatches if isinstance(dispatcher, functions4.Dispatcher) else []


def _call(
    host: RubyHost, call: Call, name: str, path: str, found: Class | OldFunction,
    args: list[Any], block: Block | None, leaving: Callable[[RubyValue], Value],
) -> Value:  # fmt: skip
    machine = host.machine
    before = given_before(machine, path, found) if block is None and leaving is from_ruby else None
    key = None if before is None else key_of(args)
    again = None if before is None or key is None else before.given.get(key)
    if again is not None:
        machine.spend(again.steps)
        machine.entered |= again.ran
        if again.copied is not None:
            call.read("copied", "", None, (name, again.copied))
        return again.recipe.made(args)
    steps, clock = machine.steps, call.compilation.record.clock
    result = _run_now(host, call, found, args, block, leaving)
    copied = functions_of(machine).copied
    if copied is not None:
        call.read("copied", "", None, (name, copied))
    if before is not None and key is not None and clock == call.compilation.record.clock:
        remember(machine, before, key, Remembered(args, result, steps - machine.steps))
    return result


def _run_now(
    host: RubyHost, call: Call, found: Class | OldFunction, args: list[Any],
    block: Block | None, leaving: Callable[[RubyValue], Value],
) -> Value:  # fmt: skip
    scope = ScopeObject(RubyScope(call))
    if isinstance(found, OldFunction):
        result = functions3.call_old(host.machine, found, scope, args)
    else:
        for arg in args:
            host.changes.give(arg, arg)
        result = functions4.call_new(host.machine, found, scope, args, block, leaving)
    return result


def _loaded(host: RubyHost, name: str, path: str, old: bool) -> Class | OldFunction:
    """The function that a file defines."""
    functions = functions_of(host.machine)
    table: dict[str, Any] = functions.old if old else functions.new
    if old:
        host.load_old(name, path)
    elif name not in table:
        host.load(path)
    found = table.get(name)
    if found is None:
        raise host.machine.error(
            "ArgumentError", f"The code loaded from {path} does not define the function {name}"
        )
    assert isinstance(found, Class | OldFunction)
    return found
