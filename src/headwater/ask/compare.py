"""Several compilers over the same files: where they agree, differ or fail.

Our own engines are compilers like any other; an outside one is a command line with
``{file}`` in it.  What is compared is the result as data, or the class of the error.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.protocol import EngineName, SharedForm
from headwater.tree import differences, show_address
from headwater.tree.diff import same
from headwater.tree.json import compact

Kind: TypeAlias = Literal["result", "error", "failure"]


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: one of our engines, or a command line."""

    name: str
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a compiler made of a file: a result, a class of error, or nothing of use."""

    kind: Kind
    value: Any


@dataclass(frozen=True, slots=True)
class Row:
    """A file: the answer of the first compiler, and how every other one compares with it."""

    file: str
    answers: dict[str, Answer]
    verdicts: dict[str, tuple[str, str]]

    @property
    def agrees(self) -> bool:
        """Whether all compilers say the same."""
        return all(verdict == "agree" for verdict, _ in self.verdicts.values())


def compare(
    request: Request, files: Sequence[str], compilers: Sequence[Compiler], *, seconds: float
) -> Iterator[Row]:
    """A row for each file; the first compiler is what the others are compared with."""
    ours = all(compiler.command is None for compiler in compilers)
    for file in files:
        answers = {c.name: answer_of(request, file, c, seconds, ours=ours) for c in compilers}
        first = answers[compilers[0].name]
        yield Row(file, answers, {name: verdict(first, a) for name, a in answers.items()})


def answer_of(
    request: Request, file: str, compiler: Compiler, seconds: float, *, ours: bool = False
) -> Answer:
    """What one compiler makes of a file; `ours` if only our own engines are compared."""
    if compiler.command is not None:
        return run(compiler.command, file, seconds)
    engine: EngineName = "paper" if compiler.name == "paper" else "engine"
    compiled = compile_request(replace(request, files=(file,), engine=engine))
    outcome, language = compiled.outcome, compiled.language
    if outcome.result is None:
        first = outcome.errors[0]
        if first.code == BEYOND_PAPER.name:
            return Answer("failure", first.message)
        return Answer("error", first.paper or "syntax error")
    if ours and isinstance(language, SharedForm):
        return Answer("result", language.shared_form(outcome.result))
    return Answer("result", outcome.result.plain())


def run(command: str, file: str, seconds: float) -> Answer:
    """The answer of an outside compiler, within a time limit."""
    words = [word.replace("{file}", file) for word in shlex.split(command)]
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Answer("failure", f"no answer in {seconds:g} s")
    except OSError as error:
        return Answer("failure", f"cannot run {words[0]}: {error.strerror}")
    out = done.stdout.decode("utf-8", "replace").strip()
    errors = done.stderr.decode("utf-8", "replace").strip()
    try:
        return Answer("result", json.loads(out))
    except ValueError:
        pass
    if done.returncode == 0 and out and not errors:
        return Answer("result", " ".join(out.split()))
    return Answer("error", error_class(errors or out))


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


def verdict(first: Answer, other: Answer) -> tuple[str, str]:
    """How an answer compares: agree, differ or fails, and the first difference."""
    if other.kind == "failure":
        return "fails", str(other.value)
    if first.kind == "failure":
        return "fails", f"nothing to compare with: {first.value}"
    if first.kind != other.kind:
        return "differ", f"{shown(first)} against {shown(other)}"
    if first.kind == "error":
        agree = first.value == other.value
        return ("agree", "") if agree else ("differ", f"{first.value} against {other.value}")
    if same(first.value, other.value):
        return "agree", ""
    for change in differences(first.value, other.value):
        where = show_address(change.address)
        if change.kind == "moved":
            return "differ", f"{where}: the order of attributes"
        before, after = (compact(v)[:40] for v in (change.before, change.after))
        what = {"added": after, "removed": before}.get(change.kind, f"{before} against {after}")
        return "differ", f"{where} {change.kind}: {what}"
    return "differ", "the results are not alike"


def shown(answer: Answer) -> str:
    """An answer in a word or two."""
    return "a result" if answer.kind == "result" else str(answer.value)
