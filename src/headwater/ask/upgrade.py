"""What the next level of a language will refuse or change, over the nodes that are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from headwater.ask.check import files_in
from headwater.ask.request import BadRequest, Request, find, prepare
from headwater.langs import Job, Language
from headwater.langs.codes import unread
from headwater.langs.protocol import Finding, Gathers, Upgrades
from headwater.langs.repositories import HasNodes, fact_files
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, near, read_source, reading


def upgrade(
    request: Request, named: Sequence[str], nodes: str | None
) -> tuple[list[Finding], list[str]]:
    """The findings of files and folders, and the files that were looked at.

    `nodes` is a folder with the facts of nodes, as a repository has one.
    """
    programs = files_in(named, request.lang)
    if not programs:
        return [], []
    language = find(replace(request, files=tuple(programs[:1])))[0]
    if not isinstance(language, Upgrades):
        raise BadRequest(f"{language.name} has no levels")
    files = _files(named, programs, language)
    texts: list[Source] = []
    found: list[Finding] = []
    for file in files:
        match read_source(file):
            case Source() as source:
                texts.append(source)
            case Unreadable(at=at) as why:
                found.append(Finding(unread(why, file, at)))
    jobs: list[Job[msgspec.Struct]] = []
    of_language = replace(request, lang=language.name)
    for one in _requests(of_language, _programs(named, request.lang, language), nodes, language):
        prepared = prepare(one)
        if isinstance(prepared, list):
            found += [Finding(diagnostic) for diagnostic in prepared]
        else:
            jobs.append(prepared[1])
    return [*found, *language.upgrade(texts, jobs)], files


def _files(named: Iterable[str], programs: list[str], language: Upgrades) -> list[str]:
    """The programs, and for each folder all else under it that may have findings."""
    found = [*programs]
    for name in named:
        if reading.is_folder(name):
            found += reading.files_under(name, language.beside)
    return list(dict.fromkeys(found))


def _programs(named: Iterable[str], lang: str | None, language: Language) -> list[str]:
    """A folder that is a program of its own, and else each file."""
    found: list[str] = []
    for name in named:
        whole = isinstance(language, Gathers) and reading.is_folder(name) and language.owns(name)
        found += [name] if whole else files_in([name], lang)
    return [name for name in found if not name.endswith(".epp")]


def _requests(
    request: Request, programs: list[str], nodes: str | None, language: Language
) -> list[Request]:
    """Every program with every node."""
    every = [replace(request, files=(name,)) for name in programs]
    if nodes is None or not isinstance(language, HasNodes):
        return every
    found = [
        replace(one, inputs={**one.inputs, "node": node, "facts_file": path})
        for name, path in fact_files(nodes)
        for node in language.nodes_named(path) or [name]
        for one in every
    ]
    if not found:
        raise BadRequest(f"there are no facts of any node in {nodes}")
    return found


def diff_of(findings: Iterable[Finding]) -> tuple[str, list[Source]]:
    """The fixes of findings as a unified diff, and the files after them."""
    import difflib

    sources: dict[str, Source] = {}
    edits: dict[str, set[tuple[int, int, str]]] = {}
    for finding in findings:
        for edit in finding.fix.edits if finding.fix is not None else ():
            source = edit.at.source
            sources[source.name] = source
            edits.setdefault(source.name, set()).add((edit.at.start, edit.at.end, edit.text))
    lines: list[str] = []
    after: list[Source] = []
    for name in sorted(sources):
        text, before = sources[name].text, len(sources[name].text) + 1
        for start, end, new in sorted(edits[name], reverse=True):
            if end <= before:
                text = text[:start] + new + text[end:]
                before = start
        after.append(Source(name, text, bom=sources[name].bom))
        lines += difflib.unified_diff(
            sources[name].text.splitlines(keepends=True), text.splitlines(keepends=True),
            f"a/{near(name)}", f"b/{near(name)}",
        )  # fmt: skip
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(ended), after


def diagnostics_of(findings: Iterable[Finding]) -> list[Diagnostic]:
    """The findings without their fixes."""
    return [finding.diagnostic for finding in findings]


__all__ = ["Finding", "diagnostics_of", "diff_of", "upgrade"]
