"""``A..B`` over a repository: the nodes of each side, compared."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from headwater.ask.request import Request, find_language
from headwater.fleet.asking import NODE
from headwater.fleet.comparing import Comparison, compare
from headwater.fleet.config import Repository, find_repository
from headwater.fleet.kept import kept_for
from headwater.fleet.sides import Side, sides
from headwater.fleet.site import Site

Progress = Callable[[int, str], AbstractContextManager[Callable[[str], None] | None]]
"""Shows how far one is among so many; gives a function to call after each."""


def is_range(word: str) -> bool:
    """Whether a word means two revisions and no file."""
    return ".." in word.replace("../", "").replace("...", "") and not os.path.exists(word)


def difference(text: str, request: Request, progress: Progress) -> tuple[Side, Side, Comparison]:
    """What is different between two revisions of the repository around us.

    The request says what both sides share.  Raises `GitFailed`, `BadRequest`, `BadRepository`.
    """
    present = find_repository()
    with sides(os.curdir, text) as (one, other):
        with one.here():
            before = requests_here(request, present)
        with other.here():
            after = requests_here(request, present)
            language = find_language(next(iter([*after.values(), *before.values()]), request))
        with progress(len(before), "nodes") as done:
            here = os.path.abspath(os.curdir)
            kept = None if present is None else kept_for(present.root)
            found = compare(before, after, (one, other), language, here, done, kept)
        return one, other, found


def requests_here(request: Request, present: Repository | None) -> Mapping[str, Request]:
    """The nodes of a side, each with its request; without headwater.toml, what is given.

    A side from before there was a headwater.toml is asked as the `present` one says.
    """
    repository = find_repository() or present
    site = None if repository is None else Site(repository)
    given = request.inputs.get(NODE)
    if site is None:
        return {str(given or "the program"): request}
    inputs = {name: value for name, value in request.inputs.items() if name != NODE}
    shared = Request(
        lang=request.lang, dialect=request.dialect, engine=request.engine, inputs=inputs,
        options=request.options, texts=request.texts,
    )  # fmt: skip
    chosen = site.select([] if given is None else [str(given)], shared).names
    return {node: site.request(shared, node) for node in chosen}
