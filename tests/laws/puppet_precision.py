"""How short and how telling the answers of Puppet's provenance are, counted.

Of each value: whether it says where it is written, and how much it depends on.  Of each literal in
manifests that a value lists: whether some change of it changes the value.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request
from headwater.langs.protocol import Causes
from headwater.text import Source
from headwater.tree import Address
from headwater.why import Label, depends, origins
from headwater.why.trace import CHOICE, OPERATION, Node, Trace

CONTROL = Path(__file__).resolve().parents[2] / "examples" / "control"
NODES = ("web1", "db1", "bastion1")
RELATIONS = frozenset(["require", "before", "notify", "subscribe"])
_TRIED = 2
"""Other literals that each is replaced by."""


def control(folder: Path, node: str) -> Compiled:
    """The catalog of a node of a control repository."""
    name = f"{node}.example.com"
    inputs = {"node": name, "facts_file": str(folder / "facts" / f"{name}.json")}
    return compile_request(Request(files=(str(folder),), inputs=inputs))


@dataclass
class Count:
    """What was counted of some values."""

    values: int = 0
    computed: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, compiled: Compiled) -> None:
        """Counts all values of a catalog."""
        result, causes = compiled.outcome.result, compiled.outcome.causes
        assert result is not None, compiled.outcome.errors
        assert causes is not None
        for address, _ in result.walk():
            node = causes.of(address)
            listed = depends(causes.trace, node)
            self.values += 1
            self.sizes.append(len(listed))
            self.kinds.update(label.kind for label in listed)
            if not origins(causes.trace, node):
                self.computed[_made_by(causes.trace, node)] += 1

    @property
    def share_computed(self) -> float:
        """How many values are not written anywhere."""
        return self.computed.total() / max(1, self.values)

    @property
    def median(self) -> float:
        """How much half of the values depend on at most."""
        return median(self.sizes)


def _made_by(trace: Trace, node: Node) -> str:
    at = trace.giver(node)
    while trace.tags[at] == CHOICE:
        at = trace.giver(Node(trace.left[at]))
    return trace.names[trace.left[at]] if trace.tags[at] == OPERATION else "nothing"


# -- literals, changed ---------------------------------------------------------------------------


@dataclass
class Confirmed:
    """Listed literals: how many there are, and how many some change of shows."""

    plain: Counter[bool] = field(default_factory=Counter)
    relations: Counter[bool] = field(default_factory=Counter)
    untried: int = 0

    @property
    def share(self) -> float:
        """How many of the literals that values list are confirmed, relationships apart."""
        return self.plain[True] / max(1, self.plain.total())


def confirm(folder: Path, node: str, found: Confirmed, most: int | None = None) -> None:
    """Changes each literal of a repository's manifests that some value lists."""
    compiled = control(folder, node)
    before, causes = _values(compiled), compiled.outcome.causes
    assert causes is not None
    listing = _listing(causes, before)
    for label in sorted(listing, key=lambda label: label.order)[:most]:
        runs = list(_changed_runs(folder, node, label))
        if not runs:
            found.untried += len(listing[label])
            continue
        for address in listing[label]:
            hit = any(after.get(address, _GONE) != before[address] for after in runs)
            (found.relations if address[1] in RELATIONS else found.plain)[hit] += 1


_GONE = object()


def _values(compiled: Compiled) -> dict[Address, Any]:
    result = compiled.outcome.result
    return {} if result is None else dict(result.walk())


def _listing(causes: Causes, values: dict[Address, Any]) -> dict[Label, list[Address]]:
    """The literals of manifests, each with the values that list it."""
    found: dict[Label, list[Address]] = {}
    for address in values:
        for label in depends(causes.trace, causes.of(address)):
            if label.kind == "literal" and label.at.source.name.endswith(".pp"):
                found.setdefault(label, []).append(address)
    return found


def _changed_runs(folder: Path, node: str, label: Label) -> Iterator[dict[Address, Any]]:
    """The values with another literal in its place, for those that are accepted."""
    path = Path(label.at.source.name)
    old = path.read_text()
    for new in _others(label.at.text)[:_TRIED]:
        path.write_text(old[: label.at.start] + new + old[label.at.end :])
        values = _values(control(folder, node))
        if values:
            yield values
    path.write_text(old)


def _others(text: str) -> list[str]:
    """Other literals of the kind."""
    if text in ("true", "false"):
        return ["false" if text == "true" else "true"]
    if text.isdigit():
        return [f"{text}1", f"{text}0"]
    if text[:1] in "'\"":
        return [f"{text[:-1]}x{text[-1]}", f"{text[0]}x{text[1:]}"]
    return [f"{text}x", f"x{text}"]


def copied(folder: Path) -> Path:
    """A copy of the control repository, to be edited."""
    return Path(shutil.copytree(CONTROL, folder / "control"))


def class_of_debian(code: str, inputs: dict[str, Any]) -> Compiled:
    """The catalog of a piece of program with Debian's modules."""
    source = Source.of_text("code.pp", code)
    return compile_request(Request(sources=(source,), lang="puppet", inputs=inputs))
