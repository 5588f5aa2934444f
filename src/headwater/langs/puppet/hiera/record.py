"""What a look-up leaves behind: where it looked, how it merged and what it read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.data import DataFile


class Foreign:
    """A value that a file of data can write and Puppet cannot look up, such as ``:symbol``."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class Tried(msgspec.Struct):
    """One place a key was looked for in."""

    key: str
    layer: str
    level: str
    path: str
    file: DataFile | None
    found: bool


class Record(msgspec.Struct):
    """A look-up: the key, the places tried in order, the strategy, what was read from scope.

    `empty` are the interpolations that came out empty.
    """

    key: str
    tried: list[Tried] = []
    strategy: str = "first"
    read: list[str] = []
    empty: list[str] = []
    inner: list[Record] = []
    options: list[Record] = []
    """The look-up of lookup_options, where there are any."""
    unknown: str | None = None
    """What only Ruby could have looked up."""
