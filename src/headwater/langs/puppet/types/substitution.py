"""Replacing what a regular expression matches, as Ruby's ``sub`` and ``gsub`` do."""

from __future__ import annotations

from collections.abc import Callable

from headwater.langs.puppet.bytestrings import Bytes, encoding_of, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.regexps import Match, occurrences, plain
from headwater.langs.puppet.types.signatures import Failed

A_MATCH = 128
"""What a match counts as work of the program, where each is looked at by itself."""
A_QUICK_MATCH = 2
"""The same where Python replaces them all."""
TOGETHER = 1_000
"""Matches are counted by so many."""


def substitute(
    text: str,
    pattern: str,
    replacement: str | Hash,
    everywhere: bool,
    spend: Callable[[int], None] | None = None,
) -> str:
    """Ruby's ``sub`` and ``gsub``; `spend` counts the work, which may be much for a long text."""
    made = _substituted(text, pattern, replacement, everywhere, spend)
    return in_encoding(str(made), encoding_of(text)) if text.__class__ is Bytes else made


def _substituted(
    text: str,
    pattern: str,
    replacement: str | Hash,
    everywhere: bool,
    spend: Callable[[int], None] | None,
) -> str:
    simple = plain(pattern)
    if (
        simple is not None
        and simple.consumes
        and replacement.__class__ is str
        and "\\" not in replacement
        and simple.suits_text(text)
    ):
        made, count = simple.regex.subn(replacement, text, 0 if everywhere else 1)
        if count > TOGETHER and spend is not None:
            spend(count * A_QUICK_MATCH)
        return made
    data = text.encode()
    out: list[str] = []
    place = 0
    for number, match in enumerate(occurrences(pattern, data), 1):
        if number % TOGETHER == 0 and spend is not None:
            spend(TOGETHER * A_MATCH)
        out.append(data[place : match.start].decode())
        if isinstance(replacement, Hash):
            out.append(replacement.get(match.group(0) or "", ""))
        else:
            out.append(expand(replacement, match))
        place = match.end
        if not everywhere:
            break
    out.append(data[place:].decode())
    return "".join(out)


def expand(template: str, match: Match) -> str:
    """A replacement with its references to groups filled in."""
    if "\\" not in template:
        return template
    out: list[str] = []
    index = 0
    while index < len(template):
        char = template[index]
        if char != "\\" or index + 1 == len(template):
            out.append(char)
            index += 1
            continue
        code = template[index + 1]
        index += 2
        if code.isascii() and code.isdigit():
            out.append(match.group(int(code)) or "")
        elif code == "&":
            out.append(match.group(0) or "")
        elif code == "`":
            out.append(match.data[: match.start].decode())
        elif code == "'":
            out.append(match.data[match.end :].decode())
        elif code == "\\":
            out.append("\\")
        elif code == "k" and template[index : index + 1] == "<" and ">" in template[index:]:
            end = template.index(">", index)
            name = template[index + 1 : end]
            place = int(name) if name.isdigit() else match.names.get(name)
            if place is None:
                raise Failed(f"undefined group name reference: {name}")
            out.append(match.group(place) or "")
            index = end + 1
        else:
            out.append("\\" + code)
    return "".join(out)
