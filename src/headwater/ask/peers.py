"""Compilers that are compared: our own engines, and outside ones.

An outside compiler is a command line.  With ``{file}`` in it, it is run for each file and prints
its result, in a format that is named or guessed.  Without, it is started once and answers jobs, a
line of JSON each, as ``headwater compile --jobs -`` does.
"""

from __future__ import annotations

import json
import re
import select
import shlex
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from msgspec.structs import replace

from headwater.ask.compile import compile_request
from headwater.ask.request import Request, find_language
from headwater.langs import Language
from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.protocol import EngineName, ReadsResults, SharedForm
from headwater.text import Source
from headwater.tree import Value
from headwater.tree.result import KeepsSecrets

Kind: TypeAlias = Literal["result", "error", "hang", "crash", "failure"]

FORMATS = ("json", "yaml", "sf", "catalog", "text")
"""What an outside compiler may print."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: one of our engines, or a command line and what it prints."""

    name: str
    command: str | None = None
    reads: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a compiler made of a program.

    A result as data; the class of an error, and its `code` if it has one of ours; or why there is
    no answer: it takes too long (``hang``), it broke (``crash``), it cannot be had (``failure``).
    """

    kind: Kind
    value: Any
    code: str | None = None
    hidden: Callable[[Any], Any] | None = None
    """Gives data back without the secrets of the program."""


class Peer(Protocol):
    """Something that answers programs."""

    def answer(self, source: Source, path: str) -> Answer:
        """What it makes of a program, which stands in a file as well."""
        ...

    def close(self) -> None:
        """Ends what was started."""
        ...


@dataclass(slots=True)
class Ours:
    """One of our own engines.  It works on one program at a time."""

    request: Request
    engine: EngineName
    form: str | None
    lock: threading.Lock
    shared: bool

    def asked(self, source: Source) -> Request:
        """The request; a dialect that the engine does not have is for the others."""
        asked = replace(self.request, files=(), sources=(source,), engine=self.engine)
        if asked.dialect is None:
            return asked
        engines = find_language(asked).dialects.get(asked.dialect, (self.engine,))
        return asked if self.engine in engines else replace(asked, dialect=None)

    def answer(self, source: Source, path: str) -> Answer:
        """The outcome as an answer."""
        with self.lock:
            compiled = compile_request(self.asked(source))
            outcome, language = compiled.outcome, compiled.language
            if outcome.result is None:
                first = outcome.errors[0]
                if first.code == BEYOND_PAPER.name:
                    return Answer("failure", first.message)
                return Answer("error", first.paper or "syntax error", first.code)
            hidden = outcome.result.hidden if isinstance(outcome.result, KeepsSecrets) else None
            plain: Any = outcome.result.plain()
            if self.shared and isinstance(language, SharedForm):
                plain = language.shared_form(outcome.result)
            elif self.form is not None and isinstance(language, ReadsResults):
                plain = language.comparable(plain, self.form)
            return Answer("result", plain, hidden=hidden)

    def close(self) -> None:
        """Nothing was started."""


@dataclass(slots=True)
class Command:
    """A command that is run for each file."""

    command: str
    reads: str | None
    language: Language
    seconds: float

    def answer(self, source: Source, path: str) -> Answer:
        """What it prints."""
        words = [word.replace("{file}", path) for word in shlex.split(self.command)]
        try:
            done = subprocess.run(words, capture_output=True, timeout=self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return Answer("hang", f"no answer in {self.seconds:g} s")
        except OSError as error:
            return Answer("failure", f"cannot run {words[0]}: {error.strerror}")
        out = done.stdout.decode("utf-8", "replace").strip()
        errors = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode < 0:
            return Answer("crash", f"it was ended by signal {-done.returncode}")
        return understood(out, errors, done.returncode, self.reads, self.language)

    def close(self) -> None:
        """Every run has ended."""


def understood(out: str, errors: str, status: int, reads: str | None, language: Language) -> Answer:
    """What a compiler printed, as an answer."""
    if reads is None:
        try:
            return Answer("result", json.loads(out))
        except ValueError:
            pass
    elif status == 0 and out:
        try:
            return Answer("result", read_result(out, reads, language))
        except ValueError as error:
            if not errors:
                return Answer("crash", f"it does not print {reads}: {error}")
    if status == 0 and out and not errors and reads in (None, "text"):
        return Answer("result", " ".join(out.split()))
    if not out and not errors:
        return Answer("crash", f"it said nothing and ended with {status}")
    return Answer("error", error_class(errors or out))


def read_result(text: str, format: str, language: Language) -> Value:
    """A printed result as data.  Raises `ValueError`."""
    match format:
        case "json":
            read: Value = json.loads(text)
            return read
        case "yaml":
            from headwater.tree.yamlvalues import read_yaml

            return read_yaml(text)
        case "text":
            return " ".join(text.split())
    if not isinstance(language, ReadsResults):
        raise ValueError(f"{language.name} has no results in {format}")
    return language.read_result(text, format)


def error_class(text: str) -> str:
    """The paper's name of an error as compilers print it, or its first line."""
    named = re.search(r"\[err(?:or)? ?(\d)\]|\berr(\d)\b", text)
    if named:
        number = named[1] or named[2]
        return "syntax error" if number == "0" else f"err{number}"
    if re.search(r"pars(?:e|ing)|syntax", text, re.IGNORECASE):
        return "syntax error"
    lines = text.splitlines()
    return lines[0][:80] if lines else "no output"


@dataclass(slots=True)
class Stream:
    """A command that is started once and answers jobs."""

    command: str
    request: Request
    language: Language
    seconds: float
    reads: str | None = None
    process: subprocess.Popen[bytes] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, source: Source, path: str) -> Answer:
        """The answer to the program as a job."""
        request = self.request
        job = {
            "code": source.text,
            "filename": path,
            "lang": self.language.name,
            "engine": request.engine or "engine",
            **({"dialect": request.dialect} if request.dialect else {}),
            **request.inputs,
        }
        with self.lock:
            try:
                process = self.process = self.process or self.start()
            except OSError as error:
                return Answer("failure", f"cannot run {self.command}: {error.strerror}")
            line = self.ask(process, json.dumps(job).encode() + b"\n")
            if line is None:
                self.close()
                return Answer("hang", f"no answer in {self.seconds:g} s")
        try:
            told = json.loads(line)
            if told["ok"]:
                result = told["result"]
                if self.reads == "catalog" and isinstance(self.language, ReadsResults):
                    result = self.language.comparable(result, self.reads)
                return Answer("result", result)
            problem = told["error"]
            code = problem.get("code")
            if code == "internal-error":
                return Answer("crash", problem["message"])
            return Answer("error", problem.get("paper") or "syntax error", code)
        except (ValueError, KeyError, TypeError):
            self.close()
            return Answer("crash", "its answer is not one to a job")

    def start(self) -> subprocess.Popen[bytes]:
        """Starts the command."""
        return subprocess.Popen(
            shlex.split(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, process: subprocess.Popen[bytes], line: bytes) -> bytes | None:
        """The line that answers a line; None if it takes too long, nothing if the command ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except OSError:
            return b""
        ready, _, _ = select.select([process.stdout], [], [], self.seconds)
        return process.stdout.readline() if ready else None

    def close(self) -> None:
        """Ends the command; it is started anew if it is needed again."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
