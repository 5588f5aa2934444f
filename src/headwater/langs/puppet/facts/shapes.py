"""The forms in which tools write facts, told apart by their shape.

| form | written by |
|---|---|
| ``{fact: value}`` | ``facter --json``, ``facter --yaml``, ``puppet facts show`` |
| ``{name, values: {fact: value}}`` | ``puppet facts find``, a server's cache of facts |
| ``{name, parameters: {fact: value}}`` | a server's cache of nodes |
| ``{certname, values: {fact: value}}`` | an archive of PuppetDB |
| ``[{certname, name, value}]`` | PuppetDB's query ``facts`` |
| ``[{certname, facts: {fact: value}, trusted}]`` | PuppetDB's query ``inventory`` |
| ``[{certname, facts: {data: [{name, value}]}}]`` | PuppetDB's query ``factsets`` |

Trusted data stand beside the facts, or among them as a fact ``trusted``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from headwater.langs.puppet.hashes import Hash
from headwater.text import Source

Path = tuple[str | int, ...]

TRUSTED = ("authenticated", "certname", "domain", "extensions", "external", "hostname")
"""What trusted data have."""
_AROUND_VALUES = frozenset(
    ["name", "certname", "values", "timestamp", "expiration", "environment", "producer",
     "producer_timestamp", "package_inventory", "hash"]
)  # fmt: skip
"""The keys beside `values`; a hash with others is one of facts, one of which is called so."""
_AROUND_PARAMETERS = frozenset(
    ["name", "environment", "environment_name", "classes", "parameters", "facts", "trusted_data",
     "source", "time", "timestamp", "expiration"]
)  # fmt: skip
_TIMES = ("producer_timestamp", "timestamp", "time")
_AROUND_ROWS = frozenset(["data", "href"])


class Place(msgspec.Struct, frozen=True):
    """Where something stands: a path into the data of a text, or offsets in it."""

    source: Source
    path: Path = ()
    offsets: tuple[int, int] | None = None

    def inside(self, path: Path) -> Place:
        """Where something stands that lies in it."""
        return Place(self.source, (*self.path, *path), self.offsets)


class NodeFacts(msgspec.Struct):
    """The facts of one node, its trusted data, and where they stand."""

    node: str | None
    """The name of the node, where the text says it."""
    values: Hash
    trusted: Hash | None = None
    at: Place | None = None
    """Where the facts stand that have no place of their own."""
    trusted_at: Place | None = None
    own: dict[str, Place] = {}
    """Where single facts stand."""
    file: str | None = None
    """The file that holds them, where the facts that are read of it are noted one by one."""
    among: bool = False
    """Whether the file holds the facts of other nodes too."""
    asked: set[str] | None = None
    """The facts that a compilation asks for, where that is noted."""
    whose: tuple[str, ...] = ()
    """How the parts of the file begin that are this node's, if it holds others too."""
    when: str | None = None
    """When they were gathered, where the text says it."""

    def place(self, path: Path) -> Place | None:
        """Where a fact stands, or what lies in one."""
        own = self.own.get(str(path[0])) if path else None
        if own is not None:
            return own.inside(path[1:])
        return None if self.at is None else self.at.inside(path)

    def trusted_place(self, path: Path) -> Place | None:
        """Where something of the trusted data stands."""
        return None if self.trusted_at is None else self.trusted_at.inside(path)


