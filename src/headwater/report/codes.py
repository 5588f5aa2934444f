"""A `Code` is one kind of diagnostic: its name, its text and its documentation in one object.

Making a code registers it; `registry` is what ``headwater rule`` prints from and
what the house tests check against the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import msgspec

from headwater.report.diagnostic import Diagnostic, Note
from headwater.text import Span

Severity: TypeAlias = Literal["error", "warning", "note"]

_REGISTRY: dict[str, Code] = {}
_PROMISED: list[Callable[[], None]] = []


def promise(make: Callable[[], None]) -> Callable[[], None]:
    """Notes a function that makes codes; it is called before anybody asks for codes by name."""
    _PROMISED.append(make)
    return make


def _made() -> dict[str, Code]:
    """The codes, with those that were promised."""
    while _PROMISED:
        _PROMISED.pop()()
    return _REGISTRY


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of diagnostic.  `message` is a format string; `paper` is the paper's own name."""

    name: str
    message: str
    what: str
    why: str
    example: str
    fix: str
    paper: str | None = None
    severity: Severity = "error"
    help: str | None = None
    counted: bool = False
    """Whether it is told by how many there are, unless somebody wants to see each."""

    def __post_init__(self) -> None:
        assert self.name not in _REGISTRY, f"code {self.name} is defined twice"
        _REGISTRY[self.name] = self

    def at(
        self,
        span: Span,
        *,
        labels: Iterable[Note] = (),
        help: str | None = None,
        severity: Severity | None = None,
        **fields: object,
    ) -> Diagnostic:
        """A diagnostic of this kind at a place."""
        return Diagnostic(
            code=self.name,
            severity=severity or self.severity,
            message=self.message.format(**fields),
            at=span,
            labels=tuple(labels),
            help=help if help is not None else self.help,
            paper=self.paper,
        )


def registry() -> dict[str, Code]:
    """Every code that has been made or promised, by name."""
    return dict(sorted(_made().items()))


def is_counted(name: str) -> bool:
    """Whether diagnostics of a code are told by how many there are."""
    found = _made().get(name)
    return found is not None and found.counted


def codes_in(*modules: object) -> dict[str, Code]:
    """The codes that are made in modules, by name."""
    found = (value for module in modules for value in vars(module).values())
    return {code.name: code for code in found if isinstance(code, Code)}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name a user may have meant."""
    import difflib

    close = difflib.get_close_matches(name, sorted(set(known) - {name}), n=1, cutoff=0.6)
    return close[0] if close else None
