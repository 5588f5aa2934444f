"""``A..B`` over a repository: the nodes of each side, compared."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

import msgspec

from headwater.ask.inputs import standing_in
from headwater.ask.request import BadRequest, Request, find_language
from headwater.fleet.asking import NODE
from headwater.fleet.comparing import Comparison, compare
from headwater.fleet.config import BadRepository, Repository, find_repository
from headwater.fleet.effective import Manner
from headwater.fleet.kept import kept_for
from headwater.fleet.overrides import NOTHING, Overrides, with_facts
from headwater.fleet.sides import WORKING_TREE, Side, sides
from headwater.fleet.site import Site
from headwater.langs import language_for

Progress = Callable[[int, str], AbstractContextManager[Callable[[str], None] | None]]
"""Shows how far one is among so many; gives a function to call after each."""


def is_range(word: str) -> bool:
    """Whether a word means two revisions and no file."""
    return ".." in word.replace("../", "") and not os.path.exists(word)


def revisions_of(word: str | None) -> str | None:
    """The revisions that one word means, or none: ``A..B``; ``A`` alone, against the working tree.

    No word means what is not committed.  A word that names a file, or could, means none.
    """
    if word is None:
        return "HEAD.."
    if is_range(word):
        return word
    return None if os.path.exists(word) or language_for(word) else f"{word}.."


NO_REPOSITORY = "there is no headwater.toml here or above; `headwater init` writes one"


class Asked(msgspec.Struct, frozen=True):
    """Two states to compare: revisions, what each side is given otherwise, and how."""

    revisions: str | None = None
    """``A..B``; without it both sides are the working tree."""
    one: Overrides = Overrides()
    other: Overrides = Overrides()
    manner: Manner = Manner()


def difference(asked: Asked, request: Request, progress: Progress) -> tuple[Side, Side, Comparison]:
    """What is different between two states of the repository around us.

    The request says what both sides share.  Raises `GitFailed`, `BadRequest`, `BadRepository`.
    """
    present = find_repository()
    label = _label(asked, request)
    with _sides(asked) as (one, other):
        present = present or _of_either(one, other)
        with one.here():
            before = requests_here(request, present, asked.one, label)
        with other.here():
            after = requests_here(request, present, asked.other, label)
            refuse_nobody([*before, *after], present)
            language = find_language(next(iter([*after.values(), *before.values()])))
        one = with_facts(one, before, asked.one.facts, language)
        other = with_facts(other, after, asked.other.facts, language)
        both = (_named(one, asked.one), _named(other, asked.other))
        with progress(len(before), "nodes") as done:
            here = os.path.abspath(os.curdir)
            kept = None if present is None else kept_for(present.root)
            manner = manner_of(asked.manner, present)
            found = compare(before, after, both, language, here, done, kept, manner)
        return *both, found


def _of_either(*both: Side) -> Repository | None:
    """The repository as a side describes it, where the working tree has no headwater.toml."""
    for side in both:
        with side.here():
            found = find_repository()
        if found is not None:
            return found
    return None


def refuse_nobody(nodes: Collection[str], present: Repository | None) -> None:
    """Says why there is no node to compare.  Raises `BadRequest`, `BadRepository`."""
    if nodes:
        return
    nobody = None if present is None else Site(present).without_nodes()
    if nobody is not None:
        raise BadRepository([nobody])
    raise BadRequest("neither side has any nodes")


def manner_of(given: Manner, repository: Repository | None) -> Manner:
    """How results are compared, with what headwater.toml says."""
    told = () if repository is None else repository.diff.ignore or ()
    return msgspec.structs.replace(given, ignore=(*told, *given.ignore))


@contextmanager
def _sides(asked: Asked) -> Iterator[tuple[Side, Side]]:
    if asked.revisions is None:
        yield Side(WORKING_TREE), Side(WORKING_TREE)
        return
    with sides(os.curdir, asked.revisions) as both:
        yield both


def _label(asked: Asked, request: Request) -> str | None:
    """What a pair of two nodes goes by; None if both sides are about the same nodes."""
    if asked.one.node is None and asked.other.node is None:
        return None
    given = request.inputs.get(NODE)
    names = [one.node or given for one in (asked.one, asked.other)]
    if None in names:
        raise BadRequest("the other side needs a node too: --from node=NAME --to node=NAME")
    return " / ".join(map(str, names))


def _named(side: Side, given: Overrides) -> Side:
    if given:
        side.name = f"{side.name} with {given}"
    return side


def requests_here(
    request: Request, present: Repository | None, given: Overrides = NOTHING,
    label: str | None = None,
) -> Mapping[str, Request]:  # fmt: skip
    """The nodes of a side, each with its request; without headwater.toml, what is given.

    A side from before there was a headwater.toml is asked as the `present` one says.  With a
    `label` it is one node, which goes by it: the other side may have another.
    """
    repository = find_repository() or present
    site = None if repository is None else Site(repository)
    asked = request.inputs.get(NODE)
    if site is None:
        if not ("env" in given.options or standing_in(request.inputs)):
            raise BadRequest(NO_REPOSITORY)
        name = str(asked or "the program")
        if "facts" in given.options:
            given = given.found(find_language(request), [name])
        return {name: given.request(request, name)}
    given = given.found(site.language, site.inventory.nodes)
    inputs = {name: value for name, value in request.inputs.items() if name != NODE}
    shared = Request(
        lang=request.lang, dialect=request.dialect, engine=request.engine, inputs=inputs,
        options=request.options, texts=request.texts,
    )  # fmt: skip
    if label is not None:
        name = site.node(str(given.node or asked))
        if not given.knows(name):
            raise BadRequest(f"there are no facts of {name} in {given.options['facts']}")
        return {label: site.request(given.request(shared, name), name)}
    chosen = site.select([] if asked is None else [str(asked)], shared).names
    return {
        node: site.request(given.request(shared, node), node)
        for node in chosen
        if given.knows(node)
    }
