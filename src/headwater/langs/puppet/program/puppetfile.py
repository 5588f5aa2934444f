"""A Puppetfile, read and not run: which modules it names, where, and in which version.

It is Ruby: calls of ``mod``, ``forge`` and ``moduledir`` with literal arguments.  Such lines are
understood; anything else is told and passed over, and never evaluated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import msgspec

from headwater.langs.puppet import codes
from headwater.report import Diagnostic
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.paths import near

NAME = "Puppetfile"


class Named(msgspec.Struct, frozen=True):
    """A module that a Puppetfile names."""

    name: str
    """Its short name, which is that of its folder."""
    version: str | None
    """The version that is wanted, if it is one number."""
    at: Span

    @property
    def place(self) -> str:
        """Where it is named, as people write it."""
        return f"{near(self.at.source.name)}:{self.at.first.line}"


class Puppetfile(msgspec.Struct, frozen=True):
    """What a Puppetfile says."""

    source: Source
    modules: dict[str, Named]
    moduledir: str
    doubts: tuple[Diagnostic, ...]


_TEXT = r"""(?:'(?>(?:[^'\\\n]++|\\.)*)'|"(?>(?:[^"\\\n#]++|\\.)*)")"""
_BLANK = re.compile(r"(?>(?:[ \t\r\n;]++|#[^\n]*+)*)")
_AFTER = re.compile(r"[ \t]*+\)?[ \t]*+(?=[\r\n;#]|\Z)")
_CALL = re.compile(rf"(mod|forge|moduledir)\b[ \t]*+\(?[ \t]*+({_TEXT})")
_REST = re.compile(r"[ \t]*+,(?>(?:[ \t\r\n]++|#[^\n]*+)*)")
_KEY = re.compile(r"(?::(\w++)[ \t]*+=>|(\w++):|['\"](\w++)['\"][ \t]*+=>)[ \t\r\n]*+")
_VALUE = re.compile(rf"{_TEXT}|:\w++|true|false|nil|\d++")
_VERSION = re.compile(r"\d++(?>(?:\.\d++)*)(?:[-+][\w.+-]++)?\Z")


def read_puppetfile(folder: str) -> Puppetfile | Unreadable | None:
    """The Puppetfile of a folder, if it has one; or why it cannot be read."""
    source = read_source(os.path.join(folder, NAME))
    if isinstance(source, Unreadable):
        return None if source.absent else source
    return parsed(source)


def parsed(source: Source) -> Puppetfile:
    """What a text of a Puppetfile says."""
    modules: dict[str, Named] = {}
    doubts: list[Diagnostic] = []
    moduledir = "modules"
    for found in _statements(source):
        match found:
            case Named():
                modules.setdefault(found.name, found)
            case str():
                moduledir = found
            case Span():
                what = found.text.strip().partition("\n")[0]
                doubts.append(codes.PUPPETFILE.at(found, what=what))
    return Puppetfile(source, modules, moduledir, tuple(doubts))


def _statements(source: Source) -> Iterator[Named | str | Span]:
    """The modules, the folder of modules, and what is not understood."""
    text, at = source.text, 0
    while True:
        blank = _BLANK.match(text, at)
        assert blank is not None
        at = blank.end()
        if at >= len(text):
            return
        call = _CALL.match(text, at)
        end = None if call is None else _end(text, call.end())
        if call is None or end is None:
            line = text.find("\n", at)
            line = len(text) if line < 0 else line
            yield source.span(at, line)
            at = line
            continue
        after, version = end
        span = source.span(at, after)
        at = after
        match call[1]:
            case "moduledir":
                yield _text(call[2])
            case "mod":
                yield _named(_text(call[2]), version, span)


def _named(full: str, version: str | None, at: Span) -> Named:
    short = re.split(r"[/-]", full, maxsplit=1)[-1]
    wanted = version if version is not None and _VERSION.match(version) else None
    return Named(short, wanted, at)


def _end(text: str, at: int) -> tuple[int, str | None] | None:
    """Where a call ends, and its second text; None if it is something else."""
    version: str | None = None
    while (comma := _REST.match(text, at)) is not None:
        at = comma.end()
        key = _KEY.match(text, at)
        value = _VALUE.match(text, at if key is None else key.end())
        if value is None:
            return None
        at = value.end()
        if key is None and version is None and value[0][0] in "'\"":
            version = _text(value[0])
    end = _AFTER.match(text, at)
    return None if end is None else (end.end(), version)


def _text(quoted: str) -> str:
    if quoted[:1] in ("'", '"'):
        return re.sub(r"\\(.)", r"\1", quoted[1:-1])
    return quoted.removeprefix(":")
