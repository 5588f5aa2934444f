"""Labels of what stands outside manifests: facts and files."""

from __future__ import annotations

from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.facts import Place
from headwater.langs.puppet.hiera.yaml import Document
from headwater.langs.puppet.why.labels import Labels
from headwater.text import Source, Span
from headwater.tree.yamltext import BadYaml
from headwater.why import Kind, Node

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown", "miss": "miss"}


class InputLabels:
    """Makes labels for the inputs of one compilation."""

    def __init__(self, labels: Labels, inputs: Inputs) -> None:
        self._labels = labels
        self._inputs = inputs
        self._documents: dict[str, Document | None] = {}
        self._nowhere = Source("facts", "")
        self._empty: dict[str, Source] = {}

    def fact(self, path: tuple[str | int, ...]) -> Node:
        """The label of a fact, or of what lies in one."""
        given = self._inputs.given
        trusted = path[:1] == ("trusted",) and "trusted" not in self._inputs.facts
        place = given.trusted_place(path[1:]) if trusted else given.place(path)
        text = "trusted" if trusted else "facts"
        text += "".join(f"[{part!r}]" for part in (path[1:] if trusted else path))
        return self._labels.input("fact", self._span(place or given.at), text)

    def _span(self, place: Place | None) -> Span:
        """Where a place is; the start of the text if it says nothing of it."""
        if place is None:
            return self._nowhere.span(0, 0)
        source = place.source
        if place.offsets is not None:
            return source.span(*place.offsets)
        if source.name not in self._documents:
            try:
                self._documents[source.name] = Document(source.text, objects=True)
            except BadYaml:
                self._documents[source.name] = None
        document = self._documents[source.name]
        found = document.place(place.path) if document is not None and place.path else None
        return source.span(*(found or (0, 0)))

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
