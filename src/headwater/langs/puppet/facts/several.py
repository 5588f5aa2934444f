"""Files of facts with the nodes that are in them; what is exported of many nodes is read once.

A file of one node belongs to whoever asks for it, whatever name it says.  Of several each is found
by its name, and whoever asks for another is refused.
"""

from __future__ import annotations

import msgspec

from headwater.langs.puppet.facts.shapes import NodeFacts
from headwater.langs.puppet.facts.texts import is_list, read_facts, text_of
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.files import Stamp, settled, stamp_of
from headwater.langs.puppet.hashes import Hash
from headwater.text import Source


class FactsFile(msgspec.Struct, frozen=True):
    """The nodes in a file, in their order and by name."""

    every: list[NodeFacts]
    named: dict[str, NodeFacts]
    """In lower case, as names of nodes are."""

    @staticmethod
    def of(every: list[NodeFacts]) -> FactsFile:
        """The file that holds some nodes."""
        return FactsFile(every, {one.node.lower(): one for one in every if one.node is not None})

    def of_node(self, name: str | None) -> NodeFacts | None:
        """The facts of a node: those of the only one there is, and else of that name."""
        return self.every[0] if len(self.every) == 1 else self.named.get((name or "").lower())


_MOST_HELD = 4
"""So many files of several nodes are held at a time."""

_held: tuple[tuple[str, Stamp, FactsFile], ...] = ()


def facts_in(path: str) -> FactsFile:
    """The nodes in a file.  What may be about several is parsed again only if it has changed."""
    if not is_list(path):
        return FactsFile.of(read_facts(path))
    global _held
    now = stamp_of(path)
    for name, stamp, known in _held:
        if (name, stamp) == (path, now):
            return known
    found = FactsFile.of(read_facts(path))
    if len(found.every) > 1 and settled([now]):
        others = [one for one in _held if one[0] != path]
        _held = ((path, now, found), *others[: _MOST_HELD - 1])
    return found


_last: tuple[Source, FactsFile] | None = None
"""The file of one node that was read last, with what is in it."""


def facts_for_reading(path: str) -> FactsFile:
    """The same for who changes nothing of it: what was parsed last is not parsed again."""
    if is_list(path):
        return facts_in(path)
    global _last
    source = text_of(path, "facts")
    if _last is None or _last[0].name != source.name or _last[0].text != source.text:
        _last = (source, FactsFile.of(read_facts(source)))
    return _last[1]


def copied(value: object) -> object:
    """A value of facts for a program, which may change it."""
    if isinstance(value, Hash):
        return value.map_values(copied)
    return [copied(one) for one in value] if isinstance(value, list) else value


def exported(path: str) -> list[str]:
    """The names of the nodes in a list of facts; none if a file is no such list.

    A file that cannot be read is no list of nodes either: what is wrong with it is told to whoever
    asks for the node that the file is called after.
    """
    if not is_list(path):
        return []
    try:
        return [*facts_in(path).named]
    except (Fault, Problem, RecursionError):
        return []
