"""What would make a losing value win: changes of tags and constraints, each tried out.

The first change whose result has the value at the address is the suggestion; if there is none,
the answer says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from headwater.langs.l3 import codes
from headwater.langs.l3.changes import Changes, contested_around
from headwater.langs.l3.check import findings
from headwater.langs.l3.engine.causes import EngineCauses
from headwater.langs.l3.engine.outcome import run
from headwater.langs.l3.findings import show_key
from headwater.langs.l3.load import Notes, given_notes, load, takes_tags
from headwater.langs.l3.parser import parse
from headwater.langs.l3.syntax import Literal
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Verdict, by_place
from headwater.langs.protocol import Causes, Suggestion
from headwater.report import Diagnostic, Note
from headwater.text import Source
from headwater.tree import Address, NotThere, Tree, show_address


def to_win(
    sources: tuple[Source, ...],
    causes: Causes | None,
    address: Address,
    text: str,
    tags: Sequence[str] = (),
) -> Suggestion | Diagnostic:
    """A change of the sources that makes a value win at an address of their result.

    It earns no warning that was not there before.
    """
    if not isinstance(causes, EngineCauses):  # those of the paper's rules know no candidates
        loaded = load(sources, tags)
        answer = run(loaded.program, strict=False)
        if answer.causes is None:
            return next(d for d in answer.diagnostics if d.is_error)
        causes = answer.causes
    verdict = causes.verdict_at(address)
    wanted = _wanted(text, verdict)
    if wanted is None:
        return _not_a_candidate(verdict, address, text)
    if wanted == verdict.key:
        return Suggestion(f"{show_key(wanted)} wins already", ())
    notes = given_notes(causes.program)
    before = _warnings(sources, notes)
    earned = False
    for message, edits in Changes(causes, wanted, address, causes.program).edits():
        suggestion = Suggestion(message, edits)
        after = suggestion.apply(sources)
        if edits and _wins(after, notes, address, wanted):
            if _warnings(after, notes) <= before:
                return suggestion
            earned = True
    return _cannot_win(causes, verdict, wanted, address, earned=earned)


def _cannot_win(
    causes: EngineCauses, verdict: Verdict, wanted: Key, address: Address, *, earned: bool
) -> Diagnostic:
    places = [x.at for c in verdict.candidates if c.key == wanted for x in by_place(c.literals)]
    around = contested_around(causes, address, verdict)
    if earned:
        because = "each change that lets it win earns a warning"
    elif not all(takes_tags(x.at.source) for c in verdict.candidates for x in c.literals):
        because = "tags cannot be written where the values stand"
    elif around is not None:
        because = (
            f"its candidates compete at {show_address(around)} too, and each change "
            f"that was tried lets the block there lose, or ties it"
        )
    else:
        because = "each change that was tried makes other values clash"
    return codes.CANNOT_WIN.at(
        places[0],
        value=show_key(wanted),
        address=show_address(address),
        because=because,
        labels=_shown(verdict),
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


def _warnings(sources: tuple[Source, ...], notes: Mapping[str, Notes]) -> Counter[str]:
    """How many findings of each code a program has."""
    loaded = load(sources, notes=notes)
    answer = run(loaded.program, strict=False)
    found = [] if answer.causes is None else findings(loaded.program, answer.causes)
    return Counter(one.code for one in (*answer.diagnostics, *found))


def _wins(
    sources: tuple[Source, ...], notes: Mapping[str, Notes], address: Address, wanted: Key
) -> bool:
    """Whether changed sources have the value at the address, and not by a tie."""
    loaded = load(sources, notes=notes)
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
