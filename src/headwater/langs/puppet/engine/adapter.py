"""The door of the engine: a job goes in, an outcome comes out."""

from __future__ import annotations

import os
import sys
from typing import Any, cast

from headwater.langs.protocol import Causes, Job, Outcome
from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compiler import Compiler
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.inputs import environment_conf, read_inputs
from headwater.langs.puppet.engine.loader import SyntaxFault, parsed_unit
from headwater.langs.puppet.engine.result import CatalogResult
from headwater.langs.puppet.engine.secrets import Secrets, values_of
from headwater.langs.puppet.fault import Fault, Jump, Problem, illegal
from headwater.langs.puppet.syntax.ast import Program
from headwater.report import Diagnostic, in_order
from headwater.text import Source, Unreadable, read_source

_FRAMES = 60_000
"""Python frames that deeply nested programs may need; the bounds on calls come first."""

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
        unit = _site(job, inputs.modulepath)
        compiler = Compiler(unit, inputs)
        catalog = compiler.compile()
        secrets = values_of(compiler)
        result = CatalogResult(
            catalog, inputs.node, inputs.environment, inputs.keep_virtual, secrets
        )
    except SyntaxFault as fault:
        return _refused(compiler, fault.errors, sources)
    except Fault as fault:
        return _refused(compiler, [fault.diagnostic], sources)
    except Jump as jump:
        return _refused(compiler, [illegal(jump).diagnostic], sources)
    except Problem as problem:
        return _refused(compiler, [problem.at(_start(job)).diagnostic], sources)
    except RecursionError:
        found = codes.TOO_MANY_CALLS.at(_start(job), bound=_FRAMES)
        return _refused(compiler, [found], sources)
    finally:
        sys.setrecursionlimit(limit)
    warnings = tuple(secrets.diagnostics(in_order(compiler.diagnostics)))
    causes = cast("Causes", LateCauses(compiler, result))
    return Outcome(result, warnings, causes, sources=tuple(sources))


class LateCauses:
    """The causes of a catalog; what answers for them is loaded with the first question."""

    __slots__ = ("_causes", "_compiler", "_result")

    def __init__(self, compiler: Compiler, result: CatalogResult) -> None:
        self._compiler = compiler
        self._result = result
        self._causes: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._causes is None:
            from headwater.langs.puppet.engine.causes import CatalogCauses

            self._causes = CatalogCauses(self._compiler, self._result)
        return getattr(self._causes, name)


def _refused(compiler: Compiler | None, errors: list[Diagnostic], sources: list[Source]) -> Outcome:
    warnings = list(compiler.diagnostics) if compiler is not None else []
    secrets = values_of(compiler) if compiler is not None else Secrets()
    found = secrets.diagnostics(in_order([*warnings, *errors]))
    return Outcome(None, tuple(found), sources=tuple(sources))


def _start(job: Job) -> Any:
    return job.source.span(0, 0)


def _site(job: Job, modulepath: list[str]) -> Unit:
    """The manifest: the job's text, with what is put before and after it."""
    source = job.source
    pre, post = job.inputs.get("pre"), job.inputs.get("post")
    if pre or post:
        text = "\n".join(part for part in (pre, source.text, post) if part is not None)
        source = Source(source.name, text)
    key = (source.name, source.text)
    kept = _SITES.get(key)
    if kept is not None:
        return kept
    unit = parsed_unit(source, None, modulepath)
    if len(_SITES) >= _MOST_SITES:
        _SITES.clear()
    _SITES[key] = unit
    return unit


def environment_manifests(env: str) -> Unit | None:
    """The manifests of an environment as one text: those of its folder, in order of name."""
    written = environment_conf(env).get("manifest", "manifests")
    path = os.path.join(env, written)
    paths = [path]
    if os.path.isdir(path):
        paths = [
            os.path.join(folder, name)
            for folder, _, names in sorted(os.walk(path))
            for name in sorted(names)
            if name.endswith(".pp")
        ]
    body: list[Any] = []
    source: Source | None = None
    for one in paths:
        read = read_source(one)
        if isinstance(read, Unreadable):
            return None
        unit = parsed_unit(read, None, [])
        source = source or unit.source
        body.extend(unit.program.body)
    return None if source is None else Unit(Program(body, source))
