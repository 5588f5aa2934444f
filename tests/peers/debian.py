"""Every class of Debian's modules, compiled by us and by real Puppet, compared piece by piece.

Functions and templates in Ruby are opaque to us, and what depends on them is not compared:
a parameter or a resource whose trace holds an unknown input, one that differs because of
something unknown that did not happen, a resource that a piece of program would have
declared which hangs on an unknown value, a refusal raised there.  All
the rest must be equal; what is not is listed with its cause.
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
from headwater.langs.puppet.addresses import reference
from headwater.langs.puppet.syntax import ast, parse
from headwater.langs.puppet.why.causes import CatalogCauses
from headwater.langs.puppet.why.replay import Replay
from headwater.text import Source
from headwater.why import NOTHING, depends
from peers.catalogs import FACTS, SERVER, same

MODULES = Path("/usr/share/puppet/modules")
_PLACE = re.compile(r"\(file: ([^,()]+), line: (\d+)")
_MISSING = re.compile(r"Could not find resource '(.*?)' ")
_UNKNOWN = re.compile(
    r"the value of (.*) is not known here|what happens here depends on (.*), which is not known"
)
_RELATIONS = ("before", "notify", "require", "subscribe")
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
    inputs = {
        "facts": FACTS, "settings": SERVER, "modulepath": str(MODULES), "on_unknown": "opaque",
    }  # fmt: skip
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
        self.spans = [(at, text[1] or text[2]) for at, text in found if text is not None]

    def __bool__(self) -> bool:
        return bool(self.spans)

    def at(self, file: str, line: int) -> str | None:
        """The unknown value that decides what a line does."""
        for span, why in self.spans:
            if span.source.name == file and span.first.line <= line <= span.last.line:
                return why
        return None

    def in_file(self, file: str) -> str | None:
        """The unknown value that decides what a template says."""
        return next((why for span, why in self.spans if span.source.name == file), None)

    def naming(self, name: str) -> str | None:
        """The unknown value that decides whether a class is declared, by the text around it."""
        wanted = re.compile(rf"(?<![\w:])(?:::)?{re.escape(name)}(?!\w|::)", re.IGNORECASE)
        return next((why for span, why in self.spans if wanted.search(span.text)), None)

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
        _Catalogs(tally, name, real["catalog"], outcome, sites).compare()
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
    good = not line or line == error.at.first.line
    unknown = None if good else sites.of_message(message) or undecided
    tally.add("refusal", good, unknown, (name, f"refused at {place}", message))


class _Nothing:
    """In the place of all that did not happen: it caused nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_: NOTHING


def _narrow(outcome: Outcome) -> CatalogCauses:
    """The causes of what did happen alone: with the rest nearly all hangs on something unknown.

    What differs may do so because of what did not happen; for that the whole D+ is asked.
    """
    causes: Any = outcome.causes
    result: Any = outcome.result
    narrow = CatalogCauses(causes.compiler, result)
    replay: Any = Replay(causes.compiler)
    replay.absences = _Nothing()
    replay.running.find_witnesses()
    narrow._replay = replay
    return narrow


