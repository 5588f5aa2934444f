"""What the store keeps, as records, and the one way to write data down: canonical JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FIRST_DIGEST = "0" * 64
"""What the first entry of a log is chained to."""


def canonical(data: object) -> str:
    """Data as JSON without blanks, keys sorted: the same text for the same data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(data: str | bytes) -> str:
    """The hash of a text, or of bytes."""
    found = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(found).hexdigest()


@dataclass(frozen=True, slots=True)
class Version:
    """The value of a key since a revision; `merge` and `detail` are its writer's own data."""

    key: str
    revision: int
    value: str
    merge: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class Endorsement:
    """A yes that a commit was made with: whose, how it was given, the statement if it was signed.

    Endorsements are appended and never changed; a nonce is used once.
    """

    nonce: str
    principal: str
    how: str
    statement: str
    signature: str | None = None
    public_key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As the log keeps it."""
        return {
            "nonce": self.nonce,
            "principal": self.principal,
            "how": self.how,
            "statement": json.loads(self.statement),
            "signature": self.signature,
            "public_key": self.public_key,
        }


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit in the log: who committed which world, over which revision, and every write."""

    revision: int
    world: str
    kind: str
    principal: str
    base: int
    at: str
    writes: Mapping[str, str]
    merges: Mapping[str, str | None]
    details: Mapping[str, str]
    facts: Mapping[str, Any]
    """What the writer wants kept: program, location, reads, authentication …"""
    endorsements: tuple[Endorsement, ...] = ()
    covers: Mapping[str, Any] = field(default_factory=dict)
    """Digests of everything that this entry put into other tables, and the id of the store.

    ``{"store": ID, "worlds": {ID: DIGEST}, "closed": {ID: STATE}, "sources": {DIGEST: NAME},
    "traces": {OWNER: DIGEST}, "policies": {DOMAIN: SERIAL}}``.  Entries of the first formats
    have none.
    """

    def text(self) -> str:
        """The canonical text that the chain of digests covers."""
        return canonical(
            {
                **({"covers": dict(self.covers)} if self.covers else {}),
                "revision": self.revision,
                "world": self.world,
                "kind": self.kind,
                "principal": self.principal,
                "base": self.base,
                "at": self.at,
                "writes": dict(self.writes),
                "merges": dict(self.merges),
                "details": dict(self.details),
                "facts": dict(self.facts),
                "endorsements": [e.as_json() for e in self.endorsements],
            }
        )

    @classmethod
    def of(cls, text: str) -> Entry:
        """The entry that a text of the log stands for; raises `ValueError`."""
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("an entry is a table")
        data.setdefault("covers", {})
        if data.keys() != _SHAPE.keys():
            raise ValueError("an entry has other parts")
        for name, kind in _SHAPE.items():
            if type(data[name]) is not kind:
                raise ValueError(f"{name} is not of its type")
        if not (_texts(data["writes"]) and data["details"].keys() == data["writes"].keys()):
            raise ValueError("writes and details are not of the same variables")
        merges = {key: merge for key, merge in data["merges"].items() if merge is not None}
        if not (_texts(data["details"]) and _texts(merges)):
            raise ValueError("details and merges are texts")
        for name, rows in data["covers"].items():
            if type(rows) is not (str if name == "store" else dict):
                raise ValueError("what an entry covers is not of its type")
        endorsements = tuple(_endorsement(one) for one in data.pop("endorsements"))
        return cls(**data, endorsements=endorsements)


_SHAPE: dict[str, type] = {
    "revision": int, "world": str, "kind": str, "principal": str, "base": int, "at": str,
    "writes": dict, "merges": dict, "details": dict, "facts": dict, "endorsements": list,
    "covers": dict,
}  # fmt: skip


def _texts(table: dict[str, Any]) -> bool:
    return all(isinstance(value, str) for value in table.values())


def _endorsement(data: object) -> Endorsement:
    """An endorsement as the log keeps it; raises `ValueError`."""
    if not isinstance(data, dict) or data.keys() != _ENDORSEMENT:
        raise ValueError("an endorsement has other parts")
    said = {name: value for name, value in data.items() if name != "statement"}
    optional = ("signature", "public_key")
    if not _texts({k: v for k, v in said.items() if v is not None or k not in optional}):
        raise ValueError("the parts of an endorsement are texts")
    if not isinstance(data["statement"], dict):
        raise ValueError("the statement of an endorsement is a table")
    return Endorsement(**said, statement=canonical(data["statement"]))


_ENDORSEMENT = {"nonce", "principal", "how", "statement", "signature", "public_key"}


@dataclass(frozen=True, slots=True)
class OpenedWorld:
    """A world that outlives its program: who opened it, on which revision, and what it holds."""

    id: str
    name: str
    principal: str
    base: int
    at: str
    body: str
    """The writer's own data: originals, hypothetical values, obligations, reads."""
    state: str = "open"
    revision: int | None = None
    """The commit that used it up."""

    @property
    def digest(self) -> str:
        """What the log keeps of it: all that does not change any more."""
        parts = [self.id, self.name, self.principal, self.base, self.at, self.body]
        return sha256(canonical(parts))


ADOPTED = "#adopted"
"""The name of the entry that vouches for everything from before entries covered it."""


def opening_of(world: str) -> str:
    """The name of the entry that opened a world by itself; no id has a ``#``."""
    return f"{world}#open"


def dropping_of(world: str) -> str:
    """The name of the entry that dropped a world."""
    return f"{world}#drop"


@dataclass(frozen=True, slots=True)
class Key:
    """A public key that a principal signs with."""

    principal: str
    public_key: str
    added: str
    revoked: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A text that traces and details point into, by its hash."""

    name: str
    text: str = field(repr=False)

    @property
    def digest(self) -> str:
        """Its name in the store."""
        return sha256(self.text)
