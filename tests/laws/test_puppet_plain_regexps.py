"""Where Python's engine is asked instead of Oniguruma, both give the same match."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.puppet.types.plain_regexps import plain_regexp
from headwater.langs.puppet.types.refusals import BadRegexp
from headwater.langs.puppet.types.regexps import _find_slowly, find, finder
from laws.profile import law

ATOMS = st.sampled_from(
    ["a", "b", "1", "-", ".", "_", " ", r"\d", r"\w", r"\s", r"\W", r"\.", r"\-", r"\n", "[a-c1]",
     "[^a]", "[-.]", "[a_-]", r"[\d.]", "^", "$", r"\A", r"\z", r"\b", "(", "(?:", ")", "|", "#",
     "[a-c-e]", "[[a]]", "[a&&b]", r"\Z", r"\h", "]", "{", "/"]
)  # fmt: skip
COUNTS = st.sampled_from(["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{1,}",
                          "{1,2}?", "{,2}", "*+", "{2}?"])  # fmt: skip
PATTERNS = st.lists(st.tuples(ATOMS, COUNTS), max_size=6).map(
    lambda pieces: "".join(atom + count for atom, count in pieces)
)
TEXTS = st.text(st.sampled_from("ab1-._ \n#c/é]"), max_size=10)


@law(1500, 30_000)
@given(PATTERNS, TEXTS, st.integers(0, 3))
def test_python_and_oniguruma_find_the_same(pattern: str, text: str, start: int) -> None:
    plain = plain_regexp(pattern)
    data = text.encode()
    if plain is None or not plain.suits(data) or start > len(data):
        return
    try:
        slow = _find_slowly(pattern, data, start)
    except BadRegexp:
        raise AssertionError(f"{pattern} is no expression of Ruby's") from None
    assert find(pattern, data, start) == slow
    if start == 0:
        quick = finder(pattern)(text)
        assert (quick is None) == (slow is None)
        if quick is not None and slow is not None:
            assert quick.regs == slow.regs
            assert quick.groups() == slow.groups()
            assert quick.data == slow.data


def test_what_is_taken_is_bounded() -> None:
    assert plain_regexp(r"(a*)*b") is None
    assert plain_regexp(r"(a|aa)+$") is None
    hard = plain_regexp(r"a*a*a*a*a*b")
    assert hard is not None
    assert not hard.suits(b"a" * 60)
    assert find(r"^(\d+)\.(\d+)$", b"10.25") is not None
