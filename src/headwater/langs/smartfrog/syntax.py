"""The abstract syntax of SmartFrog: Definition 2 and Definition 3, written as in Appendix A.

=========== ============================================= ===========================
paper       here                                          written
=========== ============================================= ===========================
SF, B       `Body`                                        ``{ a 1; b 2; }``
A           `Assignment`                                  ``a:b 1;``
P           ``tuple`` of `Reference` and `Body`           ``extends p, { a 1; }``
V           `Literal` `Data` `Vector` `Link` `Extends`
R           `Reference`                                   ``a:b:c``
DR          `Data`                                        ``DATA a:b``
LR          `Link`                                        ``a:b``
Vec         `Vector`                                      ``[true, 1, [0]]``
BV          `Literal` | `Data` | `Vector`
=========== ============================================= ===========================

`Included` is not in the paper's syntax: the statements of a file that stands for them.
`Order` and ``extends merge`` belong to the extended dialect only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.text import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Reference:
    """``a:b:c``: the identifiers of a path, at least one."""

    parts: tuple[str, ...]
    at: Span = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return ":".join(self.parts)


@dataclass(frozen=True, slots=True)
class Literal:
    """``true``, ``42``, ``-1.5e3``, ``"text"``, ``NULL``"""

    value: bool | int | float | str | None
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Data:
    """``DATA a:b``: a reference that is kept, not followed."""

    reference: Reference
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """``[1, "two", [3]]``"""

    items: tuple[BasicValue, ...]
    at: Span = field(default=NOWHERE, compare=False)


BasicValue: TypeAlias = Literal | Data | Vector


@dataclass(frozen=True, slots=True)
class Link:
    """``a:b`` as a value: the value found there is copied."""

    reference: Reference

    @property
    def at(self) -> Span:
        """Where the reference is written."""
        return self.reference.at


@dataclass(frozen=True, slots=True)
class Body:
    """``{ a 1; b 2; }``, or a whole file.  `at` includes the braces."""

    statements: tuple[Statement, ...]
    at: Span = field(default=NOWHERE, compare=False)

    @property
    def inside(self) -> Span:
        """The empty place just after the opening brace."""
        opening = 1 if self.at.text.startswith("{") else 0
        return Span(self.at.source, self.at.start + opening, self.at.start + opening)


Prototype: TypeAlias = Reference | Body


@dataclass(frozen=True, slots=True)
class Extends:
    """``extends p, { a 1; }``.  `at` is the keyword; `merge` is the extended dialect's."""

    prototypes: tuple[Prototype, ...]
    at: Span = field(default=NOWHERE, compare=False)
    merge: bool = False


SfValue: TypeAlias = BasicValue | Link | Extends


@dataclass(frozen=True, slots=True)
class Assignment:
    """``a:b value;``.  `at` is the whole statement."""

    target: Reference
    value: SfValue
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Included:
    """``#include "file"``: the statements of that file.  `at` is the directive."""

    path: str
    body: Body
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Order:
    """``order a < b;``: a constraint of the extended dialect on the order of attributes."""

    first: str
    second: str
    at: Span = field(default=NOWHERE, compare=False)


Statement: TypeAlias = Assignment | Included | Order
