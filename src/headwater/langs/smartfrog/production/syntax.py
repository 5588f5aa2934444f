"""The syntax tree of production SmartFrog, straight from the parser.

================ ==================================================
node             written
================ ==================================================
`Block`          ``{ a 1; b 2; }``, or a whole file
`Attribute`      ``[tag] a:b value;``
`Setting`        ``a 1;``, ``a "text";``, ``a b:c;``
`Included`       ``#include "file"``, ``#include? "file"``
`Component`      ``extends DATA p, { a 1; }``
`Reference`      ``LAZY OPTIONAL(1) ROOT:a:HERE b``
`Apply`          ``APPLY { sfFunctionClass "…"; -- 1; }``, ``ASSERT { … }``
`Literal`        ``NULL true 1 2L 1.5f "text" ##text# #HEX#00#``
`Primitives`     ``[| 1, DATA a |]``
`Operation`      ``(a + b)``, ``(! a)``, ``[a, b]``, ``IF … FI``, ``SWITCH … ENDSWITCH``
`ToBeDefined`    ``TBD``
`Variable`       ``VAR``
================ ==================================================
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.smartfrog.production.words import is_word
from headwater.text import NOWHERE, Source, Span, visible
from headwater.text.named import NamedTuple


class Long(int):
    """``12L``"""


class Float(float):
    """``1.5f``: a number of 32 bits."""


def single(value: float) -> Float:
    """The nearest number of 32 bits.  Raises `OverflowError`."""
    return Float(struct.unpack("f", struct.pack("f", value))[0])


class Bytes(str):
    """``#HEX#00FF#``: the digits, in capitals."""


Plain: TypeAlias = "None | bool | int | float | str"


@dataclass(slots=True)
class Part:
    """One part of a reference: ``PARENT``, ``ATTRIB n``, or a word (`kind` is ``""``)."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        if not self.kind:
            return self.name
        if self.kind in ("ROOT", "PARENT", "THIS", "PROCESS"):
            return self.kind
        return f"{self.kind} {quoted(self.name)}"


@dataclass(slots=True)
class Reference:
    """``a:b``, ``LAZY PARENT:a``, ``DATA a``, ``OPTIONAL("x") a``"""

    parts: tuple[Part, ...]
    lazy: bool = False
    data: bool = False
    optional: bool = False
    default: Primitive | None = None
    at: Span = field(default=NOWHERE, compare=False)

    @property
    def path(self) -> str:
        """The parts alone."""
        return ":".join(str(part) for part in self.parts)


@dataclass(slots=True, eq=False)
class Literal:
    """A value as it stands."""

    value: Plain
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Primitives:
    """``[| 1, [| 2 |] |]``"""

    items: tuple[Primitive, ...]
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ToBeDefined:
    """``TBD``"""

    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Variable:
    """``VAR``, for a constraint solver."""

    at: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """``APPLY { … }`` or ``ASSERT { … }`` (`word`)."""

    word: str
    block: Block
    lazy: bool = False
    data: bool = False
    at: Span = field(default=NOWHERE, compare=False)


Primitive: TypeAlias = Literal | Primitives | ToBeDefined | Variable | Reference | Apply


@dataclass(slots=True, eq=False)
class Operation:
    """A function in the clothes of an operator: `function` is its class, `args` are named or not.

    `at` is what stands for the operation: the operator itself, ``[`` or ``IF``.
    """

    function: str
    args: tuple[tuple[str, Value], ...]
    block: Block | None = None
    at: Span = field(default=NOWHERE, compare=False)


@dataclass(slots=True, eq=False)
class Component:
    """``extends a, { … }``; not `eager` after ``DATA`` or ``LAZY``.  `at` is the keyword."""

    prototypes: tuple[Reference | Block, ...]
    eager: bool = True
    at: Span = field(default=NOWHERE, compare=False)


Value: TypeAlias = Primitive | Operation | Component


@dataclass(slots=True, eq=False)
class Attribute:
    """``[tag] a:b value``; `parts` is empty for ``--``.  `name_at` is the left side."""

    parts: tuple[str, ...]
    value: Value
    tags: tuple[tuple[str, Span], ...] = ()
    name_at: Span = field(default=NOWHERE, compare=False)
    at: Span = field(default=NOWHERE, compare=False)


class Setting(NamedTuple):
    """``a value;`` with a plain value or link: an attribute in few words.

    The name is a path if it is to be placed.  Its places are offsets; there are so many of them
    that two spans each would be felt.
    """

    name: str | tuple[str, ...]
    value: Plain | Reference
    source: Source
    start: int
    name_end: int
    value_start: int
    value_end: int

    @property
    def name_at(self) -> Span:
        """The left side."""
        return Span(self.source, self.start, self.name_end)

    @property
    def value_at(self) -> Span:
        """The right side."""
        return Span(self.source, self.value_start, self.value_end)


@dataclass(slots=True, eq=False)
class Included:
    """The attributes of another file."""

    path: str
    block: Block
    at: Span = field(default=NOWHERE, compare=False)


Item: TypeAlias = "Attribute | Setting | Included"


@dataclass(slots=True, eq=False)
class Block:
    """A list of attributes.  `at` includes the braces."""

    items: tuple[Item, ...]
    at: Span = field(default=NOWHERE, compare=False)

    @property
    def inside(self) -> Span:
        """The empty place just after the opening brace."""
        source, start, _ = self.at
        if source.text.startswith("{", start):
            start += 1
        return tuple.__new__(Span, (source, start, start))


_ESCAPES = {"\n": "\\n", "\t": "\\t", "\b": "\\b", "\r": "\\r", "\f": "\\f", '"': '\\"',
            "\\": "\\\\"}  # fmt: skip


def string_text(text: str) -> str:
    """A string as it is written in SmartFrog."""
    return '"' + visible("".join(_ESCAPES.get(c, c) for c in text)) + '"'


def quoted(name: str) -> str:
    """A name as a reference part writes it: bare if it is a word."""
    return name if is_word(name) else string_text(name)
