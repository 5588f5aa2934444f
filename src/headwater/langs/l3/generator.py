"""What random L3 programs may have, be without, or get wrong."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from headwater.langs.generation import Feature, Generator, Wanted, kinds
from headwater.langs.l3.generating import Choices, build, texts
from headwater.langs.l3.parser import parse
from headwater.langs.protocol import Job
from headwater.text import Source


def _literal(kind: type) -> Any:
    return lambda node: type(node).__name__ == "Literal" and type(node.value) is kind


FEATURES = {
    "floats": Feature("numbers with a fraction", _literal(float)),
    "none": Feature("none", _literal(type(None))),
    "booleans": Feature("true and false", _literal(bool)),
    "strings": Feature("texts", _literal(str)),
    "lists": Feature("[1, 2]", _literal(list)),
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

    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What programs may have or be without."""
        return FEATURES

    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some program; several files are put into one."""
        size = 48 * wanted.size
        files = build(Choices(random.randbytes(random.randint(size // 2, size + size // 2))))
        return texts(files)[0].rstrip() + "\n"

    def tree(self, text: str, dialect: str) -> Any | None:
        """The tree of a text."""
        parsed = parse(Source("generated.l3", text))
        return None if parsed.errors else parsed.file

    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""
        from headwater.langs.l3.language import LANGUAGE

        return not LANGUAGE.compile(Job((Source("generated.l3", text),))).errors
