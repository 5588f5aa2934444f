"""Generated specifications of any SmartFrog dialect: runs, and real edits to their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from headwater.ask import Request, compile_request
from headwater.ask.views import Views
from headwater.langs.smartfrog import syntax as core
from headwater.langs.smartfrog.load import load as load_core
from headwater.langs.smartfrog.production import syntax as p
from headwater.langs.smartfrog.production.load import load
from headwater.text import Source, Span
from headwater.tree import Address, Value
from headwater.tree.diff import same
from headwater.why import Label, depends
from laws.edits import FRESH, FRESH_LITERAL, Edit, key_of, names_written
from laws.edits import edits as core_edits

ABSENT = object()


class Run:
    """A compiled text: its leaves, and the views of them."""

    def __init__(self, text: str, dialect: str, engine: Literal["paper"] | None = None) -> None:
        self.text, self.dialect = text, dialect
        self.source = Source("main.sf", text)
        self.compiled = compile_request(
            Request(sources=(self.source,), dialect=dialect, engine=engine)
        )
        result = self.compiled.outcome.result
        self.ok = result is not None
        self.leaves: dict[Address, Value] = dict(result.walk()) if result else {}

    def views(self, address: Address) -> Views:
        causes = self.compiled.outcome.causes
        assert causes is not None
        return Views(causes, address)

    def output(self) -> set[tuple[str, str, int]]:
        causes = self.compiled.outcome.causes
        assert causes is not None
        return {key_of(label) for label in depends(causes.trace, causes.output())}

    def edits(self, references: list[str]) -> list[Edit]:
        """Every single edit of the text."""
        if self.dialect == "production":
            return list(edits(load(self.source, in_full=True).block, references))
        body = load_core(self.source, extended=True).body
        return list(core_edits(without_orders(body), references))

    def tag_edits(self) -> list[Edit]:
        """Every edit of a tag (production dialect)."""
        return list(tag_edits(load(self.source, in_full=True).block))

    def names_written(self, miss: Label) -> set[str]:
        """The names that the component of a miss gets in its own blocks (extended dialect)."""
        return names_written(load_core(self.source, extended=True).body, miss)

    def after(self, edit: Edit) -> Run:
        text = self.text[: edit.at.start] + edit.new + self.text[edit.at.end :]
        return Run(text, self.dialect)

    def changed(self, then: Run, *, gained: bool = True) -> Iterator[Address]:
        """The addresses whose value is another, or gone.

        An empty component that has gained attributes is a matter of the set of outputs; so is, if
        that does not count, a component in a list.
        """
        inner = {address[:length] for address in then.leaves for length in range(len(address))}
        for address, value in self.leaves.items():
            now: Any = then.leaves.get(address, ABSENT)
            if value == {} and address in inner:
                continue
            if not gained:
                now = without_more(now, value)
            if now is ABSENT or not same(value, now):
                yield address

    def references(self) -> list[str]:
        """Paths that lead somewhere from sfConfig."""
        words = {":".join(str(x) for x in a if isinstance(x, str)) for a in self.leaves}
        return sorted(word for word in words if word and '"' not in word)


def only_what_depends_changes(before: Run, edits: Iterable[Edit]) -> None:
    """Asserts D1 for some edits."""
    known = {a: {key_of(x) for x in before.views(a).depends} for a in before.leaves}
    output = before.output()
    depends: dict[Address, set[tuple[str, str, int]]] = {}
    for edit in edits:
        then = before.after(edit)
        if not then.ok:
            continue
        for address in before.changed(then):
            assert edit.label in known[address], (edit, address, before.text)
        if set(before.leaves) != set(then.leaves):
            assert edit.label in output, (edit, before.text)
        for address in changed_components(before.leaves, then.leaves):
            if address not in depends:
                depends[address] = {key_of(x) for x in before.views(address).depends}
            assert edit.label in depends[address], (edit, address, before.text)


Leaves = dict[Address, Value]


def changed_components(before: Leaves, then: Leaves) -> Iterator[Address]:
    """The addresses of the components that have other attributes, or other values, than before."""
    differing = {a for a in before if a not in then or not same(before[a], then[a])}
    differing |= then.keys() - before.keys()
    inner = {address[:length] for address in before for length in range(len(address))}
    return iter(inner & {a[:length] for a in differing for length in range(len(a))})


def without_more(now: object, before: object) -> object:
    """A list without the attributes that components in it did not have before."""
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return [without_more(*pair) for pair in zip(now, before, strict=True)]
    if isinstance(now, dict) and isinstance(before, dict):
        return {key: without_more(now[key], x) for key, x in before.items() if key in now}
    return now


def without_orders(body: core.Body) -> core.Body:
    """A block without its order constraints, which no value depends on."""
    kept = []
    for s in body.statements:
        if isinstance(s, core.Order):
            continue
        if isinstance(s, core.Assignment) and isinstance(s.value, core.Extends):
            protos = tuple(
                without_orders(x) if isinstance(x, core.Body) else x for x in s.value.prototypes
            )
            value = core.Extends(protos, s.value.at, s.value.merge)
            s = core.Assignment(s.target, value, s.at)
        kept.append(s)
    return core.Body(tuple(kept), body.at)


def label(kind: str, at: Span) -> tuple[str, str, int]:
    return kind, at.source.name, at.start


def edits(block: p.Block, references: list[str]) -> Iterator[Edit]:
    """Every single edit of a production specification."""
    for item in block.items:
        if not isinstance(item, p.Attribute):
            continue  # an include: the library
        key = label("key", item.name_at)
        if item.parts:
            new = ":".join((*item.parts[:-1], FRESH))
            if item.name_at.source.text[: item.name_at.start][-1:].isalnum():
                new = f" {new}"  # a name may stand right behind a number: `0x1F` is two tokens
            yield Edit("rename", key, item.name_at, new)
        yield Edit("delete", key, item.at, "")
        yield from of_value(item.value, references)


def tag_edits(block: p.Block) -> Iterator[Edit]:
    """Every tag of a file, but in vectors and functions, made one of no meaning."""
    for item in block.items:
        if isinstance(item, p.Attribute):
            for _, at in item.tags:
                yield Edit("tag", label("tag", at), at, "other")
            held = item.value.prototypes if isinstance(item.value, p.Component) else ()
            for prototype in held:
                if isinstance(prototype, p.Block):
                    yield from tag_edits(prototype)


def of_value(value: p.Value, references: list[str]) -> Iterator[Edit]:
    match value:
        case p.Literal(at=at) if at.text != ";":
            yield Edit("literal", label("literal", at), at, FRESH_LITERAL)
        case p.Reference(at=at, lazy=False, data=False, optional=False):
            for other in references:
                if other != at.text:
                    yield Edit("reference", label("reference", at), at, other)
        case p.Primitives(items=items):
            for item in items:
                yield from of_value(item, references)
        case p.Operation(args=args):
            for _, arg in args:
                yield from of_value(arg, references)
        case p.Component(prototypes=prototypes):
            for prototype in prototypes:
                if isinstance(prototype, p.Block):
                    yield from edits(prototype, references)
                else:
                    yield from of_value(prototype, references)
