"""Going on after a syntax error: read every statement that can be read, complain once each.

A first parse that fails is repeated with this module's loop, which catches what a
statement refuses, looks for the place where the next one begins, and goes on there.
An error close behind another, or in the rest of a file whose brackets do not match,
is not reported: it would only be an echo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.langs.puppet.syntax.ast import Expr
from headwater.langs.puppet.syntax.stream import Refused

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.parser import Parser


def statements(parser: Parser) -> list[Expr]:
    """All statements of a manifest that can be read; the faults go to the parser."""
    parser.i = 0
    parser.names.clear()
    try:
        parser.statements("END")
    except Refused as refused:
        if not (parser.quiet and parser.kinds[refused.index] == "END"):
            parser.faults.append(refused.diagnostic)
    return []
