"""What some languages can do beside compiling, for how questions are put and answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from headwater.langs.protocol import Finding, Job, Outcome, TextEdit
from headwater.report import Note
from headwater.text import Source, Span
from headwater.tree import Address, Value

if TYPE_CHECKING:
    from headwater.why import Label


@runtime_checkable
class ReadsAddresses(Protocol):
    """A language in which an address can be spelt in several ways, or one text spell several."""

    def readings(self, text: str) -> list[Address]:
        """The addresses that a text may spell, the likeliest first; raises `BadAddress`."""
        ...


@runtime_checkable
class NamesParts(Protocol):
    """A language whose files hold parts of a program that people call by names."""

    def part_name(self, job: Job[Any], source: Source) -> str | None:
        """The name of what a file holds (a class, a template), if it has one."""
        ...


@runtime_checkable
class NamesPlaces(Protocol):
    """A language in which people call what stands at a place by a name beside that of its file."""

    def name_at(self, at: Span) -> str | None:
        """The class, the key of data or the like that a place belongs to, if there is one."""
        ...


class Absence(msgspec.Struct, frozen=True):
    """Why something is not there: in words, and the places from the reason to what it keeps back.

    `guessed`: the last place computes a name, and may mean something else.
    """

    message: str
    notes: tuple[Note, ...]
    guessed: bool = False


@runtime_checkable
class ExplainsAbsence(Protocol):
    """A language that can tell why its result lacks something."""

    def absent(self, outcome: Outcome, address: Address) -> list[Absence]:
        """The reasons why there is no value at an address; none that is known if it is empty."""
        ...


@runtime_checkable
class ChecksWhole(Protocol):
    """A language in which a folder can have findings that no single file has."""

    def whole_findings(self, folder: str, inputs: Any) -> list[Finding]:  # noqa: ANN401
        """What is likely not meant in a folder that is a program of this language.

        A fix leaves every result as it is that there was.
        """
        ...


@runtime_checkable
class SortsValues(Protocol):
    """A language whose values belong to things of a kind, which belong to parts of a program."""

    def sorted_under(self, outcome: Outcome, address: Address) -> tuple[str, str]:
        """The part of the program and the kind of thing that a value belongs to."""
        ...


@runtime_checkable
class VariesInputs(Protocol):
    """A language that knows how its inputs may be written, taken away, or put where none is."""

    def filling(self, label: Label, value: str) -> TextEdit | None:
        """What gives a missing input a value, which is spelt as JSON."""
        ...

    def removals(self, label: Label) -> Iterable[TextEdit]:
        """What may take an input away, so that what it overrides counts; each must be tried."""
        ...

    def spelt(self, label: Label, value: Value) -> str | None:
        """A value as it is written in the place of an input."""
        ...
