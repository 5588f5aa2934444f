"""Whose keys count: trusting, exchanging and revoking them, each an entry of the log.

The first key of a principal is taken on trust, from whoever can write the store; every later
change must be signed with a key of theirs that counts already.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.opal.runtime import codes
from headwater.langs.opal.runtime.commits import new_id
from headwater.langs.opal.runtime.endorsing import active_keys, utc_now
from headwater.langs.opal.runtime.keys import PublicKey, Signer
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.statements import iso
from headwater.store import Entry, Key, Store, Writing
from headwater.store.records import canonical
from headwater.text import Source

KIND = "keys"


def change_keys(
    store: Store,
    principal: str,
    *,
    add: PublicKey | None = None,
    revoke: str | None = None,
    signer: Signer | None = None,
) -> Entry:
    """Adds a key, revokes one, or both; raises `Refused`."""
    at = Source(store.path, "").span(0, 0)

    def refused(reason: str) -> Refused:
        return Refused(codes.KEY_REFUSED.at(at, principal=principal, reason=reason))

    now = iso(utc_now())
    with store.writing() as writing:
        known = {key.public_key for key in writing.keys_of(principal)}
        active = active_keys(writing, principal)
        if add is not None and add.key in known:
            raise refused("the store knows this key already")
        if revoke is not None and revoke not in active:
            raise refused("the key to be revoked is not in force")
        if known and (signer is None or signer.public not in active):
            raise refused("a key of theirs that is in force must sign for it (--key)")
        id = new_id()
        change: dict[str, Any] = {
            "principal": principal,
            "add": add.key if add is not None else None,
            "revoke": revoke,
            "by": signer.public if signer is not None and known else None,
        }
        if change["by"] is not None:
            assert signer is not None
            change["signature"] = signer.sign(signed_text(store.id, id, change))
        entry = Entry(
            writing.head + 1, id, KIND, principal, writing.head, now, {}, {}, {}, {"keys": change}
        )
        apply(writing, change, now)
        return writing.append(entry)


def signed_text(store: str, id: str, change: dict[str, Any]) -> str:
    """What the signature of a change covers."""
    parts = {name: change[name] for name in ("principal", "add", "revoke", "by")}
    return canonical({"kind": "keys", "store": store, "id": id, **parts})


def apply(writing: Writing, change: dict[str, Any], at: str) -> None:
    """A change of keys, in the table."""
    principal = change["principal"]
    if change["add"] is not None:
        writing.add_key(Key(principal, change["add"], at))
    if change["revoke"] is not None:
        writing.revoke_key(principal, change["revoke"], at)
