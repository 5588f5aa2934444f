"""Programs and worlds over a durable store: running, committing, endorsing, looking.

Only Opal has programs of this kind; its runtime is loaded when one of these is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.langs.codes import unread
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source

if TYPE_CHECKING:
    from headwater.langs.opal.runtime.commits import Committed
    from headwater.langs.opal.runtime.endorsing import Session
    from headwater.langs.opal.runtime.history import Event
    from headwater.langs.opal.runtime.worlds import Held
    from headwater.store import Entry, OpenedWorld, Store, Verified

FORMAT_VERSION = 1


class Problem(Exception):
    """What was asked cannot be done; `diagnostics` say why, and nothing has happened."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics


@contextmanager
def problems() -> Iterator[None]:
    """Turns the refusals of store and runtime into `Problem`."""
    from headwater.langs.opal.runtime.problems import Refused
    from headwater.store import StoreProblem

    try:
        yield
    except (Refused, StoreProblem) as error:
        raise Problem(error.diagnostic) from None


@contextmanager
def opened(path: str, *, create: bool = False, reading: bool = False) -> Iterator[Store]:
    """A store for a while; only with `reading` for those who may not write it."""
    import json

    from headwater.store import Store

    with problems(), Store.open(path, create=create, reading=reading) as store:
        try:
            yield store
        except json.JSONDecodeError as error:
            # Everything that is decoded while a store is open comes from the store.
            raise store.corrupt(f"a text is not JSON any more ({error})") from None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and what they have to show: files of keys, a policy, endorsements."""

    principal: str
    keys: tuple[str, ...] = ()
    policy: str | None = None
    endorsements: tuple[str, ...] = ()
    prompt: Callable[[Any], bool] | None = None
    location: str = "home"
    check_reads: bool = True
    at_terminal: bool = True
    expect: str | None = None
    """``N:DIGEST`` of an entry that the log must have."""

    def session(self) -> Session:
        """The same with the files read."""
        from headwater.langs.opal.runtime.endorsing import Session
        from headwater.langs.opal.runtime.keys import read_private
        from headwater.langs.opal.runtime.policy import load_policy
        from headwater.langs.opal.runtime.statements import Head, read_endorsement

        with problems():
            return Session(
                self.principal,
                tuple(read_private(file) for file in self.keys),
                load_policy(self.policy) if self.policy is not None else None,
                tuple(read_endorsement(file) for file in self.endorsements),
                self.prompt,
                location=self.location,
                check_reads=self.check_reads,
                at_terminal=self.at_terminal,
                expected=None if self.expect is None else Head.read(self.expect),
            )


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


def run_program(
    file: str,
    store: str,
    caller: Caller,
    *,
    id: str | None,
    inputs: Mapping[str, object],
    request: str | None,
) -> Done:
    """Runs a program over a store; with `request`, proposes it and writes what to ask there."""
    from headwater.langs.fields import read_fields
    from headwater.langs.opal.fields import Run
    from headwater.langs.opal.runtime.commits import new_id
    from headwater.langs.opal.runtime.run import Program, run

    match read_source(file):
        case Source() as source:
            pass
        case Unreadable(at=at) as unreadable:
            raise Problem(unread(unreadable, file, at))
    # The store keeps the name of the file: bytes that are no text become U+FFFD.
    shown = source.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    kept = Source(shown, source.text)
    given = read_fields(inputs, Run)
    session = replace(caller, location=given.at or caller.location).session()
    name = id if id is not None else new_id()
    with opened(store, create=True) as db:
        ran = run(db, Program(kept, name, bool(given.ext)), session, propose=request is not None)
        if ran.committed is None and ran.proposed is None:
            raise Problem(*ran.diagnostics)
        if ran.proposed is None or request is None:
            return Done(name, ran.committed, warnings=ran.diagnostics)
        done = commit_or_ask(db, name, session, request)
        warnings = (*ran.diagnostics, *done.warnings)
        return Done(name, done.committed, ran.proposed, warnings, done.waiting)


def commit_world(store: str, id: str, caller: Caller, *, request: str | None) -> Done:
    """Commits a world; with `request`, writes what to ask there instead if that is needed."""
    session = caller.session()
    with opened(store) as db:
        return commit_or_ask(db, id, session, request)


def commit_or_ask(store: Store, id: str, session: Session, request: str | None) -> Done:
    """A commit, or request files for those who have not endorsed it."""
    from headwater.langs.opal.runtime.codes import FILE_UNWRITABLE
    from headwater.langs.opal.runtime.documents import write_json
    from headwater.langs.opal.runtime.worlds import commit, requests

    if request is not None and store.entry_of(id) is None:
        asked = requests(store, id, session)
        if isinstance(asked, Diagnostic):
            raise Problem(asked)
        if asked:
            folder = Path(request)
            waiting = []
            try:
                folder.mkdir(parents=True, exist_ok=True)
                reason = "it is a link" if folder.is_symlink() else None
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
            if reason is not None:
                at = Source(request, "").span(0, 0)
                raise Problem(FILE_UNWRITABLE.at(at, file=request, reason=reason))
            for one in asked:
                path = folder / f"{id}.{file_name(one.node)}.request.json"
                with problems():
                    write_json(path, one.as_json())
                waiting.append((one.node, path))
            return Done(id, waiting=tuple(waiting))
    ran = commit(store, id, session)
    if ran.committed is None:
        raise Problem(*ran.diagnostics)
    return Done(id, ran.committed, warnings=ran.diagnostics)


def file_name(node: str) -> str:
    """A node's name as part of a file's name; no two nodes have the same.

    As in a URL; dots too, since the id before it may have some.
    """
    from urllib.parse import quote

    from headwater.store.records import sha256

    # A lone half of a surrogate pair is no UTF-8; a percent sign in a name becomes %25.
    found = quote(node.encode("utf-8", "surrogatepass"), safe="").replace(".", "%2E")
    return found.replace("~", "%7E") if len(found) <= 120 else f"{found[:40]}~{sha256(node)}"


def drop_world(store: str, id: str, caller: Caller) -> None:
    """Gives a world up."""
    from headwater.langs.opal.runtime.worlds import drop

    session = caller.session()
    with opened(store) as db:
        found = drop(db, id, session)
        if found is not None:
            raise Problem(found)


def list_worlds(store: str, *, every: bool) -> list[OpenedWorld]:
    """Open worlds, or all there ever were."""
    with opened(store, reading=True) as db:
        return db.worlds(None if every else "open")


@dataclass(frozen=True, slots=True)
class ShownWorld:
    """A world, and the values of now that it would replace."""

    held: Held
    before: dict[str, Any]


def show_world(store: str, id: str) -> ShownWorld:
    """What a world holds."""
    import json

    from headwater.langs.opal.runtime.worlds import find

    with opened(store, reading=True) as db:
        held = find(db, id, Source(store, "").span(0, 0))
        before = {}
        for key in held.body["hyp"]:
            version = db.read(key)
            before[key] = None if version is None else json.loads(version.value)
        return ShownWorld(held, before)


# --- the store ------------------------------------------------------------------------


def log(store: str, first: int, most: int) -> list[tuple[Entry, str]]:
    """Commits from a revision on, each with its digest."""
    with opened(store, reading=True) as db, db.reading():
        return list(db.log(first, most))


def values(store: str, revision: int | None) -> tuple[int, dict[str, Any]]:
    """Every variable with its value at a revision, and that revision."""
    import json

    from headwater.langs.opal.values import Heap, NotASexp, from_plain

    with opened(store, reading=True) as db:
        at = db.head if revision is None else min(revision, db.head)
        found = {version.key: json.loads(version.value) for version in db.values(at)}
        for key, data in found.items():
            try:
                from_plain(Heap(), data, atoms=True)
            except NotASexp as error:
                raise db.corrupt(f"the value of {key}: {error}") from None
        return at, found


def verify_store(store: str, expect: str | None = None) -> Verified:
    """Everything that can be checked about a store; `expect` is ``N:DIGEST`` of its log."""
    from headwater.langs.opal.runtime.statements import Head
    from headwater.langs.opal.runtime.verifying import Verifying
    from headwater.store import verify

    expected = None if expect is None else Head.read(expect)
    with opened(store, reading=True) as db:
        return verify(db, Verifying(db), expected)


def backup_store(store: str, target: str) -> None:
    """A copy of a store, while others may commit."""
    with opened(store, reading=True) as db:
        db.backup(target)


def explain_stored(store: str, address: str, most: int | None) -> list[Event]:
    """The history of a variable; raises `Problem` if it has none."""
    from headwater.langs.codes import UNKNOWN_ADDRESS
    from headwater.langs.opal.result import read_place
    from headwater.langs.opal.runtime.history import history
    from headwater.report import nearest

    with opened(store, reading=True) as db:
        at = Source(store, "").span(0, 0)
        place = read_place(address)
        if place is None:
            raise Problem(UNKNOWN_ADDRESS.at(at, address=address, help="write node.variable"))
        found = list(history(db, place, most))
        if not found:
            close = nearest(address, db.keys_from(address[:1], 1_000))
            help = f"did you mean {close}?" if close else "headwater store show prints every name"
            raise Problem(UNKNOWN_ADDRESS.at(at, address=address, help=help))
        return found
