"""Checking a repository: its files, every node's program, and what only all nodes can tell.

Problems that several nodes have are one problem with the names of the nodes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from headwater.ask.check import check, files_in
from headwater.ask.collector import paused_collector
from headwater.ask.jobs import DEFAULT_TIMEOUT
from headwater.ask.problems import not_read
from headwater.ask.request import BadRequest, Request, inputs_of, prepare
from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.config import BadRepository, under
from headwater.fleet.every import Answered, Every
from headwater.fleet.kept import Kept
from headwater.fleet.owners import Owners
from headwater.fleet.patterns import fits_path
from headwater.fleet.question import Answer, Question
from headwater.fleet.rules import Rule, broken, read_rules
from headwater.fleet.site import Site
from headwater.fleet.told import Sources, Told, told
from headwater.fleet.workers import Interrupted, Pool, interruptible, processors
from headwater.langs.codes import INTERNAL_ERROR, TIMEOUT
from headwater.langs.forgetting import forget
from headwater.langs.repository_codes import REPOSITORY_PATH
from headwater.report import Diagnostic, Note
from headwater.text import Source
from headwater.text.deadline import TimedOut, limited
from headwater.text.digest import sha256
from headwater.text.moment import Seen, at_one_moment
from headwater.text.paths import near
from headwater.text.reading import Unread, files_under, is_file, is_folder, read_bytes


class Problem(msgspec.Struct, frozen=True):
    """A finding, and the nodes that have it; none if it is one of the repository."""

    diagnostic: Diagnostic
    nodes: tuple[str, ...] = ()
    flow: tuple[Note, ...] = ()
    owner: str | None = None
    """Who may change the place, as headwater.toml says."""


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
    rules: Sequence[str] = (),
    processes: int | None = None,
    done: Callable[[str], None] | None = None,
    pool: Pool | None = None,
    kept: Kept | None = None,
) -> Checked:
    """Checks the nodes that words mean, or all of them and the repository itself.

    `rules` are files of rules beside those of the repository.  A `pool` is kept by who checks
    again and again (`pool_for`); with what is `kept`, only nodes are compiled that need it.
    Raises `BadRequest` and `BadRepository`.
    """
    _, unfit = rule_files(site)
    workers = pool_for(site, request, rules, processes) if pool is None else pool
    chosen = site.select(words, request)
    whole = not words
    found: dict[Told, list[str]] = {}
    flows: dict[Told, Told] = {}
    nobody = site.without_nodes()
    for one in (*site.repository.doubts, *unfit, *chosen.skipped, *([nobody] if nobody else ())):
        found.setdefault(told(one), [])
    files: list[str] = []
    results: dict[str, NodeResult] = {}
    stopped: str | None = None
    try:
        with interruptible():
            # Workers begin with the nodes while files and environments are looked at here.
            answers = workers.over(chosen.names) if kept is None and chosen.names else iter(())
            unused: list[Diagnostic] = []
            seen = Seen()
            if whole:
                with at_one_moment(seen):
                    refused: list[Unread] = []
                    files = files_in(_folders(site), site.repository.language, refused)
                    wrong = [
                        *map(not_read, refused),
                        *site.missing_folders(),
                        *_in_files(site, request, files),
                    ]
                    unused += _in_environments(site, request)
                for one in (*wrong, *unused):
                    found.setdefault(told(one), [])
            if kept is None:
                _over_nodes(answers, results, done)
            else:
                asked = Every(site, request, _question(site, rules), kept, processes)
                _over_kept(chosen.names, asked, results, done)
                stopped = asked.stopped
            if whole and stopped is None:
                said = {_place(one) for one in unused}
                with at_one_moment(seen):
                    unasked = [*_unasked(site, request, chosen.names, results)]
                for one in unasked:
                    if _place(one) not in said:
                        found.setdefault(told(one), [])
    except Interrupted:
        stopped = "interrupted"
    except TimedOut:
        stopped = "the time is up"
    finally:
        if pool is None:
            workers.close(wait=stopped is None)
    for name in chosen.names:
        for item in results[name].told if name in results else ():
            alone = msgspec.structs.replace(item, flow=())  # ways may differ from node to node
            found.setdefault(alone, []).append(name)
            flows.setdefault(alone, item)
    not_done = tuple(name for name in chosen.names if name not in results)
    if not_done and stopped is None:
        stopped = "a worker process ended unexpectedly"
    done_nodes = tuple(name for name in chosen.names if name in results)
    owners = Owners(site)
    every = [
        msgspec.structs.replace(one, owner=owners.of(one.diagnostic.at))
        for one in problems(found, flows)
    ]
    return Checked(tuple(every), done_nodes, not_done, len(files), stopped)


def problems(found: dict[Told, list[str]], flows: dict[Told, Told]) -> Iterator[Problem]:
    """By place; what many nodes have comes once, with the way of the first."""
    sources = Sources()
    ordered = sorted(found, key=lambda o: (near(o.at.file), o.at.start, o.code, o.message))
    for one in ordered:
        flow = sources.notes(flows.get(one, one).flow)
        yield Problem(sources.diagnostic(one), tuple(found[one]), flow)


def rule_files(site: Site) -> tuple[list[str], list[Diagnostic]]:
    """The files of rules that headwater.toml names, and patterns that fit none."""
    repository = site.repository
    found: list[str] = []
    unfit: list[Diagnostic] = []
    for number, pattern in enumerate(repository.rules.files or ()):
        hits = _matching(repository.root, pattern)
        if not hits:
            at = repository.text.value(("rules", "files", number))
            unfit.append(
                REPOSITORY_PATH.at(at, name="files", kind="file", path=pattern, severity="warning")
            )
        found += hits
    return list(dict.fromkeys(found)), unfit


def _matching(root: str, pattern: str) -> list[str]:
    """The files below a root that a pattern fits."""
    if not any(sign in pattern for sign in "*?"):
        path = under(root, pattern)
        return [path] if is_file(path) else []
    fixed = pattern[: min(pattern.find(s) for s in "*?" if s in pattern)].rpartition("/")[0]
    start = under(root, fixed)
    if not is_folder(start):
        return []
    return [
        path
        for path in files_under(start, lambda name: name.endswith(".toml"))
        if fits_path([pattern], os.path.relpath(path, root))
    ]


def _folders(site: Site) -> list[str]:
    return list(site.environments.values())


def _in_files(site: Site, request: Request, files: list[str]) -> Iterator[Diagnostic]:
    """What is wrong with the files themselves, whoever uses them."""
    made = replace(request, lang=site.repository.language, inputs=site.settings(request.inputs))
    yield from check(made, files, syntax_only=True)


def pool_for(
    site: Site, request: Request, rules: Sequence[str] = (), processes: int | None = None
) -> Pool:
    """The workers that check nodes.  Raises `BadRepository`."""
    kept = read_rules([*rule_files(site)[0], *rules])

    def work(name: str) -> bytes:
        return body_of(node_result(site, name, request, kept))

    return Pool(work, processors() if processes is None else processes)


def _over_nodes(
    answers: Iterator[tuple[str, bytes]], results: dict[str, NodeResult],
    done: Callable[[str], None] | None,
) -> None:  # fmt: skip
    """Takes what workers say of nodes."""
    decoder = Bodies(NodeResult)
    for name, answer in answers:
        results[name] = decoder.decode(answer)
        if done is not None:
            done(name)


def _question(site: Site, rules: Sequence[str]) -> Question:
    """What is wrong with a node, by the rules that there are."""
    files = [*rule_files(site)[0], *rules]
    kept = read_rules(files)

    def answer(request: Request) -> Answer:
        found = _looked_at(site, request, kept)
        return Answer(found.told, found.compiled, body_of(found))

    texts = tuple(sha256(read_bytes(file)).hexdigest() for file in files)
    return Question("check", answer, (*files, *texts))


def _over_kept(
    names: Sequence[str], every: Every, results: dict[str, NodeResult],
    done: Callable[[str], None] | None,
) -> None:  # fmt: skip
    """The same from what is kept, and compiled where it is not."""
    decoder = Bodies(NodeResult)

    def take(one: Answered) -> None:
        answer = one.answer
        results[one.node] = (
            decoder.decode(answer.body)
            if answer.body
            else NodeResult(answer.told, (), compiled=False, environment="")
        )
        if done is not None:
            done(one.node)

    every.ask(names, take)


def node_result(site: Site, name: str, request: Request, rules: Sequence[Rule] = ()) -> NodeResult:
    """The program of a node, compiled and looked at, whatever happens to it."""
    nowhere = Source(name, "").span(0, 0)
    try:
        with limited(DEFAULT_TIMEOUT), paused_collector():
            return _checked(site, name, request, rules)
    except TimedOut:
        problem = TIMEOUT.at(nowhere, seconds=f"{DEFAULT_TIMEOUT:g}")
    except Exception as error:  # noqa: BLE001 - the other nodes are checked, whatever one does
        problem = INTERNAL_ERROR.at(nowhere, what=f"{type(error).__name__}: {error}")
    return NodeResult((told(problem),), (), False, "")


def _checked(site: Site, name: str, request: Request, rules: Sequence[Rule]) -> NodeResult:
    try:
        one = site.request(request, name)
        return _looked_at(site, one, rules)
    except (BadRepository, BadRequest) as bad:
        return NodeResult((told(site.left_out(name, bad)),), (), False, "")


def _looked_at(site: Site, one: Request, rules: Sequence[Rule]) -> NodeResult:
    prepared = prepare(one)
    environment = str(one.inputs[site.env])
    if isinstance(prepared, list):
        return NodeResult(tuple(map(told, prepared)), (), False, environment)
    checked = site.having.check_node(prepared[1])
    found = [told(d) for d in dict.fromkeys(checked.findings)]
    wrong = broken(rules, site.language, checked.outcome, site.repository.root)
    found += [told(breach.diagnostic, breach.flow) for breach in wrong]
    compiled = checked.outcome.result is not None
    made = NodeResult(tuple(found), tuple(sorted(checked.keys)), compiled, environment)
    forget(checked.outcome)
    return made


def _in_environments(site: Site, request: Request) -> Iterator[Diagnostic]:
    """What is doubtful about environments as a whole."""
    for folder in _folders(site):
        yield from site.having.check_environment(_inside(site, request, folder))


def _unasked(
    site: Site, request: Request, names: Sequence[str], results: dict[str, NodeResult]
) -> Iterator[Diagnostic]:
    """The data of environments that no node asks for, if every node told what it asks for."""
    if not all(name in results and results[name].compiled for name in names):
        return
    for folder in _folders(site):
        own = [one for one in results.values() if one.environment == folder]
        if own:
            keys = {key for one in own for key in one.keys}
            yield from site.having.unasked_data(_inside(site, request, folder), keys)


def _inside(site: Site, request: Request, folder: str) -> msgspec.Struct:
    """The inputs of programs in an environment."""
    inputs = {**site.settings(request.inputs), **request.inputs, site.env: folder}
    made = replace(request, lang=site.repository.language, inputs=inputs)
    return inputs_of(made, site.language)


def _place(one: Diagnostic) -> tuple[str, int]:
    return os.path.abspath(one.at.source.name), one.at.start


__all__ = ["BadRequest", "Checked", "Problem", "check_site"]
