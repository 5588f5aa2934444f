"""The effect of edits that nobody has made; nothing on disk changes."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from headwater.ask.request import BadRequest, Request, find_language
from headwater.fleet.comparing import Comparison, compare
from headwater.fleet.config import find_repository
from headwater.fleet.difference import Progress, manner_of, requests_here
from headwater.fleet.edits import edited
from headwater.fleet.effective import Manner
from headwater.fleet.kept import kept_for
from headwater.fleet.overrides import with_facts
from headwater.fleet.sides import WORKING_TREE, Side
from headwater.text.standin import Edits

EDITED = "edited"


class Supposed(msgspec.Struct, frozen=True):
    """Edits, and facts by their paths."""

    edits: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    manner: Manner = Manner()


def what_if(
    supposed: Supposed, request: Request, progress: Progress
) -> tuple[Side, Side, Comparison]:
    """What edits of the working tree would do to all nodes.

    Raises `BadRequest`, `BadRepository`.
    """
    present = find_repository()
    before = requests_here(request, present)
    if not before:
        raise BadRequest("the repository has no nodes")
    language = find_language(next(iter(before.values())))
    one = Side(WORKING_TREE)
    edits = edited(supposed.edits, language)
    other = Side(EDITED, Edits(edits.files))
    other = with_facts(other, before, facts_in(supposed.facts), language)
    with other.here():
        after = requests_here(request, present)
    with progress(len(before), "nodes") as done:
        here = os.path.abspath(os.curdir)
        kept = None if present is None else kept_for(present.root)
        manner = manner_of(supposed.manner, present)
        found = compare(before, after, (one, other), language, here, done, kept, manner)
    found.doubts = [*edits.doubts, *found.doubts]
    return one, other, found


def facts_in(words: Sequence[str]) -> list[tuple[str, str]]:
    """The paths and values that words say, each ``PATH=VALUE``."""
    found = []
    for word in words:
        path, sign, value = word.partition("=")
        if not sign or not path:
            raise BadRequest(f"a fact is written PATH=VALUE, not {word}")
        found.append((path, value))
    return found
