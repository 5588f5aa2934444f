"""A `Row` is a family of programs whose output grows in proportion to n, and a question to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

Program: TypeAlias = str | dict[str, str]
"""The text of a program, or the texts of several files, the first the main one."""


class Row(NamedTuple):
    """A family of programs, and what is asked of them."""

    language: str
    name: str
    make: Callable[[int], Program]
    """The program of size n."""
    ending: str
    verb: str = "compile"
    words: Sequence[str] = ()
    """What follows the file on the command line; ``{n}`` is the size, ``{folder}`` its folder."""
    most: int = 1 << 16
    """The largest n for which there is a program: some have bounds on depth."""
    exit: int = 0
    constant: bool = False
    """Whether the output is the same for every n."""

    def asked(self, verb: str, *words: str, exit: int = 0, constant: bool = False) -> Row:
        """Another question to the same programs."""
        return self._replace(verb=verb, words=(*words, *self.words), exit=exit, constant=constant)


def lines(line: str, count: int) -> str:
    """A line for each number: ``{i}`` is the number, ``{j}`` the one before, ``{k}`` the next."""
    return "".join(
        line.replace("{i}", str(i)).replace("{j}", str(i - 1)).replace("{k}", str(i + 1))
        for i in range(count)
    )


def program(once: str, line: str, end: str = "") -> Callable[[int], str]:
    """What stands once, what stands n times, what stands at the end; ``{n}`` is the size."""
    return lambda n: once.replace("{n}", str(n)) + lines(line, n) + end.replace("{n}", str(n))


def every(rows: Sequence[Row], *questions: tuple[str, ...]) -> Iterator[Row]:
    """The same questions to all of them."""
    for row in rows:
        for verb, *words in questions:
            yield row.asked(verb, *words)
