"""SmartFrog as `ask` sees it: loads, chooses the engine, and words the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from headwater.langs.codes import OUTPUT_TOO_LARGE
from headwater.langs.protocol import EngineName, Job, Outcome, Step
from headwater.langs.smartfrog import codes, syntax
from headwater.langs.smartfrog.engine import outcome as engine_outcome
from headwater.langs.smartfrog.engine.cells import Store
from headwater.langs.smartfrog.engine.evaluate import Evaluation, SfError
from headwater.langs.smartfrog.fields import FAMILIES, Fields
from headwater.langs.smartfrog.load import Loaded, load
from headwater.langs.smartfrog.order import OrderChange
from headwater.langs.smartfrog.results import MOST_VALUES, Specification
from headwater.report import Code, Diagnostic, codes_in, in_order, nearest
from headwater.text import Span
from headwater.tree import Address, Value, parse_address, show_address
from headwater.tree.json import compact

if TYPE_CHECKING:
    from headwater.langs.generation import Generator
    from headwater.langs.smartfrog.paper.valuation import Valuation

MOST_LEVELS = 100
"""How deep the reference semantics, which is recursive as the paper is, will go."""

BOUNDS = (codes.TOO_MUCH_COPYING.name, OUTPUT_TOO_LARGE.name)
"""What the engine refuses because of its size, the reference semantics would not end with."""


class SmartFrog:
    """The language SmartFrog."""

    name = "smartfrog"
    dialects: Mapping[str, tuple[EngineName, ...]] = {
        "core": ("engine", "paper"),
        "extended": ("engine", "paper"),
        "production": ("engine", "paper"),  # no paper defines it, and its answer says so
    }
    formats = ("json", "yaml", "compact", "sf")
    composes = False
    takes = FAMILIES
    comment = "//"

    @property
    def codes(self) -> Mapping[str, Code]:
        """The codes of its diagnostics."""
        from headwater.langs.smartfrog.production import codes as production

        return codes_in(codes, production)

    latin1_dialects = ("production",)

    @property
    def generator(self) -> Generator:
        """What makes random programs."""
        from headwater.langs.smartfrog.generator import SmartFrogGenerator

        return SmartFrogGenerator(self.compile)

    def read_result(self, text: str, format: str) -> Value:
        """A result that a compiler printed as SmartFrog."""
        from headwater.langs.smartfrog.reading import read_specification

        return read_specification(text, format, self.compile)

    def comparable(self, plain: Value, format: str) -> Value:
        """All of a result can be compared."""
        return plain

    def compile(self, job: Job[Fields]) -> Outcome:
        """The sfConfig component of a specification."""
        if job.dialect == "production":
            from headwater.langs.smartfrog.production.outcome import compile_production

            return compile_production(job)
        if job.inputs.phase:
            return Outcome(None, (no_phases(job),))
        loaded = load_job(job)
        if loaded.errors:
            return Outcome(None, tuple(in_order(loaded.errors)), sources=tuple(loaded.sources))
        return self._evaluate(job, loaded)

    def _evaluate(self, job: Job[Fields], loaded: Loaded, *, watch_order: bool = False) -> Outcome:
        """By the engine that a job asks for, or that its dialect has.

        The extended dialect is made of the reference semantics.  A specification that has nothing
        of the extensions but placements, which wait for the end of their block, means the same in
        the core, whose engine takes no time for large ones; only a link to something later, or a
        placement before its parent, makes a difference, and there the engine is stuck.
        """
        if job.engine == "paper":
            return self._by_paper(job, loaded, watch_order=watch_order)
        if job.dialect == "extended":
            if not is_plain(loaded.body):
                return self._by_paper(job, loaded, watch_order=watch_order)
            made = self._by_engine(job, loaded, watch_order=watch_order)
            refused = made.result is None and made.diagnostics[0].code not in BOUNDS
            return self._by_paper(job, loaded, watch_order=watch_order) if refused else made
        return self._by_engine(job, loaded, watch_order=watch_order)

    def _by_engine(self, job: Job[Fields], loaded: Loaded, *, watch_order: bool = False) -> Outcome:
        sources = tuple(loaded.sources)
        evaluation = Evaluation(
            watch_order=watch_order or job.options.strict,
            placements_wait=job.dialect == "extended",
        )
        try:
            top = evaluation.run(loaded.body)
        except SfError as error:
            return Outcome(None, (error.diagnostic,), sources=sources)
        store = top.value
        assert isinstance(store, Store)
        if engine_outcome.count(store) > MOST_VALUES:
            return Outcome(None, (too_large(loaded.body),), sources=sources)
        warnings = self._order(evaluation.order_changes, job, watch_order)
        if any(d.is_error for d in warnings):
            return Outcome(None, warnings, sources=sources)
        causes = engine_outcome.EngineCauses(top)
        return Outcome(Specification(engine_outcome.tree(store)), warnings, causes, sources=sources)

    def _by_paper(self, job: Job[Fields], loaded: Loaded, *, watch_order: bool = False) -> Outcome:
        from headwater.langs.firing import watching
        from headwater.langs.smartfrog.paper import outcome
        from headwater.langs.smartfrog.paper.domains import Stuck

        sources = tuple(loaded.sources)
        deep = deeper_than(loaded.body, MOST_LEVELS)
        if deep is not None:
            problem = codes.TOO_DEEP.at(deep, bound=MOST_LEVELS)
            return Outcome(None, (problem,), sources=sources)
        valuation = valuation_of(job)
        with watching() as fired:
            answer = valuation.SF(loaded.body)
        rules = tuple(sorted(fired))
        if isinstance(answer, Stuck):
            return Outcome(None, (stuck_diagnostic(answer),), rules=rules, sources=sources)
        store, found = answer
        if outcome.count(store) > MOST_VALUES:
            return Outcome(None, (too_large(loaded.body),), rules=rules, sources=sources)
        warnings = self._order(valuation.order_changes, job, watch_order)
        if any(d.is_error for d in warnings):
            return Outcome(None, warnings, rules=rules, sources=sources)
        causes = outcome.PaperCauses(valuation.trace, found)
        return Outcome(Specification(outcome.tree(store)), warnings, causes, rules, sources)

    def _order(
        self, changes: list[OrderChange], job: Job[Fields], watch_order: bool
    ) -> tuple[Diagnostic, ...]:
        """The order-change warnings: errors if strict, silent unless asked for."""
        if not (watch_order or job.options.strict):
            return ()
        return tuple(in_order(c.diagnostic(strict=job.options.strict) for c in changes))

    def steps(self, job: Job[Fields]) -> Iterator[Step | Diagnostic]:
        """The definitions of the paper as they are applied."""
        if job.dialect == "production":
            from headwater.langs.smartfrog.production.outcome import beyond_paper

            yield beyond_paper(job)
            return
        from headwater.langs.smartfrog.paper.domains import Stuck

        loaded = load_job(job)
        if loaded.errors:
            yield from in_order(loaded.errors)
            return
        deep = deeper_than(loaded.body, MOST_LEVELS)
        if deep is not None:
            yield codes.TOO_DEEP.at(deep, bound=MOST_LEVELS)
            return
        valuation = valuation_of(job)
        answer = valuation.SF(loaded.body)
        yield from valuation.steps
        if isinstance(answer, Stuck):
            yield stuck_diagnostic(answer)

    def check(self, job: Job[Fields], *, syntax_only: bool = False) -> Iterable[Diagnostic]:
        """Syntax errors, the first evaluation error, and order changes."""
        if job.dialect == "production":
            return self._check_production(job, syntax_only=syntax_only)
        loaded = load_job(job)
        if loaded.errors or syntax_only:
            return in_order(loaded.errors)
        return self._evaluate(job, loaded, watch_order=True).diagnostics

    def _check_production(self, job: Job[Fields], *, syntax_only: bool) -> Iterable[Diagnostic]:
        from headwater.langs.smartfrog.production import load as production
        from headwater.langs.smartfrog.production.outcome import compile_production

        if syntax_only:
            loaded = production.load(job.source, job.options.include)
            return in_order([*loaded.errors, *loaded.doubts(strict=job.options.strict)])
        return compile_production(job).diagnostics

    def parse_address(self, text: str) -> Address:
        """``a.b.c`` or ``a:b:c``"""
        return parse_address(text, separators=".:")

    def show_address(self, address: Address) -> str:
        """``a.b.c``"""
        return show_address(address)

    def show_value(self, value: Value) -> str:
        """A value as compact JSON."""
        return compact(value)


def load_job(job: Job[Fields]) -> Loaded:
    """The specification of a job, in the syntax of its dialect."""
    return load(job.source, job.options.include, extended=job.dialect == "extended")


def valuation_of(job: Job[Fields]) -> Valuation:
    """The semantics of a job's dialect."""
    from headwater.langs.smartfrog.paper.extended import Extended
    from headwater.langs.smartfrog.paper.valuation import Valuation

    return Extended() if job.dialect == "extended" else Valuation()


