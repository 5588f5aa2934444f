"""Modules of Headwater are where their names say, so they are found without a search.

A command loads two hundred modules.  Python lists the folders of each package, looks for every
kind of module there and reads in steps; half of what an average module costs is that.  A
module of ours is a file of its package's folder, and its compiled form lies in ``__pycache__``.
It is taken under Python's own condition: the size and the time of change in the head of the
compiled file are those of the source.  All else is left to Python.
"""

from __future__ import annotations

import _imp
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from marshal import loads
from types import CodeType, ModuleType

import headwater

_PREFIX = f"{headwater.__name__}."
_HEAD = 16
"""Bytes before the code: Python's number, flags, and the source's time of change and size."""
_PIECE = 1 << 15
"""So much is read at a time: most files are smaller, and a larger buffer is mapped memory."""

_name_file = getattr(_imp, "_fix_co_filename", None)
"""Python's own correction where a package was compiled elsewhere, or from a relative path.

It is private; without it Python reads the file again, six milliseconds for a small command.
"""


def find_by_name() -> None:
    """Lets modules of ours be found so, where Python keeps compiled files beside the sources."""
    spec = headwater.__spec__
    if spec is None or type(spec.loader) is not SourceFileLoader or spec.cached is None:
        return
    try:
        head = _content(spec.cached)[:4]
    except OSError:
        return  # nothing was compiled
    folder, name = os.path.split(spec.cached)
    if len(head) == 4 and folder == os.path.join(os.path.dirname(spec.loader.path), "__pycache__"):
        sys.meta_path.insert(0, ByName(name.removeprefix("__init__"), head))


class ByName:
    """Finds modules whose compiled files are as Python left them."""

    def __init__(self, ending: str, number: bytes) -> None:
        self.ending = ending
        """What compiled files are called behind the name of their module."""
        self.number = number
        """What they begin with: the number of this Python."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How a module is loaded; None for others than ours, and for what is not compiled."""
        if not name.startswith(_PREFIX) or not path:
            return None
        folder, last = path[0], name.rpartition(".")[2]
        return self._found(name, folder, last) or self._found(name, f"{folder}/{last}", "__init__")

    def _found(self, name: str, folder: str, file: str) -> ModuleSpec | None:
        cached = f"{folder}/__pycache__/{file}{self.ending}"
        source = f"{folder}/{file}.py"
        try:
            compiled = _content(cached)
            about = os.stat(source)
        except OSError:
            return None
        time, size = int(about.st_mtime) & 0xFFFFFFFF, about.st_size & 0xFFFFFFFF
        head = self.number + (time << 32 | size << 64).to_bytes(12, "little")
        if compiled[:_HEAD] != head:
            return None
        spec = ModuleSpec(name, AtHand(name, source, compiled), origin=source)
        spec.has_location = True
        spec.cached = cached
        if file == "__init__":
            spec.submodule_search_locations = [folder]
        return spec


class AtHand(SourceFileLoader):
    """Loads a module whose compiled file was read; what else is asked of it as Python does."""

    def __init__(self, name: str, source: str, compiled: bytes) -> None:
        super().__init__(name, source)
        self.compiled = compiled

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module."""
        compiled, self.compiled = self.compiled, b""
        try:
            code: CodeType = loads(memoryview(compiled)[_HEAD:])
        except (ValueError, EOFError, TypeError):
            return super().get_code(fullname)  # read a second time, or damaged
        if code.co_filename == self.path:
            return code
        if _name_file is None:
            return super().get_code(fullname)
        _name_file(code, self.path)
        return code


def _content(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY)
    try:
        content = piece = os.read(handle, _PIECE)
        while len(piece) == _PIECE:
            piece = os.read(handle, _PIECE)
            content += piece
        return content
    finally:
        os.close(handle)
