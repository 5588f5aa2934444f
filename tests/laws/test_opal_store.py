"""The runtime over a store is the paper's semantics, one commit after the other.

A state machine runs random programs as several principals, leaves worlds open, commits them
in any order, is refused, retries, closes the store and opens it again; also in the middle of
somebody else's commit.  The model (`opal_model`) says what must come out.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from headwater.langs.opal.durable.running import verify_store
from headwater.langs.opal.engine.run import evaluate
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.paper.run import evaluate as paper_evaluate
from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import print_program, show_place
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.canonical import command_hash, decode, encode
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.run import Program, Ran, run
from headwater.langs.opal.runtime.statements import Asked
from headwater.langs.opal.runtime.wire import Wire
from headwater.langs.opal.syntax import (
    Assign,
    At,
    Com,
    Commit,
    Empty,
    Eq,
    Hyp,
    If,
    Seq,
    Var,
    With,
    WorldVar,
)
from headwater.store import Store
from headwater.text import Source
from laws.opal_model import Model, places
from laws.opal_runs import parsed, stores, why
from laws.profile import examples, law
from laws.strategies.opal import BYTES, Choices, Generator, Scope, program

PRINCIPALS = st.sampled_from(["n", "m", "ann"])
DENIED = st.sampled_from([frozenset(), frozenset(), frozenset(), frozenset("n"), frozenset("mp")])


def session_program(data: bytes, model: Model) -> str:
    """A program over the variables of the model that may leave worlds open."""
    choices = Choices(data)
    generator = Generator(choices, hyp_merges=choices.below(3) == 0, ext=False)
    readable = tuple(p for p in places(model.values) if p.node in ("n", "m"))
    scope = Scope(frozenset(("n", "m")), readable)
    commands: list[Com] = []
    live: list[str] = []
    for _ in range(1 + choices.below(3)):
        kind = choices.below(8)
        if kind == 7 and live:
            commands.append(Commit(WorldVar(live.pop())))
            continue
        inner = generator.block(scope, 2)[0]
        if kind in (2, 3) and readable:
            # What is written depends on a variable that is only read.
            read = Var(readable[choices.below(len(readable))])
            inner = If(Eq(read, Empty()), inner, generator.block(scope, 1)[0])
        body: Com = With("n", With("m", inner))
        if kind == 6:
            body = At("p", body)
        if kind < 4 and len(live) < 3:
            name = next(u for u in ("a", "b", "d") if u not in live)
            live.append(name)
            body = Assign(name, Hyp(body))
        commands.append(body)
    return print_program(commands[0] if len(commands) == 1 else Seq(tuple(commands)))


class Stores(RuleBasedStateMachine):
    """A store and its model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="headwater-law-"))
        self.model = Model()
        self.count = 0
        self.ids: list[tuple[str, str, str]] = []
        self.open()

    def open(self) -> None:
        self.stores = [Store.open(self.folder / "state.db", create=True) for _ in range(2)]
        for store in self.stores:
            # The disk is not under test here.
            store._connection.execute("PRAGMA synchronous = OFF")

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        found = verify_store(str(self.folder / "state.db"))
        shutil.rmtree(self.folder)
        assert found.problems == ()

    def new_id(self) -> str:
        self.count += 1
        return f"r{self.count}"

    def real_run(self, text: str, id: str, session: Session, store: int = 0) -> Ran:
        return run(self.stores[store], Program(Source("law.opal", text), id), session)

    def session(
        self,
        caller: str,
        denied: frozenset[str],
        meanwhile: Any = None,  # noqa: ANN401
        **more: Any,  # noqa: ANN401
    ) -> Session:
        """A session in which everybody else is asked at a prompt."""

        def prompt(asked: Asked) -> bool:
            nonlocal meanwhile
            if meanwhile is not None:
                action, meanwhile = meanwhile, None
                action()
            return asked.node not in denied

        return Session(caller, prompt=prompt, **more)

    def model_run(self, text: str, id: str, caller: str, denied: frozenset[str]) -> str | None:
        ran = self.model.run(parsed(text), caller, denied)
        if isinstance(ran, str):
            return ran
        self.model.apply(id, ran, caller)
        return None

    def agree(self, ran: Ran, wanted: str | None) -> None:
        found = None
        if ran.committed is None:
            found = next(d.code for d in ran.diagnostics if d.is_error)
        assert found == wanted

    @rule(data=BYTES, caller=PRINCIPALS, denied=DENIED)
    def run_program(self, data: bytes, caller: str, denied: frozenset[str]) -> None:
        text, id = session_program(data, self.model), self.new_id()
        wanted = self.model_run(text, id, caller, denied)
        self.agree(self.real_run(text, id, self.session(caller, denied)), wanted)
        if wanted is None:
            self.ids.append((id, text, caller))

    @rule(data=BYTES, other=BYTES, caller=PRINCIPALS)
    def run_while_another_commits(self, data: bytes, other: bytes, caller: str) -> None:
        """The second program commits while the first one waits for an answer."""
        text, id = session_program(data, self.model), self.new_id()
        between, second = session_program(other, self.model), self.new_id()
        nobody: frozenset[str] = frozenset()
        happened = []

        def meanwhile() -> None:
            happened.append(self.model_run(between, second, "ann", nobody))
            ran = self.real_run(between, second, self.session("ann", nobody), 1)
            self.agree(ran, happened[0])

        first = self.model.run(parsed(text), caller, nobody)
        ran = self.real_run(text, id, self.session(caller, nobody, meanwhile))
        if isinstance(first, str) and not happened:
            self.agree(ran, first)
        else:
            self.agree(ran, self.model_run(text, id, caller, nobody))

    @precondition(lambda self: self.model.worlds)
    @rule(pick=st.integers(0, 9), caller=PRINCIPALS, denied=DENIED, reads=st.booleans(),
          owner=st.integers(0, 5), other=st.none() | BYTES)  # fmt: skip
    def commit_world(
        self,
        pick: int,
        caller: str,
        denied: frozenset[str],
        reads: bool,
        owner: int,
        other: bytes | None,
    ) -> None:
        # Open ones first; others now and then.
        known = (self.model.open() if pick < 8 else None) or list(self.model.worlds)
        id = known[-1 - pick % len(known)]
        if owner:
            caller = self.model.worlds[id].principal
        meanwhile = None
        if other is not None:
            # A no would come before what happened meanwhile is looked at.
            denied = frozenset()
            between, second = session_program(other, self.model), self.new_id()

            def meanwhile() -> None:
                wanted = self.model_run(between, second, "m", frozenset())
                self.agree(
                    self.real_run(between, second, self.session("m", frozenset()), 1), wanted
                )

        session = self.session(caller, denied, meanwhile, check_reads=reads)
        ran = worlds.commit(self.stores[0], id, session)
        self.agree(ran, self.model.commit(id, caller, denied, check_reads=reads))

    @rule()
    def commit_nothing(self) -> None:
        self.agree(worlds.commit(self.stores[0], "nothing", Session("n")), "opal-world-unknown")

    @rule(pick=st.integers(0, 9), caller=PRINCIPALS)
    def drop_world(self, pick: int, caller: str) -> None:
        known = self.model.open()
        id = known[pick % len(known)] if known else "nothing"
        found = worlds.drop(self.stores[1], id, Session(caller))
        assert (found.code if found else None) == self.model.drop(id, caller)

    @rule(pick=st.integers(0, 9))
    def retry(self, pick: int) -> None:
        """Doing again what is done changes nothing and gives the same answer."""
        head = self.stores[0].head
        if self.ids:
            id, text, caller = self.ids[pick % len(self.ids)]
            ran = self.real_run(text, id, self.session(caller, frozenset()), 1)
            assert ran.committed is not None
            assert ran.committed.again
        assert self.stores[0].head == head

    @rule()
    def reopen(self) -> None:
        for store in self.stores:
            store.close()
        self.open()

    @invariant()
    def the_store_is_the_model(self) -> None:
        found = {v.key: json.loads(v.value) for v in self.stores[1].values()}
        assert found == {show_place(p): data for p, data in self.model.values.items()}
        assert {w.id for w in self.stores[0].worlds()} == set(self.model.open())


