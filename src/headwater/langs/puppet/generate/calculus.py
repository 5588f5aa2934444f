"""Manifests of the calculus, made by a seeded generator.

Names come from small pools so that scopes shadow, classes are declared twice and branches
assign what others read; values from a small domain, so that a changed literal often
decides differently.  A manifest is text: it goes through the real parser.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

VARIABLES = ("x", "y", "z", "w")
CLASSES = ("a", "b", "c")
DEFINES = ("d", "e")


@dataclass
class Options:
    """What a generated manifest may hold."""

    qualified: bool = False
    structures: bool = True
    like_puppet: bool = False


class Maker:
    """Makes one manifest."""

    def __init__(self, random: Random, options: Options) -> None:
        self.r = random
        self.o = options
        self.titles = 0
        self.defined: list[str] = []
        self.parents: dict[str, str | None] = {}
        self.params: dict[str, list[tuple[str, bool]]] = {}
        self.defines: list[str] = []
        self.declared: list[str] = []
        self.top: set[str] = set()
        self.local: set[str] = self.top

    def manifest(self) -> str:
        r = self.r
        likely = {"x": 1.0, "y": 1.0, "z": 0.7, "w": 0.4}
        self.top.update(v for v in VARIABLES if r.random() < likely[v])
        lines = [f"${v} = {self.literal()}" for v in sorted(self.top)]
        for u in DEFINES[: r.randint(0, 2)]:
            self.params[u] = self.parameters()
            body = self.scope(1, None, u)
            lines.append(f"define {u} {self.shown(u)}{{ {body} }}")
            self.defines.append(u)
        for a in CLASSES[: r.randint(1, 3)]:
            parent = r.choice(self.defined) if self.defined and r.random() < 0.4 else None
            self.params[a] = self.parameters()
            self.parents[a] = parent
            inherits = f"inherits {parent} " if parent else ""
            lines.append(f"class {a} {self.shown(a)}{inherits}{{ {self.scope(2, a)} }}")
            self.defined.append(a)
        for _ in range(r.randint(1, 3)):
            lines.append(self.statement(2, None))
        if r.random() < 0.6:
            lines.append(f"node default {{ {self.scope(2, None)} }}")
            if r.random() < 0.2:
                lines.append(f"node 'other' {{ {self.scope(1, None)} }}")
        return "\n".join(lines) + "\n"

    def parameters(self) -> list[tuple[str, bool]]:
        r = self.r
        return [(f"p{i}", r.random() < 0.85) for i in range(r.randint(0, 2))]

    def shown(self, name: str) -> str:
        params = self.params[name]
        if not params:
            return ""
        parts = [f"${p} = {self.literal()}" if default else f"${p}" for p, default in params]
        return f"({', '.join(parts)}) "

    def literal(self) -> str:
        return self.r.choice(["1", "2", "3", "true", "false", "'u'", "'v'"])

    def number(self) -> str:
        return self.r.choice(["1", "2", "3"])

    def variable(self, of: str | None, define: str | None = None) -> str:
        r = self.r
        roll = r.random()
        owner = of or define
        if owner and self.params.get(owner) and roll < 0.35 and not (self.o.qualified and define):
            name = r.choice(self.params[owner])[0]
            return f"$::{of}::{name}" if self.o.qualified and of else f"${name}"
        if self.declared and roll > 0.9:
            a = r.choice(self.declared)
            names = [p for p, _ in self.params[a]]
            if names:
                return f"$::{a}::{r.choice(names)}"
        if self.o.qualified or roll > 0.75:
            return f"$::{r.choice(sorted(self.top))}"
        return f"${r.choice(sorted(self.top | self.local))}"

    def scope(self, depth: int, of: str | None, define: str | None = None) -> str:
        """The body of a definition: a scope of its own."""
        outer, self.local = self.local, set()
        declared = list(self.declared)
        parts = []
        if self.r.random() < 0.4:
            parts.append(self.assignment(of, define))
        parts.append(self.block(depth, of, define))
        self.local, self.declared = outer, declared
        return " ".join(parts)

    def assignment(self, of: str | None, define: str | None) -> str:
        free = [v for v in VARIABLES if v not in self.local]
        if not free:
            return self.resource(of, define)
        name = self.r.choice(free)
        value = self.expression(2, of, define)
        self.local.add(name)
        return f"${name} = {value}"

    def expression(self, depth: int, of: str | None, define: str | None = None) -> str:
        r = self.r
        roll = r.random()
        if depth <= 0 or roll < 0.3:
            return self.literal()
        if roll < 0.62:
            return self.variable(of, define)
        if roll < 0.68:
            return f"{self.number()} {r.choice('+-*')} {self.number()}"
        if roll < 0.74:
            return f'"{r.choice("st")}${{{r.choice(sorted(self.top))}}}"'
        if roll < 0.80:
            left = self.expression(depth - 1, of, define)
            return f"({left} == {self.literal()})"
        if roll < 0.88:
            control = self.expression(depth - 1, of, define)
            first, second = self.literal(), self.literal()
            one, two = (self.expression(depth - 1, of, define) for _ in range(2))
            return f"({control} ? {{ {first} => {one}, {second} => {two}, default => 'n' }})"
        if not self.o.structures:
            return self.literal()
        if roll < 0.92:
            items = ", ".join(self.expression(depth - 1, of, define) for _ in range(2))
            index = r.choice(["", "[0]", "[1]"])
            return f"[{items}]{index}"
        if roll < 0.96:
            one, two = (self.expression(depth - 1, of, define) for _ in range(2))
            index = r.choice(["", "['k']", "['l']"])
            return f"{{ 'k' => {one}, 'l' => {two} }}{index}"
        if self.titles and r.random() < 0.3:
            return f"Notify['t{r.randint(1, self.titles)}']['message']"
        return self.literal()

    def condition(self, of: str | None, define: str | None = None) -> str:
        r = self.r
        roll = r.random()
        test = f"{self.variable(of, define)} {r.choice(['==', '==', '!='])} {self.literal()}"
        if roll < 0.1:
            return f"{test} and {self.variable(of, define)} == {self.literal()}"
        if roll < 0.2:
            return f"{test} or {self.variable(of, define)} == {self.literal()}"
        if roll < 0.25:
            return f"!({test})"
        return test

    def block(self, depth: int, of: str | None, define: str | None = None) -> str:
        count = self.r.randint(1, 2)
        return " ".join(self.statement(depth, of, define) for _ in range(count))

    def resource(self, of: str | None, define: str | None) -> str:
        if define:
            title = f'"{define}-${{title}}"'
        else:
            self.titles += 1
            title = f"'t{self.titles}'"
        message = self.expression(2, of, define)
        return f"notify {{ {title}: message => {message} }}"

    def statement(self, depth: int, of: str | None, define: str | None = None) -> str:
        r = self.r
        roll = r.random()
        if depth <= 0 or roll < 0.28:
            return self.resource(of, define)
        if roll < 0.42:
            return self.assignment(of, define)
        if roll < 0.58:
            then = self.block(depth - 1, of, define)
            other = f" else {{ {self.block(depth - 1, of, define)} }}" if r.random() < 0.35 else ""
            return f"if {self.condition(of, define)} {{ {then} }}{other}"
        if roll < 0.63:
            body = self.block(depth - 1, of, define)
            return f"unless {self.condition(of, define)} {{ {body} }}"
        if roll < 0.70:
            bodies = [self.block(depth - 1, of, define) for _ in range(2)]
            return (
                f"case {self.variable(of, define)} {{ {self.literal()}: {{ {bodies[0]} }} "
                f"{self.literal()}: {{ {bodies[1]} }} default: {{ }} }}"
            )
        usable = [u for u in self.defines if u != define]
        if roll < 0.80 and usable:
            u = r.choice(usable)
            self.titles += 1
            return f"{u} {{ 'i{self.titles}': {self.arguments(u, of, define)} }}"
        # A class may only name classes defined before it, or evaluation could not go on.
        known = [a for a in self.defined if a != of]
        if known:
            a = r.choice(known)
            needs = any(not default for _, default in self.params[a])
            if a not in self.declared and (roll < 0.86 or needs):
                self.declared.append(a)
                return f"class {{ '{a}': {self.arguments(a, of, define)} }}"
            if not needs:
                self.declared.append(a)
                return f"include {a}"
        return self.resource(of, define)

    def arguments(self, name: str, of: str | None, define: str | None) -> str:
        given = [
            f"{p} => {self.expression(1, of, define)}"
            for p, default in self.params[name]
            if not default or self.r.random() < 0.5
        ]
        return ", ".join(given)


def manifest(seed: int, options: Options | None = None) -> str:
    """The manifest of a seed."""
    return Maker(Random(seed), options or Options()).manifest()
