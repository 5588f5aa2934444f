"""Programs that run over a durable store: a facet of a language, and the records it answers with.

A language that has it offers an object of `Durable`; what goes in and comes out is here, in terms
of the store and of no language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from headwater.report import Diagnostic

if TYPE_CHECKING:
    from datetime import datetime

    from headwater.store import Entry, Key, OpenedWorld, Verified
    from headwater.why import Label

FORMAT_VERSION = 1


class Problem(Exception):
    """What was asked cannot be done; `diagnostics` say why, and nothing has happened."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics


class MergeShown(Protocol):
    """A merge as it is shown to the owner of a variable."""

    @property
    def text(self) -> str: ...
    @property
    def preset(self) -> str | None: ...
    @property
    def hash(self) -> str: ...


class Asked(Protocol):
    """A request: what the principal of a node is asked to endorse."""

    @property
    def store(self) -> str: ...
    @property
    def world(self) -> str: ...
    @property
    def caller(self) -> str: ...
    @property
    def node(self) -> str: ...
    @property
    def head(self) -> object: ...
    @property
    def blocks(self) -> Sequence[Mapping[str, str]]: ...
    @property
    def reads(self) -> Sequence[str]: ...
    @property
    def effect(self) -> Mapping[str, object]: ...
    @property
    def before(self) -> Mapping[str, object]: ...
    @property
    def merges(self) -> Mapping[str, MergeShown]: ...
    @property
    def hash(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and what they have to show: files of keys, a policy, endorsements."""

    principal: str
    keys: tuple[str, ...] = ()
    policy: str | None = None
    endorsements: tuple[str, ...] = ()
    prompt: Callable[[Asked], bool] | None = None
    location: str = "home"
    check_reads: bool = True
    at_terminal: bool = True
    expect: str | None = None
    """``N:DIGEST`` of an entry that the log must have."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit that is durable; `again` if it was so before this attempt."""

    entry: Entry
    worlds: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a run or of committing a world: a commit, or a world that waits."""

    id: str
    committed: Committed | None = None
    proposed: OpenedWorld | None = None
    warnings: tuple[Diagnostic, ...] = ()
    waiting: tuple[tuple[str, Path], ...] = field(default=())
    """The nodes whose endorsement is missing, with the files of the requests."""

    def as_json(self) -> dict[str, Any]:
        """As ``--format json`` gives it."""
        import json

        found: dict[str, Any] = {"format_version": FORMAT_VERSION, "id": self.id}
        if self.committed is not None:
            entry = self.committed.entry
            found |= {
                "commit": entry.revision,
                "again": self.committed.again,
                "principal": entry.principal,
                "base": entry.base,
                "stores": {key: json.loads(value) for key, value in entry.writes.items()},
                "worlds": list(self.committed.worlds),
                "endorsements": [{"node": e.principal, "how": e.how} for e in entry.endorsements],
            }
        else:
            found |= {
                "commit": None,
                "requests": [{"node": n, "file": str(file)} for n, file in self.waiting],
            }
        return found


@dataclass(frozen=True, slots=True)
class ShownWorld:
    """A world, what it holds, and the values of now that it would replace."""

    world: OpenedWorld
    body: dict[str, Any]
    before: dict[str, Any]


class Event(Protocol):
    """One commit that wrote a value."""

    @property
    def entry(self) -> Entry: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> object: ...
    @property
    def detail(self) -> dict[str, Any]: ...
    @property
    def inputs(self) -> tuple[Label, ...]: ...
    @property
    def endorsements(self) -> list[dict[str, Any]]: ...
    def as_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Section:
    """What a policy says for a node, the text to be signed for a store, and its hash."""

    file: str
    node: str
    store: str
    signed: str
    hash: str
    says: Mapping[str, Any]


class PrivateKey(Protocol):
    """A private key, which only its language can use."""

    name: str


@dataclass(frozen=True, slots=True)
class KeyFiles:
    """The files of a pair of keys that was made."""

    private: Path
    public: Path


class Durable(Protocol):
    """What a language offers whose programs run over a store."""

    def run(
        self,
        file: str,
        store: str,
        caller: Caller,
        *,
        id: str | None,
        inputs: Mapping[str, object],
        request: str | None,
    ) -> Done: ...
    def commit_world(self, store: str, id: str, caller: Caller, *, request: str | None) -> Done: ...
    def drop_world(self, store: str, id: str, caller: Caller) -> None: ...
    def worlds(self, store: str, *, every: bool) -> list[OpenedWorld]: ...
    def show_world(self, store: str, id: str) -> ShownWorld: ...

    def log(self, store: str, first: int, most: int) -> list[tuple[Entry, str]]: ...
    def values(self, store: str, revision: int | None) -> tuple[int, dict[str, Any]]: ...
    def verify(self, store: str, expect: str | None = None) -> Verified: ...
    def backup(self, store: str, target: str) -> None: ...
    def history(self, store: str, address: str, most: int | None) -> Sequence[Event]: ...

    def read_head(self, text: str) -> str: ...
    def show(self, data: object, most: int | None = 200) -> str: ...
    def lines(self, data: object) -> list[str]: ...

    def read_request(self, file: str) -> Asked: ...
    def read_key(self, file: str) -> PrivateKey: ...
    def until(self, expires: str | None) -> tuple[datetime, str]: ...
    def agreed(self, shown: str, given: str) -> None: ...
    def unseen(self, hash: str) -> Problem: ...
    def endorse(
        self, asked: Asked, key: PrivateKey, signer: str, ends: datetime, out: Path
    ) -> str: ...
    def read_section(self, file: str, node: str, store: str | None) -> Section: ...
    def sign_section(self, section: Section, key: PrivateKey) -> Path: ...
    def write_text(self, path: Path, text: str) -> None: ...

    def make_key(self, name: str, file: Path) -> KeyFiles: ...
    def public_line(self, file: str) -> str: ...
    def change_keys(
        self,
        store: str,
        principal: str | None,
        *,
        add: str | None = None,
        revoke: str | None = None,
        key: str | None = None,
    ) -> Entry: ...
    def trusted(self, store: str) -> list[Key]: ...


@runtime_checkable
class RunsDurably(Protocol):
    """A language whose programs run over a durable store."""

    @property
    def durable(self) -> Durable:
        """How they do."""
        ...
