"""What random Opal programs may have, be without, or get wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from headwater.langs.generation import Feature, Generator, Wanted, kinds
from headwater.langs.opal.fields import Fields
from headwater.langs.opal.generating import program
from headwater.langs.opal.parser import parse
from headwater.langs.opal.printer import print_program
from headwater.langs.pieces import tidy
from headwater.langs.protocol import Job, Outcome
from headwater.text import Source

FEATURES = {
    "conditions": Feature("if … then … else", kinds("If")),
    "worlds": Feature("hyp { … }", kinds("Hyp")),
    "commits": Feature("commit u", kinds("Commit")),
    "weights": Feature("u.n.x", kinds("Weight")),
    "membership": Feature("a in b", kinds("Mem")),
    "connectives": Feature("and, or", kinds("And", "Or")),
    "places": Feature("at n do { … }", kinds("At")),
}


class OpalGenerator(Generator):
    """Random well-typed programs."""

    simplest = ("skip", "()")

    def __init__(self, compile: Callable[[Job[Fields]], Outcome]) -> None:
        self._compile = compile

    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What programs may have or be without."""
        return FEATURES

    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some program."""
        size = 32 * wanted.size
        whole, _ = program(random.randbytes(random.randint(size // 2, size + size // 2)))
        return tidy(re.sub(r"([{;]) ", r"\1\n", print_program(whole)).replace(" }", "\n}"))

    def tree(self, text: str, dialect: str) -> object:
        """The tree of a text."""
        return parse(Source("generated.opal", text)).program

    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""
        return not self._compile(Job((Source("generated.opal", text),), Fields())).errors
