"""Opal: bounds, inputs, the interfaces to the outside, presets and the lint of merges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headwater.ask.jobs import answer_line
from headwater.langs import Job, language_named
from headwater.langs.opal.causes import StoreCauses
from headwater.langs.opal.distribution import Request, Stores, Visit
from headwater.langs.opal.engine import machine
from headwater.langs.opal.engine import run as engine_run
from headwater.langs.opal.engine import sexps as engine_sexps
from headwater.langs.opal.fields import Fields
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.nesting import MOST_NESTING
from headwater.langs.opal.paper import run as paper_run
from headwater.langs.opal.paper import state as paper_state
from headwater.langs.opal.parser import parse
from headwater.langs.opal.syntax import PRESETS, Com
from headwater.langs.opal.values import NIL, Heap, from_plain, plain
from headwater.text import Source

OPAL = language_named("opal")
BOTH = pytest.mark.parametrize("engine", ["engine", "paper"])


def counting(body: str, merge: str = "o h c to n.h", handler: str = "(() . n.x)") -> str:
    return f"with n do {{ handle n.x := inc with {handler} merging {merge} in {{ {body} }} }}"


def answer(code: str, **job: object) -> dict[str, Any]:
    """The answer to a job."""
    line = json.dumps({"code": code, "lang": "opal", **job}).encode()
    made: dict[str, Any] = json.loads(answer_line(line))
    return made


def error(code: str, **job: object) -> tuple[str, str | None]:
    made = answer(code, **job)
    assert not made["ok"]
    assert made["error"]["line"] >= 1
    return made["error"]["code"], made["error"]["paper"]


def program(text: str) -> Com:
    found = parse(Source("t.opal", text), ext=True)
    assert found.program is not None, found.diagnostics
    return found.program


# --- bounds ---------------------------------------------------------------------------

DEEP = {
    "blocks": "with n do { " * 10_000 + "skip" + " }" * 10_000,
    "worlds": "u := hyp { " * 10_000 + "skip" + " }" * 10_000,
    "brackets": "if " + "(" * 10_000 + "true" + ")" * 10_000 + " then { skip } else { skip }",
    "pairs": counting("skip", handler="(() . " * 10_000 + "()" + ")" * 10_000),
    "chain": "if " + "true & " * 10_000 + "true then { skip } else { skip }",
}


@BOTH
@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_answered_with_its_bound(kind: str, engine: str) -> None:
    assert error(DEEP[kind], engine=engine) == ("opal-nesting-too-deep", "R007")


@pytest.mark.parametrize("kind", ["with n do { " * 10_000, "}" * 10_000, "(" * 10_000, '"' * 9_999])
def test_unbalanced_text_is_a_syntax_error(kind: str) -> None:
    assert error(kind)[1] in ("E001", "R007")


@BOTH
def test_nesting_up_to_the_bound_works(engine: str) -> None:
    levels = MOST_NESTING - 3
    made = answer(
        counting("u := hyp { inc; " * levels + "inc" + " }; commit u" * levels), engine=engine
    )

    assert made["ok"]
    table = made["result"]["stores"]["n.x"]
    assert len(table["nodes"]) == levels + 2
    assert table["nodes"][:2] == [[], [0, 0]]


@BOTH
def test_a_value_that_doubles_is_written_as_a_table_and_bounded_at_last(engine: str) -> None:
    made = answer(counting("inc; " * 40, handler="(n.x . n.x)"), engine=engine)

    assert made["result"]["stores"]["n.x"] == {
        "nodes": [[], *([i, i] for i in range(40))],
        "root": 40,
    }
    code = counting("inc; " * 100, handler="(n.x . n.x)")
    assert error(code, engine=engine) == ("opal-value-too-large", "R007")


@BOTH
def test_small_values_are_nested_pairs_and_large_ones_tables(engine: str) -> None:
    small = answer(counting("inc; " * 500), engine=engine)["result"]["stores"]["n.x"]
    large = answer(counting("inc; " * 501), engine=engine)["result"]["stores"]["n.x"]

    assert isinstance(small, list)
    assert isinstance(large, dict)
    heap = Heap()
    assert from_plain(heap, large, atoms=False).right is from_plain(heap, small, atoms=False)


@BOTH
def test_steps_are_bounded(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (machine, engine_sexps, paper_state):
        monkeypatch.setattr(module, "MOST_STEPS", 50)
    assert error(counting("inc; " * 40), engine=engine) == ("opal-too-many-steps", "R007")
    search = counting("inc; " * 8 + "if (() . ()) in n.x then { skip } else { skip }; " * 4)
    assert error(search, engine=engine) == ("opal-too-many-steps", "R007")


@BOTH
@pytest.mark.parametrize(
    ("bound", "code"),
    [("MOST_DEPTH", "opal-value-too-deep"), ("MOST_VALUES", "opal-too-many-values")],
)
def test_values_are_bounded(
    bound: str, code: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"headwater.langs.opal.values.{bound}", 20)
    assert error(counting("inc; " * 40), engine=engine) == (code, "R007")


@BOTH
def test_worlds_over_many_variables_see_the_store_of_their_time(engine: str) -> None:
    count = 80
    handle = "handle n.x{0} := f{0} with (() . n.x{0}) merging o h c to n.h in {{ "
    body = "; ".join(f"f{i}; w{i} := hyp {{ f{i} }}; f{i}" for i in range(count))
    body += "; " + "; ".join(f"commit w{i}" for i in range(0, count, 2))
    code = "with n do { " + "".join(handle.format(i) for i in range(count)) + body
    stores = answer(code + " }" * (count + 1), engine=engine)["result"]["stores"]

    assert stores == {f"n.x{i}": [[], [[], []]] for i in range(count)}
    rejecting = code.replace("to n.h", "to n.o")
    stores = answer(rejecting + " }" * (count + 1), engine=engine)["result"]["stores"]
    assert [stores[f"n.x{i}"] for i in range(4)] == [[[], []], [[], [[], []]]] * 2


def test_a_hundred_thousand_operations_and_a_thousand_worlds_run() -> None:
    made = answer(counting("inc; " * 100_000))
    assert made["ok"]
    assert len(made["result"]["stores"]["n.x"]["nodes"]) == 100_001
    depth = 1_000
    assert answer(counting("u := hyp { inc; " * depth + "inc" + " }; commit u" * depth))["ok"]


# --- run-time errors that typing excludes ----------------------------------------------

UNTYPED = {
    "opal-unbound-variable": "with n do { if n.z = () then { skip } else { skip } }",
    "opal-permission-missing": "handle n.x := f with () merging o h c to n.h in { f }",
    "opal-world-gone": "commit u",
    "opal-unknown-operation": "zap",
    "opal-world-in-handler": counting("inc", handler="u.n.x"),
}


@pytest.mark.parametrize("code", UNTYPED)
def test_both_engines_stop_where_typing_would_have(code: str) -> None:
    c = program(UNTYPED[code])
    for finished in (
        paper_run.evaluate(c, Inputs()),
        engine_run.evaluate(c, Inputs(), tracing=False),
    ):
        assert finished.stuck is not None
        assert finished.stuck.code == code


# --- what the type checker says --------------------------------------------------------

UNAVAILABLE = {
    "it was never declared": "commit u",
    "already committed at line 1": "u := hyp { inc }; commit u; commit u",
    "moved to v at line 1": "u := hyp { inc }; v := u; commit u",
    "committed in only one branch of the if at line 1": (
        "u := hyp { inc }; if true then { commit u } else { skip }; commit u"
    ),
    "declared in only one branch of the if at line 1": (
        "if true then { skip } else { u := hyp { inc } }; commit u"
    ),
    "it stands outside this handle at line 1": (
        "u := hyp { inc }; handle n.y := f with () merging o h c to n.h in { commit u }"
    ),
    "it was declared inside the handle that begins at line 1": (
        "handle n.y := f with () merging o h c to n.h in { u := hyp { inc } }; commit u"
    ),
    "outer worlds are not visible inside the hyp at line 1": (
        "u := hyp { inc }; commit hyp { commit u }"
    ),
    "it was declared inside the hyp at line 1": "commit hyp { u := hyp { inc } }; commit u",
}


@BOTH
@pytest.mark.parametrize("reason", UNAVAILABLE)
def test_an_unavailable_world_says_why(reason: str, engine: str) -> None:
    found = answer(counting(UNAVAILABLE[reason]), engine=engine)["errors"]

    assert [d["paper"] for d in found] == ["E013"]
    assert found[0]["message"] == f"world u is not available here: {reason}"


ONCE = "if () = () then {{ {} }} else {{ {} }}"

NESTED = {
    "committed in only one branch of the if at line 3": (
        "u := hyp { inc };\nif true then {\n" + ONCE.format("commit u", "skip") + "} else { skip };"
    ),
    "declared in only one branch of the if at line 2": (
        "u := hyp { inc }; commit u;\nif true then { u := hyp { inc } } else { skip };"
    ),
    "moved to v in only one branch of the if at line 2": (
        "u := hyp { inc };\n" + ONCE.format("skip", "v := u") + ";"
    ),
}


@BOTH
@pytest.mark.parametrize("reason", NESTED)
def test_the_reason_is_what_happened_in_the_branch(reason: str, engine: str) -> None:
    found = answer(counting(NESTED[reason] + " commit u"), engine=engine)["errors"]

    assert [d["message"] for d in found] == [f"world u is not available here: {reason}"]


@BOTH
def test_names_that_may_have_been_meant_are_offered(engine: str) -> None:
    asked = {
        counting("inc; icn"): "did you mean inc?",
        counting("world := hyp { inc }; commit wrold"): "did you mean world?",
        "with n do { handle n.load := f with n.laod merging o h c to n.h in { f } }": (
            "did you mean n.load?"
        ),
    }
    for code, help in asked.items():
        assert answer(code, engine=engine)["error"]["help"] == help
    after = answer(counting("inc") + ";\ninc", engine=engine)["error"]
    assert after["labels"][0]["message"] == "this handle ended at line 1"


@BOTH
def test_strict_makes_warnings_errors(engine: str) -> None:
    code = counting("u := hyp { inc }; u := hyp { inc }")
    assert [d["paper"] for d in answer(code, engine=engine)["warnings"]] == ["W002"]
    assert error(code, engine=engine, strict=True) == ("opal-world-dropped", "W002")


# --- inputs ---------------------------------------------------------------------------


@BOTH
def test_a_program_may_start_over_existing_stores(engine: str) -> None:
    code = "with n do { if n.k = (() . ()) then { skip } else { skip } }"
    initial = {"n.k": [[], []], '"web-1.example.org".z': []}  # type: ignore[var-annotated]
    made = answer(code, initial=initial, engine=engine, why=True)

    assert made["result"] == {"stores": dict(sorted(initial.items()))}
    entry = made["why"]["values"]["n.k"]
    assert made["why"]["inputs"][entry["where"]]["kind"] == "argument"
    assert made["why"]["inputs"][entry["where"]]["file"] == "initial"
    again = answer(code, initial=made["result"], engine=engine)
    assert again["result"] == made["result"]


@BOTH
def test_existing_stores_need_permission_and_have_no_merge(engine: str) -> None:
    read = "if n.k = () then { skip } else { skip }"
    assert error(read, initial={"n.k": []}, engine=engine)[1] == "E011"
    wrong = "with n do { if n.q = () then { skip } else { skip } }"
    assert error(wrong, initial={"n.k": []}, engine=engine)[1] == "E012"


@pytest.mark.parametrize(
    "job",
    [
        {"initial": {"nk": []}},
        {"initial": {"n.k": [[], [], []]}},
        {"initial": {"n.k": [None, []]}},
        {"initial": {"n.k": "a"}},
        {"initial": {"n.k": {"nodes": [[], [0, 5]], "root": 1}}},
        {"initial": {"n.k": {"nodes": [], "root": 0}}},
    ],
    ids=str,
)
def test_inputs_that_cannot_be_used_are_a_diagnostic(job: dict[str, Any]) -> None:
    assert error("skip", **job) == ("opal-bad-input", None)


@BOTH
def test_endorsements_are_a_list_of_principals(engine: str) -> None:
    code = "with n do { with m do { skip } }"
    assert answer(code, endorse=["n", "m"], engine=engine)["ok"]
    assert error(code, endorse=["n"], engine=engine) == ("opal-endorsement-denied", "R001")
    made = answer(code, endorse=[], at="paris", engine=engine)
    assert "at paris" in made["error"]["message"]


class Spy:
    """An endorser and a transport that write down what they are asked."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, ...]] = []

    def endorses(self, request: Request) -> bool:
        self.heard.append(("with", request.principal, request.location))
        return True

    def arrive(self, visit: Visit) -> Visit:
        self.heard.append(("to", visit.origin, visit.node))
        return visit

    def leave(self, visit: Visit, written: Stores) -> Stores:
        self.heard.append(("from", visit.node, str(len(written))))
        return written


