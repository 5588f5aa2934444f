"""What a change does to nodes: who is proved unaffected, who compiles to the same, what differs.

A node whose compilation read nothing that is different on the other side is not compiled there:
it would give the same.  Equal changes of several nodes are one group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request
from headwater.fleet.asking import NODE
from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.catalogs import COMPILE, answer_of, catalog_in
from headwater.fleet.causes import Cause, EditedLines
from headwater.fleet.changes import Group, ValueChange, grouped
from headwater.fleet.effective import PLAINLY, Manner, effective, told_apart
from headwater.fleet.every import PORTION, Answered, answer_in, keep
from headwater.fleet.identity import Momentary, first_difference
from headwater.fleet.kept import Kept
from headwater.fleet.question import Answer
from headwater.fleet.readset import Holding
from headwater.fleet.sides import Side
from headwater.fleet.told import Sources, Told
from headwater.fleet.workers import Pool, processors
from headwater.langs import Language
from headwater.langs.codes import INTERNAL_ERROR
from headwater.langs.forgetting import forget
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.moment import at_one_moment
from headwater.text.reads import Reads, noting
from headwater.tree import Address, Change, Value
from headwater.tree.json import plain


class Failed(msgspec.Struct, frozen=True):
    """A node that one of the sides does not compile: which side, and what it says."""

    node: str
    side: str
    diagnostics: tuple[Diagnostic, ...]


class Comparison(msgspec.Struct):
    """What is different on the second side."""

    groups: list[Group] = []
    unaffected: list[str] = []
    """Nodes that read nothing that is different."""
    equal: list[str] = []
    """Nodes that were compiled on both sides, to the same."""
    failed: list[Failed] = []
    came: list[str] = []
    """Nodes that only the second side has."""
    went: list[str] = []
    doubts: list[Diagnostic] = []
    """What was wrong with what is kept, and what is odd about the edits."""
    form: int = 0
    """Differences that are in the form of a value only."""
    ignored: int = 0
    """Differences that are left out because somebody said so."""


class Pair(msgspec.Struct, frozen=True):
    """A node as each side wants it compiled."""

    node: str
    before: Request
    after: Request


class Compared(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a pair: who failed, whether it was proved the same, and what differs."""

    failed: tuple[tuple[bool, tuple[Told, ...]], ...] = ()
    """Whether it was the second side, and what it says."""
    unaffected: bool = False
    changes: tuple[ValueChange, ...] = ()
    form: int = 0
    ignored: int = 0


def compare(
    before: Mapping[str, Request],
    after: Mapping[str, Request],
    sides: tuple[Side, Side],
    language: object,
    folder: str,
    done: Callable[[str], None] | None = None,
    kept: Kept | None = None,
    manner: Manner = PLAINLY,
) -> Comparison:
    """What is different on the second side, over all nodes that both have.

    `done` is called with the name of each node.  Of what is `kept`, only what differs is compiled.
    """
    found = Comparison()
    found.came = [node for node in after if node not in before]
    found.went = [node for node in before if node not in after]
    pairs = {node: Pair(node, before[node], after[node]) for node in before if node in after}
    comparing = _Comparing(pairs, sides, language, EditedLines(*sides, folder), kept, manner)
    results: dict[str, Compared] = {}
    for node, one in comparing.over():
        results[node] = one
        if done is not None:
            done(node)
    found.doubts = [] if kept is None else kept.doubts
    for node in pairs:
        _sort(found, node, sides, results.get(node))
    found.groups = grouped({node: results[node].changes for node in pairs if node in results})
    return found


def _sort(found: Comparison, node: str, sides: tuple[Side, Side], result: Compared | None) -> None:
    """A node that fails on both sides in the same way is no node without differences."""
    if result is None:
        nowhere = Source(node, "").span(0, 0)
        lost = INTERNAL_ERROR.at(nowhere, what="a worker process ended unexpectedly")
        found.failed.append(Failed(node, sides[1].name, (lost,)))
        return
    for second, told in result.failed:
        with sides[second].here():
            sources = Sources()
            said = tuple(sources.diagnostic(one) for one in told)
        found.failed.append(Failed(node, sides[second].name, said))
    found.form += result.form
    found.ignored += result.ignored
    if not result.failed and not result.changes:
        (found.unaffected if result.unaffected else found.equal).append(node)


