"""Programs that declare many alike: defines used in lambdas, with what makes them differ."""

from __future__ import annotations

from random import Random

_ATOMS = (
    "$p", "$q", "$r", "$title", "$p", "$q", "$top", "$late", "$facts['f']", "$facts['g']['h']",
    "$list[1]", "$map['a']", "$map[$q]", "$o['k']", "'lit'", "3", "true", "undef",
)  # fmt: skip
_SELDOM = (
    "$nowhere", "$v", "$w", 'upcase("${p}")', "$p =~ Integer", "fqdn_rand(9)",
    "defined(Notify['n0'])", "[$p].map |$z| { $z }", "Notify['n0']['message']",
    "lookup('k', undef, undef, 'd')",
)  # fmt: skip
"""What has no recipe, or leads out of the body."""

_OVER = (
    ("Integer[1, 6]", "$i", "$i"),
    ("Integer[1, 7]", "$i", "$i"),
    ("Integer[2, 5]", "$i", "$i"),
    ("['x', 'y', 'x2', 'z']", "$i", "$i"),
    ("$pairs", "$k, $i", "$k"),
    ("$list", "$n, $i", "$i"),
    ("[1, 2, 3, 4].filter |$z| { $z > 1 }", "$i", "$i"),
)
"""What is iterated over, the parameters of the lambda, and the one that titles are made of."""

_BESIDE = (
    "Notify { loglevel => 'err' }",
    "Notify <| title == 't1-1/a' |> { message => 'collected' }",
    "Notify <| tag == 'outer' |>",
    "Outer <| |> { r => 'taken' }",
    "if $facts['f'] == 2 { Notify <| |> { message => 'untaken' } }",
    "if $facts['f'] == 2 { Notify['n0'] -> Notify['once'] }",
    "Notify['n0'] -> Outer<| |>",
    "include once",
    "if $facts['f'] == 2 { include once }",
)
"""What may reach into every instance."""


def program(seed: int) -> str:
    """A program whose instances agree in most, and differ in something now and then."""
    return _Writer(Random(seed)).program()


class _Writer:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._titles = 0
        self._tame = random.random() < 0.6
        """Whether there is little in it that keeps instances from sharing an answer."""

    def program(self) -> str:
        given = [
            "$top = 'top'",
            "$list = ['a', 'b', 'c', 'd']",
            "$map = { 'a' => 1, 'b' => { 'c' => 2 } }",
            "$pairs = { 'a' => 1, 'b' => 2, 'c' => 1 }",
            "notify { 'n0': message => 'zero' }",
            "class once { notify { 'once': message => $top } }",
            f"define inner ($m = {self._expression(1)}) "
            '{ notify { "${title}/i": message => $m } }',
            self._define(),
        ]
        tail = [self._iteration() for _ in range(self._random.choice((1, 1, 2)))]
        tail += [self._one_of(*_BESIDE) for _ in range(self._random.choice((0, 0, 1, 2)))]
        tail.append("$late = 'late'")
        self._random.shuffle(tail)
        return "\n".join(given + tail) + "\n"

    def _one_of(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _often(self, share: float) -> bool:
        return self._random.random() < share

    def _number(self) -> int:
        self._titles += 1
        return self._titles

    def _define(self) -> str:
        default = self._one_of("'d'", "{}", "1", "$p", '"${title}!"', "$top", "undef")
        body = "\n  ".join(self._statements(self._random.randint(1, 4), 2))
        return f"define outer ($p, $q = {default}, $r = 'r', $o = {{'k' => 'v'}}) {{\n  {body}\n}}"

    def _iteration(self) -> str:
        over, names, item = self._random.choice(_OVER)
        given = [f"p => {self._one_of('$i', '7', '$i', '$list[1]', self._made_of(item))}"]
        if self._often(0.6):
            given.append(f"q => {self._one_of('1', '$i', '$top', 'undef', self._made_of(item))}")
        before = ""
        if not self._tame:
            before = self._one_of("", '$v0 = "${i}"\n  ', "if $i == 2 { include once }\n  ")
            if self._often(0.2):
                more = ("tag => 'mine'", "require => Notify['n0']", "* => { 'r' => 's' }")
                given.append(self._one_of(*more))
        inside = f'outer {{ "t{self._number()}-${{{item[1:]}}}": {", ".join(given)} }}'
        if self._often(0.2):
            inside = f"if $i != 3 {{ {inside} }}"
        return f"{over}.each |{names}| {{\n  {before}{inside}\n}}"

    def _made_of(self, item: str) -> str:
        return self._one_of(
            f'"n${{{item[1:]}}}"', "$list[0]", f"{item} == 2", f"[{item}, 'x']",
            f"{item} ? {{ 2 => 'two', 'b' => 'bee', default => 'other' }}",
        )  # fmt: skip

    def _statements(self, count: int, depth: int) -> list[str]:
        return [*(self._statement(depth) for _ in range(count)), self._resource()]

    def _statement(self, depth: int) -> str:
        roll = self._random.random()
        if roll < 0.3:
            return f"${self._one_of('v', 'w')}{self._number()} = {self._expression(2)}"
        if roll < 0.6 or depth == 0:
            return self._resource()
        inner = " ".join(self._statements(1, depth - 1))
        other = self._resource()
        tested, with_ = self._expression(1), self._expression(0)
        if roll < 0.75:
            return f"if {tested} == {with_} {{ {inner} }} else {{ {other} }}"
        if roll < 0.85:
            return f"case {with_} {{ 1, 'two': {{ {inner} }} default: {{ {other} }} }}"
        if self._tame:
            return f"unless {with_} {{ {inner} }}"
        several = f'[1, 2].each |$y| {{ notify {{ "${{title}}.{self._number()}.${{y}}": }} }}'
        more = ("include once", "Notify { withpath => true }", "tag('t')", several,
                f"$v = {tested}")  # fmt: skip
        return self._one_of(*more)

    def _resource(self) -> str:
        title = f'"${{title}}/{self._one_of("", "a")}{self._number()}"'
        if self._often(0.2):
            return f"inner {{ {title}: m => {self._expression(1)} }}"
        given = [f"message => {self._expression(2)}"]
        if self._often(0.3):
            more = ("require => Notify['n0']", "tag => $r", "loglevel => 'info'",
                    "withpath => $q ? { 1 => true, default => false }")  # fmt: skip
            given.append(self._one_of(*more))
        return f"notify {{ {title}: {', '.join(given)} }}"

    def _expression(self, depth: int) -> str:
        roll = self._random.random()
        if depth == 0 or roll < 0.35:
            return self._random.choice(_ATOMS)
        if roll < 0.38 and not self._tame:
            return self._random.choice(_SELDOM)
        name = self._one_of("title", "p", "q", "top")
        if roll < 0.65:
            return f'"a${{{name}}}b"'
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        return self._one_of(
            f"[{left}, {right}]", f"{{ 'x' => {left}, 'y' => {right} }}", f"{left} == {right}",
            f"!({left})", f"({left}) and ({right})", f"({left}) or ({right})", f'"${{{name}}}"',
            f"${name} ? {{ 1 => {left}, 'two' => 'chosen', default => {right} }}",
        )  # fmt: skip
