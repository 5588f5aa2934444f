"""JSON with comments as `ask` sees it: a reader that knows places, and causes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headwater.langs.protocol import EngineName, Job, Outcome, Placement, Step
from headwater.report import Code, Diagnostic, codes_in
from headwater.text import Source, Span
from headwater.tree import Address, Tree, Value, parse_address, show_address
from headwater.tree.json import compact
from headwater.why import NOTHING, Label, Loser, Node, Trace
from jsonc.fields import FAMILIES, Fields

SYNTAX = Code(name="jsonc-syntax", message="expected {wanted}",
              what="The text is not JSON with comments.", why="Something is missing, or too much.",
              example='{"a": }', fix="Write what is expected.")  # fmt: skip
TOO_DEEP = Code(name="jsonc-too-deep", message="values are nested more than {bound} levels deep",
                what="A text is nested too deep.", why="--max-levels says how deep it may be.",
                example="[[[[]]]]", fix="Flatten the text, or allow more.")  # fmt: skip
_TOKEN = re.compile(r'(?:\s|//[^\n]*|/\*.*?\*/)*+("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*'
                    r"|true|false|null|[][{},:]|\Z)?", re.S)  # fmt: skip


class Wrong(Exception):
    """What is wrong with a text, as a diagnostic."""


@dataclass
class Reader:
    """Reads a text, and notes for each address the node of its value."""

    source: Source
    levels: int
    trace: Trace = field(default_factory=Trace)
    nodes: dict[Address, Node] = field(default_factory=dict)
    at: int = 0

    def next(self, wanted: str, only: tuple[str, ...] = ()) -> Span:
        found = _TOKEN.match(self.source.text, self.at)
        assert found is not None
        span = self.source.span(*(found.span(1) if found[1] is not None else (found.end(),) * 2))
        if found[1] is None or (only and span.text not in only):
            raise Wrong(SYNTAX.at(span, wanted=wanted))
        self.at = found.end()
        return span

    def value(self, address: Address, exists: Node) -> Value:
        token = self.next("a value")
        if len(address) > self.levels:
            raise Wrong(TOO_DEEP.at(token, bound=self.levels))
        nested = token.text in ("{", "[")
        label = self.trace.label(Label("structure" if nested else "literal", token, token.text))
        self.nodes[address] = self.trace.guard(label, exists)
        try:
            return self.members(address, token.text == "{") if nested else json.loads(token.text)
        except ValueError:
            raise Wrong(SYNTAX.at(token, wanted="a value")) from None

    def members(self, address: Address, keyed: bool) -> Value:
        found: dict[str | int, Value] = {}
        close, start = "}" if keyed else "]", self.at
        while not found or self.next(f", or {close}", (",", close)).text != close:
            if not found and self.next(f"a value or {close}").text == close:
                break
            self.at = start if not found else self.at
            part: str | int = len(found)
            exists = self.nodes[address]
            if keyed:
                key = self.next("a name")
                if not key.text.startswith('"'):
                    raise Wrong(SYNTAX.at(key, wanted="a name"))
                part = str(json.loads(key.text))
                exists = self.trace.union(exists, self.trace.label(Label("key", key, key.text)))
                self.next(":", (":",))
            where = (*address, part)
            before = self.nodes.get(where)
            lost = [] if before is None else [Loser(found[part], before, "override", exists)]
            found[part] = self.value(where, exists)  # the last of two with the same name counts
            self.nodes[where] = self.trace.choice(self.nodes[where], losers=lost)
        return {str(k): v for k, v in found.items()} if keyed else list(found.values())


@dataclass(frozen=True)
class Causes:
    trace: Trace
    nodes: Mapping[Address, Node]

    def of(self, address: Address) -> Node:
        return self.nodes[address]

    def output(self) -> Node:
        return self.trace.union(*self.nodes.values())

    def position(self, address: Address) -> Placement | None:
        return None

    def path(self, address: Address) -> tuple[Span, ...]:
        return ()


class JsonWithComments:
    name, composes, takes, comment = "jsonc", False, FAMILIES, "//"
    dialects: Mapping[str, tuple[EngineName, ...]] = {"jsonc": ("engine",)}
    formats = ("json", "yaml", "compact")
    codes = codes_in(sys.modules[__name__])

    def compile(self, job: Job[Fields]) -> Outcome:
        reader = Reader(job.source, job.inputs.max_levels or 100)
        try:
            tree = Tree(reader.value((), NOTHING))
            reader.next("the end", ("",))
        except Wrong as wrong:
            return Outcome(None, (wrong.args[0],), sources=job.sources)
        return Outcome(tree, (), Causes(reader.trace, reader.nodes), sources=job.sources)

    def steps(self, job: Job[Fields]) -> Iterator[Step | Diagnostic]:
        return iter(self.check(job))

    def check(self, job: Job[Fields], *, syntax_only: bool = False) -> tuple[Diagnostic, ...]:
        return self.compile(job).diagnostics

    parse_address = staticmethod(parse_address)
    show_address = staticmethod(show_address)
    show_value = staticmethod(compact)


LANGUAGE = JsonWithComments()
