"""``File.fnmatch``: patterns of names, as shells write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from headwater.langs.puppet.ruby.machine import Machine

NOESCAPE, PATHNAME, DOTMATCH, CASEFOLD, EXTGLOB = 1, 2, 4, 8, 16
FLAGS: Final = {
    "FNM_NOESCAPE": NOESCAPE,
    "FNM_PATHNAME": PATHNAME,
    "FNM_DOTMATCH": DOTMATCH,
    "FNM_CASEFOLD": CASEFOLD,
    "FNM_EXTGLOB": EXTGLOB,
    "FNM_SYSCASE": 0,
    "FNM_SHORTNAME": 0,
}
MOST_BRACES: Final = 1000
"""How many patterns the braces of one may stand for."""


def is_match(m: Machine, pattern: str, name: str, flags: int) -> bool:
    """Whether a name fits a pattern."""
    patterns = list(_without_braces(m, pattern)) if flags & EXTGLOB else [pattern]
    return any(_fits(m, one, name, flags) for one in patterns)


def _without_braces(m: Machine, pattern: str) -> Iterator[str]:
    """``a{b,c}`` as ``ab`` and ``ac``."""
    pending, count = [pattern], 0
    while pending:
        one = pending.pop(0)
        found = _braces(one)
        if found is None:
            yield one
            continue
        before, choices, after = found
        pending[:0] = [before + choice + after for choice in choices]
        count += len(choices)
        m.spend(len(choices))
        if count > MOST_BRACES:
            m.check_count(count * MOST_BRACES)


def _braces(pattern: str) -> tuple[str, list[str], str] | None:
    """The first outermost ``{a,b}``: what stands before, inside and after it."""
    depth, start, last = 0, 0, 0
    choices: list[str] = []
    place = 0
    while place < len(pattern):
        char = pattern[place]
        if char == "\\":
            place += 2
            continue
        if char == "{":
            depth += 1
            if depth == 1:
                start, last, choices = place, place + 1, []
        elif char == "," and depth == 1:
            choices.append(pattern[last:place])
            last = place + 1
        elif char == "}" and depth:
            depth -= 1
            if not depth:
                return pattern[:start], [*choices, pattern[last:place]], pattern[place + 1 :]
        place += 1
    return None


def _fits(m: Machine, pattern: str, name: str, flags: int) -> bool:
    if not flags & PATHNAME:
        return _part_fits(m, pattern, name, flags)
    return _path_fits(m, pattern.split("/"), name.split("/"), flags)


def _path_fits(m: Machine, patterns: list[str], names: list[str], flags: int) -> bool:
    """A path part by part; ``**`` stands for any number of folders."""
    reached = {0}
    for index, pattern in enumerate(patterns):
        m.spend(len(reached) + 1)
        if pattern == "**" and index + 1 < len(patterns):
            more = set(reached)
            for start in reached:
                place = start
                while place < len(names) - 1 and (flags & DOTMATCH or names[place][:1] != "."):
                    place += 1
                    more.add(place)
            reached = more
            continue
        reached = {
            place + 1
            for place in reached
            if place < len(names) and _part_fits(m, pattern, names[place], flags)
        }
    return len(names) in reached


def _part_fits(m: Machine, pattern: str, name: str, flags: int) -> bool:
    """One part: ``*``, ``?``, ``[a-z]``; a dot in front must be written."""
    m.spend(len(pattern) + len(name))
    if name.startswith(".") and not flags & DOTMATCH and not pattern.startswith((".", "\\.")):
        return False
    tokens = list(_tokens(pattern, flags))
    options = re.DOTALL | (re.IGNORECASE if flags & CASEFOLD else 0)
    reached = {0}
    for token in tokens:
        if token is None:
            reached = set(range(min(reached), len(name) + 1)) if reached else reached
            continue
        one = re.compile(token, options)
        reached = {at + 1 for at in reached if at < len(name) and one.fullmatch(name[at])}
        m.spend(len(reached) + 1)
        if not reached:
            return False
    return len(name) in reached


def _tokens(pattern: str, flags: int) -> Iterator[str | None]:
    """A pattern of one character after the other; None is ``*``."""
    place = 0
    while place < len(pattern):
        char = pattern[place]
        place += 1
        if char == "*":
            yield None
        elif char == "?":
            yield "."
        elif char == "[":
            letters, place = _set(pattern, place, flags)
            yield letters
        elif char == "\\" and not flags & NOESCAPE and place < len(pattern):
            yield re.escape(pattern[place])
            place += 1
        else:
            yield re.escape(char)


def _set(pattern: str, place: int, flags: int) -> tuple[str, int]:
    """``[a-z]`` from behind its bracket on; one that does not end fits nothing."""
    negated = pattern[place : place + 1] in ("!", "^")
    place += negated
    made = ""
    while place < len(pattern) and (pattern[place] != "]"):
        first, place = _letter(pattern, place, flags)
        last = first
        if pattern[place : place + 1] == "-" and pattern[place + 1 : place + 2] not in ("]", ""):
            last, place = _letter(pattern, place + 1, flags)
        if first <= last:
            made += f"{re.escape(first)}-{re.escape(last)}"
    if place >= len(pattern) or not made:
        return ("." if negated and place < len(pattern) else "(?!)", place + 1)
    return f"[{'^' if negated else ''}{made}]", place + 1


def _letter(pattern: str, place: int, flags: int) -> tuple[str, int]:
    if pattern[place] == "\\" and not flags & NOESCAPE and place + 1 < len(pattern):
        place += 1
    return pattern[place], place + 1
