"""What a language offers to the rest of Headwater.

A `Job` goes in; an `Outcome` comes out: a result or diagnostics, and the causes of
every value.  `ask` works with these names only and knows no language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import msgspec

from headwater.report import Code, Diagnostic, Note
from headwater.text import Source, Span, apply_edits
from headwater.text.named import NamedTuple
from headwater.tree import Address, Result, Value

if TYPE_CHECKING:
    from headwater.langs.fields import Families
    from headwater.why import Node, Trace

EngineName: TypeAlias = Literal["engine", "paper"]


class Options(msgspec.Struct, frozen=True):
    """Settings that more than one language has; a language's own are in `Job.inputs`."""

    include: tuple[str, ...] = ()
    strict: bool = False
    rules: bool = False


NO_OPTIONS = Options()


Inputs = TypeVar("Inputs", bound=msgspec.Struct, covariant=True)


class Job(msgspec.Struct, Generic[Inputs], frozen=True):
    """One compilation: sources, the language's own inputs, dialect, engine.

    `doubts` are warnings about the sources that were found before they are compiled.
    """

    sources: tuple[Source, ...]
    inputs: Inputs
    dialect: str | None = None
    engine: EngineName = "engine"
    options: Options = NO_OPTIONS
    doubts: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, Source] = {}
    """Texts that are read already, by the names that inputs have for them (``-``)."""

    @property
    def source(self) -> Source:
        """The only source of a job that has one."""
        return self.sources[0]


class Placement(msgspec.Struct, frozen=True):
    """What decided the place of a value among its siblings: in words, and where it is written."""

    reason: str
    notes: tuple[Note, ...]


class Causes(Protocol):
    """Why the values of a result are what they are."""

    @property
    def trace(self) -> Trace:
        """The trace that the nodes below belong to."""
        ...

    def of(self, address: Address) -> Node:
        """The node of the value at an address of the result."""
        ...

    def output(self) -> Node:
        """What could change the *set* of values."""
        ...

    def position(self, address: Address) -> Placement | None:
        """Why the value stands where it does among its siblings, where order is decided."""
        ...

    def path(self, address: Address) -> tuple[Span, ...]:
        """The definitions and declarations the value came through, outermost first."""
        ...


class Segment(NamedTuple):
    """A piece of a text that was put together: how long it is, the part of a template that wrote
    it, whether that inserted a value there, and how the piece came about."""

    size: int
    place: Span
    inserted: bool
    node: Node


@runtime_checkable
class Composes(Protocol):
    """Causes that can take apart texts which templates wrote."""

    def segments(self, address: Address) -> list[Segment]:
        """The pieces of the text at an address; none if no template wrote it."""
        ...


class Outcome(msgspec.Struct, frozen=True):
    """A result with its causes, or the diagnostics that say why there is none."""

    result: Result | None
    diagnostics: tuple[Diagnostic, ...] = ()
    causes: Causes | None = None
    rules: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that forbid a result."""
        return tuple(d for d in self.diagnostics if d.is_error)


class Step(msgspec.Struct, frozen=True):
    """One application of a rule of the paper."""

    rule: str
    text: str
    at: Span
    depth: int = 0


class Language(Protocol):
    """A language: the object that `ask` talks to."""

    @property
    def name(self) -> str:
        """The name users write after ``--lang``."""
        ...

    @property
    def dialects(self) -> Mapping[str, tuple[EngineName, ...]]:
        """The dialects with their engines, each the default first.

        The default dialect of an engine is the first that has it.
        """
        ...

    @property
    def formats(self) -> tuple[str, ...]:
        """The output formats, the default first."""
        ...

    @property
    def composes(self) -> bool:
        """Whether several sources make one program."""
        ...

    @property
    def comment(self) -> str:
        """What begins a comment that ends with the line."""
        ...

    @property
    def codes(self) -> Mapping[str, Code]:
        """The codes of its diagnostics."""
        ...

    @property
    def takes(self) -> Families:
        """The inputs that only this language has, by family of commands."""
        ...

    def compile(self, job: Job[Any]) -> Outcome:
        """The result of a job, or its diagnostics."""
        ...

    def steps(self, job: Job[Any]) -> Iterator[Step | Diagnostic]:
        """The derivation, rule by rule; a diagnostic where it ends in error."""
        ...

    def check(self, job: Job[Any], *, syntax_only: bool = False) -> Iterable[Diagnostic]:
        """What can be found fault with."""
        ...

    def parse_address(self, text: str) -> Address:
        """The address a user wrote; raises `BadAddress`."""
        ...

    def show_address(self, address: Address) -> str:
        """The usual spelling of an address."""
        ...

    def show_value(self, value: Value) -> str:
        """A value on one line, as people read it."""
        ...


@runtime_checkable
class Slices(Protocol):
    """A language that can tell which part of a program a value depends on."""

    slicing_engine: EngineName
    """The engine whose outcomes can be sliced."""

    def slice(self, job: Job[Any], outcome: Outcome, address: Address) -> str:
        """The part of the program that the value at an address of its outcome depends on.

        Compiled alone it gives the same value.  Raises `NotThere`.
        """
        ...


class Asked(msgspec.Struct, frozen=True):
    """A place that was asked for a key, or could have been.

    `status`: ``found``, ``overridden`` (it has the key, and a place before it wins),
    ``no key``, ``no file``, ``no files`` (a pattern fits none), ``unknown`` (only Ruby can tell).
    `location` is the path as the hierarchy has it, `empty` what came out empty in it.
    """

    layer: str
    level: str
    level_at: Span
    location: str
    path: str | None
    status: str
    at: Span | None = None
    value: Value = None
    empty: tuple[str, ...] = ()

    def now(self, status: str) -> Asked:
        """The same place with another status."""
        return msgspec.structs.replace(self, status=status)


class LookedUp(msgspec.Struct, frozen=True):
    """The value of a key in data beside the program, and all places that decide it.

    `options_at`: where the data say how places are merged; `inner`: look-ups that values asked for.
    """

    key: str
    found: bool
    value: Value
    strategy: str
    options_at: Span | None
    places: tuple[Asked, ...]
    inner: tuple[LookedUp, ...]
    diagnostics: tuple[Diagnostic, ...]

    def without_values(self, mark: Value) -> LookedUp:
        """The same with a mark in the place of every value, for what may not be shown."""
        shown = tuple(
            place if place.value is None else msgspec.structs.replace(place, value=mark)
            for place in self.places
        )
        inner = tuple(one.without_values(mark) for one in self.inner)
        value = mark if self.found else None
        return msgspec.structs.replace(self, value=value, places=shown, inner=inner)


class Gathered(msgspec.Struct, frozen=True):
    """The program that a folder stands for: its files in order, its inputs, doubts about it."""

    files: tuple[str, ...]
    inputs: msgspec.Struct
    doubts: tuple[Diagnostic, ...] = ()


@runtime_checkable
class Gathers(Protocol):
    """A language in which a folder can be a program."""

    def owns(self, folder: str) -> bool:
        """Whether a folder looks like a program of this language."""
        ...

    def gather(self, folder: str, inputs: Any) -> Gathered:  # noqa: ANN401
        """The files of a folder that make one program, and the inputs with them."""
        ...


@runtime_checkable
class LooksUp(Protocol):
    """A language whose programs look up data that lie beside them."""

    def lookup(self, job: Job[Any], key: str, how: Any) -> LookedUp | tuple[Diagnostic, ...]:  # noqa: ANN401
        """The value of a key, or why none can be told."""
        ...


@runtime_checkable
class SharedForm(Protocol):
    """A language whose engine says more in its results than its paper's semantics can."""

    def shared_form(self, result: Result) -> object:
        """The part of a result of either engine that both speak about, as data."""
        ...


