"""What a benchmark is given on its command line: names and options that it knows, and no others."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection


def parser(about: str | None) -> argparse.ArgumentParser:
    """Understands ``--help``, and refuses what nobody knows; `about` is the text of the script."""
    return argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """One of some names; others are refused, and these listed."""

    def name(word: str) -> str:
        if word not in names:
            listed = ", ".join(names)
            raise argparse.ArgumentTypeError(f"{word} is none of {listed}")
        return word

    return name


def nothing(about: str | None) -> None:
    """Refuses whatever is given."""
    parser(about).parse_args()
