"""A policy: what domains allow in advance.

::

    format_version = 1

    [domain.dns]
    serial = 3                      # raised with every change
    owners = ["dana"]               # who may endorse for dns besides dns itself
    read = ["ann"]                  # who may read dns.* in a world

    [[domain.dns.grant]]
    to = "ann"
    write = ["dns.servers"]         # default: everything of dns
    merge = ["set3", "refuse"]      # merges that may be set; default: none
    at = ["home"]                   # default: anywhere
    until = 2027-01-01T00:00:00Z

    [domain.dns.when]               # what a granted value must satisfy
    servers = '"ns1" in dns.servers'

A domain whose key the store knows signs its section: otherwise whoever passes a policy could
grant themselves anything.
"""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

from headwater.langs.codes import unread
from headwater.langs.opal.engine import check as engine_check
from headwater.langs.opal.engine import run as engine_run
from headwater.langs.opal.inputs import Given, Inputs
from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import show_name
from headwater.langs.opal.runtime.codes import POLICY_INVALID
from headwater.langs.opal.runtime.documents import text_in
from headwater.langs.opal.runtime.kept_merges import Merge
from headwater.langs.opal.runtime.needs import Block, Need
from headwater.langs.opal.runtime.problems import Refused
from headwater.langs.opal.runtime.stored import Stored, place_at
from headwater.langs.opal.syntax import Com, Place
from headwater.langs.opal.values import NIL
from headwater.store.records import canonical
from headwater.text import NOWHERE, Source, Unreadable, read_source
from headwater.text.reading import exists
from headwater.tree.json import read_json
from headwater.tree.tomltext import check_keys

HOLDS = "holds__"
MOST_SERIAL = 2**63 - 1
"""The largest number that a store can keep."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A standing permission: to whom, for what, where, until when."""

    to: str
    write: tuple[str, ...]
    at: tuple[str, ...] | None
    until: datetime | None
    merge: tuple[str, ...] = ()
    """Merges that the variables may get: presets by name, others or whole blocks by hash."""

    def allows(self, merge: Merge, blocks: Iterable[Block]) -> bool:
        """Whether a variable may get this merge, in these blocks."""
        if {merge.preset, merge.hash, "*"} & set(self.merge):
            return True
        return all(block.command in self.merge for block in blocks)


@dataclass(frozen=True, slots=True)
class Domain:
    """What one domain says."""

    node: str
    serial: int = 0
    owners: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = ()
    when: Mapping[str, Com] = field(default_factory=dict)
    text: str = ""
    """The canonical form of the section, which is what is signed."""

    def signed_text(self, store: str) -> str:
        """What the domain signs."""
        return signed_text(store, self.node, self.text)


def signed_text(store: str, node: str, section: str) -> str:
    """What a domain signs: the store, its name, and its section in canonical form."""
    data = json.loads(section)
    return canonical({"kind": "policy", "store": store, "node": node, "section": data})


