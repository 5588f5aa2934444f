"""Programs that declare many alike: defines used in lambdas, with what makes them differ."""

from __future__ import annotations

from random import Random

_ATOMS = (
    "$p", "$q", "$r", "$title", "$p", "$q", "$top", "$late", "$facts['f']", "$facts['g']['h']",
    "$list[1]", "$map['a']", "$map[$q]", "$o['k']", "'lit'", "3", "true", "undef",
)  # fmt: skip
_SELDOM = ("$nowhere", "$v", "$w", *("upcase(\"${p}\")", "$p =~ Integer", "fqdn_rand(9)", "defined(Notify['n0'])", "[$p].map |$z| { $z }",
          "Notify['n0']['message']", "lookup('k', undef, undef, 'd')"))  # fmt: skip


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
        pick = self._random.choice
        parts = [
            "$top = 'top'", "$list = ['a', 'b', 'c', 'd']", "$map = { 'a' => 1, 'b' => { 'c' => 2 } }",
            "$pairs = { 'a' => 1, 'b' => 2, 'c' => 1 }", "notify { 'n0': message => 'zero' }",
            f"define inner ($m = {self._expression(1)}) {{ notify {{ \"${{title}}/i\": message => $m }} }}",
            "class once { notify { 'once': message => $top } }",
            self._define(),
        ]  # fmt: skip
        uses = [self._iteration() for _ in range(pick((1, 1, 2)))]
        extra = [self._extra() for _ in range(pick((0, 0, 1, 2)))]
        late = ["$late = 'late'"]
        tail = uses + extra + late
        self._random.shuffle(tail)
        return "\n".join(parts + tail) + "\n"

    def _define(self) -> str:
        default = self._random.choice(("'d'", "{}", "1", "$p", "\"${title}!\"", "$top", "undef"))
        body = "\n  ".join(self._statements(self._random.randint(1, 4), 2))
        return f"define outer ($p, $q = {default}, $r = 'r', $o = {{'k' => 'v'}}) {{\n  {body}\n}}"

    def _iteration(self) -> str:
        self._titles += 1
        number, pick = self._titles, self._random.choice
        over, names, item = pick(
            (
                ("Integer[1, 6]", "$i", "$i"),
                ("Integer[1, 7]", "$i", "$i"),
                ("Integer[2, 5]", "$i", "$i"),
                ("['x', 'y', 'x2', 'z']", "$i", "$i"),
                ("$pairs", "$k, $i", "$k"),
                ("$list", "$n, $i", "$i"),
                ("[1, 2, 3, 4].filter |$z| { $z > 1 }", "$i", "$i"),
            )
        )
        given = [f"p => {pick(('$i', '7', '$i', '$list[1]', self._of_item(item)))}"]
        if self._random.random() < 0.6:
            given.append(f"q => {pick(('1', '$i', '$top', 'undef', self._of_item(item)))}")
        if self._random.random() < 0.2 and not self._tame:
            given.append(pick(("tag => 'mine'", "require => Notify['n0']", "* => { 'r' => 's' }")))
        before = "" if self._tame else pick(("", "", "$v0 = \"${i}\"\n    ", "if $i == 2 { include once }\n    "))
        title = f'"t{number}-${{{item[1:]}}}"'
        inside = f"outer {{ {title}: {', '.join(given)} }}"
        if self._random.random() < 0.2:
            inside = f"if $i != 3 {{ {inside} }}"
        return f"{over}.each |{names}| {{\n    {before}{inside}\n  }}"

    def _of_item(self, item: str) -> str:
        return self._random.choice(
            (f'"n${{{item[1:]}}}"', "$list[0]", f"{item} ? {{ 2 => 'two', 'b' => 'bee', default => 'other' }}",
             f"{item} == 2", f"[{item}, 'x']")
        )  # fmt: skip

    def _extra(self) -> str:
        return self._random.choice(
            (
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
        )

    def _statements(self, count: int, depth: int) -> list[str]:
        return [self._statement(depth) for _ in range(count)] + [self._resource()]

    def _statement(self, depth: int) -> str:
        pick, roll = self._random.choice, self._random.random()
        if roll < 0.3:
            name = pick(("v", "w"))
            return self._assign(name)
        if roll < 0.6 or depth == 0:
            return self._resource()
        inner = " ".join(self._statements(1, depth - 1))
        other = " ".join(self._statements(0, depth - 1))
        if roll < 0.75:
            return f"if {self._expression(1)} == {self._expression(0)} {{ {inner} }} else {{ {other} }}"
        if roll < 0.85:
            return f"case {self._expression(0)} {{ 1, 'two': {{ {inner} }} default: {{ {other} }} }}"
        if self._tame:
            return inner
        return pick(
            ("include once", "unless $p { " + inner + " }", "Notify { withpath => true }", "tag('t')",
             f"[1, 2].each |$y| {{ notify {{ \"${{title}}.{self._number()}.${{y}}\": }} }}", inner)
        )  # fmt: skip

    def _number(self) -> int:
        self._titles += 1
        return self._titles

    def _assign(self, name: str) -> str:
        return f"${name}{self._number()} = {self._expression(2)}" + (f"\n  ${name} = {self._expression(2)}" if self._random.random() < 0.2 else "")

    def _resource(self) -> str:
        pick, number = self._random.choice, self._number()
        title = pick((f'"${{title}}/{number}"', f'"${{title}}/a{number}"'))
        if self._random.random() < 0.2:
            return f"inner {{ {title}: m => {self._expression(1)} }}"
        given = [f"message => {self._expression(2)}"]
        if self._random.random() < 0.3:
            given.append(pick(("require => Notify['n0']", "tag => $p", "loglevel => 'info'",
                               "withpath => $q ? { 1 => true, default => false }")))  # fmt: skip
        return f"notify {{ {title}: {', '.join(given)} }}"

    def _expression(self, depth: int) -> str:
        pick, roll = self._random.choice, self._random.random()
        if depth == 0 or roll < 0.35:
            return pick(_ATOMS)
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        if roll < 0.38 and not self._tame:
            return pick(_SELDOM)
        if roll < 0.65:
            return f'"a${{{pick(("title", "p", "q", "top"))}}}b"'
        return pick(
            (f"[{left}, {right}]", f"{{ 'x' => {left}, 'y' => {right} }}", f"{left} == {right}",
             f"!({left})", f"({left}) and ({right})", f"({left}) or ({right})",
             f"{pick(_ATOMS[:8])} ? {{ 1 => {left}, 'two' => 'chosen', default => {right} }}",
             f'"${{{pick(("title", "p", "q"))}}}"')
        )  # fmt: skip
