"""Carrying out a plan: one transaction that checks everything again and appends to the log."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from headwater.langs.durable import Committed
from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.endorsing import Endorsing, Session, active_keys
from headwater.langs.opal.runtime.plans import Plan
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import iso
from headwater.langs.opal.runtime.stored import key_of, place_at
from headwater.report import Diagnostic
from headwater.store import Endorsement, Entry, OpenedWorld, Store, Writing
from headwater.store.codes import CLOCK_BACK, ID_USED, ROLLED_BACK
from headwater.store.records import canonical, sha256
from headwater.store.writing import Sign
from headwater.text import Span

AUTHENTICATION = "authentication"
"""The fact of an entry that holds its principal's signature."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


def new_id() -> str:
    """An id that nobody else has."""
    return secrets.token_hex(8)


def is_id(text: str) -> bool:
    """Whether a text may be an id."""
    return bool(_ID.match(text))


def authentication_text(store: str, entry: Entry, before: str) -> str:
    """What a principal signs to show that an entry is theirs: all of it, after that history."""
    facts = {name: fact for name, fact in entry.facts.items() if name != AUTHENTICATION}
    bare = replace(entry, facts=facts)
    return canonical(
        {"kind": "commit", "store": store, "before": before, "entry": sha256(bare.text())}
    )


def signing(session: Session, store: Store, writing: Writing) -> Sign | None:
    """How the caller signs an entry, if the store knows their key."""
    trusted = active_keys(writing, session.principal)
    signer = next((s for s in session.signers if s.public in trusted), None)
    if signer is None:
        return None

    def sign(entry: Entry, before: str) -> Entry:
        signature = signer.sign(authentication_text(store.id, entry, before))
        shown = {"public_key": signer.public, "signature": signature}
        return replace(entry, facts={**entry.facts, AUTHENTICATION: shown})

    return sign


def authentic(session: Session, store: Store | Writing, at: Span) -> None:
    """Raises `Refused` unless the caller has the key of the principal they act as.

    And that the log is the one they know of, if they know of one.
    """
    known = session.expected
    if known is not None and known.revision and store.digest(known.revision) != known.digest:
        raise Refused(ROLLED_BACK.at(at, expected=str(known)))
    keys = store.keys_of(session.principal)
    if not keys:
        return
    trusted = active_keys(store, session.principal)
    if not any(signer.public in trusted for signer in session.signers):
        reason, help = "its key is needed", "give it with --key FILE"
        if session.signers:
            reason = "the key is not trusted"
            help = "headwater key trust FILE.pub --store STATE --key OLD lets another key count"
        raise Refused(
            codes.NOT_AUTHENTIC.at(at, principal=session.principal, reason=reason, help=help)
        )


def untrusted_keys(session: Session, store: Store | Writing, at: Span) -> tuple[Diagnostic, ...]:
    """A warning for every key that was given and does not count."""
    known = {key.public_key for key in store.all_keys() if key.revoked is None}
    return tuple(
        codes.KEY_UNTRUSTED.at(
            at, name=signer.name, help=f"headwater key trust {signer.name}.pub --store STATE"
        )
        for signer in session.signers
        if signer.public not in known
    )


def is_stale(plan: Plan, writing: Writing) -> bool:
    """Whether anything that the plan looked at has changed since."""
    if writing.head == plan.revision:
        return False
    for place, revision in plan.looked.items():
        version = writing.read(key_of(place))
        if (0 if version is None else version.revision) != revision:
            return True
    return False


def clock_warnings(session: Session, writing: Writing, at: Span) -> tuple[Diagnostic, ...]:
    """A warning if the clock is behind the last commit."""
    now, last = iso(session.clock()), writing.last_time()
    if last is None or now >= last:
        return ()
    return (CLOCK_BACK.at(at, revision=writing.head + 1, at=now, before=last),)


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a commit is of: its id, kind, the revision it began on, and facts for the log."""

    id: str
    kind: str
    base: int
    facts: dict[str, Any]


def bare_entry(writing: Writing, name: str, kind: str, session: Session) -> Entry:
    """An entry that writes no value: a world is opened, or dropped."""
    head, now = writing.head, iso(session.clock())
    return Entry(head + 1, name, kind, session.principal, head, now, {}, {}, {}, {})


def append(
    writing: Writing,
    store: Store,
    session: Session,
    occasion: Occasion,
    plan: Plan,
    endorsing: Endorsing,
    endorsements: Sequence[Endorsement],
) -> Committed:
    """Appends the commit and everything that belongs to it."""
    agreed = {session.principal, *(one.principal for one in endorsements)}
    # Typing promises it (escape power); a commit that broke it would be the worst of bugs.
    assert all(place_at(key).node in agreed for key in plan.writes)
    now = iso(session.clock())
    worlds = tuple(f"{occasion.id}.{world.name}" for world in plan.worlds)
    for id in worlds:
        known = writing.world(id)
        if known is not None:
            owner = f"a world of {known.principal}"
            raise Refused(ID_USED.at(endorsing.at, id=id, owner=owner))
    facts = {
        **occasion.facts,
        "reads": dict(plan.reads),
        "blocks": [block.as_json() for block in plan.blocks],
        "worlds": list(worlds),
        "policies": endorsing.evidence(),
    }
    entry = Entry(
        writing.head + 1,
        occasion.id,
        occasion.kind,
        session.principal,
        occasion.base,
        now,
        plan.writes,
        plan.merges,
        plan.details,
        facts,
        tuple(endorsements),
    )
    for source in plan.sources:
        writing.keep_source(source)
    writing.keep_trace(occasion.id, plan.trace)
    for id, world in zip(worlds, plan.worlds, strict=True):
        body = canonical({**world.body, **occasion.facts, "trace": occasion.id})
        writing.open_world(OpenedWorld(id, world.name, session.principal, plan.revision, now, body))
    for node, domain in endorsing.relied.items():
        writing.relied_on(node, domain.serial)
    if occasion.kind == "world":
        writing.close_world(occasion.id, "committed", entry.revision)
    made = writing.append(entry, signing(session, store, writing))
    return Committed(made, worlds)
