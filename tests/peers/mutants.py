"""Mutated copies of real manifests: one token deleted, duplicated, swapped or replaced."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headwater.langs.puppet.syntax import epp
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.text import Source

POOL = """
{ } ( ) [ ] , ; : :: => +> -> ~> <- <~ = == != =~ !~ += -= < <= > >= << >> <| |> <<| |>> |
+ - * / % ! ? . @ @@ $ $x $Y $a::b $::z $0 1 0x1F 017 1.5 1e3 08 12ab 'a' "b" "${x}" "${f(1)}"
name a::b ::c A::B File ::D foo-bar _x if elsif else unless case default class define node
function type inherits and or in undef true false attr private include notice fail /re/ @(X) #
/* ' " ~ ^ \\ % <% %> plan each |$x| {}
""".split()  # noqa: SIM905 - as a list it would fill the page


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text, the file it came from and what was done to it."""

    name: str
    text: str
    change: str


def mutants(files: tuple[Path, ...], count: int, seed: int) -> Iterator[Mutant]:
    """So many mutants of files, the same ones for the same seed."""
    chooser = random.Random(seed)
    texts = {}
    while count:
        path = chooser.choice(files)
        if path not in texts:
            texts[path] = path.read_text("utf-8")
        text = texts[path]
        if not 20 < len(text) < 8000:
            continue
        spans = token_spans(path.name, text)
        if len(spans) < 4:
            continue
        count -= 1
        changed, change = mutate(text, spans, chooser)
        yield Mutant(path.name, changed, f"{path.name}: {change}")


def token_spans(name: str, text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text are."""
    lexer = Lexer(Source(name, text))
    if name.endswith(".epp"):
        epp.template(lexer)
    else:
        lexer.manifest()
    return sorted({span for span in lexer.spans if span[0] < span[1]})


def mutate(text: str, spans: list[tuple[int, int]], chooser: random.Random) -> tuple[str, str]:
    """A text with one token changed, and what was done to it."""
    start, end = chooser.choice(spans)
    word = text[start:end]
    match chooser.choice(("delete", "duplicate", "swap", "replace")):
        case "delete":
            return text[:start] + text[end:], f"delete {word!r}"
        case "duplicate":
            between = chooser.choice(("", " "))
            return text[:end] + between + text[start:], f"duplicate {word!r}"
        case "swap":
            index = spans.index((start, end))
            other_start, other_end = spans[index - 1 if index else 1]
            (a, b), (c, d) = sorted([(start, end), (other_start, other_end)])
            if b > c:
                return text[:start] + text[end:], f"delete {word!r}"
            swapped = text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
            return swapped, f"swap {text[a:b]!r} and {text[c:d]!r}"
        case _:
            if chooser.random() < 0.5:
                new = chooser.choice(POOL)
            else:
                other = chooser.choice(spans)
                new = text[other[0] : other[1]]
            return text[:start] + new + text[end:], f"replace {word!r} by {new!r}"
