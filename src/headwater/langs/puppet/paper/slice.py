"""The program slice of a value: the part of the manifest that it depends on.

A statement that holds an input of the value's dependency-provenance stays.  Of the others
those go whose absence leaves the value as it is; that is tried, not guessed, because a
definition or a declaration without literals may be needed too.  Compiled alone, a slice
gives the same value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from headwater.langs.protocol import Job, Outcome
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.paper.adapter import compile_job, with_frame
from headwater.langs.puppet.syntax import Program, ast, parse
from headwater.text import Source
from headwater.tree import Address, NotThere
from headwater.why import depends

MOST_TRIES = 500
"""How often the manifest is compiled again; what is not tried stays."""

GONE = "\x00"
"""Stands for a removed character until the text is tidied."""

Stretch = tuple[int, int]


def slice_of(job: Job[Fields], outcome: Outcome, address: Address) -> str:
    """The slice of the value at an address of a job's outcome; raises `NotThere`."""
    source = with_frame(job)
    plain = replace(
        job, sources=(source,), inputs=msgspec.structs.replace(job.inputs, pre=None, post=None)
    )
    if outcome.result is None or outcome.causes is None:
        raise NotThere((), [])
    value = outcome.result.get(address)
    labels = depends(outcome.causes.trace, outcome.causes.of(address))
    needed = [label.at.start for label in labels if label.at.source.text == source.text]
    parsed = parse(source)
    spare = [
        stretch
        for stretch in statements(parsed.program)
        if not any(stretch[0] <= at < stretch[1] for at in needed)
    ]
    search = Search(plain, address, value)
    search.remove(outermost(spare))
    inner = [s for s in spare if not any(s[0] >= r[0] and s[1] <= r[1] for r in search.removed)]
    search.remove(inner)
    return tidy(search.text(search.removed, blank=GONE))


class Search:
    """Looks for statements that can go."""

    def __init__(self, job: Job[Fields], address: Address, value: object) -> None:
        self.job = job
        self.address = address
        self.value = value
        self.removed: list[Stretch] = []
        self.tries = 0

    def text(self, removed: Sequence[Stretch], blank: str = " ") -> str:
        """The manifest with blanks for what is removed, so that every place stays."""
        text = self.job.source.text
        for start, end in removed:
            empty = "".join(c if c in "\r\n" else blank for c in text[start:end])
            text = text[:start] + empty + text[end:]
        return text

    def same(self, removed: Sequence[Stretch]) -> bool:
        """Whether the value is the same without these."""
        self.tries += 1
        source = Source(self.job.source.name, self.text(removed))
        outcome: Outcome = compile_job(replace(self.job, sources=(source,)))
        if outcome.result is None:
            return False
        try:
            now = outcome.result.get(self.address)
        except NotThere:
            return False
        return repr(now) == repr(self.value)

    def remove(self, stretches: Sequence[Stretch]) -> None:
        """Removes what can go of these: all at once, else half by half."""
        todo = [list(stretches)]
        while todo and self.tries < MOST_TRIES:
            some = todo.pop()
            if not some:
                continue
            if self.same([*self.removed, *some]):
                self.removed += some
            elif len(some) > 1:
                middle = len(some) // 2
                todo += [some[:middle], some[middle:]]


def statements(program: Program) -> Iterator[Stretch]:
    """Every statement of a manifest, outer ones before those in them."""
    todo: list[Sequence[ast.Expr]] = [program.body]
    while todo:
        for node in todo.pop():
            yield node.start, node.end
            match node:
                case ast.ClassDef(body=body) | ast.Define(body=body) | ast.Node(body=body):
                    todo.append(body)
                case (
                    ast.If(then=then, otherwise=otherwise)
                    | ast.Unless(then=then, otherwise=otherwise)
                ):
                    todo.append(then)
                    if not (otherwise and isinstance(otherwise[0], ast.If) and otherwise[0].elsif):
                        todo.append(otherwise)
                case ast.Case(options=options):
                    todo += [option.body for option in options]
                case _:
                    pass


def outermost(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Those that lie in no other."""
    found: list[Stretch] = []
    for start, end in sorted(stretches, key=lambda s: (s[0], -s[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def tidy(text: str) -> str:
    """Without the lines that became empty and the blanks at the ends of the others."""
    text = re.sub(f"(?<=[^\\s{GONE}])[ {GONE}]*{GONE}[ {GONE}]*", " ", text).replace(GONE, " ")
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line) + "\n"
