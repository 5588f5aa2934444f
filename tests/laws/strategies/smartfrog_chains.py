"""Random production specifications in which prototypes of prototypes meet tags and placements.

Few names, so that they meet; most specifications have an error, and that shall be the same too.
"""

from __future__ import annotations

from random import Random

NAMES = ("a", "b", "m", "q", "x")
TAGS = ("sfFinal", "sfOverride", "sfLocal", "sfTemp", "mine")
DEEPEST = 2
FUNCTIONS = ("sum", "concat", "vector", "ifThenElse", "next")
INCLUDED = '#include "org/smartfrog/functions.sf"'


def chains(seed: int) -> str:
    """The specification of a seed."""
    return _Writer(Random(seed)).specification()


def placing(seed: int) -> str:
    """A chain of prototypes, most of whose links place something where a component is."""
    return _Placer(Random(seed)).specification()


class _Placer:
    """A chain of prototypes; of each it is known where in it components are."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.held: list[list[str]] = []
        self.sums = dice.random() < 0.2
        self.links = dice.random() < 0.3

    def specification(self) -> str:
        dice = self.dice
        lines = [INCLUDED, "a 1; b 2; m 3; x 4; Q extends { a 1; b extends { x 2; } }"]
        for i in range(dice.randint(2, 5)):
            paths = [*self.held[-1]] if self.held else []
            if dice.random() < 0.1:
                source = dice.choice(["", "Q, ", "vector, "])
                paths = ["b"] if source == "Q, " else []
            else:
                source = f"p{i - 1}, " if self.held else ""
            lines.append(f"p{i} extends {source}{self.block(paths, dice.randint(0, 4))}")
            self.held.append(paths)
            if dice.random() < 0.3:
                lines.append(self.from_outside())
        names = dice.sample([*NAMES, "k", "l"], dice.randint(1, 3))
        heirs = [f"{name} extends {self.heir(2)}" for name in names]
        if dice.random() < 0.2:
            there = dice.randrange(len(self.held))
            if self.held[there]:
                heirs.append(f"link p{there}:{dice.choice(self.held[there])};")
        last = f"p{len(self.held) - 1}, " if dice.random() < 0.4 else ""
        lines.append(f"sfConfig extends {last}{{ {' '.join(heirs)} }}")
        if dice.random() < 0.15:
            dice.shuffle(lines)
        return "\n".join(lines)

    def heir(self, most: int) -> str:
        there = self.dice.randrange(len(self.held))
        block = self.block([*self.held[there]], self.dice.randint(0, most))
        return f"p{there}, {block}"

    def from_outside(self) -> str:
        """Something that is placed into a prototype."""
        dice = self.dice
        there = dice.randrange(len(self.held))
        paths = ["", "", *(f"{path}:" for path in self.held[there])]
        name = dice.choice([*NAMES, "new", "newer"])
        return f"p{there}:{dice.choice(paths)}{name} {self.value(0.3)}"

    def block(self, paths: list[str], count: int) -> str:
        """A block of some attributes; `paths` are where components are, more of them afterwards."""
        dice, written = self.dice, []
        for _ in range(count):
            tag = f"[{dice.choice(TAGS)}] " if dice.random() < 0.04 else ""
            name = dice.choice(NAMES)
            if paths and dice.random() < 0.6:
                name = f"{dice.choice(paths)}:{name}"
            elif dice.random() < 0.6 or name in paths:
                name = f"n{dice.randint(0, 99)}"
            value = self.value(0.5)
            if value.startswith("extends") and name not in paths:
                paths += [name, f"{name}:b"] if " b " in value or "Q" in value else [name]
            written.append(f"{tag}{name} {value}")
        if len(written) > 1 and dice.random() < 0.1:
            dice.shuffle(written)
        return f"{{ {' '.join(written)} }}"

    def value(self, components: float) -> str:
        """A value; how likely a component is."""
        dice = self.dice
        found = ["extends { }", "extends { a 1; m ROOT:a; }", "extends Q", "extends Q, { b:a 1; }",
                 "extends { b extends { } b:a 4; b:m 5; }", "extends vector, { a 1; m 2; }",
                 "extends { a (1 + 2); b extends vector, { x 1; } }"]  # fmt: skip
        found += ["extends sum, { a 1; }"] if self.sums else []
        found += [f"extends {self.heir(1)}"] if self.held and dice.random() < 0.2 else []
        if dice.random() < components:
            return dice.choice(found)
        links = ["a;", "PARENT:m;", "(a + 1);", "LAZY b;", "b:x;", "n7;"]
        values = [f"{dice.randint(0, 9)};", "ROOT:x;", "OPTIONAL(7) PARENT:m;", "(1 + 2);"]
        return dice.choice([*values, *values, *(links if self.links else [])])


class _Writer:
    """What has been written so far: `tops` are the prototypes; and how likely the rest is."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.tops: list[str] = []
        self.tags = dice.choice([0, 0.05, 0.2])
        self.placements = dice.choice([0, 0, 0.05, 0.15])
        self.functions = dice.choice([0, 0, 0.3, 0.7])

    def specification(self) -> str:
        dice, lines = self.dice, []
        for i in range(dice.randint(1, 5)):
            goes_on = self.tops and dice.random() < 0.6
            value = f"extends p{i - 1}, {self.block(0)}" if goes_on else self.component(0)
            if not goes_on and dice.random() < self.functions:
                value = f"extends {dice.choice(FUNCTIONS)}, {self.block(1)}"
            lines.append(f"p{i} {value}")
            self.tops.append(f"p{i}")
            if self.placements and dice.random() < 0.3:
                value = dice.choice(["7;", self.component(1), f"{self.name()};"])
                lines.append(f"{dice.choice(self.tops)}:{self.path(1, 2)} {value}")
        lines.append(f"sfConfig {self.component(0)}")
        if dice.random() < 0.2:
            dice.shuffle(lines)
        lines[:0] = [INCLUDED] if self.functions else []
        return "\n".join(lines)

    def name(self) -> str:
        return self.dice.choice(NAMES)

    def path(self, least: int, most: int) -> str:
        return ":".join(self.name() for _ in range(self.dice.randint(least, most)))

    def component(self, depth: int) -> str:
        dice = self.dice
        names = [
            dice.choice(self.tops) if dice.random() < 0.9 else self.name()
            for _ in range(dice.choice([0, 1, 1, 1, 2]) if self.tops else 0)
        ]
        blocks = [self.block(depth)] if not names or dice.random() < 0.8 else []
        blocks += [self.block(depth)] if dice.random() < 0.1 else []
        return "extends " + ", ".join(names + blocks) + ("" if blocks else ";")

    def block(self, depth: int) -> str:
        return "{ " + " ".join(self.attribute(depth) for _ in range(self.dice.randint(0, 4))) + " }"

    def attribute(self, depth: int) -> str:
        dice = self.dice
        tag = f"[{dice.choice(TAGS)}] " if dice.random() < self.tags else ""
        name = self.path(2, 3) if dice.random() < self.placements else self.name()
        values = [
            f"{dice.randint(0, 9)};",
            f"{dice.choice([*NAMES, *self.tops])};",
            f"{dice.choice(['PARENT:', '', 'ROOT:'])}{self.path(2, 2)};",
            f"({dice.randint(0, 9)} + {self.name()});",
            f"LAZY {self.name()};",
        ]
        if depth < DEEPEST and dice.random() < 0.3:
            return f"{tag}{name} {self.component(depth + 1)}"
        return f"{tag}{name} {dice.choices(values, [8, 3, 1, 2, 1])[0]}"
