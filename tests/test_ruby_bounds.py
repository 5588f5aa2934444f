"""Work on large or doubled values of Ruby counts by its size, so that it ends soon."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from headwater.ask.jobs import answer_line
from headwater.langs.puppet.ruby import grammar
from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import Raised
from headwater.text import Source
from headwater.text.deadline import TimedOut, limited

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


@pytest.mark.parametrize(
    "call", ["[a, b].uniq", "{a => 1}[b]", "[a] - [b]", "[a, b].tally", "[[a]].group_by { |x| x }"]
)
@pytest.mark.parametrize(
    "twice",
    ["a = [a, a]; b = [b, b]", "a = {1 => a, 2 => a}; b = {1 => b, 2 => b}",
     "a = [{1 => a, 2 => a}]; b = [{1 => b, 2 => b}]", "a = {[a, a] => 1}; b = {[b, b] => 1}"],
)  # fmt: skip
def test_keys_that_hold_one_another_twice_are_soon_given_up(call: str, twice: str) -> None:
    """As hashes they took all memory there was."""
    with pytest.raises(Exhausted, match=r"elements of a key|steps of Ruby"):
        evaluated(f"a = {{}}; b = {{}}; 30.times {{ {twice} }}; {call}")


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


@pytest.mark.parametrize(
    "code",
    [
        *("('1' * 5000).to_i", "Rational('1' * 5000)", "('1' * 5000).to_r", "'%d' % ('1' * 5000)"),
        *("'%d' % (10**5000)", "'%s' % (10**5000)", "'%e' % (10**5000)", "('1' * 5000).hex"),
        *("require 'json'; JSON.parse('[' + '1' * 5000 + ']')", "(10**5000).round(-1).to_s"),
    ],
)
def test_integers_of_very_many_digits_end_with_a_bound(code: str, tmp_path: Path) -> None:
    try:
        evaluated(code)
    except Exhausted as refused:
        assert "digits" in refused.bound  # noqa: PT017
    made = {
        "templates/a.erb": f"<%= ({code}).class %>",
        "lib/puppet/functions/a.rb": "Puppet::Functions.create_function(:a) do\n"
        f"  def a\n    ({code}).class.name\n  end\nend\n",
    }
    for path, text in made.items():
        (tmp_path / "m" / path).parent.mkdir(parents=True)
        (tmp_path / "m" / path).write_text(text)
    for call in ("template('m/a.erb')", "a()"):
        job = {"lang": "puppet", "code": f"notice({call})", "modulepath": [str(tmp_path)]}
        answer = json.loads(answer_line(json.dumps(job).encode()))
        assert answer["ok"] or answer["error"]["code"] == "puppet-ruby-bound", answer


@pytest.mark.parametrize("piece", ["=>%i(", "a: 1,", "x = a<<b ]\n"])
def test_what_is_no_ruby_is_given_up_in_time(
    piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser of Ruby takes time by the square of such a text; twice this one took minutes."""
    monkeypatch.setattr(grammar, "PATIENCE", 0.1)
    began = time.thread_time()
    with pytest.raises(Unreadable, match="takes longer to read than any Ruby"):
        read("? " + piece * 20_000)
    assert time.thread_time() - began < 3

    (tmp_path / "a.erb").write_text("<% ? " + piece * 20_000 + " %>")
    job = {"lang": "puppet", "code": f"notice(template('{tmp_path}/a.erb'))"}
    answer = json.loads(answer_line(json.dumps(job).encode()))
    assert answer["error"]["code"] == "puppet-ruby-syntax", answer


def test_a_time_limit_holds_while_ruby_is_read() -> None:
    began = time.monotonic()
    with pytest.raises(TimedOut), limited(0.2):
        read("? " + "a: 1," * 40_000)
    assert time.monotonic() - began < 4
    assert read("a = 1").names == ["a"], "and the parser is as good as before"