MACHINE = settings(law(30, 200), stateful_step_count=examples(20, 40))


def test_the_runtime_is_the_paper_s_semantics() -> None:
    run_state_machine_as_test(Stores, settings=MACHINE)


# Where the page of the long run reads the number of examples from.
vars(test_the_runtime_is_the_paper_s_semantics)["_hypothesis_internal_use_settings"] = MACHINE


# --- messages -------------------------------------------------------------------------


@law(100, 2_000)
@given(BYTES, st.booleans())
def test_commands_survive_the_wire(data: bytes, ext: bool) -> None:
    """Every program means the same when each ``at`` goes through its message."""
    c, _ = program(data, ext=ext)
    text = print_program(At("p", At("q", c)))
    sent = parsed(text, ext=ext)
    plain = evaluate(sent, Inputs(ext=ext), tracing=True)
    wired = evaluate(sent, Inputs(ext=ext, transport=Wire(sent.at.source)), tracing=True)
    assert stores(plain) == stores(wired)
    if plain.store is not None:
        assert why(plain) == why(wired)
    if not ext:
        assert stores(paper_evaluate(sent, Inputs(transport=Wire(sent.at.source)))) == stores(plain)


@law(150, 5_000)
@given(BYTES)
def test_the_canonical_form_is_the_syntax(data: bytes) -> None:
    c, _ = program(data, ext=True)
    assert decode(json.loads(json.dumps(encode(c)))) == c
    again = parse(Source("x", f"# elsewhere\n\n  {print_program(c, unicode=True)} "), ext=True)
    assert again.program is not None
    assert command_hash(again.program) == command_hash(c)
