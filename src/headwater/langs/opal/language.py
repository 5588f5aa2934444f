"""Opal as `ask` sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import structs

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.opal.causes import StoreCauses
from headwater.langs.opal.distribution import InProcess, Recorded
from headwater.langs.opal.engine import check as engine_check
from headwater.langs.opal.engine import run as engine_run
from headwater.langs.opal.fields import FAMILIES, Fields
from headwater.langs.opal.inputs import Inputs, read_inputs
from headwater.langs.opal.lint import lint
from headwater.langs.opal.paper import run as paper_run
from headwater.langs.opal.paper import typing as paper_typing
from headwater.langs.opal.parser import Parsed, parse
from headwater.langs.opal.printer import show_name, show_place
from headwater.langs.opal.result import Stores, place_of, read_place
from headwater.langs.opal.self_reads import self_reads
from headwater.langs.opal.syntax import Com, Place
from headwater.langs.opal.values import Heap, NotASexp, from_plain, show
from headwater.langs.opal.writes import Finished
from headwater.langs.protocol import EngineName, Job, Outcome, Step
from headwater.report import Code, Diagnostic, codes_in, in_order
from headwater.tree import Address, BadAddress, Value, parse_address, show_address
from headwater.tree.json import compact

if TYPE_CHECKING:
    from headwater.langs.durable import Durable
    from headwater.langs.generation import Generator


@dataclass(frozen=True, slots=True)
class Checked:
    """A program that was parsed and typed, or what is wrong with it."""

    program: Com | None
    inputs: Inputs
    diagnostics: tuple[Diagnostic, ...]
    rules: frozenset[str] = frozenset()

    @property
    def runs(self) -> bool:
        """Whether nothing forbids to run it."""
        return self.program is not None and not any(d.is_error for d in self.diagnostics)


class Opal:
    """The language."""

    name = "opal"
    dialects: Mapping[str, tuple[EngineName, ...]] = {"opal": ("engine", "paper")}
    formats = ("json", "compact", "yaml")
    composes = False
    takes = FAMILIES
    comment = "#"

    @property
    def codes(self) -> Mapping[str, Code]:
        """The codes of its diagnostics."""
        from headwater.langs.opal import codes
        from headwater.langs.opal.runtime import codes as runtime

        return codes_in(codes, runtime)

    @property
    def generator(self) -> Generator:
        """What makes random programs."""
        from headwater.langs.opal.generator import OpalGenerator

        return OpalGenerator(self.compile)

    @property
    def durable(self) -> Durable:
        """How programs run over a store."""
        from headwater.langs.opal.durable import DURABLE

        return DURABLE

    def compile(self, job: Job[Fields]) -> Outcome:
        """The final stores."""
        checked = self._checked(job)
        if job.options.strict:
            checked = replace(checked, diagnostics=tuple(map(_strict, checked.diagnostics)))
        if not checked.runs:
            return self._outcome(job, checked)
        program, inputs = checked.program, checked.inputs
        assert program is not None
        if job.engine == "paper":
            finished = paper_run.evaluate(program, inputs)
            checked = replace(checked, rules=checked.rules | finished.rules)
            return self._outcome(job, checked, finished, StoreCauses(lambda: finished))
        # A question is answered by a second, traced run, which asks nobody and goes nowhere.
        endorser = Recorded(inputs.endorser)
        inputs = replace(inputs, endorser=endorser)
        finished = engine_run.evaluate(program, inputs, tracing=False)

        def replay() -> Finished:
            endorser.rewind()
            again = replace(inputs, transport=InProcess())
            return engine_run.evaluate(program, again, tracing=True)

        return self._outcome(job, checked, finished, StoreCauses(replay))

    def _outcome(
        self,
        job: Job[Fields],
        checked: Checked,
        finished: Finished | None = None,
        causes: StoreCauses | None = None,
    ) -> Outcome:
        rules = tuple(sorted(checked.rules))
        found = checked.diagnostics
        if finished is None or finished.store is None:
            if finished is not None and finished.stuck is not None:
                found = (*found, finished.stuck)
            return Outcome(None, tuple(in_order(found)), rules=rules, sources=job.sources)
        stores = Stores({place: bound.value for place, bound in finished.store.items()})
        return Outcome(stores, found, causes, rules, job.sources)

    def _checked(self, job: Job[Fields]) -> Checked:
        """Inputs, syntax, types: the part that both engines begin with."""
        source = job.source
        start = source.span(0, 0)
        inputs = read_inputs(job.inputs, start)
        if isinstance(inputs, Diagnostic):
            return Checked(None, Inputs(), (inputs,))
        parsed: Parsed = parse(source, ext=inputs.ext)
        if parsed.program is None:
            return Checked(None, inputs, parsed.diagnostics)
        known: Iterable[Place] = inputs.initial
        if job.engine == "engine":
            return Checked(parsed.program, inputs, engine_check.check(parsed.program, known))
        if parsed.beyond is not None:
            found = BEYOND_PAPER.at(parsed.beyond, what=parsed.beyond.text[:40])
            return Checked(parsed.program, inputs, (found,))
        typed = paper_typing.check(parsed.program, known)
        return Checked(parsed.program, inputs, typed.diagnostics, typed.rules)

    def steps(self, job: Job[Fields]) -> Iterator[Step | Diagnostic]:
        """The derivation of ⇓, conclusions before their premises."""
        checked = self._checked(structs.replace(job, engine="paper"))
        yield from checked.diagnostics
        if not checked.runs:
            return
        assert checked.program is not None
        finished, derivation = paper_run.derive(checked.program, checked.inputs)
        for applied in derivation:
            rule = applied.rule.removeprefix("eval/")
            yield Step(rule, applied.text, applied.at, applied.depth)
        if finished.stuck is not None:
            yield finished.stuck

    def check(self, job: Job[Fields], *, syntax_only: bool = False) -> Iterable[Diagnostic]:
        """Syntax, types, and the laws of merges."""
        inputs = read_inputs(job.inputs, job.source.span(0, 0))
        if isinstance(inputs, Diagnostic):
            return [inputs]
        parsed = parse(job.source, ext=inputs.ext)
        if parsed.program is None or syntax_only:
            return list(parsed.diagnostics)
        found = list(engine_check.check(parsed.program, inputs.initial))
        if not any(d.is_error for d in found):
            found += lint(parsed.program)
            found += self_reads(parsed.program)
        return in_order(found)

    def parse_address(self, text: str) -> Address:
        """``n.x``, ``"host.name".x``, ``n`` or a JSON pointer; raises `BadAddress`."""
        address = parse_address(text)
        if address[:1] == ("stores",) and text.startswith("/"):
            address = address[1:]
            place = read_place(str(address[0])) if len(address) == 1 else None
        else:
            place = None if text.startswith("/") else read_place(text)
        if place is not None:
            return tuple(place)
        if len(address) > 2 or not all(isinstance(part, str) for part in address):
            raise BadAddress(f"{text} does not name a variable; write node.variable")
        return address

    def show_address(self, address: Address) -> str:
        """``n.x``"""
        place = place_of(address)
        if place is not None:
            return show_place(place)
        return show_name(str(address[0])) if address else show_address(address)

    def show_value(self, value: Value) -> str:
        """An S-expression as Opal writes it, cut if it is long."""
        try:
            return show(from_plain(Heap(), value, atoms=True))
        except NotASexp:
            return compact(value)


def _strict(diagnostic: Diagnostic) -> Diagnostic:
    """A warning as an error."""
    return structs.replace(diagnostic, severity="error")


LANGUAGE = Opal()