class _Catalogs:
    """Two catalogs of one class."""

    def __init__(
        self, tally: Tally, name: str, real: Answer, outcome: Outcome, sites: Sites
    ) -> None:
        assert outcome.result is not None
        self.tally, self.name, self.sites = tally, name, sites
        self.causes = outcome.causes
        self.narrow = None if self.causes is None or not sites else _narrow(outcome)
        own: Any = outcome.result.plain()
        self.theirs = {_ref(r): r for r in real["resources"]}
        self.ours = {_ref(r): r for r in own["resources"]}
        self.their_edges = [(e["source"], e["target"]) for e in real["edges"]]
        self.our_edges = [(e["source"], e["target"]) for e in own["edges"]]
        self.inside = {target: source for source, target in self.their_edges}
        self.unknown: dict[str, str | None] = {}

    def compare(self) -> None:
        """Resources, their parameters, then edges."""
        for ref in {**self.theirs, **self.ours}:
            mine, real = self.ours.get(ref), self.theirs.get(ref)
            if mine is None or real is None:
                unknown = self._missing(ref) if mine is None else self._why(mine, (), bad=True)
                self.unknown[ref] = unknown
                what = "missing" if mine is None else "extra"
                self.tally.add("resource", False, unknown, (self.name, what, ref))
            else:
                self._resource(ref, real, mine)
        both = set(self.their_edges) & set(self.our_edges)
        for edge in {**dict.fromkeys(self.their_edges), **dict.fromkeys(self.our_edges)}:
            ends = (self.unknown.get(ref) for ref in edge)
            unknown = next((why for why in ends if why is not None), None)
            self.tally.add("edge", edge in both, unknown, (self.name, "edge", " → ".join(edge)))

    def _resource(self, ref: str, real: Answer, mine: Answer) -> None:
        plain, own = ({k: v for k, v in r.items() if k != "parameters"} for r in (real, mine))
        good = same(plain, own)
        unknown = self._why(mine, (), bad=not good)
        if unknown is None and not good and "tag" in mine.get("parameters", {}):
            unknown = self._why(mine, ("tag",), bad=True)
        self.unknown[ref] = unknown
        parts = [f"{k}: {own.get(k)} instead of {v}" for k, v in plain.items() if own.get(k) != v]
        self.tally.add("resource", good, unknown, (self.name, ref, "; ".join(parts)))
        given, got = real.get("parameters", {}), mine.get("parameters", {})
        for name in {**given, **got}:
            good = name in given and name in got and same(given[name], got[name])
            why = unknown or self._why(mine, (name,), bad=not good)
            if why is None and not good:
                why = self._unknown_ends(name, given.get(name), got.get(name))
            shown = f"{got.get(name)!r} instead of {given.get(name)!r}"
            self.tally.add("parameter", good, why, (self.name, f"{ref}.{name}", shown))

    def _why(self, resource: Answer, rest: tuple[str, ...], *, bad: bool) -> str | None:
        """The unknown input in the trace of something of ours."""
        if not self.sites or self.causes is None:
            return None
        address = (reference(resource["type"], resource["title"]), *rest)
        value = resource.get("parameters", {}).get(rest[0]) if rest else None
        if "Headwater::Opaque" in str(value):
            return "a value that holds an unknown one"
        assert self.narrow is not None
        for label in depends(self.narrow.trace, self.narrow.of(address)):
            if label.kind == "unknown":
                return label.text
        if not bad:
            return None
        found = depends(self.causes.trace, self.causes.of(address))
        asked = None
        for label in found:
            if label.kind == "unknown":
                return label.text
            if label.kind == "query":
                asked = f"{label.text} of what may be declared elsewhere"
            if label.kind == "file":
                asked = asked or self.sites.in_file(label.at.source.name)
        if asked is not None:
            return asked
        if resource.get("line"):
            return self.sites.at(resource["file"], resource["line"])
        return None

    def _missing(self, ref: str) -> str | None:
        """The unknown value because of which a resource of Puppet's is not in our catalog."""
        at = ref
        while self.inside.get(at) is not None and self.inside[at] not in self.ours:
            at = self.inside[at]
        real = self.theirs.get(at)
        if real is None:
            return None
        if real.get("line"):
            return self.sites.at(real["file"], real["line"])
        return self.sites.naming(real["title"])

    def _unknown_ends(self, name: str, given: Any, got: Any) -> str | None:
        """A relationship with resources that are there, or not, because of unknown values."""
        if name not in _RELATIONS:
            return None
        theirs, ours = Counter(_several(given)), Counter(_several(got))
        ends = (theirs - ours) + (ours - theirs)
        whys = [self.unknown.get(end) or self._end(end) for end in ends]
        return whys[0] if whys and all(whys) else None

    def _end(self, ref: str) -> str | None:
        """The unknown value because of which one end of a relationship differs.

        Only one catalog has the end, or has a resource that a collector finds in between: an
        arrow goes round a collector that finds nothing.
        """
        for other, resource in {**self.theirs, **self.ours}.items():
            if other in self.theirs and other in self.ours:
                continue
            params = resource.get("parameters", {})
            if other == ref or any(ref in _several(params.get(name)) for name in _RELATIONS):
                if other in self.theirs:
                    return self._missing(other)
                return self._why(resource, (), bad=True)
        return None


