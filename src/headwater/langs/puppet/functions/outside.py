"""Functions that touch what is outside the program: files, modules, the log."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.files import refused
from headwater.langs.puppet.functions.registry import Call, dispatch, old
from headwater.langs.puppet.functions.show import shown
from headwater.langs.puppet.functions_protocol import Context
from headwater.langs.puppet.types.rubytext import to_s
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Binary
from headwater.text import reading
from headwater.text.reading import Unread

LEVELS = ("alert", "crit", "debug", "emerg", "err", "info", "notice", "warning")


def _logging(level: str) -> None:
    @dispatch(level, "Any *values")
    def log(call: Call, *values: Value) -> None:
        call.context.log(level, " ".join(shown(value) for value in values))


for _level in LEVELS:
    _logging(_level)


@old("fail", 0, None)
def _fail(context: Context, args: list[Any]) -> None:
    context.fail(" ".join(to_s(arg) for arg in args))


def _read(context: Context, path: str, name: str) -> bytes:
    try:
        data = reading.read_bytes(path)
    except Unread as unread:
        if unread.kind != "missing":
            raise refused(unread, path) from None
        raise Failed(f"Could not read '{name}': {unread.reason}") from None
    context.external("file", name, path)
    return data


@old("file", 1, None)
def _file(context: Context, args: list[Any]) -> str:
    for name in args:
        path = context.find_file("files", to_s(name)) if isinstance(name, str) else None
        if path is not None:
            return _read(context, path, name).decode(errors="replace")
        context.miss_file("files", to_s(name))
    raise Failed(f"Could not find any files from {', '.join(to_s(name) for name in args)}")


@dispatch("binary_file", "String path")
def _binary_file(call: Call, name: str) -> Binary:
    path = call.context.find_file("files", name)
    if path is None:
        raise Failed(f"binary_file(): The given file '{name}' does not exist")
    return Binary(_read(call.context, path, name))


def _finding(function: str, kind: str) -> None:
    def first(call: Call, names: list[str]) -> str | None:
        for name in names:
            path = call.context.find_file(kind, name)
            if path is not None:
                call.context.external("file", name, path)
                return path
            call.context.miss_file(kind, name)
        return None

    @dispatch(function, "String *paths")
    def each(call: Call, *names: str) -> str | None:
        return first(call, list(names))

    @dispatch(function, "Array[String] *paths_array")
    def array(call: Call, *lists: list[str]) -> str | None:
        if len(lists) > 1:
            raise Failed(f"wrong number of arguments (given {len(lists) + 1}, expected 2)")
        return first(call, lists[0] if lists else [])


_finding("find_file", "files")
_finding("find_template", "templates")


@dispatch("module_directory", "String *names")
def _module_directory(call: Call, *names: str) -> str | None:
    for name in names:
        path = call.context.module_directory(name)
        if path is not None:
            return path
    return None


@dispatch("module_directory", "Array[String] *names")
def _module_directories(call: Call, *lists: list[str]) -> str | None:
    return _module_directory(call, *(lists[0] if lists else []))


@dispatch("import", "Any *args")
def _import(call: Call, *args: Value) -> None:
    raise Failed("Use of 'import' has been discontinued in favor of a manifest directory.")


@old("generate", 1, None)
def _generate(context: Context, args: list[Any]) -> None:
    name = args[0]
    if not isinstance(name, str) or not name.startswith("/"):
        raise Failed("Generators must be fully qualified")
    raise Failed(
        f"generate() would run '{name}' on the compiling machine, which Headwater does not do"
    )


@dispatch("annotate", "Type type, Any value, Any annotation_hash?", block="Callable[0, 0]?")
def _annotate(call: Call, *args: Value) -> None:
    raise Failed("annotate() needs annotation types, which are written in Ruby")
