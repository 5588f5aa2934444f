"""Random SmartFrog specifications, most of them valid.

The generator runs the reference semantics while it writes: it knows the store at every
point, so that the references it invents lead somewhere (an idea of the paper's own
QuickCheck generator, §8.2).  With `mistakes` it also invents some that do not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from headwater.langs.smartfrog.paper.domains import EMPTY_STORE, Attribute, Ref, Store, Stuck
from headwater.langs.smartfrog.paper.references import concat
from headwater.langs.smartfrog.paper.stores import Found, bind, find, inherit, resolve
from headwater.langs.smartfrog.paper.valuation import Valuation
from headwater.langs.smartfrog.syntax import (
    Assignment,
    BasicValue,
    Body,
    Data,
    Extends,
    Included,
    Link,
    Literal,
    Prototype,
    Reference,
    SfValue,
    Statement,
    Vector,
)
from headwater.text import NOWHERE
from headwater.why import NOTHING

WORDS = ("a", "b", "c", "d", "x", "y", "web", "_z", "é'")
NAMES = st.sampled_from(WORDS)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["", "text", 'q"q', "back\\slash", "tab\tnew\n"]
)
SCALARS = st.one_of(
    st.integers(-3, 99),
    st.integers(),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)


@dataclass
class Program:
    """A generated specification: its tree, and its files as texts (the first is the main one)."""

    body: Body
    files: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.files["main.sf"]

    def written(self) -> str:
        """The path of the main file, after writing all of them to a folder of their own."""
        folder = Path(tempfile.mkdtemp(prefix="sf-", dir=_folder()))
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        return str(folder / "main.sf")


_FOLDER: list[tempfile.TemporaryDirectory[str]] = []


def _folder() -> str:
    if not _FOLDER:
        _FOLDER.append(tempfile.TemporaryDirectory(prefix="headwater-laws-"))
    return _FOLDER[0].name


@st.composite
def programs(draw: st.DrawFn, *, mistakes: bool = False, includes: bool = True) -> Program:
    """A specification."""
    writer = _Writer(draw, mistakes)
    statements: list[Statement] = []
    store = EMPTY_STORE
    for _ in range(draw(st.integers(0, 3))):
        statement, store = writer.statement((), store, depth=2)
        statements.append(statement)
    statement, store = writer.component(Reference(("sfConfig",)), (), store, depth=4)
    statements.append(statement)
    for _ in range(draw(st.integers(0, 2))):
        statement, store = writer.statement(("sfConfig",), store, depth=1)
        moved = Reference(("sfConfig", *statement.target.parts))
        # From outside, references are resolved in the root: only plain values stay the same.
        if isinstance(statement.value, Literal | Data | Vector):
            statements.append(Assignment(moved, statement.value))
    files: dict[str, str] = {}
    body = Body(tuple(statements))
    if includes and draw(st.integers(0, 3)) == 0:
        body = _with_include(draw, body, files)
    files["main.sf"] = show_body(body)
    return Program(body, files)


class _Writer:
    """Writes statements and keeps the store up to date."""

    def __init__(self, draw: st.DrawFn, mistakes: bool) -> None:
        self.draw = draw
        self.mistakes = mistakes
        self.semantics = Valuation()
        self.trace = self.semantics.trace

    def slips(self) -> bool:
        return self.mistakes and self.draw(st.integers(0, 9)) == 0

    def statement(self, ns: Ref, s: Store, depth: int) -> tuple[Assignment, Store]:
        """A statement in a namespace, and the store after it."""
        target = self.target(ns, s)
        kind = self.draw(st.sampled_from("bbllcc" if depth > 0 else "bbl"))
        if kind == "c":
            return self.component(target, ns, s, depth)
        value: SfValue = self.basic()
        if kind == "l":
            reference = self.visible(ns, s, stores=False)
            if reference is not None:
                value = Link(reference)
        statement = Assignment(target, value)
        after = self.semantics.A(statement, ns, s)
        return statement, s if isinstance(after, Stuck) else after

    def component(
        self, target: Reference, ns: Ref, s: Store, depth: int
    ) -> tuple[Assignment, Store]:
        """``target extends …``"""
        r = concat(ns, target.parts)
        new = Attribute(target.parts[-1], EMPTY_STORE)
        bound = bind(self.trace, s, r, new, because=NOTHING)
        if isinstance(bound, Stuck):
            return Assignment(target, Extends((Body(()),))), s
        s = bound
        prototypes: list[Prototype] = []
        for _ in range(self.draw(st.integers(1, 3))):
            reference = None
            if self.draw(st.booleans()):
                reference = self.visible(ns, s, stores=True)
            if reference is not None:
                prototypes.append(reference)
                after = inherit(self.trace, s, ns, reference.parts, r, because=NOTHING, at=NOWHERE)
                s = s if isinstance(after, Stuck) else after
            else:
                statements = []
                for _ in range(self.draw(st.integers(0, 4))):
                    statement, s = self.statement(r, s, depth - 1)
                    statements.append(statement)
                prototypes.append(Body(tuple(statements)))
        return Assignment(target, Extends(tuple(prototypes))), s

    def target(self, ns: Ref, s: Store) -> Reference:
        """A left side: a name here, or a placement into a component below."""
        name = self.draw(NAMES)
        if self.draw(st.integers(0, 3)) or self.slips():
            extra = (self.draw(NAMES),) if self.slips() else ()
            return Reference((*extra, name))
        here = find(self.trace, s, ns)
        assert isinstance(here, Found)
        assert isinstance(here.value, Store)
        stores = [path for path, value in paths(here.value) if isinstance(value, Store)]
        if not stores:
            return Reference((name,))
        return Reference((*self.draw(st.sampled_from(stores)), name))

    def visible(self, ns: Ref, s: Store, *, stores: bool) -> Reference | None:
        """A reference that leads somewhere from a namespace; to a store, if that is wanted."""
        if self.slips():
            return Reference(
                (self.draw(NAMES), *([self.draw(NAMES)] * self.draw(st.integers(0, 1))))
            )
        scope = ns[: self.draw(st.integers(0, len(ns)))]
        there = find(self.trace, s, scope)
        assert isinstance(there, Found)
        assert isinstance(there.value, Store)
        found = [p for p, v in paths(there.value) if isinstance(v, Store) or not stores]
        if not found:
            return None
        path = self.draw(st.sampled_from(found))
        _, answer, _ = resolve(self.trace, s, ns, path)
        if stores and not (isinstance(answer, Found) and isinstance(answer.value, Store)):
            return None
        return Reference(path)

    def basic(self) -> BasicValue:
        return self.draw(basic_values())  # type: ignore[no-any-return]


@cache
def basic_values() -> st.SearchStrategy[Any]:
    """Literals, data references and vectors."""
    leaf = st.builds(Literal, SCALARS) | st.builds(
        lambda parts: Data(Reference(tuple(parts))), st.lists(NAMES, min_size=1, max_size=3)
    )
    return leaf | st.recursive(
        leaf, lambda inner: st.builds(lambda x: Vector(tuple(x)), st.lists(inner, max_size=3)),
        max_leaves=5,
    )  # fmt: skip


def paths(store: Store, depth: int = 3) -> Iterator[tuple[Ref, Any]]:
    """The references into a store, up to a length."""
    for attribute in store.attributes:
        yield (attribute.id,), attribute.value
        if depth > 1 and isinstance(attribute.value, Store):
            for path, value in paths(attribute.value, depth - 1):
                yield (attribute.id, *path), value


def _with_include(draw: st.DrawFn, body: Body, files: dict[str, str]) -> Body:
    """Moves some statements of the file, or of the block of one of them, to another file."""
    start = draw(st.integers(0, len(body.statements)))
    end = draw(st.integers(start, len(body.statements)))
    moved = Body(body.statements[start:end])
    files["part.sf"] = show_body(moved)
    included = Included("part.sf", moved)
    return Body((*body.statements[:start], included, *body.statements[end:]))


# Texts.


def show_body(body: Body, indent: str = "") -> str:
    """The statements of a body, a line each."""
    return "".join(f"{indent}{show_statement(s, indent)}\n" for s in body.statements)


def show_statement(statement: Statement, indent: str = "") -> str:
    if isinstance(statement, Included):
        return f'#include "{statement.path}"'
    assert isinstance(statement, Assignment)
    match statement.value:
        case Extends(prototypes=prototypes):
            shown = ", ".join(
                str(p) if isinstance(p, Reference) else _block(p, indent) for p in prototypes
            )
            return f"{statement.target} extends {shown}"
        case Link(reference=reference):
            return f"{statement.target} {reference};"
        case value:
            return f"{statement.target} {show_basic(value)};"


def _block(body: Body, indent: str) -> str:
    inner = show_body(body, indent + "  ")
    return f"{{\n{inner}{indent}}}" if inner else "{ }"


def show_basic(value: BasicValue) -> str:
    match value:
        case Literal(value=None):
            return "NULL"
        case Literal(value=bool() as truth):
            return "true" if truth else "false"
        case Literal(value=str() as text):
            return show_string(text)
        case Literal(value=number):
            return repr(number)
        case Data(reference=reference):
            return f"DATA {reference}"
        case Vector(items=items):
            return "[" + ", ".join(show_basic(item) for item in items) + "]"


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def show_string(text: str) -> str:
    shown = "".join(
        _ESCAPES.get(c) or (c if c.isprintable() or ord(c) > 0xFFFF else f"\\u{ord(c):04x}")
        for c in text
    )
    return f'"{shown}"'
