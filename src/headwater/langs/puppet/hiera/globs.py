"""The files that a location of a level means: paths and patterns as Ruby's Pathname has them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.files import exists, is_folder, leads_to_folder, names_in
from headwater.text.reading import is_link

T = TypeVar("T")

MOST_LOOKED = 100_000
"""Names and choices in braces that one pattern may make us look at."""


def joined(folder: str, path: str) -> str:
    """A path in a folder; leading ``..`` go up by name, whether the folder is there or not."""
    if "\0" in path:
        raise Problem(codes.HIERA_CONFIG, message="a path cannot hold the character NUL")
    if path.startswith("/"):
        return path
    parts = path.split("/")
    while parts:
        if parts[0] == ".." and os.path.basename(folder) not in ("", ".", ".."):
            folder = os.path.dirname(folder)
        elif parts[0] not in ("", "."):
            break
        parts.pop(0)
    return os.path.join(folder, *parts)


def files_of(pattern: str, locked: Callable[[Problem], None]) -> list[str]:
    """The files of a pattern: each alternative in braces by itself, folder by folder.

    `locked` is told of folders that may not be read; others are looked at.
    """
    return [path for path in _paths_of(pattern, locked) if not is_folder(path)]


def folders_of(pattern: str) -> list[str]:
    """The folders of a pattern.  Raises `Problem` if one on the way may not be read."""

    def locked(problem: Problem) -> NoReturn:
        raise problem

    return [path for path in _paths_of(pattern, locked) if is_folder(path)]


def _paths_of(pattern: str, locked: Callable[[Problem], None]) -> Iterator[str]:
    looking = _Looking(pattern, locked)
    for one in _alternatives(pattern):
        looking.at()
        parts = [part for part in one.split("/") if part]
        yield from _walk("/" if one.startswith("/") else "", [parts], looking)


class _Looking:
    """Counts what a pattern makes us look at: braces, and links to folders, multiply it."""

    def __init__(self, pattern: str, locked: Callable[[Problem], None]) -> None:
        self.pattern = pattern
        self._locked = locked
        self.left = MOST_LOOKED

    def at(self, count: int = 1) -> None:
        """Counts names, or choices in braces, that are looked at."""
        self.left -= count
        if self.left < 0:
            raise Problem(codes.GLOB_BOUND, pattern=self.pattern, bound=f"{MOST_LOOKED:,}")

    def at_one(self, look: Callable[[str], T], path: str) -> T | None:
        """What a look at a path finds; None if it is in a folder that may not be read."""
        try:
            return look(path)
        except Problem as problem:
            self._locked(problem)
            return None


def _alternatives(pattern: str) -> Iterator[str]:
    """A pattern for each choice in its braces, which may hold others."""
    depth, start, cuts = 0, -1, []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "{":
            depth += 1
            if depth == 1:
                start, cuts = at, [at]
        elif char == "," and depth == 1:
            cuts.append(at)
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                ends = [*cuts[1:], at]
                choices = [pattern[a + 1 : b] for a, b in zip(cuts, ends, strict=True)]
                rest = pattern[at + 1 :]
                for choice in choices:
                    yield from _alternatives(pattern[:start] + choice + rest)
                return
        at += 1
    yield pattern


def _walk(path: str, patterns: list[list[str]], looking: _Looking) -> Iterator[str]:
    """What lies under a path for any of several patterns, by name, a folder before what follows."""
    if any(not pattern for pattern in patterns):
        yield path
    going = [pattern for pattern in patterns if pattern]
    if not going:
        return
    if not any(_magic(pattern) for pattern in going):
        for name in dict.fromkeys(pattern[0] for pattern in going):
            under = os.path.join(path, re.sub(r"\\(.)", r"\1", name))
            if looking.at_one(exists, under):
                looking.at()
                yield from _walk(under, [p[1:] for p in going if p[0] == name], looking)
        return
    names = looking.at_one(names_in, path) or []
    looking.at(len(names))
    for name in names:
        under = os.path.join(path, name)
        left: dict[int, list[str]] = {}  # all are ends of one pattern, which their lengths tell
        for pattern in going:
            if _recursive(pattern):
                if name[0] != "." and looking.at_one(leads_to_folder, under) and not is_link(under):
                    left[len(pattern)] = pattern
                pattern = _after(pattern)
            if _fits(name, pattern[0]):
                left[len(pattern) - 1] = pattern[1:]
        if left:
            yield from _walk(under, list(left.values()), looking)


def _recursive(pattern: list[str]) -> bool:
    return pattern[0] == "**" and len(pattern) > 1


def _after(pattern: list[str]) -> list[str]:
    return _after(pattern[1:]) if _recursive(pattern) else pattern


def _magic(pattern: list[str]) -> bool:
    return any(char in pattern[0] for char in "*?[")


def _fits(name: str, pattern: str) -> bool:
    """Whether a name is one of a pattern; a dot in front must be written."""
    if name[0] == "." and not pattern.startswith((".", "\\.")):
        return False
    runs: list[list[str]] = [[]]
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        out = runs[-1]
        if char == "*":
            runs.append([])
        elif char == "?":
            out.append(".")
        elif char == "[" and (end := pattern.find("]", at + 1)) > 0:
            inside = pattern[at:end]
            no = "^" if inside[0] in "^!" else ""
            inside = inside[1:] if no else inside
            inside = re.sub(r"([\[\]^&|~])", r"\\\1", inside)
            out.append(f"[{no}{inside}]")
            at = end + 1
        else:
            if char == "\\" and at < len(pattern):
                char, at = pattern[at], at + 1
            out.append(re.escape(char))
    first, *rest = ["".join(run) for run in runs]
    # What stands between two stars is best found where it first occurs, and never elsewhere.
    between = "".join(f"(?>.*?{run})" for run in rest[:-1] if run)
    try:
        return (
            re.fullmatch(first + between + ".*".join(["", *rest[-1:]]), name, re.DOTALL) is not None
        )
    except re.error:
        return False
