"""Which key of a data file a place belongs to."""

from __future__ import annotations

import re

from headwater.text import Span

_ENDINGS = (".yaml", ".yml", ".eyaml")
_KEY = re.compile(
    r"""^(?:'([^'\n]++)'[ \t]*+|"([^"\n]++)"[ \t]*+"""
    r"""|([^\s'"#\[{\-](?>(?:[^\n:]++|:(?![ \t]|$))*))):(?:[ \t]|$)""",
    re.MULTILINE,
)
"""A key at the top: it begins its line.  A plain one may have blanks after it."""


def key_at(at: Span) -> str | None:
    """The key at the top of a data file, in block style, under which a place stands."""
    source = at.source
    if not source.name.endswith(_ENDINGS):
        return None
    end = source.text.find("\n", at.start)
    before = source.text[: len(source.text) if end < 0 else end]
    found = None
    for found in _KEY.finditer(before):  # noqa: B007 - the last is wanted
        pass
    if found is None:
        return None
    quoted, doubly, plain = found.groups()
    return quoted or doubly or plain.rstrip(" \t")
