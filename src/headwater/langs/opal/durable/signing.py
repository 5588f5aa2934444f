"""Signing: what a request or a policy says, as its owner must see it, and their signature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.langs.durable import FORMAT_VERSION, Asked, PrivateKey, Problem, Section
from headwater.langs.opal.durable.running import opened, problems
from headwater.text import Source

if TYPE_CHECKING:
    from datetime import datetime

    from headwater.langs.opal.runtime.policy import Domain


def read_asked(file: str) -> Asked:
    """A request; its texts and its hash are made anew."""
    from headwater.langs.opal.runtime.statements import read_request

    with problems():
        return read_request(file)


def signer_of(key: str) -> PrivateKey:
    """The private key of a file."""
    from headwater.langs.opal.runtime.keys import read_private

    with problems():
        return read_private(key)


def until(expires: str | None) -> tuple[datetime, str]:
    """When an endorsement that is signed now ends, and as it is written; raises `ValueError`."""
    from headwater.langs.opal.runtime.endorsing import utc_now
    from headwater.langs.opal.runtime.statements import LIFETIME, iso, parse_time

    ends = utc_now() + LIFETIME if expires is None else parse_time(expires)
    return ends, iso(ends)


def agreed(shown: str, given: str) -> None:
    """Raises `Problem` unless the hash that somebody gives is that of what is shown."""
    from headwater.langs.opal.runtime.codes import OTHER_HASH

    if given != shown:
        at = Source("(endorse)", "").span(0, 0)
        raise Problem(OTHER_HASH.at(at, given=given, shown=shown))


def unseen(hash: str) -> Problem:
    """The refusal to sign what nobody has read."""
    from headwater.langs.opal.runtime.codes import UNSEEN

    at = Source("(endorse)", "").span(0, 0)
    return Problem(UNSEEN.at(at, help=f"read what is shown, then sign with --yes-to {hash}"))


def endorse(asked: Asked, key: PrivateKey, signer: str, ends: datetime, out: Path) -> str:
    """Signs a request and writes the endorsement; the time it expires."""
    from headwater.langs.opal.runtime.documents import write_json
    from headwater.langs.opal.runtime.keys import Signer
    from headwater.langs.opal.runtime.statements import Asked as Request
    from headwater.langs.opal.runtime.statements import sign

    assert isinstance(asked, Request)
    assert isinstance(key, Signer)
    statement = asked.statement(signer, ends)
    with problems():
        write_json(out, sign(statement, key).as_json())
    return str(statement["expires"])


def read_domain(file: str, node: str, store: str | None) -> tuple[Domain, str]:
    """What a policy says for a node, and the id of the store that it is signed for."""
    from headwater.langs.opal.runtime.codes import POLICY_INVALID, POLICY_OTHER_STORE
    from headwater.langs.opal.runtime.policy import load_policy

    at = Source(file, "").span(0, 0)
    with problems():
        policy = load_policy(file)
    domain = policy.domains.get(node)
    if domain is None:
        raise Problem(POLICY_INVALID.at(at, reason=f"it says nothing for {node}"))
    id = policy.store
    if store is not None:
        with opened(store, reading=True) as db:
            id = db.id
        if policy.store not in (None, id):
            raise Problem(POLICY_OTHER_STORE.at(at, node=node, found=policy.store, wanted=id))
    if id is None:
        reason = 'it is signed for one store: give --store STATE, or write store = "ID" into it'
        raise Problem(POLICY_INVALID.at(at, reason=reason))
    return domain, id


def read_section(file: str, node: str, store: str | None) -> Section:
    """What a policy says for a node, and all that a signature of it covers."""
    from headwater.store.records import sha256

    domain, id = read_domain(file, node, store)
    signed = domain.signed_text(id)
    return Section(file, domain.node, id, signed, sha256(signed), json.loads(domain.text))


def sign_section(section: Section, key: PrivateKey) -> Path:
    """Signs exactly what was shown, and adds the signature to those that are there."""
    return sign_text(section.file, section.node, section.store, section.signed, key)


def endorse_policy(file: str, node: str, key: str, store: str | None = None) -> Path:
    """Signs a domain's section of a policy for a store; the file of signatures."""
    domain, id = read_domain(file, node, store)
    return sign_domain(file, domain, id, signer_of(key))


def sign_domain(file: str, domain: Domain, store: str, key: PrivateKey) -> Path:
    """Signs a section and adds the signature to those that are there."""
    return sign_text(file, domain.node, store, domain.signed_text(store), key)


def sign_text(file: str, node: str, store: str, text: str, key: PrivateKey) -> Path:
    """Signs what a node says in a policy for a store; the file of signatures."""
    from headwater.langs.opal.runtime.documents import alone_with, write_json
    from headwater.langs.opal.runtime.keys import Signer
    from headwater.langs.opal.runtime.policy import load_policy, signature_file

    assert isinstance(key, Signer)
    path = signature_file(file)
    signature = key.sign(text)
    with problems(), alone_with(file):
        # What others have signed meanwhile stays.
        found = {
            name: {"store": s.store, "public_key": s.public_key, "signature": s.signature}
            for name, s in load_policy(file).signatures.items()
        }
        found[node] = {"store": store, "public_key": key.public, "signature": signature}
        write_json(path, {"format_version": FORMAT_VERSION, "signatures": found})
    return path


def write_text(path: Path, text: str) -> None:
    """Writes a text that is to be read before something is signed."""
    from headwater.langs.opal.runtime.documents import write_whole

    with problems():
        write_whole(path, text)
