"""What one side of a comparison is given otherwise than the other: ``--from puppet=7``."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from headwater.ask.request import BadRequest, Request
from headwater.fleet.asking import NODE
from headwater.fleet.inventory import facts_of
from headwater.fleet.sides import Side
from headwater.langs.keyed import EditsFacts
from headwater.langs.repositories import HasNodes
from headwater.report import nearest
from headwater.text import Unreadable, read_source
from headwater.text.reading import is_folder
from headwater.text.standin import Edits

FACT = "fact."
OPTIONS = ("env", "puppet", "facts", "node", "classes")


class Overrides(msgspec.Struct, frozen=True):
    """What a side is given: options, and facts by their paths."""

    options: Mapping[str, str] = {}
    facts: tuple[tuple[str, str], ...] = ()
    files: Mapping[str, str] | None = None
    """The files of facts by node, if they are those of a folder."""

    def __bool__(self) -> bool:
        return bool(self.options or self.facts)

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.options.items()]
        return ", ".join([*words, *(f"{FACT}{path}={value}" for path, value in self.facts)])

    @property
    def node(self) -> str | None:
        """The node that this side is about."""
        return self.options.get("node")

    def found(self, language: object, nodes: Collection[str]) -> Overrides:
        """The same with the files that a folder of facts has.  Raises `BadRequest`."""
        place = self.options.get("facts")
        if place is None or not isinstance(language, HasNodes) or not is_folder(place):
            return self
        files, also = facts_of(place, language)
        for node, other in also.items():
            raise BadRequest(f"the facts of {node} are in {files[node]} and in {other}")
        if nodes and files.keys().isdisjoint(nodes):
            whose = next(iter(nodes)) if len(nodes) == 1 else "any node"
            raise BadRequest(f"there are no facts of {whose} in {place}")
        return replace(self, files=files)

    def knows(self, node: str) -> bool:
        """Whether this side has a node."""
        return self.files is None or node in self.files

    def request(self, shared: Request, node: str) -> Request:
        """The request of a node on this side.  Raises `BadRequest`."""
        inputs = dict(shared.inputs)
        for name, value in self.options.items():
            match name:
                case "env":
                    inputs["env"] = value
                case "puppet":
                    if value not in ("7", "8"):
                        raise BadRequest(f"puppet is 7 or 8, not {value}")
                    inputs["puppet"] = int(value)
                case "facts":
                    inputs["facts_file"] = value if self.files is None else self.files[node]
                case "classes":
                    inputs["classes"] = [one.strip() for one in value.split(",") if one.strip()]
                case _:
                    pass
        return replace(shared, inputs=inputs)


NOTHING = Overrides()


def overrides(words: Sequence[str]) -> Overrides:
    """What words say, each ``OPTION=VALUE``.  Raises `BadRequest`."""
    options: dict[str, str] = {}
    facts: list[tuple[str, str]] = []
    for word in words:
        name, sign, value = word.partition("=")
        if sign and name.startswith(FACT) and name != FACT:
            facts.append((name.removeprefix(FACT), value))
        elif sign and name in OPTIONS:
            options[name] = value
        else:
            close = nearest(name, OPTIONS)
            hint = f"; did you mean {close}?" if close and close != name else ""
            known = f"{', '.join(OPTIONS)} or {FACT}PATH"
            raise BadRequest(f"{word} is not OPTION=VALUE, with one of {known}{hint}")
    return Overrides(options, tuple(facts))


def with_facts(
    side: Side, requests: Mapping[str, Request], facts: Sequence[tuple[str, str]], language: object
) -> Side:
    """A side on which facts of all its nodes are others.  Raises `BadRequest`."""
    if not facts:
        return side
    if not isinstance(language, EditsFacts):
        raise BadRequest("its programs have no facts")
    files: dict[str, list[str]] = {}
    for node, request in requests.items():
        file = request.inputs.get("facts_file")
        if not isinstance(file, str):
            raise BadRequest(f"{node} has no file of facts")
        files.setdefault(file, []).append(str(request.inputs.get(NODE, node)))
    edits: dict[str, bytes | None] = {}
    for file, nodes in files.items():
        with side.here():
            source = read_source(file)
        if isinstance(source, Unreadable):
            continue  # who compiles with it is told
        for path, value in facts:
            try:
                text = language.with_fact(source, nodes, path, value)
            except ValueError as error:
                raise BadRequest(str(error)) from None
            source = type(source)(source.name, text)
        edits[os.path.abspath(file)] = source.text.encode()
    return Side(side.name, Edits(edits, side.files))
