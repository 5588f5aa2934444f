"""All findings about a program that is to move to level 8, with fixes that are safe."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec.structs import replace

from headwater.langs.protocol import Finding, Job, Suggestion, TextEdit
from headwater.langs.puppet import codes
from headwater.langs.puppet.facts.legacy import Path, structured
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.upgrade.beside import wanted_beside
from headwater.langs.puppet.upgrade.compiling import (
    at_level_7,
    facts_of,
    wanted_by,
    wanted_without,
)
from headwater.langs.puppet.upgrade.fixing import Judge, edited_texts
from headwater.langs.puppet.upgrade.static import Wanted, top_variables, wanted_in
from headwater.text import Source, Span

_NO_FACTS = "no fix is offered without facts: --facts, or --nodes with a folder of them"
_UNSAFE = "no fix is offered: it would change a catalog, or facts disagree with it"


def findings(texts: Sequence[Source], jobs: Sequence[Job[Fields]]) -> list[Finding]:
    """What level 8 will refuse or change in texts, and in the programs of jobs at level 7."""
    every = [facts_of(job) for job in jobs]
    facts = frozenset(str(name) for some in every for name in some)
    tops = frozenset(name for job in jobs for s in job.sources for name in top_variables(s))
    wanted: list[Wanted] = []
    for text in texts:
        if text.name.endswith((".pp", ".epp")):
            wanted += wanted_in(text, facts, tops)
        else:
            wanted += wanted_beside(text)
    now = [at_level_7(job) for job in jobs]
    for job, outcome in zip(jobs, now, strict=True):
        wanted += wanted_by(job, outcome)
    judge = Judge(jobs, now)
    found = _with_fixes(_merged(_at_home(wanted, texts)), judge, every)
    if any(told.fix is None for told in found if told.diagnostic.code == codes.LEGACY_FACT.name):
        return found
    more: list[Wanted] = []
    fixed = edited_texts([told.fix.edits for told in found if told.fix is not None])
    with judge.edited(fixed) as after:
        for job, outcome in zip(after, now, strict=True):
            more += wanted_without(job, outcome)
    known = {(told.diagnostic.at.source.name, told.diagnostic.at.first.line) for told in found}
    left = [one.diagnostic for one in _merged(_at_home(more, texts))]
    return [*found, *(Finding(d) for d in left if (d.at.source.name, d.at.first.line) not in known)]


def _at_home(wanted: list[Wanted], texts: Sequence[Source]) -> list[Wanted]:
    """Findings in files under the names that the user gave them."""
    homes = {os.path.abspath(text.name): text for text in texts}

    def home(at: Span) -> Span:
        text = homes.get(os.path.abspath(at.source.name))
        return at if text is None or text.text != at.source.text else Span(text, at.start, at.end)

    return [
        Wanted(
            replace(one.diagnostic, at=home(one.diagnostic.at)),
            tuple(TextEdit(home(edit.at), edit.text) for edit in one.edits),
            one.fact,
        )
        for one in wanted
    ]


def _merged(wanted: list[Wanted]) -> list[Wanted]:
    """One finding for each place; one that says more, or can be mended, comes first."""

    def rank(one: Wanted) -> tuple[str, int, bool, bool]:
        said = one.diagnostic
        general = said.code in (codes.LEVEL_REFUSES.name, codes.LEVEL_CHANGES.name)
        return (said.at.source.name, said.at.start, general, not one.edits)

    kept: list[Wanted] = []
    covered: set[tuple[str, int, int]] = set()
    for one in sorted(wanted, key=rank):
        said = one.diagnostic
        place = (said.at.source.name, said.at.start, said.at.end)
        if said.code == codes.LEVEL_CHANGES.name:
            if all(other.diagnostic != said for other in kept):
                kept.append(one)
        elif place not in covered:
            covered.add(place)
            kept.append(one)
    return kept


def _with_fixes(wanted: list[Wanted], judge: Judge, every: list[Hash]) -> list[Finding]:
    """The findings with those fixes that every program and all facts allow."""
    allowed = [one for one in wanted if one.edits and _agree(one, every)]
    safe = {*judge.safe([one.edits for one in allowed])} if allowed else set()
    return [_finding(one, one.edits in safe, any(every)) for one in wanted]


def _agree(one: Wanted, every: list[Hash]) -> bool:
    """Whether facts have the same value in the new place as in the old one, wherever both are."""
    if one.fact is None:
        return True
    path = structured(one.fact) or (one.fact,)
    return any(every) and all(
        _inside(facts, path) == facts[one.fact] for facts in every if one.fact in facts
    )


def _inside(value: object, path: Path) -> object:
    for part in path:
        if isinstance(value, Hash):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _finding(one: Wanted, safe: bool, have_facts: bool) -> Finding:
    told = one.diagnostic
    if safe:
        return Finding(told, Suggestion(told.help or told.message, one.edits))
    if one.edits:
        why = _UNSAFE if have_facts or one.fact is None else _NO_FACTS
        told = replace(told, help=f"{told.help}; {why}" if told.help else why)
    return Finding(told)
