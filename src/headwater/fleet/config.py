"""The file headwater.toml: its sections and keys, read with a diagnostic for each mistake.

A section that is called like a language gives inputs of its programs: the fields that the language
declares with a key, and what it declares for the section alone.  The other sections are the same
for all languages: `Nodes`, `Rules`, `Diff`, and ``[owners]``, which has patterns for keys.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from headwater.ask.languages import Taken, taken
from headwater.fleet.finding import NAME, find_file
from headwater.fleet.sections import DiffSection, NodesSection, RulesSection
from headwater.langs import LANGUAGES, families_of
from headwater.langs.codes import unread
from headwater.langs.fields import Field, expected, fields_of, shown_value
from headwater.langs.repository_codes import (
    REPOSITORY_FILE,
    REPOSITORY_KEY,
    REPOSITORY_PATH,
    REPOSITORY_VALUE,
)
from headwater.report import Diagnostic, in_order, nearest
from headwater.text import Unreadable, read_source
from headwater.text.reading import is_file, is_folder
from headwater.tree.tomltext import BadToml, Path, TomlText, load_toml

COMMON: dict[str, type[msgspec.Struct]] = {
    "nodes": NodesSection, "rules": RulesSection, "diff": DiffSection
}  # fmt: skip
OWNERS = "owners"


class Repository(msgspec.Struct, frozen=True):
    """A repository as its file describes it; paths are as one in this folder would write them."""

    root: str
    text: TomlText
    language: str
    inputs: Mapping[str, object]
    """What its programs are given, whatever the node."""
    section: msgspec.Struct
    """What else the section of the language says."""
    nodes: NodesSection
    rules: RulesSection
    diff: DiffSection
    owners: Mapping[str, str]
    doubts: tuple[Diagnostic, ...] = ()

    def path(self, name: str) -> str:
        """A path of the file, from the current folder."""
        return under(self.root, name)


class BadRepository(ValueError):
    """headwater.toml has mistakes; has the diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = in_order(diagnostics)


def under(root: str, name: str) -> str:
    """A path that is relative to a root, from the current folder."""
    joined = os.path.normpath(os.path.join(root, name))
    return joined if joined != os.curdir else os.curdir


def find_repository(folder: str = os.curdir) -> Repository | None:
    """The repository that a folder is in, if it is in one.  Raises `BadRepository`."""
    path = find_file(folder)
    if path is None:
        return None
    return read_repository(os.path.relpath(path))


