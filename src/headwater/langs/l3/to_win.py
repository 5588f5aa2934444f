"""What would make a losing value win: changes of tags and constraints, each tried out.

The changes go from the gentlest on: rank existing tags, turn constraints round, stop being
a default, tag both sides and rank the tags, make the others defaults, be final, and take
#final off others.  The first whose result has the value at the address is the suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headwater.langs.l3 import codes
from headwater.langs.l3.engine.outcome import run
from headwater.langs.l3.findings import show_key
from headwater.langs.l3.load import load, takes_tags
from headwater.langs.l3.parser import parse
from headwater.langs.l3.syntax import DEFAULT, FINAL, Literal, Member, Program, Tag, all_notes
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Candidate, Verdict, by_place
from headwater.langs.protocol import Job, Suggestion, TextEdit
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span
from headwater.tree import Address, NotThere, Tree, show_address
from headwater.why import Label


class Option(NamedTuple):
    """A change to try; none of the edits may be in a file that cannot hold tags."""

    message: str
    edits: list[TextEdit]


def to_win(job: Job, address: Address, text: str) -> Suggestion | Diagnostic:
    """A change that makes a value win at an address of the result."""
    loaded = load(job.sources)
    if loaded.errors:
        return loaded.errors[0]
    answer = run(loaded.program, strict=False)
    if answer.causes is None:
        return next(d for d in answer.diagnostics if d.is_error)
    verdict = answer.causes.verdict_at(address)
    wanted = _wanted(text, verdict)
    if wanted is None:
        return _not_a_candidate(verdict, address, text)
    if wanted == verdict.key:
        return Suggestion(f"{show_key(wanted)} wins already", ())
    for option in _options(verdict, wanted, address, loaded.program):
        edits = tuple(dict.fromkeys(option.edits))
        if not edits or not all(takes_tags(edit.at.source) for edit in edits):
            continue
        suggestion = Suggestion(option.message, edits)
        if _wins(suggestion.apply(job.sources), address, wanted):
            return suggestion
    at = by_place(_of(verdict, wanted)[0].literals)[0].at
    return codes.CANNOT_WIN.at(
        at, value=show_key(wanted), address=show_address(address), labels=_shown(verdict)
    )


def _wanted(text: str, verdict: Verdict) -> Key | None:
    """The candidate's value that the user means: as L3, or as a text without its quotes."""
    keys = {candidate.key for candidate in verdict.candidates}
    if text.lstrip().startswith("{") and BLOCK in keys:
        return BLOCK
    parsed = parse(Source("value", f"value: {text}\n"))
    member = parsed.file.block.members.get("value")
    if not parsed.errors and member is not None and isinstance(member.value, Literal):
        found: Key = member.value.key
        if found in keys:
            return found
    plain: Key = (3, text)
    return plain if plain in keys else None


def _not_a_candidate(verdict: Verdict, address: Address, text: str) -> Diagnostic:
    at = by_place(verdict.winners[0].literals)[0].at
    return codes.NOT_A_CANDIDATE.at(
        at, value=text, address=show_address(address), labels=_shown(verdict)
    )


def _shown(verdict: Verdict) -> list[Note]:
    return [
        Note(f"{show_key(candidate.key)} is a candidate", label.at)
        for candidate in verdict.candidates
        for label in by_place(candidate.literals)
    ]


def _wins(sources: tuple[Source, ...], address: Address, wanted: Key) -> bool:
    """Whether changed sources have the value at the address, and not by a tie."""
    loaded = load(sources)
    if loaded.errors:
        return False
    answer = run(loaded.program, strict=False)
    if answer.causes is None:
        return False
    try:
        Tree(answer.tree).get(address)
    except NotThere:
        return False
    survivors = answer.causes.verdict_at(address).survivors
    return all(candidate.key == wanted for candidate in survivors)


