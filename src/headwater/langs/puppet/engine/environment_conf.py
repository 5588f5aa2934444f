"""``environment.conf``, read as Puppet reads it.

Of two settings of one name the first counts; only those of the section ``main`` do, which is
also what stands before any section.  A value goes to the end of its line, comments too.  A file
with a line that is no setting, and one that may not be read, are refused: an environment whose
settings are not known would be another one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import msgspec

from headwater.text import Source, Span, Unreadable
from headwater.text.patterns import LatePattern
from headwater.text.reading import Unread, read_bytes
from headwater.text.source import decode_source

NAME = "environment.conf"


class Setting(msgspec.Struct, frozen=True):
    """A setting with the place of its line."""

    value: str
    at: Span

    @property
    def place(self) -> Span:
        """Where the value is written; the line, if it is none."""
        found = self.at.text.find(self.value, self.at.text.index("=")) if self.value else -1
        start = self.at.start + found
        return self.at if found < 0 else self.at.source.span(start, start + len(self.value))


NOTHING: Mapping[str, Setting] = {}

_SECTION = LatePattern(r"[ \t\r\f\v]*+\[(\w++)\][ \t\r\f\v]*+")
_SETTING = LatePattern(r"[ \t\r\f\v]*+(\w++)[ \t\r\f\v]*+=(.*+)", re.DOTALL)
_NOTHING = LatePattern(r"[ \t\r\f\v]*+(?:#.*+)?", re.DOTALL)
_BLANKS = " \t\r\f\v"
_OPTION = LatePattern(r"[ \t\r\f\v]*+(\w++)[ \t\r\f\v]*+=[ \t\r\f\v]*+(\w++)[ \t\r\f\v]*+")
_VARIABLE = LatePattern(r"\$(\w+)")
_KNOWN = frozenset(["environment", "basemodulepath"])
_USED = frozenset(["manifest", "modulepath"])


def environment_conf(env: str) -> Mapping[str, Setting]:
    """The settings in ``environment.conf`` by name; none if there is no such file.

    Raises `Unread` if it may not be read, or is no such file.
    """
    path = os.path.join(env, NAME)
    try:
        return _settings_in(path, read_bytes(path))
    except Unread as unread:
        if unread.absent:
            return NOTHING
        unread.named_at = unread.named_at or Source(path, "").span(0, 0)
        raise


@lru_cache(100)
def _settings_in(path: str, data: bytes) -> Mapping[str, Setting]:
    source = decode_source(path, data)
    if isinstance(source, Unreadable):
        raise _refused(source.at, source.reason)
    if source.bom:
        raise _refused(source.span(0, 0), "it begins with a byte order mark, which is no setting")
    found: dict[str, Setting] = {}
    section = "main"
    for line, at in _lines(source):
        if heading := _SECTION.fullmatch(line):
            section = heading[1]
        elif setting := _SETTING.fullmatch(line):
            value = _value(setting[2], at)
            if section == "main" and setting[1] not in found:
                found[setting[1]] = Setting(value, at)
        elif not _NOTHING.fullmatch(line):
            raise _refused(at, "this line is no setting")
    for name in _USED & found.keys():
        _check(found[name])
    return found


def _lines(source: Source) -> Iterator[tuple[str, Span]]:
    """The lines as Ruby has them: only a line feed ends one, and it may have a return before."""
    start = 0
    for line in source.text.split("\n"):
        yield line.removesuffix("\r"), source.span(start, start + len(line.rstrip(_BLANKS)))
        start += len(line) + 1


def _value(text: str, at: Span) -> str:
    """What a setting is set to: without quotes, and without what is said of a file in braces."""
    text = text.strip(_BLANKS)
    text = text[1:] if text.startswith(('"', "'")) else text
    text = text[:-1] if text.endswith(('"', "'")) else text
    start, end = _braces(text)
    if end:
        for one in text[start + 1 : end - 1].strip(_BLANKS).split(","):
            told = _OPTION.fullmatch(one)
            if told is None:
                raise _refused(at, f"Puppet takes {text[start:end]} for options of a file")
            if told[1] not in ("owner", "group", "mode"):
                raise _refused(at, f"{told[1]} is no option of a file")
            if told[1] == "mode" and not told[2].isdecimal():
                raise _refused(at, "the mode of a file must be a number")
        text = text[:start] + text[end:]
    return text.rstrip(_BLANKS)


def _braces(text: str) -> tuple[int, int]:
    """Where the first braces with anything in them are; an end of 0 if there are none."""
    start = text.find("{")
    while start >= 0 and (end := text.find("}", start)) >= 0:
        if end > start + 1:
            return start, end + 1
        start = text.find("{", end)
    return 0, 0


def _check(setting: Setting) -> None:
    """Refuses what no path can hold, and variables that a server's own settings decide."""
    if "\0" in setting.value:
        raise _refused(setting.at, "a path cannot hold the character NUL")
    for name in _VARIABLE.findall(setting.value):
        if name not in _KNOWN:
            raise _refused(setting.at, f"${name} is a setting of a server, which is not known here")


@contextmanager
def named_by(setting: Setting | None) -> Iterator[None]:
    """What is refused meanwhile was named by a setting."""
    try:
        yield
    except Unread as why:
        if setting is not None:
            why.named_at = setting.at
        raise


def _refused(at: Span, reason: str) -> Unread:
    unread = Unread(at.source.name, "missing", reason)
    unread.named_at = at
    return unread
