"""What the next level of a language will refuse or change, over the nodes that are given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from headwater.ask.request import Request, UnknownLanguage, find_language, prepare
from headwater.langs import Job
from headwater.langs.codes import unread
from headwater.langs.protocol import Finding, Upgrades
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source, reading

_FACTS = (".json", ".yaml", ".yml")


def upgrade(
    request: Request, named: Sequence[str], nodes: str | None
) -> tuple[list[Finding], list[str]]:
    """The findings of files and folders, and the files that were looked at.

    `nodes` is a folder with the facts of a node in each file, whose name is that of the node.
    """
    language = find_language(replace(request, files=tuple(named[:1])))
    if not isinstance(language, Upgrades):
        raise UnknownLanguage(f"{language.name} has no levels")
    files = _files(named, language)
    texts: list[Source] = []
    found: list[Finding] = []
    for file in files:
        match read_source(file):
            case Source() as source:
                texts.append(source)
            case Unreadable(at=at) as why:
                found.append(Finding(unread(why, file, at)))
    jobs: list[Job] = []
    for one in _requests(request, named, nodes):
        prepared = prepare(one)
        if isinstance(prepared, list):
            found += [Finding(diagnostic) for diagnostic in prepared]
        else:
            jobs.append(prepared[1])
    return [*found, *language.upgrade(texts, jobs)], files


def _files(named: Iterable[str], language: Upgrades) -> list[str]:
    """Files as they are named, and for each folder all under it that may have findings."""
    found: list[str] = []
    for name in named:
        if reading.is_folder(name):
            found += reading.files_under(
                name, lambda n: n.endswith((".pp", ".epp")) or language.beside(n)
            )
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def _requests(request: Request, named: Sequence[str], nodes: str | None) -> list[Request]:
    """Every program with every node: a folder is one program, and so is each file."""
    programs = [replace(request, files=(name,)) for name in named if _is_program(name)]
    if nodes is None:
        return programs
    found: list[Request] = []
    for name in reading.names_in(nodes):
        node, ending = os.path.splitext(name)
        if ending in _FACTS:
            inputs = {"node": node, "facts_file": os.path.join(nodes, name)}
            found += [
                replace(one, inputs={**one.inputs, **inputs, "facts": None}) for one in programs
            ]
    return found


def _is_program(name: str) -> bool:
    return reading.is_folder(name) or name.endswith(".pp")


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
            f"a/{name}", f"b/{name}",
        )  # fmt: skip
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(ended), after


def diagnostics_of(findings: Iterable[Finding]) -> list[Diagnostic]:
    """The findings without their fixes."""
    return [finding.diagnostic for finding in findings]
