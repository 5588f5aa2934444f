"""Our evaluator of Ruby against real Ruby: calls of every method, and small programs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from headwater.langs.puppet.ruby import evaluate, methods
from headwater.langs.puppet.ruby.erb import read_template
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.rendering import render
from headwater.langs.puppet.ruby.values import Raised
from laws.profile import examples
from peers.ruby_calls import calls

assert methods.__all__
SCRIPT = Path(__file__).with_name("ruby.rb")
ABSENT = "there is no ruby on this machine"
pytestmark = [pytest.mark.peer, pytest.mark.skipif(shutil.which("ruby") is None, reason=ABSENT)]

PROGRAMS = [
    "a = 'x'; b = a; a << 'y'; b",
    "def f(a, b = 2, *c, d:, **e); [a, b, c, d, e]; end; f(1, d: 3, z: 1)",
    "def f(a, b = 2, *c, d); [a, b, c, d]; end; [f(1, 2), f(1, 2, 3), f(1, 2, 3, 4)]",
    "def f; yield 1, 2; end; f { |a| a }",
    "def f; yield [1, 2]; end; f { |a, b| [b, a] }",
    "[[1, [2, 3]]].map { |a, (b, c)| [c, b, a] }",
    "x = 5; x += 1 while x < 10; x",
    "i = 0; begin; i += 1; end while i < 0; i",
    "[1, 2, 3].each { |v| break v * 2 if v == 2 }",
    "[1, 2, 3].map { |v| next 0 if v == 2; v }",
    "def f; [1, 2].each { |v| return v }; nil; end; f",
    "begin; raise ArgumentError, 'no'; rescue TypeError, ArgumentError => e; e.message; end",
    "begin; Integer('x'); rescue => e; [e.class, e.message]; end",
    "n = 0; begin; n += 1; raise 'x' if n < 3; n; rescue; retry; end",
    "begin; 1; ensure; 2; end",
    "begin; 1; rescue; 2; else; 3; end",
    "catch(:done) { 10.times { |i| throw :done, i if i == 3 }; nil }",
    "case 5 when 1..3 then :low when Integer then :int else :other end",
    "case 'foo' when /^f(.)/ then $1 end",
    "case when 1 > 2 then 1 when true then 2 end",
    "a, (b, *c), d = 1, [2, 3, 4], 5; [a, b, c, d]",
    "*a, b = 1, 2, 3; [a, b]",
    "a = b = 1; a, b = b + 1, a; [a, b]",
    "h = Hash.new { |hash, k| hash[k] = k * 2 }; [h[1], h]",
    "h = Hash.new(0); 'hello'.each_char { |c| h[c] += 1 }; h",
    "x = nil; x ||= 3; x &&= x + 1; x",
    "h = {}; (h[:a] ||= []) << 1; h",
    'class A; attr_accessor :x; def initialize(x); @x = x; end; def to_s; "A#{@x}"; end; end; '
    'a = A.new(1); a.x += 1; "#{a}"',
    "class B1; def hi(x = 1); [:b, x]; end; end; class B2 < B1; def hi(x = 2); super; end; end; "
    "B2.new.hi",
    "module M1; def self.a; b; end; def self.b; 3; end; C = 4; end; [M1.a, M1::C]",
    "class C3; include Comparable; attr_reader :n; def initialize(n); @n = n; end; "
    "def <=>(o); n <=> o.n; end; end; x = C3.new(3); "
    "[C3.new(1) < x, x.clamp(C3.new(1), C3.new(2)).n]",
    "f = ->(x, y = 2) { x + y }; [f.(1), f[1, 1], f.call(5)]",
    "add = proc { |a, b| [a, b] }; [add.call(1), add.call(1, 2, 3), add.call([4, 5])]",
    '%w[a b c].each_with_index.map { |x, i| "#{i}#{x}" }',
    "[3, 1, 2].sort { |a, b| b <=> a }",
    "(1..10).each_slice(3).to_a",
    "%w[apple pear fig].group_by(&:size)",
    "[1, 2, 3, 4].each_with_object([]) { |x, acc| acc << x if x.even? }",
    "{b: 1, a: 2}.sort_by { |k, v| v }.to_h",
    "{a: 1}.map { |k, v| [k.to_s, v + 1] }.to_h",
    "'a-b_c'.gsub(/[-_](.)/) { $1.upcase }",
    "'2024-01-02'.match(/(?<y>\\d+)-(?<m>\\d+)/)[:m]",
    "if 'key=value' =~ /(\\w+)=(\\w+)/ then [$1, $2, $~[0], $`, $'] end",
    "/(?<k>\\w+)=(?<v>\\w+)/ =~ 'a=b'; [k, v]",
    "'%05.1f|%-5s|%x|%+d|%%|%s' % [3.14159, 'ab', 255, 5, [1]]",
    "format('%<a>d %{b}', a: 1, b: 'x')",
    "\"a\\tb\\u00e9#{1 + 1}\" 'c'",
    "<<~EOS\n  a\n    b #{1 + 1}\n\n  c\nEOS\n",
    "<<-'EOS'.lines\n  a #{x}\n  b\n  EOS\n",
    "[1, 2, 3].sum { |x| x * 1.5 }",
    "[0.1] * 3 == [0.1, 0.1, 0.1] && [0.1, 0.2, 0.3].sum",
    "1.upto(3).to_a + 3.downto(1).to_a",
    "10.divmod(-3) + [-7 / 2, -7 % 3, 7.fdiv(2)]",
    "'abc'.frozen? || :a.to_proc.call('x') rescue 'rescued'",
    "x = [1, 2, 3]; x.delete_if { |v| v > 1 }; x",
    "defined?(foo).inspect + defined?(String).to_s + defined?(@a).inspect",
    "def m(*args, **kw, &b); [args, kw, b ? b.call : nil]; end; m(1, a: 2) { 3 }",
    "def k(a:, b: a + 1); [a, b]; end; k(a: 1)",
    "[nil, false, 0, ''].map { |v| v ? 1 : 0 }",
    "nil.foo",
    "[1, 'a'].sort",
    "'a' + 1",
    "1 + 'a'",
    "{a: 1}.fetch(:b)",
    "[1].fetch(5)",
    "foo_bar",
    "def z(a); end; z",
    "raise 'x'",
    "for a, b in [[1, 2], [3, 4]] do x = a + b end; [x, a, b]",
    "until (y ||= 0) >= 3 do y += 1 end; y",
    "[*1..3, *[4]].inspect + [*nil].inspect",
    "h = {a: 1}; {**h, b: 2}",
    "'abc'[1..] + 'abc'[-2, 2] + 'abc'[/b./]",
    "s = 'hello'; s[0] = 'J'; s",
    "[[1, :a], [2, :b]].each_with_object({}) { |(n, s), h| h[s] = n }",
    "x = 3\nputs = x if x > 2\nputs",
    "__method__.inspect",
    "[1, 2, 3].lazy.map { |x| x }.first(1)",
]

TEMPLATES = [
    "a<% 1 -%>\nb",
    "  <%- [1,2].each do |x| -%>\n  x=<%= x %>\n  <%- end -%>\nz\n",
    "<%% <%# c %>\n%%> <%= 1 -%>\n\n",
    "<% if true %>y<% else %>n<% end %>",
    "% x\n<%= nil %>|",
    "<% x = 5\ny = 6 %>\n<%= x +\n y %>",
    "a\n\t<%-# foo -%>\nb",
    "<% case 1 -%>\n<% when 1 -%>\none\n<% end -%>",
    "é<%= 'ü' %>",
    "<%=1%><%=2-%>\n<%=3%>\n",
    "<% [1].each do |x| %><%= x %><% end %>",
    "<%= '%%>' %>",
]


def ours(text: str) -> str | None:
    """What our evaluator gives, an error by its class; None for what it does not evaluate."""
    machine = Machine()
    try:
        return machine.inspect(evaluate.run(machine, read(text), "x.rb"))
    except Raised as raised:
        return f"{raised.error.cls.name}"
    except (Beyond, Exhausted):
        return None


def real(texts: list[str]) -> list[str]:
    """What Ruby gives; of an error only its class."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        ["ruby", "-W0", str(SCRIPT)], input=lines, capture_output=True, text=True, timeout=300
    )
    answers = [json.loads(line)[0] for line in done.stdout.splitlines()]
    assert len(answers) == len(texts), done.stderr
    return [re.sub(r"\A([A-Z][\w:]*(?:Error|Iteration))(?:: .*)?\Z", r"\1", a) for a in answers]


