"""S1: a program slice, compiled alone, gives the same value."""

from __future__ import annotations

from msgspec.structs import replace

from headwater.langs.puppet.generate.calculus import manifest
from headwater.langs.puppet.language import LANGUAGE
from headwater.langs.puppet.paper.adapter import compile_job
from headwater.text import Source
from laws.mupuppet_edits import job, read
from laws.profile import examples


def test_s1_a_slice_alone_gives_the_same_value() -> None:
    sliced = shorter = 0
    for seed in range(examples(14, 600)):
        program = read(manifest(seed))
        of = job(program, "paper" if seed % 2 else "like-puppet")
        outcome = compile_job(of)
        if outcome.result is None:
            continue
        for address, value in list(outcome.result.walk())[:4]:
            text = LANGUAGE.slice(of, outcome, address)
            again = compile_job(replace(of, sources=(Source("slice.pp", text),)))
            assert again.result is not None, text
            assert again.result.get(address) == value
            sliced += 1
            shorter += len(text) < len(program.source.text)
    assert sliced > 10
    assert shorter > sliced // 2
