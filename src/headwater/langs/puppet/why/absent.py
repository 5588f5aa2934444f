"""Why a resource is not in a catalog: who could declare it, and what kept each from doing so.

Every text of the program is looked through, those of modules that nobody named too.  A place that
declares such a resource stands in classes, defines and conditions; the outermost of them that did
not come about is the reason: a class that nobody includes, a condition that was false, a define
that is never used, a collector that does not match.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from headwater.langs.abilities import Absence
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Collector
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.partial import may_be
from headwater.langs.puppet.why.constructs import branches_of
from headwater.report import Note
from headwater.text.named import NamedTuple
from headwater.text.reading import Unread, files_under

_MOST_FILES = 5_000
_MOST_REASONS = 20
_DEEPEST = 6
"""So many classes and defines are followed from a declaration outward."""

_COMPUTED = " by a computed name"
_INCLUDING = frozenset(["include", "contain", "require", "hiera_include"])


class Site(NamedTuple):
    """A piece of program with all that stands around it, outermost first."""

    unit: Unit
    node: Any
    around: tuple[Any, ...]


def absent(compilation: Compilation, kind: str, title: str) -> list[Absence]:
    """The reasons why there is no such resource, each from a place that could declare it."""
    search = _Search(compilation)
    if kind == "Class":
        return search.class_missing(title.lower(), 0)[:_MOST_REASONS]
    return search.resource_missing(kind.lower(), title, 0)[:_MOST_REASONS]


class _Search:
    """One question: the texts of a program, and what came about in its compilation."""

    def __init__(self, compilation: Compilation) -> None:
        self._compilation = compilation
        self._record = compilation.record
        self._decided: dict[int, list[Any]] = {}
        for guard in self._record.decisions:
            self._decided.setdefault(id(guard.node), []).append(guard)
        self._sites: list[Site] | None = None
        self._asked: set[tuple[str, str | None]] = set()

    # -- resources -------------------------------------------------------------------------------

    def resource_missing(self, kind: str, title: str | None, depth: int) -> list[Absence]:
        """Why no resource of a type, and of a title if one is given, was declared."""
        if (kind, title) in self._asked or depth > _DEEPEST:
            return []
        self._asked.add((kind, title))
        found: list[Absence] = []
        computed: list[Absence] = []
        for place in self.sites():
            if not isinstance(place.node, ast.Resource) or _type_of(place.node) != kind:
                continue
            for body in place.node.bodies:
                fits = "" if title is None else _fits(body.title, title)
                if fits is None:
                    continue
                what = f"{kind} is declared here" if title is None else f"it is declared here{fits}"
                note = Note(what, place.unit.span(body))
                kept = self._kept_from(place, note, depth, sure=not fits)
                if fits:
                    computed += [replace(one, guessed=True) for one in kept]
                else:
                    found += kept
        found += self._virtual(kind, title)
        found = found or computed
        if not found and title is None:
            defined = [p for p in self.sites() if _defines(p.node, kind)]
            notes = [Note(f"{kind} is defined here", p.unit.span(p.node)) for p in defined]
            return [Absence(f"nothing declares a {kind}", tuple(notes))]
        return [one for one in found if not one.guessed] or found

    def _virtual(self, kind: str, title: str | None) -> list[Absence]:
        """Resources that are virtual, and the collectors that do not match them."""
        found: list[Absence] = []
        for resource in self._compilation.catalog.resources:
            if resource.virtual and resource.type.lower() == kind and resource.title == title:
                notes = [Note("it is declared here, and virtual", resource.declared.span)]
                for collector in self._record.collectors:
                    if isinstance(collector, Collector) and collector.type.lower() == kind:
                        at = collector.unit.span(collector.node)
                        notes.append(Note("this collector does not match it", at))
                message = "no collector matches it" if len(notes) > 1 else "nothing realizes it"
                found.append(Absence(message, tuple(notes)))
        return found

    # -- classes ---------------------------------------------------------------------------------

    def class_missing(self, name: str, depth: int) -> list[Absence]:
        """Why a class was not declared."""
        if ("class", name) in self._asked or depth > _DEEPEST:
            return []
        self._asked.add(("class", name))
        found: list[Absence] = []
        for place in self.sites():
            for named in _classes_named(place.node):
                fits = _fits(named, name)
                if fits is None:
                    continue
                told = f"class {name} would be declared here{fits}"
                note = Note(told, place.unit.span(place.node))
                kept = self._kept_from(place, note, depth, sure=not fits)
                found += [replace(one, guessed=one.guessed or bool(fits)) for one in kept]
        if found:
            return [one for one in found if not one.guessed] or found
        defined = [p for p in self.sites() if _defines(p.node, name)]
        notes = [Note(f"class {name} is defined here", p.unit.span(p.node)) for p in defined]
        told = f"nobody includes class {name}" if notes else f"there is no class {name}"
        return [Absence(told, tuple(notes))]

    # -- what kept a place from doing something --------------------------------------------------

    def _kept_from(
        self, place: Site, note: Note, depth: int, *, sure: bool = True
    ) -> list[Absence]:
        """The reasons why a place did nothing: the outermost thing around it that is not so."""
        for index, outer in enumerate(place.around):
            within = [one for one in place.around[index + 1 :] if not isinstance(one, ast.When)]
            inner = within[0] if within else place.node
            match outer:
                case ast.ClassDef(name=name) if name.lower() not in self._record.scopes:
                    return self._behind(self.class_missing(name.lower(), depth + 1), note)
                case ast.Define(name=name) if not self._is_used(name.lower()):
                    return self._behind(self.resource_missing(name.lower(), None, depth + 1), note)
                case ast.Node() if not self._is_node(outer):
                    at = place.unit.span(outer)
                    told = "it stands in the definition of another node"
                    return [Absence(told, (Note("this one", at.at_start()), note))]
                case ast.If() | ast.Unless() | ast.Case() if self._not_taken(outer, inner):
                    at = place.unit.span(_condition(outer))
                    told = "a condition did not come out so"
                    return [Absence(told, (Note(_outcome(outer, self._decided), at), note))]
        if sure:
            return []
        return [Absence("the name is computed, and came out otherwise", (note,), guessed=True)]

    def _behind(self, reasons: list[Absence], note: Note) -> list[Absence]:
        """Reasons, with the place that waits for them."""
        return [replace(one, notes=(*one.notes, note)) for one in reasons]

    def _is_used(self, name: str) -> bool:
        return any(r.type.lower() == name for r in self._compilation.catalog.resources)

    def _is_node(self, node: ast.Node) -> bool:
        scope = self._record.node_scope
        return scope is not None and scope.source.node is node

    def _not_taken(self, outer: object, inner: object) -> bool:
        """Whether the branch of a condition that holds something was never taken."""
        guards = self._decided.get(id(outer), [])
        for guard in guards:
            for branch in branches_of(guard):
                if branch.taken and any(node is inner for node in branch.body):
                    return False
        return bool(guards) and not _is_condition(outer, inner)

    # -- the texts -------------------------------------------------------------------------------

    def sites(self) -> list[Site]:
        """Every resource expression, call and definition of the program, with what is around."""
        if self._sites is None:
            self._sites = [place for unit in self._units() for place in _walk(unit)]
        return self._sites

    def _units(self) -> Iterator[Unit]:
        program = self._compilation.program
        yield from program.units
        modules = program.modules.apart()
        paths: list[tuple[str, str]] = []
        for module, folder in modules.folders.items():
            manifests = os.path.join(folder, "manifests")
            try:
                files = files_under(manifests, lambda name: name.endswith(".pp"))
            except Unread:
                continue
            paths += [(path, module) for path in files]
        for path, module in paths[:_MOST_FILES]:
            try:
                yield modules.unit(path, module)
            except (Fault, Problem):
                continue


def _walk(unit: Unit) -> Iterator[Site]:
    todo: list[tuple[Any, tuple[Any, ...]]] = [(node, ()) for node in reversed(unit.program.body)]
    while todo:
        node, around = todo.pop()
        if not isinstance(node, ast.Record):
            continue
        if isinstance(node, ast.Resource | ast.Call | ast.ClassDef | ast.Define):
            yield Site(unit, node, around)
        inside = (*around, node)
        todo.extend((child, inside) for child in reversed(list(ast.children(node))))


def _type_of(node: ast.Resource) -> str | None:
    kind = unwound(node.type)
    match kind:
        case ast.Name(value=name) | ast.String(value=name):
            return name.lower().removeprefix("::")
        case ast.TypeName(value=name):
            return name.lower().removeprefix("::")
    return None


def _fits(node: object, title: str) -> str | None:
    """Whether a title may be the one asked for: "" if it is, words if it may be, else None."""
    node = unwound(node)
    match node:
        case ast.String(value=text) | ast.Name(value=text):
            return "" if text in (title, f"::{title}") else None
        case ast.Array(items=items):
            each = [_fits(item, title) for item in items]
            return min((one for one in each if one is not None), default=None)
        case ast.Interpolated(segments=segments):
            parts = [part.value if isinstance(part, ast.String) else None for part in segments]
            return _COMPUTED if may_be(parts, title) else None
        case ast.Default():
            return None
    return _COMPUTED


def _classes_named(node: object) -> list[Any]:
    """The names of classes that a piece of program declares, as they are written."""
    if isinstance(node, ast.Resource) and _type_of(node) == "class":
        return [body.title for body in node.bodies]
    if isinstance(node, ast.Call) and name_called(node) in _INCLUDING:
        return list(node.args)
    if isinstance(node, ast.ClassDef) and node.parent:
        return [ast.Name(node.parent)]
    return []


def _defines(node: object, name: str) -> bool:
    return isinstance(node, ast.ClassDef | ast.Define) and node.name.lower() == name


def _condition(node: Any) -> Any:  # noqa: ANN401
    return node.test


def _is_condition(node: Any, inner: object) -> bool:  # noqa: ANN401
    """Whether something stands in the condition itself, and not in a branch."""
    return inner is node.test


def _outcome(node: object, decided: dict[int, list[Any]]) -> str:
    """How a condition came out, in words."""
    taken = {bool(guard.taken) for guard in decided.get(id(node), [])}
    if isinstance(node, ast.Case):
        return "this case took another option"
    return f"this was {'true' if True in taken else 'false'}"
