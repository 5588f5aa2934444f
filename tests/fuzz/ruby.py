# ruff: noqa: E501 - one program after the other
"""Ruby that is wrong: programs and templates of our own, mutated, in the evaluator itself.

What it may do is to give a value, to raise an error of Ruby's or to be refused.  While it runs,
nothing but modules of Python is opened, and no process and no connection is begun.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from fuzz.stream import Finding
from fuzz.texts import Pool
from headwater.langs.puppet.ruby import evaluate, methods
from headwater.langs.puppet.ruby.erb import read_template
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable, too_large
from headwater.langs.puppet.ruby.rendering import render
from headwater.langs.puppet.ruby.values import Raised
from peers.ruby_programs import program

if TYPE_CHECKING:
    from fuzz.workshop import Workshop

assert methods.__all__
LIBRARY = Path(__file__).parents[1] / "peers" / "ruby_library.txt"
EXAMPLES = Path(__file__).parents[2] / "examples"
STEPS = 100_000
HEAVY = [
    "'a' * 10**9", "10 ** 10 ** 9", "(1..10**12).to_a", "x = 'a'; 60.times { x += x }; x",
    "a = [1]; 60.times { a += a }", "loop { }", "def f; f; end; f", "[1] * 10**9", "'%0999999999d' % 1",
    "('a' * 50 + 'b') =~ /(a+)+c/", "1 << 10**12", "2 ** (2 ** 60)", "'x'.ljust(10**12)",
    "(1..).to_a", "(1..20).to_a.permutation.to_a", "[*1..30].combination(15).count", "h = {}; loop { h[h.size] = 1 }",
    "'ab'.gsub(/(?=(a*))*/, 'x' * 99)", "a = []; a << a; a.flatten", "a = []; a << a; a.inspect; a == a; a.hash",
    "JSON.parse('[' * 5000 + ']' * 5000, max_nesting: 0)", "x = {}; x[:x] = x; x.to_yaml; x.to_json; x.inspect",
    "File.read('/etc/passwd')", "`id`", "system('id')", "IO.read('x')", "Kernel.open('|id')", "require '/etc/passwd'",
    "ObjectSpace.each_object { }", "Process.kill(9, 0)", "ENV.to_h", "Dir['/*']", "eval('1' * 99)", "exit!", "fork",
    "SecureRandom.hex", "Time.now", "rand", "Marshal.load('x')", "send(:`, 'id')", "method(:exec).unbind", "1.0.round(-10**9)",
    "Rational('1e999999999')", "'1e999999999'.to_r", "Integer('9' * 10**6)", "10.digits(2**70)", "[1].pack('x999999999')",
    "(2**9999999).to_s", "2.pow(10**9, 10**9)", "1.step(2, 1e-300).first(3)", "'a'.upto('z' * 9).to_a", "(1..9).cycle { }",
    "Enumerator.new { |y| loop { y << 1 } }.to_a", "Array.new(10**9)", "Array.new(9) { [0] * 10**6 }", "[[]] * 10**7",
    "catch(:a) { throw :b }", "Comparable.instance_method(:<)", "obj = Class.new { def method_missing(n, *a) = send(n) }.new; obj.x",
    "def inspect = inspect; inspect", "{}.each { |k| }.merge!({a: 1}) { raise }", "[3, 1].sort { raise StopIteration }",
]  # fmt: skip
_WATCHED = (
    "open",
    "os.system",
    "subprocess.Popen",
    "socket.connect",
    "os.exec",
    "os.fork",
    "os.remove",
)
_running = False


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if _running and event in _WATCHED:
        path = str(args[0]) if args else ""
        if event != "open" or not path.endswith((".py", ".pyc", ".so")):
            raise Finding(f"{event}: {path}")


@cache
def _pools() -> tuple[Pool, Pool]:
    """The programs, and the templates."""
    sys.addaudithook(_watch)
    lines = LIBRARY.read_text(encoding="utf-8").splitlines()
    programs = [*lines, *HEAVY, *(program(number) for number in range(300))]
    files = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.rb"))]
    templates = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.erb"))]
    templates += [f"a\n<%- [1, 2].each do |x| -%>\n<%= {line} %>\n<% end -%>\nb" for line in lines]
    templates += [f"<% {program(number)} %><%= s1 %>" for number in range(50)]
    return Pool([*programs, *files]), Pool(templates)


def _guarded(run: Callable[[], object]) -> str:
    global _running
    _running = True
    try:
        run()
    except Raised:
        return "an error of Ruby"
    except (Beyond, Exhausted, Unreadable):
        return "a refusal"
    finally:
        _running = False
    return "a result"


def try_ruby(rng: Random, workshop: Workshop) -> str:
    """A program."""
    text = rng.choice(HEAVY) if rng.random() < 0.05 else _pools()[0].text(rng)

    def run() -> None:
        machine = Machine(steps=STEPS)
        value = evaluate.run(machine, read(text), "x.rb")
        with contextlib.suppress(RecursionError):
            try:
                machine.inspect(value)
            except (ValueError, OverflowError) as error:
                raise too_large(error) or error from None

    return _guarded(run)


def try_erb(rng: Random, workshop: Workshop) -> str:
    """A template."""
    text = _pools()[1].text(rng)

    def run() -> None:
        machine = Machine(steps=STEPS)
        render(machine, read_template(text), "x.erb", machine.main)

    return _guarded(run)
