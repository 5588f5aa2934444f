"""The changes of tags and constraints that may make a value win, the gentlest first.

They rank tags that are there, turn constraints round, stop being a default, tag both sides
and rank the tags, make the others defaults, are final; each after the values themselves, then
after the operands that bring them.  Where another value is #final this is taken off, and where
that lets a block around the label lose, the values beside the block become defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.langs.l3.engine.causes import EngineCauses
from headwater.langs.l3.findings import show_key
from headwater.langs.l3.load import takes_tags
from headwater.langs.l3.syntax import DEFAULT, FINAL, Member, Program, Tag, all_notes
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Candidate, Verdict, by_place
from headwater.langs.protocol import TextEdit
from headwater.text import Span
from headwater.text.named import NamedTuple
from headwater.tree import Address


class Change(NamedTuple):
    """Edits of tags, and constraints to be written after the definition of the label."""

    message: str
    edits: tuple[TextEdit, ...] = ()
    said: str = ""

    def __add__(self, other: Change) -> Change:  # type: ignore[override]
        """Both changes."""
        message = ", and ".join(filter(None, (self.message, other.message)))
        said = " ".join(filter(None, (self.said, other.said)))
        return Change(message, self.edits + other.edits, said)


class Places(NamedTuple):
    """Where tags are put for a value and for its rivals."""

    mine: list[Span]
    rivals: list[Span]


class Changes:
    """The changes for one value at one address."""

    def __init__(
        self, causes: EngineCauses, wanted: Key, address: Address, program: Program
    ) -> None:
        self.causes = causes
        self.wanted = wanted
        self.address = address
        self.verdict = causes.verdict_at(address)
        self.shown = show_key(wanted)
        self.home = _home(address, program)
        self.used = {note.name for note in all_notes(program) if isinstance(note, Tag)}
        self.mine = [c for c in self.verdict.candidates if c.key == wanted]
        self.others = [c for c in self.verdict.candidates if c.key != wanted]
        self.rivals = [c for c in self.others if DEFAULT not in c.tags] or self.others

    def edits(self) -> Iterator[tuple[str, tuple[TextEdit, ...]]]:
        """The changes as edits, with a sentence for each."""
        strong = [c for c in self.others if FINAL in c.tags]
        freed = Change("take #final off the other values", _without(strong, FINAL))
        for kept in (Change(""), self._kept(through=True), self._kept(through=False)):
            if kept.message and not kept.edits:
                return
            for change in self._plain(bool(strong)):
                whole = freed + change + kept if strong else change + kept
                yield whole.message, self._written(whole)

    def _plain(self, freed: bool) -> Iterator[Change]:
        """Changes for this label where no other value is final."""
        undefault = Change(f"take #default off {self.shown}", _without(self.mine, DEFAULT))
        if freed:
            yield Change("")
        else:
            yield from self._ranked()
            yield self._turned()
        finds = (self._as_written, self._as_used)
        if undefault.edits:
            yield undefault
            for find in finds:
                for rivals in (self.rivals, self.others):
                    yield undefault + _demoted(find(rivals))
                    yield undefault + self._tagged(find(rivals))
        for find in finds:
            place = find(self.rivals)
            yield self._tagged(place)
            yield _demoted(place)
            yield _demoted(place) + self._tagged(find(self.others))
            yield Change(f"tag {self.shown} #final", _inserted(place.mine, FINAL))

    def _written(self, change: Change) -> tuple[TextEdit, ...]:
        """The edits with the constraints, which close after all tags; none if that cannot be."""
        edits = tuple(dict.fromkeys(change.edits))
        if change.said:
            if self.home is None:
                return ()
            source, start, end = self.home.at
            open_, close = Span(source, start, start), Span(source, end, end)
            edits = (TextEdit(open_, "("), *edits, TextEdit(close, f") {change.said}"))
        return edits if all(takes_tags(edit.at.source) for edit in edits) else ()

    # -- where tags go --------------------------------------------------------------------

    def _as_written(self, rivals: list[Candidate]) -> Places:
        """After the values themselves."""
        return Places(_literals(self.mine), _literals(rivals))

    def _as_used(self, rivals: list[Candidate]) -> Places:
        """After the operands that bring the values."""
        sides = self.causes.sides_at(self.address, self.wanted)
        keys = {candidate.key for candidate in rivals}
        return Places(
            _in_order(leaf.at for leaf in sides.mine),
            _in_order(leaf.at for leaf, brought in sides.rivals.items() if brought & keys),
        )

    def _kept(self, *, through: bool) -> Change:
        """What keeps the blocks around the label winning against the values beside them."""
        edits: list[TextEdit] = []
        for depth in range(1, len(self.address)):
            around = self.address[:depth]
            verdict = self.causes.verdict_at(around)
            if not verdict.mixed:
                continue
            sides = self.causes.sides_at(around, BLOCK, through=through)
            edits += _inserted(_in_order(leaf.at for leaf in sides.rivals), DEFAULT)
            blocks = [c for c in verdict.candidates if c.key == BLOCK]
            edits += _without(blocks, DEFAULT)
        return Change("make the values beside the block around it defaults", tuple(edits))

    # -- the changes ----------------------------------------------------------------------

    def _ranked(self) -> Iterator[Change]:
        """Constraints between tags that are there already."""
        theirs = [_own_tags(c) for c in self.rivals]
        if not all(theirs):
            return
        for tag in dict.fromkeys(t for c in self.mine for t in _own_tags(c)):
            lower = dict.fromkeys(tags[0] for tags in theirs if tag not in tags)
            if lower:
                said = " ".join(f"#{tag} > #{low}" for low in lower)
                yield Change(f"rank the tag of {self.shown} higher: {said}", (), said)

    def _turned(self) -> Change:
        """The constraints that made the value lose, the other way round."""
        labels = {
            label
            for lost in self.verdict.lost
            if lost.candidate.key == self.wanted and lost.reason == "constraint"
            for label in lost.by
            if label.kind == "constraint" and label.text.count("#") == 2
        }
        turn = str.maketrans("<>", "><")
        edits = [TextEdit(label.at, label.text.translate(turn)) for label in by_place(labels)]
        return Change(f"say {' '.join(edit.text for edit in edits)} instead", tuple(edits))

    def _tagged(self, places: Places) -> Change:
        """New tags on both sides, and a constraint between them."""
        high, low = _fresh("preferred", self.used), _fresh("overruled", self.used)
        said = f"#{high} > #{low}"
        edits = _inserted(places.mine, high) + _inserted(places.rivals, low)
        return Change(f"tag {self.shown} and its rivals, and rank the tags: {said}", edits, said)


def contested_around(causes: EngineCauses, address: Address, verdict: Verdict) -> Address | None:
    """The nearest block around a label that competes with the literals of the label too."""
    own = {label for candidate in verdict.candidates for label in candidate.literals}
    for depth in range(len(address) - 1, 0, -1):
        around = causes.verdict_at(address[:depth])
        if any(not own.isdisjoint(c.literals) for c in around.candidates if c.key != BLOCK):
            return address[:depth]
    return None


def _home(address: Address, program: Program) -> Member | None:
    """The definition that a constraint for this address can be written after."""
    for file in program.files:
        member = file.block.members.get(str(address[0])) if address else None
        if member is not None and takes_tags(file.source):
            return member
    return None


def _demoted(places: Places) -> Change:
    return Change("make the other values defaults", _inserted(places.rivals, DEFAULT))


def _own_tags(candidate: Candidate) -> list[str]:
    return sorted(t for t in candidate.tags if isinstance(t, str) and t not in (DEFAULT, FINAL))


def _fresh(name: str, used: set[str]) -> str:
    number = 2
    fresh = name
    while fresh in used:
        fresh, number = f"{name}{number}", number + 1
    return fresh


def _literals(candidates: Iterable[Candidate]) -> list[Span]:
    return _in_order(label.at for c in candidates for label in c.literals)


def _in_order(places: Iterable[Span]) -> list[Span]:
    return sorted(set(places), key=lambda at: (at.source.name, at.start))


def _inserted(places: Iterable[Span], tag: str) -> tuple[TextEdit, ...]:
    """A tag after each place."""
    return tuple(TextEdit(Span(source, end, end), f" #{tag}") for source, _, end in places)


def _without(candidates: Iterable[Candidate], tag: str) -> tuple[TextEdit, ...]:
    """A tag taken off some candidates, with the blanks before it."""
    edits: list[TextEdit] = []
    for label in dict.fromkeys(x for c in candidates for x in by_place(c.tag_labels.get(tag, ()))):
        source, start, end = label.at
        while start > 0 and source.text[start - 1] in " \t":
            start -= 1
        edits.append(TextEdit(Span(source, start, end), ""))
    return tuple(edits)
