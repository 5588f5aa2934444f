"""The nodes of a repository: whoever has facts, or stands in the table of classes.

The name of a node is the name of its file without the ending; a file that was exported of several
nodes names them itself.  Other files are only listed here; what they say is read when somebody
asks for it, so that a broken one harms nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from headwater.fleet.config import BadRepository, Repository
from headwater.langs.codes import unread
from headwater.langs.repositories import HasNodes, NodeFiles, Unusable, fact_files
from headwater.text import Unreadable, read_source
from headwater.text.reading import Unread, look


class Inventory(msgspec.Struct, frozen=True):
    """The nodes by name, in the order of their names."""

    nodes: Mapping[str, NodeFiles]

    @property
    def names(self) -> list[str]:
        """The names of all nodes."""
        return list(self.nodes)

    def named(self, word: str) -> list[str]:
        """The nodes that a name means: the one of that name, or those it is the host's name of."""
        wanted = word.lower()
        if wanted in self.nodes:
            return [wanted]
        return [name for name in self.nodes if name.startswith(f"{wanted}.")]


def inventory(repository: Repository, language: HasNodes) -> Inventory:
    """The nodes of a repository.  Raises `BadRepository`."""
    with told_at(repository, "nodes", "facts"):
        facts, also = facts_of(repository.nodes.facts, language)
    with told_at(repository, "nodes", "trusted"):
        trusted = dict(fact_files(repository.nodes.trusted)) if repository.nodes.trusted else {}
    classes = _classes(repository.nodes.classes, language)
    names = sorted({*facts, *trusted, *classes})
    return Inventory({
        name: NodeFiles(
            name, facts.get(name), trusted.get(name), classes.get(name), also.get(name)
        )
        for name in names
    })  # fmt: skip


@contextmanager
def told_at(repository: Repository, section: str, key: str) -> Iterator[None]:
    """A folder that may not be read is told where headwater.toml names it."""
    try:
        yield
    except Unread as why:
        at = repository.text.value((section, key))
        raise BadRepository([unread(why, why.path, at)]) from None


def facts_of(folder: str | None, language: HasNodes) -> tuple[dict[str, str], dict[str, str]]:
    """The file with the facts of each node, and where nodes are in two, the other one."""
    found: dict[str, str] = {}
    also: dict[str, str] = {}
    for name, path in fact_files(folder) if folder is not None else ():
        for node in language.nodes_named(path) or [name]:
            if found.setdefault(node, path) != path:
                also.setdefault(node, path)
    return found, also


def age(node: NodeFiles, gathered: float | None, now: float) -> float | None:
    """How many seconds ago the facts of a node were gathered; if they do not say it, written."""
    if gathered is None:
        about = look(node.facts) if node.facts is not None else None
        gathered = None if about is None else about.st_mtime
    return None if gathered is None else max(0.0, now - gathered)


def _classes(path: str | None, language: HasNodes) -> Mapping[str, object]:
    """What a table of classes says of each node."""
    if path is None:
        return {}
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise BadRepository([unread(source, path, source.at)])
    try:
        return language.read_classes(source)
    except Unusable as why:
        raise BadRepository(why.diagnostics) from None
