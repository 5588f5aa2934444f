"""Carrying out a plan: one transaction that checks everything again and appends to the log."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.endorsing import Endorsing, Session, active_keys
from headwater.langs.opal.runtime.keys import verifies
from headwater.langs.opal.runtime.plans import Plan
from headwater.langs.opal.runtime.policy import signed_text as policy_text
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import iso
from headwater.langs.opal.runtime.stored import key_of, place_at
from headwater.store import Endorsement, Entry, OpenedWorld, Store, Writing
from headwater.store.records import canonical, sha256
from headwater.text import Span

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit that is durable; `again` if it was so before this attempt."""

    entry: Entry
    worlds: tuple[str, ...] = ()
    again: bool = False


def new_id() -> str:
    """An id that nobody else has."""
    return secrets.token_hex(8)


def is_id(text: str) -> bool:
    """Whether a text may be an id."""
    return bool(_ID.match(text))


def authentication_text(store: str, entry: Entry) -> str:
    """What a principal signs to show that a commit is theirs."""
    return canonical(
        {
            "kind": "commit",
            "store": store,
            "world": entry.world,
            "principal": entry.principal,
            "base": entry.base,
            "writes": sha256(canonical(dict(entry.writes))),
        }
    )


def authentic(session: Session, store: Store | Writing, at: Span) -> None:
    """That the caller has the key of the principal they act as; raises `Refused`."""
    keys = store.keys_of(session.principal)
    if not keys:
        return
    trusted = active_keys(store, session.principal)
    if not any(signer.public in trusted for signer in session.signers):
        reason = "its key is needed" if not session.signers else "the key is not trusted"
        raise Refused(codes.NOT_AUTHENTIC.at(at, principal=session.principal, reason=reason))


def is_stale(plan: Plan, writing: Writing) -> bool:
    """Whether anything that the plan looked at has changed since."""
    if writing.head == plan.revision:
        return False
    for place, revision in plan.looked.items():
        version = writing.read(key_of(place))
        if (0 if version is None else version.revision) != revision:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a commit is of: its id, kind, the revision it began on, and facts for the log."""

    id: str
    kind: str
    base: int
    facts: dict[str, Any]


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
    facts = {
        **occasion.facts,
        "reads": dict(plan.reads),
        "blocks": [block.as_json() for block in plan.blocks],
        "worlds": list(worlds),
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
    trusted = active_keys(writing, session.principal)
    signer = next((s for s in session.signers if s.public in trusted), None)
    if signer is not None:
        signature = signer.sign(authentication_text(store.id, entry))
        facts["authentication"] = {"public_key": signer.public, "signature": signature}
    writing.append(entry)
    for source in plan.sources:
        writing.keep_source(source)
    writing.keep_trace(occasion.id, plan.trace)
    for id, world in zip(worlds, plan.worlds, strict=True):
        body = canonical({**world.body, **occasion.facts, "trace": occasion.id})
        writing.open_world(OpenedWorld(id, world.name, session.principal, plan.revision, now, body))
    for node, serial in endorsing.relied.items():
        writing.relied_on(node, serial)
    return Committed(entry, worlds)


def judge(store: Store, entry: Entry, one: Endorsement) -> str | None:
    """What is wrong with a recorded endorsement: the check of ``store verify``."""
    says = json.loads(one.statement)
    if (says.get("store"), says.get("world"), says.get("node")) != (
        store.id,
        entry.world,
        one.principal,
    ):
        return "it is for another commit"
    if one.how in ("caller", "prompt") or (one.how == "policy" and one.public_key is None):
        return None
    if one.signature is None or one.public_key is None:
        return "its signature is missing"
    text = one.statement
    if one.how == "policy":
        text = policy_text(store.id, one.principal, says["policy"])
    if not verifies(one.public_key, one.signature, text):
        return "its signature does not fit"
    if one.public_key not in {key.public_key for key in store.all_keys()}:
        return "its key was never trusted"
    return None
