"""Requests and endorsements as files: what an owner is asked, and what they sign.

A request shows values; the statement that is signed holds their hash.  Whoever signs computes
the hash from the values that were shown, so nothing can hide behind a summary.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from headwater.langs.codes import unread
from headwater.langs.opal.runtime.codes import ENDORSEMENT_UNREADABLE
from headwater.langs.opal.runtime.keys import Signer
from headwater.langs.opal.runtime.needs import Need, effect_hash
from headwater.langs.opal.runtime.problems import Refused
from headwater.store.records import canonical
from headwater.text import Source, Unreadable, read_source
from headwater.tree.json import read_json

FORMAT_VERSION = 1
LIFETIME = timedelta(days=7)
"""How long an endorsement holds unless the owner says otherwise."""


def bad_file(file: str, reason: str) -> Refused:
    """That a file is not what was expected."""
    at = Source(file, "").span(0, 0)
    return Refused(ENDORSEMENT_UNREADABLE.at(at, file=file, reason=reason))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: what the principal of a node is asked to endorse."""

    store: str
    world: str
    caller: str
    node: str
    blocks: list[dict[str, str]]
    reads: list[str]
    effect: dict[str, Any]

    @classmethod
    def about(cls, need: Need, store: str, world: str, caller: str) -> Asked:
        """The request that a need leads to."""
        effect = {key: json.loads(value) for key, value in need.effect.items()}
        blocks = [block.as_json() for block in need.blocks]
        return cls(store, world, caller, need.node, blocks, list(need.reads), effect)

    def as_json(self) -> dict[str, Any]:
        """The file."""
        return {
            "format_version": FORMAT_VERSION,
            "kind": "endorsement-request",
            "store": self.store,
            "world": self.world,
            "caller": self.caller,
            "node": self.node,
            "blocks": self.blocks,
            "reads": self.reads,
            "effect": self.effect,
            "effect_hash": effect_hash(self.effect),
        }

    def statement(self, signer: str, expires: datetime) -> dict[str, Any]:
        """What a signature covers."""
        pairs = sorted({(b["location"], b["command"]) for b in self.blocks})
        return {
            "kind": "endorsement",
            "store": self.store,
            "world": self.world,
            "node": self.node,
            "signer": signer,
            "blocks": [list(pair) for pair in pairs],
            "reads": sorted(self.reads),
            "writes": sorted(self.effect),
            "effect": effect_hash(self.effect),
            "expires": iso(expires),
            "nonce": secrets.token_hex(16),
        }


def read_request(file: str) -> Asked:
    """The request of a file; raises `Refused`."""
    data = _read(file, "endorsement-request")
    try:
        asked = Asked(
            _text(data["store"]),
            _text(data["world"]),
            _text(data["caller"]),
            _text(data["node"]),
            [{k: _text(b[k]) for k in ("node", "location", "command", "text")}
             for b in data["blocks"]],
            [_text(key) for key in data["reads"]],
            dict(data["effect"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise bad_file(file, f"a part is missing or of the wrong type ({error})") from None
    if effect_hash(asked.effect) != data.get("effect_hash"):
        raise bad_file(file, "its effect does not have the hash that it states")
    return asked


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


_PARTS = ("store", "world", "node", "signer", "effect", "expires", "nonce")


def read_endorsement(file: str) -> Signed:
    """The endorsement of a file; raises `Refused`.  The signature is not checked here."""
    data = _read(file, "endorsement")
    try:
        statement = dict(data["statement"])
        for part in _PARTS:
            _text(statement[part])
        parse_time(statement["expires"])
        for part in ("blocks", "reads", "writes"):
            if not isinstance(statement[part], list):
                raise TypeError(part)
        return Signed(statement, _text(data["signature"]), _text(data["public_key"]), file)
    except (KeyError, TypeError, ValueError) as error:
        raise bad_file(file, f"a part is missing or of the wrong type ({error})") from None


def _read(file: str, kind: str) -> dict[str, Any]:
    match read_source(file):
        case Unreadable(kind="missing", reason=reason):
            raise bad_file(file, reason)
        case Unreadable(at=at) as unreadable:
            raise Refused(unread(unreadable, file, at))
        case Source(text=text):
            pass
    try:
        data = read_json(text)
    except (ValueError, RecursionError):
        raise bad_file(file, "it is not JSON") from None
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise bad_file(file, f"it is not a file of the kind {kind}")
    if data.get("format_version") != FORMAT_VERSION:
        raise bad_file(file, f"it does not have format {FORMAT_VERSION}")
    return data


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is wanted")
    return value


def write_json(file: Path, data: Any) -> None:
    """Writes a document that people may read."""
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def iso(time: datetime) -> str:
    """A time as it is written everywhere: UTC, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time(text: str) -> datetime:
    """The time of a text; raises `ValueError`.  Without a zone it is UTC."""
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return time if time.tzinfo else time.replace(tzinfo=UTC)
