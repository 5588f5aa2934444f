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
