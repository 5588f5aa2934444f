"""Calls of Ruby's methods on values of every kind, drawn from the tables of our own evaluator."""

from __future__ import annotations

import random
from collections.abc import Iterator

from headwater.langs.puppet.ruby import classes, methods
from headwater.langs.puppet.ruby.machine import Builtin
from headwater.langs.puppet.ruby.values import Class

assert methods.__all__

RECEIVERS = {
    "String": ['"abc"', '""', '"Hello World"', '"a,b,,c"', '"  x y "', '"12.5abc"', '"é日本"',
               '"az"', '"a\\nb\\n"', '"0x1F"', '"foo-bar_baz"', "'a\\\\1'", '"%05d"', '"zz9"'],
    "Symbol": [":abc", ":b", ':"a b"', ":x?"],
    "Integer": ["0", "1", "-7", "42", "255", "10**20"],
    "Float": ["0.0", "1.5", "-2.5", "1e20", "3.14159", "100.0"],
    "NilClass": ["nil"],
    "TrueClass": ["true"],
    "FalseClass": ["false"],
    "Array": ["[]", "[1, 2, 3]", "[3, 1, 2, 1]", '["b", "a"]', "[[1, 2], [3, 4]]", "[nil, 1, nil]",
              '[1, "a", :b, 2.5]', "[[1, [2, [3]]], 4]", '[[:a, 1], ["b", 2]]'],
    "Hash": ["{}", "{a: 1, b: 2}", '{"x" => [1], "y" => nil}', "{1 => :a, 2 => :b}"],
    "Range": ["(1..5)", "(1...5)", '("a".."e")', "(5..1)", "(1..2.5)"],
    "Regexp": ["/b/", "/(a)(?<n>b)?/", "/x/i", "/\\\\A\\\\w+/m"],
    "MatchData": ['"abc".match(/(.)(.)/)', '"xay".match(/(?<l>a)/)'],
    "Proc": ["proc { |x| x }", "lambda { |x, y = 1| [x, y] }"],
    "Exception": ['ArgumentError.new("no")', "RuntimeError.new"],
}  # fmt: skip
MORE = {
    "Set": ["Set.new", "Set.new([1, 2, 3])", "Set['a', 'b']", "[3, 1].to_set", "Set[1, [2]]"],
    "Enumerator": ["[1, 2, 3].each", "'abc'.each_char", "{a: 1}.each", "[4, 5].each_with_index",
                   "3.times", "(1..3).each_slice(2)", "((1..10) % 3)",
                   "Enumerator.new { |y| y << 1; y << [2, 3]; 4 }"],
    "Enumerator::Lazy": ["(1..6).lazy", "[3, 1, 2].lazy.map { |x| x * 2 }",
                         "(1..Float::INFINITY).lazy.select(&:even?)"],
    "Rational": ["3r", "Rational(1, 3)", "Rational(-7, 2)", "0r"],
    "Struct": ["Struct.new(:a, :b).new(1, 2)", "Struct.new(:x).new([1, 2])",
               "Struct.new(:a, :b, keyword_init: true).new(a: 1)"],
    "Time": ["Time.at(0).utc", "Time.utc(2024, 2, 29, 12, 30, 5)"],
    "Date": ["Date.new(2024, 2, 29)", "Date.new(1999, 12, 31)"],
    "Method": ["'abc'.method(:upcase)", "[1, 2].method(:push)", "5.method(:+)"],
    "Comparable": ["Struct.new(:n) { include Comparable; def <=>(o); n <=> o.n; end }.new(3)"],
    "IPAddr": ["IPAddr.new('10.0.0.0/8')", "IPAddr.new('::1')"],
    "URI::HTTP": ["URI('http://u@h.example:81/p/q?x=1#f')"],
    "Gem::Version": ["Gem::Version.new('1.2.3')", "Gem::Version.new('2.0.rc1')"],
    "Range": ["(1..)", "(..5)", "(1.0..2.0)", "('a'...'a')", "(0.5..2)", "('A'..'zz')"],
    "Integer": ["2**64", "-(2**70)", "1_000", "-1", "3"],
    "Float": ["Float::INFINITY", "-0.0", "Float::NAN", "1e-5", "123456789.123456789", "0.1"],
    "String": ["'ÀÉß'", '"\\u0000a"', '"a\\tb"', "'-12.5e3x'", "'ab' * 3", "'ΑΒ'"],
    "Hash": ["Hash.new { |h, k| h[k] = k.to_s }", "Hash.new(7)", "{nil => 1, [1] => {a: {b: 2}}}"],
    "Array": ["[0.1, 0.2, 0.3]", "[[3, 'c'], [1, 'a']]", "%w[x yy zzz]", "[true, false, nil]",
              "[1, 2r, 3.0]", "Array.new(3) { |i| i * i }"],
    "MatchData": ["'k=v; x'.match(/(?<k>\\w)=(?<v>\\w)(z)?/)", "'日本'.match(/本/)"],
    "Regexp": ["/(?<y>\\d+)-(?<m>\\d+)/", "Regexp.union('a.b', /c/i)",
               "Regexp.new('a b', Regexp::EXTENDED)"],
}  # fmt: skip
"""Values of the library's classes, and odder ones of the others."""
MORE_ARGUMENTS = ["2r", "Set[1, 5]", "1..", "3.7", "'%H'", "Integer", "'1.5'", "[[1, 2]]",
                  "/(?<q>b)/", "-0.5", "Comparable", "'utf-8'", "%w[a b]", "(1..3).each",
                  "[1, [2]]"]  # fmt: skip
