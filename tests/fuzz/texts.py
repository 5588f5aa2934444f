"""Texts taken apart into tokens and put together wrong.

A mutation knows tokens, strings, numbers and brackets, and nothing else of a language, so that
it serves them all.  Most mutants differ from a program that is right in one or two places: they
get far into the compiler before anything is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

TOKEN = re.compile(
    r"""\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'
      |\d[\w.]*|[\w:]*\w|<%-?=?|-?%>|[-+*/=~<>!|&@$^%?.]+|.""",
    re.VERBOSE | re.DOTALL,
)
OPENING, CLOSING = "([{", ")]}"

NUMBERS = [
    "0", "-1", "1", "00", "08", "0x", "0xFFFFFFFFFFFFFFFFFF", "1.", "1e", "1e999", "-1e-999", "1.5",
    "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "9" * 25, "9" * 400, "9" * 5000, "0." + "0" * 400 + "1", "١",
]  # fmt: skip

STRINGS = [
    "", "\\", "\0", "\x7f", "\ufeff", "\ud800", "é", "ﬀ", "İ", "\u2028", "😀", "a\nb", "a" * 3000,
    "%s", "%999999999d", "%<a>s", "${", "${x}", "$", "\\u{110000}", "\\ud800", "\\x", "/", "..",
    "/dev/zero", "/dev/full", "a:b", "::", "[", "(?", "(a+)+", "\\1", "*", "true", "null", "nan",
    "=begin", "<%= 1 %>", "<%", "1", "-0", "1e5", "@(X)", "~", "!!x", "&a *a", "- -", "? :",
]  # fmt: skip

Mutation = Callable[[list[str], Random, "Pool"], None]


class Pool:
    """What mutations of one language draw from: its programs as tokens, and all their words."""

    def __init__(self, texts: Sequence[str], wrong: Sequence[str] = ()) -> None:
        self.right = [TOKEN.findall(text) for text in texts]
        """Programs that compile: most mutants come from these."""
        self.programs = [*self.right, *(TOKEN.findall(text) for text in wrong)]
        self.words = sorted({t for tokens in self.programs for t in tokens if not t.isspace()})
        self.alike: dict[str, list[str]] = {}
        for word in self.words:
            self.alike.setdefault(sort_of(word), []).append(word)

    def mutant(self, rng: Random) -> str:
        """A program with a few mutations; half of them leave the syntax as it is, mostly."""
        tokens = list(
            rng.choice(self.right if self.right and rng.random() < 0.8 else self.programs)
        )
        mutations = GENTLE if rng.random() < 0.6 else MUTATIONS
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
            rng.choice(mutations)(tokens, rng, self)
        return "".join(tokens)[:200_000]

    def soup(self, rng: Random) -> str:
        """Words in any order."""
        if not self.words:
            return ""
        glue = rng.choice(["", " ", " ", "\n"])
        words = (rng.choice(self.words) for _ in range(rng.randint(1, 40)))
        return glue.join(odd(rng) if rng.random() < 0.05 else word for word in words)

    def text(self, rng: Random) -> str:
        """A program, a mutant, a soup or a heap of characters."""
        match rng.randrange(20):
            case 0:
                return "".join(rng.choice(self.programs))
            case 1 | 2:
                return self.soup(rng)
            case 3:
                return "".join(chr(rng.choice(_CHARACTERS)) for _ in range(rng.randint(0, 60)))
            case 4:
                one, two = (rng.choice(self.programs) for _ in range(2))
                return "".join(one[: rng.randint(0, len(one))] + two[rng.randint(0, len(two)) :])
            case _:
                return self.mutant(rng)


_CHARACTERS = [*range(128), 0x85, 0xE9, 0x3B1, 0x2028, 0xFEFF, 0x1F600, 0xD800, 0xDFFF]


def odd(rng: Random) -> str:
    """A number or a quoted text that is rarely met."""
    if rng.random() < 0.5:
        return rng.choice(NUMBERS)
    quote = rng.choice(["'", '"'])
    return f"{quote}{rng.choice(STRINGS)}{quote}"


def sort_of(token: str) -> str:
    """What a token may be exchanged for."""
    if token[0] in "'\"":
        return "text"
    if token[0].isdigit():
        return "number"
    if token[0].isalpha() or token[0] in "_$:":
        return "Name" if token[0].isupper() else "name"
    return "sign"


def place(tokens: list[str], rng: Random) -> int:
    """The place of a token that is not blank, if there is one."""
    for _ in range(20):
        at = rng.randrange(len(tokens)) if tokens else 0
        if tokens and not tokens[at].isspace():
            return at
    return 0


def group(tokens: list[str], rng: Random) -> tuple[int, int]:
    """Where a bracketed part begins and ends, or else a few tokens."""
    starts = [i for i, token in enumerate(tokens) if token in OPENING and token]
    if starts:
        start, depth = rng.choice(starts), 0
        for end in range(start, len(tokens)):
            depth += (tokens[end] in OPENING) - (tokens[end] in CLOSING)
            if depth == 0:
                return start, end + 1
    start = place(tokens, rng)
    return start, min(len(tokens), start + rng.randint(1, 8))


def delete(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Leaves a token out."""
    if tokens:
        del tokens[place(tokens, rng)]