EXPLAINED = {
    "x = [[1, [2, [3]]], 4]; y = x.sort() { |x| x }; [x, y]": "which pairs a sort asks about",
}
"""Calls whose answers differ for a reason."""


def is_error(answer: str) -> bool:
    """Whether an answer is an error; which of two mistakes is told first is not compared."""
    return re.fullmatch(r"[A-Z][\w:]*(Error|Iteration)", answer) is not None


def untold(answer: str) -> bool:
    """Whether an answer shows what differs from run to run, or how an enumerator is made."""
    return "#<Enumerator" in answer or "#<Proc" in answer or "((" in answer


def differences(texts: list[str]) -> list[tuple[str, str, str]]:
    """The programs whose answers differ."""
    found = []
    for text, wanted in zip(texts, real(texts), strict=True):
        given = ours(text)
        if given is None or given == wanted or untold(wanted) or text in EXPLAINED:
            continue
        if not (is_error(given) and is_error(wanted)):
            found.append((text, wanted, given))
    return found


def test_small_programs_mean_what_they_mean_to_ruby() -> None:
    assert differences(PROGRAMS) == []


def test_calls_of_methods_give_what_they_give_in_ruby() -> None:
    assert differences(calls(1, examples(1500, 50_000))) == []


def test_templates_render_as_erb_renders_them() -> None:
    texts = [f"require 'erb'; ERB.new({json.dumps(t)}, trim_mode: '-').result" for t in TEMPLATES]
    for template, wanted in zip(TEMPLATES, real(texts), strict=True):
        machine = Machine()
        text, _ = render(machine, read_template(template), "t.erb", machine.main)
        assert json.dumps(text, ensure_ascii=False) == wanted, template


@pytest.mark.parametrize(
    "text",
    ["def f; f; end; f", "loop { }", "x = 'a'; loop { x << x }", "[1] * 10**12", "'a' * 10**12",
     "10**10**10", "while true; end", "a = []; loop { a.push(*a, 1) }",
     "('a' * 40 + 'b') =~ /(a+)+c/"],
)  # fmt: skip
def test_what_does_not_end_is_ended(text: str) -> None:
    machine = Machine(steps=200_000)
    with pytest.raises((Exhausted, Raised, Beyond)):
        evaluate.run(machine, read(text), "x.rb")


@pytest.mark.parametrize(
    "text", ["`ls`", "system('ls')", "File.read('/etc/passwd')", "eval('1')", "open('x')",
             "Kernel.exit", "binding", "ENV['HOME']", "IO.popen('ls')", "send(:system, 'ls')",
             "Object.send(:eval, '1')", "method(:system).call('ls')",
             "require 'socket'; Socket.gethostname"],
)  # fmt: skip
def test_nothing_reaches_the_machine(text: str) -> None:
    machine = Machine()
    with pytest.raises((Beyond, Raised, Unreadable)):
        evaluate.run(machine, read(text), "x.rb")
