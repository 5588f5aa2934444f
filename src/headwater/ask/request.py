"""A `Request` is what a user wants worked on: files or texts, a language, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headwater.langs import LANGUAGES, Job, Language, Options, language_for, language_named
from headwater.langs.codes import SEVERAL_FILES, unread
from headwater.langs.protocol import EngineName, Gathered, Gathers, ReadsLatin1
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import Unread, is_folder

NO_OPTIONS = Options()


class UnknownLanguage(ValueError):
    """No language or dialect goes by that name or file ending; says which there are."""


@dataclass(frozen=True, slots=True)
class Request:
    """Files (or sources that are read already) and how to compile them."""

    files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    lang: str | None = None
    dialect: str | None = None
    engine: EngineName = "engine"
    inputs: Mapping[str, Any] = field(default_factory=dict)
    options: Options = NO_OPTIONS


def prepare(request: Request) -> tuple[Language, Job] | list[Diagnostic]:
    """The language and its job, or what is wrong with the files.  Raises `UnknownLanguage`."""
    language = find_language(request)
    sources: list[Source] = list(request.sources)
    problems: list[Diagnostic] = []
    latin1 = isinstance(language, ReadsLatin1) and request.dialect in language.latin1_dialects
    folder = _folder(language, request)
    gathered = Gathered(request.files, request.inputs)
    if folder is not None and isinstance(language, Gathers):
        try:
            gathered = language.gather(folder, request.inputs)
        except Unread as why:
            return [unread(why, why.path, why.named_at or Source(why.path, "").span(0, 0))]
    files, inputs = gathered.files, gathered.inputs
    for file in files:
        match read_source(file, latin1=latin1):
            case Source() as source:
                sources.append(source)
            case Unreadable(at=at) as unreadable:
                problems.append(unread(unreadable, file, at))
    if problems:
        return problems
    one_program = language.composes or (folder is not None and request.engine == "engine")
    if len(sources) > 1 and not one_program:
        at = sources[1].span(0, 0)
        return [SEVERAL_FILES.at(at, language=language.name, count=len(sources))]
    if not sources:
        sources.append(Source(folder or "(no file)", ""))
    job = Job(
        tuple(sources),
        inputs,
        request.dialect,
        request.engine,
        request.options,
        gathered.doubts,
    )
    return language, job


def doubts_about(request: Request, folders: Sequence[str]) -> list[Diagnostic]:
    """What is doubtful about folders that are programs, apart from the files in them."""
    found: list[Diagnostic] = []
    for folder in folders:
        for name in LANGUAGES if request.lang is None else [request.lang]:
            language = language_named(name) if name in LANGUAGES else None
            if isinstance(language, Gathers) and language.owns(folder):
                found += language.gather(folder, request.inputs).doubts
    return found


def _folder(language: Language, request: Request) -> str | None:
    """The folder that stands for the program, if one does."""
    if not isinstance(language, Gathers):
        return None
    if not request.files and not request.sources:
        env = request.inputs.get("env")
        return None if env is None else str(env)
    if len(request.files) == 1 and is_folder(request.files[0]):
        return request.files[0]
    return None


def find_language(request: Request) -> Language:
    """The language that is named, or that the first file's ending means."""
    name = request.lang
    if name is None:
        files = [*request.files, *(source.name for source in request.sources)]
        found = [language_for(file) for file in files]
        name = next((entry for entry in found if entry), None)
        folder = files[0] if files else request.inputs.get("env")
        if name is None and isinstance(folder, str) and is_folder(folder):
            name = next((n for n in LANGUAGES if _owns(n, folder)), None)
        if name is None:
            endings = ", ".join(e for entry in LANGUAGES.values() for e in entry.endings)
            shown = files[0] if files else "the text"
            raise UnknownLanguage(f"cannot tell the language of {shown}: it is told by {endings}")
        other = next((entry for entry in found if entry not in (name, None)), None)
        if other is not None:
            one = files[found.index(name)] if name in found else folder
            two = files[found.index(other)]
            raise UnknownLanguage(f"{one} is {name} and {two} is {other}: --lang says which it is")
    if name not in LANGUAGES:
        raise UnknownLanguage(f"no language is called {name}; there are {_listed(LANGUAGES)}")
    language = language_named(name)
    if request.dialect is not None and request.dialect not in language.dialects:
        dialects = _listed(language.dialects)
        raise UnknownLanguage(f"{name} has no dialect {request.dialect}; it has {dialects}")
    return language


def _owns(name: str, folder: str) -> bool:
    language = language_named(name)
    return isinstance(language, Gathers) and language.owns(folder)


def _listed(names: Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(names)
