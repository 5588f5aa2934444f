"""The door of the engine: a job goes in, an outcome comes out."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, cast

from headwater.langs.protocol import Causes, Job, LookedUp, Outcome
from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.beginnings import prepare
from headwater.langs.puppet.engine.compiler import Compiler
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.inputs import read_inputs
from headwater.langs.puppet.engine.loader import SyntaxFault, parsed_unit
from headwater.langs.puppet.engine.result import CatalogResult
from headwater.langs.puppet.engine.secrets import Secrets, values_of
from headwater.langs.puppet.engine.weights import DIGITS_BOUND, is_digits_bound
from headwater.langs.puppet.fault import Fault, Jump, Problem, illegal
from headwater.report import Diagnostic, in_order
from headwater.text import Source

_FRAMES = 60_000
"""Python frames that deeply nested programs may need; the bounds on calls come first."""

_NO_MANIFEST = Source("(no manifest)", "")
_TELLING = ("node", "facts", "facts_file", "env", "hiera", "modulepath", "classes")
"""The inputs with which a program that is refused is one that does not work."""

_SITES: dict[tuple[str, str], Unit] = {}
_MOST_SITES = 64


def compile_job(job: Job) -> Outcome:
    """The catalog of a job, or why there is none."""
    sources = list(job.sources)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    compiler: Compiler | None = None
    try:
        inputs = read_inputs(job.inputs)
        if job.options.strict:
            inputs.settings.setdefault("strict", "error")
        compiler = Compiler(_site(job), inputs)
        catalog = compiler.compile()
        result = CatalogResult(
            catalog,
            inputs.node,
            inputs.environment,
            inputs.keep_virtual,
            partial(values_of, compiler),
        )
    except SyntaxFault as fault:
        return _refused(compiler, fault.errors, sources)
    except Fault as fault:
        return _refused(compiler, [fault.diagnostic], sources)
    except Jump as jump:
        return _refused(compiler, [illegal(jump).diagnostic], sources)
    except Problem as problem:
        return _refused(compiler, [problem.at(_start(job)).diagnostic], sources)
    except ValueError as error:
        if not is_digits_bound(error):
            raise
        found = codes.VALUE_TOO_LARGE.at(_start(job), bound=DIGITS_BOUND)
        return _refused(compiler, [found], sources)
    except RecursionError:
        found = codes.TOO_MANY_CALLS.at(_start(job), bound=_FRAMES)
        return _refused(compiler, [found], sources)
    finally:
        sys.setrecursionlimit(limit)
    warnings = in_order(compiler.diagnostics)
    if warnings:
        warnings = result.secrets.diagnostics(warnings)
    causes = cast("Causes", LateCauses(compiler, result))
    return Outcome(result, tuple(warnings), causes, sources=tuple(sources))


class LateCauses:
    """The causes of a catalog; what answers for them is loaded with the first question."""

    __slots__ = ("_causes", "_result", "compiler")

    def __init__(self, compiler: Compiler, result: CatalogResult) -> None:
        self.compiler = compiler
        self._result = result
        self._causes: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._causes is None:
            from headwater.langs.puppet.engine.causes import CatalogCauses

            self._causes = CatalogCauses(self.compiler, self._result)
        return getattr(self._causes, name)


def check_job(job: Job) -> list[Diagnostic]:
    """What is wrong with the catalog of a program; all of it only if its inputs are given."""
    if job.engine == "paper":
        return []
    outcome = compile_job(job)
    if isinstance(outcome.causes, LateCauses):
        from headwater.langs.puppet.engine.cycles import dependency_cycles

        return dependency_cycles(outcome.causes.compiler)
    if any(job.inputs.get(name) for name in _TELLING):
        return [d for d in outcome.diagnostics if d.is_error]
    return [d for d in outcome.errors if d.code == codes.MISSING_RESOURCE.name]


def lookup_job(job: Job, key: str, merge: str | None) -> LookedUp | tuple[Diagnostic, ...]:
    """The value of a key of Hiera: for the facts alone, or as a program that is given sees it."""
    start = _NO_MANIFEST.span(0, 0)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        inputs = read_inputs(job.inputs)
        if job.sources:
            compiler = Compiler(_site(job), inputs)
            compiler.compile()
        else:
            compiler = Compiler([parsed_unit(_NO_MANIFEST, None, [])], inputs)
            prepare(compiler)
        from headwater.langs.puppet.hiera.explain import explain

        return explain(compiler, key, merge)
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
    finally:
        sys.setrecursionlimit(limit)


def _refused(compiler: Compiler | None, errors: list[Diagnostic], sources: list[Source]) -> Outcome:
    warnings = list(compiler.diagnostics) if compiler is not None else []
    secrets = values_of(compiler) if compiler is not None else Secrets()
    found = secrets.diagnostics(in_order([*warnings, *errors]))
    return Outcome(None, tuple(found), sources=tuple(sources))


def _start(job: Job) -> Any:
    return (job.sources or (_NO_MANIFEST,))[0].span(0, 0)


def _site(job: Job) -> list[Unit]:
    """The manifests: the job's texts, with what is put before and after them."""
    sources = list(job.sources) or [_NO_MANIFEST]
    pre, post = job.inputs.get("pre"), job.inputs.get("post")
    if pre:
        sources[0] = Source(sources[0].name, f"{pre}\n{sources[0].text}")
    if post:
        sources[-1] = Source(sources[-1].name, f"{sources[-1].text}\n{post}")
    return [_unit(source) for source in sources]


def _unit(source: Source) -> Unit:
    """A main manifest, which may hold anything, also where it lies in a module."""
    key = (source.name, source.text)
    kept = _SITES.get(key)
    if kept is not None:
        return kept
    unit = parsed_unit(source, None, [])
    if len(_SITES) >= _MOST_SITES:
        _SITES.clear()
    _SITES[key] = unit
    return unit
