"""The parser: a source becomes a `Program` and the diagnostics found on the way.

It goes on after a mistake (see recovery.py), so a program with errors is the part
that could be read.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import accumulate

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import epp, recovery
from headwater.langs.puppet.syntax.ast import Epp, Expr, Param, Program
from headwater.langs.puppet.syntax.definitions import Definitions
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.langs.puppet.syntax.messages import CLOSERS, OPENERS
from headwater.langs.puppet.syntax.stream import Refused
from headwater.report import Diagnostic, in_order
from headwater.text import Source, Span

MAX_NESTING = 500
"""How many brackets may be open at once."""

_FRAMES = 12 * MAX_NESTING + 2000
_DEPTH = {**dict.fromkeys(OPENERS, 1), **dict.fromkeys(CLOSERS, -1)}


@dataclass(slots=True)
class Parsed:
    """A program and what was wrong with its text, in order of place."""

    program: Program
    diagnostics: list[Diagnostic]

    @property
    def ok(self) -> bool:
        """Whether there is no error among the diagnostics."""
        return not any(d.is_error for d in self.diagnostics)


class Parser(Definitions):
    """The whole: statements one after the other, each with a second chance."""

    __slots__ = ()

    def manifest(self) -> list[Expr]:
        """All statements of a manifest."""
        try:
            return self.statements("END")
        except Refused:
            return recovery.statements(self)

    def template(self) -> list[Expr]:
        """A template with its parameters."""
        params: list[Param] | None = None
        try:
            if self.kinds[0] == "|":
                self.i = 1
                params = self.params("|")
                self.expect("|", ", or |")
            body = self.statements("END")
        except Refused as refused:
            self.faults.append(refused.diagnostic)
            body = []
        return [Epp(params, body, 0, len(self.source.text))]


def parse(source: Source, *, template: bool | None = None) -> Parsed:
    """Parses a manifest, or a template if the source's name ends in ``.epp``."""
    if template is None:
        template = source.name.endswith(".epp")
    lexer = Lexer(source)
    if template:
        epp.template(lexer)
    else:
        lexer.manifest()
    if source.bom:
        lexer.fault(codes.BYTE_ORDER_MARK, 0, 0)
    kinds = lexer.kinds
    if len(kinds) > MAX_NESTING and (deep := _too_deep(kinds)) >= 0:
        place = Span(source, *lexer.spans[deep])
        fault = codes.TOO_DEEP.at(place, bound=MAX_NESTING, what="brackets")
        return Parsed(Program([], source), in_order([*lexer.faults, fault]))
    parser = Parser(lexer)
    limit = sys.getrecursionlimit()
    if limit < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
    try:
        body = parser.template() if template else parser.manifest()
    except RecursionError:
        body = []
        fault = codes.TOO_DEEP.at(parser.span_of(parser.i), bound=MAX_NESTING, what="expressions")
        parser.faults.append(fault)
    finally:
        sys.setrecursionlimit(limit)
    if not parser.faults:
        return Parsed(Program(body, source), [])
    return Parsed(Program(body, source), in_order(parser.faults))


def _too_deep(kinds: list[str]) -> int:
    """The index of the first bracket that is nested too deep, or -1."""
    if sum(map(kinds.count, OPENERS)) <= MAX_NESTING:
        return -1
    depths = accumulate(_DEPTH.get(kind, 0) for kind in kinds)
    return next((i for i, depth in enumerate(depths) if depth > MAX_NESTING), -1)
