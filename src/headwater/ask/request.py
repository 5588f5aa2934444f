"""A `Request` is what a user wants worked on: files or texts, a language, settings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import cast

import msgspec
from msgspec.structs import replace

from headwater.ask.classifier import classified
from headwater.ask.inputs import standing_in
from headwater.langs import LANGUAGES, Job, Language, Options, language_for, language_named
from headwater.langs.abilities import ChecksWhole
from headwater.langs.codes import SEVERAL_FILES, unread
from headwater.langs.fields import WrongField, read_fields
from headwater.langs.protocol import EngineName, Finding, Gathered, Gathers, ReadsLatin1
from headwater.langs.repositories import Unusable
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, read_source
from headwater.text.reading import Unread, exists, is_folder, names_in

NO_OPTIONS = Options()


class BadRequest(ValueError):
    """What is asked for cannot be understood: a language, a dialect, an input; says why."""


class Request(msgspec.Struct, frozen=True):
    """Files (or sources that are read already) and how to compile them."""

    files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    lang: str | None = None
    dialect: str | None = None
    engine: EngineName | None = None
    """By default the first that the dialect has."""
    inputs: Mapping[str, object] = {}
    options: Options = NO_OPTIONS
    texts: Mapping[str, Source] = {}
    """Texts that are read already, by the names that inputs have for them (``-``)."""
    classifier: str | None = None
    """A command that says what the node of the inputs gets; see `classifier`."""

    def classified(self, language: Language) -> Request:
        """The same with what its classifier says among the inputs.  Raises `Unusable`."""
        inputs = classified(self.classifier, self.inputs, language)
        return self if inputs is self.inputs else replace(self, classifier=None, inputs=inputs)


def prepare(request: Request) -> tuple[Language, Job[msgspec.Struct]] | list[Diagnostic]:
    """The language and its job, or what is wrong with the files.  Raises `BadRequest`."""
    language, dialect, engine = find(request)
    try:
        request = request.classified(language)
    except Unusable as why:
        return list(why.diagnostics)
    inputs = inputs_of(request, language)
    sources: list[Source] = list(request.sources)
    problems: list[Diagnostic] = []
    gatherer, in_latin1 = _abilities(cast(Hashable, language))
    latin1 = dialect in in_latin1
    folder = None if gatherer is None else _folder(request)
    gathered = Gathered(request.files, inputs)
    if folder is not None and gatherer is not None:
        try:
            gathered = gatherer.gather(folder, inputs)
        except Unread as why:
            return [unread(why, why.path, why.named_at or Source(why.path, "").span(0, 0))]
    for file in gathered.files:
        if file in request.texts:
            sources.append(request.texts[file])
            continue
        match read_source(file, latin1=latin1):
            case Source() as source:
                sources.append(source)
            case Unreadable(at=at) as unreadable:
                problems.append(unread(unreadable, file, at))
    if problems:
        return problems
    one_program = language.composes or (folder is not None and engine == "engine")
    if len(sources) > 1 and not one_program:
        at = sources[1].span(0, 0)
        return [SEVERAL_FILES.at(at, language=language.name, count=len(sources))]
    if not sources:
        sources.append(Source(folder or "(no file)", ""))
    job = Job(
        tuple(sources),
        gathered.inputs,
        dialect,
        engine,
        request.options,
        gathered.doubts,
        request.texts,
    )
    return language, job


def doubts_about(
    request: Request, folders: Sequence[str], *, whole: bool = True
) -> list[Diagnostic]:
    """What is doubtful about folders that are programs, apart from the files in them.

    `whole`: also what their files together show, such as names that nothing uses.
    """
    return [one.diagnostic for one in findings_about(request, folders, whole=whole)]


def findings_about(
    request: Request, folders: Sequence[str], *, whole: bool = True
) -> list[Finding]:
    """The same, each with a fix if one is safe."""
    found: list[Finding] = []
    for folder in folders:
        for name in LANGUAGES if request.lang is None else [request.lang]:
            language = language_named(name) if name in LANGUAGES else None
            if isinstance(language, Gathers) and language.owns(folder):
                inputs = inputs_of(request, language)
                found += map(Finding, language.gather(folder, inputs).doubts)
                if whole and isinstance(language, ChecksWhole):
                    found += language.whole_findings(folder, inputs)
    return found


@cache  # to see that a language has what a protocol asks for takes longer than to read a job
def _abilities(language: Hashable) -> tuple[Gathers | None, tuple[str, ...]]:
    """A language if it finds the files of a program in a folder; its dialects that are no UTF-8."""
    latin1 = tuple(language.latin1_dialects) if isinstance(language, ReadsLatin1) else ()
    return language if isinstance(language, Gathers) else None, latin1


def _folder(request: Request) -> str | None:
    """The folder that stands for the program, if one does."""
    if not request.files and not request.sources:
        return standing_in(request.inputs)
    if len(request.files) == 1 and is_folder(request.files[0]):
        return request.files[0]
    return None


def inputs_of(request: Request, language: Language) -> msgspec.Struct:
    """The inputs of a language among those of a request.  Raises `BadRequest`."""
    try:
        return read_fields(request.inputs, language.takes.program)
    except WrongField as wrong:
        raise BadRequest(str(wrong)) from None


def find(request: Request) -> tuple[Language, str, EngineName]:
    """The language, dialect and engine that are meant.  Raises `BadRequest`."""
    language = find_language(request)
    known = language.dialects
    dialect = _named_dialect(request) if request.dialect is None else request.dialect
    if dialect is None:
        engine = request.engine or next(iter(known.values()))[0]
        dialect = next((name for name, engines in known.items() if engine in engines), None)
        if dialect is None:
            raise BadRequest(f"{language.name} has no engine {engine}")
        return language, dialect, engine
    if dialect not in known:
        raise BadRequest(f"{language.name} has no dialect {dialect}; it has {_listed(known)}")
    engine = request.engine or known[dialect][0]
    if engine not in known[dialect]:
        only = _listed(known[dialect])
        raise BadRequest(f"the dialect {dialect} has no engine {engine}; it has {only}")
    return language, dialect, engine


def _named_dialect(request: Request) -> str | None:
    """The dialect that is called like a language, if the request has one in that place."""
    named = (entry.named_dialects.get(request.lang or "") for entry in LANGUAGES.values())
    return next(filter(None, named), None)


def find_language(request: Request) -> Language:
    """The language that is named, or that the first file's ending means.

    Raises `BadRequest`, and `Unread` for a file that is not there.
    """
    name = request.lang
    name = next((n for n, entry in LANGUAGES.items() if name in entry.named_dialects), name)
    if name is None:
        files = [*request.files, *(source.name for source in request.sources)]
        found = [language_for(file) for file in files]
        name = next((entry for entry in found if entry), None)
        folder = files[0] if files else standing_in(request.inputs)
        if name is None and isinstance(folder, str) and is_folder(folder):
            name = next((n for n in LANGUAGES if _owns(n, folder)), None) or _of_all_in(folder)
        if name is None and isinstance(folder, str) and not request.sources:
            if not exists(folder):
                raise Unread(folder, "missing", "no such file or directory")
            if is_folder(folder):
                raise BadRequest(f"{folder} is a folder, but not one program: name a file in it")
        if name is None:
            endings = ", ".join(e for entry in LANGUAGES.values() for e in entry.endings)
            shown = files[0] if files else "the text"
            raise BadRequest(f"cannot tell the language of {shown}: it is told by {endings}")
        other = next((entry for entry in found if entry not in (name, None)), None)
        if other is not None:
            one = files[found.index(name)] if name in found else folder
            two = files[found.index(other)]
            raise BadRequest(f"{one} is {name} and {two} is {other}: --lang says which it is")
    if name not in LANGUAGES:
        raise BadRequest(f"no language is called {name}; there are {_listed(LANGUAGES)}")
    return language_named(name)


def _owns(name: str, folder: str) -> bool:
    language = language_named(name)
    return isinstance(language, Gathers) and language.owns(folder)


def _of_all_in(folder: str) -> str | None:
    """The language of all programs that lie in a folder, if there is one and it gathers them."""
    found = {language_for(name) for name in names_in(folder)} - {None}
    name = found.pop() if len(found) == 1 else None
    return name if name and isinstance(language_named(name), Gathers) else None


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(names)


__all__ = [
    "BadRequest",
    "EngineName",
    "Options",
    "Request",
    "doubts_about",
    "find",
    "find_language",
    "findings_about",
    "inputs_of",
    "prepare",
]  # fmt: skip
