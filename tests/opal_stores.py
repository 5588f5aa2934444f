"""Running Opal programs over stores in tests, through the runtime and not the command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.keys import Signer, new_key, read_private, read_public
from headwater.langs.opal.runtime.policy import load_policy
from headwater.langs.opal.runtime.run import Program, Ran, run
from headwater.langs.opal.runtime.statements import Asked, Signed, sign
from headwater.langs.opal.runtime.trust import change_keys
from headwater.store import Store
from headwater.text import Source

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def handled(node: str, var: str, body: str, handler: str, merge: str = "hyp") -> str:
    """A handle of a variable inside its node's permission."""
    return (
        f"with {node} do {{ handle {node}.{var} := f with {handler}"
        f" merging {merge} in {{ {body} }} }}"
    )


def put(node: str, var: str, value: str) -> str:
    """A program that writes one variable."""
    return f"with {node} do {{ {node}.{var} := {value} }}"


class Bench:
    """A store with people around it who have keys."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store.open(folder / "state.db", create=True)
        self.now = NOW
        self.count = 0
        self.signers: dict[str, Signer] = {}

    def key(self, name: str, *, trusted: bool = True) -> Signer:
        """A new key of a principal."""
        file = self.folder / f"{name}-{len(list(self.folder.glob('*.key')))}.key"
        new_key(name, file)
        signer = read_private(file)
        if trusted:
            change_keys(self.store, name, add=read_public(file.with_suffix(".pub")))
            self.signers[name] = signer
        return signer

    def session(self, principal: str, **settings: Any) -> Session:  # noqa: ANN401
        own = self.signers.get(principal)
        settings.setdefault("signers", (own,) if own is not None else ())
        policy = settings.pop("policy", None)
        if isinstance(policy, str):
            file = self.folder / "policy.toml"
            file.write_text("format_version = 1\n" + policy)
            policy = load_policy(str(file))
        return Session(principal, policy=policy, clock=lambda: self.now, **settings)

    def run(
        self, text: str, principal: str, *, id: str | None = None, propose: bool = False,
        **settings: object,
    ) -> Ran:  # fmt: skip
        self.count += 1
        name = id or f"run{self.count}"
        program = Program(Source("change.opal", text), name, ext=True)
        return run(self.store, program, self.session(principal, **settings), propose=propose)

    def commit(self, id: str, principal: str, **settings: object) -> Ran:
        return worlds.commit(self.store, id, self.session(principal, **settings))

    def asked(self, id: str, principal: str, **settings: object) -> list[Asked]:
        found = worlds.requests(self.store, id, self.session(principal, **settings))
        assert isinstance(found, list), found
        return found

    def endorse(self, asked: Asked, signer: Signer, **changes: object) -> Signed:
        """A signed answer; `changes` are made to the statement before it is signed."""
        statement = asked.statement(signer.name, self.now + timedelta(days=1))
        return sign({**statement, **changes}, signer, "endorsement.json")

    def values(self) -> dict[str, Any]:
        return {v.key: json.loads(v.value) for v in self.store.values()}


def code(ran: Ran) -> str:
    """The code of what went wrong."""
    assert ran.committed is None
    return next(d.code for d in ran.diagnostics if d.is_error)
