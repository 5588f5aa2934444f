"""Programs and worlds over a durable store: running, committing, endorsing, looking.

Only Opal has programs of this kind; its runtime is loaded when one of these is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.langs.codes import FILE_UNREADABLE, unread
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import read_bytes

if TYPE_CHECKING:
    from headwater.langs.opal.runtime.commits import Committed
    from headwater.langs.opal.runtime.endorsing import Session
    from headwater.langs.opal.runtime.history import Event
    from headwater.langs.opal.runtime.statements import Asked
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
def opened(path: str, *, create: bool = False) -> Iterator[Store]:
    """A store for a while."""
    import json

    from headwater.store import Store

    with problems(), Store.open(path, create=create) as store:
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

    def session(self) -> Session:
        """The same with the files read."""
        from headwater.langs.opal.runtime.endorsing import Session
        from headwater.langs.opal.runtime.keys import read_private
        from headwater.langs.opal.runtime.policy import load_policy
        from headwater.langs.opal.runtime.statements import read_endorsement

        with problems():
            return Session(
                self.principal,
                tuple(read_private(file) for file in self.keys),
                load_policy(self.policy) if self.policy is not None else None,
                tuple(read_endorsement(file) for file in self.endorsements),
                self.prompt,
                location=self.location,
                check_reads=self.check_reads,
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
    file: str, store: str, caller: Caller, *, id: str | None, ext: bool, request: str | None
) -> Done:
    """Runs a program over a store; with `request`, proposes it and writes what to ask there."""
    from headwater.langs.opal.runtime.commits import new_id
    from headwater.langs.opal.runtime.run import Program, run

    match read_source(file):
        case Source() as source:
            pass
        case Unreadable(at=at) as unreadable:
            raise Problem(unread(unreadable, file, at))
    session = caller.session()
    name = id if id is not None else new_id()
    with opened(store, create=True) as db:
        ran = run(db, Program(source, name, ext), session, propose=request is not None)
        if ran.committed is None and ran.proposed is None:
            raise Problem(*ran.diagnostics)
        if ran.proposed is None or request is None:
            return Done(name, ran.committed, warnings=ran.diagnostics)
        done = commit_or_ask(db, name, session, request)
        return Done(name, done.committed, ran.proposed, ran.diagnostics, done.waiting)


def commit_world(store: str, id: str, caller: Caller, *, request: str | None) -> Done:
    """Commits a world; with `request`, writes what to ask there instead if that is needed."""
    session = caller.session()
    with opened(store) as db:
        return commit_or_ask(db, id, session, request)


def commit_or_ask(store: Store, id: str, session: Session, request: str | None) -> Done:
    """A commit, or request files for those who have not endorsed it."""
    from headwater.langs.opal.runtime.statements import write_json
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
                for one in asked:
                    path = folder / f"{id}.{file_name(one.node)}.request.json"
                    write_json(path, one.as_json())
                    waiting.append((one.node, path))
            except OSError as error:
                at = Source(request, "").span(0, 0)
                reason = (error.strerror or str(error)).lower()
                raise Problem(FILE_UNREADABLE.at(at, file=request, reason=reason)) from None
            return Done(id, waiting=tuple(waiting))
    ran = commit(store, id, session)
    if ran.committed is None:
        raise Problem(*ran.diagnostics)
    return Done(id, ran.committed)


def file_name(node: str) -> str:
    """A node's name as part of a file's name."""
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in node)


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
    with opened(store) as db:
        return db.worlds(None if every else "open")


def show_world(store: str, id: str) -> Held:
    """What a world holds."""
    from headwater.langs.opal.runtime.worlds import find, place_of

    with opened(store) as db:
        return find(db, id, place_of(id))


# --- the store ------------------------------------------------------------------------


def log(store: str, first: int, most: int) -> list[Entry]:
    """Commits from a revision on."""
    with opened(store) as db:
        return list(db.log(first, most))


def values(store: str, revision: int | None) -> tuple[int, dict[str, Any]]:
    """Every variable with its value at a revision, and that revision."""
    import json

    with opened(store) as db:
        at = db.head if revision is None else min(revision, db.head)
        return at, {version.key: json.loads(version.value) for version in db.values(at)}


def verify_store(store: str) -> Verified:
    """Everything that can be checked about a store."""
    from dataclasses import replace

    from headwater.langs.opal.runtime.commits import judge
    from headwater.langs.opal.runtime.trust import verify_keys
    from headwater.store import verify

    with opened(store) as db:
        found = verify(db, lambda entry, one: judge(db, entry, one))
        if found.problems:
            return found
        return replace(found, problems=tuple(verify_keys(db)))


def backup_store(store: str, target: str) -> None:
    """A copy of a store, while others may commit."""
    from headwater.store.codes import UNOPENABLE

    if os.path.lexists(target):
        at = Source(target, "").span(0, 0)
        raise Problem(UNOPENABLE.at(at, reason="the file exists already"))
    with opened(store) as db:
        db.backup(target)


def explain_stored(store: str, address: str, most: int | None) -> list[Event]:
    """The history of a variable; raises `Problem` if it has none."""
    from headwater.langs.codes import UNKNOWN_ADDRESS
    from headwater.langs.opal.result import read_place
    from headwater.langs.opal.runtime.history import history
    from headwater.report import nearest

    with opened(store) as db:
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


# --- endorsing ------------------------------------------------------------------------


def read_asked(file: str) -> Asked:
    """A request."""
    from headwater.langs.opal.runtime.statements import read_request

    with problems():
        return read_request(file)


def endorse(asked: Asked, key: str, signer: str | None, expires: str | None, out: Path) -> str:
    """Signs a request and writes the endorsement; the time it expires."""
    from headwater.langs.opal.runtime.endorsing import utc_now
    from headwater.langs.opal.runtime.keys import read_private
    from headwater.langs.opal.runtime.statements import LIFETIME, parse_time, sign, write_json

    with problems():
        private = read_private(key)
    until = utc_now() + LIFETIME if expires is None else parse_time(expires)
    statement = asked.statement(signer or private.name, until)
    write_json(out, sign(statement, private).as_json())
    return str(statement["expires"])


def endorse_policy(file: str, node: str, key: str) -> Path:
    """Signs a domain's section of a policy; the file of signatures."""
    import json

    from headwater.langs.opal.runtime.codes import POLICY_INVALID
    from headwater.langs.opal.runtime.keys import read_private
    from headwater.langs.opal.runtime.policy import load_policy, signature_file
    from headwater.langs.opal.runtime.statements import write_json

    with problems():
        private = read_private(key)
        policy = load_policy(file)
    domain = policy.domains.get(node)
    if domain is None:
        at = Source(file, "").span(0, 0)
        raise Problem(POLICY_INVALID.at(at, reason=f"it says nothing for {node}"))
    path = signature_file(file)
    data: dict[str, Any] = {"signatures": {}}
    if policy.signatures:
        data = json.loads(read_bytes(path))
    data["format_version"] = FORMAT_VERSION
    data["signatures"][node] = {
        "public_key": private.public,
        "signature": private.sign(domain.signed_text()),
    }
    write_json(path, data)
    return path