def stuck_diagnostic(stuck: object) -> Diagnostic:
    """The diagnostic that a `Stuck` of the reference semantics stands for."""
    from headwater.langs.smartfrog.paper.domains import Stuck

    assert isinstance(stuck, Stuck)
    fields: dict[str, Any] = dict(stuck.fields)
    subject = fields.get("parent") or fields.get("name") or "sfConfig"
    close = nearest(subject.split(":")[0], stuck.names)
    help = f"did you mean {close}?" if close else None
    return stuck.code.at(stuck.at, labels=stuck.labels, help=help, **fields)


def no_phases(job: Job[Fields]) -> Diagnostic:
    """The error for a phase in a dialect that has none."""
    known = "those of --dialect production"
    return codes.UNKNOWN_PHASE.at(job.source.span(0, 0), name=job.inputs.phase, known=known)


def too_large(body: syntax.Body) -> Diagnostic:
    """The error for a result that breaks the bound, at the statement that sets it."""
    at = body.at.at_start()
    for statement in body.statements:
        if isinstance(statement, syntax.Assignment) and statement.target.parts[0] == "sfConfig":
            at = statement.target.at
    return OUTPUT_TOO_LARGE.at(at, bound=f"{MOST_VALUES:,} values")


def is_plain(body: syntax.Body) -> bool:
    """Whether a specification has nothing of the extended dialect but that placements wait.

    Neither may it be nested deeper than the reference semantics allows.
    """
    if deeper_than(body, MOST_LEVELS) is not None:
        return False
    todo = list(body.statements)
    while todo:
        match todo.pop():
            case syntax.Order():
                return False
            case syntax.Included(body=inner):
                todo.extend(inner.statements)
            case syntax.Assignment(value=value):
                if isinstance(value, syntax.Extends):
                    if value.merge:
                        return False
                    for prototype in value.prototypes:
                        if isinstance(prototype, syntax.Body):
                            todo.extend(prototype.statements)
    return True


def deeper_than(body: syntax.Body, levels: int) -> Span | None:
    """Where a specification is nested deeper than that, if it is."""
    todo: list[tuple[object, int]] = [(body, 0)]
    while todo:
        node, depth = todo.pop()
        match node:
            case syntax.Body(statements=inner) | syntax.Vector(items=inner):
                if depth > levels:
                    return node.at
                todo.extend((part, depth + 1) for part in inner)
            case syntax.Included(body=inner_body):
                todo.append((inner_body, depth))
            case syntax.Assignment(target=target, value=value):
                if len(target.parts) > levels:
                    return target.at
                todo.append((value, depth))
            case syntax.Extends(prototypes=prototypes):
                todo.extend((prototype, depth) for prototype in prototypes)
            case syntax.Link(reference=reference) if len(reference.parts) > levels:
                return reference.at
            case syntax.Reference(parts=parts) if len(parts) > levels:
                return node.at
    return None


LANGUAGE = SmartFrog()
