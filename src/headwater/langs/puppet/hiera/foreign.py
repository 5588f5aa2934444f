"""What data files can write and Puppet cannot look up."""

from __future__ import annotations


class Foreign:
    """A value that a file of data can write and Puppet cannot look up, such as ``:symbol``."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text
