"""Programs in which a literal is unknown, and the same programs with what it might have been."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from headwater.langs.protocol import Outcome
from laws.puppet_edits import WORDS, compiled, edited
from peers.plain import Piece, pieces

UNKNOWN = "law::unknown()"
"""A call of a function that is written in Ruby."""


@cache
def modulepath() -> str:
    """A folder of modules with one function, in Ruby."""
    folder = Path(mkdtemp(prefix="headwater-unknown"))
    path = folder / "law/lib/puppet/functions/law/unknown.rb"
    path.parent.mkdir(parents=True)
    path.write_text(
        "Puppet::Functions.create_function(:'law::unknown') { def unknown; `x`; end }\n"
    )
    return str(folder)


def with_values(text: str, places: dict[tuple[int, int], bool], values: list[str]) -> str:
    """A program whose literals at places are variables of the top, with values for them."""
    names = {place: f"law{index}" for index, place in enumerate(places)}
    new = {p: f"${{::{names[p]}}}" if places[p] else f"$::{names[p]}" for p in places}
    given = " ".join(
        f"${name} = {value}" for name, value in zip(names.values(), values, strict=True)
    )
    return f"{given}\n{edited(text, new)}"


def run(text: str, **inputs: object) -> Outcome:
    """The outcome of a program that may call what is unknown."""
    return compiled(text, modulepath=modulepath(), on_unknown="opaque", **inputs)


def others(random: Random, old: str, inside: bool, count: int) -> Iterator[str]:
    """The literal itself, and some it might have been."""
    words = ("'s'", "'t'", "''") if inside else WORDS
    yield f"'{old}'" if inside else old
    yield from random.sample(words, min(count, len(words)))


def wrong(guessed: Outcome, real: Outcome) -> list[Piece]:
    """What a catalog with guesses tells as known, and is not so in one without."""
    if guessed.result is None or real.result is None:
        return []
    own: Any = guessed.result.plain()
    other: Any = real.result.plain()
    return [piece for piece in pieces(other, own) if piece.wrong]
