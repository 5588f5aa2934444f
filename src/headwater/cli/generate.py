"""``headwater generate``"""

from __future__ import annotations

from pathlib import Path

import click

from headwater.ask.generate import BadWish, features, generate, generator_of, wanted
from headwater.ask.request import BadRequest
from headwater.cli.commands import command as plain_command
from headwater.cli.say import say, say_text
from headwater.langs import LANGUAGES

COMMENTS = {"smartfrog": "//", "l3": "//"}


@plain_command("generate", "headwater generate smartfrog --seed 1 --count 3")
@click.argument("lang")
@click.option("--seed", type=int, default=1, show_default=True, help="where the numbers begin")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="how many")
@click.option("--dialect", help="a dialect of the language")
@click.option("--features", "listing", is_flag=True, help="list what programs may have and stop")
@click.option("--without", metavar="A,B", help="programs that have none of these features")
@click.option("--only", metavar="A,B", help="programs that have no other features than these")
@click.option("--size", type=click.IntRange(1, 20), default=5, show_default=True,
              help="how large programs are")  # fmt: skip
@click.option("--invalid", is_flag=True, help="programs with mistakes in them")
@click.option("--mistake", metavar="KIND", help="programs with a mistake of this kind")
@click.option("-o", "--output", metavar="DIR", help="write a file each instead of printing them")
def command(
    lang: str,
    seed: int,
    count: int,
    dialect: str | None,
    listing: bool,
    without: str | None,
    only: str | None,
    size: int,
    invalid: bool,
    mistake: str | None,
    output: str | None,
) -> None:
    """Write random programs in the language LANG.

    LANG is smartfrog, l3, opal, puppet or mupuppet.  The same seed gives the same program.
    Programs compile, unless --invalid or --mistake is given.
    """
    try:
        if listing:
            show_features(lang, dialect)
            return
        wish = wanted(
            lang,
            dialect,
            without=words(without),
            only=None if only is None else words(only),
            size=size,
            mistake=mistake or ("any" if invalid else None),
        )
        name, _, _ = generator_of(lang, dialect)
        for number, text in generate(lang, seed=seed, count=count, dialect=dialect, wish=wish):
            if output is None:
                say_text(f"{COMMENTS.get(name, '#')} seed {number}\n{text}")
                continue
            _write(Path(output), f"{number:06}{LANGUAGES[name].endings[0]}", text)
    except (BadRequest, BadWish) as error:
        raise click.UsageError(str(error)) from None


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write to {folder}: {error.strerror}") from None


def words(text: str | None) -> list[str]:
    """The words of a list with commas."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def show_features(lang: str, dialect: str | None) -> None:
    """Lists features and mistakes."""
    found, mistakes = features(lang, dialect)
    width = max(map(len, (*found, *mistakes)))
    say("features (--without, --only)")
    for name, what in found.items():
        say(f"  {name:{width}}  {what}")
    say("mistakes (--mistake)")
    for name, what in mistakes.items():
        say(f"  {name:{width}}  {what}")
