"""Programs and worlds over a durable store: running, committing, looking.

The runtime is loaded when one of these is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.langs.codes import unread
from headwater.langs.durable import Caller, Done, Problem, ShownWorld
from headwater.langs.fields import read_fields
from headwater.langs.opal.fields import Run
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source

if TYPE_CHECKING:
    from headwater.langs.opal.runtime.endorsing import Session
    from headwater.langs.opal.runtime.history import Event
    from headwater.store import Entry, OpenedWorld, Store, Verified


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


def session_of(caller: Caller) -> Session:
    """Who asks, with the files read."""
    from headwater.langs.opal.runtime.endorsing import Session
    from headwater.langs.opal.runtime.keys import read_private
    from headwater.langs.opal.runtime.policy import load_policy
    from headwater.langs.opal.runtime.statements import Head, read_endorsement

    with problems():
        return Session(
            caller.principal,
            tuple(read_private(file) for file in caller.keys),
            load_policy(caller.policy) if caller.policy is not None else None,
            tuple(read_endorsement(file) for file in caller.endorsements),
            caller.prompt,
            location=caller.location,
            check_reads=caller.check_reads,
            at_terminal=caller.at_terminal,
            expected=None if caller.expect is None else Head.read(caller.expect),
        )


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
    session = session_of(replace(caller, location=given.at or caller.location))
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
    session = session_of(caller)
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

    session = session_of(caller)
    with opened(store) as db:
        found = drop(db, id, session)
        if found is not None:
            raise Problem(found)


def list_worlds(store: str, *, every: bool) -> list[OpenedWorld]:
    """Open worlds, or all there ever were."""
    with opened(store, reading=True) as db:
        return db.worlds(None if every else "open")


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
        return ShownWorld(held.world, held.body, before)


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


def read_head(text: str) -> str:
    """``N:DIGEST`` as it is written; raises `ValueError`."""
    from headwater.langs.opal.runtime.statements import Head

    return str(Head.read(text))


def show_data(data: object, most: int | None = 200) -> str:
    """A value of a store on one line, cut where it gets long."""
    from headwater.langs.opal.runtime.history import show_data as show

    return show(data, most)


def value_lines(data: object) -> list[str]:
    """A value in full: on one line, or as the table of its parts if it is very large."""
    from headwater.langs.opal.values import show_atom

    if not isinstance(data, dict):
        return [show_data(data, None)]
    lines = [f"part {data['root']} of"]
    for number, part in enumerate(data["nodes"]):
        if isinstance(part, dict):
            text = show_atom(part["atom"])
        else:
            text = f"({part[0]} . {part[1]})" if part else "()"
        lines.append(f"  {number} = {text}")
    return lines
