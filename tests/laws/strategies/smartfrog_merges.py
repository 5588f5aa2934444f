"""Random specifications of the extended dialect in which components are merged and linked to.

Few names, so that they meet.  Most links lead to components and into them.
"""

from __future__ import annotations

from random import Random

from headwater.ask import Request, compile_request
from headwater.text import Source, Span

NAMES = ("a", "b", "c", "d")
DEEPEST = 2
MOST_REPAIRS = 20


def merges(seed: int) -> str:
    """The specification of a seed; most have a result."""
    text = _Writer(Random(seed)).specification()
    for _ in range(MOST_REPAIRS):
        outcome = compile_request(
            Request(sources=(Source("main.sf", text),), dialect="extended")
        ).outcome
        if not outcome.errors:
            break
        text = simpler(text, outcome.errors[0].at)
    return text


def simpler(text: str, wrong: Span) -> str:
    """The text without what is wrong: no prototype, a number for a link, nothing placed."""
    before, after = text[: wrong.start].rstrip(), text[wrong.end :]
    if before.endswith(("extends", "merge", ",")):
        return f"{before} {{ }}{after}"
    if after.startswith(";"):
        return f"{before} 7{after}"
    return f"{before} {wrong.text.rsplit(':', 1)[-1]}{after}"


class _Writer:
    """What there is to inherit from so far."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.tops: list[str] = []
        self.placements = dice.choice([0, 0, 0.1, 0.3])
        self.links = dice.choice([0.1, 0.3, 0.5])

    def specification(self) -> str:
        lines = ["a extends { a 1; b extends { c 2; d 3; } }", "b 4;", "c extends { d a:b; }"]
        for i in range(self.dice.randint(1, 4)):
            lines.append(f"p{i} {self.component(0)}")
            self.tops.append(f"p{i}")
        return "\n".join([*lines, f"sfConfig {self.component(0)}"])

    def path(self, most: int) -> str:
        dice = self.dice
        start = [dice.choice(self.tops)] if self.tops and dice.random() < 0.15 else []
        return ":".join([*start, *(dice.choice(NAMES) for _ in range(dice.randint(1, most)))])

    def component(self, depth: int) -> str:
        dice = self.dice
        merged = "merge " if dice.random() < 0.5 else ""
        parts = [self.part(depth) for _ in range(dice.choice([1, 1, 2, 2, 3]))]
        return f"extends {merged}{', '.join(parts)}"

    def part(self, depth: int) -> str:
        """A prototype or a block."""
        dice = self.dice
        if dice.random() < 0.4:
            named = dice.choice([*self.tops, "a", "a:b", "c"])
            return named if dice.random() < 0.7 else self.path(2)
        return "{ " + " ".join(self.attribute(depth) for _ in range(dice.randint(0, 3))) + " }"

    def attribute(self, depth: int) -> str:
        dice = self.dice
        name = dice.choice(NAMES)
        if dice.random() < self.placements:
            name = f"{dice.choice(NAMES)}:{name}"
        if depth < DEEPEST and dice.random() < 0.45:
            return f"{name} {self.component(depth + 1)}"
        return f"{name} {self.path(3) if dice.random() < self.links else dice.randint(5, 99)};"
