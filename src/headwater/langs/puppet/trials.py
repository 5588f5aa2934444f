"""How inputs of Puppet may be written otherwise, taken away, or put where none is.

These are guesses by the look of a text, good enough because each is tried before it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.langs.protocol import TextEdit
from headwater.text import Source, Span
from headwater.text.patterns import LatePattern
from headwater.tree import Value
from headwater.tree.json import compact
from headwater.why import Label

_DATA = (".yaml", ".yml", ".eyaml")
_KEY = LatePattern(r"\S[^\n]*?:(?:[^\S\n]|$)", re.MULTILINE)


def filling(label: Label, value: str) -> TextEdit | None:
    """The line that gives a key a value in a data file that lacks it."""
    at = label.at
    if not at.source.name.endswith(_DATA) or not at.source.text:
        return None
    end = len(at.source.text)
    text = at.source.text
    if text.rstrip().endswith("{}") or label.text == "lookup_options":
        return None
    before = "" if text.endswith("\n") or not text else "\n"
    return TextEdit(at.source.span(end, end), f"{before}{label.text}: {value}\n")


def removals(label: Label) -> Iterator[TextEdit]:
    """What may take an input away: an entry of data, an attribute, a default of a parameter."""
    at, text = label.at, label.at.source.text
    if at.source.name.endswith(_DATA):
        entry = _entry(at.source, at.start)
        if entry is not None:
            yield TextEdit(entry, "")
        return
    before = text[: at.start].rstrip()
    if before.endswith(("=>", "+>")):
        name = before[:-2].rstrip()
        start = len(name.rstrip("abcdefghijklmnopqrstuvwxyz_0123456789*"))
        rest = text[at.end :].lstrip()
        end = len(text) - len(rest) + 1 if rest.startswith(",") else at.end
        yield TextEdit(at.source.span(start, end), "")
    elif before.endswith("="):
        yield TextEdit(at.source.span(len(before[:-1].rstrip()), at.end), "")


def _entry(source: Source, at: int) -> Span | None:
    """The lines of the entry of a YAML text, at its top, that holds a place."""
    starts = source.line_starts
    line = source.position(at).line
    while line > 0 and not _KEY.match(source.text, starts[line - 1]):
        line -= 1
    if line == 0:
        return None
    end = line + 1
    while end <= len(starts) and _continues(source.line(end)):
        end += 1
    stop = starts[end - 1] if end <= len(starts) else len(source.text)
    return source.span(starts[line - 1], stop)


def _continues(line: str) -> bool:
    """Whether a line belongs to the entry before it."""
    return not line.strip() or line[0] in " \t-#"


def spelt(label: Label, value: Value) -> str | None:
    """A value as it is written where an input stands."""
    name = label.at.source.name
    if name.endswith((*_DATA, ".json")):
        return compact(value)
    match value:
        case None:
            return "undef"
        case bool() | int() | float():
            return compact(value)
        case str():
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case list():
            items = [spelt(label, item) for item in value]
            return f"[{', '.join(item or '' for item in items)}]"
        case dict():
            pairs = (f"{spelt(label, key)} => {spelt(label, item)}" for key, item in value.items())
            return f"{{ {', '.join(pairs)} }}"
    return None
