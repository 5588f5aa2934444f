"""Random production specifications in the manner of servers: heirs of what links and computes.

Prototypes hold links, functions and components; their heirs, which make up the result, override
some of that, place something into the components and link to each other.
"""

from __future__ import annotations

from random import Random

NAMES = ("a", "b", "c", "d", "e")
HELD = ("log", "disk")


def serving(seed: int) -> str:
    """The specification of a seed."""
    return _Server(Random(seed)).specification()


class _Server:
    """What is told of a specification by chance."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.tags = dice.choice([0, 0, 0, 0.1])
        self.odd = dice.choice([0, 0, 0.03, 0.1])
        self.kinds = dice.randint(1, 4)

    def specification(self) -> str:
        dice, heirs = self.dice, []
        lines = ['#include "org/smartfrog/functions.sf"', "z 9;"]
        lines += ["Part extends { a 1; b a; c (a ++ b); }", f"k0 extends {self.first()}"]
        for n in range(1, self.kinds):
            parent = f"k{dice.randrange(n)}, " if dice.random() < 0.9 else f"{self.first()}, "
            lines.append(f"k{n} extends {parent}{self.block(dice.randint(0, 4), 0.1)}")
        for n in range(dice.randint(1, 4)):
            heir = f"k{dice.randrange(self.kinds)}, {self.block(dice.randint(0, 4), 0.1)}"
            heirs.append(f"s{n} extends {heir}")
            if dice.random() < 0.2:
                path = f"s{n}:{dice.choice(['', *(f'{held}:' for held in HELD)])}"
                heirs.append(f"{path}{dice.choice(NAMES)} {self.value(1)};")
            if dice.random() < 0.1:
                heirs.append(f"t{n} extends s{n}, {self.block(2, 0.1)}")
        if dice.random() < 0.2:
            dice.shuffle(heirs)
        return "\n".join([*lines, f"sfConfig extends {{ {' '.join(heirs)} }}"])

    def first(self) -> str:
        """A prototype that has everything."""
        written = [f"{name} {self.value(at)};" for at, name in enumerate(NAMES)]
        written += [f"{held} {self.component()}" for held in HELD]
        self.dice.shuffle(written)
        return f"{{ {' '.join(written)} }}"

    def block(self, count: int, components: float, paths: float = 0.25) -> str:
        written = []
        for _ in range(count):
            if self.dice.random() < components:
                written.append(f"{self.dice.choice(HELD)} {self.component()}")
            else:
                written.append(self.attribute(paths))
        return f"{{ {' '.join(written)} }}"

    def attribute(self, paths: float) -> str:
        dice = self.dice
        tag = (
            f"[{dice.choice(['sfLocal', 'sfTemp', 'mine'])}] " if dice.random() < self.tags else ""
        )
        at = dice.randrange(len(NAMES))
        name = NAMES[at]
        if dice.random() < paths:
            name = f"{dice.choice(HELD)}:{name}"
        return f"{tag}{name} {self.value(at)};"

    def component(self) -> str:
        dice = self.dice
        if dice.random() < 0.2:
            return (
                "extends Part;" if dice.random() < 0.5 else f"extends Part, {self.block(1, 0, 0)}"
            )
        inside = self.block(dice.randint(0, 3), 0.1, 0)[1:]
        return f"extends {{ a {self.value(0)}; b {self.value(1)}; c (a ++ b); {inside}"

    def link(self, at: int) -> str:
        """A link to a name before that one, mostly."""
        dice = self.dice
        if dice.random() < self.odd:
            return dice.choice(["LAZY z", "PARENT:a", "OPTIONAL(3) q", "sfConfig:s0", "ROOT:k0:a",
                                "ATTRIB b", "LAZY PARENT:log:a", "DATA a", "s0:a"])  # fmt: skip
        before = [*NAMES[:at], "z"]
        if dice.random() < 0.15:
            return f"{dice.choice(HELD)}:{dice.choice('abc')}"
        return dice.choice(before)

    def value(self, at: int, depth: int = 0) -> str:
        """The value of a name."""
        dice = self.dice
        chance = dice.random()
        if chance < self.odd:
            return dice.choice(["[| 1, [| 2 |] |]", "2L", "#HEX#0F#", "NULL", "1.5f",
                                'LAZY APPLY { sfFunctionClass "x"; }', "(1 == 1)"])  # fmt: skip
        if chance < 0.4:
            return dice.choice([str(dice.randint(0, 99)), '"x"', '"y y"', "true"])
        if chance < 0.7 or depth > 2:
            return self.link(at)
        some = [self.value(at, depth + 1) for _ in range(dice.randint(2, 3))]
        if chance < 0.8:
            return f"[{', '.join(some)}]"
        return f"({' ++ '.join(some)})" if chance < 0.97 else f"({dice.randint(1, 9)} + z)"
