"""Random programs of a language, for comparing compilers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from headwater.ask.request import BadRequest, Request, find
from headwater.langs.generation import Generates, Generator, Wanted


class BadWish(ValueError):
    """A feature or mistake that the language does not have."""


def generator_of(lang: str, dialect: str | None) -> tuple[str, Generator, str]:
    """The language's name, its generator and the dialect.  Raises `BadRequest`."""
    language, chosen, _ = find(Request(lang=lang, dialect=dialect))
    if not isinstance(language, Generates):
        raise BadRequest(f"there is no generator for {lang}")
    return language.name, language.generator, chosen


def features(lang: str, dialect: str | None = None) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What programs may have or be without, and the mistakes they may have, each in words."""
    _, generator, chosen = generator_of(lang, dialect)
    found = {name: feature.what for name, feature in generator.features(chosen).items()}
    return found, generator.mistakes


def wanted(
    lang: str,
    dialect: str | None,
    *,
    without: Sequence[str] = (),
    only: Sequence[str] | None = None,
    size: int = 5,
    mistake: str | None = None,
) -> Wanted:
    """Which programs are asked for.  Raises `BadWish`."""
    known, mistakes = features(lang, dialect)
    for name in (*without, *(only or ())):
        if name not in known:
            raise BadWish(f"{lang} has no feature {name!r}; it has {', '.join(known)}")
    if mistake not in (None, "any", *mistakes):
        raise BadWish(f"{lang} has no mistake {mistake!r}; it has {', '.join(mistakes)}")
    left_out = set(without)
    if only is not None:
        left_out |= set(known) - set(only)
    return Wanted(frozenset(left_out), size, mistake)


def generate(
    lang: str,
    *,
    seed: int,
    count: int,
    dialect: str | None = None,
    invalid: bool = False,
    wish: Wanted | None = None,
) -> Iterator[tuple[int, str]]:
    """Programs with the seeds they come from.  Raises `BadRequest`."""
    _, generator, chosen = generator_of(lang, dialect)
    wish = wish or Wanted(mistake="any" if invalid else None)
    for number in range(seed, seed + count):
        yield number, generator.program(number, chosen, wish)
