"""Labels of what stands outside manifests: facts, Hiera data, files; and calls of lambdas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.hiera.search import every_file
from headwater.langs.puppet.hiera.yaml import BadYaml, Document
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.parameters import shown_plain
from headwater.langs.puppet.why.variables import variable_node
from headwater.text import Source, Span, Unreadable, read_source
from headwater.why import NOTHING, Kind, Label, Loser, Node

if TYPE_CHECKING:
    from headwater.langs.puppet.why.replay import Path, Replay

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown", "miss": "miss"}
_ABSENT = object()


class Places:
    """Makes labels for inputs of one compilation."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.trace = replay.trace
        self.inputs = replay.compilation.inputs
        self._facts: tuple[Source, Document | None] | None = None
        self._empty: dict[str, Source] = {}
        self._calls: dict[Unit, dict[int, Any]] = {}

    # -- facts and files -------------------------------------------------------------------------

    def fact(self, path: tuple[str | int, ...]) -> Node:
        """The label of a fact, or of what lies in one."""
        if self._facts is None:
            self._facts = self._read_facts()
        source, document = self._facts
        found = document.place(path) if document is not None and path else None
        if found is None and document is not None:
            found = document.place(("values", *path))
        text = "facts" + "".join(f"[{part!r}]" for part in path)
        return self.trace.label(Label("fact", source.span(*(found or (0, 0))), text))

    def _read_facts(self) -> tuple[Source, Document | None]:
        if self.inputs.facts_file is not None:
            read = read_source(self.inputs.facts_file)
            if not isinstance(read, Unreadable):
                try:
                    return read, Document(read.text)
                except BadYaml:
                    return read, None
        return Source("facts", ""), None

    def source(self, path: str) -> Source:
        """The text of a file that is not there."""
        return self._empty.setdefault(path, Source(path, ""))

    def external(self, kind: str, text: str, path: str | None, at: Span) -> Node:
        """Something read from outside: a file, the state of the catalog."""
        span = self.source(path).span(0, 0) if path is not None else at
        return self.trace.label(Label(_READ.get(kind, "unknown"), span, text))

    # -- Hiera -----------------------------------------------------------------------------------

    def hiera(self, here: Here, record: LookupRecord, path: Path = ()) -> tuple[Node, list[Tried]]:
        """The value of a look-up (or what lies in it), and where it was found.

        It is a leaf of a data file, or a merge of leaves; it depends on the misses before it,
        on what was interpolated into paths and values, and on the options of the look-up.
        """
        trace = self.trace
        found = [tried for tried in record.tried if tried.found]
        causes = [trace.miss(self._miss(tried)) for tried in record.tried if not tried.found]
        causes += [self.variable(here, name) for name in record.read]
        causes += [self.hiera(here, inner)[0] for inner in record.inner]
        for options in record.options:
            causes.append(self.hiera(here, options)[0])
        union = trace.union(*causes)
        if not found:
            return union, []
        whole = (*split_key(record.key)[1:], *path)
        if record.strategy == "first":
            return self._leaf(found[0], whole, union), found
        holding = [tried for tried in found if _inside(tried, whole) is not _ABSENT]
        every = trace.union(union, *(trace.label(self._label(tried, ())) for tried in found))
        scalar = holding and not isinstance(_inside(holding[0], whole), Hash | list)
        if whole and scalar and record.strategy in ("hash", "deep"):
            return self._leaf(holding[0], whole, every), found
        args = [trace.label(self._label(tried, whole)) for tried in holding or found]
        return trace.operation(f"merge {record.strategy}", args, every), found

    def lower_levels(self, here: Here, record: LookupRecord, path: Path) -> list[Loser]:
        """Values for the same key that lost: at lower levels, or in a merge."""
        by, found = self.hiera(here, record, path)
        whole = (*split_key(record.key)[1:], *path)
        if record.strategy == "first":
            every = every_file(self.replay.compilation.services.hiera.layers, record.key)
            first = found[0].path if found else None
            others = [t for t in every if t.found and t.path != first]
        else:
            others = [t for t in found if _inside(t, whole) is not _ABSENT][1:]
            scalar = others and not isinstance(_inside(others[0], whole), Hash | list)
            if not whole or not scalar or record.strategy not in ("hash", "deep"):
                return []
        reason = "level" if record.strategy == "first" else "merge"
        losers: list[Loser] = []
        for tried in others:
            value = _inside(tried, whole)
            if value is not _ABSENT:
                node = self.trace.label(self._label(tried, whole))
                losers.append(Loser(shown_plain(self.replay, value), node, reason, by))  # type: ignore[arg-type]
        return losers

    def _leaf(self, tried: Tried, path: Path, causes: Node) -> Node:
        """A value as it stands in a data file; one with interpolations is computed."""
        label = self.trace.label(self._label(tried, path))
        value = _inside(tried, path)
        if isinstance(value, str) and "%{" in value:
            return self.trace.operation("interpolate", [label], causes)
        if value is _ABSENT:
            return self.replay.undef(self.trace.union(label, causes))
        return self.trace.guard(label, causes)

    def variable(self, here: Here, name: str) -> Node:
        """A variable read by an interpolation of Hiera: most often a fact."""
        parts = name.removeprefix("::").split(".")
        if parts[0] in ("facts", "trusted"):
            return self.fact(tuple(parts[1:] if parts[0] == "facts" else parts))
        if "::" not in parts[0] and parts[0] in self.inputs.facts:
            return self.fact(tuple(parts))
        root = name.split(".")[0]
        return variable_node(self.replay, here, root, tuple(parts[1:]), None)

    def _label(self, tried: Tried, path: Path) -> Label:
        """The most exact place in the file that the value at a path has."""
        assert tried.file is not None
        at: Path = (tried.key, *path)
        span = tried.file.span(at)
        while span.start == span.end and len(at) > 1:
            at = at[:-1]
            span = tried.file.span(at)
        return Label("hiera", span, span.text.strip() or tried.key)

    def _miss(self, tried: Tried) -> Label:
        if tried.file is None:
            return Label("miss", self.source(tried.path).span(0, 0), tried.key)
        end = len(tried.file.source.text)
        return Label("miss", tried.file.source.span(end, end), tried.key)

    # -- lambdas ---------------------------------------------------------------------------------

    def call_of(self, unit: Unit, lambda_: Any) -> Any:
        """The call that a lambda is written after."""
        known = self._calls.get(unit)
        if known is None:
            known = self._calls[unit] = {}
            todo: list[Any] = list(unit.program.body)
            while todo:
                at = todo.pop()
                if isinstance(at, list):
                    todo.extend(at)
                    continue
                if isinstance(at, ast.Call | ast.Method) and at.block is not None:
                    known[id(at.block)] = at
                if isinstance(at, ast.Record):
                    todo.extend(ast.parts(at))
        return known.get(id(lambda_))


def _inside(tried: Tried, path: Path) -> Any:
    """The value at a path of what a data file has for a key."""
    assert tried.file is not None
    value: Any = tried.file.data[tried.key]
    for part in path:
        match value:
            case Hash() if part in value:
                value = value[part]
            case list() if isinstance(part, int) and -len(value) <= part < len(value):
                value = value[part]
            case _:
                return _ABSENT
    return value


__all__ = ["NOTHING", "Places"]
