"""What a compilation has to say: warnings, its log, and what it could not decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.values import Opaque
from headwater.report import Code, Diagnostic
from headwater.text import Span

MOST_DEPRECATED = 10
"""Deprecations of a kind that are told in one compilation."""


class Messages:
    """The findings of one compilation; `strict` says what is a warning and what an error."""

    def __init__(self, strict: str, strict_variables: bool) -> None:
        self.strict = strict
        self.strict_variables = strict_variables
        self.diagnostics: dict[Diagnostic, None] = {}
        self._deprecated = 0
        self._said: set[str] = set()
        self.undecided: dict[Span, str] = {}
        """Pieces of program that hang on values nobody here can compute."""

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Adds findings that are made already; of deprecated types no more than Puppet tells."""
        for one in found:
            if one.code == codes.COMPUTED_TYPE.name and one not in self.diagnostics:
                self._deprecated += 1
                if self._deprecated > MOST_DEPRECATED:
                    continue
            self.diagnostics[one] = None

    def warn(self, code: Code, span: Span, **fields: Any) -> None:  # noqa: ANN401
        """Adds a warning."""
        self.diagnostics[code.at(span, severity="warning", **fields)] = None

    def log(self, level: str, message: str, span: Span) -> None:
        """Writes to the log of the compilation."""
        if level in ("debug", "info"):
            return
        severity: Any = "note" if level == "notice" else "warning"
        found = codes.MESSAGE.at(span, severity=severity, level=level, message=message)
        self.diagnostics[found] = None

    def log_once(self, level: str, message: str, span: Span) -> None:
        """Writes to the log what is said once in a compilation, wherever it is met first."""
        if message not in self._said:
            self._said.add(message)
            self.log(level, message, span)

    def undecide(self, unit: Unit, node: object, why: Opaque) -> None:
        """Notes a piece of program that hangs on a value nobody here can compute."""
        span = unit.span(node)
        if span not in self.undecided:
            self.undecided[span] = why.why
            self.warn(codes.UNDECIDED, span, why=why.why)

    def doubt(self, fault: Fault, why: Opaque) -> bool:
        """Takes a refusal that only a guess leads to for a warning; bounds are not passed."""
        found = fault.diagnostic
        if found.code in (codes.TOO_MANY_CALLS.name, codes.ENDLESS.name):
            return False
        self.warn(codes.REFUSED_GUESS, found.at, message=found.message, why=why.why)
        return True

    def coerced_at(self, unit: Unit, node: object) -> Callable[[str, Any], None]:
        """What to do when a text is taken for a number at a place."""

        def coerced(before: str, after: object) -> None:
            if self.strict == "error":
                diagnostic = codes.NUMERIC_COERCION.at(
                    unit.span(node), severity="error", before=before, after=after
                )
                raise Fault(diagnostic)
            if self.strict == "warning":
                self.warn(codes.NUMERIC_COERCION, unit.span(node), before=before, after=after)

        return coerced
