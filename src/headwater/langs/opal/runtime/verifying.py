"""What ``store verify`` asks of every entry: that all who had to say yes have said it.

Keys and permissions are judged as they were at the time: the log is read from its beginning,
and what an entry needed is made anew from it, as the commit made it from the program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from headwater.langs.opal.result import read_place
from headwater.langs.opal.runtime.canonical import NotSyntax
from headwater.langs.opal.runtime.commits import AUTHENTICATION, authentication_text
from headwater.langs.opal.runtime.kept_merges import changed
from headwater.langs.opal.runtime.keys import verifies
from headwater.langs.opal.runtime.needs import Block, Need, needs_of
from headwater.langs.opal.runtime.policy import (
    Domain,
    NotGranted,
    domain_of,
    granted,
    signed_text,
)
from headwater.langs.opal.runtime.statements import Asked, Head, parse_time
from headwater.langs.opal.runtime.stored import Stored
from headwater.langs.opal.runtime.trust import KIND
from headwater.langs.opal.runtime.trust import signed_text as change_text
from headwater.report import Diagnostic
from headwater.store import Endorsement, Entry, Key, Store
from headwater.store.codes import BAD_ENDORSEMENT, DIFFERS_FROM_LOG
from headwater.store.records import canonical, sha256
from headwater.text import Source


class Wrong(Exception):
    """An endorsement does not hold; `args[0]` says why."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A policy that an entry rested on."""

    domain: Domain
    signed: bool
    """With a key of the domain that counted then."""


