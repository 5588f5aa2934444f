"""Requests and endorsements: what an owner is asked, and what they sign.

A request holds everything that its owner is shown.  Its hash covers all of that: who asks,
for which world of which store, the text of every block that would run, every value before and
after, every merge.  What is signed is that hash, with an expiry and a nonce.  The commit makes
the request anew, from the program and the store, and compares: a request that was changed on
its way leads to a hash that no commit ever has.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from headwater.langs.opal.printer import show_place
from headwater.langs.opal.result import read_place
from headwater.langs.opal.runtime.canonical import NotSyntax
from headwater.langs.opal.runtime.documents import (
    FORMAT_VERSION,
    bad_file,
    read_document,
    text_in,
    texts_in,
)
from headwater.langs.opal.runtime.kept_merges import Merge, from_rows
from headwater.langs.opal.runtime.keys import Signer
from headwater.langs.opal.runtime.needs import Block, Need, effect_hash, pairs_of
from headwater.langs.opal.values import Heap, NotASexp, from_plain
from headwater.store.records import FIRST_DIGEST, canonical, sha256
from headwater.text.named import NamedTuple

LIFETIME = timedelta(days=7)
"""How long an endorsement holds unless the owner says otherwise."""


class Head(NamedTuple):
    """The end of a log: its last revision, and the digest of that."""

    revision: int = 0
    digest: str = FIRST_DIGEST

    @classmethod
    def read(cls, text: object) -> Head:
        """The head that ``N:DIGEST`` spells; raises `ValueError`."""
        number, _, digest = text.partition(":") if isinstance(text, str) else ("", "", "")
        plain = number.isascii() and number.isdigit() and len(number) <= 18
        if not plain or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise ValueError("a number and a digest are wanted: N:DIGEST")
        return cls(int(number), digest)

    def __str__(self) -> str:
        return f"{self.revision}:{self.digest}"


NO_HEAD = Head()
"""The end of an empty log."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: what the principal of a node is asked to endorse."""

    store: str
    world: str
    caller: str
    node: str
    blocks: list[dict[str, Any]]
    reads: list[str]
    effect: dict[str, Any]
    before: dict[str, Any] = field(default_factory=dict)
    """The values that are replaced; none where there is none."""
    merges: Mapping[str, Merge] = field(default_factory=dict)
    head: Head = NO_HEAD
    """The end of the log when the request was made: the owner knows the store up to there."""

    @classmethod
    def about(cls, need: Need, store: str, world: str, caller: str, head: Head) -> Asked:
        """The request that a need leads to."""
        effect = {key: json.loads(value) for key, value in need.effect.items()}
        before = {k: None if v is None else json.loads(v) for k, v in need.before.items()}
        blocks = [block.as_json() for block in need.blocks]
        return cls(
            store, world, caller, need.node, blocks, list(need.reads), effect, before,
            need.merges, head,
        )  # fmt: skip

    def content(self) -> dict[str, Any]:
        """Everything that is shown and signed."""
        blocks = {(b["location"], b["command"], b["text"]) for b in self.blocks}
        return {
            "store": self.store,
            "head": str(self.head),
            "world": self.world,
            "caller": self.caller,
            "node": self.node,
            "blocks": [list(block) for block in sorted(blocks)],
            "reads": sorted(self.reads),
            "effect": self.effect,
            "before": self.before,
            "merges": {key: [merge.text, merge.hash] for key, merge in self.merges.items()},
        }

    @property
    def hash(self) -> str:
        """The hash of all that is shown, which is what is signed."""
        return sha256(canonical(self.content()))

    def as_json(self) -> dict[str, Any]:
        """The file."""
        return {
            "format_version": FORMAT_VERSION,
            "kind": "endorsement-request",
            "store": self.store,
            "head": str(self.head),
            "world": self.world,
            "caller": self.caller,
            "node": self.node,
            "blocks": self.blocks,
            "reads": self.reads,
            "effect": self.effect,
            "before": self.before,
            "merges": {key: merge.as_json() for key, merge in self.merges.items()},
            "effect_hash": effect_hash(self.effect),
            "hash": self.hash,
        }

    def claims(self) -> dict[str, Any]:
        """The parts of a statement that say what is agreed to; `hash` covers them all."""
        return {
            "store": self.store,
            "head": str(self.head),
            "world": self.world,
            "caller": self.caller,
            "node": self.node,
            "blocks": pairs_of((b["location"], b["command"]) for b in self.blocks),
            "reads": sorted(self.reads),
            "writes": sorted(self.effect),
            "effect": effect_hash(self.effect),
            "merges": {key: merge.hash for key, merge in self.merges.items()},
            "hash": self.hash,
        }

    def statement(self, signer: str, expires: datetime) -> dict[str, Any]:
        """What a signature covers."""
        return {
            "kind": "endorsement",
            **self.claims(),
            "signer": signer,
            "expires": iso(expires),
            "nonce": secrets.token_hex(16),
        }


