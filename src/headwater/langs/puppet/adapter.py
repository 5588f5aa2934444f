"""The door: a job goes in, an outcome comes out; who asks why is let in to `why`."""

from __future__ import annotations

from _thread import allocate_lock
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from headwater.langs.protocol import Causes, Job, LookedUp, Outcome, Placement, Segment
from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.result import CatalogResult
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.compile import compile_catalog, new_compilation
from headwater.langs.puppet.engine.inputs import read_inputs
from headwater.langs.puppet.engine.start import prepare
from headwater.langs.puppet.engine.weights import DIGITS_BOUND, is_digits_bound
from headwater.langs.puppet.fault import Fault, Jump, Problem, illegal
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.program.parsing import Reading, SyntaxFault, parsed_unit
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.secrets import secret_values
from headwater.report import Diagnostic, in_order
from headwater.text import Source, Span
from headwater.text.late import when_called
from headwater.text.recursion import room
from headwater.tree import Address

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.secrets import Secrets
    from headwater.langs.puppet.why.causes import Asking, CatalogCauses
    from headwater.why import Node, Trace
else:
    when_called(globals(), "headwater.langs.puppet.catalog.secrets", "Secrets")

_FRAMES = 60_000
"""Python frames that deeply nested programs may need; the bounds on calls come first."""

_NO_MANIFEST = Source("(no manifest)", "")
_TELLING = ("node", "facts", "facts_file", "env", "hiera", "modulepath", "classes")
"""The inputs with which a program that is refused is one that does not work."""

_SITES: dict[tuple[int, str, str], Unit] = {}
_MOST_SITES = 64


def compile_job(job: Job[Fields]) -> Outcome:
    """The catalog of a job, or why there is none."""
    sources = list(job.sources)
    compilation: Compilation | None = None
    with room(_FRAMES):
        try:
            inputs = read_inputs(job.inputs, job.texts, strict=job.options.strict)
            compilation = new_compilation(_site(job, inputs.reading), inputs)
            compile_catalog(compilation)
            if compilation.record.guesses.guessed or compilation.messages.undecided:
                from headwater.langs.puppet.why.marks import mark

                mark(compilation)
            result = CatalogResult(
                compilation.catalog,
                inputs.node,
                inputs.environment,
                inputs.keep_virtual,
                partial(secret_values, compilation.record, compilation.catalog),
            )
        except SyntaxFault as fault:
            return _refused(compilation, fault.errors, sources)
        except Fault as fault:
            return _refused(compilation, [fault.diagnostic], sources)
        except Jump as jump:
            return _refused(compilation, [illegal(jump).diagnostic], sources)
        except Problem as problem:
            return _refused(compilation, [problem.at(_start(job)).diagnostic], sources)
        except ValueError as error:
            if not is_digits_bound(error):
                raise
            found = codes.VALUE_TOO_LARGE.at(_start(job), bound=DIGITS_BOUND)
            return _refused(compilation, [found], sources)
        except RecursionError:
            found = codes.TOO_MANY_CALLS.at(_start(job), bound=_FRAMES)
            return _refused(compilation, [found], sources)
    warnings = in_order(compilation.messages.diagnostics)
    if warnings:
        warnings = result.secrets.diagnostics(warnings)
    causes = LateCauses(compilation, result)
    return Outcome(result, tuple(warnings), causes, sources=tuple(sources))


def files_named(outcome: Outcome) -> dict[Address, str]:
    """The files of modules that a catalog names as sources, under the addresses of the names."""
    from headwater.langs.puppet.catalog.comparing import sources

    if outcome.result is None or not isinstance(outcome.causes, LateCauses):
        return {}
    compilation = outcome.causes.compilation
    modules = compilation.program.modules
    if not any("source" in one.params for one in compilation.catalog.by_type.get("File", ())):
        return {}
    found: dict[Address, str] = {}
    for address, choices in sources(outcome.result.get(())):
        paths = (modules.file_of("files", f"{module}/{rest}") for module, rest in choices)
        first = next((path for path in paths if path is not None), None)
        if first is not None:
            found[address] = first
    return found


_FIRST = allocate_lock()
"""Of several threads that ask the first question of a catalog one has its causes made."""


