"""Labels of what stands outside manifests: facts and files."""

from __future__ import annotations

from functools import cache

from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.hiera.yaml import Document
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.paths import ABSENT, Key, Path, inside
from headwater.text import Source, Span
from headwater.tree.yamltext import BadYaml
from headwater.why import Kind, Node

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown", "miss": "miss"}


@cache
def _named(node: str) -> Source:
    """The name of a node, as it stands on the command line."""
    return Source("--node", node)


class InputLabels:
    """Makes labels for the inputs of one compilation."""

    def __init__(self, labels: Labels, inputs: Inputs) -> None:
        self._labels = labels
        self._inputs = inputs
        self._facts: tuple[Source, Document | None] | None = None
        self._empty: dict[str, Source] = {}

    def fact(self, path: Path) -> Node:
        """The label of a fact, or of what lies in one."""
        parts = tuple(part.of if isinstance(part, Key) else part for part in path)
        if self._facts is None:
            self._facts = self._read_facts()
        source, document = self._facts
        found = document.place(parts) if document is not None and parts else None
        if found is None and document is not None:
            found = document.place(("values", *parts))
        if found is None and parts == ("trusted", "certname"):
            return self.certname()
        root = () if parts[:1] == ("trusted",) else ("facts",)
        text = str(*(root or parts[:1])) + "".join(f"[{p!r}]" for p in parts[1 - len(root) :])
        span = source.span(*(found or (0, 0)))
        if found is None and not self._is_given(parts):
            return self._labels.miss(span, text)
        return self._labels.input("fact", span, text)

    def _is_given(self, parts: tuple[str | int, ...]) -> bool:
        """Whether there is such a fact, or such trusted data."""
        trusted = parts[:1] == ("trusted",) and "trusted" not in self._inputs.facts
        given = self._inputs.trusted if trusted else self._inputs.facts
        return inside(given, parts[1:] if trusted else parts) is not ABSENT

    def certname(self) -> Node:
        """The name of the node, which is trusted."""
        source = _named(self._inputs.node)
        return self._labels.input("argument", source.span(0, len(source.text)), source.text)

    def _read_facts(self) -> tuple[Source, Document | None]:
        read = self._inputs.facts_source
        if read is not None:
            try:
                return read, Document(read.text)
            except BadYaml:
                return read, None
        return Source("facts", ""), None

    def file(self, path: str) -> Source:
        """A file whose text is not at hand, or that is not there."""
        return self._empty.setdefault(path, Source(path, ""))

    def read(self, kind: str, text: str, path: str | None, at: Span) -> Node:
        """Something read from outside: a file, the state of the catalog."""
        span = self.file(path).span(0, 0) if path is not None else at
        return self._labels.input(_READ.get(kind, "unknown"), span, text)

    def has_fact(self, name: str) -> bool:
        """Whether there is a fact of a name."""
        return name in self._inputs.facts
