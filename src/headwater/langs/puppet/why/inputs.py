"""Labels of what stands outside manifests: facts and files."""

from __future__ import annotations

from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.hiera.yaml import Document
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.paths import Key, Path
from headwater.text import Source, Span
from headwater.tree.yamltext import BadYaml
from headwater.why import Kind, Node

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown", "miss": "miss"}


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
        text = "facts" + "".join(f"[{part!r}]" for part in parts)
        return self._labels.input("fact", source.span(*(found or (0, 0))), text)

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
