"""Labels of what stands outside manifests: facts, Hiera data, files; and calls of lambdas."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.hiera.lookup import Record, Tried
from headwater.langs.puppet.hiera.yaml import BadYaml, Document
from headwater.langs.puppet.syntax import ast
from headwater.text import Source, Span, Unreadable, read_source
from headwater.why import NOTHING, Kind, Label, Loser, Node, Trace

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown"}


class Places:
    """Makes labels for inputs of one compilation."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._facts: tuple[Source, Document | None] | None = None
        self._empty: dict[str, Source] = {}
        self._calls: dict[Unit, dict[int, Any]] = {}

    def fact(self, trace: Trace, path: tuple[str | int, ...]) -> Node:
        """The label of a fact, or of what lies in one."""
        if self._facts is None:
            self._facts = self._read_facts()
        source, document = self._facts
        found = document.place(path) if document is not None and path else None
        if found is None and document is not None:
            found = document.place(("values", *path))
        text = "facts" + "".join(f"[{part!r}]" for part in path)
        return trace.label(Label("fact", source.span(*(found or (0, 0))), text))

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

    def external(self, trace: Trace, kind: str, text: str, path: str | None, at: Span) -> Node:
        """Something read from outside: a file, the state of the catalog."""
        span = self.source(path).span(0, 0) if path is not None else at
        return trace.label(Label(_READ.get(kind, "unknown"), span, text))

    def hiera(self, trace: Trace, record: Record) -> tuple[Node, list[Loser]]:
        """The value of a look-up: the leaf (or the merge of leaves), and the misses before it."""
        leaves: list[Node] = []
        causes: list[Node] = []
        for tried in record.tried:
            if tried.found:
                leaves.append(trace.label(self._leaf(tried)))
                if record.strategy == "first":
                    break
            else:
                causes.append(trace.miss(self._miss(tried)))
        for name in record.read:
            causes.append(self.variable(trace, name))
        for inner in record.inner:
            causes.append(self.hiera(trace, inner)[0])
        union = trace.union(*causes)
        if not leaves:
            return union, []
        if record.strategy == "first" or len(leaves) == 1:
            return trace.guard(leaves[0], union), []
        losers = [Loser(None, leaf, "merge", leaves[0]) for leaf in leaves[1:]]
        return trace.operation(f"merge {record.strategy}", leaves, union), losers

    def variable(self, trace: Trace, name: str) -> Node:
        """A variable read by an interpolation of Hiera: most often a fact."""
        parts = name.removeprefix("::").split(".")
        if parts[0] in ("facts", "trusted"):
            return self.fact(trace, tuple(parts[1:] if parts[0] == "facts" else parts))
        return self.fact(trace, tuple(parts))

    def _leaf(self, tried: Tried) -> Label:
        assert tried.file is not None
        span = tried.file.span((tried.key,))
        return Label("hiera", span, span.text.strip() or tried.key)

    def _miss(self, tried: Tried) -> Label:
        if tried.file is None:
            return Label("miss", self.source(tried.path).span(0, 0), tried.key)
        end = len(tried.file.source.text)
        return Label("miss", tried.file.source.span(end, end), tried.key)

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


__all__ = ["NOTHING", "Places"]
