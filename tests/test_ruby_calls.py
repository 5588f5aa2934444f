"""Calls of Ruby that are settled before they happen, and machines that serve again."""

from __future__ import annotations

import json

import pytest

from headwater.ask.jobs import answer_line
from headwater.langs.puppet.engine import ruby
from headwater.langs.puppet.ruby.access import KEPT, PLAIN, visibility
from headwater.langs.puppet.ruby.classes import OF_TYPE
from headwater.langs.puppet.ruby.direct import settled
from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import RubyValue, Symbol, Text
from headwater.text import Source

assert EQUIPMENT


def evaluated(text: str) -> object:
    return run(Machine(), tree_of(Source("t.rb", text)), "t.rb")


def test_what_is_settled_is_what_the_machine_finds_and_public() -> None:
    machine = Machine()
    asked = 0
    values: tuple[RubyValue, ...] = (None, 1, 1.5, "a", Text("a"), Symbol("a"), [])
    for value in values:
        names = {name for one in OF_TYPE[value.__class__].ancestors() for name in one.methods}
        for name in sorted(names):
            found = machine.find(value, name)
            made = {settled(value.__class__, name, count) for count in range(4)} - {None}
            assert made <= {found}
            if made:
                asked += 1
                assert visibility(value, name).word == "public"
            elif isinstance(found, Builtin) and found.least < 4:
                assert name in KEPT
    assert asked > 500


def test_no_program_gives_methods_to_what_is_settled() -> None:
    for name in sorted(PLAIN):
        with pytest.raises(Beyond, match=f"reopening {name}"):
            evaluated(f"{name}.class_eval {{ def zzz; end }}")


def test_a_safe_call_of_an_operator_on_nil_is_nil() -> None:
    assert evaluated("x = nil; x&.+(1)") is None
    assert evaluated("x = 2; x&.+(1)") == 3


def test_arguments_by_name_reach_a_method_of_an_array_as_a_hash() -> None:
    made = evaluated("a = []; a.push(b: 1); a.first[:b]")
    assert made == 1


def test_a_refused_job_gives_its_machine_to_the_next() -> None:
    code = "notice(inline_template('<%= 1 + 1 %>')) fail('no')"
    job = json.dumps({"code": code, "lang": "puppet"}).encode()
    assert b'"ok":false' in answer_line(job)
    there = list(ruby._FREE)
    assert there
    assert b'"ok":false' in answer_line(job)
    assert there == ruby._FREE
