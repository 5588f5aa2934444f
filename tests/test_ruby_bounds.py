"""Work on large or doubled values of Ruby counts by its size, so that it ends soon."""

from __future__ import annotations

import pytest

from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import Raised
from headwater.text import Source

assert EQUIPMENT

MANY = "a = [1]; 16.times { a = a + a }; b = a.dup; c = a + [2]; 100.times { "
TWICE = "a = [1]; b = [1]; 30.times { a = [a, a]; b = [b, b] }; "
HASHES = "a = {}; b = {}; 30.times { a = {1 => a, 2 => a}; b = {1 => b, 2 => b} }; "


def evaluated(text: str, steps: int = 1_000_000) -> object:
    return run(Machine(steps=steps), tree_of(Source("t.rb", text)), "t.rb")


@pytest.mark.parametrize(
    "call",
    [
        *("a == b", "a.eql?(b)", "a <=> b", "a.include?(2)", "a.index(2)", "a.min", "a.max"),
        *("a - [2]", "a & [2]", "a.reverse.size", "a.compact.size", "a.delete(2)", "a.minmax"),
        *("a.rotate.size", "a.assoc(2)", "a.count(2)", "a.dup.size", "a.replace(b).size"),
        *("a.compact!", "a.reverse!.size", "case a when c then 1 when b then 2 end"),
    ],
)
def test_what_goes_through_an_array_counts_by_its_length(call: str) -> None:
    spent = 65_536 * 100 // 40
    with pytest.raises(Exhausted):
        evaluated(f"{MANY}{call} }}", steps=300_000 if "dup" not in call else spent)


@pytest.mark.parametrize(
    "call",
    [
        *("a == b", "a != b", "a.eql?(b)", "a <=> b", "[a].include?(b)", "[a, b].min"),
        *("[a, b].sort", "a.inspect", "a.to_s", "a.join", "a * ','", "a.to_json"),
        *("'%s' % [a]", "'%p' % [[a]]", "{1 => a} == {1 => b}", "{1 => a}.value?(b)"),
        *("[[a, 1]].assoc(b)", "case a when b then 1 end", "[a].delete(b)", "a.flatten.size"),
    ],
)
def test_arrays_that_hold_one_another_twice_are_soon_given_up(call: str) -> None:
    with pytest.raises(Exhausted):
        evaluated(f"require 'json'; {TWICE}{call}")


@pytest.mark.parametrize("call", ["a == b", "a.inspect", "'%s' % [a]", "a.to_json", "[a] == [b]"])
def test_hashes_that_hold_one_another_twice_are_soon_given_up(call: str) -> None:
    with pytest.raises(Exhausted):
        evaluated(f"require 'json'; {HASHES}{call}")


@pytest.mark.parametrize("number", ["Float::INFINITY", "-Float::INFINITY", "Float::NAN"])
@pytest.mark.parametrize(
    "call",
    [
        *("Time.at(f)", "Time.at(0, f)", "Time.at(0) + f", "Time.at(0) - f", "'%d' % f"),
        *("Time.gm(2000, 1, 1, 0, 0, f)", "Date.new(2000, 1, 1) + f", "Date.new(2000, 1, 1) >> f"),
    ],
)
def test_a_float_that_is_no_number_is_an_error_of_ruby(number: str, call: str) -> None:
    with pytest.raises(Raised) as raised:
        evaluated(f"require 'date'; f = {number}; {call}")
    assert raised.value.error.cls.name == "FloatDomainError"


def test_steps_towards_no_number_are_none() -> None:
    assert evaluated("n = 0; 1.step(Float::NAN, 2) { n += 1 }; n") == 0


@pytest.mark.parametrize(
    "options",
    [
        r"fallback: {'é' => \"\xff\".b}",
        r"fallback: {'é' => \"\xff\"}",
        "fallback: {'é' => 'ü'}",
        r"undef: :replace, replace: \"\xff\"",
    ],
)
def test_a_replacement_that_the_encoding_does_not_have_is_refused(options: str) -> None:
    options = options.replace('\\"', '"')
    with pytest.raises(Beyond, match="replacement"):
        evaluated(f"'aé'.encode('US-ASCII', {options})")


def test_what_ruby_puts_for_a_character_is_in_the_encoding() -> None:
    for code, made in (
        ("'a€'.encode('ISO-8859-1', fallback: {'€' => 'ü'}).bytes", [97, 252]),
        ("'aé'.encode('US-ASCII', undef: :replace, fallback: {'é' => 'x'})", "a?"),
        ("'aé'.encode('US-ASCII', xml: :text)", "a&#xE9;"),
        (r"""begin; "a\xff".scrub("\xfe"); rescue ArgumentError; 1; end""", 1),
        ("begin; 'é'.encode('US-ASCII', fallback: {}); rescue EncodingError; 1; end", 1),
        ("begin; 'é'.encode('US-ASCII', fallback: {'é' => 3}); rescue TypeError; 1; end", 1),
    ):
        assert evaluated(code) == made, code