def read_repository(path: str) -> Repository:
    """The repository of a file.  Raises `BadRepository`."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise BadRepository([unread(source, path, source.at)])
    try:
        text = load_toml(source)
    except BadToml as error:
        raise BadRepository(
            [REPOSITORY_FILE.at(error.at, file=path, reason=error.message)]
        ) from None
    reader = _Reader(text, os.path.dirname(path) or os.curdir)
    found = reader.read()
    errors = [d for d in reader.problems if d.is_error]
    if errors:
        raise BadRepository(errors)
    return found


def keyed_fields(language: str) -> list[tuple[str, Field]]:
    """The keys that the section of a language may have, each with its field."""
    families = families_of(language)
    keyed = [(f.about.key, f) for f in fields_of(families.program) if f.about.key is not None]
    return [*keyed, *((field.name, field) for field in fields_of(families.section))]


def languages_with_sections() -> list[str]:
    """The languages that headwater.toml may speak of."""
    return [name for name in LANGUAGES if keyed_fields(name)]


def key_table() -> Iterator[tuple[str, Taken]]:
    """Every key with its section, in words, for documentation."""
    for language in languages_with_sections():
        for key, field in keyed_fields(language):
            (one,) = taken([field])
            yield language, msgspec.structs.replace(one, name=key)
    for name, struct in COMMON.items():
        for one in taken(fields_of(struct)):
            yield name, one


class _Reader:
    """One reading of the file, and what is wrong with it."""

    def __init__(self, text: TomlText, root: str) -> None:
        self.text = text
        self.root = root
        self.problems: list[Diagnostic] = []

    def read(self) -> Repository:
        document = self.text.document
        known = [*languages_with_sections(), *COMMON, OWNERS]
        for name in document:
            if name not in known:
                self._unknown("section", name, (name,), known)
        named = [name for name in languages_with_sections() if name in document]
        language = named[0] if named else languages_with_sections()[0]
        for other in named[1:]:
            self._wrong(
                (other,), f"[{other}]", f"left out where there is [{language}]", "a section"
            )
        own = dict(self._section(language, keyed_fields(language)))
        families = families_of(language)
        section = {f.name: own[f.name] for f in fields_of(families.section) if f.name in own}
        inputs = {
            field.name: own[key]
            for key, field in keyed_fields(language)
            if key in own and field.owner is families.program
        }
        common = {
            name: dict(self._section(name, [(f.name, f) for f in fields_of(struct)]))
            for name, struct in COMMON.items()
        }
        return Repository(
            root=self.root,
            text=self.text,
            language=language,
            inputs=inputs,
            section=msgspec.convert(section, families.section),
            nodes=msgspec.convert(common["nodes"], NodesSection),
            rules=msgspec.convert(common["rules"], RulesSection),
            diff=msgspec.convert(common["diff"], DiffSection),
            owners=dict(self._owners()),
            doubts=tuple(d for d in self.problems if not d.is_error),
        )

    def _section(self, name: str, keys: list[tuple[str, Field]]) -> Iterator[tuple[str, Any]]:
        """The keys of a section that are as they should be, paths as they are from here."""
        given = self._table(name)
        known = dict(keys)
        for key, value in given.items():
            path = (name, key)
            field = known.get(key)
            if field is None:
                self._unknown("key", key, path, list(known))
            elif not _fits(field, value) or (field.about.path and value == ""):
                self._wrong(path, key, expected(field.type), shown_value(value))
            elif field.about.path in ("file", "folder"):
                found = under(self.root, value)
                if self._there(path, found, field.about.path):
                    yield key, found
            else:
                yield key, value

    def _table(self, name: str) -> Mapping[str, Any]:
        given = self.text.document.get(name, {})
        if isinstance(given, dict):
            return given
        self._wrong((name,), name, "a section", shown_value(given))
        return {}

    def _there(self, path: Path, found: str, kind: str) -> bool:
        """Whether the file or folder that a key names is there."""
        if is_folder(found) if kind == "folder" else is_file(found):
            return True
        at = self.text.value(path)
        self.problems.append(REPOSITORY_PATH.at(at, name=path[-1], kind=kind, path=found))
        return False

    def _owners(self) -> Iterator[tuple[str, str]]:
        for pattern, owner in self._table(OWNERS).items():
            if isinstance(owner, str) and owner:
                yield pattern, owner
            else:
                path = (OWNERS, pattern)
                self._wrong(path, pattern, "the name of an owner", shown_value(owner))

    def _unknown(self, what: str, name: str, path: Path, known: list[str]) -> None:
        close = nearest(name, known)
        help = f"did you mean {close}?" if close else f"there are {', '.join(known)}"
        self.problems.append(
            REPOSITORY_KEY.at(self.text.key(path), file=NAME, what=what, name=name, help=help)
        )

    def _wrong(self, path: Path, name: str, wanted: str, value: str) -> None:
        at = self.text.value(path)
        self.problems.append(REPOSITORY_VALUE.at(at, name=name, expected=wanted, value=value))


def _fits(field: Field, value: object) -> bool:
    try:
        msgspec.convert({field.name: value}, field.owner)
    except msgspec.ValidationError:
        return False
    return value is not None


__all__ = ["BadRepository", "NodesSection", "Repository", "RulesSection",
           "find_repository", "keyed_fields", "read_repository", "under"]  # fmt: skip
