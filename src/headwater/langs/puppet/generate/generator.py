"""What random Puppet programs may have, be without, or get wrong."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from headwater.langs.choices import Choices
from headwater.langs.generation import Feature, Generator, Wanted, kinds
from headwater.langs.protocol import Job
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.generate.calculus import Maker, Options
from headwater.langs.puppet.generate.programs import Programs
from headwater.langs.puppet.syntax import parse
from headwater.report import Diagnostic
from headwater.text import Source

MOST_REPAIRS = 20
CALCULUS = ("paper", "like-puppet")
"""The dialects of µPuppet; in another, a program is of the whole language."""

COMMON = {
    "booleans": Feature("true and false", kinds("Boolean")),
    "strings": Feature("texts with values in them", kinds("Interpolated")),
    "conditions": Feature("if, unless, case, selectors", kinds("If", "Unless", "Case", "Selector")),
    "classes": Feature("class a { }", kinds("ClassDef")),
    "inheritance": Feature("class a inherits b", lambda node: _inherits(node)),
    "defines": Feature("define d { }", kinds("Define")),
    "nodes": Feature("node default { }", kinds("Node")),
    "arrays": Feature("[1, 2]", kinds("Array")),
    "hashes": Feature("{ 'a' => 1 }", kinds("Hash")),
}
WHOLE = {
    "floats": Feature("numbers with a fraction", kinds("Float")),
    "undef": Feature("undef", kinds("Undef")),
    "functions": Feature("function f() { }", kinds("Function")),
    "calls": Feature("f(1), $a.map |$x| { }", kinds("Call", "Method")),
    "lambdas": Feature("|$x| { }", kinds("Lambda")),
    "types": Feature("Integer, Array[String]", kinds("TypeName")),
    "regexes": Feature("/a/", kinds("Regex")),
    "aliases": Feature("type T = Integer", kinds("Alias")),
    "collectors": Feature("Notify <| |>", kinds("Collect")),
    "relationships": Feature("A -> B", kinds("Relation")),
    "defaults": Feature("Notify { … }", kinds("Defaults")),
    "overrides": Feature("Notify['a'] { … }", kinds("Override")),
    "virtual": Feature("@notify { }", lambda node: getattr(node, "form", "regular") != "regular"),
}


def _inherits(node: Any) -> bool:  # noqa: ANN401
    return type(node).__name__ == "ClassDef" and node.parent is not None


class PuppetGenerator(Generator):
    """Random programs of the whole language, or of the calculus."""

    simplest = ("1", "'a'", "notify { 'n': }")

    def program(self, seed: int, dialect: str, wanted: Wanted) -> str:
        """The program of a seed; seeds of the whole language name no dialect."""
        return super().program(seed, dialect if dialect in CALCULUS else "", wanted)

    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What programs may have or be without."""
        return COMMON if dialect in CALCULUS else COMMON | WHOLE

    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some program."""
        if dialect in CALCULUS:
            structures = not wanted.without.intersection(["arrays", "hashes"])
            options = Options(structures=structures, like_puppet=dialect == "like-puppet")
            return Maker(random, options).manifest()
        size = 60 * wanted.size
        data = random.randbytes(random.randint(size // 3, size + size // 2))
        return self.repaired(Programs(Choices(data)).program().code)

    def repaired(self, text: str) -> str:
        """The program without the statements that the compiler complains about."""
        for _ in range(MOST_REPAIRS):
            errors = self.errors(text, "")
            root = self.pieces(text, "")
            if not errors or root is None:
                break
            at = errors[0].at.start
            wrong = [piece for piece in root.inside if piece.start <= at <= piece.end]
            if not wrong:
                break
            text = text[: wrong[0].start] + text[wrong[0].end :].lstrip("\n")
        return text

    def tree(self, text: str, dialect: str) -> object:
        """The tree of a text."""
        parsed = parse(Source("generated.pp", text))
        return parsed.program if parsed.ok else None

    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""
        return not self.errors(text, dialect)

    def errors(self, text: str, dialect: str) -> tuple[Diagnostic, ...]:
        """What the compiler complains about."""
        source = (Source("generated.pp", text),)
        if dialect in CALCULUS:
            from headwater.langs.puppet.paper.adapter import compile_job as calculate

            return calculate(Job(source, Fields(), dialect=dialect, engine="paper")).errors
        from headwater.langs.puppet.adapter import compile_job

        return compile_job(Job(source, Fields())).errors