def test_endorsers_and_transports_hear_of_every_with_and_at() -> None:
    there = "at p do { with n do { n.x := (); at q do { n.y := () } } }"
    c = program(f"{there}; u := hyp {{ with m do {{ skip }} }}")
    both = []
    for run in (paper_run.evaluate, lambda c, i: engine_run.evaluate(c, i, tracing=False)):
        spy = Spy()
        finished = run(c, Inputs(endorser=spy, transport=spy))
        assert finished.stuck is None
        both.append(spy.heard)

    assert both[0] == both[1]
    assert both[0] == [
        ("to", "home", "p"),
        ("with", "n", "p"),
        ("to", "p", "q"),
        ("from", "q", "1"),
        ("from", "p", "2"),
        ("with", "m", "home"),
    ]


# --- causes ---------------------------------------------------------------------------


def test_a_value_knows_operation_world_and_line_and_a_merge_its_three_values() -> None:
    text = "with n do {\n  handle n.x := inc with (() . n.x) merging o h c to n.h in {\n"
    text += "    u := hyp {\n      inc\n    };\n    inc; inc;\n    commit u\n  }\n}\n"
    outcome = OPAL.compile(Job((Source.of_text("t.opal", text),), Fields()))
    causes = outcome.causes
    assert isinstance(causes, StoreCauses)
    write = causes.write(("n", "x"))

    assert (write.action, write.name, write.at.first.line) == ("commit", "commit u", 7)
    assert write.merged is not None
    assert write.merged.orig is not None
    assert write.merged.curr is not None
    sides = [side.value.depth for side in (write.merged.orig, write.merged.hyp, write.merged.curr)]
    assert sides == [0, 1, 2]
    assert write.merged.expression is not None
    assert write.merged.expression.at.text == "n.h"
    inner = write.merged.hyp.write
    assert inner is not None
    assert inner.describe() == "written by inc in the world of line 3"
    assert inner.at.first.line == 4
    lines = [at.first.line for at in causes.path(("n", "x"))]
    assert lines == [2, 3, 4, 7, 2]


