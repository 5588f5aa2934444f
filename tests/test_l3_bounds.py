"""L3 inputs that are too deep, too large or too many end in an answer or a coded bound."""

from __future__ import annotations

import itertools
import signal

import pytest

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.views import Views
from headwater.langs.l3.load import load
from headwater.langs.protocol import EngineName
from headwater.report.terminal import render
from headwater.text import Source

ENGINES: list[EngineName] = ["engine", "paper"]
DEEP = 5_000


def compiled(text: str, engine: EngineName = "engine", name: str = "big.l3") -> Compiled:
    return compile_request(Request(sources=(Source(name, text),), lang="l3", engine=engine))


def codes(outcome: Compiled) -> list[str]:
    return [d.code for d in outcome.diagnostics]


def chain(step: str, count: int) -> str:
    """``a0: 1``, then each label made from the one before."""
    lines = [f"a{i}: {step.format(before=f'$a{i - 1}', i=i)}" for i in range(1, count)]
    return "\n".join(["a0: 1", *lines])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("opening", "closing"), [("{x: ", "}"), ("[", "]"), ("(", ")")])
def test_nesting_beyond_the_bound_is_an_error_at_its_place(
    opening: str, closing: str, engine: EngineName
) -> None:
    outcome = compiled("a: " + opening * DEEP + "1" + closing * DEEP, engine)

    assert codes(outcome) == ["l3-too-deep"]
    assert outcome.diagnostics[0].at.start == 3 + 200 * len(opening) + opening.index(opening[0])
    assert "200" in outcome.diagnostics[0].message


def test_nesting_that_is_never_closed_is_an_error_too() -> None:
    assert codes(compiled("a: " + "{x: " * DEEP)) == ["l3-too-deep"]
    assert codes(compiled("a: " + "[" * DEEP, name="big.yaml")) == ["l3-too-deep"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nesting_up_to_the_bound_has_a_result(engine: EngineName) -> None:
    outcome = compiled("a: " + "{x: " * 200 + "1" + "}" * 200, engine)

    assert outcome.outcome.result is not None
    causes = outcome.outcome.causes
    assert causes is not None
    assert Views(causes, ("a",) + ("x",) * 200).origins[0].text == "1"


@pytest.mark.parametrize("engine", ENGINES)
def test_nesting_made_by_references_is_bounded(engine: EngineName) -> None:
    assert codes(compiled(chain("{{x: {before}}}", DEEP), engine)) == ["output-too-large"]


def test_a_long_chain_of_references_is_no_nesting() -> None:
    outcome = compiled(chain("{before}", DEEP))

    assert outcome.outcome.result is not None
    assert outcome.outcome.result.get((f"a{DEEP - 1}",)) == 1
    assert compiled(chain("{before}", 500), "paper").outcome.result is not None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_long_cycle_is_one_error(engine: EngineName) -> None:
    text = chain("{before}", 400).replace("a0: 1", "a0: $a399")

    assert codes(compiled(text, engine)) == ["l3-reference-cycle"]


@pytest.mark.parametrize("engine", ENGINES)
def test_doubling_tags_are_bounded(engine: EngineName) -> None:
    text = chain("{before} #t{i} <+> {before}", 60)

    assert codes(compiled(text, engine)) == ["output-too-large"]


def test_doubling_values_are_bounded_in_the_reference_semantics() -> None:
    text = chain("{{l: {before}, r: {before}}}", 60)

    assert codes(compiled(text, "paper")) == ["output-too-large"]


def test_the_same_value_doubled_is_one_value() -> None:
    outcome = compiled(chain("{before} <+> {before}", 2_000))

    assert codes(outcome) == []
    assert compiled(chain("{before} <+> {before}", 200), "paper").outcome.result is not None


def test_aliases_that_double_are_bounded() -> None:
    lists = "a0: &a0 [1, 1]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60)
    )
    blocks = "a0: &a0 {x: 1}\n" + "".join(
        f"a{i}: &a{i} {{l: *a{i - 1}, r: *a{i - 1}}}\n" for i in range(1, 60)
    )

    assert codes(compiled(lists, name="big.yaml")) == ["yaml-too-large"]
    assert codes(compiled(blocks, name="big.yaml")) == ["yaml-too-large"]


def test_long_chains_of_operands_and_annotations_have_results() -> None:
    specialised = compiled("a: " + " +> ".join(str(i) for i in range(3_000)))
    annotated = compiled("a: 1 " + "#t " * 3_000)
    constrained = compiled("a: (1 #t0 <+> 2 #t999) " + " > ".join(f"#t{i}" for i in range(1_000)))

    assert specialised.outcome.result is not None
    assert specialised.outcome.result.get(("a",)) == 2_999
    assert annotated.outcome.result is not None
    assert constrained.outcome.result is not None
    assert constrained.outcome.result.get(("a",)) == 1


def test_reading_stops_after_many_errors() -> None:
    assert len(codes(compiled("a: }\n" * 5_000))) == 100


@pytest.mark.parametrize("text", ["", "// nothing\n", "\ufeffa: 1", "a: 1\r\nb: 2\r\n"])
def test_odd_files_are_read(text: str) -> None:
    source = Source.of_text("odd.l3", text)

    assert compile_request(Request(sources=(source,))).outcome.result is not None


def test_binary_data_is_an_error_and_not_a_crash() -> None:
    outcome = compiled("".join(chr(i) for i in range(1, 256)) * 20)

    assert outcome.outcome.result is None
    assert "l3-unknown-character" in codes(outcome)


@pytest.mark.parametrize(("text", "column"), [("é😀: \x00x", 5), ("a: \ud800", 4), ("é: \x01", 4)])
def test_characters_that_yaml_forbids_are_errors_at_their_place(text: str, column: int) -> None:
    outcome = compiled(text, name="odd.yaml")

    assert codes(outcome) == ["l3-bad-yaml"]
    assert outcome.diagnostics[0].at.first == (1, column)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + " +> ".join(map(str, range(2_000))),
        "a: " + " <+> ".join(map(str, range(5_000))),
        "a: (1 #t0 <+> 2 #t999) " + " ".join(f"#t{i} > #t{i + 1}" for i in range(999)),
    ],
    ids=["specialisation", "composition", "constraints"],
)
def test_rows_that_the_rules_are_too_slow_for_are_refused_by_them_only(text: str) -> None:
    assert codes(compiled(text, "paper")) == ["output-too-large"]
    assert compiled(text).outcome.result is not None


def test_very_many_tied_values_are_told_in_few_words() -> None:
    (tie,) = compiled("a: " + " <+> ".join(map(str, range(3_000)))).diagnostics

    assert tie.message.startswith("a could be 0 or 1 or ")
    assert "or 2,980 more" in tie.message
    assert len(tie.labels) == 3_000
    assert len(render([tie]).splitlines()) < 300


TOKENS = ("a", "b:", "\nb: 2", ":", "{", "}", "[", "]", "(", ")", ",", "\n", "1", '"s"', '"x', "#t",
          ">", "<+>", "+>", "$a", "/*", "@", "undef")  # fmt: skip


def test_every_text_of_three_tokens_is_read_to_its_end() -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        for tokens in itertools.product(TOKENS, repeat=3):
            signal.setitimer(signal.ITIMER_REAL, 20)
            for name in ("soup.l3", "soup.json"):
                load((Source(name, " ".join(tokens)),))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
