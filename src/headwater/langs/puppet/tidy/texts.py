"""The texts of an environment: manifests parsed, templates and data read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from headwater.langs.codes import unread
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.environment_conf import environment_conf
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import kept_source, refusals
from headwater.langs.puppet.hiera.data import DataFile, read_data
from headwater.langs.puppet.program.modules import Modules
from headwater.langs.puppet.program.parsing import Reading
from headwater.langs.puppet.program.puppetfile import NAME as PUPPETFILE
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import Unread, files_under

_DATA = {".yaml": "yaml_data", ".yml": "yaml_data", ".json": "json_data"}
_PUPPETFILE = re.compile(r"^[ \t]*+mod[ \t]++['\"]([^'\"\n]++)", re.MULTILINE)


class Texts:
    """Everything that an environment holds, read once."""

    def __init__(
        self, folder: str, modulepath: list[str], reading: Reading, facts: set[str] | None = None
    ) -> None:
        self.folder = os.path.abspath(folder)
        self.facts = facts
        """The names of the facts, if any are given."""
        modules = Modules(modulepath, self.folder, reading)
        self.modules = modules.folders
        self.units: list[Unit] = []
        self.unread: list[tuple[str, Diagnostic]] = []
        """The manifests that cannot be used, and folders, each with the reason."""
        self.templates: list[tuple[str, str, Source]] = []
        """Each with its module and its name in it."""
        self.other: list[Source] = []
        """Files of Ruby, in which names may stand too."""
        self.data: list[DataFile] = []
        with refusals():
            named = environment_conf(folder).get("manifest")
        manifest = "manifests" if named is None else named.value
        self._read_manifests(modules, os.path.join(self.folder, manifest), None)
        self._read_data(self.folder, os.path.join(self.folder, "data"))
        for name, place in sorted(self.modules.items()):
            self._read_manifests(modules, os.path.join(place, "manifests"), name)
            self._read_manifests(modules, os.path.join(place, "functions"), name)
            self._read_templates(place, name)
            self._read_data(place, os.path.join(place, "data"))
        self.foreign = self._listed()

    def _read_manifests(self, modules: Modules, path: str, module: str | None) -> None:
        files = [path] if os.path.isfile(path) else self._under(path, (".pp",))
        for file in files:
            try:
                self.units.append(modules.unit(file, module))
            except Fault as fault:
                self.unread.append((file, fault.diagnostic))
            except Problem as problem:
                at = Source(file, "").span(0, 0)
                self.unread.append((file, problem.at(at).diagnostic))

    def _under(self, folder: str, endings: tuple[str, ...]) -> list[str]:
        """The files below a folder; notes folders that may not be read."""
        refused: list[Unread] = []
        try:
            return files_under(folder, lambda name: name.endswith(endings), refused=refused)
        except Unread:
            return []
        finally:
            for why in refused:
                at = Source(why.path, "").span(0, 0)
                self.unread.append((why.path, unread(why, why.path, at)))

    def _read_templates(self, place: str, module: str) -> None:
        root = os.path.join(place, "templates")
        for file in self._under(root, ("",)):
            source = _source(file)
            if isinstance(source, Source):
                self.templates.append((module, os.path.relpath(file, root), source))
        for file in self._under(os.path.join(place, "lib"), (".rb",)):
            source = _source(file)
            if isinstance(source, Source):
                self.other.append(source)

    def _read_data(self, folder: str, data: str) -> None:
        if not os.path.isfile(os.path.join(folder, "hiera.yaml")):
            return
        for file in self._under(data, tuple(_DATA)):
            try:
                self.data.append(read_data(file, _DATA[os.path.splitext(file)[1]]))
            except Problem as problem:
                self.unread.append((file, problem.at(Source(file, "").span(0, 0)).diagnostic))
            except Fault:
                continue

    def _listed(self) -> set[str]:
        """The modules that a Puppetfile brings: they are not of this repository."""
        source = read_source(os.path.join(self.folder, PUPPETFILE))
        if isinstance(source, Unreadable):
            if not source.absent:
                self.unread.append((source.name, unread(source, source.name, source.at)))
            return set()
        names = _PUPPETFILE.findall(source.text)
        return {name.replace("/", "-").rpartition("-")[2] for name in names}

    # -- what stands in manifests ----------------------------------------------------------------

    def definitions(self) -> Iterator[tuple[Unit, ast.ClassDef | ast.Define]]:
        """Every class and define."""
        return self.of_kind(ast.ClassDef, ast.Define)

    def calls(self) -> Iterator[tuple[Unit, ast.Call, str]]:
        """Every call of a function by its name."""
        for unit, node in self.of_kind(ast.Call):
            yield unit, node, name_called(node) or ""

    def beside(self) -> Iterator[Source]:
        """Templates and files of Ruby, in which names stand as texts."""
        yield from self.other
        for _, _, source in self.templates:
            yield source

    def of_kind(self, *kinds: type[Any]) -> Iterator[tuple[Unit, Any]]:
        """Every node of some kinds, manifest by manifest, each kind with outer ones first."""
        for unit in self.units:
            nodes = unit.once("by kind", unit.program, partial(_by_kind, unit))
            for kind in kinds:
                for node in nodes.get(kind, ()):
                    yield unit, node


def _by_kind(unit: Unit) -> dict[type[Any], list[Any]]:
    """The nodes of a manifest, outer ones first."""
    found: dict[type[Any], list[Any]] = {}
    todo: list[Any] = list(reversed(unit.program.body))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Record):
            found.setdefault(type(node), []).append(node)
            todo.extend(reversed(list(ast.children(node))))
    return found


Name = tuple[str | None, ...]
"""A name as it is written: parts that are known, None for what is computed."""


def names_in(node: object) -> list[Name]:
    """The names that an argument spells, each as parts."""
    node = unwound(node)
    match node:
        case ast.String(value=text) | ast.Name(value=text):
            return [(text,)]
        case ast.Array(items=items):
            return [name for item in items for name in names_in(item)]
        case ast.Interpolated(segments=segments):
            return [tuple(s.value if isinstance(s, ast.String) else None for s in segments)]
    return [(None,)]


def _source(file: str) -> Source | None:
    """The text of a file, if it may be read."""
    try:
        source = kept_source(file)
    except (Fault, Problem):
        return None
    return source if isinstance(source, Source) else None
