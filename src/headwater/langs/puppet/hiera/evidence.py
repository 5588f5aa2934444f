"""What a look-up leaves behind: where it looked, how it merged and what it read."""

from __future__ import annotations

import msgspec

from headwater.langs.puppet.hiera.data import DataFile


class Tried(msgspec.Struct):
    """One place a key was looked for in."""

    key: str
    layer: str
    level: str
    path: str
    file: DataFile | None
    found: bool


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
    options: list[LookupRecord] = []
    """The look-up of lookup_options, where there are any."""
    unknown: str | None = None
    """What only Ruby could have looked up."""
    encrypted: bool = False
    """Whether anything was decrypted."""

    def secret(self) -> bool:
        """Whether what was found may not be shown."""
        return self.encrypted or any(one.secret() for one in self.inner)
