"""File: what only looks at the text of a path.  What would look at the disk is refused."""

from __future__ import annotations

from typing import Any, Final

from headwater.langs.puppet.ruby.classes import OBJECT, define, module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.stdlib.globs import FLAGS, is_match
from headwater.langs.puppet.ruby.values import UNDEFINED, Class, Given, RubyValue, Text

IO: Final = define("IO", OBJECT)
FILE: Final = define("File", IO)
CONSTANTS: Final = module("File::Constants")
FILE.constants.update(
    SEPARATOR=Text("/", True), Separator=Text("/", True), PATH_SEPARATOR=Text(":", True),
    ALT_SEPARATOR=None, **FLAGS,
)  # fmt: skip
CONSTANTS.constants.update(FLAGS)


def path_text(m: Machine, value: RubyValue) -> str:
    """An argument that is a path: a string, or what says that it is one."""
    if not to.is_string(value) and value is not None and m.find(value, "to_path") is not None:
        value = m.send(value, "to_path", [])
    text = to.string(m, value)
    if "\0" in text:
        raise m.error("ArgumentError", "string contains null byte")
    return text


@own_method(FILE, "path")
def path(m: Machine, self: Class, name: RubyValue) -> str:
    return path_text(m, name)


def base_of(text: str) -> str:
    """The last part of a path."""
    kept = text.rstrip("/")
    if not kept:
        return "/" if text else ""
    return kept.rpartition("/")[2]


@own_method(FILE, "basename")
def basename(m: Machine, self: Class, name: RubyValue, suffix: Given = UNDEFINED) -> str:
    base = base_of(path_text(m, name))
    if suffix is UNDEFINED:
        return base
    ending = to.string(m, suffix)
    if ending == ".*":
        place = base.rfind(".")
        return base[:place] if place > 0 else base
    return base[: -len(ending)] if ending and base != ending and base.endswith(ending) else base


def folder_of(text: str) -> str:
    """A path without its last part."""
    kept = text.rstrip("/")
    if not kept:
        return "/" if text else "."
    head, slash, _ = kept.rpartition("/")
    if not slash:
        return "."
    return head.rstrip("/") or "/"


@own_method(FILE, "dirname")
def dirname(m: Machine, self: Class, name: RubyValue, level: RubyValue = 1) -> str:
    text, count = path_text(m, name), to.integer(m, level)
    if count < 0:
        raise m.error("ArgumentError", f"negative level: {count}")
    for _ in range(min(count, text.count("/") + 1)):
        text = folder_of(text)
    if text.startswith("/"):
        text = "/" + text.lstrip("/")
    return text


@own_method(FILE, "extname")
def extname(m: Machine, self: Class, name: RubyValue) -> str:
    base = base_of(path_text(m, name)).lstrip(".")
    place = base.rfind(".")
    if place <= 0:
        return ""
    return base[place:]


@own_method(FILE, "split")
def split(m: Machine, self: Class, name: RubyValue) -> RubyValue:
    text = path_text(m, name)
    return [Text(folder_of(text)), Text(base_of(text))]


@own_method(FILE, "join")
def join(m: Machine, self: Class, *parts: RubyValue) -> str:
    return _joined(m, list(parts), [])


def _joined(m: Machine, parts: list[Any], around: list[list[Any]]) -> str:
    if any(parts is one for one in around):
        raise m.error("ArgumentError", "recursive array")
    made: str | None = None
    for part in parts:
        text = _joined(m, part, [*around, parts]) if part.__class__ is list else path_text(m, part)
        if made is None:
            made = text
        elif text.startswith("/"):
            made = made.rstrip("/") + text
        else:
            made = made + text if made.endswith("/") else f"{made}/{text}"
        m.check_size(len(made))
    return made or ""


@own_method(FILE, "expand_path")
def expand_path(m: Machine, self: Class, name: RubyValue, start: RubyValue = None) -> str:
    return _expanded(m, name, start, home=True)


@own_method(FILE, "absolute_path")
def absolute_path(m: Machine, self: Class, name: RubyValue, start: RubyValue = None) -> str:
    return _expanded(m, name, start, home=False)


def _expanded(m: Machine, name: RubyValue, start: RubyValue, home: bool) -> str:
    text = path_text(m, name)
    if home and text.startswith("~"):
        raise Beyond("File.expand_path of somebody's home")
    if not text.startswith("/"):
        if start is None:
            raise Beyond("File.expand_path: the working directory")
        text = _expanded(m, start, None, home) + "/" + text
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


@own_method(FILE, "absolute_path?")
def is_absolute(m: Machine, self: Class, name: RubyValue) -> bool:
    return path_text(m, name).startswith("/")


@own_method(FILE, "fnmatch", "fnmatch?")
def fnmatch(
    m: Machine, self: Class, pattern: RubyValue, name: RubyValue, flags: RubyValue = 0
) -> bool:
    wanted, text = to.string(m, pattern), path_text(m, name)
    return is_match(m, wanted, text, to.integer(m, flags))