def read_request(file: str) -> Asked:
    """The request of a file; raises `Refused`.

    The texts of blocks and merges are made anew from their syntax, and the hash from all of it.
    """
    data = read_document(file, "endorsement-request")
    try:
        node = text_in(data["node"])
        effect, before = dict(data["effect"]), dict(data["before"])
        if effect.keys() != before.keys():
            raise ValueError("effect and before are of other variables")
        for key, value in effect.items():
            _check_place(key, node)
            from_plain(Heap(), value, atoms=True)
            if before[key] is not None:
                from_plain(Heap(), before[key], atoms=True)
        merges = {}
        for key, merge in dict(data["merges"]).items():
            if key not in effect:
                raise ValueError(f"a merge of {key}, which is not written")
            merges[key] = from_rows(merge["syntax"], read_place(key))
        blocks = data["blocks"]
        if not isinstance(blocks, list):
            raise TypeError("blocks are a list")
        asked = Asked(
            text_in(data["store"]),
            text_in(data["world"]),
            text_in(data["caller"]),
            node,
            [Block.read(block).as_json() for block in blocks],
            texts_in(data["reads"]),
            effect,
            before,
            merges,
            Head.read(data["head"]),
        )
        for key in asked.reads:
            _check_place(key, node)
        if any(block["node"] != node for block in asked.blocks):
            raise ValueError("a block of another node")
        same = data["merges"] == {key: merge.as_json() for key, merge in merges.items()}
        hashes = (asked.hash, effect_hash(effect))
    except (NotSyntax, NotASexp) as error:
        raise bad_file(file, f"{error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise bad_file(file, f"a part is missing or of the wrong type ({error})") from None
    if not same or hashes != (data.get("hash"), data.get("effect_hash")):
        raise bad_file(file, "it does not have the hash that it states")
    return asked


def _check_place(key: object, node: str) -> None:
    place = read_place(text_in(key))
    if place is None or place.node != node or show_place(place) != key:
        raise ValueError(f"{key} is no variable of the node")


@dataclass(frozen=True, slots=True)
class Signed:
    """An endorsement: a statement with a signature."""

    statement: dict[str, Any]
    signature: str
    public_key: str
    file: str

    @property
    def text(self) -> str:
        """What was signed."""
        return canonical(self.statement)

    def as_json(self) -> dict[str, Any]:
        """The file."""
        return {
            "format_version": FORMAT_VERSION,
            "kind": "endorsement",
            "statement": self.statement,
            "signature": self.signature,
            "public_key": self.public_key,
        }


def sign(statement: dict[str, Any], signer: Signer, file: str = "") -> Signed:
    """A statement with a signature."""
    return Signed(statement, signer.sign(canonical(statement)), signer.public, file)


_TEXTS = ("kind", "store", "world", "caller", "node", "signer", "effect", "hash", "expires",
          "nonce")  # fmt: skip


def read_endorsement(file: str) -> Signed:
    """The endorsement of a file; raises `Refused`.  The signature is not checked here."""
    data = read_document(file, "endorsement")
    try:
        statement = dict(data["statement"])
        for part in _TEXTS:
            text_in(statement[part])
        parse_time(statement["expires"])
        Head.read(statement["head"])
        for part in ("reads", "writes"):
            texts_in(statement[part])
        if not all(len(texts_in(pair)) == 2 for pair in statement["blocks"]):
            raise TypeError("blocks")
        if not isinstance(statement["merges"], dict):
            raise TypeError("merges")
        if statement["kind"] != "endorsement":
            raise ValueError("kind")
        signed = Signed(statement, text_in(data["signature"]), text_in(data["public_key"]), file)
        signed.text.encode()
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise bad_file(file, f"a part is missing or of the wrong type ({error})") from None
    return signed


def iso(time: datetime) -> str:
    """A time as it is written everywhere: UTC, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time(text: str) -> datetime:
    """The time of a text; raises `ValueError`.  Without a zone it is UTC."""
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    try:
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(str(error)) from None
