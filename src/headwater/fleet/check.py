"""Checking a repository: its files, every node's program, and what only all nodes can tell.

Problems that several nodes have are one problem with the names of the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import msgspec

from headwater.ask.check import check, files_in
from headwater.ask.compile import paused_collector
from headwater.ask.jobs import DEFAULT_TIMEOUT
from headwater.ask.request import BadRequest, Request, inputs_of, prepare
from headwater.fleet.config import BadRepository
from headwater.fleet.site import Site
from headwater.fleet.told import Sources, Told, told
from headwater.fleet.workers import Interrupted, can_fork, interruptible, over, processors
from headwater.langs.codes import INTERNAL_ERROR, TIMEOUT
from headwater.report import Diagnostic, Note
from headwater.text import Source
from headwater.text.deadline import TimedOut, limited


class Problem(msgspec.Struct, frozen=True):
    """A finding, and the nodes that have it; none if it is one of the repository."""

    diagnostic: Diagnostic
    nodes: tuple[str, ...] = ()
    flow: tuple[Note, ...] = ()


class Checked(msgspec.Struct, frozen=True):
    """What was found, and what was not done."""

    problems: tuple[Problem, ...]
    nodes: tuple[str, ...]
    """The nodes whose programs were compiled, or could not be."""
    not_done: tuple[str, ...] = ()
    files: int = 0
    stopped: str | None = None
    """In words, why the run ended before everything was done."""


class NodeResult(msgspec.Struct, frozen=True, array_like=True):
    """What a worker answers."""

    told: tuple[Told, ...]
    keys: tuple[str, ...]
    compiled: bool
    environment: str


def check_site(
    site: Site,
    words: Sequence[str],
    request: Request,
    *,
    processes: int | None = None,
    done: Callable[[str], None] | None = None,
) -> Checked:
    """Checks the nodes that words mean, or all of them and the repository itself.

    Raises `BadRequest` and `BadRepository`.
    """
    chosen = site.select(words, request)
    whole = not words
    found: dict[Told, list[str]] = {}
    for one in (*site.repository.doubts, *chosen.skipped):
        found.setdefault(told(one), [])
    files: list[str] = []
    results: dict[str, NodeResult] = {}
    stopped: str | None = None
    try:
        with interruptible():
            if whole:
                files = files_in(_folders(site), site.repository.language)
                for one in [*site.missing_folders(), *_in_files(site, request, files)]:
                    found.setdefault(told(one), [])
            _over_nodes(site, chosen.names, request, results, processes, done)
            if whole:
                for one in _in_environments(site, request, chosen.names, results):
                    found.setdefault(told(one), [])
    except Interrupted:
        stopped = "interrupted"
    except TimedOut:
        stopped = "the time is up"
    for name in chosen.names:
        for item in results[name].told if name in results else ():
            found.setdefault(item, []).append(name)
    not_done = tuple(name for name in chosen.names if name not in results)
    if not_done and stopped is None:
        stopped = "a worker process ended unexpectedly"
    return Checked(tuple(_problems(found)), tuple(results), not_done, len(files), stopped)


def _problems(found: dict[Told, list[str]]) -> Iterator[Problem]:
    """By place; what many nodes have comes once."""
    sources = Sources()
    ordered = sorted(found, key=lambda one: (one.at.file, one.at.start, one.code, one.message))
    for one in ordered:
        yield Problem(sources.diagnostic(one), tuple(found[one]), sources.notes(one.flow))


def _folders(site: Site) -> list[str]:
    return list(site.environments.values())


def _in_files(site: Site, request: Request, files: list[str]) -> Iterator[Diagnostic]:
    """What is wrong with the files themselves, whoever uses them."""
    made = replace(request, lang=site.repository.language, inputs=site.settings(request.inputs))
    yield from check(made, files, syntax_only=True)


def _over_nodes(
    site: Site, names: Sequence[str], request: Request, results: dict[str, NodeResult],
    processes: int | None, done: Callable[[str], None] | None,
) -> None:  # fmt: skip
    """Compiles the programs of nodes."""
    decoder = msgspec.msgpack.Decoder(NodeResult)
    count = processors() if processes is None else processes
    answers = over(
        names,
        lambda name: msgspec.msgpack.encode(node_result(site, name, request)),
        processes=count if can_fork() else 1,
    )
    for name, answer in answers:
        results[name] = decoder.decode(answer)
        if done is not None:
            done(name)


def node_result(site: Site, name: str, request: Request) -> NodeResult:
    """The program of a node, compiled and looked at, whatever happens to it."""
    nowhere = Source(name, "").span(0, 0)
    try:
        with limited(DEFAULT_TIMEOUT), paused_collector():
            return _checked(site, name, request)
    except TimedOut:
        problem = TIMEOUT.at(nowhere, seconds=f"{DEFAULT_TIMEOUT:g}")
    except Exception as error:  # noqa: BLE001 - the other nodes are checked, whatever one does
        problem = INTERNAL_ERROR.at(nowhere, what=f"{type(error).__name__}: {error}")
    return NodeResult((told(problem),), (), False, "")


def _checked(site: Site, name: str, request: Request) -> NodeResult:
    try:
        one = site.request(request, name)
        prepared = prepare(one)
    except BadRepository as bad:
        skipped = site.skipped(name, bad.diagnostics)
        return NodeResult((told(skipped),), (), False, "")
    environment = str(one.inputs[site.env])
    if isinstance(prepared, list):
        return NodeResult(tuple(map(told, prepared)), (), False, environment)
    checked = site.having.check_node(prepared[1])
    found = tuple(told(d) for d in dict.fromkeys(checked.findings))
    compiled = checked.outcome.result is not None
    return NodeResult(found, tuple(sorted(checked.keys)), compiled, environment)


def _in_environments(
    site: Site, request: Request, names: Sequence[str], results: dict[str, NodeResult]
) -> Iterator[Diagnostic]:
    """What is doubtful about environments as a whole."""
    complete = bool(names) and all(name in results and results[name].compiled for name in names)
    for folder in _folders(site):
        inputs = {**site.settings(request.inputs), **request.inputs, site.env: folder}
        made = replace(request, lang=site.repository.language, inputs=inputs)
        own = [one for one in results.values() if one.environment == folder]
        keys = {key for one in own for key in one.keys}
        known = keys if complete and own else None
        yield from site.having.check_environment(inputs_of(made, site.language), known)


__all__ = ["BadRequest", "Checked", "Problem", "check_site"]
