"""What random L3 programs may have, be without, or get wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from headwater.langs.generation import Feature, Generator, Wanted, kinds
from headwater.langs.l3.fields import Fields
from headwater.langs.l3.generating import Choices, build, texts
from headwater.langs.l3.parser import parse
from headwater.langs.l3.syntax import Literal
from headwater.langs.l3.values import BOOL, LIST, NONE, NUMBER, STRING
from headwater.langs.protocol import Job, Outcome
from headwater.text import Source


def _literal(rank: int) -> Callable[[Any], bool]:
    return lambda node: isinstance(node, Literal) and node.key[0] == rank


def _is_float(node: object) -> bool:
    return isinstance(node, Literal) and node.key[0] == NUMBER and "." in node.at.text


FEATURES = {
    "floats": Feature("numbers with a fraction", lambda node: _is_float(node)),
    "none": Feature("none", _literal(NONE)),
    "booleans": Feature("true and false", _literal(BOOL)),
    "strings": Feature("texts", _literal(STRING)),
    "lists": Feature("[1, 2]", _literal(LIST)),
    "undef": Feature("undef", kinds("Undef")),
    "blocks": Feature("{ a: 1 }", kinds("Block")),
    "references": Feature("$a", kinds("Reference")),
    "composition": Feature("a <+> b", kinds("Compose")),
    "specialisation": Feature("a +> b", kinds("Specialise")),
    "tags": Feature("a #tag", kinds("Tag")),
    "constraints": Feature("#a > #b", kinds("Order")),
}


class L3Generator(Generator):
    """Random programs of one file."""

    simplest = ("1", "true")

    def __init__(self, compile: Callable[[Job[Fields]], Outcome]) -> None:
        self._compile = compile

    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What programs may have or be without."""
        return FEATURES

    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some program; several files are put into one."""
        size = 48 * wanted.size
        files = build(Choices(random.randbytes(random.randint(size // 2, size + size // 2))))
        return texts(files)[0].rstrip() + "\n"

    def tree(self, text: str, dialect: str) -> object:
        """The tree of a text."""
        parsed = parse(Source("generated.l3", text))
        return None if parsed.errors else parsed.file

    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""
        return not self._compile(Job((Source("generated.l3", text),), Fields())).errors