MORE_BLOCKS = ["{ |x, i| i }", "{ |k, v| v.nil? }", "{ |*a| a.size }", "{ |m, x| m }",
               "{ break 5 }", "{ |x| next 3 if x; 4 }"]  # fmt: skip
ARGUMENTS = [
    "1", "0", "-1", "2", "3", "10", "1.5", '"a"', '"b"', '","', '""', '"x"', "nil", "true", ":a",
    ":upcase", "/a/", "/[ab]/", "[1, 2]", "[]", "1..2", "0..-1", '"l"', "100", '"a-c"', "{a: 3}",
]  # fmt: skip
BLOCKS = ["", "", "{ |x| x }", "{ |x, y| [y, x] }", "{ |x| x.to_s }", "{ |a, b| a <=> b }",
          "{ true }", "{ nil }", "{ |x| x.nil? }", "(&:to_s)"]  # fmt: skip
COMPARISONS = ["", "", "{ |a, b| a <=> b }", "{ |a, b| b <=> a }"]
COMPARING = frozenset(["sort", "sort!", "min", "max", "minmax"])
"""Methods whose block compares: which pairs they ask about is Ruby's own business."""
BARE = frozenset(["each", "each_with_index", "each_entry", "entries", "force", "reverse_each",
                  "to_a"])  # fmt: skip
"""Methods that pass arguments on to ``each``, which has none here."""
OPERATORS = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "**",
        "<",
        ">",
        "<=",
        ">=",
        "==",
        "!=",
        "===",
        "=~",
        "!~",
        "<=>",
        "<<",
        ">>",
        "&",
        "|",
        "^",
    ]
)
NEVER = frozenset(
    [
        "loop",
        "cycle",
        "exception",
        "set_backtrace",
        "instance_exec",
        "step",
        "initialize",
        "to_set",
        "sample",
        "shuffle",
        "shuffle!",
    ]
)


def tables(values: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Every method of every class that there are values of."""
    for name in values:
        cls: Class = classes.BUILTIN[name]
        seen: set[str] = set()
        for one in cls.ancestors():
            if one in (classes.KERNEL, classes.BASIC_OBJECT, classes.OBJECT):
                continue
            for method, entry in one.methods.items():
                if method not in seen and isinstance(entry, Builtin) and method not in NEVER:
                    seen.add(method)
                    yield name, method


def _end(values: dict[str, list[str]]) -> str:
    """What is looked at in the end; of an iteration the first elements."""
    return "[x, y]" if values is RECEIVERS else "y = y.first(3) if Enumerator === y; [x, y]"


def calls(seed: int, count: int) -> list[str]:
    """Random calls, a third of them on values of more kinds."""
    return [*_calls(seed, count - count // 3, RECEIVERS), *_calls(seed, count // 3, MORE)]


def _calls(seed: int, count: int, values: dict[str, list[str]]) -> list[str]:
    chance = random.Random(seed)
    pairs = list(tables(values))
    arguments = [*ARGUMENTS[:-1], *(MORE_ARGUMENTS if values is MORE else [])]
    blocks = [*BLOCKS, *(MORE_BLOCKS if values is MORE else [])]
    made = []
    for number in range(count):
        name, method = pairs[number % len(pairs)] if count >= len(pairs) else chance.choice(pairs)
        receiver = chance.choice(values[name])
        choices = [*arguments, ARGUMENTS[-1]] if name == "Hash" else arguments
        given = [chance.choice(choices) for _ in range(chance.choice([0, 0, 1, 1, 1, 2]))]
        block = chance.choice(blocks if method not in COMPARING else COMPARISONS)
        if method in BARE and (values is MORE or not block):
            given = []
        if method in OPERATORS:
            made.append(f"{receiver} {method} {chance.choice(arguments)}")
        elif method == "[]":
            made.append(f"{receiver}[{', '.join(given or ['0'])}]")
        elif method.endswith("=") or method in ("!", "~", "-@", "+@", "[]=", "()"):
            made.append(
                f"x = {receiver}; x.send(:{method!s}, {', '.join(given or ['0'])})"
                if method not in ("()",)
                else f"{receiver}"
            )
        else:
            inside = ", ".join(given)
            if block.startswith("(&"):
                inside = ", ".join([*given, block[1:-1]])
                block = ""
            shown = f"x = {receiver}; y = x.{method}({inside}) {block}; {_end(values)}"
            made.append(shown)
    return made
