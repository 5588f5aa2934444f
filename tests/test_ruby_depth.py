"""What runs or lies inside each other in Ruby ends before the stack of the process does.

A stack that overflows kills the process: each of these is run in one of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.largeness import LARGEST_BITS
from headwater.langs.puppet.ruby.machine import DEEPEST, Machine
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.langs.puppet.ruby.values import Raised
from headwater.text import Source
from headwater.text.recursion import room

assert EQUIPMENT

BLOCKS = ["[1].map { |q| " * 200 + "g(x)" + " }" * 200]
NEST = "[" * 200 + "self" + "]" * 200

ENDLESS = [
    *("f.call(x + 1)", "f.(x + 1)", "f[x + 1]", "f.curry[x + 1]", "f.send(:call, x + 1)"),
    *("[x + 1].each(&f)", "[1, 2].sort_by { |y| f.call(x) }", "[2, 1].sort { |y, z| f.call(x) }"),
    *("[1].each { f.call(x + 1) }", "'a'.gsub(/a/) { f.call(x) }", "1.times { f.call(x) }"),
    *("Hash.new { |h, k| f.call(k) }[x + 1]", "[1].product([1]) { f.call(x) }"),
    *("x.tap { |y| f.call(y) }", "[x].each.map(&f)", "case x when f then 1 end"),
    "(" * 60 + "f.call(x)" + ")" * 60,
    "[1].map { |a| " * 30 + "f.call(x)" + "}" * 30,
]

DEEP = [
    f"def g(x); {BLOCKS[0]}; end; g(0)",
    f"class X; def inspect; {NEST}.inspect; end; end; X.new.inspect",
    "e = [1].each; 100_000.times { e = e.with_index }; e.next",
    "x = nil; 50_000.times { x = Struct.new(:a).new(x) }; x.to_s",
    "require 'yaml'; x = 1; 50_000.times { x = [x] }; x.to_yaml",
    "x = 1; 50_000.times { x = [x] }; x.flatten",
    "x = 1; 50_000.times { x = [x] }; x.join",
    "x = 1; 50_000.times { x = [x] }; x.inspect",
]


def ruby(text: str) -> str:
    return f"r = begin; {text}; 'ended'; rescue SystemStackError => e; e.message; end; r"


PROGRAM = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from headwater.text.recursion import room
from headwater.langs.puppet.ruby.equipment import EQUIPMENT
from headwater.langs.puppet.ruby.evaluate import run
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.trees import tree_of
from headwater.text import Source
with room(60_000):
    print(run(Machine(), tree_of(Source("t.rb", sys.stdin.read())), "t.rb").s)
"""


def alone(text: str) -> subprocess.CompletedProcess[str]:
    """What Ruby gives in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], input=ruby(text), capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("body", ENDLESS)
def test_a_lambda_that_calls_itself_for_ever_is_an_error_of_ruby(body: str) -> None:
    done = alone(f"f = nil; f = lambda {{ |x| {body} }}; f.call(0)")
    assert (done.returncode, done.stdout) == (0, "stack level too deep\n"), done.stderr[-2000:]


@pytest.mark.parametrize("text", DEEP)
def test_what_is_nested_too_deep_is_an_error_of_ruby(text: str) -> None:
    done = alone(text)
    assert (done.returncode, done.stdout) == (0, "stack level too deep\n"), done.stderr[-2000:]


def test_a_template_that_never_ends_is_refused_at_its_place(tmp_path: Path) -> None:
    manifest = tmp_path / "a.pp"
    manifest.write_text("$r = inline_template('<% f = lambda { |x| f.call(x) }; f.call(0) %>')\n")
    words = [sys.executable, "-m", "headwater", "compile", str(manifest)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 1
    assert "stack level too deep" in done.stderr
    assert "inline template:1:21" in done.stderr


def evaluated(text: str, steps: int = 20_000_000) -> object:
    with room(60_000):
        return run(Machine(steps=steps), tree_of(Source("t.rb", text)), "t.rb")


def test_the_stack_is_free_again_after_an_error() -> None:
    rescued = (
        "def f; f; rescue SystemStackError; 1; end;"
        "l = lambda { begin; l.call; rescue SystemStackError; 2; end };"
    )
    assert evaluated(f"{rescued} 20.times {{ f; l.call }}; n = 0; 300.times {{ n += 1 }}; n") == 300


def test_blocks_go_as_deep_as_the_bound() -> None:
    deep = DEEPEST // 2 - 10
    assert evaluated(f"f = lambda {{ |x| x == 0 ? 0 : f.call(x - 1) }}; f.call({deep})") == 0


@pytest.mark.parametrize(
    "text",
    [
        "a = 3; 60.times { a = a * a }",
        "a = 3; 60.times { a *= a }",
        "a = 1; 100_000.times { a = a << 100_000 }",
        "a = 1; 100_000.times { a = a >> -100_000 }",
        "1[0, 10**9]",
        "a = 7**1_000_000; b = 3**900_000; 1000.times { a / b }",
        "a = 7**1_000_000; b = 3**500_000; 1000.times { a % b }",
        "a = 7**1_000_000; b = 3**500_000; 1000.times { a.divmod(b) }",
        "a = 7**1_000_000; b = 3**500_000; 1000.times { a.remainder(b) }",
        "a = 7**1_000_000; b = 3**900_000; 1000.times { a.gcd(b) }",
        "a = 1; (1..100_000).each { |x| a = a.lcm(7**x) }",
        "3.pow(7**300_000, 10**100_000)",
        "a = 'z' * 1_000_000; 100_000.times { a = a.succ }",
        "(1..100_000).each_cons(50_000).to_a",
        "('a' * 60_000_000).chars",
        "('a' * 60_000_000).bytes",
        "('a' * 60_000_000).codepoints",
        "(%(\\n) * 60_000_000).lines",
        "('a,' * 20_000_000).split(',')",
        "('a ' * 20_000_000).split",
        "('a' * 60_000_000).split('')",
        "('a,' * 5_000_000).split(/,/)",
        "a = 'aa'; 40.times { a = a.gsub(/a/) { a } }",
        "a = 'a' * 1000; b = a * 1000; b.gsub(/a/) { b }",
    ],
)
def test_what_grows_beyond_a_bound_is_soon_given_up(text: str) -> None:
    with pytest.raises((Exhausted, Beyond)):
        evaluated(text)


def test_integers_go_as_far_as_the_bound() -> None:
    assert evaluated(f"(1 << {LARGEST_BITS - 3}) * 2 == 1 << {LARGEST_BITS - 2}") is True
    assert evaluated("(2**5000 * 3**5000) / 3**5000 == 2**5000") is True
    assert evaluated("a = 6**4000; [a % 7, a.gcd(10), -a.remainder(7), 3.pow(a, 7)]") == [
        1,
        2,
        -1,
        1,
    ]


def test_digging_in_what_is_nested_deep() -> None:
    nested = "x = 1; 20_000.times { x = [{a: x}] }; "
    assert evaluated(nested + "x.dig(*([0, :a] * 20_000))") == 1
    assert evaluated(nested + "x.dig(*([0, :b] * 20_000))") is None
    with pytest.raises(Raised) as raised:
        evaluated("[{a: 'text'}].dig(0, :a, 1)")
    assert raised.value.error.cls.name == "TypeError"