def duplicate(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Writes a token twice."""
    at = place(tokens, rng)
    tokens[at:at] = tokens[at : at + 1]


def swap(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Two tokens change places."""
    if tokens:
        one, two = place(tokens, rng), place(tokens, rng)
        tokens[one], tokens[two] = tokens[two], tokens[one]


def replace(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Another word of the language in the place of one."""
    if tokens:
        tokens[place(tokens, rng)] = rng.choice(pool.words)


def insert(tokens: list[str], rng: Random, pool: Pool) -> None:
    """One more word of the language."""
    if not pool.words:
        return
    tokens.insert(place(tokens, rng), f" {rng.choice(pool.words)} ")


def extreme(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A number at the edge, or beyond it."""
    numbers = [i for i, token in enumerate(tokens) if token[:1].isdigit()]
    at = rng.choice(numbers) if numbers else place(tokens, rng)
    tokens[at : at + 1] = [rng.choice(NUMBERS)]


def strange(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A text that is rarely met, in quotes of the language."""
    quoted = [i for i, token in enumerate(tokens) if token[:1] in "'\"" and token]
    at = rng.choice(quoted) if quoted else place(tokens, rng)
    quote = tokens[at][0] if quoted else '"'
    tokens[at : at + 1] = [f"{quote}{rng.choice(STRINGS)}{quote}"]


def nest(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A part inside itself, or inside brackets, again and again."""
    start, end = group(tokens, rng)
    times = rng.choice([2, 2, 5, 5, 40, 40, 150, 600, 3000])
    part = tokens[start:end]
    if rng.random() < 0.4 and len(part) > 2 and len(part) * times < 30_000:
        middle = rng.randint(1, len(part) - 1)
        tokens[start:end] = part[:middle] * times + part[middle:] * times
        return
    which = rng.randrange(3)
    opened, closed = OPENING[which] * times, CLOSING[which] * times
    tokens[start:end] = [opened, *part, closed if rng.random() < 0.8 else ""]


def repeat(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A part many times over."""
    start, end = group(tokens, rng)
    times = rng.choice([2, 3, 10, 100])
    if (end - start) * times < 20_000:
        tokens[start:end] = tokens[start:end] * times


def splice(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A part of another program in the place of one."""
    other = rng.choice(pool.programs)
    start, end = group(tokens, rng)
    first, last = group(other, rng)
    if rng.random() < 0.3:
        end = start
    tokens[start:end] = [" ", *other[first:last], " "]


def truncate(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Ends too early."""
    del tokens[place(tokens, rng) :]


def break_up(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A character in the middle of a token."""
    if tokens:
        at = place(tokens, rng)
        middle = rng.randint(0, len(tokens[at]))
        char = chr(rng.choice(_CHARACTERS))
        tokens[at] = tokens[at][:middle] + char + tokens[at][middle:]


def exchange(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A word in the place of another of its sort."""
    if tokens:
        at = place(tokens, rng)
        if tokens[at].strip():
            tokens[at] = rng.choice(pool.alike.get(sort_of(tokens[at]), pool.words))


def graft(tokens: list[str], rng: Random, pool: Pool) -> None:
    """A bracketed part of another program in the place of one with the same brackets."""
    start, end = group(tokens, rng)
    for _ in range(10):
        other = rng.choice(pool.right or pool.programs)
        first, last = group(other, rng)
        if tokens and other and other[first] == tokens[start]:
            tokens[start:end] = other[first:last]
            return


def lines(tokens: list[str], rng: Random) -> tuple[int, int]:
    """Where one to three whole lines begin and end."""
    ends = [0, *(i + 1 for i, token in enumerate(tokens) if "\n" in token), len(tokens)]
    first = rng.randrange(len(ends) - 1)
    return ends[first], ends[min(first + rng.randint(1, 3), len(ends) - 1)]


def borrow_lines(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Lines of another program between two lines."""
    other = rng.choice(pool.right or pool.programs)
    first, last = lines(other, rng)
    at, _ = lines(tokens, rng)
    tokens[at:at] = [*other[first:last], "\n"]


def move_lines(tokens: list[str], rng: Random, pool: Pool) -> None:
    """Lines in another place, or in two."""
    first, last = lines(tokens, rng)
    part = tokens[first:last]
    if rng.random() < 0.7:
        del tokens[first:last]
    at, _ = lines(tokens, rng)
    tokens[at:at] = part


GENTLE: list[Mutation] = [
    exchange, exchange, exchange, exchange, graft, graft, borrow_lines, borrow_lines, move_lines,
    extreme, strange,
]  # fmt: skip
MUTATIONS: list[Mutation] = [
    delete, duplicate, swap, replace, replace, insert, extreme, strange, nest, repeat, splice,
    splice, truncate, break_up,
]  # fmt: skip
