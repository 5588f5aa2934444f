"""The effect of edits that nobody has made; nothing on disk changes."""

from __future__ import annotations

import os
from collections.abc import Sequence

from headwater.ask.request import BadRequest, Request, find_language
from headwater.fleet.comparing import Comparison, compare
from headwater.fleet.config import find_repository
from headwater.fleet.difference import Progress, requests_here
from headwater.fleet.edits import edited
from headwater.fleet.kept import kept_for
from headwater.fleet.sides import WORKING_TREE, Side
from headwater.text.standin import Edits


def what_if(
    texts: Sequence[str], request: Request, progress: Progress
) -> tuple[Side, Side, Comparison]:
    """What edits of the working tree would do to all nodes.

    Raises `BadRequest`, `BadRepository`.
    """
    present = find_repository()
    before = requests_here(request, present)
    if not before:
        raise BadRequest("the repository has no nodes")
    language = find_language(next(iter(before.values())))
    one, other = Side(WORKING_TREE), Side("edited", Edits(edited(texts, language)))
    with other.here():
        after = requests_here(request, present)
    with progress(len(before), "nodes") as done:
        here = os.path.abspath(os.curdir)
        kept = None if present is None else kept_for(present.root)
        found = compare(before, after, (one, other), language, here, done, kept)
    return one, other, found