def _several(value: Any) -> list[str]:
    return [str(v) for v in (value if isinstance(value, list) else [value]) if v is not None]


def _ref(resource: Answer) -> str:
    return f"{resource['type']}[{resource['title']}]"


def run(names: Iterable[str], answers: Iterable[Answer]) -> Tally:
    """Compares every class named with the answer of real Puppet."""
    tally = Tally()
    for name, real in zip(names, answers, strict=True):
        outcome = compiled(name)
        compare(tally, name, real, outcome, Sites(outcome))
    return tally


# -- the report --------------------------------------------------------------------------------

REPORT = Path(__file__).resolve().parent.parent.parent / "docs" / "laws" / "puppet-modules.md"
CAUSES = (
    (
        re.compile(r"Apache::Vhost\[.*\]\.scriptaliases"),
        "the template apache/vhost/_scriptalias.erb appends to the array it is given, and so "
        "changes a parameter of the resource after it was set",
    ),
    (
        re.compile(r"Keystone_user_role\["),
        "the type keystone_user_role makes the patterns of its titles by Ruby methods, so that the "
        "parameters in the title are not known",
    ),
)
"""What is known to differ, with the cause; the rest has none and fails the test."""


def cause_of(difference: tuple[str, str, str]) -> str | None:
    """Why something differs, as far as it is known."""
    return next((why for pattern, why in CAUSES if pattern.match(difference[1])), None)


def unexplained(tally: Tally) -> list[tuple[str, str, str]]:
    """The differences that have no known cause."""
    return [difference for difference in tally.differences if cause_of(difference) is None]


def write_report(tally: Tally, modules: int) -> None:
    """Writes the page."""
    rows = [
        f"| {kind} | {number:,} | {tally.compared[kind]:,} ({tally.compared[kind] / number:.2%}) "
        f"| {tally.equal[kind]:,} ({tally.equal[kind] / max(1, tally.compared[kind]):.2%}) |"
        for kind, number in sorted(tally.pieces.items())
    ]
    causes = Counter(cause_of(difference) or "unknown" for difference in tally.differences)
    first = {cause_of(d) or "unknown": d for d in reversed(tally.differences)}
    differences = [
        f"| {number:,} | {cause} | `include {first[cause][0]}`: "
        f"`{' '.join(first[cause][1:])[:160]}` |"
        for cause, number in causes.most_common()
    ]
    opaque = [f"| {why} | {number:,} |" for why, number in tally.opaque.most_common(25)]
    lines = [
        "# Puppet modules: catalogs compared with real Puppet",
        "",
        "Written by `make laws` (tests/peers/debian.py); do not edit.",
        "",
        f"`include CLASS` for each of the {tally.jobs:,} classes of {modules} modules that Debian",
        "packages, with `--on-unknown opaque` here and with Puppet 7.23 in one Ruby process.  What",
        "holds or hangs on a value that only Ruby can give is not compared: a parameter or a",
        "resource whose trace has an unknown input, one that differs because of something unknown",
        "that did not happen, a resource that an undecided piece of program would have declared,",
        f"a refusal raised there.  {tally.refusals:,} classes are refused by Puppet or by us.",
        "",
        f"**Compared: {tally.share_compared:.2%}.  Equal: {tally.share_equal:.2%}.**",
        "",
        "| what | number | compared | equal |",
        "|---|---|---|---|",
        *rows,
        "",
        "## Differences",
        "",
        *(
            ["| number | cause | the first |", "|---|---|---|", *differences]
            if differences
            else ["None."]
        ),
        "",
        "## Not compared, by what is unknown",
        "",
        "| unknown | pieces |",
        "|---|---|",
        *opaque,
        "",
    ]
    REPORT.write_text("\n".join(lines), encoding="utf-8")
