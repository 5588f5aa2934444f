"""Texts of facts: JSON, or YAML as Ruby writes it."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

from headwater.langs.codes import YAML_TOO_LARGE
from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.shapes import BadShape, NodeFacts, Path, Place, nodes_in
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.hashes import from_data
from headwater.text import Source, Span, Unreadable, read_source
from headwater.text.patterns import LatePattern
from headwater.text.reading import Unread, first_bytes, is_link
from headwater.tree.json import BadJson, read_json

_BEGINNING = 4096
"""So many bytes of a file tell whether it begins like a list."""

_LIST = LatePattern(r"(?>(?:\s++|#[^\n]*+\n|%[^\n]*+\n|---(?=\s))*)(?:\[|-\s)")

_OPTIONS = {"facts": "--facts", "trusted data": "--trusted"}
"""The options that name a file, by what is in it."""

_HELP = "give what facter --json, facter --yaml, puppet facts or a query of PuppetDB prints"


def read_facts(path: str | Source) -> list[NodeFacts]:
    """The nodes whose facts a file holds, in any form that tools write; refuses other things."""
    source = path if isinstance(path, Source) else text_of(path, "facts")
    data = data_of(source, "facts")
    try:
        return nodes_in(data, source)
    except BadShape as shape:
        at = span_of(Place(source, shape.path))
        message = f"facts {source.name}: {shape.message}"
        raise Fault(codes.BAD_INPUT.at(at, help=_HELP, message=message)) from None


def is_list(path: str) -> bool:
    """Whether a file begins like a list, as what is exported of several nodes does."""
    try:
        start = first_bytes(path, _BEGINNING)
    except Unread:
        return False
    if start.lstrip()[:1] == b"{":  # nearly always
        return False
    return _LIST.match(start.decode("utf-8-sig", "replace")) is not None


def text_of(path: str, what: str) -> Source:
    """The text of a file that an input names."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        reason = f"{what} {path} cannot be read: {source.reason}"
        problem = Problem(codes.BAD_INPUT, message=reason)
        if source.kind != "missing":
            problem = refused(source, path)
        if source.byte is not None or source.kind != "missing" or is_link(path):
            raise problem.at(source.at)  # the file is there: what is wrong with it is told there
        raise problem if what not in _OPTIONS else problem.of(_OPTIONS[what], path)
    return source


def data_of(source: Source, what: str) -> Any:  # noqa: ANN401
    """The data of a text: of JSON if it begins like it, else of YAML."""

    def constant(name: str) -> NoReturn:
        raise BadJson(f"{name} is not JSON", max(source.text.find(name), 0))

    broken: BadJson | None = None
    if source.text.lstrip()[:1] in ("{", "["):
        try:
            return from_data(read_json(source.text, constant))
        except BadJson as error:
            broken = error
    if broken is None or not source.name.endswith(".json"):
        from headwater.langs.puppet.hiera.yaml import load_objects
        from headwater.tree.yamltext import BadYaml, YamlTooLarge

        try:
            return load_objects(source.text)
        except YamlTooLarge as error:
            at = source.span(error.start, error.start)
            raise Fault(YAML_TOO_LARGE.at(at, file=source.name, bound=error.bound)) from None
        except BadYaml as error:
            if broken is None:
                broken = BadJson(str(error), error.start)
    message = f"{what} {source.name}: {broken.message}"
    raise Fault(codes.BAD_INPUT.at(source.span(broken.at, broken.at), message=message))


def span_of(place: Place) -> Span:
    """Where a place is; the nearest that can be told of what is not there."""
    source = place.source
    if place.offsets is not None:
        return source.span(*place.offsets)
    known = text_map(source)
    path: Path = place.path
    while path and known is not None:
        found = known.place(path)
        if found is not None:
            return source.span(*found)
        path = path[:-1]
    return source.span(0, 0)


class TextMap(Protocol):
    """Knows where the values of a text stand."""

    def place(self, path: Path, *, key: bool = False) -> tuple[int, int] | None:
        """Offsets of the value at a path, or of its key."""
        ...


_text_maps: tuple[tuple[Source, TextMap | None], ...] = ()
"""Of the texts that were asked about last: one may hold the facts of all nodes."""

_MOST_MAPS = 4


def text_map(source: Source) -> TextMap | None:
    """Where the values of a text of facts, trusted data or classes stand; None if it is no data."""
    global _text_maps
    for text, known in _text_maps:
        if text is source:
            return known
    found: TextMap | None
    if source.text.lstrip()[:1] in ("{", "[") and _is_json(source.text):
        from headwater.tree.jsonplaces import JsonPlaces

        found = JsonPlaces(source.text)
    else:
        from headwater.langs.puppet.hiera.yaml import Document
        from headwater.tree.yamltext import BadYaml

        try:
            found = Document(source.text, objects=True)
        except BadYaml:
            found = None
    _text_maps = ((source, found), *_text_maps[: _MOST_MAPS - 1])
    return found


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except BadJson:
        return False
    return True
