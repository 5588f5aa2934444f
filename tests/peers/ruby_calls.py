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
ARGUMENTS = [
    "1", "0", "-1", "2", "3", "10", "1.5", '"a"', '"b"', '","', '""', '"x"', "nil", "true", ":a",
    ":upcase", "/a/", "/[ab]/", "[1, 2]", "[]", "{a: 3}", "1..2", "0..-1", '"l"', "100", '"a-c"',
]  # fmt: skip
BLOCKS = ["", "", "{ |x| x }", "{ |x, y| [y, x] }", "{ |x| x.to_s }", "{ |a, b| a <=> b }",
          "{ true }", "{ nil }", "{ |x| x.nil? }", "(&:to_s)"]  # fmt: skip
COMPARISONS = ["", "", "{ |a, b| a <=> b }", "{ |a, b| b <=> a }"]
COMPARING = frozenset(["sort", "sort!", "min", "max", "minmax"])
"""Methods whose block compares: which pairs they ask about is Ruby's own business."""
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
    ["loop", "cycle", "exception", "set_backtrace", "instance_exec", "step", "initialize", "to_set"]
)


def tables() -> Iterator[tuple[str, str]]:
    """Every method of every class that there are values of."""
    for name in RECEIVERS:
        cls: Class = classes.BUILTIN[name]
        seen: set[str] = set()
        for one in cls.ancestors():
            if one in (classes.KERNEL, classes.BASIC_OBJECT, classes.OBJECT):
                continue
            for method, entry in one.methods.items():
                if method not in seen and isinstance(entry, Builtin) and method not in NEVER:
                    seen.add(method)
                    yield name, method


def calls(seed: int, count: int) -> list[str]:
    """Random calls."""
    chance = random.Random(seed)
    pairs = list(tables())
    made = []
    for number in range(count):
        name, method = pairs[number % len(pairs)] if count >= len(pairs) else chance.choice(pairs)
        receiver = chance.choice(RECEIVERS[name])
        given = [chance.choice(ARGUMENTS) for _ in range(chance.choice([0, 0, 1, 1, 1, 2]))]
        block = chance.choice(BLOCKS if method not in COMPARING else COMPARISONS)
        if method in OPERATORS:
            made.append(f"{receiver} {method} {chance.choice(ARGUMENTS)}")
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
            shown = f"x = {receiver}; y = x.{method}({inside}) {block}; [x, y]"
            made.append(shown)
    return made