class BadShape(Exception):
    """Why data hold no facts, and where in them that is."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def nodes_in(data: object, source: Source | None = None) -> list[NodeFacts]:
    """The nodes whose facts are in some data; raises `BadShape`.  Without `source` no places."""
    found = _Nodes(source)
    match data:
        case Hash():
            found.add(data, ())
        case list():
            for index, entry in enumerate(data):
                if not isinstance(entry, Hash):
                    raise BadShape("an entry of the list is not a hash", (index,))
                if not found.add_row(entry, (index,)) and not found.add_known(entry, (index,)):
                    raise BadShape(
                        "an entry of the list has neither name and value nor facts", (index,)
                    )
        case _:
            raise BadShape("facts are not a hash")
    if not found.nodes:
        raise BadShape("the list is empty")
    if None in found.nodes and len(found.nodes) > 1:
        raise BadShape("some facts in the list have a certname, and others have none")
    return [_with_trusted(node) for node in found.nodes.values()]


class _Nodes:
    """Nodes as they are found."""

    def __init__(self, source: Source | None) -> None:
        self._source = source
        self.nodes: dict[str | None, NodeFacts] = {}

    def add(self, data: Hash, path: Path) -> None:
        """Facts in any form that is a hash."""
        if not self.add_known(data, path):
            self._put(None, data, path)

    def add_known(self, data: Hash, path: Path) -> bool:
        """Facts with the name of their node, if they are such."""
        name = data.get("certname", data.get("name"))
        if not (name is None or isinstance(name, str)):
            return False
        if isinstance(data.get("values"), Hash) and _only(data, _AROUND_VALUES):
            self._put(name, data["values"], (*path, "values")).when = _when(data)
            return True
        if name is None:
            return False
        if isinstance(data.get("parameters"), Hash) and _only(data, _AROUND_PARAMETERS):
            node = self._put(name, data["parameters"], (*path, "parameters"))
            node.when = _when(data)
            self._trust(node, data.get("trusted_data"), (*path, "trusted_data"))
            return True
        facts = data.get("facts")
        if "certname" not in data or not isinstance(facts, Hash):
            return False
        rows = facts.get("data")
        if isinstance(rows, list) and _only(facts, _AROUND_ROWS):
            node = self._put(name, Hash(), (*path, "facts", "data"))
            for index, row in enumerate(rows):
                at = (*path, "facts", "data", index)
                if not isinstance(row, Hash) or "name" not in row or "value" not in row:
                    raise BadShape("a fact has no name or no value", at)
                self._fact(node, row, at)
        else:
            node = self._put(name, facts, (*path, "facts"))
        node.when = _when(data)
        self._trust(node, data.get("trusted"), (*path, "trusted"))
        return True

    def add_row(self, row: Hash, path: Path) -> bool:
        """One fact of one node, if it is such."""
        if "name" not in row or "value" not in row:
            return False
        if "path" in row:
            raise BadShape("the list holds parts of facts (fact-contents), not facts", path)
        name = row.get("certname")
        if not (name is None or isinstance(name, str)):
            raise BadShape("certname is not a text", (*path, "certname"))
        node = self.nodes.get(name)
        if node is None:
            node = self._put(name, Hash(), ())
        self._fact(node, row, path)
        return True

    def _put(self, name: str | None, values: Hash, path: Path) -> NodeFacts:
        if name == "":
            raise BadShape("the name of a node is empty", path)
        if name in self.nodes:
            raise BadShape(f"{name} is there twice", path)
        at = None if self._source is None else Place(self._source, path)
        node = self.nodes[name] = NodeFacts(name, values, at=at)
        return node

    def _fact(self, node: NodeFacts, row: Hash, path: Path) -> None:
        name = row["name"]
        if not isinstance(name, str):
            raise BadShape("the name of a fact is not a text", (*path, "name"))
        if name in node.values:
            raise BadShape(f"the fact {name} is there twice", (*path, "name"))
        node.values.put(name, row["value"])
        if self._source is not None:
            node.own[name] = Place(self._source, (*path, "value"))

    def _trust(self, node: NodeFacts, trusted: object, path: Path) -> None:
        if trusted is not None:
            if not isinstance(trusted, Hash):
                raise BadShape("trusted data are not a hash", path)
            node.trusted = trusted
            node.trusted_at = None if self._source is None else Place(self._source, path)


def _when(data: Hash) -> str | None:
    """When facts were gathered: by the node itself, where that is told apart."""
    found = next((data[key] for key in _TIMES if key in data), None)
    return found if isinstance(found, str) else None


def _only(data: Hash, known: frozenset[str]) -> bool:
    """Whether a hash has no other keys; a key may be of any kind."""
    return all(isinstance(key, str) and key in known for key in data)


def _with_trusted(node: NodeFacts) -> NodeFacts:
    """The same, where trusted data are among the facts, as PuppetDB has them."""
    among = node.values.get("trusted")
    if node.trusted is None and isinstance(among, Hash) and any(k in among for k in TRUSTED):
        node.trusted, node.trusted_at = among, node.place(("trusted",))
        node.values = node.values.without(["trusted"])
    if node.trusted is not None:
        for message, key in faults_of(node.trusted):
            path = () if node.trusted_at is None else node.trusted_at.path
            raise BadShape(message, (*path, key))
    return node


def faults_of(trusted: Hash) -> Iterator[tuple[str, str]]:
    """What is wrong with trusted data, and under which key."""
    kinds: dict[str, tuple[type[Any], str]] = {
        "certname": (str, "a text"),
        "extensions": (Hash, "a hash"),
        "external": (Hash, "a hash"),
    }
    for key, (kind, name) in kinds.items():
        if key in trusted and not isinstance(trusted[key], kind):
            yield f"{key} of the trusted data is not {name}", key
