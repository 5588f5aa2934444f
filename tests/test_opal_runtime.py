"""Programs over a store: one commit or none, worlds that stay, merges that are kept, history."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.langs.opal.durable.running import explain_stored, verify_store
from headwater.langs.opal.runtime import canonical
from headwater.langs.opal.runtime.canonical import NotSyntax, decode, decode_handle, encode
from headwater.langs.opal.runtime.run import Ran
from headwater.langs.opal.runtime.statements import Asked
from headwater.langs.opal.runtime.wire import Wire, decode_reply, decode_visit
from headwater.langs.opal.syntax import Com
from headwater.langs.opal.values import Heap
from opal_stores import Bench, code, put


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    assert verify_store(str(made.store.path)).problems == ()
    made.store.close()


def done(ran: Ran) -> Any:  # noqa: ANN401
    assert ran.committed is not None, ran.diagnostics
    return ran.committed


ADD = "with n do {{ handle n.x := f with {} merging {} in {{ f }} }}"


def test_a_program_has_all_its_effects_or_none(bench: Bench) -> None:
    done(bench.run(put("n", "x", "1"), "n"))
    half = "with n do { n.x := 2; n.y := 3 }; with m do { m.z := 4 }"
    assert code(bench.run(half, "n")) == "opal-not-endorsed"
    stuck = "handle n.t := f with () merging to conflict in { commit hyp { f } }"
    stuck = f"with n do {{ n.y := 3; {stuck} }}"
    assert code(bench.run(stuck, "n")) == "opal-merge-refused"
    assert bench.values() == {"n.x": 1}
    assert bench.store.head == 1


def test_the_caller_has_their_own_permission(bench: Bench) -> None:
    done(bench.run("n.x := 1", "n"))
    assert code(bench.run("n.x := 1", "m")) == "opal-no-permission"


def test_variables_of_the_store_can_be_read(bench: Bench) -> None:
    done(bench.run(put("n", "x", "1"), "n"))
    done(bench.run("with n do { n.y := (n.x . n.x) }", "n"))
    assert bench.values()["n.y"] == [1, 1]
    assert code(bench.run("with n do { n.y := n.nothing }", "n")) == "opal-undefined-variable"


def test_a_retry_commits_once(bench: Bench) -> None:
    first = done(bench.run(put("n", "x", "1"), "n", id="once"))
    again = done(bench.run(put("n", "x", "1"), "n", id="once"))
    assert (first.again, again.again) == (False, True)
    assert first.entry == again.entry
    assert bench.store.head == 1


# --- worlds ---------------------------------------------------------------------------


def test_a_world_outlives_its_program_and_is_committed_once(bench: Bench) -> None:
    ran = done(bench.run(f"u := hyp {{ {put('n', 'x', '1')} }}", "n", id="mon"))
    assert ran.worlds == ("mon.u",)
    assert bench.values() == {}
    assert not done(bench.commit("mon.u", "n")).again
    assert bench.values() == {"n.x": 1}
    assert done(bench.commit("mon.u", "n")).again
    assert bench.store.head == 2


def test_a_world_begins_on_what_its_program_had_written(bench: Bench) -> None:
    text = f"{ADD.format('1', 'list3')}; u := hyp {{ {ADD.format('2', 'hyp')} }}"
    text += f"; {ADD.format('3', '(n.o . (n.h . n.c))').replace('merging', 'merging o h c to')}"
    done(bench.run(text, "n", id="mon"))
    assert bench.values() == {"n.x": 3}
    done(bench.commit("mon.u", "n"))
    assert bench.values() == {"n.x": [1, [2, 3]]}


def test_merges_are_kept_with_variables(bench: Bench) -> None:
    done(bench.run(ADD.format("[1]", "set3"), "n"))
    for id, value in (("a", "[1, 2]"), ("b", "[1, 3]")):
        done(bench.run(f"u := hyp {{ {ADD.format(value, 'refuse')} }}", "n", id=id))
    done(bench.commit("a.u", "n"))
    done(bench.commit("b.u", "n"))
    assert bench.values() == {"n.x": [1, [2, [3, []]]]}


def test_an_assignment_leaves_the_merge_alone(bench: Bench) -> None:
    done(bench.run(ADD.format("[1]", "set3"), "n"))
    done(bench.run(put("n", "x", "[2]"), "n"))
    assert "set3" in str(bench.store.read("n.x").merge)  # type: ignore[union-attr]
    done(bench.run(ADD.format("[1]", "max"), "n"))
    assert "max" in str(bench.store.read("n.x").merge)  # type: ignore[union-attr]


def test_a_conflict_without_a_merge_is_refused(bench: Bench) -> None:
    done(bench.run(put("n", "x", "1"), "n"))
    done(bench.run(f"u := hyp {{ {put('n', 'x', '2')} }}", "n", id="a"))
    done(bench.run(put("n", "x", "3"), "n"))
    assert code(bench.commit("a.u", "n")) == "opal-merge-conflict"
    assert bench.values() == {"n.x": 3}


# --- write skew -----------------------------------------------------------------------

ON_CALL = "with n do { n.ann := true; n.bob := true }"
LEAVE = (
    "u := hyp {{ with n do {{ if n.{other} = true then {{ n.{me} := false }} else {{ skip }} }} }}"
)


@pytest.fixture
def on_call(bench: Bench) -> Bench:
    """Two worlds, each right by itself, that together would leave nobody on call."""
    done(bench.run(ON_CALL, "n"))
    done(bench.run(LEAVE.format(me="ann", other="bob"), "n", id="a"))
    done(bench.run(LEAVE.format(me="bob", other="ann"), "n", id="b"))
    done(bench.commit("a.u", "n"))
    return bench


def test_write_skew_is_refused(on_call: Bench) -> None:
    assert code(on_call.commit("b.u", "n")) == "opal-reads-changed"
    assert on_call.values() == {"n.ann": False, "n.bob": True}


def test_write_skew_can_be_asked_for(on_call: Bench) -> None:
    done(on_call.commit("b.u", "n", check_reads=False))
    assert on_call.values() == {"n.ann": False, "n.bob": False}


def test_a_world_that_wrote_nothing_depends_on_why(bench: Bench) -> None:
    done(bench.run(put("n", "a", "false"), "n"))
    done(bench.run(LEAVE.format(me="b", other="a"), "n", id="w"))
    done(bench.run(put("n", "a", "true"), "n"))
    assert code(bench.commit("w.u", "n")) == "opal-reads-changed"


def test_what_the_program_itself_wrote_counts_as_read(bench: Bench) -> None:
    done(bench.run(put("n", "a", "0"), "n"))
    read = "u := hyp { with n do { n.b := n.a } }"
    done(bench.run(f"{put('n', 'a', '1')}; {read}", "n", id="w"))
    done(bench.run(put("n", "a", "2"), "n"))
    assert code(bench.commit("w.u", "n")) == "opal-reads-changed"


def test_what_it_did_not_depend_on_may_change(bench: Bench) -> None:
    done(bench.run("with n do { n.a := 1; n.c := 1 }", "n"))
    looks = "u := hyp { with n do { if n.c = 1 then { n.d := 1 } else { n.d := 1 }; n.b := n.a } }"
    done(bench.run(looks, "n", id="w"))
    done(bench.run(put("n", "e", "1"), "n"))
    done(bench.commit("w.u", "n"))
    assert bench.values()["n.b"] == 1


def test_programs_are_serial_even_if_others_commit_meanwhile(bench: Bench) -> None:
    done(bench.run(put("n", "x", "1"), "n"))
    asked: list[Any] = []

    def prompt(one: Asked) -> bool:
        asked.append(one.effect)
        if len(asked) == 1:
            done(bench.run(put("n", "x", "2"), "n"))
        return True

    done(bench.run("with n do { with m do { m.y := n.x } }", "ann", prompt=prompt))
    # m was shown the value that changed, and asked again about the new one.
    assert bench.values() == {"n.x": 2, "m.y": 2}
    assert {"m.y": 1} in asked
    assert asked[-1] in ({"m.y": 2}, {})


def test_a_slow_answer_gives_up_in_the_end(bench: Bench) -> None:
    done(bench.run(put("n", "x", "0"), "n"))
    times = 0

    def prompt(_: Asked) -> bool:
        nonlocal times
        times += 1
        done(bench.run(put("n", "x", str(times)), "n"))
        return True

    ran = bench.run("with n do { with m do { m.y := n.x } }", "ann", prompt=prompt)
    assert code(ran) == "opal-contended"
    assert "m.y" not in bench.values()


# --- obligations (G23) ----------------------------------------------------------------


def test_nobody_is_asked_for_a_world_that_is_only_tried(bench: Bench) -> None:
    def never(_: Asked) -> bool:
        raise AssertionError

    inner = put("dns", "x", "1")
    kept = f"u := hyp {{ {inner} }}; v := hyp {{ {inner} }}; v := hyp {{ skip }}"
    look = f"hyp {{ {inner}; ann.t := 1 }}.ann.t = 1"
    looked = f"with ann do {{ if {look} then {{ ann.y := 1 }} else {{ skip }} }}"
    done(bench.run("ann.t := 0", "ann"))
    done(bench.run(f"{kept}; {looked}", "ann", id="w", prompt=never))
    assert bench.values() == {"ann.t": 0, "ann.y": 1}
    assert code(bench.commit("w.u", "ann")) == "opal-not-endorsed"
    done(bench.commit("w.u", "ann", prompt=lambda asked: asked.node == "dns"))


def test_a_committed_world_needs_what_was_done_in_it(bench: Bench) -> None:
    inner = f"commit hyp {{ {put('dns', 'x', '1')} }}"
    assert code(bench.run(inner, "ann")) == "opal-not-endorsed"
    done(bench.run(f"u := hyp {{ {inner} }}", "ann", id="w"))
    assert [asked.node for asked in bench.asked("w.u", "ann")] == ["dns"]


def test_permission_around_a_world_is_needed_for_it(bench: Bench) -> None:
    text = "with dns do { u := hyp { dns.x := 1 } }"
    done(bench.run(text, "dns", id="w"))
    done(bench.commit("w.u", "dns"))
    assert code(bench.run(text, "ann")) == "opal-not-endorsed"


# --- messages -------------------------------------------------------------------------


def test_what_is_sent_names_revisions_and_holds_no_code(bench: Bench) -> None:
    import headwater.langs.opal.runtime.run as run_module

    messages: list[str] = []

    class Listening(Wire):
        def heard(self, message: str) -> None:
            messages.append(message)

    before = run_module.Wire  # type: ignore[attr-defined]
    run_module.Wire = Listening  # type: ignore[attr-defined]
    try:
        done(bench.run("n.a := 1", "n"))
        done(bench.run("n.b := 2; u := hyp { n.z := 1 }; at paris do { n.c := (n.a . n.a) }", "n"))
    finally:
        run_module.Wire = before  # type: ignore[attr-defined]
    there, back = (json.loads(text) for text in messages)
    assert there["revision"] == [bench.store.id, 1]
    assert there["stores"] == {"n.b": 2}
    assert there["permitted"] == ["n"]
    assert there["worlds"] == ["u"]
    assert back["stores"] == {"n.c": [1, 1]}


@pytest.mark.parametrize(
    "rows",
    [
        [],
        None,
        [["eval", "1"]],
        [["seq", [0, 1]]],
        [["skip"], ["seq", [0, 1]]],
        [["skip"], ["with", 5, 0]],
        [["empty"], ["with", "n", 0]],
        [["op", {}]],
        [["truth", 1]],
        [["var", ["n"]]],
        [["skip", "more"]],
    ],
)
def test_what_is_no_syntax_is_not_decoded(rows: object) -> None:
    with pytest.raises(NotSyntax):
        decode(rows)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format_version": 1, "kind": "at"}', "[" * 9999]
)
def test_what_is_no_message_is_not_decoded(text: str) -> None:
    with pytest.raises(NotSyntax):
        decode_visit(text, Heap(), {})
    with pytest.raises(NotSyntax):
        decode_reply(text, Heap(), "x")
    with pytest.raises(NotSyntax):
        decode_handle({"source": "", "rows": [["skip"]], "places": []}, lambda _: None)


def test_very_deep_programs_have_a_canonical_form() -> None:
    from headwater.langs.opal.syntax import At, Skip

    deep: Com = Skip()
    for _ in range(50_000):
        deep = At("n", deep)
    assert len(encode(deep)) == 50_001


@pytest.mark.parametrize("block", ["at", "with"])
def test_blocks_inside_blocks_are_bounded(
    bench: Bench, block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canonical, "MOST_TOLD", 2_000)
    deep = "".join(f"{block} n{i} do {{ " for i in range(100)) + "skip" + " }" * 100
    assert code(bench.run(deep, "n")) == "opal-too-much-told"
    flat = "; ".join([f"{block} n do {{ skip }}"] * 100)
    assert bench.run(flat, "n").committed is not None


def test_a_block_covers_blocks_of_the_same_node_inside_it(bench: Bench) -> None:
    bench.run("with n do { with n do { n.x := 1 } }", "ann", id="w", propose=True)
    assert len(bench.asked("w", "ann")[0].blocks) == 1
    bench.run("with n do { at p do { with n do { n.x := 1 } } }", "ann", id="v", propose=True)
    assert len(bench.asked("v", "ann")[0].blocks) == 2


# --- history --------------------------------------------------------------------------


def test_the_history_of_a_value(bench: Bench) -> None:
    done(bench.run(ADD.format("[1]", "set3"), "n", id="first"))
    change = ADD.format("[1, 2]", "set3").replace("with n", "with\nn", 1)
    done(bench.run(f"u := hyp {{ {change} }}", "ann", id="w"))
    done(bench.run(ADD.format("[1, 3]", "set3"), "n", id="other"))
    done(bench.commit("w.u", "ann", prompt=lambda _: True))

    last, middle, first = explain_stored(str(bench.store.path), "n.x", None)
    assert [e.entry.world for e in (first, middle, last)] == ["first", "other", "w.u"]
    assert last.value == [1, [3, [2, []]]]
    merge = last.detail["merge"]
    assert merge["orig"] == [1, []]
    assert merge["hyp"] == [1, [2, []]]
    assert merge["curr"] == [1, [3, []]]
    assert merge["expression"] == "set3"
    assert merge["tried"]["action"] == "operation"
    assert (merge["tried"]["file"], merge["tried"]["line"]) == ("change.opal", 2)
    assert merge["tried"]["worlds"] == [1]
    assert last.endorsements == [{"node": "n", "how": "prompt"}]
    texts = {label.text for label in last.inputs}
    assert {"2", "[1, 3]"} <= texts
    assert middle.detail["name"] == "f"
    assert first.entry.principal == "n"


def test_traces_are_kept_with_values(bench: Bench) -> None:
    done(bench.run(put("n", "x", "1"), "n"))
    done(bench.run("with n do { if n.x = 1 then { n.y := 2 } else { skip } }", "n"))
    event = explain_stored(str(bench.store.path), "n.y", None)[0]
    places = {(label.kind, label.at.source.name) for label in event.inputs}
    assert ("argument", "n.x@1") in places
    assert ("literal", "change.opal") in places


# --- at a terminal ----------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"\n", 1)])
def test_owners_are_asked_at_a_terminal(tmp_path: Path, answer: bytes, status: int) -> None:
    program = tmp_path / "p.opal"
    program.write_text("with n do { handle n.x := f with () merging o h c to n.h in { f } }")
    store = str(tmp_path / "s.db")
    command = [sys.executable, "-m", "headwater", "run", str(program), "--store", store]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [*command, "--as", "ann"])
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, answer)
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 4096):
            shown += more
    _, ended = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(ended) == status
    assert b"n.x = ()" in shown
    assert (b"endorsed by n (prompt)" if status == 0 else b"opal-not-endorsed") in shown


# --- the cost of starting -------------------------------------------------------------


def test_keys_are_loaded_only_when_needed(tmp_path: Path) -> None:
    program = tmp_path / "p.opal"
    program.write_text("with n do { handle n.x := f with () merging o h c to n.h in { f } }")
    script = (
        "import sys\n"
        f"sys.argv = ['headwater', 'run', {str(program)!r}, '--store',"
        f" {str(tmp_path / 's.db')!r}, '--as', 'n']\n"
        "from headwater.cli.main import cli\n"
        "try: cli(prog_name='headwater')\n"
        "except SystemExit: pass\n"
        "print('cryptography' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"
