"""What a language knows of repositories: the facet `HasNodes`, and what goes through it.

A repository holds programs, data, and the facts of nodes; a program is compiled for each node.
How that is laid out belongs to the language.  `fleet` finds the file headwater.toml, lists the
nodes and asks; it knows no language by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeAlias, runtime_checkable

import msgspec

from headwater.langs.protocol import Job, Outcome
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.reading import names_in

Keys: TypeAlias = AbstractSet[str]
"""Keys of data."""


FACT_FILES = (".json", ".yaml", ".yml")
"""How the names of files about nodes end."""


def fact_files(folder: str) -> Iterator[tuple[str, str]]:
    """The files of a folder that may be about nodes, each with the node it is called after."""
    for name in names_in(folder):
        node, ending = os.path.splitext(name)
        if ending in FACT_FILES and node and not name.startswith("."):
            yield node.lower(), os.path.join(folder, name)


class NodeFiles(msgspec.Struct, frozen=True):
    """Where the inventory has what is said of one node."""

    name: str
    facts: str | None = None
    """The file of its facts."""
    trusted: str | None = None
    """The file of its trusted data."""
    classes: object = None
    """What the table of classes says of it, as the language read it."""
    also: str | None = None
    """Another file that has facts of it; which of them count is not known then."""


class NodeAbout(msgspec.Struct, frozen=True):
    """What is known of a node before anything is compiled."""

    environment: str | None = None
    role: str | None = None
    role_from: str | None = None
    """In words, what tells the role."""
    gathered: float | None = None
    """When its facts were gathered, in seconds since 1970, where they tell it."""


class NodeChecked(msgspec.Struct, frozen=True):
    """The program of a node, compiled and looked at."""

    outcome: Outcome
    findings: tuple[Diagnostic, ...]
    """Everything that is doubtful or wrong, what the outcome tells included."""
    keys: frozenset[str] = frozenset()
    """The keys of data that were asked for."""


class Absent(msgspec.Struct, frozen=True):
    """A folder that is not there, and the path of the key that names it in its section."""

    key: tuple[str | int, ...]
    folder: str


class Found(msgspec.Struct, frozen=True):
    """What headwater.toml may say of a folder, and how that is known."""

    section: str
    key: str
    value: str | int | list[str]
    reason: str


class Surveyed(msgspec.Struct, frozen=True):
    """What a folder looks like, and what was looked for in vain."""

    found: tuple[Found, ...]
    missing: tuple[str, ...]


class Unusable(ValueError):
    """What is said of nodes cannot be used; has diagnostics that say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = diagnostics


@runtime_checkable
class HasNodes(Protocol):
    """A language whose programs are compiled for nodes.  Every method may raise `Unusable`."""

    def node_inputs(self, node: NodeFiles) -> dict[str, object]:
        """The inputs of a program for a node; files that they name are not read yet."""
        ...

    def nodes_named(self, path: str) -> Iterable[str]:
        """The names of the nodes that a file of facts is about, where it says that itself.

        None where it is about the one that it is called after.
        """
        ...

    def about_node(self, inputs: Any) -> NodeAbout:  # noqa: ANN401
        """What is known of a node from the inputs of its program."""
        ...

    def read_classes(self, source: Source) -> Mapping[str, object]:
        """What a table of classes says of each node."""
        ...

    def read_classified(self, source: Source) -> dict[str, object]:
        """The inputs that a classifier printed for a node."""
        ...

    def environments(self, section: Any, root: str) -> Mapping[str, str]:  # noqa: ANN401
        """The environments of a repository by name, each a folder that stands for a program."""
        ...

    def absent_folders(self, inputs: Any, environment: str) -> Iterable[Absent]:  # noqa: ANN401
        """Folders that inputs name for an environment, and that are not there."""
        ...

    def chooser(self, expression: str) -> Callable[[Any], bool]:
        """Whether the inputs of a node fit an expression over its facts."""
        ...

    def inside(self, folder: str, inputs: Any) -> msgspec.Struct:  # noqa: ANN401
        """The inputs for checking one file of a folder that is a program."""
        ...

    def survey(self, root: str) -> Surveyed:
        """What a folder looks like that shall be a repository."""
        ...

    def check_node(self, job: Job[Any]) -> NodeChecked:
        """The program of a node, compiled and looked at."""
        ...

    def check_environment(self, inputs: Any) -> Iterable[Diagnostic]:  # noqa: ANN401
        """What is doubtful about an environment as a whole, whatever its nodes are."""
        ...

    def unasked_data(self, inputs: Any, keys: Keys) -> Iterable[Diagnostic]:  # noqa: ANN401
        """The data of an environment that nobody asks for, where its nodes ask for `keys`."""
        ...
