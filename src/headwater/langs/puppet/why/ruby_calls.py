"""The functions that functions of modules in Ruby call by name, through the files they require."""

from __future__ import annotations

import os

from headwater.langs.puppet.engine.ruby_files import STANDARD, text_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import look
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.why.ruby_doings import Called, doings_of


class RubyCalls:
    """What functions in Ruby call; each file is looked through once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        modules = program.modules
        self._folders = [*modules.folders.values(), *([modules.env] if modules.env else [])]
        self._known: dict[tuple[str, bool], list[Called] | None] = {}

    def of(self, name: str, *, old: bool) -> list[Called] | None:
        """The functions that a function calls; None if it may do anything."""
        if (name, old) not in self._known:
            path = self._file(name, old)
            self._known[name, old] = None if path is None else self._in_files(path)
        return self._known[name, old]

    def _file(self, name: str, old: bool) -> str | None:
        if old:
            return self._program.modules.old_function(name)
        try:
            path = self._program.function(name)
        except (Fault, Problem):
            return None
        return path if isinstance(path, str) else None

    def _in_files(self, first: str) -> list[Called] | None:
        """What a file calls, and the files of modules that it requires."""
        found: list[Called] = []
        todo, seen = [first], {first}
        while todo:
            path = todo.pop()
            try:
                doings = doings_of(text_of(path)[1])
            except (Fault, Problem, Beyond, Exhausted, Unreadable):
                return None
            if doings is None:
                return None
            found += doings.calls
            for name, beside in doings.required:
                more = self._required(name, path, beside)
                if more is not None and more not in seen:
                    seen.add(more)
                    todo.append(more)
        return found

    def _required(self, name: str, by: str, beside: bool) -> str | None:
        """The file of a module that a name leads to; None for a library of Ruby or Puppet."""
        tail = name if name.endswith(".rb") else f"{name}.rb"
        if beside or os.path.isabs(tail):
            return os.path.normpath(os.path.join(os.path.dirname(by), tail))
        if name.removesuffix(".rb").lower() in STANDARD:
            return None
        paths = (os.path.join(folder, "lib", tail) for folder in self._folders)
        return next((path for path in paths if look(path) is not None), None)