def _options(verdict: Verdict, wanted: Key, address: Address, program: Program) -> Iterator[Option]:
    """Changes to try, the gentlest first."""
    mine = _of(verdict, wanted)
    others = [c for c in verdict.candidates if c.key != wanted]
    strong = [c for c in others if FINAL in c.tags]
    rivals = [c for c in others if DEFAULT not in c.tags] or others
    shown = show_key(wanted)
    home = _home(address, program)
    undefault = _without(mine, DEFAULT)
    unfinal = _without(strong, FINAL)
    if home is not None and not strong:
        yield from _ranked(mine, rivals, home, shown)
    yield _turned(verdict, wanted)
    if undefault and not strong:
        yield Option(f"take #default off {shown}", undefault)
    if home is not None and not strong:
        yield _tagged(mine, rivals, home, program, shown)
    if not strong:
        demoted = [c for c in others if DEFAULT not in c.tags]
        edits = _inserted(demoted, DEFAULT)
        yield Option("make the other values defaults", edits)
        yield Option(f"tag {shown} #final", _inserted(mine, FINAL))
    yield Option("take #final off the other values", unfinal)
    yield Option(f"take #final off the other values, and #default off {shown}", unfinal + undefault)
    yield Option(
        f"take #final off the other values, and tag {shown} #final",
        unfinal + _inserted(mine[:1], FINAL),
    )


def _of(verdict: Verdict, key: Key) -> list[Candidate]:
    return [candidate for candidate in verdict.candidates if candidate.key == key]


def _home(address: Address, program: Program) -> Member | None:
    """The definition that a constraint for this address can be written after."""
    for file in program.files:
        member = file.block.members.get(str(address[0])) if address else None
        if member is not None and takes_tags(file.source):
            return member
    return None


def _ranked(
    mine: list[Candidate], rivals: list[Candidate], home: Member, shown: str
) -> Iterator[Option]:
    """Constraints between tags that are there already."""
    theirs = [_own_tags(c) for c in rivals]
    if not all(theirs):
        return
    for tag in dict.fromkeys(t for c in mine for t in _own_tags(c)):
        lower = dict.fromkeys(tags[0] for tags in theirs if tag not in tags)
        if lower:
            said = " ".join(f"#{tag} > #{low}" for low in lower)
            yield Option(f"rank the tag of {shown} higher: {said}", _wrapped(home, said))


def _turned(verdict: Verdict, wanted: Key) -> Option:
    """The constraints that made the value lose, the other way round."""
    labels = {
        label
        for lost in verdict.lost
        if lost.candidate.key == wanted and lost.reason == "constraint"
        for label in lost.by
        if label.kind == "constraint" and label.text.count("#") == 2
    }
    turn = str.maketrans("<>", "><")
    edits = [TextEdit(label.at, label.text.translate(turn)) for label in by_place(labels)]
    return Option(f"say {' '.join(edit.text for edit in edits)} instead", edits)


def _own_tags(candidate: Candidate) -> list[str]:
    return sorted(t for t in candidate.tags if isinstance(t, str) and t not in (DEFAULT, FINAL))


def _tagged(
    mine: list[Candidate], rivals: list[Candidate], home: Member, program: Program, shown: str
) -> Option:
    """New tags on both sides, and a constraint between them."""
    used = {note.name for note in all_notes(program) if isinstance(note, Tag)}
    high, low = _fresh("preferred", used), _fresh("overruled", used)
    edits = _inserted(mine, high) + _inserted(rivals, low) + _wrapped(home, f"#{high} > #{low}")
    return Option(f"tag {shown} and its rivals, and rank the tags: #{high} > #{low}", edits)


def _fresh(name: str, used: set[str]) -> str:
    number = 2
    fresh = name
    while fresh in used:
        fresh, number = f"{name}{number}", number + 1
    return fresh


def _wrapped(home: Member, said: str) -> list[TextEdit]:
    """A definition with a constraint after it."""
    source, start, end = home.at
    return [
        TextEdit(Span(source, start, start), "("),
        TextEdit(Span(source, end, end), f") {said}"),
    ]


def _inserted(candidates: Iterable[Candidate], tag: str) -> list[TextEdit]:
    """A tag after each literal of some candidates."""
    places = dict.fromkeys(label for c in candidates for label in by_place(c.literals))
    return [TextEdit(_after(label), f" #{tag}") for label in places]


def _after(label: Label) -> Span:
    source, _, end = label.at
    return Span(source, end, end)


def _without(candidates: Iterable[Candidate], tag: str) -> list[TextEdit]:
    """A tag taken off some candidates, with the blanks before it."""
    edits: list[TextEdit] = []
    for label in dict.fromkeys(x for c in candidates for x in by_place(c.tag_labels.get(tag, ()))):
        source, start, end = label.at
        while start > 0 and source.text[start - 1] in " \t":
            start -= 1
        edits.append(TextEdit(Span(source, start, end), ""))
    return edits
