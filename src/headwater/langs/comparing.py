"""What a language knows of comparing two of its results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, runtime_checkable

from headwater.langs.protocol import Outcome
from headwater.tree import Address, Change, Value


@runtime_checkable
class ComparesResults(Protocol):
    """A language in whose results values may differ and mean the same."""

    def in_form_only(self, change: Change) -> bool:
        """Whether both values mean the same to whoever carries the result out."""
        ...

    def data_format(self, address: Address, result: Value) -> Literal["json", "yaml"] | None:
        """What the text at an address of a result is written in, where that is known."""
        ...

    def files_named(self, outcome: Outcome) -> Mapping[Address, str]:
        """The files that a result names as sources of content, each under a repository's folders.

        Under the address of the value that names it; where several are named, the first that is
        there.
        """
        ...

    def absent_references(self, result: Value) -> Mapping[Address, str]:
        """What a result refers to and does not have, under the address of the reference."""
        ...

    def saved_result(self, text: str) -> Value | None:
        """A result as the language's own tools save it; None if a text holds none."""
        ...
