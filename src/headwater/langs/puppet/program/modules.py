"""Finding classes, defines, functions, aliases, types and files in modules.

A name ``a::b::c`` is looked for in module ``a`` of the modulepath, in the file its name
says, then in the files of the names around it.  Texts are parsed once and kept between
compilations as long as the files do not change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec

from headwater.langs.codes import FOLDER_LOCKED
from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import Stamp, exists, look, names_in, refused, stamp
from headwater.langs.puppet.program.parsing import Reading, parsed_unit
from headwater.langs.puppet.program.ruby_files import Functions, functions_in
from headwater.langs.puppet.program.tables import Looked, kept
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.report import Diagnostic
from headwater.text import Unreadable, read_source
from headwater.text.late import when_called
from headwater.text.patterns import LatePattern
from headwater.text.reading import reach

if TYPE_CHECKING:
    from headwater.langs.puppet.program.metadata import faulty
else:
    when_called(globals(), "headwater.langs.puppet.program.metadata", "faulty")

_MODULE = LatePattern(r"[a-z][a-z0-9_]*+")
"""The name of a folder that is a module."""

_UNITS: dict[tuple[int, str | None, str], tuple[os.stat_result | None, Stamp, Unit]] = {}
"""Parsed files by level, module and path, with what was known of the files, and their states."""


class Found(msgspec.Struct, frozen=True):
    """The folders of modules by name, and what is doubtful about some."""

    folders: dict[str, str]
    doubts: list[Diagnostic]


def _modules(looked: Looked, modulepath: list[str], reading: Reading) -> Found:
    found = Found({}, [])
    for folder in modulepath:
        looked.at(folder)
        for name in names_in(folder):
            path = os.path.join(folder, name)
            fits = name not in found.folders and _MODULE.fullmatch(name) is not None
            if fits and _is_module(looked, path, reading, found.doubts):
                found.folders[name] = path
    return found


def _is_module(looked: Looked, folder: str, reading: Reading, doubts: list[Diagnostic]) -> bool:
    """Whether a module is there for Puppet, which leaves out those with faulty metadata."""
    metadata = looked.at(f"{folder}/metadata.json")
    if metadata is None:
        return looked.is_folder(folder)
    fault = faulty(folder, metadata)
    if fault is None or (fault.empty and reading.level.empty_metadata):
        return True
    at = fault.source.span(fault.at, fault.at)
    module = os.path.basename(folder)
    if fault.fatal:
        raise Fault(
            codes.FAULTY_METADATA.at(
                at,
                severity="error",
                module=module,
                reason=f"{fault.reason}; Puppet breaks on it",
            )
        )
    used = not fault.readable and reading.strict != "error"
    if not used or reading.strict == "warning":
        code = codes.DOUBTFUL_METADATA if used else codes.FAULTY_METADATA
        doubts.append(code.at(at, module=module, reason=fault.reason))
    return used


@lru_cache(maxsize=4096)
def _paths(name: str) -> tuple[str, list[str]]:
    """The module of a class or define, and where in its folder the texts of the name may be."""
    module, *parts = name.split("::")
    inner = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return module, [f"/manifests/{place}.pp" for place in ("init", *inner)]


def _inside(folder: str, kind: str, name: str) -> str:
    """What `os.path.join` makes of a folder of a module and names in it, in a fraction of the
    time."""
    if folder.endswith("/") or name.startswith("/"):
        return os.path.join(folder, kind, name)
    return f"{folder}/{kind}/{name}"


class Modules:
    """The modules of one compilation, and the environment around them."""

    def __init__(self, modulepath: list[str], env: str | None, reading: Reading) -> None:
        self.reading = reading
        self.modulepath = modulepath
        self.env = env
        found = kept(
            ("modules", *modulepath, reading.level.empty_metadata, reading.strict,
             reach().most_bytes),
            lambda looked: _modules(looked, modulepath, reading),
        )  # fmt: skip
        self.folders = found.folders
        self.doubts = found.doubts
        """What is wrong with modules as a whole."""
        self._tried: set[str] = set()
        self._files: set[str] = set()
        """The files of classes that were looked for, whether they are there or not."""

    def apart(self) -> Modules:
        """The same modules, whose files are looked for without being noted here."""
        from copy import copy

        copied = copy(self)
        copied._tried, copied._files = {*self._tried}, {*self._files}
        return copied

    def module_directory(self, name: str) -> str | None:
        """Where a module lives."""
        return self.folders.get(name)

    def absence(self, name: str, *, anywhere: bool = True) -> str | None:
        """Why a name may not be found: the Puppetfile has modules that are not installed.

        That is the module of the name; any, for a name without one that may be `anywhere`.
        """
        if self.env is None:
            return None
        from headwater.langs.puppet.program.puppetfile import Puppetfile, read_puppetfile

        puppetfile = read_puppetfile(self.env)
        absent = [] if not isinstance(puppetfile, Puppetfile) else [
            named for named in puppetfile.modules.values() if named.name not in self.folders
        ]  # fmt: skip
        module, sign, _ = name.lower().removeprefix("::").partition("::")
        own = [named for named in absent if named.name == module]
        found = own if own or sign or not anywhere else absent
        if not found:
            return None
        first, *rest = found
        more = f" (and {len(rest)} more of its modules)" if rest else ""
        return f"module {first.name}, {first.place}, is not in the modulepath{more}"

    def file_of(self, kind: str, name: str) -> str | None:
        """The path of ``module/rest`` in ``files`` or ``templates``, or an absolute path."""
        path = self.place_of(kind, name)
        try:
            return path if path is not None and exists(path) else None
        except Problem as problem:
            if problem.code is FOLDER_LOCKED and path == name:
                return None  # where no module is, a file is there if Puppet may read it
            raise

    def place_of(self, kind: str, name: str) -> str | None:
        """Where such a file is, or would be; None if there is no such module."""
        if os.path.isabs(name):
            return name
        module, _, rest = name.partition("/")
        folder = self.folders.get(module)
        return None if folder is None or not rest else _inside(folder, kind, rest)

    # -- classes and defines ---------------------------------------------------------------------

    def texts_for(self, name: str) -> Iterator[Unit | None]:
        """The texts that may define a class or define: None for a file that brings nothing new.

        The ``init.pp`` of the module comes first, then the file of the name, then those of the
        names around it.
        """
        if name in self._tried:
            return
        self._tried.add(name)
        module, paths = _paths(name)
        folder = self.folders.get(module)
        if folder is None:
            return
        for path in paths:
            yield self._text(f"{folder}{path}", module)

    def _text(self, path: str, module: str) -> Unit | None:
        if path in self._files:
            return None
        self._files.add(path)
        about = look(path)
        return None if about is None else self.unit(path, module, about=about)

    def unit(
        self, path: str, module: str | None, *, template: bool = False,
        about: os.stat_result | None = None,
    ) -> Unit:  # fmt: skip
        """The parsed text of a file; refuses one with errors."""
        about = about or look(path)
        key = (self.reading.level.number, module, path)
        kept = _UNITS.get(key)
        if (
            kept is not None
            and (kept[0] is about or kept[1] == stamp(about))
            and kept[1][0] <= reach().most_bytes
        ):
            return self.reading.accepted(kept[2])
        source = read_source(path)
        if isinstance(source, Unreadable):
            if source.kind != "missing":
                raise refused(source, path)
            raise Fault(
                codes.BAD_INPUT.at(source.at, message=f"{path} cannot be read: {source.reason}")
            )
        unit = parsed_unit(source, module, self.modulepath, self.reading, template=template)
        _UNITS[key] = (about, stamp(about), unit)
        return self.reading.accepted(unit)

    # -- functions, aliases --------------------------------------------------------------------

    def function(self, name: str) -> tuple[Unit, ast.Function] | str | None:
        """A function written in Puppet, or the path of one written in Ruby.

        Where a module has a namespaced one in both, Ruby comes first.
        """
        parts = name.split("::")
        folders = [(parts[0], self.folders.get(parts[0]))] if len(parts) > 1 else []
        if self.env is not None:
            folders.append(("environment", self.env))
        for module, folder in folders:
            if folder is None:
                continue
            inner = parts[1:] if len(parts) > 1 else parts
            ruby = _inside(folder, "lib/puppet/functions", f"{'/'.join(parts)}.rb")
            if exists(ruby):
                return ruby
            path = _inside(folder, "functions", f"{'/'.join(inner)}.pp")
            if exists(path):
                unit = self.unit(path, module)
                for node in unit.program.body:
                    if isinstance(node, ast.Function) and node.name == name:
                        return unit, node
        return self._ruby_function(name)

    def _ruby_function(self, name: str) -> str | None:
        """The file of a function in Ruby: of the first module that has one, of the newer API
        before the older."""
        return self._ruby_functions.every.get(name)

    def old_function(self, name: str) -> str | None:
        """The file of a function of the older API."""
        return self._ruby_functions.old.get(name)

    @cached_property
    def _ruby_functions(self) -> Functions:
        return functions_in((*self.folders.values(), *([self.env] if self.env else [])))

    def alias(self, key: str) -> tuple[Unit, ast.Alias] | None:
        """The definition of an alias of a type, by its name in lower case."""
        parts = key.split("::")
        folder = self.folders.get(parts[0]) if len(parts) > 1 else None
        if folder is None:
            return None
        path = _inside(folder, "types", f"{'/'.join(parts[1:])}.pp")
        if not exists(path):
            return None
        unit = self.unit(path, parts[0])
        for node in unit.program.body:
            if isinstance(node, ast.Alias) and node.name.lower() == key:
                return unit, node
        return None
