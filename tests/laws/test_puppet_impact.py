"""Asked the other way round: a line that has an effect lists what it has an effect on.

I2  what an edit of a line changes is among what `impact` of that line lists; values come or go
    only where it says that they may.  A name that a file lacks is listed at its end
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from headwater.ask.compile import Compiled
from headwater.ask.impact import Affected, impact
from headwater.langs.protocol import Outcome
from headwater.langs.table import language_named
from headwater.tree import Address
from laws.profile import examples
from laws.puppet_edits import outputs
from laws.puppet_tree_edits import edits_of
from laws.puppet_trees import Edit, Folder, Tree, examples_in, taken_apart
from laws.strategies.puppet_pairs import PIECES, meeting

EXAMPLES = examples_in(Path(__file__).with_name("puppet_trees.txt"))


def unlisted(
    folder: Folder, tree: Tree, edits: list[Edit]
) -> Iterator[tuple[Edit, Address] | None]:
    """What an edit changes that its lines do not list; None after each edit that is accepted."""
    first = folder.compiled(tree)
    if first.result is None:
        return
    before = outputs(first)
    listed = Lines(folder, tree, first)
    for edit in edits:
        after = folder.compiled(edit.applied(tree))
        if after.result is None:
            continue
        now = outputs(after)
        folder.write(tree)
        changed = {a for a, value in before.items() if a in now and repr(now[a]) != repr(value)}
        lines = listed.of(edit)
        yield from ((edit, one) for one in changed if not any(one in x.parts for x in lines))
        if now.keys() != before.keys() and not any(x.output for x in lines):
            yield edit, ()
        yield None


class Lines:
    """What the lines of a tree list."""

    def __init__(self, folder: Folder, tree: Tree, first: Outcome) -> None:
        self._folder, self._tree = folder, tree
        self._compiled = Compiled(language_named("puppet"), first)
        self._known: dict[tuple[str, int], Affected] = {}

    def of(self, edit: Edit) -> list[Affected]:
        """What the lines list that an edit changes."""
        text = self._tree[edit.path]
        start, end = edit.entry or (edit.start, edit.end)
        lines = range(text.count("\n", 0, start) + 1, text.count("\n", 0, end - 1) + 2)
        named = edit.entry is not None or ":" in (edit.new or "")
        new_name = edit.path.endswith(".yaml") and named
        at_end = [text.count("\n") + 1] if new_name else []
        return [self._of(edit.path, line) for line in [*lines, *at_end]]

    def _of(self, path: str, line: int) -> Affected:
        if (path, line) not in self._known:
            found = impact(self._compiled, str(self._folder.at / path), line)
            assert isinstance(found, Affected), found
            self._known[path, line] = found
        return self._known[path, line]


def replaces(edit: Edit) -> bool:
    """Whether an edit is of something that stands on a line."""
    return not edit.whole and edit.start < edit.end


@pytest.mark.parametrize("name", EXAMPLES)
def test_i2_an_edit_of_a_distant_piece(name: str, tmp_path: Path) -> None:
    tree, edit = taken_apart(EXAMPLES[name])
    if replaces(edit):
        assert [one for one in unlisted(Folder(tmp_path), tree, [edit]) if one] == []


def test_i2_edits_where_constructs_meet(tmp_path: Path) -> None:
    folder, tried, wanted = Folder(tmp_path), 0, examples(300, 10_000)
    for seed in count(77_000_000):
        random = Random(seed)
        tree = meeting([random.choice(PIECES) for _ in range(2)], random)
        if folder.compiled(tree).result is None:
            continue
        edits = [edit for edit in edits_of(tree, random) if replaces(edit)]
        for found in unlisted(folder, tree, random.sample(edits, min(25, len(edits)))):
            assert found is None, (found, tree["manifests/site.pp"])
            tried += 1
        if tried >= wanted:
            break
