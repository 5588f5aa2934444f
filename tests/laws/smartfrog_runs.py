"""Running generated specifications of core SmartFrog in laws, and real edits to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.views import Views
from headwater.langs.smartfrog.load import Loaded, load
from headwater.langs.smartfrog.paper import outcome as paper_outcome
from headwater.langs.smartfrog.paper.domains import Stuck
from headwater.langs.smartfrog.paper.valuation import Valuation
from headwater.langs.smartfrog.syntax import Body
from headwater.text import Source, read_source
from headwater.tree import Address, Value
from headwater.tree.diff import same
from headwater.why import depends
from laws.edits import Edit, key_of
from laws.strategies.smartfrog import Program, paths

ABSENT = object()


class Run:
    """A compiled program: its leaves, and the views of them."""

    def __init__(self, program: Program) -> None:
        self.path = program.written()
        self.compiled: Compiled = compile_request(Request(files=(self.path,)))
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

    def fails_in(self, edit: Edit) -> bool:
        """Whether the first error is about the new text itself."""
        at = self.compiled.diagnostics[0].at
        same_file = at.source.name.endswith(edit.label[1])
        return same_file and edit.at.start <= at.start < edit.at.start + len(edit.new)

    def loaded(self) -> Loaded:
        source = read_source(self.path)
        assert isinstance(source, Source)
        return load(source)


def after(program: Program, edit: Edit) -> Run:
    return Run(replace(program, files=edit.apply(program.files)))


def references_of(program: Program) -> list[str]:
    """References to try instead of others: some that lead somewhere, one that does not."""
    valuation = Valuation()
    store = valuation.B(program.body, (), paper_outcome.Store())  # type: ignore[attr-defined]
    if isinstance(store, Stuck):
        return []
    return sorted({":".join(path) for path, _ in paths(store)})


def changed(before: Run, then: Run) -> Iterator[Address]:
    """The addresses whose value is another, or gone."""
    for address, value in before.leaves.items():
        now: Any = then.leaves.get(address, ABSENT)
        if now is ABSENT or not same(value, now):
            yield address


def program_of(text: str) -> Program:
    """A program that is written out, in one file."""
    return Program(Body((), Source("", "").span(0, 0)), {"main.sf": text})
