"""Extreme texts get a tree or a coded error.  bench/puppet_extremes.py times them at 10 MB."""

from __future__ import annotations

import pytest

from headwater.langs.puppet.syntax import parse, validate
from headwater.text import Source
from laws.profile import examples
from laws.strategies.puppet_extremes import extremes, template_extremes

SIZE = examples(short=20_000, long=1_000_000)
TEXTS = [pytest.param("x.pp", text, id=name) for name, text in extremes(SIZE).items()]
TEXTS += [pytest.param("x.epp", text, id=name) for name, text in template_extremes(SIZE).items()]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_an_extreme_text_gets_an_answer(name: str, text: str) -> None:
    parsed = parse(Source(name, text))
    found = [*parsed.diagnostics, *(validate(parsed.program) if parsed.ok else [])]

    assert all(d.code.startswith("puppet-") for d in found)
    assert parsed.ok or any(d.is_error for d in parsed.diagnostics)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("nested brackets", "puppet-too-deep"),
        ("nested strings", "puppet-too-deep"),
        ("a chain of additions", "puppet-too-deep"),
        ("only NUL", "puppet-bad-character"),
        ("lone surrogates", "puppet-bad-character"),
        ("an unclosed heredoc", "puppet-heredoc-end"),
        ("an unclosed string", "puppet-unclosed-string"),
    ],
)
def test_a_bound_or_a_cut_has_its_own_code(name: str, code: str) -> None:
    parsed = parse(Source("x.pp", extremes(60_000)[name]))

    assert code in {d.code for d in parsed.diagnostics}