class LateCauses:
    """The causes of a catalog; what answers for them is loaded with the first question."""

    __slots__ = ("_causes", "_result", "compilation")

    def __init__(self, compilation: Compilation, result: CatalogResult) -> None:
        self.compilation = compilation
        self._result = result
        self._causes: CatalogCauses | None = None

    def _loaded(self) -> CatalogCauses:
        if self._causes is None:
            from headwater.langs.puppet.why.causes import CatalogCauses

            with _FIRST:
                if self._causes is None:
                    self._causes = CatalogCauses(self.compilation, self._result)
        return self._causes

    def forget(self) -> None:
        self._causes = None
        self.compilation.forget()

    @property
    def trace(self) -> Trace:
        return self._loaded().trace

    def of(self, address: Address) -> Node:
        return self._loaded().of(address)

    def output(self) -> Node:
        return self._loaded().output()

    def position(self, address: Address) -> Placement | None:
        causes: Causes = self._loaded()
        return causes.position(address)

    def segments(self, address: Address) -> list[Segment]:
        return self._loaded().segments(address)

    def path(self, address: Address) -> tuple[Span, ...]:
        return self._loaded().path(address)

    def in_a_row(self) -> Asking:
        return self._loaded().in_a_row()

    def resources(self) -> list[Address]:
        return self._loaded().resources()

    def tags(self, address: Address) -> dict[str, Node]:
        return self._loaded().tags(address)

    def edges(self) -> list[tuple[Address, Address, Node]]:
        return self._loaded().edges()


def check_job(job: Job[Fields]) -> list[Diagnostic]:
    """What is wrong with the catalog of a program; all of it only if its inputs are given."""
    if job.engine == "paper":
        return []
    outcome = compile_job(job)
    if isinstance(outcome.causes, LateCauses):
        from headwater.langs.puppet.catalog.cycles import dependency_cycles

        return dependency_cycles(outcome.causes.compilation.catalog)
    if any(getattr(job.inputs, name) for name in _TELLING):
        return [d for d in outcome.diagnostics if d.is_error]
    return [d for d in outcome.errors if d.code == codes.MISSING_RESOURCE.name]


def lookup_job(job: Job[Fields], key: str, merge: str | None) -> LookedUp | tuple[Diagnostic, ...]:
    """The value of a key of Hiera: for the facts alone, or as a program that is given sees it."""
    start = _NO_MANIFEST.span(0, 0)
    with room(_FRAMES):
        try:
            inputs = read_inputs(job.inputs, job.texts)
            if job.sources:
                compilation = new_compilation(_site(job, inputs.reading), inputs)
                compile_catalog(compilation)
            else:
                compilation = new_compilation(
                    [parsed_unit(_NO_MANIFEST, None, [], inputs.reading)], inputs
                )
                prepare(compilation)
            from headwater.langs.puppet.hiera.explain import explain

            looked = explain(compilation.services.hiera.layers, key, merge)
            said = compilation.messages.diagnostics
            hidden = [one for one in said if one.code == codes.LOCKED_DATA.name]
            return replace(looked, diagnostics=(*hidden, *looked.diagnostics))
        except SyntaxFault as fault:
            return tuple(in_order(fault.errors))
        except Fault as fault:
            return (fault.diagnostic,)
        except Jump as jump:
            return (illegal(jump).diagnostic,)
        except Problem as problem:
            return (problem.at(start).diagnostic,)
        except RecursionError:
            return (codes.TOO_MANY_CALLS.at(start, bound=_FRAMES),)


def _refused(
    compilation: Compilation | None, errors: list[Diagnostic], sources: list[Source]
) -> Outcome:
    if compilation is None:
        warnings, secrets = [], Secrets()
    else:
        warnings = list(compilation.messages.diagnostics)
        secrets = secret_values(compilation.record, compilation.catalog)
    found = secrets.diagnostics(in_order([*warnings, *errors]))
    if compilation is not None:
        compilation.forget()  # there is nothing to ask about
    return Outcome(None, tuple(found), sources=tuple(sources))


def _start(job: Job[Fields]) -> Span:
    """The place of what is wrong with a program as a whole: no line of it is to blame."""
    return Source((job.sources or (_NO_MANIFEST,))[0].name, "").span(0, 0)


def _site(job: Job[Fields], reading: Reading) -> list[Unit]:
    """The manifests: the job's texts, with what is put before and after them."""
    sources = list(job.sources) or [_NO_MANIFEST]
    pre, post = job.inputs.pre, job.inputs.post
    if pre:
        sources[0] = Source(sources[0].name, f"{pre}\n{sources[0].text}")
    if post:
        sources[-1] = Source(sources[-1].name, f"{sources[-1].text}\n{post}")
    return [_unit(source, reading) for source in sources]


def _unit(source: Source, reading: Reading) -> Unit:
    """A main manifest, which may hold anything, also where it lies in a module."""
    key = (reading.level.number, source.name, source.text)
    kept = _SITES.get(key)
    if kept is not None:
        return reading.accepted(kept)
    unit = parsed_unit(source, None, [], reading)
    if len(_SITES) >= _MOST_SITES:
        _SITES.clear()
    _SITES[key] = unit
    return reading.accepted(unit)
