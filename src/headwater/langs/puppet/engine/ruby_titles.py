"""Types of resources that only Ruby can tell: their files are run, once per compilation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost, host_of
from headwater.langs.puppet.engine.ruby_faults import Run, Stopped, unknown_or_refused
from headwater.langs.puppet.engine.ruby_reads import ReadingTitles
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.ruby.classes import BUILTIN
from headwater.langs.puppet.ruby.exchange import from_ruby
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.titles import members_of, patterns_of
from headwater.langs.puppet.ruby.values import BoundMethod, Proc, Raised, Text
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Symbolic


def told(f: Frame, unit: Unit, node: object, info: TypeInfo) -> TypeInfo | str:
    """The type with its title patterns and parameters, or why they cannot be told."""
    compilation = f.scope.compilation
    types = compilation.services.types
    path = types.source_of(info)
    if path is None:
        return "its file is not there"
    call = Call(f, unit, node, info.name)
    host = host_of(call)
    if info.name in host.untold:  # a file that stopped half-way is not asked again
        return host.untold[info.name]

    try:
        with host.during(call) as machine, ReadingTitles(host, call, path):
            _load(host, call, path)
            members = members_of(machine, info.name)
            patterns = patterns_of(machine, info.name, partial(_changed, host, call))
    except Stopped as stopped:
        return host.untold.setdefault(info.name, _why(host, stopped))
    names = members.names | (info.parameters & {"name", "provider"})
    made = msgspec.structs.replace(
        info, parameters=names, keys=members.keys, isomorphic=members.isomorphic,
        patterns=patterns, open=False, unread=False, unsure=False,
    )  # fmt: skip
    types.tell(made)
    return made


def _load(host: RubyHost, call: Call, path: str) -> None:
    """Runs the file of a type; one that is no Ruby, or that raises an error, is refused.

    A name that is not known may be known to Puppet, so an error about one says nothing.
    """
    try:
        host.load(path)
    except (Raised, Unreadable) as stopped:
        if isinstance(stopped, Raised) and any(map(stopped.error.cls.is_below, _NOT_KNOWN)):
            raise
        failed = f"the type {call.name} cannot be loaded: "
        run = Run(host, call, path, f"the type {call.name}", failed, call.name, calls=True)
        unknown_or_refused(run, stopped)


_NOT_KNOWN: Final = (BUILTIN["NameError"], BUILTIN["LoadError"])


def _changed(
    host: RubyHost, call: Call, change: Proc | BoundMethod
) -> Callable[[str | None], Value]:
    """A function of Ruby that makes the value of a key of what a title pattern found."""

    def changed(found: str | None) -> Value:
        try:
            with host.during(call) as machine:
                given = None if found is None else Text(found)
                made = from_ruby(machine.send(change, "call", [given]))
                return made.name if isinstance(made, Symbolic) else made  # as a catalog writes it
        except Stopped as stopped:
            why = _why(host, stopped)
            raise Problem(
                codes.RUBY_TITLE, title=found, type=call.name.capitalize(), why=why
            ) from None

    return changed


def _why(host: RubyHost, stopped: Exception) -> str:
    match stopped:
        case Beyond(construct=construct):
            return f"{construct} is not evaluated here"
        case Raised(error=error):
            return host.machine.text(host.machine.send(error, "message", []))
        case Unreadable(message=message):
            return message
        case Exhausted(bound=bound):
            return f"too many {bound}"
    return "what they hang on is not known"
