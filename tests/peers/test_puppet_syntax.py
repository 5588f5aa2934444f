"""Our parser and validation against real Puppet's, on snippets and on Debian's modules."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from headwater.langs.puppet.syntax import parse, show
from headwater.langs.puppet.syntax.dump import dump
from headwater.text import Source, read_source
from laws.profile import examples, is_long
from peers.puppet import corpus, puppet
from peers.puppet_report import compare, verdict, write_report

HERE = Path(__file__).parent / "puppet_syntax"
ANSWERS = HERE / "answers.json"
LEAST_AGREEMENT = 0.98
LEAST_WITHOUT_ECHO = 0.9


def snippets() -> list[tuple[str, str]]:
    """Pieces of code that try one thing each, with the name of a file for them."""
    found = []
    for ending in ("pp", "epp"):
        text = (HERE / f"snippets.{ending}.txt").read_text("utf-8").removesuffix("\n")
        found += [(f"x.{ending}", snippet + "\n") for snippet in text.split("\n====\n")]
    return found


def recorded() -> list[tuple[str, str, dict[str, object]]]:
    """Snippets with what real Puppet 7.23 said about them."""
    answers = json.loads(ANSWERS.read_text("utf-8"))
    return [(name, text, answers[f"{name}: {text}"]) for name, text in snippets()]


@pytest.mark.parametrize(("name", "text", "answer"), recorded())
def test_a_snippet_is_judged_as_puppet_judged_it(
    name: str, text: str, answer: dict[str, object]
) -> None:
    ours = verdict(Source(name, text))

    assert ours.ok == answer["ok"], ours.codes
    if answer["dump"] is not None:
        assert ours.dump == answer["dump"]


@pytest.mark.peer
def test_puppet_still_says_what_was_recorded() -> None:
    peer = puppet()
    now = {}
    for name, text in snippets():
        answer = peer.parse(text, name, dump=True)
        now[f"{name}: {text}"] = {"ok": answer["ok"], "dump": answer["dump"]}
    if os.environ.get("HEADWATER_RECORD"):
        ANSWERS.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", "utf-8")

    assert now == json.loads(ANSWERS.read_text("utf-8"))


def modules() -> tuple[Path, ...]:
    puppet()
    files = corpus()
    if not files:
        pytest.skip("no Debian puppet-module packages are installed (tests/peers/install.sh)")
    return files


@pytest.mark.peer
def test_every_module_file_has_puppets_tree_and_verdict() -> None:
    peer = puppet()
    differ = []
    for path in modules():
        source = read_source(path)
        assert isinstance(source, Source)
        answer = peer.parse(source.text, str(path), dump=True)
        ours = verdict(source)
        if ours.ok != answer["ok"] or (answer["dump"] is not None and ours.dump != answer["dump"]):
            differ.append(str(path))

    assert not differ


@pytest.mark.peer
def test_every_module_file_survives_printing() -> None:
    differ = []
    for path in modules():
        source = read_source(path)
        assert isinstance(source, Source)
        program = parse(source).program
        if parse(Source(source.name, show(program))).program != program:
            differ.append(str(path))

    assert not differ


@pytest.mark.peer
def test_mutated_module_files_are_judged_as_puppet_judges_them() -> None:
    files = modules()
    comparison = compare(puppet(), files, examples(short=1000, long=20_000), seed=42)
    if is_long():
        write_report(comparison, files)

    assert not comparison.crashes
    assert comparison.agreement >= LEAST_AGREEMENT, comparison.causes.most_common(5)
    assert comparison.one_message >= LEAST_WITHOUT_ECHO * comparison.refused


def test_the_dump_of_a_program_is_compact() -> None:
    parsed = parse(Source("x.pp", "include a"))

    assert dump(parsed.program) == '(invoke {:functor (qn "include") :args [(qn "a")]})'
