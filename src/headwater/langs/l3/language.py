"""L3 as `ask` sees it: loads and composes the files, chooses the engine, words the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from headwater.langs.l3.elements import literals_by_label
from headwater.langs.l3.engine.outcome import run as run_engine
from headwater.langs.l3.fields import FAMILIES, Fields
from headwater.langs.l3.load import load
from headwater.langs.l3.syntax import Program
from headwater.langs.protocol import EngineName, Job, Outcome, Step, Suggestion
from headwater.report import Code, Diagnostic, codes_in, in_order
from headwater.tree import Address, Tree, Value, parse_address, show_address
from headwater.tree.json import compact

if TYPE_CHECKING:
    from headwater.langs.generation import Generator


class L3:
    """The language L3."""

    name = "l3"
    dialects: Mapping[str, tuple[EngineName, ...]] = {"l3": ("engine", "paper")}
    formats = ("json", "yaml", "compact")
    composes = True
    takes = FAMILIES
    comment = "//"

    @property
    def codes(self) -> Mapping[str, Code]:
        """The codes of its diagnostics."""
        from headwater.langs.l3 import codes

        return codes_in(codes)

    @property
    def generator(self) -> Generator:
        """What makes random programs."""
        from headwater.langs.l3.generator import L3Generator

        return L3Generator(self.compile)

    def compile(self, job: Job[Fields]) -> Outcome:
        """The files of a job, composed and resolved."""
        loaded = load(job.sources, job.inputs.tag or ())
        if loaded.errors:
            return Outcome(None, tuple(loaded.errors), sources=job.sources)
        if job.engine == "paper":
            return self._by_paper(job, loaded.program)
        answer = run_engine(loaded.program, strict=job.options.strict)
        found = tuple(in_order(answer.diagnostics))
        if any(d.is_error for d in found):
            return Outcome(None, found, sources=job.sources)
        return Outcome(Tree(answer.tree), found, answer.causes, sources=job.sources)

    def _by_paper(self, job: Job[Fields], program: Program) -> Outcome:
        from headwater.langs.firing import watching
        from headwater.langs.l3.paper.outcome import run

        with watching() as fired:
            answer = run(program, literals_by_label(program), strict=job.options.strict)
        rules = tuple(sorted(fired))
        found = tuple(in_order(answer.diagnostics))
        if any(d.is_error for d in found):
            return Outcome(None, found, rules=rules, sources=job.sources)
        return Outcome(Tree(answer.tree), found, answer.causes, rules, job.sources)

    def steps(self, job: Job[Fields]) -> Iterator[Step | Diagnostic]:
        """The rules as they are applied, definitions first, then the labels."""
        from headwater.langs.l3.paper.outcome import run

        loaded = load(job.sources, job.inputs.tag or ())
        if loaded.errors:
            yield from loaded.errors
            return
        program = loaded.program
        answer = run(program, literals_by_label(program), strict=job.options.strict)
        yield from answer.steps
        yield from in_order(d for d in answer.diagnostics if d.is_error)

    def check(self, job: Job[Fields], *, syntax_only: bool = False) -> Iterable[Diagnostic]:
        """Errors, ties, and annotations that do nothing."""
        from headwater.langs.l3.check import findings

        loaded = load(job.sources, job.inputs.tag or ())
        if loaded.errors or syntax_only:
            return loaded.errors
        answer = run_engine(loaded.program, strict=job.options.strict)
        if answer.causes is None:
            return in_order(answer.diagnostics)
        return in_order([*answer.diagnostics, *findings(loaded.program, answer.causes)])

    def to_win(self, outcome: Outcome, address: Address, value: str) -> Suggestion | Diagnostic:
        """What would make a value win at an address of the result."""
        from headwater.langs.l3.to_win import to_win

        return to_win(outcome.sources, outcome.causes, address, value)

    def parse_address(self, text: str) -> Address:
        """``a.b."x y"``"""
        return parse_address(text)

    def show_address(self, address: Address) -> str:
        """``a.b."x y"``"""
        return show_address(address)

    def show_value(self, value: Value) -> str:
        """A value as compact JSON."""
        return compact(value)


LANGUAGE = L3()
