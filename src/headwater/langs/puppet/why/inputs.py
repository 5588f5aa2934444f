"""Labels of what stands outside manifests: facts, what a classifier says, and files."""

from __future__ import annotations

from functools import cache

from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.facts import Place
from headwater.langs.puppet.facts.texts import text_map
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.paths import ABSENT, Key, Path, inside
from headwater.text import Source, Span
from headwater.why import Kind, Node

_READ: dict[str, Kind] = {"file": "file", "query": "query", "unknown": "unknown", "miss": "miss"}


@cache
def _named(node: str) -> Source:
    """The name of a node, as it stands on the command line."""
    return Source("--node", node)


def _plain(name: object) -> str:
    """The name of a class, however a classifier writes it."""
    return str(name).lower().removeprefix("::")


class InputLabels:
    """Makes labels for the inputs of one compilation."""

    def __init__(self, labels: Labels, inputs: Inputs) -> None:
        self._labels = labels
        self._inputs = inputs
        self._nowhere = Source("facts", "")
        self._empty: dict[str, Source] = {}

    def fact(self, path: Path) -> Node:
        """The label of a fact, or of what lies in one."""
        parts = tuple(part.of if isinstance(part, Key) else part for part in path)
        given = self._inputs.given
        trusted = parts[:1] == ("trusted",) and "trusted" not in self._inputs.facts
        rest = parts[1:] if trusted else parts
        place = given.trusted_place(rest) if trusted else given.place(rest)
        found = None if place is None else self._found(place)
        if found is None and trusted and rest == ("certname",):
            return self.certname()
        text = ("trusted" if trusted else "facts") + "".join(f"[{part!r}]" for part in rest)
        at = found or (self._nowhere if given.at is None else given.at.source).span(0, 0)
        if found is None and not self._is_given(parts):
            return self._labels.miss(at, text)
        return self._labels.input("fact", at, text)

    def _is_given(self, parts: tuple[str | int, ...]) -> bool:
        """Whether there is such a fact, or such trusted data."""
        trusted = parts[:1] == ("trusted",) and "trusted" not in self._inputs.facts
        given = self._inputs.trusted if trusted else self._inputs.facts
        return inside(given, parts[1:] if trusted else parts) is not ABSENT

    def certname(self) -> Node:
        """The name of the node, which is trusted."""
        source = _named(self._inputs.node)
        return self._labels.input("argument", source.span(0, len(source.text)), source.text)

    def variable(self, name: str) -> Node:
        """A top-level variable, as it stands on the command line."""
        source = Source(f"--set {name}", str(self._inputs.variables[name]))
        return self._labels.input("argument", source.span(0, len(source.text)), source.text)

    def classified_variable(self, name: str) -> Node:
        """A top-level variable of a classifier."""
        at = self._inputs.classified.at
        place = None if at is None or not at.path else Place(at.source, ("parameters", name))
        return self._classified(place, f"${name}")

    def environment(self) -> Node | None:
        """The environment as a classifier names it, or what it says instead; None without one."""
        given = self._inputs.classified
        if given.environment is None:
            return None if given.at is None else self.classified()
        place = None if given.at is None else Place(given.at.source, ("environment",))
        return self._classified(place, "$environment")

    def classified(self, name: str | None = None, parameter: str | None = None) -> Node:
        """The classes of a classifier, or one of them with its parameters, or one parameter."""
        given = self._inputs.classified
        path: tuple[str | int, ...] = ()
        for index, one in enumerate(given.classes or ()):
            if name is not None and _plain(one) == name:
                path = (index if isinstance(given.classes, list) else str(one),)
        if parameter is not None:
            path += (parameter,)
        place = None if given.at is None else given.at.inside(path)
        text = "classes" if name is None else name if parameter is None else f"{name}::{parameter}"
        return self._classified(place, text)

    def _classified(self, place: Place | None, text: str) -> Node:
        found = None if place is None else self._found(place, key=True)
        at = found or Source("classes", text).span(0, len(text))
        return self._labels.input("argument", at, text)

    def _found(self, place: Place, *, key: bool = False) -> Span | None:
        """Where a place is, if its text says anything of it; with its `key` or without."""
        source = place.source
        if place.offsets is not None:
            return source.span(*place.offsets)
        document = text_map(source)
        if document is None or not (place.path or key):
            return None
        found = document.place(place.path)
        named = document.place(place.path, key=True) if key else found
        return None if found is None or named is None else source.span(named[0], found[1])

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
