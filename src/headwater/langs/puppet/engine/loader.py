"""Finding classes, defines, functions, aliases, types and files in modules.

A name ``a::b::c`` is looked for in module ``a`` of the modulepath, in the file its name
says, then in the files of the names around it.  Texts are parsed once and kept between
compilations as long as the files do not change.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo, builtin
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import exists, look, names_in, refused
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.cache import user_cache
from headwater.langs.puppet.syntax.placement import namespace_of
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import reach

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler

_UNITS: dict[str, tuple[int, int, Unit]] = {}
"""Parsed files by path, with size and time of change."""


class Loader:
    """The modules of one compilation."""

    def __init__(self, compiler: Compiler, modulepath: list[str], env: str | None) -> None:
        self.compiler = compiler
        self.modulepath = modulepath
        self.env = env
        self.modules: dict[str, str] = {}
        for folder in modulepath:
            for name in names_in(folder):
                path = os.path.join(folder, name)
                if name not in self.modules and os.path.isdir(path):
                    self.modules[name] = path
        self.tried: set[str] = set()
        self.files: dict[str, bool] = {}
        """Whether the files of classes that were looked for are there."""
        self.types: dict[str, TypeInfo | None] = {}

    def module_directory(self, name: str) -> str | None:
        """Where a module lives."""
        return self.modules.get(name)

    def file_of(self, kind: str, name: str) -> str | None:
        """The path of ``module/rest`` in ``files`` or ``templates``, or an absolute path."""
        if os.path.isabs(name):
            return name if exists(name) else None
        module, _, rest = name.partition("/")
        folder = self.modules.get(module)
        if folder is None or not rest:
            return None
        path = os.path.join(folder, kind, rest)
        return path if exists(path) else None

    # -- classes and defines ---------------------------------------------------------------------

    def import_for(self, name: str) -> bool:
        """Loads the files that may define a class or define; whether any was loaded.

        The ``init.pp`` of the module is always the first of them.
        """
        if name in self.tried:
            return False
        self.tried.add(name)
        parts = name.split("::")
        folder = self.modules.get(parts[0])
        if folder is None:
            return False
        manifests = f"{folder}/manifests"
        first = self._load(f"{manifests}/init.pp", parts[0])
        if len(parts) == 1:
            return first
        for end in range(len(parts), 1, -1):
            path = f"{manifests}/{'/'.join(parts[1:end])}.pp"
            self._load(path, parts[0])
            if self.compiler.knows(name):
                return True
        return first

    def _load(self, path: str, module: str) -> bool:
        there = self.files.get(path)
        if there is not None:
            return there
        about = look(path)
        self.files[path] = about is not None
        if about is None:
            return False
        self.compiler.take(self.unit(path, module, about=about))
        return True

    def unit(
        self, path: str, module: str | None, *, template: bool = False,
        about: os.stat_result | None = None,
    ) -> Unit:  # fmt: skip
        """The parsed text of a file; refuses one with errors."""
        about = about or look(path)
        key = f"{module}\0{path}"
        kept = _UNITS.get(key)
        stamp = (0, 0) if about is None else (about.st_size, about.st_mtime_ns)
        if kept is not None and kept[:2] == stamp and stamp[0] <= reach().most_bytes:
            return kept[2]
        source = read_source(path)
        if isinstance(source, Unreadable):
            if source.kind != "missing":
                raise refused(source, path)
            raise Fault(
                codes.BAD_INPUT.at(source.at, message=f"{path} cannot be read: {source.reason}")
            )
        unit = parsed_unit(source, module, self.modulepath, template=template)
        _UNITS[key] = (*stamp, unit)
        return unit

    # -- functions, aliases, native types --------------------------------------------------------

    def function(self, name: str) -> tuple[Unit, ast.Function] | str | None:
        """A function written in Puppet, or the path of one written in Ruby."""
        parts = name.split("::")
        folders = [(parts[0], self.modules.get(parts[0]))] if len(parts) > 1 else []
        if self.env is not None:
            folders.append(("environment", self.env))
        for module, folder in folders:
            if folder is None:
                continue
            inner = parts[1:] if len(parts) > 1 else parts
            path = os.path.join(folder, "functions", *inner) + ".pp"
            if exists(path):
                unit = self.unit(path, module)
                for node in unit.program.body:
                    if isinstance(node, ast.Function) and node.name == name:
                        return unit, node
        return self._ruby_function(parts)

    def _ruby_function(self, parts: list[str]) -> str | None:
        tail = os.path.join(*parts) + ".rb"
        for folder in [*self.modules.values(), *([self.env] if self.env else [])]:
            for place in ("lib/puppet/functions", "lib/puppet/parser/functions"):
                path = os.path.join(folder, place, tail)
                if exists(path):
                    return path
        return None

    def alias(self, key: str) -> tuple[Unit, ast.Alias] | None:
        """The definition of an alias of a type, by its name in lower case."""
        known = self.compiler.alias_nodes.get(key)
        if known is not None:
            return known
        parts = key.split("::")
        folder = self.modules.get(parts[0]) if len(parts) > 1 else None
        if folder is None:
            return None
        path = os.path.join(folder, "types", *parts[1:]) + ".pp"
        if not exists(path):
            return None
        unit = self.unit(path, parts[0])
        for node in unit.program.body:
            if isinstance(node, ast.Alias) and node.name.lower() == key:
                return unit, node
        return None

    def native(self, name: str) -> TypeInfo | None:
        """A type of resources that is built in or written in Ruby."""
        if name in self.types:
            return self.types[name]
        found = builtin(name)
        if found is None and "::" not in name:
            found = self._scanned(name)
        self.types[name] = found
        return found

    def _scanned(self, name: str) -> TypeInfo | None:
        """A type of a module: as ``puppet generate types`` described it, or by a scan."""
        if self.env is not None:
            path = os.path.join(self.env, ".resource_types", f"{name}.pp")
            if exists(path):
                from headwater.langs.puppet.catalog.generated import generated

                return generated(path, name, os.stat(path).st_mtime_ns)
        from headwater.langs.puppet.catalog.scan import scan

        for folder in [*([self.env] if self.env else []), *self.modules.values()]:
            path = os.path.join(folder, "lib/puppet/type", f"{name}.rb")
            if exists(path):
                return scan(path, name, os.stat(path).st_mtime_ns)
        return None


def parsed_unit(
    source: Source, module: str | None, modulepath: list[str], *, template: bool = False
) -> Unit:
    """A text parsed and validated; its errors are a fault (the first by place)."""
    namespace = namespace_of(source.name, modulepath)
    known = not template or source.name.endswith(".epp")  # else it would be kept as a manifest
    cache = user_cache() if known and not source.bom else None
    if cache is not None:
        program = cache.load(source, namespace)
        if program is not None:
            return Unit(program, module)
    from headwater.langs.puppet.syntax import parse, validate
    from headwater.langs.puppet.syntax.placement import place_of

    parsed = parse(source, template=template or None)
    found = parsed.diagnostics
    if parsed.ok:
        place = place_of(source.name, modulepath)
        found = [*found, *validate(parsed.program, place)]
    errors = [diagnostic for diagnostic in found if diagnostic.is_error]
    if errors:
        raise SyntaxFault(errors, found)
    # A short text that is no file is most likely never seen again.
    if cache is not None and not found and (len(source.text) > 2000 or os.path.isfile(source.name)):
        cache.store(parsed.program, namespace)
    unit = Unit(parsed.program, module)
    unit.findings = [*found]
    return unit


class SyntaxFault(Fault):
    """A text that does not parse, with everything found wrong with it."""

    def __init__(self, errors: list[Any], found: list[Any]) -> None:
        super().__init__(errors[0])
        self.errors = found


__all__ = ["Loader", "Problem", "SyntaxFault", "parsed_unit"]
