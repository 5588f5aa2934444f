"""Asking for permission: the caller themselves, a policy, a signed file, or somebody at a prompt.

For every need of a commit the answer is an `Endorsement` that goes into the log with it, or
a diagnostic that says why there is none.  Each way to be refused has its own code.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from headwater.langs.opal.printer import show_name
from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.keys import Signer, verifies
from headwater.langs.opal.runtime.needs import Need
from headwater.langs.opal.runtime.policy import Domain, NotGranted, Policy, granted
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import (
    Asked,
    Head,
    Signed,
    iso,
    parse_time,
    sign,
)
from headwater.langs.opal.runtime.stored import Stored
from headwater.report import Code
from headwater.store import Endorsement, Key
from headwater.store.codes import ROLLED_BACK
from headwater.store.records import FIRST_DIGEST, canonical
from headwater.text import NOWHERE, Source, Span

Prompt = Callable[[Asked], bool]
"""Shows a request to somebody who can answer for the node, and gives their answer."""


PROMPTED_LIFETIME = timedelta(hours=1)


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Session:
    """Who commits, and what they have to show."""

    principal: str
    signers: tuple[Signer, ...] = ()
    policy: Policy | None = None
    endorsements: tuple[Signed, ...] = ()
    prompt: Prompt | None = None
    clock: Callable[[], datetime] = utc_now
    location: str = "home"
    check_reads: bool = True
    at_terminal: bool = True
    """Whether who answers `prompt` sees what they are asked; nobody else signs there."""
    expected: Head | None = None
    """An entry of the log that the caller knows of."""


class Keys(Protocol):
    """The questions about keys, policies and the log that a store answers."""

    def keys_of(self, principal: str) -> list[Key]: ...

    def used(self, nonce: str) -> int | None: ...

    def serial(self, domain: str) -> int: ...

    def digest(self, revision: int) -> str | None: ...

    def last_time(self) -> str | None: ...


def active_keys(keys: Keys, principal: str) -> set[str]:
    """The keys of a principal that count now."""
    return {key.public_key for key in keys.keys_of(principal) if key.revoked is None}


def latest(now: datetime, last: str | None) -> datetime:
    """The time, or that of the last entry of the log if the clock has gone back since."""
    try:
        return now if last is None else max(now, parse_time(last))
    except ValueError:
        return now


_DIFFERENT = (
    ("writes", "the variables that would be written are"),
    ("effect", "the values that would be written are"),
    ("merges", "the merges that the variables would get are"),
    ("reads", "the variables that it depends on are"),
    ("caller", "the principal who asks is"),
    ("hash", "the values that would be replaced, or the text that was shown, are"),
)


class Endorsing:
    """One commit asking for its permissions."""

    def __init__(
        self, session: Session, keys: Keys, store: str, world: str, stored: Stored, at: Span
    ) -> None:
        self.session = session
        self.keys = keys
        self.store = store
        self.world = world
        self.stored = stored
        self.at = at
        self.relied: dict[str, Domain] = {}
        """Policies that were used."""
        self.now = latest(session.clock(), keys.last_time())
        self.head = Head(stored.revision, keys.digest(stored.revision) or FIRST_DIGEST)

    def asked(self, need: Need, head: Head | None = None) -> Asked:
        """The request about a need, as it is now or as it was at an earlier end of the log."""
        return Asked.about(need, self.store, self.world, self.session.principal, head or self.head)

    def all(self, needs: Sequence[Need], *, ask: bool) -> list[Endorsement]:
        """An endorsement for every need; raises `Refused`.  Only with `ask` is anybody asked."""
        return [self.one(need, ask=ask) for need in needs]

    def again(
        self, needs: Sequence[Need], answered: Sequence[Endorsement]
    ) -> list[Endorsement] | None:
        """The endorsements as they hold now, asking nobody; none if somebody must be asked anew.

        Raises `Refused` where asking would not help.
        """
        found = []
        for need in needs:
            before = next((e for e in answered if e.principal == need.node), None)
            if before is not None and self.still_holds(before, need):
                found.append(before)
                continue
            try:
                found.append(self.one(need, ask=False))
            except Refused:
                if self.session.prompt is None:
                    raise
                return None
        return found

    def still_holds(self, given: Endorsement, need: Need) -> bool:
        """Whether an answer from a prompt is about this very effect, and its key still good."""
        if given.how != "prompt" and not any(
            signer.public == given.public_key for signer in self.session.signers
        ):
            return False
        says = json.loads(given.statement)
        same = says["hash"] == self.asked(need, Head.read(says["head"])).hash
        if given.public_key is None:
            return bool(same)
        keys = active_keys(self.keys, says["signer"]) | active_keys(self.keys, need.node)
        return bool(same) and given.public_key in keys

    def one(self, need: Need, *, ask: bool) -> Endorsement:
        """The first of the ways that leads to a yes."""
        domain = self.domain(need.node)
        owners = (need.node, *(domain.owners if domain is not None else ()))
        caller = self.session.principal
        if caller in owners and self.believes(need.node):
            return self.unsigned(need, "caller", {})
        given = [e for e in self.session.endorsements if e.statement["node"] == need.node]
        if given:
            return self.first_good(need, given, owners)
        no: NotGranted | None = None
        if domain is not None:
            found = granted(domain, need, caller, self.now, self.stored)
            if not isinstance(found, NotGranted):
                if domain.grants[found].to == "*" or self.believes(need.node):
                    return self.by_policy(need, domain, found)
                found = NotGranted(f"the store knows no key of {caller} (headwater key trust)")
            no = found
        if self.session.prompt is not None and ask:
            return self.prompted(need, owners)
        if no is not None and no.expired is not None:
            raise self.refused(codes.EXPIRED, need, expires=iso(no.expired))
        reason = no.reason if no is not None else "no policy grants it and nobody was asked"
        raise self.refused(codes.DENIED, need, reason=reason)

    def believes(self, node: str) -> bool:
        """Whether a node takes the caller for who they say they are.

        Who acts as a principal whose key the store knows has shown the key (`authentic`).  A
        node with a key of its own believes nobody else; one without believes everybody.
        """
        return bool(self.keys.keys_of(self.session.principal) or not self.keys.keys_of(node))

    def first_good(self, need: Need, given: Sequence[Signed], owners: Sequence[str]) -> Endorsement:
        """The first endorsement that holds; otherwise what is wrong with the first."""
        first: Refused | None = None
        for one in given:
            try:
                return self.signed(need, one, owners)
            except Refused as refused:
                first = first or refused
        assert first is not None
        raise first

    def by_policy(self, need: Need, domain: Domain, grant: int) -> Endorsement:
        """A yes given in advance, with the section and its signature as they were."""
        facts = {"grant": grant, "serial": domain.serial, "policy": domain.text}
        made = self.unsigned(need, "policy", facts)
        shown = self.evidence()[need.node]
        return replace(made, signature=shown["signature"], public_key=shown["public_key"])

    def refused(self, code: Code, need: Need, **fields: Any) -> Refused:  # noqa: ANN401
        """A refusal, at the program or the endorsement file that it is about."""
        block = need.blocks[0].at
        at = fields.pop("span", block if block is not NOWHERE else self.at)
        return Refused(code.at(at, node=show_name(need.node), **fields))

    def unsigned(self, need: Need, how: str, facts: dict[str, Any]) -> Endorsement:
        """A yes that rests on who calls, on a policy or on somebody's answer."""
        statement = {**self.asked(need).claims(), "by": self.session.principal, **facts}
        return Endorsement(secrets.token_hex(16), need.node, how, canonical(statement))

    # --- policies ---------------------------------------------------------------------

    def domain(self, node: str) -> Domain | None:
        """What the policy says for a node, if it is the node that says so."""
        policy = self.session.policy
        domain = policy.domains.get(node) if policy is not None else None
        if policy is None or domain is None:
            return None
        at = Source(policy.file, "").span(0, 0)
        shown = show_name(node)
        given = policy.signatures.get(node)
        known = self.keys.keys_of(node)
        meant = policy.store or (given.store if given is not None and known else None)
        if meant not in (None, self.store):
            raise Refused(
                codes.POLICY_OTHER_STORE.at(at, node=shown, found=meant, wanted=self.store)
            )
        if known:
            reason = None
            if given is None:
                reason = "there is none"
            elif given.public_key not in active_keys(self.keys, node):
                reason = "its key is not trusted"
            elif not verifies(given.public_key, given.signature, domain.signed_text(self.store)):
                reason = "it does not fit what is written"
            if reason is not None:
                raise Refused(codes.POLICY_UNSIGNED.at(at, node=shown, reason=reason))
        serial = self.keys.serial(node)
        if domain.serial < serial:
            raise Refused(codes.POLICY_OLD.at(at, node=shown, found=domain.serial, known=serial))
        self.relied[node] = domain
        return domain

    def evidence(self) -> dict[str, dict[str, Any]]:
        """The policies that were used with their signatures, for the log."""
        policy = self.session.policy
        found = {}
        for node, domain in self.relied.items():
            given = policy.signatures.get(node) if policy is not None else None
            found[node] = {
                "section": domain.text,
                "public_key": None if given is None else given.public_key,
                "signature": None if given is None else given.signature,
            }
        return found

    def may_read(self, node: str) -> bool:
        """Whether the caller may read a node's variables in a world, where nobody is asked.

        A node whose key nobody knows has nothing to protect it with, so it protects nothing.
        """
        domain = self.domain(node)
        caller = self.session.principal
        if domain is not None and "*" in domain.read:
            return True
        named = (node, *(domain.owners + domain.read if domain is not None else ()))
        if caller in named:
            return self.believes(node)
        return domain is None and not self.keys.keys_of(node)

    # --- signatures -------------------------------------------------------------------

    def signed(self, need: Need, given: Signed, owners: Sequence[str]) -> Endorsement:
        """A signed endorsement, if everything it says is so."""
        says = given.statement
        span = Source(given.file, "").span(0, 0)
        trusted = set().union(*(active_keys(self.keys, owner) for owner in owners))
        if not verifies(given.public_key, given.signature, given.text):
            raise self.refused(codes.FORGED, need, span=span)
        if given.public_key not in trusted:
            raise self.refused(codes.UNKNOWN_KEY, need, span=span)
        if (says["store"], says["world"]) != (self.store, self.world):
            found = says["world"] if says["store"] == self.store else "another store"
            raise self.refused(codes.OTHER_WORLD, need, span=span, found=found, wanted=self.world)
        revision = self.keys.used(says["nonce"])
        if revision is not None:
            raise self.refused(codes.REPLAYED, need, span=span, revision=revision)
        if parse_time(says["expires"]) <= self.now:
            raise self.refused(codes.EXPIRED, need, span=span, expires=says["expires"])
        head = Head.read(says["head"])
        if head.revision and self.keys.digest(head.revision) != head.digest:
            raise Refused(ROLLED_BACK.at(span, expected=str(head)))
        self.compare(need, says, span)
        return Endorsement(
            says["nonce"], need.node, "signed", given.text, given.signature, given.public_key
        )

    def compare(self, need: Need, says: dict[str, Any], span: Span) -> None:
        """Raises `Refused` unless a statement is about this need and no other."""
        if says["blocks"] != need.pairs:
            there = sorted({pair[0] for pair in says["blocks"]})
            here = sorted({block.location for block in need.blocks})
            if there != here:
                raise self.refused(
                    codes.OTHER_LOCATION,
                    need,
                    span=span,
                    found=", ".join(there),
                    wanted=", ".join(here),
                )
            raise self.refused(codes.OTHER_COMMAND, need, span=span)
        wanted = self.asked(need, Head.read(says["head"])).claims()
        different = next((what for part, what in _DIFFERENT if says[part] != wanted[part]), None)
        if different is not None:
            raise self.refused(codes.EFFECT_CHANGED, need, span=span, what=different)

    def prompted(self, need: Need, owners: Sequence[str]) -> Endorsement:
        """Somebody's answer; if the store knows the owners' keys, they must sign it."""
        prompt = self.session.prompt
        assert prompt is not None
        asked = self.asked(need)
        trusted = set().union(*(active_keys(self.keys, owner) for owner in owners))
        known = any(self.keys.keys_of(owner) for owner in owners)
        signer = next((s for s in self.session.signers if s.public in trusted), None)
        if known and signer is None:
            raise self.refused(codes.DENIED, need, reason="a key of its owners is needed")
        if signer is not None and not self.session.at_terminal:
            reason = "only somebody at a terminal can sign here (headwater endorse can elsewhere)"
            raise self.refused(codes.DENIED, need, reason=reason)
        if not prompt(asked):
            raise self.refused(codes.DENIED, need, reason="the answer was no")
        if signer is None:
            return self.unsigned(need, "prompt", {})
        expires = self.session.clock() + PROMPTED_LIFETIME
        made = sign(asked.statement(signer.name, expires), signer)
        return Endorsement(
            made.statement["nonce"], need.node, "signed", made.text, made.signature, signer.public
        )
