"""What stops Ruby, as a refusal with its place: in the template or function, and at the call.

What lies beyond the evaluator is refused too, or, if the user wants to go on, unknown.
"""

from __future__ import annotations

import os
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby import RubyHost, Unknown
from headwater.langs.puppet.engine.steps import exhausted
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.ruby.machine import OF_STEPS
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.values import Raised
from headwater.langs.puppet.values import Opaque
from headwater.report import Code, Note
from headwater.text import Span, read_source
from headwater.text import Unreadable as Unread
from headwater.text.named import NamedTuple

Stopped = (Unknown, Beyond, Raised, Unreadable, Exhausted)
"""What ends a run of Ruby before it gives a value."""


IN_RUBY = "here, in Ruby"
"""What is said of the place in Ruby where the place of the call comes first."""


class Run(NamedTuple):
    """A piece of Ruby that is run for a call."""

    host: RubyHost
    call: Call
    file: str
    """What its text is known by."""
    subject: str
    """``the template m/x.erb``, ``the function f``."""
    failed: str
    """What Puppet says before the message of an error."""
    why: str
    """How an unknown value of it is told."""
    calls: bool = False
    """Whether Puppet blames the call, as it does for functions, and not the text of Ruby."""


def unknown_or_refused(run: Run, stopped: Exception) -> Opaque:
    """The unknown value that Ruby gives which read one, or is beyond us; else a refusal."""
    match stopped:
        case Unknown(value=value):
            return value
        case Beyond() if run.call.compilation.inputs.on_unknown == "opaque":
            return _opaque(run, stopped)
    raise _refusal(run, stopped) from None


def _refusal(run: Run, stopped: Exception) -> Fault:
    match stopped:
        case Beyond(construct=construct):
            at = _place(run, stopped)
            return _fault(run, codes.RUBY_BEYOND, at, construct=construct, where=_where(run, at))
        case Raised(error=error, at=(file, offset)):
            if run.calls and isinstance(fault := error.ivars.get(" fault"), Fault):
                return fault
            message = run.host.machine.text(run.host.machine.send(error, "message", []))
            at = run.host.span(file or run.file, offset)
            made = _fault(run, codes.RUBY_ERROR, at, message=f"{run.failed}{message}")
            if run.calls:
                made.raised = stopped
            return made
        case Unreadable(message=message, at=offset):
            at = run.host.span(run.file, offset) or _in_file(run.file, offset)
            return _fault(run, codes.RUBY_SYNTAX, at, name=run.subject, message=message)
        case Exhausted(bound=bound, limit=limit):
            if bound == OF_STEPS:
                exhausted(run.call.compilation.work, run.call.unit, run.call.node)
            at = run.host.span(*run.host.machine.at)
            limit_ = f"{limit:,}"
            return _fault(run, codes.RUBY_BOUND, at, name=run.subject, bound=bound, limit=limit_)
    raise stopped


def _fault(run: Run, code: Code, at: Span | None, **fields: Any) -> Fault:  # noqa: ANN401
    """A refusal in the file of Ruby, with a note at the call; the other way round for a text."""
    call = run.call.unit.blamed(run.call.node)
    if at is None:
        return Fault(code.at(call, **fields))
    if run.calls or at.source in run.host.inline:
        return Fault(code.at(call, labels=[Note(IN_RUBY, at)], **fields))
    return Fault(code.at(at, labels=[Note("it was called here", call)], **fields))


def _in_file(path: str, offset: int) -> Span | None:
    """A place in a file that could not be loaded."""
    source = read_source(path)
    return None if isinstance(source, Unread) else source.span(offset, offset)


def _place(run: Run, beyond: Beyond) -> Span | None:
    if beyond.at is None:
        return run.host.span(*run.host.machine.at)
    file = beyond.file or run.file
    return run.host.span(file, beyond.at) or _in_file(file, beyond.at)


def _where(run: Run, at: Span | None) -> str:
    """A place, in the folder of its module."""
    if at is None:
        return "nowhere"
    name = at.source.name
    for folder in run.call.compilation.program.modules.folders.values():
        if name.startswith(folder + os.sep):
            name = os.path.relpath(name, folder)
    return f"{name}:{at.first.line}"


def _opaque(run: Run, beyond: Beyond) -> Opaque:
    call, compilation = run.call, run.call.compilation
    what = f"{run.subject} ({beyond.construct}, {_where(run, _place(run, beyond))})"
    compilation.messages.warn(codes.OPAQUE_VALUE, call.span, what=what)
    call.external("unknown", run.why)
    compilation.work.opaque = True
    return Opaque(run.why)
