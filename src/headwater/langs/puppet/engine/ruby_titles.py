"""Title patterns that Ruby computes: the file of the type is run, once per compilation."""

from __future__ import annotations

import msgspec

from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost, host_of
from headwater.langs.puppet.engine.ruby_faults import Stopped
from headwater.langs.puppet.engine.ruby_reads import tracing
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.titles import patterns_of
from headwater.langs.puppet.ruby.values import Raised
from headwater.text import Span


def told(f: Frame, unit: Unit, node: object, info: TypeInfo) -> TypeInfo | str:
    """The type with its title patterns, or why they cannot be told."""
    compilation = f.scope.compilation
    types = compilation.services.types
    path = types.source_of(info)
    if path is None:
        return "its file is not there"
    call = Call(f, unit, node, "title_patterns")
    host = host_of(call)
    if info.name in host.untold:  # a file that stopped half-way is not asked again
        return host.untold[info.name]

    def note(spans: frozenset[Span]) -> None:
        call.read("titles", info.name, path, spans)

    try:
        with host.during(call) as machine, tracing(host, path, note):
            host.load(path)
            patterns = patterns_of(machine, info.name)
    except Stopped as stopped:
        return host.untold.setdefault(info.name, _why(host, stopped))
    made = msgspec.structs.replace(info, patterns=patterns, unread=False)
    types.tell(made)
    return made


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
