"""What would make a losing value win: changes of tags and constraints, each tried out.

The first change whose result has the value at the address is the suggestion; if there is none,
the answer says why.
"""

from __future__ import annotations

from headwater.langs.fields import NoFields
from headwater.langs.l3 import codes
from headwater.langs.l3.changes import Changes, contested_around
from headwater.langs.l3.engine.causes import EngineCauses
from headwater.langs.l3.engine.outcome import run
from headwater.langs.l3.findings import show_key
from headwater.langs.l3.load import load, takes_tags
from headwater.langs.l3.parser import parse
from headwater.langs.l3.syntax import Literal
from headwater.langs.l3.values import BLOCK, Key
from headwater.langs.l3.verdict import Verdict, by_place
from headwater.langs.protocol import Job, Suggestion
from headwater.report import Diagnostic, Note
from headwater.text import Source
from headwater.tree import Address, NotThere, Tree, show_address


def to_win(job: Job[NoFields], address: Address, text: str) -> Suggestion | Diagnostic:
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
    for message, edits in Changes(answer.causes, wanted, address, loaded.program).edits():
        suggestion = Suggestion(message, edits)
        if edits and _wins(suggestion.apply(job.sources), address, wanted):
            return suggestion
    return _cannot_win(answer.causes, verdict, wanted, address)


def _cannot_win(
    causes: EngineCauses, verdict: Verdict, wanted: Key, address: Address
) -> Diagnostic:
    places = [x.at for c in verdict.candidates if c.key == wanted for x in by_place(c.literals)]
    around = contested_around(causes, address, verdict)
    if not all(takes_tags(x.at.source) for c in verdict.candidates for x in c.literals):
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
