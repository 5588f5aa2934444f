"""A repository at work: its language, its environments and its nodes, and requests about them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property

import msgspec
from msgspec.structs import replace

from headwater.ask.request import BadRequest, Request, inputs_of
from headwater.fleet.config import BadRepository, Repository, find_repository, keyed_fields
from headwater.fleet.inventory import Inventory, inventory, told_at
from headwater.langs import Language, language_named
from headwater.langs.fields import fields_of
from headwater.langs.repositories import FACT_FILES, HasNodes, NodeAbout, NodeFiles, Unusable
from headwater.langs.repository_codes import (
    NO_NODES,
    NODE_ENVIRONMENT,
    NODE_SKIPPED,
    NODE_TWICE,
    NODE_UNDECIDED,
    REPOSITORY_PATH,
    REPOSITORY_PROGRAM,
    REPOSITORY_VALUE,
)
from headwater.report import Diagnostic, nearest
from headwater.text import Source
from headwater.text.paths import near
from headwater.text.reading import is_folder

SHOWN = 20
"""So many names of nodes are listed where one has to be chosen."""


class Site:
    """What can be asked of a repository."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.language: Language = language_named(repository.language)
        assert isinstance(self.language, HasNodes)
        self.having: HasNodes = self.language
        self.env = next(f.name for f in fields_of(self.language.takes.program) if f.about.stands_in)
        """The input that is the folder of an environment."""

    @cached_property
    def inventory(self) -> Inventory:
        """Its nodes.  Raises `BadRepository`."""
        return inventory(self.repository, self.having)

    @cached_property
    def environments(self) -> Mapping[str, str]:
        """The folders of its environments by name.  Raises `BadRepository`."""
        repository = self.repository
        one = repository.inputs.get(self.env)
        if isinstance(one, str):
            if self._many_environments:
                at = repository.text.value((repository.language, "environment"))
                wanted = "left out where there is environments"
                told = REPOSITORY_VALUE.at(
                    at, name="environment", expected=wanted, value=f'"{one}"'
                )
                raise BadRepository([told])
            return {os.path.basename(os.path.abspath(one)): one}
        with told_at(repository, repository.language, "environments"):
            found = self.having.environments(repository.section, repository.root)
        if not found:
            at = repository.text.source.span(0, 0)
            raise BadRepository([REPOSITORY_PROGRAM.at(at, root=near(repository.root))])
        return found

    # -- one node --------------------------------------------------------------------------------

    def node(self, word: str) -> str:
        """The node that a name means.  Raises `BadRequest`, which names the nodes."""
        found = self.inventory.named(word)
        if len(found) == 1:
            return found[0]
        if found:
            raise BadRequest(f"{word} may be any of {listed(found)}")
        close = nearest(word.lower(), self._known_words())
        hint = f"did you mean {close}? " if close else ""
        raise BadRequest(f"no node or file is called {word}; {hint}{self._choices()}")

    def only_node(self) -> str:
        """The node that is meant where none is named.  Raises `BadRequest`."""
        if len(self.inventory.nodes) == 1:
            return self.inventory.names[0]
        raise BadRequest(f"which node? {self._choices()}")

    def _known_words(self) -> list[str]:
        names = self.inventory.names
        return [*names, *(name.partition(".")[0] for name in names)]

    def _choices(self) -> str:
        names = self.inventory.names
        return f"the nodes are {listed(names)}" if names else "the repository has no nodes"

    def without_nodes(self) -> Diagnostic | None:
        """Why the repository has no nodes, if it has none.  Raises `BadRepository`."""
        if self.inventory.nodes:
            return None
        text, nodes = self.repository.text, self.repository.nodes
        if nodes.facts is None:
            help = 'facts = "FOLDER" in [nodes] names the folder with the facts of nodes'
            reason = "headwater.toml names no folder of facts"
            return NO_NODES.at(text.source.span(0, 0), reason=reason, help=help)
        known = ", ".join(FACT_FILES)
        reason = f"no file in {near(nodes.facts)} ends in {known}"
        return NO_NODES.at(text.value(("nodes", "facts")), reason=reason)

    # -- requests --------------------------------------------------------------------------------

    def request(self, request: Request, node: str | None, file: str | None = None) -> Request:
        """A request about the program of a node, or with no node about the program alone.

        With a file it is about that, in the environment that the file is in.  What the request
        says itself wins.  Raises `BadRepository` and `BadRequest`.
        """
        made = self.apart(request, node)
        given = made.inputs.get(self.env) or (file and self._around(file))
        folder = self._environment(made, node) if given is None else self._folder(str(given))
        return replace(made, inputs={**made.inputs, self.env: folder})

    def apart(self, request: Request, node: str | None) -> Request:
        """The same whatever the environment.  Raises `BadRepository`."""
        inputs: dict[str, object] = {**self.settings(request.inputs)}
        known = None if node is None else self.inventory.nodes.get(node)
        if known is not None:
            if known.also is not None and not _given(request, "facts_file"):
                raise BadRepository([_twice(known)])
            own = self._usable(lambda: self.having.node_inputs(known))
            inputs |= {name: own[name] for name in own if not _given(request, name)}
        inputs |= request.inputs
        made = replace(request, lang=request.lang or self.repository.language, inputs=inputs)
        try:
            return made.classified(self.language)
        except Unusable as why:
            raise BadRepository(why.diagnostics) from None

    def settings(self, said: Mapping[str, object]) -> dict[str, object]:
        """What the file says to all programs, but for what a command line says instead."""
        keys = self.repository.text.document.get(self.repository.language, {})
        shadowed = {name for name in keys if name in said}
        fields = keyed_fields(self.repository.language)
        hidden = {field.name for key, field in fields if key in shadowed}
        return {n: v for n, v in self.repository.inputs.items() if n not in hidden}

    def _usable(self, make: Callable[[], dict[str, object]]) -> dict[str, object]:
        try:
            return make()
        except Unusable as why:
            raise BadRepository(why.diagnostics) from None

    def about(self, request: Request) -> NodeAbout:
        """What is known of the node of a request.  Raises `BadRepository`."""
        try:
            return self.having.about_node(inputs_of(request, self.language))
        except Unusable as why:
            raise BadRepository(why.diagnostics) from None

    def _around(self, file: str) -> str | None:
        """The environment that a file is in; the innermost, if they lie in each other."""
        path = os.path.abspath(file)
        around = [
            folder
            for folder in self.environments.values()
            if path == os.path.abspath(folder)
            or path.startswith(os.path.join(os.path.abspath(folder), ""))
        ]
        return max(around, key=lambda folder: len(os.path.abspath(folder)), default=None)

    def _folder(self, env: str) -> str:
        """The folder of an environment that goes by its name or its path."""
        return env if is_folder(env) else self.environments.get(env, env)

    def _environment(self, request: Request, node: str | None) -> str:
        """The folder of a node's environment.  Raises `BadRequest` and `BadRepository`."""
        known = self.environments
        if len(known) == 1 and not self._many_environments:
            return next(iter(known.values()))
        wanted = self.about(request).environment if node is not None else None
        if wanted is None and "production" in known:
            return known["production"]
        if wanted is None and len(known) == 1:
            return next(iter(known.values()))
        if wanted is None:
            raise BadRequest(f"which environment? --env is one of {listed(list(known))}")
        if wanted not in known:
            at = self.repository.text.value((self.repository.language, "environments"))
            help = f"there are {listed(list(known))}"
            raise BadRepository([NODE_ENVIRONMENT.at(at, node=node, environment=wanted, help=help)])
        return known[wanted]

    @property
    def _many_environments(self) -> bool:
        section = self.repository.section
        return any(getattr(section, name) is not None for name in section.__struct_fields__)

    # -- sets of nodes ---------------------------------------------------------------------------

    def select(self, words: Sequence[str], request: Request) -> Selected:
        """The nodes that words mean: names, globs, expressions over facts; none means all.

        A node whose facts an expression cannot be asked about is left out and told.  Raises
        `BadRequest` and `BadRepository`.
        """
        if not words:
            return Selected(tuple(self.inventory.names))
        found: dict[str, None] = {}
        skipped: list[Diagnostic] = []
        for word in words:
            if is_expression(word):
                left_out = len(skipped)
                hits = [*self._fitting(word, request, skipped)]
                if not hits and left_out == len(skipped):
                    raise BadRequest(f"no node fits {word}; {self._choices()}")
                found |= dict.fromkeys(hits)
            elif any(sign in word for sign in "*?["):
                hits = [n for n in self.inventory.names if fnmatchcase(n, word.lower())]
                if not hits:
                    raise BadRequest(f"no node fits {word}; {self._choices()}")
                found |= dict.fromkeys(hits)
            else:
                found[self.node(word)] = None
        return Selected(tuple(n for n in self.inventory.names if n in found), tuple(skipped))

    def _fitting(
        self, expression: str, request: Request, skipped: list[Diagnostic]
    ) -> Iterator[str]:
        try:
            fits = self.having.chooser(expression)
        except Unusable as why:
            raise BadRepository(why.diagnostics) from None
        for name in self.inventory.names:
            try:
                one = inputs_of(self.apart(request, name), self.language)
            except BadRepository as bad:
                skipped.append(self.skipped(name, bad.diagnostics))
                continue
            try:
                if fits(one):
                    yield name
            except Unusable as why:
                skipped.append(self.skipped(name, why.diagnostics))

    def skipped(self, node: str, reasons: Iterable[Diagnostic]) -> Diagnostic:
        """The warning that a node is left out, with the reasons."""
        first = next(iter(reasons))
        return NODE_SKIPPED.at(first.at, node=node, reason=first.message)

    def left_out(self, node: str, bad: BadRepository | BadRequest) -> Diagnostic:
        """Why a node cannot be asked among others; what all have in common names no node."""
        if isinstance(bad, BadRepository):
            return self.skipped(node, bad.diagnostics)
        at = self.repository.text.value((self.repository.language, "environments"))
        return NODE_UNDECIDED.at(at, reason=str(bad))

    def missing_folders(self) -> list[Diagnostic]:
        """The folders of the file that are not there although nothing else fails for it."""
        language = self.repository.language
        found = []
        for folder in self.environments.values():
            inputs = inputs_of(Request(lang=language, inputs=self.repository.inputs), self.language)
            for absent in self.having.absent_folders(inputs, folder):
                key, path = absent.key, absent.folder
                at = self.repository.text.value((language, *key))
                found.append(
                    REPOSITORY_PATH.at(at, name=key[0], kind="folder", path=path,
                                       severity="warning")
                )  # fmt: skip
        return found


class Selected(msgspec.Struct, frozen=True):
    """The nodes of a set, and those that could not be asked."""

    names: tuple[str, ...]
    skipped: tuple[Diagnostic, ...] = ()


def is_expression(word: str) -> bool:
    """Whether a word is an expression over facts: no name and no glob has a variable."""
    return "$" in word


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first of many."""
    shown = ", ".join(names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def _twice(node: NodeFiles) -> Diagnostic:
    """The error that two files have facts of a node."""
    one, other = near(node.facts or ""), near(node.also or "")
    return NODE_TWICE.at(Source(one, "").span(0, 0), node=node.name, one=one, other=other)


def _given(request: Request, name: str) -> bool:
    """Whether a request itself says what a node's own input would say."""
    return name in request.inputs or any(
        f"{other}_file" == name or other == f"{name}_file" for other in request.inputs
    )


def find_site(folder: str = ".") -> Site | None:
    """The repository around a folder, if there is one.  Raises `BadRepository`."""
    repository = find_repository(folder)
    return None if repository is None else Site(repository)
