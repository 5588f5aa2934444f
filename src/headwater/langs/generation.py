"""Random programs of a language: what every generator has in common.

A language's generator writes a program from a source of chance and knows its tree.  From that
follow the programs without some features, programs with a mistake in them, and smaller programs.
The same seed gives the same text.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from headwater.langs.pieces import Piece, pieces, smaller

MOST_TRIES = 60
"""How often a program is drawn anew until it is as it was wanted."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Something a program may have: what it is, and whether a node of a tree is it."""

    what: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which programs are wanted: without what, how large (5 is usual), with which mistake."""

    without: frozenset[str] = frozenset()
    size: int = 5
    mistake: str | None = None


ANY = "any"
"""Any mistake."""

MISTAKES = {
    "syntax": "a bracket, a comma or the like is left out",
    "name": "a name is exchanged for one that is not there",
    "missing": "a piece of the program is left out",
}


class Generator(ABC):
    """The generator of a language."""

    simplest: tuple[str, ...] = ("1",)
    """What may stand in the place of most pieces."""
    mistakes: Mapping[str, str] = MISTAKES

    @abstractmethod
    def features(self, dialect: str) -> Mapping[str, Feature]:
        """What programs may have or be without."""

    @abstractmethod
    def write(self, random: Random, dialect: str, wanted: Wanted) -> str:
        """Some program."""

    @abstractmethod
    def tree(self, text: str, dialect: str) -> object:
        """The tree of a text; None if the text is not a program of the language."""

    @abstractmethod
    def compiles(self, text: str, dialect: str) -> bool:
        """Whether a text has a result."""

    def program(self, seed: int, dialect: str, wanted: Wanted) -> str:
        """The program of a seed; if none is found as it was wanted, a piece of the last one."""
        text = ""
        for attempt in range(MOST_TRIES):
            random = Random(f"{dialect} {seed} {attempt}")
            text = self.write(random, dialect, wanted)
            unwanted = self.uses(text, dialect) & wanted.without
            if unwanted:
                text = self.freed(text, dialect, wanted.without)
                unwanted = self.uses(text, dialect) & wanted.without
            if unwanted or not self.compiles(text, dialect):
                continue
            if wanted.mistake is None:
                return text
            spoilt = self.spoilt(text, dialect, random, wanted.mistake)
            if spoilt is not None:
                return spoilt
        return text

    def uses(self, text: str, dialect: str) -> frozenset[str]:
        """The features that a program has."""
        root = self.pieces(text, dialect)
        if root is None:
            return frozenset()
        nodes = [node for piece in root.all() for node in piece.nodes]
        found = self.features(dialect).items()
        return frozenset(name for name, feature in found if any(map(feature.holds, nodes)))

    def pieces(self, text: str, dialect: str) -> Piece | None:
        """The pieces of a program."""
        tree = self.tree(text, dialect)
        return None if tree is None else pieces(tree, len(text))

    def smaller(self, text: str, dialect: str, most: int) -> Iterator[str]:
        """Programs that are shorter, by at most so much, those with much less first."""
        root = self.pieces(text, dialect)
        if root is None:
            return
        seen = {text}
        for made in smaller(text, root, self.simplest):
            if made not in seen and 0 < len(text) - len(made) <= most:
                seen.add(made)
                if self.tree(made, dialect) is not None:
                    yield made

    def freed(self, text: str, dialect: str, without: frozenset[str]) -> str:
        """The program with the pieces that have a feature replaced or left out."""
        unwanted = [self.features(dialect)[name].holds for name in without]
        for _ in range(MOST_TRIES):
            root = self.pieces(text, dialect)
            if root is None:
                return text
            bad = [
                piece
                for piece in root.all()
                if piece is not root and any(h(n) for h in unwanted for n in piece.nodes)
            ]
            if not bad:
                return text
            piece = min(bad, key=lambda p: p.end - p.start)
            before, after = text[: piece.start], text[piece.end :]
            made = [before + simple + after for simple in (*self.simplest, "")]
            fits = (t for t in made if self.tree(t, dialect) is not None)
            text = next(fits, _without_line(text, piece.start))
        return text

    def spoilt(self, text: str, dialect: str, random: Random, kind: str) -> str | None:
        """The program with a mistake of a kind, or None if none could be made."""
        for _ in range(MOST_TRIES):
            chosen = random.choice(sorted(self.mistakes)) if kind == ANY else kind
            made = self.mistaken(text, dialect, random, chosen)
            if made is not None and not self.compiles(made, dialect):
                return made
        return None

    def mistaken(self, text: str, dialect: str, random: Random, kind: str) -> str | None:
        """The program after one change of a kind, which need not be a mistake."""
        match kind:
            case "syntax":
                places = [m.span() for m in re.finditer(r"[][{}(),;:=>]", text)]
                new = ""
            case "name":
                places = [m.span() for m in re.finditer(r"(?<![\w\"'])[a-z]\w*", text)]
                new = "nowhere"
            case _:
                root = self.pieces(text, dialect)
                places = [(p.start, p.end) for p in root.all() if p is not root] if root else []
                new = ""
        if not places:
            return None
        start, end = random.choice(places)
        return text[:start] + new + text[end:]


@runtime_checkable
class Generates(Protocol):
    """A language that random programs can be made in."""

    @property
    def generator(self) -> Generator:
        """Its generator."""
        ...


def _without_line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def kinds(*names: str) -> Callable[[Any], bool]:
    """Whether a node is of one of the classes of these names."""
    return lambda node: type(node).__name__ in names
