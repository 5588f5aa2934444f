"""Sets of nodes: an expression of Puppet over ``$facts`` and ``$trusted``, asked node by node."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from headwater.langs.protocol import Job
from headwater.langs.puppet import codes
from headwater.langs.puppet.adapter import compile_job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.syntax import parse
from headwater.langs.repositories import Unusable
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span
from headwater.tree import NotThere

NAME = "the expression"
_BEFORE, _AFTER = "if (", "\n) { notify { 'fits': } }"


def chooser(expression: str) -> Callable[[Fields], bool]:
    """Whether the node of some inputs fits the expression; a fact that is not there is undef."""
    shown = Source(NAME, expression)
    program = Source(NAME, f"{_BEFORE}{expression}{_AFTER}")
    parsed = parse(program)
    wrong = [d for d in parsed.diagnostics if d.is_error]
    if not wrong and len(parsed.program.body) != 1:
        wrong = [codes.BAD_INPUT.at(program.span(0, 0), message="it is more than one expression")]
    if wrong:
        raise Unusable(*(_about(d, program, shown) for d in wrong))

    def fits(given: Fields) -> bool:
        inputs = Fields(
            node=given.node,
            facts=given.facts,
            facts_file=given.facts_file,
            trusted=given.trusted,
            puppet=given.puppet,
            settings={"strict_variables": False, "strict": "off"},
        )
        outcome = compile_job(Job((program,), inputs))
        if outcome.result is None:
            raise Unusable(*(_about(d, program, shown) for d in outcome.errors))
        try:
            outcome.result.get(("Notify[fits]",))
        except NotThere:
            return False
        return True

    return fits


def _about(diagnostic: Diagnostic, program: Source, shown: Source) -> Diagnostic:
    """A diagnostic about the program around an expression, as one about the expression."""

    def moved(at: Span) -> Span:
        if at.source is not program:
            return at
        most = len(shown.text)
        start, end = (min(max(n - len(_BEFORE), 0), most) for n in (at.start, at.end))
        return shown.span(start, end)

    labels = tuple(Note(note.message, moved(note.at)) for note in diagnostic.labels)
    return replace(diagnostic, at=moved(diagnostic.at), labels=labels)