@runtime_checkable
class ReadsResults(Protocol):
    """A language whose results other compilers print in a format of its own."""

    def read_result(self, text: str, format: str) -> Value:
        """A printed result as data.  Raises `ValueError`."""
        ...

    def comparable(self, plain: Value, format: str) -> Value:
        """A result of ours, as data, with what other compilers cannot say left out."""
        ...


@runtime_checkable
class ReadsLatin1(Protocol):
    """A language with dialects from before UTF-8, whose files may be Latin-1 (and say so)."""

    @property
    def latin1_dialects(self) -> tuple[str, ...]:
        """Those dialects."""
        ...


class TextEdit(msgspec.Struct, frozen=True):
    """New text for a stretch of a source; an empty stretch is a place to insert it at."""

    at: Span
    text: str


class Suggestion(msgspec.Struct, frozen=True):
    """A change of the sources that has an effect somebody asked for, tried out already."""

    message: str
    edits: tuple[TextEdit, ...]

    def apply(self, sources: Iterable[Source]) -> tuple[Source, ...]:
        """The sources after the change."""
        return tuple(_edited(source, self.edits) for source in sources)


def _edited(source: Source, edits: Iterable[TextEdit]) -> Source:
    own = [(e.at.start, e.at.end, e.text) for e in edits if e.at.source is source]
    if not own:
        return source
    text = apply_edits(source.text, own)
    return Source(source.name, text, bom=source.bom, latin1=source.latin1)


class Finding(msgspec.Struct, frozen=True):
    """A diagnostic, and a change of the sources that mends it, if one is known to be safe."""

    diagnostic: Diagnostic
    fix: Suggestion | None = None


@runtime_checkable
class Upgrades(Protocol):
    """A language with levels, which can say what the next one will refuse or change."""

    def upgrade(self, texts: Sequence[Source], jobs: Sequence[Job[Any]]) -> list[Finding]:
        """The findings in texts and in the programs of jobs; a fix leaves every result as it is."""
        ...

    def beside(self, name: str) -> bool:
        """Whether a file that is no program, of such a name, may have findings too."""
        ...


@runtime_checkable
class Arbitrates(Protocol):
    """A language in which values compete, and which can say what would make one win."""

    def to_win(self, outcome: Outcome, address: Address, value: str) -> Suggestion | Diagnostic:
        """A change that makes the value, as the user wrote it, win at an address of a result."""
        ...


__all__ = ["Address", "Arbitrates", "Asked", "Causes", "EngineName", "Finding",
           "Gathered", "Gathers", "Job", "Language", "LookedUp", "LooksUp", "Options",
           "Outcome", "ReadsLatin1", "Result", "SharedForm", "Slices", "Step", "Suggestion",
           "TextEdit", "Upgrades"]  # fmt: skip
