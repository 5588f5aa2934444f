"""Source texts, places in them, and the token core that every lexer shares.

A `Source` is a named text; a `Span` is a stretch of one; `Token` and `Cursor`
are what a lexer makes and a parser reads.  This room imports nothing of ours.
"""

from typing import TYPE_CHECKING

from headwater.text import reading
from headwater.text.late import late
from headwater.text.paths import near
from headwater.text.source import (
    NOWHERE,
    Position,
    Source,
    Span,
    Unreadable,
    apply_edits,
    read_source,
)
from headwater.text.visible import visible

if TYPE_CHECKING:
    from headwater.text.strings import ESCAPES, unescaped
    from headwater.text.tokens import Cursor, Lexicon, Token
else:
    __getattr__ = late(
        __name__,
        {"strings": "ESCAPES unescaped", "tokens": "Cursor Lexicon Token"},
    )

__all__ = [
    "ESCAPES",
    "NOWHERE",
    "Cursor",
    "Lexicon",
    "Position",
    "Source",
    "Span",
    "Token",
    "Unreadable",
    "apply_edits",
    "near",
    "read_source",
    "reading",
    "unescaped",
    "visible",
]