class _Comparing:
    """Pairs on their way to workers; what is kept is looked at first."""

    def __init__(
        self, pairs: Mapping[str, Pair], sides: tuple[Side, Side], language: object,
        lines: EditedLines, kept: Kept | None, manner: Manner,
    ) -> None:  # fmt: skip
        self._pairs = pairs
        self._sides = sides
        self._files = Momentary(sides[0], language), Momentary(sides[1], language)
        self._lines = lines
        self._kept = kept
        self._manner = manner

    def over(self) -> Iterator[tuple[str, Compared]]:
        """What is known of each pair, as it comes."""
        left = [*self._pairs]
        if self._kept is not None:
            with at_one_moment():
                found = dict(self._from_before(self._kept))
            yield from found.items()
            left = [node for node in left if node not in found]
        pool = Pool(self._work, processors())
        decoder = Bodies(Compared)
        try:
            for node, body in pool.over(left) if left else ():
                yield node, decoder.decode(body)
        finally:
            pool.close()
            if self._kept is not None:
                self._kept.end()

    def _from_before(self, kept: Kept) -> Iterator[tuple[str, Compared]]:
        """The pairs that need not be compiled: both sides are known, and are the same."""
        nodes = [*self._pairs]
        same = Holding(self._files[1].now())
        for start in range(0, len(nodes), PORTION):
            some = [self._pairs[node] for node in nodes[start : start + PORTION]]
            old = self._answers(kept, {pair.node: pair.before for pair in some}, second=False)
            new = self._answers(kept, {pair.node: pair.after for pair in some}, second=True)
            for pair in some:
                one, other = old.get(pair.node), new.get(pair.node)
                if one is None:
                    continue
                if pair.before == pair.after and one.reads is not None and same(one.reads):
                    failed = () if one.answer.good else ((False, _errors(one.answer)),)
                    yield pair.node, Compared(failed, unaffected=True)
                elif other is not None and _equal(one.answer, other.answer):
                    yield pair.node, Compared()

    def _answers(
        self, kept: Kept, requests: Mapping[str, Request], *, second: bool
    ) -> dict[str, Answered]:
        keys = {key: node for node, one in requests.items() if (key := COMPILE.key(one))}
        found = kept.find([*keys], self._files[second].now())
        return {
            keys[key]: Answered(keys[key], answer_in(one.body), True, one.reads)
            for key, one in found.items()
        }

    # -- in a worker -----------------------------------------------------------------------------

    def _work(self, node: str) -> bytes:
        with paused_collector():
            return body_of(self._compared(self._pairs[node]))

    def _compared(self, pair: Pair) -> Compared:
        old, reads, told = self._compiled(pair.before, second=False)
        if pair.before == pair.after and self._unlike(reads) is None:
            forget(old.outcome)
            return Compared(((False, told),) if told else (), unaffected=True)
        new, _, also = self._compiled(pair.after, second=True)
        if told or also:
            both = ((False, told), (True, also))
            found = Compared(tuple((second, said) for second, said in both if said))
        else:
            found = self._differing(old, new, alike=pair.before == pair.after)
        forget(old.outcome)
        forget(new.outcome)
        return found

    def _differing(self, old: Compiled, new: Compiled, *, alike: bool) -> Compared:
        """What differs, with the edited lines that made it so."""
        before, after = (self._effective(one, second) for one, second in ((old, 0), (new, 1)))
        found = told_apart(before[0], after[0], new.language, self._manner)
        changes = tuple(
            _value_change(
                change, new.language,
                self._causes(change, (old, new), before, after, alike=alike),
            )
            for change in found.changes
        )  # fmt: skip
        return Compared(changes=changes, form=found.form, ignored=found.ignored)

    def _effective(self, compiled: Compiled, second: int) -> tuple[Value, Mapping[Address, str]]:
        with self._sides[second].here():
            return effective(compiled)

    def _causes(
        self, change: Change, both: tuple[Compiled, Compiled],
        before: tuple[Value, Mapping[Address, str]], after: tuple[Value, Mapping[Address, str]],
        *, alike: bool,
    ) -> list[Cause]:  # fmt: skip
        """The edited lines that a value depends on, and of the file whose text it is.

        Where there are none, and the sides were not asked alike: what is written elsewhere.
        """
        address = change.address[:2]
        files = {side[1][address] for side in (before, after) if address in side[1]}
        found = {*self._lines.causes(*both, change.address)}
        found.update(one for file in files for one in self._lines.in_file(file))
        if not (found or alike) and change.kind == "changed":
            found.update(self._lines.apart(*both, change.address))
        return sorted(found)

    def _compiled(
        self, request: Request, *, second: bool
    ) -> tuple[Compiled, Reads, tuple[Told, ...]]:
        """What a side compiles a node to, what it read, and what it says if it fails."""
        reads = Reads()
        with self._sides[second].here(), noting(reads):
            compiled = compile_request(request)
            answer = answer_of(compiled)
        if self._kept is not None:
            node = str(request.inputs.get(NODE, ""))
            keep(self._kept, COMPILE, request, answer, reads, self._files[second].now(), node)
        return compiled, reads, () if answer.good else _errors(answer)

    def _unlike(self, reads: Reads) -> str | None:
        one, other = self._files
        return first_difference(reads, one.now(), other.now())


def _errors(answer: Answer) -> tuple[Told, ...]:
    return tuple(one for one in answer.told if one.severity == "error")


def _equal(one: Answer, other: Answer) -> bool:
    """Whether two results have the same values."""
    if not (one.good and other.good):
        return False
    return catalog_in(one).values == catalog_in(other).values


def _value_change(change: Change, language: Language, causes: list[Cause]) -> ValueChange:
    return ValueChange(
        language.show_address(change.address),
        change.kind,
        plain(change.before),
        plain(change.after),
        (
            None if change.kind == "added" else language.show_value(change.before),
            None if change.kind == "removed" else language.show_value(change.after),
        ),
        tuple(causes),
    )
