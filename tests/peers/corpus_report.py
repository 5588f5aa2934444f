"""What became of the corpus, counted, and its page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from peers.catalogs import difference
from peers.corpus import SEVEN, Answer, CorpusJob, Peer

NAMED = frozenset(["puppet-ruby-beyond", "puppet-ruby-title", "puppet-not-yet"])
"""The codes by which we refuse what Puppet compiles: each names the construct."""


@dataclass
class Tally:
    """Every job by how it came out."""

    jobs: int = 0
    identical: int = 0
    both_refuse: int = 0
    unloadable: int = 0
    """What Puppet refuses because it cannot load the Ruby of a type or its provider."""
    refused: Counter[str] = field(default_factory=Counter)
    """By construct: what Puppet compiles and we name as beyond us."""
    different: list[tuple[str, str]] = field(default_factory=list)
    accepted: list[tuple[str, str]] = field(default_factory=list)
    """What we compile and Puppet refuses."""
    modules: set[str] = field(default_factory=set)

    @property
    def compiled(self) -> int:
        """How many jobs Puppet compiles."""
        return self.identical + self.refused.total() + len(self.different)

    def add(self, job: CorpusJob, real: Answer, mine: Answer) -> None:
        """Counts one job."""
        self.jobs += 1
        self.modules.add(job.module)
        if cannot_load(real):
            self.unloadable += 1
            return
        match real["ok"], mine["ok"]:
            case True, True:
                found = difference(real, mine)
                if found is None:
                    self.identical += 1
                else:
                    self.different.append((job.id, found))
            case True, False:
                error = mine["error"]
                if error["code"] in NAMED:
                    self.refused[f"`{error['code']}` {error['message']}"] += 1
                else:
                    self.different.append((job.id, f"refused: {error}"))
            case False, True:
                self.accepted.append((job.id, real["error"]["message"]))
            case _:
                self.both_refuse += 1


def cannot_load(real: Answer) -> bool:
    """Whether Puppet broke on loading Ruby: that is no answer about the manifest."""
    return not real["ok"] and "Could not autoload" in real["error"]["message"]


def write_report(peer: Peer, tally: Tally) -> None:
    """Writes the page."""
    title, level = ("modules", 7) if peer is SEVEN else ("modules at level 8", 8)
    share = tally.identical / max(1, tally.compiled)
    lines = [
        f"# Puppet {title}: catalogs compared with real Puppet",
        "",
        "Written by `make laws` (tests/peers/test_puppet_corpus.py); do not edit.",
        "",
        "Every class of the modules that Debian packages, with values for the parameters that it",
        "needs, and every manifest of their `examples` folders, for three machines (Debian 12,",
        f"Ubuntu 22.04, RHEL 8), compiled at level {level} and by Puppet {peer.version} in one",
        "Ruby process. Compared are resources, parameters, tags, edges, classes and their order.",
        "",
        "| | jobs |",
        "|---|---|",
        f"| modules | {len(tally.modules)} |",
        f"| jobs | {tally.jobs:,} |",
        f"| Puppet compiles | {tally.compiled:,} |",
        f"| identical | {tally.identical:,} ({share:.2%}) |",
        f"| refused here, by name | {tally.refused.total():,} |",
        f"| different | {len(tally.different):,} |",
        f"| Puppet refuses | {tally.both_refuse + len(tally.accepted):,} |",
        f"| … and we do not | {len(tally.accepted):,} |",
        f"| Puppet cannot load the Ruby of a type or provider | {tally.unloadable:,} |",
        "",
        "## What is refused here, and Puppet compiles",
        "",
        "| construct | jobs |",
        "|---|---|",
        *(f"| {cell(why)} | {number:,} |" for why, number in tally.refused.most_common()),
        "",
        "## What differs",
        "",
        *(f"- {job}: {cell(why[:300])}" for job, why in [*tally.different, *tally.accepted]),
        *(["nothing"] if not tally.different and not tally.accepted else []),
    ]
    peer.page.write_text("\n".join(lines) + "\n")


def cell(text: str) -> str:
    """A text in a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
