# ruff: noqa: E501 - one line, one construct
"""Small programs of Ruby drawn at random: expressions with types, and every construct around them.

A program assigns to a few variables whose kinds are known, changes them by all kinds of
statements, and gives back what they hold in the end.  Most run without an error, because the
kinds fit; some do not, and then the error is compared.
"""

from __future__ import annotations

from random import Random

WORDS = ["a", "b", "abc", "Hello World", "x-y_z", "", " pad ", "12", "1.5x", "é", "a,b,,c", "k=v"]
JOINERS = ('","', '""', '" "')
NAMES = {"int": "i", "float": "f", "str": "s", "sym": "y", "ints": "a", "strs": "w", "hash": "h"}


class Writer:
    """One program; `rng` makes all choices."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.inside: dict[str, list[str]] = {kind: [f"{name}1"] for kind, name in NAMES.items()}
        self.calls: list[str] = []
        self.level = 0

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def of(self, kind: str, depth: int = 2) -> str:
        """An expression of a kind."""
        if depth <= 0 or self.rng.random() < 0.25:
            return self.leaf(kind)
        made: str = getattr(self, f"_{kind}")(depth - 1)
        return made

    def leaf(self, kind: str) -> str:
        if self.rng.random() < 0.6:
            return self.rng.choice(self.inside[kind])
        match kind:
            case "int":
                return str(self.rng.choice([0, 1, 2, 3, 7, 10, -1, -4, 255, 10**12]))
            case "float":
                return self.pick("0.5", "1.0", "-2.25", "3.14159", "1e10", "100.0")
            case "str":
                return self.quoted(self.rng.choice(WORDS))
            case "sym":
                return self.pick(":a", ":b", ":key", ':"a b"')
            case "ints":
                return self.pick("[1, 2, 3]", "[]", "[3, 1, 2]", "(1..4).to_a", "[0, -1]")
            case "strs":
                return self.pick("%w[a b c]", '["x", "y"]', "[]", "%w[b a]")
            case _:
                return self.pick('{"a" => 1}', "{}", '{"k" => 2, "l" => 3}', "Hash.new(0)")

    def quoted(self, text: str) -> str:
        return self.pick(f'"{text}"', f"'{text}'", f"%q({text})")

    def _int(self, d: int) -> str:
        i, s, a, w, h = (self.of(k, d) for k in ("int", "str", "ints", "strs", "hash"))
        j = self.of("int", d)
        return self.pick(
            f"({i} {self.pick('+', '-', '*', '&', '|', '^', '<=>')} {j})", f"{s}.length",
            f"({i}).abs", f"({i}).clamp(0, 20)", f"{a}.sum", f"{w}.size", f"{h}.length",
            f"({a}.max || 0)", f"({a}.first || {j})", f"{a}.count {{ |x| x > {j} }}",
            f"({i} / ({j}.abs + 1))", f"({i} % ({j}.abs + 1))", f"{s}.to_i", f"({h}.values.first || 0)",
            f"{a}.inject(0) {{ |m, x| m + x }}", f"({i} > {j} ? {i} : {j})", f"({s} =~ /[a-z]/).to_i",
            f"{a}.each_with_index.map {{ |x, n| x * n }}.sum", f"{s}.count('a-z')", f"({i}).digits.sum",
            f"{h}.sum {{ |k, v| v }}", f"{s}.ord.to_i", f"(begin; Integer({s}); rescue ArgumentError; {j}; end)",
            f"({s}.index('b') || -1)", f"{a}.dig(0).to_i", f"({i} <=> {j})", f"{w}.map(&:size).sum",
        )  # fmt: skip

    def _float(self, d: int) -> str:
        f, g, i = self.of("float", d), self.of("float", d), self.of("int", d)
        return self.pick(
            f"({f} {self.pick('+', '-', '*')} {g})", f"({f}).round({self.rng.randrange(4)}).to_f",
            f"({i}).to_f", f"({f}).abs", f"({f}).floor.to_f", f"{self.of('str', d)}.to_f",
            f"({i}).fdiv({self.of('int', d)}.abs + 1)", f"[{f}, {g}].max", f"[{f}, {g}].sum",
        )  # fmt: skip

    def _str(self, d: int) -> str:
        s, t, i, w, a, h = (self.of(k, d) for k in ("str", "str", "int", "strs", "ints", "hash"))
        return self.pick(
            f"({s} + {t})", f'"<#{{{i}}}|#{{{s}}}>"', f"{s}.upcase", f"{s}.capitalize", f"{s}.strip",
            f"{s}.reverse", f"{w}.join({self.pick(*JOINERS)})", f"{a}.inspect",
            f"{s}.sub(/[aeiou]/, '*')", f"{s}.gsub(/(.)(.)/) {{ $2 + $1 }}", f"{s}.tr('a-y', 'b-z')",
            f"{s}.center(({i}).abs % 20)", f"({s}[0] || 'none')", f"{s}[1..-1].to_s", f"{h}.to_a.inspect",
            f"format('%03d|%-5s|%x', ({i}).abs % 1000, {s}, 255)", f"{s} * (({i}).abs % 3)",
            f"{s}.each_char.map(&:succ).join", f"{s}.gsub('a', 'a' => 'A', 'b' => 'B')", f"({i}).to_s(2)",
            f"{s}.chars.sort.join", f"{s}.squeeze", f"{s}.split(',').map(&:strip).join(';')",
            f"(case {s} when /^a/ then 'A' when '' then 'E' else 'O' end)", f"{self.of('sym', d)}.to_s",
            f"({s} =~ /(?<q>[a-z]+)/ ? $~[:q] : 'no')", f"{s}.scan(/\\w/).tally.to_s", f"{s}.partition('b').inspect",
            f"{s}.ljust(8, '.')", f"{s}.delete('l')", f"({h}['a'] || 'nil').to_s", f"{s}.inspect",
            f"{s}.then {{ |x| x.empty? ? 'empty' : x }}", f"{s}.swapcase", f"{s}.bytes.first.to_s",
        )  # fmt: skip

    def _sym(self, d: int) -> str:
        return self.pick(f"{self.of('str', d)}.to_sym", ":z", f"{self.of('sym', d)}.to_proc.call('x') && :ok",
                         f"({self.of('sym', d)} == :a ? :yes : :no)")  # fmt: skip

    def _ints(self, d: int) -> str:
        a, b, i, s, h = (self.of(k, d) for k in ("ints", "ints", "int", "str", "hash"))
        return self.pick(
            f"({a} {self.pick('+', '-', '|', '&')} {b})", f"{a}.map {{ |x| x + {i} }}", f"{a}.reverse",
            f"{a}.select(&:even?)", f"{a}.reject {{ |x| x == {i} }}", f"{a}.sort", f"{a}.uniq",
            f"{a}.take(2)", f"{a}.drop(1)", f"{a}.sort_by {{ |x| -x }}", f"{s}.bytes", f"{h}.values",
            f"{a}.each_slice(2).map(&:sum)", f"{a}.zip({b}).flatten.compact", f"[*{a}, {i}]", f"{a}.rotate",
            f"{a}.partition {{ |x| x > 1 }}.first", f"{a}.each_with_object([]) {{ |x, m| m << x * 2 }}",
            f"{a}.flat_map {{ |x| [x, x] }}", f"{a}.each_cons(2).map {{ |x, y| y - x }}", f"{a}.minmax.compact",
            f"{a}.group_by {{ |x| x % 2 }}.keys", f"{a}.filter_map {{ |x| x * 2 if x > 0 }}", f"[{i}] * 2",
            "(1..5).step(2).to_a", f"{a}.lazy.map {{ |x| x + 1 }}.first(2)", f"{a}.tally.values",
            f"{a}.inject([]) {{ |m, x| [x] + m }}", f"{a}.chunk_while {{ |x, y| y == x + 1 }}.map(&:size)",
        )  # fmt: skip

    def _strs(self, d: int) -> str:
        w, v, s, a, h = (self.of(k, d) for k in ("strs", "strs", "str", "ints", "hash"))
        return self.pick(
            f"{w}.map(&:upcase)", f"({w} + {v})", f"{s}.split(/[,\\s]/)", f"{s}.chars", f"{w}.sort",
            f"{w}.map {{ |x| x + {s} }}", f"{a}.map(&:to_s)", f"{h}.keys", f"{w}.sort_by(&:length)",
            f"{w}.reject(&:empty?)", f"{w}.each_with_index.map {{ |x, n| \"#{{n}}#{{x}}\" }}", f"{w}.uniq",
            f"{w}.grep(/a/)", f"{s}.lines", f"{w}.zip({v}).map {{ |x, y| \"#{{x}}#{{y}}\" }}", f"{w}.compact",
            f"{w}.product({v}).map(&:join).first(6)", f"{s}.scan(/[a-z]+/)", f"[{s}, *{w}]", f"{w}.max_by(1, &:size)",
        )  # fmt: skip

    def _hash(self, d: int) -> str:
        h, g, i, w = (self.of(k, d) for k in ("hash", "hash", "int", "strs"))
        return self.pick(
            f"{h}.merge({g})", f"{h}.merge({g}) {{ |k, x, y| x + y }}", f"{h}.select {{ |k, v| v > {i} }}",
            f"{h}.transform_values {{ |v| v + 1 }}", f"{h}.reject {{ |k, v| k == 'a' }}", f"{w}.tally",
            f"{h}.sort_by {{ |k, v| [v, k] }}.to_h", f"{h}.to_a.reverse.to_h", f"{h}.map {{ |k, v| [k.to_s, v] }}.to_h",
            f"{w}.each_with_object({{}}) {{ |x, m| m[x] = x.size }}", f"{{**{{}}, 'n' => {i}}}", f"{h}.compact",
            f"{w}.group_by(&:size).map {{ |k, v| [k.to_s, v.size] }}.to_h", f"{h}.min_by(1) {{ |k, v| v }}.to_h",
            f"{h}.each_with_index.map {{ |(k, v), n| [k, v + n] }}.to_h", f"{h}.filter_map {{ |k, v| [k, v] if v }}.to_h",
        )  # fmt: skip

    def test(self) -> str:
        """A condition."""
        i, s, a = self.of("int", 1), self.of("str", 1), self.of("ints", 1)
        return self.pick(
            f"{i} > {self.of('int', 1)}", f"{s}.empty?", f"{s} == {self.of('str', 1)}", f"{a}.any?",
            f"{a}.include?({i})", f"!{s}.start_with?('a')", f"{i}.between?(0, 5)", f"{s} =~ /b/",
            f"{a}.all? {{ |x| x > 0 }} && {i} != 0", f"(not {a}.empty?)", f"{self.of('hash', 1)}.key?({s})",
            f"{i}.zero? || {s}.include?('x')", f"{a}.first.nil?", "defined?(zz)", f"{s}.is_a?(String)",
        )  # fmt: skip

    def variable(self) -> tuple[str, str]:
        kind = self.rng.choice([*NAMES])
        return kind, f"{NAMES[kind]}1"

    def statement(self, depth: int = 2) -> str:
        """A statement that changes one of the variables."""
        kind, name = self.variable()
        plain = f"{name} = {self.of(kind)}"
        if depth <= 0:
            return plain
        inner = self.statement(depth - 1)
        other = self.statement(depth - 1)
        test = self.test()
        match self.rng.randrange(26):
            case 0:
                return f"if {test} then {inner} else {other} end"
            case 1:
                return f"{inner} unless {test}"
            case 2:
                return f"[1, 2].each {{ |n| i1 += n; {inner} }}"
            case 3:
                return f"for n in {self.of('ints', 1)}.first(3) do {inner} end"
            case 4:
                return f"n = 0\nwhile n < 3 do n += 1; next if n == 2; {inner} end"
            case 5:
                return f"begin; {inner}; raise 'oops' if {test}; rescue => e; s1 = e.message; ensure; y1 = :done; end"
            case 6:
                wanted = self.pick("Integer", "String", "1..9", "/a/", "nil", "[1, 2, 3]", "0")
                return f"case {self.of(self.rng.choice(['int', 'str', 'ints']))} when {wanted} then {inner} else {other} end"
            case 7:
                return f"i1, f1 = {self.of('int')}, {self.of('float')}"
            case 8:
                return f"i1, *a1 = *{self.of('ints')}, 5"
            case 9:
                return f"{name} = {self.of(kind)} if {test}"
            case 10:
                return f"h1[{self.of('str')}] = {self.of('int')}"
            case 11:
                return f"h1[{self.of('str', 1)}] ||= {self.of('int')}"
            case 12:
                return (
                    f"s1 = s1 + {self.of('str')}"
                    if self.rng.random() < 0.5
                    else f"s1 += {self.of('str')}"
                )
            case 13:
                return f"a1 = a1.dup; a1 << {self.of('int')}"
            case 14:
                return f"g = ->(x, y = 2) {{ x.to_i * y }}; i1 = g.call({self.of('int')}) + g.({self.of('int')}, 3)"
            case 15:
                call = f"m{len(self.calls)}"
                self.calls.append(
                    f"def {call}(x, y = 1, *z, k: 2, &b); r = x.to_i + y + z.size + k; b ? b.call(r) : r; end"
                )
                return f"i1 = {call}({self.of('int')}, {self.of('int')}, 3, k: {self.of('int')}) {{ |v| v + 1 }}"
            case 16:
                return f"i1 = catch(:out) {{ {self.of('ints')}.each {{ |x| throw :out, x if x > 1 }}; 0 }}"
            case 17:
                return f"s1 = <<~EOS.strip\n  one #{{{self.of('int')}}}\n    two #{{{self.of('str')}}}\nEOS\n"
            case 18:
                return f"i1 = {self.of('ints')}.each_with_index {{ |x, n| break n if x > 2 }}.to_a.size rescue 9"
            case 19:
                return f"s1 = ({test}) ? {self.of('str')} : {self.of('str')}"
            case 20:
                return f"i1 = ({self.of('hash')}.fetch('zz') rescue {self.of('int')})"
            case 21:
                return f"a1 = {self.of('ints')}.map do |x|\n  next 0 if x == 1\n  x * 2\nend"
            case 22:
                return f"s1 = {self.of('hash')}.map {{ |k, v| \"#{{k}}=#{{v}}\" }}.join('&')"
            case 23:
                return f"w1 = {self.of('strs')}.each_slice(2).map {{ |x, y| (y || x) }}"
            case 24:
                return f"i1 = begin; Integer({self.of('str')}); rescue ArgumentError, TypeError; -1; else; 7; end"
            case _:
                return plain

    def program(self) -> str:
        first = [f"{name}1 = {self.leaf_value(kind)}" for kind, name in NAMES.items()]
        body = [self.statement() for _ in range(self.rng.randint(1, 4))]
        last = "[i1, f1, s1, y1, a1, w1, h1]"
        return "\n".join([*self.calls, *first, *body, last])

    def leaf_value(self, kind: str) -> str:
        held, self.inside[kind] = self.inside[kind], ["nil"]
        made = "nil"
        while made == "nil":
            made = self.leaf(kind)
        self.inside[kind] = held
        return made


def program(seed: int) -> str:
    """The program of a number."""
    return Writer(Random(seed)).program()
