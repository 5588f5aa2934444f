"""What a check of a repository finds."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.ask.request import Request
from headwater.fleet.check import Checked, check_site
from headwater.fleet.site import find_site


def checked(*words: str, rules: Sequence[str] = ()) -> Checked:
    """A check in this process."""
    site = find_site()
    assert site is not None
    return check_site(site, words, Request(), processes=1, rules=rules)


def told(found: Checked) -> list[tuple[str, str, list[str]]]:
    """Code, place and nodes of each problem."""
    return [
        (
            problem.diagnostic.code,
            str(problem.diagnostic.at).rpartition(":")[0],
            [name.partition(".")[0] for name in problem.nodes],
        )
        for problem in found.problems
    ]
