"""Rules over provenance: where values may be written, depend on, and be overridden from.

A file of rules is TOML::

    [[rule]]
    values = ["File[/etc/sudoers*].*"]
    only_from = ["site/security/**", "data/security/**"]
    message = "who may become root is decided by security"

``only_from``: every place where the value, its elements and the pieces of its text were written.
``not_from``: everything that the value depends on, what could have been written somewhere and was
not included.  ``not_overridden_by``: where the value that won was written, if it overrode another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from headwater.fleet.config import BadRepository
from headwater.fleet.patterns import fits_address, fits_path
from headwater.langs import Address, Causes, Language, Outcome
from headwater.langs.codes import unread
from headwater.langs.fields import shown_value
from headwater.langs.protocol import Composes
from headwater.langs.repository_codes import (
    REPOSITORY_FILE,
    REPOSITORY_KEY,
    REPOSITORY_VALUE,
    RULE_BROKEN,
)
from headwater.report import Diagnostic, Note, nearest
from headwater.text import Span, Unreadable, read_source
from headwater.tree.tomltext import BadToml, Path, TomlText, load_toml
from headwater.why import Applied, Expression, Given, Label, beaten, depends, expression, origins

CONDITIONS = ("only_from", "not_from", "not_overridden_by")
KEYS = ("values", *CONDITIONS, "message")


class Rule(msgspec.Struct, frozen=True):
    """One rule, and where it stands."""

    at: Span
    values: tuple[str, ...]
    only_from: tuple[str, ...] = ()
    not_from: tuple[str, ...] = ()
    not_overridden_by: tuple[str, ...] = ()
    message: str = ""


class Broken(msgspec.Struct, frozen=True):
    """A value that breaks a rule, and how it came about."""

    diagnostic: Diagnostic
    flow: tuple[Note, ...]


# --- reading --------------------------------------------------------------------------------------


def read_rules(paths: Iterable[str]) -> list[Rule]:
    """The rules of files.  Raises `BadRepository`."""
    found: list[Rule] = []
    problems: list[Diagnostic] = []
    for path in paths:
        source = read_source(path)
        if isinstance(source, Unreadable):
            problems.append(unread(source, path, source.at))
            continue
        try:
            text = load_toml(source)
        except BadToml as error:
            problems.append(REPOSITORY_FILE.at(error.at, file=path, reason=error.message))
            continue
        reader = _Reader(text)
        found += reader.rules()
        problems += reader.problems
    if problems:
        raise BadRepository(problems)
    return found


class _Reader:
    """One reading of a file of rules."""

    def __init__(self, text: TomlText) -> None:
        self.text = text
        self.problems: list[Diagnostic] = []

    def rules(self) -> list[Rule]:
        document = self.text.document
        for name in document:
            if name != "rule":
                self._unknown("section", name, (name,), ["rule"])
        entries = document.get("rule", [])
        if not isinstance(entries, list):
            self._wrong(("rule",), "rule", "a list: write [[rule]]", shown_value(entries))
            return []
        made = [self._rule(number, entry) for number, entry in enumerate(entries)]
        return [rule for rule in made if rule is not None]

    def _rule(self, number: int, entry: object) -> Rule | None:
        path: Path = ("rule", number)
        if not isinstance(entry, dict):
            self._wrong(path, "rule", "a table", shown_value(entry))
            return None
        before = len(self.problems)
        for key, value in entry.items():
            if key not in KEYS:
                self._unknown("key", key, (*path, key), KEYS)
            elif key == "message":
                if not isinstance(value, str):
                    self._wrong((*path, key), key, "text", shown_value(value))
            elif not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
                self._wrong((*path, key), key, "a list of patterns", shown_value(value))
        if len(self.problems) > before:
            return None
        if not entry.get("values"):
            self._wrong(path, "values", "given: which values the rule is about", "nothing")
        elif not any(name in entry for name in CONDITIONS):
            self._wrong(path, "a rule", f"made of {', '.join(CONDITIONS)}", "empty")
        if len(self.problems) > before:
            return None
        fields = {key: tuple(entry[key]) for key in KEYS if key in entry and key != "message"}
        return Rule(self.text.key(path), message=entry.get("message", ""), **fields)

    def _unknown(self, what: str, name: str, path: Path, known: Sequence[str]) -> None:
        close = nearest(name, known)
        help = f"did you mean {close}?" if close else f"there are {', '.join(known)}"
        at, file = self.text.key(path), self.text.source.name
        self.problems.append(REPOSITORY_KEY.at(at, file=file, what=what, name=name, help=help))

    def _wrong(self, path: Path, name: str, wanted: str, value: str) -> None:
        at = self.text.value(path)
        self.problems.append(REPOSITORY_VALUE.at(at, name=name, expected=wanted, value=value))


# --- judging --------------------------------------------------------------------------------------


def broken(
    rules: Sequence[Rule], language: Language, outcome: Outcome, root: str
) -> Iterator[Broken]:
    """The values of a result that break rules; paths of patterns are from the root."""
    result, causes = outcome.result, outcome.causes
    if result is None or causes is None or not rules:
        return
    for address, value in result.walk():
        shown = language.show_address(address)
        for rule in rules:
            if fits_address(rule.values, shown):
                yield from _judged(rule, shown, _Value(causes, address, value), root)


class _Value:
    """A value with all that is in it."""

    def __init__(self, causes: Causes, address: Address, value: object) -> None:
        self.causes = causes
        self.address = address
        self.parts = list(_parts(address, value))

    def written(self) -> Iterator[Label]:
        """Where it was written, with its elements and the pieces of its text."""
        for part in self.parts:
            yield from _written(self.causes, part)

    def depends(self) -> Iterator[Label]:
        """Everything it depends on."""
        for part in self.parts:
            yield from depends(self.causes.trace, self.causes.of(part))

    def winners(self) -> Iterator[Label]:
        """Where it was written, as far as it overrode something."""
        for part in self.parts:
            node = self.causes.of(part)
            if next(iter(beaten(self.causes.trace, node)), None) is not None:
                yield from origins(self.causes.trace, node)


def _parts(address: Address, value: object) -> Iterator[Address]:
    """The addresses of a value and of everything in it."""
    yield address
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _parts((*address, key), inner)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _parts((*address, number), inner)


def _written(causes: Causes, address: Address) -> Iterator[Label]:
    """Where one value was written; of a computed one, where its pieces or operands were."""
    trace, node = causes.trace, causes.of(address)
    found = origins(trace, node)
    if found:
        yield from found
        return
    pieces = causes.segments(address) if isinstance(causes, Composes) else []
    if pieces:
        for piece in pieces:
            yield Label("literal", piece.place, piece.place.text)
            yield from origins(trace, piece.node)
        return
    made = expression(trace, node)
    if made is not None:
        yield from _operands(made)


def _operands(made: Expression) -> Iterator[Label]:
    todo: list[Expression] = [made]
    while todo:
        match todo.pop():
            case Given(label=label):
                yield label
            case Applied(args=args):
                todo.extend(reversed(args))


def _judged(rule: Rule, shown: str, value: _Value, root: str) -> Iterator[Broken]:
    """The conditions of a rule that a value does not keep, each once."""
    checks = (
        (rule.only_from, value.written, False, "is written in {path}"),
        (rule.not_from, value.depends, True, "depends on {path}"),
        (rule.not_overridden_by, value.winners, True, "is overridden in {path}"),
    )
    for patterns, labels, bad, words in checks:
        if not patterns:
            continue
        hits = (
            label
            for label in labels()
            if (path := path_of(label.at, root)) is not None and fits_path(patterns, path) is bad
        )
        first = min(hits, key=lambda label: label.order, default=None)
        if first is not None:
            yield _told(rule, shown, value, first, words.format(path=path_of(first.at, root)))


def path_of(at: Span, root: str) -> str | None:
    """The file of a place from the root; None if it is in no file of the repository."""
    if not at.source.name or (not at.source.text and not os.path.exists(at.source.name)):
        return None
    path = os.path.relpath(os.path.abspath(at.source.name), os.path.abspath(root))
    return None if path.startswith(os.pardir) else path.replace(os.sep, "/")


def _told(rule: Rule, shown: str, value: _Value, first: Label, what: str) -> Broken:
    reason = f": {rule.message}" if rule.message else ""
    labels = [Note("the rule", rule.at)]
    diagnostic = RULE_BROKEN.at(first.at, address=shown, what=what, reason=reason, labels=labels)
    passed = [Note("came through", at) for at in value.causes.path(value.address)]
    return Broken(diagnostic, (Note(what, first.at), *reversed(passed), Note(shown, rule.at)))
