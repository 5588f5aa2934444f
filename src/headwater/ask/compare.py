"""Several compilers over the same programs: where they agree, differ, hang or break.

What is compared is the result as data, or the class of the error.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from headwater.ask.peers import Answer, Command, Compiler, Ours, Peer, Stream
from headwater.ask.problems import not_read
from headwater.ask.request import Request, find_language
from headwater.langs import Language
from headwater.text import Source, Unreadable, read_source
from headwater.tree import differences, show_address
from headwater.tree.diff import same
from headwater.tree.json import compact

FAILS = {"hang": "hangs", "crash": "crashes", "failure": "fails"}
"""The verdict about a compiler that has no answer."""
VERDICTS = ("agree", "differ", "hangs", "crashes", "fails")


@dataclass(frozen=True, slots=True)
class Row:
    """A program: every answer, and how each compares with that of the first compiler."""

    file: str
    answers: dict[str, Answer]
    verdicts: dict[str, tuple[str, str]]

    @property
    def agrees(self) -> bool:
        """Whether all compilers say the same."""
        return all(verdict == "agree" for verdict, _ in self.verdicts.values())


@dataclass(slots=True)
class Comparison:
    """Compilers, the first of which is what the others are compared with."""

    request: Request
    compilers: Sequence[Compiler]
    language: Language
    seconds: float = 20.0
    alike: bool = False
    """Whether numbers that are equal are the same, whatever their kind."""
    peers: dict[str, Peer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lock = threading.Lock()
        shared = all(compiler.command is None for compiler in self.compilers)
        form = next((c.reads for c in self.compilers if c.reads == "catalog"), None)
        for compiler in self.compilers:
            command = compiler.command
            if command is None:
                engine: Any = "paper" if compiler.name == "paper" else "engine"
                peer: Peer = Ours(self.request, engine, form, lock, shared)
            elif "{file}" in command:
                peer = Command(command, compiler.reads, self.language, self.seconds)
            else:
                peer = Stream(command, self.request, self.language, self.seconds, compiler.reads)
            self.peers[compiler.name] = peer

    def row(self, source: Source, path: str) -> Row:
        """How the compilers answer a program that stands in a file as well."""
        answers = {name: peer.answer(source, path) for name, peer in self.peers.items()}
        if self.alike:
            answers = {
                name: replace(a, value=numbers_alike(a.value)) if a.kind == "result" else a
                for name, a in answers.items()
            }
        first = answers[self.compilers[0].name]
        hide = [answer.hidden for answer in answers.values() if answer.hidden is not None]
        return Row(path, answers, {name: verdict(first, a, hide) for name, a in answers.items()})

    def rows(self, files: Sequence[str], *, workers: int = 1) -> Iterator[Row]:
        """A row for each file, in order."""
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(self.of_file, files)

    def of_file(self, file: str) -> Row:
        """How the compilers answer a file."""
        source = read_source(Path(file))
        if isinstance(source, Unreadable):
            why = not_read(source, file)
            failure = Answer("failure", f"{why.message} [{why.code}]")
            answers = {compiler.name: failure for compiler in self.compilers}
            return Row(file, answers, dict.fromkeys(answers, ("fails", failure.value)))
        return self.row(source, file)

    def of_text(self, text: str, ending: str) -> Row:
        """How the compilers answer a text, which is in a file of its own for as long."""
        with tempfile.TemporaryDirectory(prefix="headwater-") as folder:
            path = os.path.join(folder, "program" + ending)
            Path(path).write_text(text, encoding="utf-8", newline="")
            return self.row(Source(path, text), path)

    def close(self) -> None:
        """Ends what was started."""
        for peer in self.peers.values():
            peer.close()


def comparison(
    request: Request,
    files: Sequence[str],
    compilers: Sequence[Compiler],
    *,
    seconds: float = 20.0,
    alike: bool = False,
) -> Comparison:
    """A comparison of compilers of the language of some files.  Raises `BadRequest`."""
    language = find_language(structs.replace(request, files=tuple(files[:1])))
    named = structs.replace(request, lang=language.name)
    return Comparison(named, compilers, language, seconds, alike)


def numbers_alike(value: object) -> object:
    """A result in which whole numbers are integers, however they were written."""
    if isinstance(value, dict):
        return {key: numbers_alike(each) for key, each in value.items()}
    if isinstance(value, list):
        return [numbers_alike(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def verdict(
    first: Answer, other: Answer, hide: Sequence[Callable[[Any], Any]] = ()
) -> tuple[str, str]:
    """How an answer compares, and the first difference."""
    word, text = _verdict(first, other, hide)
    for hidden in hide:
        text = hidden(text)
    return word, text


def _verdict(first: Answer, other: Answer, hide: Sequence[Callable[[Any], Any]]) -> tuple[str, str]:
    if other.kind in FAILS:
        return FAILS[other.kind], str(other.value)
    if first.kind in FAILS:
        return "fails", f"nothing to compare with: {first.value}"
    if first.kind != other.kind:
        return "differ", f"{shown(first)} against {shown(other)}"
    if first.kind == "error":
        if first.code is not None and other.code is not None:
            one, two = first.code, other.code
        else:
            one, two = first.value, other.value
        return ("agree", "") if one == two else ("differ", f"{one} against {two}")
    if same(first.value, other.value):
        return "agree", ""
    for change in differences(first.value, other.value):
        where = show_address(change.address)
        if change.kind == "moved":
            return "differ", f"{where}: the order of attributes"
        sides: list[Any] = [change.before, change.after]
        for hidden in hide:
            sides = [hidden(side) for side in sides]
        before, after = (compact(side)[:40] for side in sides)
        what = {"added": after, "removed": before}.get(change.kind, f"{before} against {after}")
        return "differ", f"{where} {change.kind}: {what}"
    return "differ", "the results are not alike"


def shown(answer: Answer) -> str:
    """An answer in a word or two."""
    return "a result" if answer.kind == "result" else str(answer.value)
