"""Programs of the whole language, and Hiera data, made by a seeded generator.

It goes beyond µPuppet by all that can write a parameter or decide about one from afar:
resource defaults, overrides, collectors, virtual resources, lambdas, functions, queries of
the catalog, tags, containment, arrows, jumps and data.  Names and values come from small
pools, so that a changed literal often decides differently.
"""

from __future__ import annotations

from random import Random

from headwater.langs.puppet.generate.calculus import Maker, Options

FUNCTIONS = """function f1($a, $b = 2) { if $a == 1 { $b } else { [$a, $b] } }
function f2($a) { if $a == 2 { notify { 'from-f2': message => $a } } $a }
"""
NAMES = ("u", "v", "1", "2")


class Wide(Maker):
    """Makes one program."""

    def manifest(self) -> str:
        text = super().manifest()
        return FUNCTIONS + text

    def statement(self, depth: int, of: str | None, define: str | None = None) -> str:
        r = self.r
        if depth <= 0 or r.random() < 0.45:
            return super().statement(depth, of, define)
        return self.wide(r.randint(0, 19), depth, of, define)

    def wide(self, kind: int, depth: int, of: str | None, define: str | None) -> str:
        """One of the statements that µPuppet does not have."""
        r = self.r
        value = self.expression(1, of, define)
        self.titles += 1
        mark = self.titles
        title = f'"{define}-${{title}}-{mark}"' if define else f"'w{mark}'"
        some = f"t{r.randint(1, max(2, self.titles))}"
        match kind:
            case 0:
                return f"Notify {{ {r.choice(['message', 'withpath', 'noop'])} => {value} }}"
            case 1:
                return f"@notify {{ {title}: message => {value}, tag => '{r.choice('pq')}' }}"
            case 2:
                return f"Notify <| {self.query(of, define)} |>"
            case 3:
                return f"Notify <| {self.query(of, define)} |> {{ message => {value} }}"
            case 4:
                return f"Notify['{some}'] {{ withpath => {value} }}"
            case 5:
                over = r.choice(["[1, 2]", "['u', 'v']", f"[{self.literal()}, 3]"])
                name = f'"{define}-${{title}}-{mark}-${{i}}"' if define else f'"w{mark}-${{i}}"'
                test = f"if $i != {self.literal()} {{ notify {{ {name}: message => $i }} }}"
                return f"{over}.each |$i| {{ {test} }}"
            case 6:
                body = self.block(depth - 1, of, define)
                return f"if {r.choice(['', '!'])}defined(Notify['{some}']) {{ {body} }}"
            case 7:
                return f"tag('{r.choice('pq')}')"
            case 8 if self.usable(of):
                return f"{r.choice(['contain', 'require'])} {r.choice(self.usable(of))}"
            case 9:
                arrow = r.choice(["->", "~>"])
                right = r.choice([f"Notify['{some}']", f"Notify <| {self.query(of, define)} |>"])
                return f"notify {{ {title}: }} {arrow} {right}"
            case 10:
                return f"notify {{ {title}: * => {{ 'message' => {value} }} }}"
            case 11:
                inner = f"{{ 'message' => {value}, 'withpath' => {self.literal()} }}"
                key = '"x-${title}"' if define else f"'x{mark}'"
                return f"create_resources('notify', {{ {key} => {inner} }})"
            case 12 if of or define:
                return f"if {self.condition(of, define)} {{ return() }}"
            case 13:
                return f"notify {{ {title}: message => f1({value}) }}"
            case 14:
                return f"notify {{ {title}: message => f2({self.number()}) }}"
            case 15:
                found = f"lookup('k{r.randint(0, 2)}', {{ 'default_value' => {self.literal()} }})"
                return f"notify {{ {title}: message => {found} }}"
            case 16:
                test = f"if {self.literal()} =~ /([uv])/"
                return f'{test} {{ notify {{ {title}: message => "m$1" }} }}'
            case 17:
                items = f"[{self.literal()}, {self.literal()}, {value}]"
                way = r.choice(["map |$i| { [$i, $x] }", "filter |$i| { $i == $x }"])
                return f"notify {{ {title}: message => {items}.{way} }}"
            case 18:
                first, second = self.literal(), self.literal()
                chosen = f"if {first} == {value} {{ {second} }} else {{ $y }}"
                return f"notify {{ {title}: message => {chosen} }}"
            case _:
                return f"realize Notify['{some}']"

    def usable(self, of: str | None) -> list[str]:
        """Classes that may be declared here without arguments."""
        return [
            a for a in self.defined if a != of and all(default for _, default in self.params[a])
        ]

    def query(self, of: str | None, define: str | None) -> str:
        """What a collector looks for."""
        r = self.r
        one = r.choice(
            [
                f"message == {self.literal()}",
                f"message != {self.literal()}",
                f"tag == '{r.choice('pq')}'",
                f"title == 't{r.randint(1, 6)}'",
            ]
        )
        return one if r.random() < 0.8 else f"{one} or tag == '{r.choice('pq')}'"


def program(seed: int) -> str:
    """The program of a seed."""
    return Wide(Random(seed), Options()).manifest()


HIERARCHY = """---
version: 5
hierarchy:
  - { name: node, path: "node-%{trusted.certname}.yaml" }
  - { name: os, path: "os-%{facts.family}.yaml" }
  - { name: common, path: common.yaml }
"""
LEVELS = ("node-n1.yaml", "os-deb.yaml", "common.yaml")


def data(seed: int) -> dict[str, str]:
    """The data files of a seed."""
    r = Random(seed)
    files = {"hiera.yaml": HIERARCHY}
    for name in LEVELS:
        lines = ["---"]
        for key in ("a::p0", "a::p1", "b::p0", "c::p0", "k0", "k1", "k2"):
            if r.random() < 0.35:
                lines.append(f"{key}: {leaf(r)}")
        if name == "common.yaml" and r.random() < 0.4:
            merge = r.choice(["first", "unique"])
            lines += ["lookup_options:", f"  k0: {{ merge: {merge} }}"]
        if r.random() < 0.85:
            files[f"data/{name}"] = "\n".join(lines) + "\n"
    return files


def leaf(r: Random) -> str:
    """A value of data."""
    return r.choice(
        ["1", "2", "3", "true", "'u'", "'v'", '"%{facts.family}"', "\"%{lookup('k1')}\""]
    )
