"""Our evaluator of Ruby against real Ruby: calls of every method, and small programs.

`make test` tries what is written down here and 2,000 programs whose answers are recorded; where
there is no Ruby, the records are all there is.  `make laws` draws 50,000 new ones and asks Ruby.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import random
import shutil
from pathlib import Path

import pytest

from headwater.langs.puppet.ruby import evaluate
from headwater.langs.puppet.ruby.erb import read_template
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.reader import read
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted, Unreadable
from headwater.langs.puppet.ruby.rendering import render
from headwater.langs.puppet.ruby.values import Raised
from laws.profile import examples, is_long
from peers.ruby_answers import agree, is_error, ours, real
from peers.ruby_calls import calls
from peers.ruby_programs import program

ABSENT = "there is no ruby on this machine"
HAS_RUBY = shutil.which("ruby") is not None
pytestmark = pytest.mark.peer
needs_ruby = pytest.mark.skipif(not HAS_RUBY, reason=ABSENT)
UPDATE = bool(os.environ.get("HEADWATER_UPDATE"))
HERE = Path(__file__).parent
LIBRARY = HERE / "ruby_library.txt"
"""Programs over the library and the constructs, one per line."""
REFUSED = HERE / "ruby_refused.txt"
"""Programs that are not evaluated here, with what the refusal names."""
RECORDED = HERE / "ruby_recorded.txt"
"""Programs that were drawn, each with the digest of Ruby's answer."""
PAGE = HERE.parents[1] / "docs" / "laws" / "ruby.md"
CALLS, PROGRAMS_DRAWN = 1300, 700

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


EXPLAINED = {
    "which pairs a sort asks about": ["y = x.sort() { |x| x }"],
    "what is asked of an empty string before its arguments are looked at": [
        'x = ""; y = x.delete', 'x = ""; y = x.lines(', 'x = ""; y = x.chomp!(',
        'x = []; y = x.join('],
    "an argument too many, or of no use, that nobody looks at": [
        ".last(", ".permutation(", ".repeated_permutation(", ".repeated_combination(",
        ".each_line("],
    "a rational number near zero": [".rationalize("],
    "a float of more digits than it has": [".ceil(-", ".floor(-"],
    "an address compared with what is none": ["IPAddr.new('10.0.0.0/8') <", "IPAddr.new('::1') <",
                                              "IPAddr.new('10.0.0.0/8') >", "IPAddr.new('::1') >"],
    "the day from which a calendar counts, which is shown": [".gregorian(", ".new_start(",
                                                             ".julian(", ".italy(", ".england("],
    "offsets with seconds": [".getlocal(", ".localtime("],
    "enumerators chained deeper than calls may be": ["('A'..'zz'); y = x.sum((1..3).each"],
    "a frozen set that would not change": ["].freeze; y = x.select!", "].freeze; y = x.reject!"],
}  # fmt: skip
"""What differs for a reason, by pieces of the programs."""


def explained(text: str) -> bool:
    """Whether a program is one that differs for a known reason."""
    return any(piece in text for pieces in EXPLAINED.values() for piece in pieces)


def untold(answer: str) -> bool:
    """Whether an answer shows how a proc is made, or did not come in time."""
    return "#<Proc" in answer or answer.startswith(("Timeout::Error", "SyntaxError"))


def differences(texts: list[str]) -> list[tuple[str, str, str]]:
    """The programs whose answers differ."""
    found = []
    for text, wanted in zip(texts, real(texts), strict=True):
        given = ours(text)
        if given is None or untold(wanted) or agree(given, wanted) or explained(text):
            continue
        found.append((text, wanted, given))
    return found


def drawn(seed: int, count: int) -> list[str]:
    """Calls and programs, two of the first for each of the second."""
    many = count * CALLS // (CALLS + PROGRAMS_DRAWN)
    return calls(seed, many) + [program(seed * 10**6 + n) for n in range(count - many)]


def digest(answer: str) -> str:
    """An answer in few letters; errors are all alike."""
    told = "an error" if is_error(answer) else answer
    return hashlib.sha256(told.encode()).hexdigest()[:12]


@needs_ruby
def test_small_programs_mean_what_they_mean_to_ruby() -> None:
    assert differences(PROGRAMS) == []


@needs_ruby
def test_the_library_answers_as_ruby_s_does() -> None:
    programs = LIBRARY.read_text(encoding="utf-8").splitlines()
    assert [text for text in programs if ours(text) is None] == []
    assert differences(programs) == []


def test_what_is_refused_is_named() -> None:
    for row in REFUSED.read_text(encoding="utf-8").splitlines():
        named, _, text = row.partition("\t")
        with pytest.raises((Beyond, Unreadable)) as caught:
            evaluate.run(Machine(), read(text), "x.rb")
        assert str(caught.value) == named, text


