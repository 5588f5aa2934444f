"""What random specifications may have, be without, or get wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from headwater.langs.generation import MISTAKES, Feature, Generator, Wanted, kinds
from headwater.langs.smartfrog import syntax
from headwater.langs.smartfrog.generating import NAMES, Compile, Writer, errors_in
from headwater.langs.smartfrog.load import load
from headwater.langs.smartfrog.production import syntax as production
from headwater.text import Source


def _literal(kind: type) -> Callable[[Any], bool]:
    return lambda node: type(node).__name__ == "Literal" and type(node.value) is kind


def _placed(node: object) -> bool:
    return type(node).__name__ in ("Assignment", "Attribute") and len(_left(node)) > 1


def _left(node: Any) -> tuple[str, ...]:  # noqa: ANN401
    parts: tuple[str, ...] = node.parts if hasattr(node, "parts") else node.target.parts
    return parts


FEATURES = {
    "floats": Feature("numbers with a fraction", _literal(float)),
    "null": Feature("NULL", _literal(type(None))),
    "booleans": Feature("true and false", _literal(bool)),
    "strings": Feature("texts", _literal(str)),
    "vectors": Feature("[1, 2]", kinds("Vector", "Primitives")),
    "data": Feature("DATA a:b", lambda n: isinstance(n, syntax.Data) or _is(n, "data")),
    "links": Feature("a b;", lambda n: isinstance(n, syntax.Link) or _is_link(n)),
    "placements": Feature("a:b 1;", _placed),
    "prototypes": Feature("extends P", lambda n: _protos(n) > 0),
    "many-prototypes": Feature("extends P, Q", lambda n: _protos(n) > 1),
}
EXTENDED = {
    "order": Feature("order a < b;", kinds("Order")),
    "merge": Feature("extends merge P", lambda n: isinstance(n, syntax.Extends) and n.merge),
}
PRODUCTION = {
    "operators": Feature("(a + b), [a, b], IF … FI", kinds("Operation")),
    "tags": Feature("[sfTemp] a 1;", lambda n: bool(getattr(n, "tags", ()))),
    "lazy": Feature("LAZY a", lambda n: _is(n, "lazy")),
    "optional": Feature("OPTIONAL(1) a", lambda n: _is(n, "optional")),
}


def _is(node: object, flag: str) -> bool:
    return isinstance(node, production.Reference) and bool(getattr(node, flag))


def _is_link(node: object) -> bool:
    if not isinstance(node, production.Attribute) or not isinstance(
        node.value, production.Reference
    ):
        return False
    return not node.value.data


def _protos(node: object) -> int:
    names = (syntax.Reference, production.Reference)
    return sum(isinstance(each, names) for each in getattr(node, "prototypes", ()))


class SmartFrogGenerator(Generator):
    """Random specifications of any dialect."""

    mistakes = MISTAKES | {
        "link": "a link leads nowhere",
        "prototype": "a prototype is not there",
        "placement": "the component that something is placed into is not there",
    }

    def __init__(self, compile: Compile) -> None:
        self._compile = compile

    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What specifications may have or be without."""
        more = {"extended": EXTENDED, "production": PRODUCTION}
        return FEATURES | more.get(dialect, {})

    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some specification."""
        writer = Writer(random, dialect, wanted, self._compile)
        top = writer.program()
        writer.link(top, ())
        return writer.repaired(top)

    def tree(self, text: str, dialect: str) -> object:
        """The tree of a text."""
        source = Source("generated.sf", text)
        if dialect == "production":
            from headwater.langs.smartfrog.production.load import load as load_production

            loaded = load_production(source, in_full=True)
            return None if loaded.errors else loaded.block
        core = load(source, extended=dialect == "extended")
        return None if core.errors else core.body

    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""
        return not errors_in(self._compile, text, dialect)

    def mistaken(self, text: str, dialect: str, random: Random, kind: str) -> str | None:
        """The specification after one change of a kind."""
        name = random.choice(NAMES)
        new = {
            "link": f"{name} nowhere:{random.choice(NAMES)};",
            "prototype": f"{name} extends nowhere, {{ }}",
            "placement": f"nothing:{name} 1;",
        }.get(kind)
        if new is None:
            return super().mistaken(text, dialect, random, kind)
        lines = text.split("\n")
        lines.insert(random.randrange(len(lines)), new)
        return "\n".join(lines)