FLAT = "a = [1]; 16.times { a = a + a }; b = a.dup; "
NESTED = "a = 1; b = 1; 14.times { a = [a, a]; b = [b, b] }; "
OF_HASHES = "a = 1; b = 1; 12.times { a = {1 => a, 2 => a}; b = {1 => b, 2 => b} }; "
OF_SETS = "a = Set[1]; b = Set[1]; 12.times { a = Set[a, [a]]; b = Set[b, [b]] }; "
RANGES = "a = [1]; 14.times { a = [a, a] }; a = (a..a); b = a; "


@pytest.mark.parametrize("value", [FLAT, NESTED, OF_HASHES, OF_SETS, RANGES])
@pytest.mark.parametrize(
    "use",
    [
        *("h[a]", "h[a] = 1", "h.key?(a)", "h.delete(a)", "{a => 1}", "[a, b].uniq", "[a] - [b]"),
        *("[a] & [b]", "[a] | [b]", "[a, b].tally", "[1].group_by { a }", "Set[a].include?(b)"),
        *("[[a, 1]].to_h", "h.dig(a)", "h.fetch(a, 1)", "h.values_at(a)", "{1 => a}.invert"),
    ],
)
def test_a_large_key_counts_by_its_parts_each_time(value: str, use: str) -> None:
    with pytest.raises(Exhausted):
        evaluated(f"require 'set'; h = {{}}; {value}400.times {{ {use} }}", steps=4_000_000)


@pytest.mark.parametrize(
    "use",
    [
        *("d.select { true }", "d.merge(e)", "d == e", "d.transform_values { 1 }", "d <= e"),
        *("d.transform_keys { 1 }", "d.reject { false }", "d.compact", "{**d}", "Hash[d]"),
    ],
)
def test_hashes_with_large_keys_count_when_the_keys_are_used_again(use: str) -> None:
    with pytest.raises(Exhausted):
        evaluated(f"{NESTED}d = {{a => 1}}; e = {{b => 1}}; 40.times {{ {use} }}", 3_000_000)


@pytest.mark.parametrize("use", ["a == b", "a <= b", "a.intersect?(b)", "a <=> b", "[a] == [b]"])
def test_sets_that_hold_one_another_twice_count_when_they_are_compared(use: str) -> None:
    with pytest.raises(Exhausted):
        evaluated(f"require 'set'; {OF_SETS}200.times {{ {use} }}", steps=9_000_000)


@pytest.mark.parametrize("use", ["h[s]", "s == t", "s.eql?(t)", "s <=> t", "[s].include?(t)"])
def test_long_strings_count_when_they_are_compared(use: str) -> None:
    text = "s = 'ab' * 8_000_000; t = 'ab' * 8_000_000; h = {t => 1}; "
    with pytest.raises(Exhausted):
        evaluated(f"{text}200.times {{ {use} }}", steps=3_000_000)


def test_small_keys_count_nothing() -> None:
    machine = Machine(steps=1_000)
    text = "h = {'a' => 1, :b => 2, 3 => 4}; h['a'] + h[:b] + h[3]"
    assert run(machine, tree_of(Source("t.rb", text)), "t.rb") == 7
    assert machine.steps > 980


@pytest.mark.parametrize(
    "use",
    [
        *("$h[$a]", "$a == $b", "[$a] - [$b]", "$a in [$b]", "{$a => 1}", "$a =~ Data"),
        *("$a ? { $b => 1, default => 2 }", "unique([$a, $b])"),
    ],
)
@pytest.mark.parametrize("level", ["[$m, $m]", "{1 => $m, 2 => $m}"])
def test_a_doubled_value_of_puppet_counts_by_its_parts(use: str, level: str) -> None:
    doubled = f"Integer[1,12].reduce(1) |$m, $i| {{ {level} }}"
    code = f"$a = {doubled} $b = {doubled} $h = {{}} Integer[1,200].each |$i| {{ $x = {use} }}"
    job = {"lang": "puppet", "code": code, "max_steps": 600_000}
    answer = json.loads(answer_line(json.dumps(job).encode()))
    assert answer["error"]["code"] == "puppet-too-many-steps"