@needs_ruby
@pytest.mark.skipif(not is_long(), reason="`make laws` draws programs anew")
def test_programs_that_are_drawn_mean_what_they_mean_to_ruby() -> None:
    count = examples(0, 50_000)
    seed = random.SystemRandom().randrange(10**6)
    texts = drawn(seed, count)
    found = differences(texts)
    refused = sum(ours(text) is None for text in texts[:: max(1, count // 2000)])
    PAGE.write_text(page(count, seed, found, refused * max(1, count // 2000)), encoding="utf-8")
    assert found == []


def page(count: int, seed: int, found: list[tuple[str, str, str]], refused: int) -> str:
    """What a long run has shown."""
    today = datetime.date.today().isoformat()
    lines = [
        "# Long run: our evaluator of Ruby against real Ruby",
        "",
        f"Written by `make laws` (tests/peers/test_ruby.py) on {today}: {count:,} programs drawn",
        f"with the seed {seed}, evaluated here and by Ruby 3.1; {len(found)} differ. About",
        f"{refused:,} are refused here, each with the name of what is not evaluated.",
        "",
        "Two of three are calls of the methods of the tables on values of every kind, with",
        "arguments and blocks that fit or do not; the others are programs over all constructs",
        "(loops, blocks, methods, lambdas, errors, matches, heredocs), whose variables are",
        "compared in the end.  Two errors count as the same.  Not compared is what differs for a",
        "reason:",
        "",
        *(f"- {reason}" for reason in EXPLAINED),
        "",
    ]
    for text, wanted, given in found[:20]:
        lines += ["```", text, f"Ruby: {wanted}", f"here: {given}", "```"]
    return "\n".join(lines) + "\n"


def record() -> None:
    """Writes down what Ruby answers: calls with their text, programs by their number."""
    drawn_: list[str | int] = [*calls(1, CALLS), *range(PROGRAMS_DRAWN)]
    texts = [recorded_text(one) for one in drawn_]
    rows = [
        f"{digest(answer)} {json.dumps(one, ensure_ascii=False)}"
        for one, text, answer in zip(drawn_, texts, real(texts), strict=True)
        if not untold(answer) and not explained(text)
    ]
    RECORDED.write_text("\n".join(rows) + "\n", encoding="utf-8")


def recorded_text(one: str | int) -> str:
    """The text of a program that was recorded."""
    return one if isinstance(one, str) else program(one)


def test_programs_that_were_drawn_have_the_answers_that_ruby_gave() -> None:
    if UPDATE and HAS_RUBY:
        record()
    found = []
    for row in RECORDED.read_text(encoding="utf-8").splitlines():
        wanted, _, one = row.partition(" ")
        text = recorded_text(json.loads(one))
        given = ours(text)
        if given is not None and digest(given) != wanted:
            found.append((text, given))
    assert found == []


@needs_ruby
def test_the_records_are_what_ruby_answers() -> None:
    rows = RECORDED.read_text(encoding="utf-8").splitlines()[::20]
    texts = [recorded_text(json.loads(row.partition(" ")[2])) for row in rows]
    for row, answer in zip(rows, real(texts), strict=True):
        assert row.startswith(digest(answer)), row


@needs_ruby
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
     "('a' * 40 + 'b') =~ /(a+)+c/", "(1..9).cycle { [0] * 10**6 }", "loop { 'a' * 10**7 }",
     "x = [0] * 10**6; loop { x + x }", "loop { 'a'.ljust(10**7) }",
     "loop { [].fill(0, 0, 10**6) }", "x = '\"'; 90.times { x = x.dump }",
     "x = '\"'; 90.times { x = x.inspect }", "x = 'a'; 90.times { x = x.unpack1('H*') }",
     "x = '.'; 90.times { x = Regexp.escape(x) }", "x = 'a'; 90.times { x = [x].pack('m') }",
     "x = 'a'; 90.times { x = x.gsub(/./) { |c| c + c } }"],
)  # fmt: skip
def test_what_does_not_end_is_ended(text: str) -> None:
    machine = Machine(steps=200_000)
    with pytest.raises((Exhausted, Raised, Beyond)):
        evaluate.run(machine, read(text), "x.rb")


@pytest.mark.parametrize("text", ["f(**)", "{**}", "super(**)", "x[**]", "def f(**); g(**); end"])
def test_nothing_is_spread(text: str) -> None:
    with pytest.raises((Unreadable, Beyond)):
        read(text)


@pytest.mark.parametrize(("opening", "closing"), [("1[", "]"), ("f(", ")"), ("[", "]"), ("(", ")")])
def test_what_is_nested_too_deep_is_refused(opening: str, closing: str) -> None:
    refused = 0
    for depth in range(50, 1200, 50):
        machine = Machine(steps=200_000)
        text = opening * depth + "1" + closing * depth
        try:
            render(machine, read_template(f"<%= {text} %>"), "t.erb", machine.main)
        except (Raised, Unreadable):
            refused += 1
    assert refused


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
