"""No text makes the parser of L3 crash or hang; what is wrong is said at a place in the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.l3.load import load
from headwater.text import Source
from laws.l3_runs import run, text
from laws.profile import law
from laws.strategies import l3

PIECES = (
    "a", "b", ":", ": ", "1", "-2.5", '"s"', "true", "none", "undef", "$a", "$a.b", '$"x y"',
    "{", "}", "[", "]", "(", ")", ",", "\n", " ", " <+> ", " +> ", " #t", " #default", " > ",
    " < ", "#x > #y", "// c\n", "/* c */", "/*", '"', "\\", "#", "$", "=", "é", "\x00", "007",
    "null", "a: 1\n", "b: { x: $a }\n", "<", "+", ">", "\t", "\r\n", "&x ", "*x", "- ",
)  # fmt: skip

soups = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@law(250, 6_000)
@given(soups, st.sampled_from(["soup.l3", "soup.json", "soup.yaml"]))
def test_any_text_has_a_result_or_errors_with_places(soup: str, name: str) -> None:
    sources = (Source(name, soup),)
    one = run(sources)
    other = run(sources, engine="paper")

    assert text(one) == text(other)
    assert (one.result is None) == bool(one.errors)
    for diagnostic in one.diagnostics:
        source, start, end = diagnostic.at
        assert source is sources[0]
        assert 0 <= start <= end <= len(soup)


@law(100, 2_500)
@given(l3.programs, l3.choices)
def test_a_damaged_program_is_read_to_its_end(files: l3.Files, choices: l3.Choices) -> None:
    given_ = l3.sources(files)[0].text
    if not given_:
        return
    at = choices.below(256) * len(given_) // 256
    damaged = given_[:at] + choices.of(PIECES) + given_[at + choices.below(4) :]
    loaded = load((Source("damaged.l3", damaged),))

    assert len(loaded.errors) <= 100
    assert all(error.code.startswith("l3-") for error in loaded.errors)


@law(60, 1_500)
@given(l3.programs)
def test_an_intact_program_has_no_syntax_errors(files: l3.Files) -> None:
    assert load(l3.sources(files)).errors == []
