"""Strings of bytes: our evaluator of Ruby against real Ruby, and against what it has answered.

`make test` asks Ruby for a few and has the digests of the others; `make laws` draws new ones.
"""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import pytest

from laws.profile import examples, is_long
from peers.ruby_answers import agree, is_error, ours, real
from peers.ruby_bytes import program_of_bytes
from peers.test_ruby import HAS_RUBY, needs_ruby

pytestmark = pytest.mark.peer
RECORDED = Path(__file__).with_name("ruby_bytes.txt")
"""The digest of Ruby's answer to each program, by its number."""
MANY = 1_000


def alike(answer: str) -> str:
    """An answer; US-ASCII, in which all is UTF-8 too, is not told apart here."""
    return answer.replace('"US-ASCII"', '"UTF-8"').replace("<Encoding:US-ASCII", "<Encoding:UTF-8")


def digest(answer: str) -> str:
    """An answer in few letters; errors are all alike."""
    told = "an error" if is_error(answer) else alike(answer)
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def differences(seeds: list[int]) -> list[tuple[str, str, str | None]]:
    """The programs whose answers differ from Ruby's; none of them is refused."""
    texts = [program_of_bytes(seed) for seed in seeds]
    found = []
    for text, wanted in zip(texts, real(texts), strict=True):
        given = ours(text)
        if given is None or not agree(alike(given), alike(wanted)):
            found.append((text, wanted, given))
    return found


def test_programs_over_bytes_have_the_answers_that_ruby_gave() -> None:
    if os.environ.get("HEADWATER_UPDATE") and HAS_RUBY:
        answers = real([program_of_bytes(seed) for seed in range(MANY)])
        RECORDED.write_text("\n".join(map(digest, answers)) + "\n", encoding="utf-8")
    found = []
    for seed, wanted in enumerate(RECORDED.read_text(encoding="utf-8").split()):
        text = program_of_bytes(seed)
        given = ours(text)
        if given is None or digest(given) != wanted:
            found.append((text, given))
    assert found == []


@needs_ruby
def test_ruby_answers_so() -> None:
    assert differences([*range(MANY)][::20]) == []


@needs_ruby
@pytest.mark.skipif(not is_long(), reason="`make laws` draws programs anew")
def test_programs_over_bytes_mean_what_they_mean_to_ruby() -> None:
    first = random.SystemRandom().randrange(10**6)
    assert differences([*range(first, first + examples(0, 20_000))]) == []
