"""Why something is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.ask.addresses import readings_of
from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.document import FORMAT_VERSION
from headwater.ask.explain import Unable
from headwater.langs.abilities import Absence, ExplainsAbsence
from headwater.langs.codes import UNKNOWN_ADDRESS
from headwater.report import Diagnostic
from headwater.report.diagnostic import place
from headwater.text import Source
from headwater.tree import BadAddress, NotThere


@dataclass(frozen=True, slots=True)
class Absent:
    """Whether something is there, and the reasons if it is not."""

    address: str
    there: bool
    reasons: tuple[Absence, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer to ``--absent`` as data."""
        return {
            "format_version": FORMAT_VERSION,
            "address": self.address,
            "there": self.there,
            "reasons": [
                {
                    "message": one.message,
                    "guessed": one.guessed,
                    "places": [{"message": n.message, **place(n.at)} for n in one.notes],
                }
                for one in self.reasons
            ],
        }


@paused_collector()
def absent(compiled: Compiled, text: str) -> Absent | Diagnostic:
    """Why there is nothing at an address as the user wrote it.  Raises `Unable`."""
    language, outcome = compiled.language, compiled.outcome
    if not isinstance(language, ExplainsAbsence):
        raise Unable(f"{language.name} cannot tell why something is absent")
    assert outcome.result is not None
    try:
        readings = readings_of(language, text)
    except BadAddress as error:
        program = Source(outcome.sources[0].name, "")
        return UNKNOWN_ADDRESS.at(program.span(0, 0), address=text, help=str(error))
    for address in readings:
        try:
            outcome.result.get(address[:1])
        except NotThere:
            continue
        return Absent(language.show_address(address[:1]), True, ())
    found = language.absent(outcome, readings[0])
    return Absent(language.show_address(readings[0][:1]), False, tuple(found))