def test_the_whole_store_and_a_node_have_addresses_too() -> None:
    outcome = OPAL.compile(Job((Source.of_text("t.opal", counting("inc")),), Fields()))
    assert outcome.result is not None
    assert outcome.result.get(()) == {"n": {"x": [[], []]}}
    for text in ("n.x", "/stores/n.x", "/n/x", "/stores/n/x"):
        assert OPAL.parse_address(text) == ("n", "x")
    assert OPAL.show_address(OPAL.parse_address("web-1.example.org.x")) == '"web-1.example.org".x'
    assert OPAL.show_value([[], [[], []]]) == "(() . (() . ()))"


# --- presets and the lint of merges ----------------------------------------------------


def findings(merging: str, body: str = "inc") -> list[str]:
    text = counting(body, merging)
    found = OPAL.check(Job((Source.of_text("t.opal", text),), Fields(ext=True)))
    return [d.code for d in found]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_obeys_the_laws_of_merges(preset: str) -> None:
    assert set(findings(preset)) <= {SYMMETRY}


AGREEMENT, FORWARD = "opal-merge-agreement", "opal-merge-fast-forward"
NO_OP, SYMMETRY = "opal-merge-no-op", "opal-merge-symmetry"


@pytest.mark.parametrize(
    ("merging", "broken"),
    [
        ("o h c to n.h", [NO_OP, SYMMETRY]),
        ("o h c to n.c", [FORWARD, SYMMETRY]),
        ("o h c to n.o", [AGREEMENT, FORWARD, NO_OP]),
        ("o h c to (n.h . n.c)", [AGREEMENT, FORWARD, NO_OP, SYMMETRY]),
        ("to conflict", [AGREEMENT, FORWARD, NO_OP]),
        ("refuse", []),
        ("max", []),
        ("min", []),
        ("hyp", [SYMMETRY]),
        ("curr", [SYMMETRY]),
    ],
)
def test_merges_are_tried_on_small_values(merging: str, broken: list[str]) -> None:
    assert findings(merging) == broken


def test_in_a_merge_the_variable_itself_is_the_current_value() -> None:
    inner = "handle n.x := dec with () merging o h c to n.x in { dec }"
    assert findings("o h c to n.c", inner) == [FORWARD, SYMMETRY] * 2


def test_a_merge_as_deep_as_allowed_can_be_checked() -> None:
    for depth in (450, 4_000):
        merging = "o h c to " + "(n.h . " * depth + "()" + ")" * depth
        twice = counting("inc", merging) + "; " + counting("inc", merging)
        assert len(list(OPAL.check(Job((Source.of_text("t.opal", twice),), Fields())))) in (0, 8)


def test_values_survive_the_machine_interface() -> None:
    heap = Heap()
    value = heap.cons(heap.atom("a"), heap.cons(heap.atom(1), heap.atom(True)))
    deep = value
    for _ in range(1_000):
        deep = heap.cons(deep, NIL)
    for one in (NIL, value, deep):
        assert from_plain(heap, plain(one), atoms=True) is one


def test_fortyfold_doubling_is_shown_without_being_written_out() -> None:
    heap = Heap()
    value = NIL
    for _ in range(200):
        value = heap.cons(value, value)
    assert len(repr(value)) < 300
