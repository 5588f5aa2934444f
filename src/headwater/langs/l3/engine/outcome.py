"""From a program to its outcome: links, heads, resolution."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs.l3.engine.causes import EngineCauses
from headwater.langs.l3.engine.contest import Referee
from headwater.langs.l3.engine.heads import Heads, TooLarge
from headwater.langs.l3.engine.links import link
from headwater.langs.l3.engine.resolve import Resolution
from headwater.langs.l3.findings import both_findings, clash_findings, tie_findings
from headwater.langs.l3.syntax import Program
from headwater.report import Diagnostic
from headwater.tree import Value


@dataclass(slots=True)
class Answer:
    """What the engine makes of a program."""

    tree: Value = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    causes: EngineCauses | None = None


def run(program: Program, *, strict: bool) -> Answer:
    """The whole engine."""
    answer = Answer()
    links = link(program)
    if links.errors:
        answer.diagnostics = links.errors
        return answer
    try:
        heads = Heads(links)
        if heads.errors:
            answer.diagnostics = heads.errors
            return answer
        referee = Referee()
        resolved = Resolution(heads, referee).run(program)
    except TooLarge as error:
        answer.diagnostics = [error.diagnostic]
        return answer
    answer.diagnostics = [
        *clash_findings(resolved.clashes),
        *tie_findings(resolved.ties, strict=strict),
        *both_findings(resolved.both),
    ]
    if not resolved.clashes:
        answer.tree = resolved.tree
        answer.causes = EngineCauses(heads, referee, program)
    return answer