@dataclass(frozen=True, slots=True)
class Signature:
    """What a domain put under its section, and for which store."""

    store: str
    public_key: str
    signature: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy file with its signatures, by domain."""

    file: str
    domains: Mapping[str, Domain]
    signatures: Mapping[str, Signature]
    store: str | None = None
    """The only store that it is for, if it says so."""


def load_policy(file: str) -> Policy:
    """The policy of a file, with the signatures of the file ``.sig`` beside it."""
    at = Source(file, "").span(0, 0)

    def bad(reason: str) -> Refused:
        return Refused(POLICY_INVALID.at(at, reason=reason))

    match read_source(file):
        case Unreadable(kind="missing", reason=reason):
            raise bad(reason)
        case Unreadable() as unreadable:
            raise Refused(unread(unreadable, file, at))
        case Source(text=text):
            pass
    try:
        check_keys(text)
        data = tomllib.loads(text)
    except ValueError as error:
        raise bad(str(error)) from None
    except RecursionError:
        raise bad("it is nested too deep") from None
    if data.get("format_version") != 1:
        raise bad("it must say format_version = 1")
    if unknown := sorted(set(data) - {"format_version", "store", "domain"}):
        raise bad(f"{unknown[0]} is not known here")
    store = data.get("store")
    if store is not None and not isinstance(store, str):
        raise bad("store must be the id of a store, a text")
    domains = data.get("domain", {})
    if not isinstance(domains, dict):
        raise bad("domain must be tables [domain.NODE]")
    try:
        made = {node: _domain(node, section) for node, section in domains.items()}
    except (TypeError, ValueError) as error:
        raise bad(str(error)) from None
    return Policy(file, made, _signatures(signature_file(file), bad), store)


def signature_file(file: str) -> Path:
    """Where the signatures of a policy are."""
    return Path(file + ".sig")


_TRIES = 200
"""How often signatures are looked for while their file is being replaced."""


def _signatures(path: Path, bad: Callable[[str], Refused]) -> dict[str, Signature]:
    found = read_source(path)
    for _ in range(_TRIES):  # other owners may be signing at this moment
        if not (isinstance(found, Unreadable) and found.kind == "missing" and exists(str(path))):
            break
        time.sleep(0.01)
        found = read_source(path)
    match found:
        case Unreadable(kind="missing", reason=reason):
            if exists(str(path)):
                raise bad(f"its signatures cannot be read: {reason}")
            return {}
        case Unreadable(at=at) as unreadable:
            raise Refused(unread(unreadable, str(path), at))
        case Source(text=text):
            pass
    try:
        data = read_json(text)
        return {
            text_in(node): Signature(
                text_in(entry["store"]), text_in(entry["public_key"]), text_in(entry["signature"])
            )
            for node, entry in data["signatures"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise bad(f"{path} does not hold signatures") from None


_SECTION = {"serial", "owners", "read", "grant", "when"}
_GRANT = {"to", "write", "merge", "at", "until"}


def _domain(node: str, section: object) -> Domain:
    if not isinstance(section, dict):
        raise TypeError(f"domain.{node} must be a table")
    if unknown := sorted(set(section) - _SECTION):
        raise ValueError(f"{unknown[0]} is not known in domain.{node}")
    serial = section.get("serial", 0)
    if type(serial) is not int or not 0 <= serial <= MOST_SERIAL:
        raise TypeError(f"serial of domain.{node} must be a number from 0 to {MOST_SERIAL}")
    grants = section.get("grant", [])
    if not isinstance(grants, list):
        raise TypeError(f"grants are written [[domain.{node}.grant]]")
    when = section.get("when", {})
    if not isinstance(when, dict) or not all(isinstance(x, str) for x in when.values()):
        raise TypeError(f"when of domain.{node} must map variables to conditions")
    return Domain(
        node,
        serial,
        _names(section.get("owners", []), f"owners of domain.{node}"),
        _names(section.get("read", []), f"read of domain.{node}"),
        tuple(_grant(node, grant) for grant in grants),
        {var: _condition(node, var, text) for var, text in when.items()},
        canonical(_plain(section)),
    )


def domain_of(node: str, section: str) -> Domain:
    """The domain whose section has this canonical form; raises `ValueError` or `TypeError`."""
    data = json.loads(section)
    for grant in data.get("grant", []):
        if isinstance(grant.get("until"), str):
            grant["until"] = datetime.fromisoformat(grant["until"])
    return replace(_domain(node, data), text=section)


def _grant(node: str, grant: object) -> Grant:
    if not isinstance(grant, dict) or not isinstance(grant.get("to"), str):
        raise TypeError(f"a grant of domain.{node} must say to whom: to = NAME")
    if unknown := sorted(set(grant) - _GRANT):
        raise ValueError(f"{unknown[0]} is not known in a grant of domain.{node}")
    until = grant.get("until")
    if until is not None and not isinstance(until, datetime):
        raise TypeError(f"until of domain.{node} must be a time such as 2027-01-01T00:00:00Z")
    if until is not None and until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    write = grant.get("write", [f"{show_name(node)}.*"])
    at = grant.get("at")
    return Grant(
        grant["to"],
        _names(write, f"write of domain.{node}"),
        None if at is None else _names(at, f"at of domain.{node}"),
        until,
        _names(grant.get("merge", []), f"merge of domain.{node}"),
    )


def _names(value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
        raise TypeError(f"{what} must be a list of names")
    return tuple(value)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | bool) else str(value)


# --- conditions -----------------------------------------------------------------------


def _condition(node: str, var: str, text: str) -> Com:
    """A condition as a program that writes a mark if it holds; conditions are Opal's own."""
    n = show_name(node)
    program = (
        f"handle {n}.{HOLDS} := yes with (() . ()) merging o h c to {n}.o in {{ "
        f"if {text} then {{ yes }} else {{ skip }} }}"
    )
    parsed = parse(Source(f"when of {n}.{var}", program), ext=True)
    if parsed.program is None:
        raise ValueError(f"the condition of {n}.{var}: {parsed.diagnostics[0].message}")
    return parsed.program


def holds(condition: Com, need: Need, stored: Stored) -> bool:
    """Whether a condition holds of the values that a node's variables would have."""
    initial = {
        place_at(key): Given(json.loads(value), NOWHERE) for key, value in need.effect.items()
    }
    permitted = frozenset((need.node,))
    found = engine_check.check(condition, initial, permitted, stored)
    if any(d.is_error for d in found):
        return False
    inputs = Inputs(initial, ext=True, permitted=permitted, below=stored)
    finished = engine_run.evaluate(condition, inputs, tracing=False)
    mark = (finished.store or {}).get(Place(need.node, HOLDS))
    return mark is not None and mark.value is not NIL


# --- grants ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotGranted:
    """Why no grant covers a need; `expired` if one would but for its time."""

    reason: str
    expired: datetime | None = None


def _matches(key: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in patterns)


def granted(
    domain: Domain, need: Need, caller: str, now: datetime, stored: Stored
) -> int | NotGranted:
    """The number of the grant that covers a need."""
    expired: datetime | None = None
    reason = f"its policy grants {caller} nothing of this"
    for number, grant in enumerate(domain.grants):
        if grant.to not in (caller, "*"):
            continue
        if grant.at is not None and any(block.location not in grant.at for block in need.blocks):
            reason = "its grant is for another location"
            continue
        if not all(_matches(key, grant.write) for key in need.effect):
            continue
        unread = [key for key in need.reads if not _matches(key, grant.write)]
        if unread and not {caller, "*"} & {*domain.read, *domain.owners}:
            reason = f"its policy does not let {caller} read {unread[0]}"
            continue
        merges = need.merges.items()
        if planted := [k for k, merge in merges if not grant.allows(merge, need.blocks)]:
            key = planted[0]
            reason = (
                f"its policy does not grant {key} the merge {need.merges[key].text}"
                f" (hash {need.merges[key].hash})"
            )
            continue
        if grant.until is not None and grant.until <= now:
            expired = grant.until
            continue
        for var, condition in domain.when.items():
            written = any(place_at(key).var == var for key in need.effect)
            if written and not holds(condition, need, stored):
                reason = f"its policy has a condition for {var}, and the new value fails it"
                break
        else:
            return number
    return NotGranted(reason, expired)
