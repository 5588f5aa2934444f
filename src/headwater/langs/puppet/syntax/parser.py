"""The parser: a source becomes a `Program` and the diagnostics found on the way.

It goes on after a mistake (see recovery.py), so a program with errors is the part
that could be read.
"""

from __future__ import annotations

import gc
from itertools import accumulate

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import epp
from headwater.langs.puppet.syntax.ast import Epp, Expr, Param, Program
from headwater.langs.puppet.syntax.definitions import Definitions
from headwater.langs.puppet.syntax.depth import MAX_NESTING, PARSING
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.langs.puppet.syntax.messages import CLOSERS, OPENERS
from headwater.langs.puppet.syntax.recovery import read_on
from headwater.langs.puppet.syntax.stream import Refused, TooDeep
from headwater.report import Diagnostic, in_order
from headwater.text import Source, Span
from headwater.text.recursion import room

_DEPTH = {**dict.fromkeys(OPENERS, 1), **dict.fromkeys(CLOSERS, -1)}


class Parsed(msgspec.Struct):
    """A program and what was wrong with its text, in order of place."""

    program: Program
    diagnostics: list[Diagnostic]

    @property
    def ok(self) -> bool:
        """Whether there is no error among the diagnostics."""
        return not any(d.is_error for d in self.diagnostics)


def parse(source: Source, *, template: bool | None = None) -> Parsed:
    """Parses a manifest, or a template if the source's name ends in ``.epp``."""
    if template is None:
        template = source.name.endswith(".epp")
    collecting = gc.isenabled()
    gc.disable()  # tokens and trees have no cycles, and a collection would walk all of them
    try:
        body, faults = _read(source, template)
    finally:
        if collecting:
            gc.enable()
    return Parsed(Program(body, source), in_order(faults) if faults else [])


def _read(source: Source, template: bool) -> tuple[list[Expr], list[Diagnostic]]:
    """Lexes and parses: statements and faults."""
    lexer = Lexer(source)
    if template:
        epp.template(lexer)
    else:
        lexer.manifest()
    if source.bom:
        lexer.fault(codes.BYTE_ORDER_MARK, 0, 0)
    kinds = lexer.kinds
    if lexer.faults and lexer.faults[-1].code == codes.TOO_LARGE.name:
        return [], lexer.faults
    if len(kinds) > MAX_NESTING and (deep := _too_deep(kinds)) >= 0:
        place = Span(source, *lexer.spans[deep])
        return [], [*lexer.faults, codes.TOO_DEEP.at(place, bound=MAX_NESTING, what="brackets")]
    try:
        with room(PARSING):
            return _template(lexer) if template else _manifest(lexer)
    except RecursionError:
        place = Span(source, 0, 0)
        return [], [codes.TOO_DEEP.at(place, bound=MAX_NESTING, what="expressions")]


def _manifest(lexer: Lexer) -> tuple[list[Expr], list[Diagnostic]]:
    """The statements of a manifest, and its faults."""
    parser = Definitions(lexer)
    try:
        return parser.statements("END"), parser.faults
    except TooDeep as refused:
        return [], [*parser.faults, refused.say()]
    except Refused:
        return [], read_on(lexer).faults


def _template(lexer: Lexer) -> tuple[list[Expr], list[Diagnostic]]:
    """A template with its parameters, and its faults.

    The lines of a template are not those of its code, so nothing says where the next
    statement begins: one error is all there is.
    """
    parser = Definitions(lexer)
    params: list[Param] | None = None
    try:
        if parser.kinds[0] == "|":
            parser.i = 1
            params = parser.params("|")
            parser.expect("|", ", or |")
        body = parser.statements("END")
    except Refused as refused:
        end = parser.kinds[refused.index]
        if end != "BAD" and not (parser.quiet and end == "END"):
            parser.faults.append(refused.say())
        return [], parser.faults
    return [Epp(params, body, 0, len(lexer.text))], parser.faults


def _too_deep(kinds: list[str]) -> int:
    """The index of the first bracket that is nested too deep, or -1."""
    if sum(map(kinds.count, OPENERS)) <= MAX_NESTING:
        return -1
    depths = accumulate(_DEPTH.get(kind, 0) for kind in kinds)
    return next((i for i, depth in enumerate(depths) if depth > MAX_NESTING), -1)
