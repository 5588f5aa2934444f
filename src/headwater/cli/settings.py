"""What a command line says of a program and its inputs, and what commands do with that alike.

Nothing here loads click: a command line may have been read without it (`plain`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.inputs import paths, stand_ins
from headwater.ask.problems import not_read
from headwater.ask.request import BadRequest, EngineName, Options, Request
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable
from headwater.text.reading import Unread
from headwater.text.source import decode_source
from headwater.text.typed import standard_input

if TYPE_CHECKING:
    from headwater.cli.output import Warnings
    from headwater.fleet.site import Site


NO_REPOSITORY = "there is no headwater.toml here or above; `headwater init` writes one"


def misused(message: str) -> Exception:
    """What is wrong with a command line, as click tells it."""
    import click

    return click.UsageError(message)


class Settings(msgspec.Struct, frozen=True):
    """What a command line says about the language, its inputs, and how to report."""

    lang: str | None = None
    dialect: str | None = None
    engine: EngineName | None = None
    include: tuple[str, ...] = ()
    strict: bool = False
    diagnostics: Literal["text", "json"] = "text"
    inputs: Mapping[str, object] = {}
    classifier: str | None = None
    warnings: Warnings = "all"

    def request(self, files: Sequence[str]) -> Request:
        """The request about some files that a command line spells."""
        read = [*files, *paths(self.inputs)]
        if read.count("-") > 1:
            raise misused("standard input can be read once only")
        typed = self.standard_input() if "-" in read else None
        return Request(
            files=tuple(file for file in files if file != "-"),
            sources=(typed,) if typed is not None and "-" in files else (),
            lang=self.lang,
            dialect=self.dialect,
            engine=self.engine,
            inputs=self.inputs,
            options=Options(include=self.include, strict=self.strict),
            texts={} if typed is None else {"-": typed},
            classifier=self.classifier,
        )

    def standard_input(self) -> Source:
        """The text on standard input, for which - stands; if it is none, the program ends."""
        found: Source | Unreadable | Unread
        try:
            found = decode_source("-", standard_input())
        except Unread as why:
            found = why
        if isinstance(found, Source):
            return found
        report([not_read(found, "standard input")], self.diagnostics)
        sys.exit(1)

    def asked(self, words: Sequence[str]) -> Request:
        """The request about files, or about a node of the repository around us.

        With no words it is the node of ``--node``, or the only one.  Mistakes in headwater.toml
        are reported and end the program.
        """
        if not (in_repository() or (words and in_repository(words[0]))):
            if words and self.lang is None and not os.path.lexists(words[0]):
                from headwater.fleet.asking import no_such_word

                if problem := no_such_word(words[0], NO_REPOSITORY):
                    report([problem], self.diagnostics)
                    sys.exit(1)
            return self.request(words)
        request = self.request([word for word in words if word == "-"])
        from headwater.fleet.asking import resolved
        from headwater.fleet.config import BadRepository

        try:
            return resolved(request, words)
        except BadRequest as error:
            raise misused(str(error)) from None
        except BadRepository as bad:
            report(bad.diagnostics, self.diagnostics)
            sys.exit(1)

    def site(self, folder: str = os.curdir) -> Site:
        """The repository around a folder; where there is none, or a bad one, the program ends."""
        from headwater.fleet.config import BadRepository
        from headwater.fleet.site import find_site

        try:
            found = find_site(folder)
        except BadRepository as bad:
            report(bad.diagnostics, self.diagnostics)
            sys.exit(1)
        if found is None:
            raise misused(NO_REPOSITORY)
        return found

    def compiled(self, words: Sequence[str]) -> Compiled:
        """What files, or the program of a node, compile to, if that is a result."""
        return self.compile(self.asked(words))

    def compile(self, request: Request) -> Compiled:
        """A compilation that has a result; anything else is reported and ends the program."""
        try:
            compiled = compile_request(request)
        except BadRequest as error:
            raise misused(str(error)) from None
        report(compiled.diagnostics, self.diagnostics, self.warnings)
        if compiled.outcome.result is None:
            sys.exit(1)
        return compiled

    @property
    def names_a_program(self) -> bool:
        """Whether one of the inputs stands for the program."""
        return any(self.inputs.get(name) for name in stand_ins())


def in_repository(path: str = os.curdir) -> bool:
    """Whether there is a headwater.toml around a file or folder, so that nodes can be asked for."""
    from headwater.fleet.finding import find_file

    return find_file(path) is not None


def report(
    diagnostics: Sequence[Diagnostic], form: str = "text", warnings: Warnings = "all"
) -> None:
    """Writes diagnostics to the error stream."""
    if not diagnostics and form != "json":
        return
    from headwater.cli.output import told
    from headwater.cli.say import say, say_diagnostics

    if form == "json":
        if warnings == "none":
            diagnostics = [d for d in diagnostics if d.is_error]
        document = {"format_version": 1, "diagnostics": [d.as_json() for d in diagnostics]}
        import json

        say(json.dumps(document, ensure_ascii=False), err=True)
        return
    shown, lines = told(diagnostics, warnings)
    if shown:
        say_diagnostics(shown, err=True)
    for line in lines:
        say(line, err=True)
