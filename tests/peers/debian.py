"""Every class of Debian's modules, compiled by us and by real Puppet, compared piece by piece.

Functions and templates in Ruby are opaque to us, and what hangs on them is not compared: our
catalog says of each value whether it is known, marks what may be there or not, and says of
which types there may be more resources (`peers.plain`); a refusal raised by what hangs on an
unknown value is not compared either.  All the rest must be equal; what is not is listed with
its cause.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.langs import language_named
from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.syntax import ast, parse
from headwater.text import Source
from peers.catalogs import FACTS, SERVER
from peers.plain import pieces

MODULES = Path("/usr/share/puppet/modules")
_PLACE = re.compile(r"\(file: ([^,()]+), line: (\d+)")
_MISSING = re.compile(r"Could not find resource '(.*?)' ")
_UNKNOWN = re.compile(
    r"the value of (.*) is not known here|what happens here depends on (.*), which is not known"
    r"|this would be refused (?s:.*), if (.*) led here"
)
Answer = dict[str, Any]


def classes() -> dict[str, list[str]]:
    """The classes that the installed modules define, by module, smaller files first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for path in sorted(MODULES.glob("*/manifests/**/*.pp")):
        text = path.read_text("utf-8", "replace")
        module = path.relative_to(MODULES).parts[0]
        for node in parse(Source.of_text(str(path), text)).program.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(module, []).append((len(text), node.name.lower()))
    return {module: [name for _, name in sorted(names)] for module, names in found.items()}


def compiled(name: str) -> Outcome:
    """Our outcome for ``include CLASS``."""
    inputs = Fields(
        facts=FACTS, settings=dict(SERVER), modulepath=str(MODULES), on_unknown="opaque",
        puppet=7,
    )  # fmt: skip
    job = Job((Source.of_text("code.pp", f"include {name}\n"),), inputs)
    return language_named("puppet").compile(job)


@dataclass
class Tally:
    """What was compared, and how it came out."""

    jobs: int = 0
    refusals: int = 0
    pieces: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)
    opaque: Counter[str] = field(default_factory=Counter)
    differences: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, kind: str, good: bool, unknown: str | None, where: tuple[str, str, str]) -> None:
        """Counts one piece."""
        self.pieces[kind] += 1
        if unknown is not None:
            self.opaque[unknown] += 1
            return
        self.compared[kind] += 1
        if good:
            self.equal[kind] += 1
        else:
            self.differences.append(where)

    @property
    def share_compared(self) -> float:
        return self.compared.total() / max(1, self.pieces.total())

    @property
    def share_equal(self) -> float:
        return self.equal.total() / max(1, self.compared.total())


class Sites:
    """The pieces of program that hang on values we do not know: our warnings say where."""

    def __init__(self, outcome: Outcome) -> None:
        found = ((d.at, _UNKNOWN.match(d.message)) for d in outcome.diagnostics)
        self.spans = [(at, text[text.lastindex or 0]) for at, text in found if text is not None]

    def at(self, file: str, line: int) -> str | None:
        """The unknown value that decides what a line does."""
        for span, why in self.spans:
            if span.source.name == file and span.first.line <= line <= span.last.line:
                return why
        return None

    def of_message(self, message: str) -> str | None:
        """The unknown value behind a refusal of Puppet's, by the places it names."""
        missing = _MISSING.search(message)
        if missing is not None:
            wanted = f"whether {missing[1]} is there"
            return next((why for _, why in self.spans if why == wanted), None)
        for file, line in _PLACE.findall(message):
            why = self.at(file, int(line))
            if why is not None:
                return why
        return None


def compare(tally: Tally, name: str, real: Answer, outcome: Outcome, sites: Sites) -> None:
    """Adds the comparison of one class."""
    tally.jobs += 1
    if real["ok"] and outcome.result is not None:
        own: Any = outcome.result.plain()
        for piece in pieces(real["catalog"], own):
            where = (name, piece.name, piece.fault or "")
            tally.add(piece.kind, piece.fault is None, piece.unknown, where)
        return
    tally.refusals += 1
    if outcome.result is not None:
        message = real["error"]["message"]
        tally.add("refusal", False, sites.of_message(message), (name, "accepted", message))
        return
    error = outcome.errors[0]
    place = f"{error.at.source.name}:{error.at.first.line}: {error.message}"
    undecided = sites.at(error.at.source.name, error.at.first.line)
    if real["ok"]:
        tally.add("refusal", False, undecided, (name, "refused", place))
        return
    message, line = real["error"]["message"], real["error"].get("line")
    in_ruby = error.at.source.name.endswith((".rb", ".erb"))
    good = not line or in_ruby or line == error.at.first.line
    unknown = None if good else sites.of_message(message) or undecided
    tally.add("refusal", good, unknown, (name, f"refused at {place}", message))


def run(names: Iterable[str], answers: Iterable[Answer]) -> Tally:
    """Compares every class named with the answer of real Puppet."""
    tally = Tally()
    for name, real in zip(names, answers, strict=True):
        outcome = compiled(name)
        compare(tally, name, real, outcome, Sites(outcome))
    return tally


CAUSES = (
    (
        re.compile(r"Apache::Vhost\[.*\]\.scriptaliases"),
        "the template apache/vhost/_scriptalias.erb appends to the array it is given, and so "
        "changes a parameter of the resource after it was set",
    ),
)
"""What is known to differ, with the cause; the rest has none and fails the test."""


def cause_of(difference: tuple[str, str, str]) -> str | None:
    """Why something differs, as far as it is known."""
    return next((why for pattern, why in CAUSES if pattern.match(difference[1])), None)


def unexplained(tally: Tally) -> list[tuple[str, str, str]]:
    """The differences that have no known cause."""
    return [difference for difference in tally.differences if cause_of(difference) is None]