class Verifying:
    """Reads a log from its beginning; satisfies `store.verify.Examiner`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.at = Source(store.path, "").span(0, 0)
        self.keys: dict[tuple[str, str], Key] = {}
        self.nonces: set[str] = set()

    # --- keys -------------------------------------------------------------------------

    def active(self, principal: str) -> set[str]:
        """The keys of a principal that count now."""
        return {
            key.public_key
            for key in self.keys.values()
            if key.principal == principal and key.revoked is None
        }

    def has_key(self, principal: str) -> bool:
        """Whether a principal has, or had, a key."""
        return any(key.principal == principal for key in self.keys.values())

    def key_problem(self, principal: str, reason: str) -> Diagnostic:
        """The problem of a principal whose keys are not in order."""
        return DIFFERS_FROM_LOG.at(self.at, key=f"the key of {principal}", reason=reason)

    def change(self, entry: Entry) -> Iterator[Diagnostic]:
        """An entry that changes keys."""
        change = entry.facts["keys"]
        principal, by = change["principal"], change["by"]
        if self.has_key(principal):
            text = change_text(self.store.id, entry.world, change)
            if by not in self.active(principal) or not verifies(
                by, change.get("signature", ""), text
            ):
                reason = f"nobody signed for the change of commit {entry.revision}"
                yield self.key_problem(principal, reason)
        added, revoked = change["add"], change["revoke"]
        if added is not None:
            self.keys[principal, added] = Key(principal, added, entry.at)
        old = self.keys.get((principal, revoked))
        if old is not None:
            self.keys[principal, revoked] = Key(principal, old.public_key, old.added, entry.at)

    def end(self) -> Iterator[Diagnostic]:
        """The table of keys is what their changes led to."""
        held = {(key.principal, key.public_key): key for key in self.store.all_keys()}
        for pair in sorted(held.keys() | self.keys.keys()):
            if held.get(pair) != self.keys.get(pair):
                yield self.key_problem(pair[0], "it was changed without an entry of the log")

    # --- entries ----------------------------------------------------------------------

    def entry(self, entry: Entry, before: str) -> Iterator[Diagnostic]:
        """The next entry."""
        try:
            found = list(self.endorsed(entry))
            yield from found
            if entry.kind == KIND:
                yield from self.change(entry)
            elif not found and not self.authentic(entry, before):
                # Who changed an endorsement has broken this signature too: one problem, not two.
                reason = f"commit {entry.revision} is not signed with it"
                yield self.key_problem(entry.principal, reason)
        except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
            reason = f"it lacks a part ({error})"
            yield DIFFERS_FROM_LOG.at(self.at, key=f"commit {entry.revision}", reason=reason)

    def authentic(self, entry: Entry, before: str) -> bool:
        """Whether an entry carries the signature of its principal, if they have a key."""
        if not self.has_key(entry.principal):
            return True
        shown = entry.facts.get(AUTHENTICATION) or {}
        public, signature = shown.get("public_key", ""), shown.get("signature", "")
        text = authentication_text(self.store.id, entry, before)
        if not entry.covers:
            text = _first_format(self.store.id, entry)
        return public in self.active(entry.principal) and verifies(public, signature, text)

    def endorsed(self, entry: Entry) -> Iterator[Diagnostic]:
        """All endorsements hold, and none is missing."""
        needs = self.needs(entry)
        policies = self.policies(entry)
        said = set()
        for one in entry.endorsements:
            said.add(one.principal)
            try:
                self.judge(entry, one, needs.get(one.principal), policies)
            except Wrong as wrong:
                yield self.bad(entry, one.principal, str(wrong))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                yield self.bad(entry, one.principal, f"it lacks a part ({error})")
        for node in sorted({*needs, *map(_owner, entry.writes)} - said):
            if node != entry.principal and self.has_key(node):
                yield self.bad(entry, node, "there is none")

    def bad(self, entry: Entry, node: str, reason: str) -> Diagnostic:
        """An endorsement that does not hold."""
        return BAD_ENDORSEMENT.at(self.at, revision=entry.revision, principal=node, reason=reason)

    def needs(self, entry: Entry) -> dict[str, Need]:
        """What every node was asked, made anew from the entry and the values before it."""
        blocks = []
        for data in entry.facts.get("blocks", ()):
            if "syntax" in data:
                blocks.append(Block.read(data))
            else:
                # The first format kept no more than hash and text.
                blocks.append(Block(**data))
        before: dict[str, str | None] = {}
        merges = {}
        for key in entry.writes:
            version = self.store.read(key, entry.revision - 1)
            before[key] = None if version is None else version.value
            try:
                before_it = None if version is None else version.merge
                merge = changed(before_it, entry.merges.get(key))
            except NotSyntax as error:
                raise ValueError(f"the merge of {key}: {error}") from None
            if merge is not None:
                merges[key] = merge
        reads = [key for key in entry.facts.get("reads", {}) if _owner(key)]
        writes = {key: value for key, value in entry.writes.items() if _owner(key)}
        return {n.node: n for n in needs_of(blocks, reads, writes, before, merges)}

    def policies(self, entry: Entry) -> dict[str, Shown]:
        """The policies that the entry rested on."""
        found = {}
        for node, data in entry.facts.get("policies", {}).items():
            text = signed_text(self.store.id, node, data["section"])
            public = data["public_key"]
            signed = public in self.active(node) and verifies(public, data["signature"], text)
            found[node] = Shown(domain_of(node, data["section"]), signed)
        return found

    # --- one endorsement --------------------------------------------------------------

    def judge(
        self, entry: Entry, one: Endorsement, need: Need | None, policies: Mapping[str, Shown]
    ) -> None:
        """Raises `Wrong` unless an endorsement holds."""
        says = json.loads(one.statement)
        asked = (self.store.id, entry.world, one.principal)
        if (says.get("store"), says.get("world"), says.get("node")) != asked or need is None:
            raise Wrong("it is for another commit")
        if one.nonce in self.nonces:
            raise Wrong("it was used before")
        self.nonces.add(one.nonce)
        self.same(entry, says, need)
        shown = policies.get(one.principal)
        if shown is not None and not shown.signed and self.has_key(one.principal):
            raise Wrong("its policy is not signed")
        owners = {one.principal, *(shown.domain.owners if shown is not None else ())}
        match one.how:
            case "signed":
                self.signed(entry, one, says, owners)
            case "policy":
                self.granted(entry, one, says, need)
            case "caller":
                named = says.get("by") == entry.principal
                if not named or (entry.covers and entry.principal not in owners):
                    raise Wrong("its caller is none of its owners")
                self.believed(entry, one.principal)
            case "prompt":
                if any(self.has_key(owner) for owner in owners):
                    raise Wrong("its owners have keys, and nobody signed")
            case other:
                raise Wrong(f"it was given in no way that there is ({other})")

    def same(self, entry: Entry, says: Mapping[str, Any], need: Need) -> None:
        """Raises `Wrong` unless what was agreed to is what was done."""
        if "hash" not in says and entry.covers:
            raise Wrong("it does not say what was seen")
        if says["blocks"] != need.pairs or says["effect"] != need.effect_hash:
            raise Wrong("it is about other values or commands")
        if "hash" not in says:
            return
        head = Head.read(says["head"])
        if head.revision and self.store.digest(head.revision) != head.digest:
            raise Wrong("it was given for another history")
        claims = Asked.about(need, self.store.id, entry.world, entry.principal, head).claims()
        if any(says.get(part) != claim for part, claim in claims.items()):
            raise Wrong("it is about other values, merges or texts")

    def signed(
        self, entry: Entry, one: Endorsement, says: Mapping[str, Any], owners: set[str]
    ) -> None:
        """A signature of an owner, good at the time."""
        if one.signature is None or one.public_key is None:
            raise Wrong("its signature is missing")
        if not verifies(one.public_key, one.signature, one.statement):
            raise Wrong("its signature does not fit")
        known = set().union(*(self.active(owner) for owner in owners))
        if not entry.covers:
            # The first format did not keep the policy that named the owner.
            known = {key.public_key for key in self.keys.values()}
        if one.public_key not in known:
            raise Wrong("its key was not trusted then")
        if one.nonce != says["nonce"]:
            raise Wrong("it has another nonce")
        if parse_time(says["expires"]) <= parse_time(entry.at):
            raise Wrong("it had expired")

    def granted(self, entry: Entry, one: Endorsement, says: Mapping[str, Any], need: Need) -> None:
        """A grant of a policy that covers what was done."""
        if self.has_key(one.principal):
            text = signed_text(self.store.id, one.principal, says["policy"])
            if not entry.covers:
                data = {"kind": "policy", "node": one.principal}
                text = canonical({**data, "section": json.loads(says["policy"])})
            if one.public_key is None or one.signature is None:
                raise Wrong("its signature is missing")
            if not verifies(one.public_key, one.signature, text):
                raise Wrong("its signature does not fit")
            if one.public_key not in self.active(one.principal):
                raise Wrong("its key was not trusted then")
        if not entry.covers:
            return
        domain = domain_of(one.principal, says["policy"])
        stored = Stored(self.store, entry.revision - 1)
        found = granted(domain, need, entry.principal, parse_time(entry.at), stored)
        if isinstance(found, NotGranted):
            raise Wrong(found.reason)
        if domain.grants[found].to != "*":
            self.believed(entry, one.principal)

    def believed(self, entry: Entry, node: str) -> None:
        """Raises `Wrong` if a node with a key believed somebody who showed none."""
        if entry.covers and self.has_key(node) and not self.has_key(entry.principal):
            raise Wrong(f"{entry.principal} had no key to show")


def _owner(key: str) -> str:
    """The node whose variable a key is; nobody's if it is none."""
    place = read_place(key)
    return "" if place is None else place.node


def _first_format(store: str, entry: Entry) -> str:
    """What a principal signed before entries covered other tables."""
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
