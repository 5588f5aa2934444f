"""What a look-up leaves behind: where it looked, how it merged and what it read."""

from __future__ import annotations

from typing import Any

import msgspec

from headwater.langs.puppet.hiera.data import DataFile
from headwater.text import Span


class Tried(msgspec.Struct):
    """One place a key was looked for in."""

    key: str
    layer: str
    level: str
    path: str
    file: DataFile | None
    found: bool


class Beside(msgspec.Struct):
    """What a function of data read beside its arguments."""

    variables: list[str] = []
    """As Hiera names them."""
    lookups: list[LookupRecord] = []
    files: list[tuple[str, str, str | None, Span]] = []
    """Files and other things outside: kind, text, path, and where they were asked for."""
    texts: list[Span] = []
    """The pieces of Ruby that ran."""

    def add(self, other: Beside) -> None:
        """Adds what was read another time."""
        self.variables += [name for name in other.variables if name not in self.variables]
        known = {one.key for one in self.lookups}
        self.lookups += [one for one in other.lookups if one.key not in known]
        self.files += [one for one in other.files if one not in self.files]
        self.texts += [one for one in other.texts if one not in self.texts]


class LookupRecord(msgspec.Struct):
    """A look-up: the key, the places tried in order, the strategy, what was read from scope.

    `empty` are the interpolations that came out empty.
    """

    key: str
    tried: list[Tried] = []
    strategy: str = "first"
    read: list[str] = []
    empty: list[str] = []
    globs: list[str] = []
    """The patterns that levels have for files: a new one that matches is looked in too."""
    keys: list[str] = []
    """The files and environment variables of the keys that something was decrypted with."""
    before: list[LookupRecord] = []
    """The look-ups of other keys that were tried first, in vain."""
    inner: list[LookupRecord] = []
    beside: list[Beside] = []
    """What functions of data read."""
    options: list[LookupRecord] = []
    """The look-up of lookup_options, where there are any."""
    value: Any = None
    """What was found, and made of it."""
    unknown: str | None = None
    """What only Ruby could have looked up."""
    encrypted: bool = False
    """Whether anything was decrypted."""

    def followed(self) -> LookupRecord:
        """The record of a look-up that goes on where this one ended."""
        return msgspec.structs.replace(
            self, tried=[*self.tried], read=[*self.read], empty=[*self.empty],
            globs=[*self.globs], keys=[*self.keys], before=[*self.before], inner=[*self.inner],
            beside=[*self.beside], options=[*self.options],
        )  # fmt: skip

    def secret(self) -> bool:
        """Whether what was found may not be shown."""
        inner = [*self.inner, *(one for read in self.beside for one in read.lookups)]
        return self.encrypted or any(one.secret() for one in inner)
