"""``headwater generate``"""

from __future__ import annotations

from pathlib import Path

import click

from headwater.ask.generate import generate
from headwater.ask.request import UnknownLanguage
from headwater.langs import LANGUAGES


@click.command("generate")
@click.argument("lang")
@click.option("--seed", type=int, default=1, show_default=True, help="where the numbers begin")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="how many")
@click.option("--dialect", help="a dialect of the language")
@click.option("--invalid", is_flag=True, help="programs with mistakes in them")
@click.option("-o", "--output", metavar="DIR", help="write a file each instead of printing them")
def command(
    lang: str, seed: int, count: int, dialect: str | None, invalid: bool, output: str | None
) -> None:
    """Write random programs in the language LANG.

    The same seed gives the same program.  Most of them compile, unless --invalid is given.
    """
    try:
        for number, text in generate(
            lang, seed=seed, count=count, dialect=dialect, invalid=invalid
        ):
            if output is None:
                click.echo(f"// seed {number}\n{text}", nl=False)
                continue
            _write(Path(output), f"{number:06}{LANGUAGES[lang].endings[0]}", text)
    except UnknownLanguage as error:
        raise click.UsageError(str(error)) from None


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write to {folder}: {error.strerror}") from None
