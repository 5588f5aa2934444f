"""The sides of a comparison: a revision of a repository, or its files as they lie there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from headwater.git.command import GitFailed
from headwater.git.objects import Objects
from headwater.git.revision import Revision, commit_of, top_of
from headwater.text.moment import Seen, at_one_moment
from headwater.text.reading import standing_in
from headwater.text.standin import StandIn


class Side:
    """Files that are read in place of those of the disk; without any, the disk itself."""

    def __init__(self, name: str, files: StandIn | None = None) -> None:
        self.name = name
        self.files = files
        self.top = files.top if isinstance(files, Revision) else None
        """The top of the repository of a revision."""
        self.commit = files.commit if isinstance(files, Revision) else None
        self._seen = Seen()

    @contextmanager
    def here(self) -> Iterator[None]:
        """What is read meanwhile is of this side."""
        if self.files is None:
            yield
            return
        with standing_in(self.files), at_one_moment(self._seen):
            yield


WORKING_TREE = "the working tree"


@contextmanager
def sides(folder: str, text: str) -> Iterator[tuple[Side, Side]]:
    """The sides that ``A..B`` means; an empty B is the working tree, an empty A is HEAD.

    Raises `GitFailed`.
    """
    if "..." in text:
        one, _, other = text.partition("...")
        base = f"$(git merge-base {one or 'HEAD'} {other or 'HEAD'})"
        raise GitFailed(f'{text} has three dots; from where they parted it is "{base}..{other}"')
    one, _, other = text.partition("..")
    top = top_of(folder)
    with Objects(top) as objects:

        def side(name: str) -> Side:
            return Side(name, Revision(top, commit_of(top, name), objects))

        yield side(one or "HEAD"), side(other) if other else Side(WORKING_TREE)
