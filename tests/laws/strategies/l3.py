"""Random L3 programs that can be permuted and edited.

A program is built from a string of bytes, one for each choice, so Hypothesis shrinks it
well and making one is cheap.  References mostly go to earlier labels, so most programs
have a meaning; some do not, and their errors are compared too.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

from headwater.text import Source

VALUES = ("1", "2", "true", "1.0", '"a"', "none", "[1, true]", '"1"', "false", "0", "[true, 1]")
TAGS = ("default", "final", "p", "q", "r", "s")
PLAIN = ("p", "q", "r", "s")
INNER = ("x", "y", "z")
TOPS = ("a", "b", "c", "d", "e", "f")


@dataclass
class Lit:
    text: str


@dataclass
class Undef:
    pass


@dataclass
class Tag:
    name: str


@dataclass
class Order:
    hi: str
    lo: str
    sign: str = ">"


@dataclass
class Ref:
    path: list[str]


@dataclass
class Block:
    items: list[Item] = field(default_factory=list)


@dataclass
class Item:
    label: str
    value: Expr


@dataclass
class Join:
    operands: list[Expr]


@dataclass
class Spec:
    operands: list[Expr]


@dataclass
class Note:
    value: Expr
    notes: list[Tag | Order]


Expr = Lit | Undef | Ref | Block | Join | Spec | Note
Files = list[Block | Note]
"""A file is a block, or a block in braces with annotations."""


@dataclass(frozen=True)
class Site:
    """Where a piece of the program stands in its text; of a member, where its label does."""

    file: int
    start: int
    end: int
    what: object


class Choices:
    """A string of bytes as a source of choices; when it is used up the first is taken."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def below(self, n: int) -> int:
        if self.at >= len(self.data):
            return 0
        self.at += 1
        return self.data[self.at - 1] % n

    def of(self, options: tuple[str, ...] | list[str]) -> str:
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent


def build(choices: Choices) -> Files:
    """A program of one to three files."""
    count = 2 + choices.below(len(TOPS) - 1)
    labels = list(TOPS[:count])
    whole = Block()
    for label in labels:
        whole.items.append(Item(label, _expr(choices, [(labels, label)], 0)))
    files = 1 + (choices.below(6) > 3) + (choices.below(8) > 6)
    made = [Block() for _ in range(files)]
    for item in whole.items:
        made[choices.below(files)].items.append(item)
    if files > 1 and choices.chance(30):
        label = choices.of(labels)
        other = made[choices.below(files)]
        if all(item.label != label for item in other.items):
            other.items.append(Item(label, _expr(choices, [(labels, label)], 1)))
    return [Note(b, _notes(choices)) if choices.chance(15) else b for b in made]


def items(files: Files) -> list[Item]:
    """The members of all files."""
    blocks = [file.value if isinstance(file, Note) else file for file in files]
    return [item for block in blocks if isinstance(block, Block) for item in block.items]


def _notes(choices: Choices) -> list[Tag | Order]:
    notes: list[Tag | Order] = []
    for _ in range(1 + (choices.below(4) == 0)):
        if choices.chance(40):
            notes.append(Order(choices.of(PLAIN), choices.of(PLAIN), choices.of((">", "<"))))
        else:
            notes.append(Tag(choices.of(TAGS)))
    return notes


def _expr(choices: Choices, scope: list[tuple[list[str], str]], depth: int) -> Expr:
    kind = choices.below(12 if depth < 3 else 6)
    expr: Expr
    if kind <= 2:
        expr = Lit(choices.of(VALUES))
    elif kind <= 5:
        expr = _reference(choices, scope)
    elif kind <= 7:
        labels = [label for label in INNER if choices.below(3)] or [INNER[0]]
        if choices.chance(5):
            labels = []
        block = Block()
        for label in labels:
            block.items.append(Item(label, _expr(choices, [*scope, (labels, label)], depth + 1)))
        expr = block
    else:
        operands = [_expr(choices, scope, depth + 1) for _ in range(2 + choices.below(2))]
        expr = Spec(operands) if kind == 11 else Join(operands)
    if choices.chance(35):
        expr = Note(expr, _notes(choices))
    return expr


def _reference(choices: Choices, scope: list[tuple[list[str], str]]) -> Expr:
    """``$name`` of an earlier label, sometimes of anything, sometimes with a projection."""
    if choices.chance(1):
        return Ref([choices.of(INNER + TOPS)])
    seen: set[str] = set()
    allowed: list[str] = []
    for labels, here in reversed(scope):
        allowed += [label for label in labels if label < here and label not in seen]
        seen.update(labels)
    if not allowed:
        return Undef() if choices.chance(30) else Lit(choices.of(VALUES))
    path = [choices.of(allowed)]
    if choices.chance(8):
        path.append(choices.of(INNER))
    return Ref(path)


class Printer:
    """The text of a program, and where its pieces stand."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.texts: list[str] = []

    def program(self, files: Files) -> Printer:
        for number, block in enumerate(files):
            self.number = number
            self.pieces: list[str] = []
            self.size = 0
            if isinstance(block, Note):
                self.expr(block)
            else:
                self.items(block, "\n")
                self.site(block, 0)
            self.texts.append("".join(self.pieces))
        return self

    def put(self, text: str) -> None:
        self.pieces.append(text)
        self.size += len(text)

    def site(self, what: object, start: int) -> None:
        self.sites.append(Site(self.number, start, self.size, what))

    def items(self, block: Block, separator: str) -> None:
        for index, item in enumerate(block.items):
            if index:
                self.put(separator)
            start = self.size
            self.put(item.label)
            self.site(item, start)
            self.put(": ")
            self.expr(item.value)

    def expr(self, expr: Expr) -> None:
        start = self.size
        match expr:
            case Lit(text=text):
                self.put(text)
            case Undef():
                self.put("undef")
            case Ref(path=path):
                self.put("$" + ".".join(path))
            case Block():
                self.put("{ ")
                self.items(expr, ", ")
                self.put(" }")
            case Join(operands=operands) | Spec(operands=operands):
                for index, operand in enumerate(operands):
                    if index:
                        self.put(" <+> " if isinstance(expr, Join) else " +> ")
                    self.wrapped(operand)
            case Note(value=value, notes=notes):
                if isinstance(value, Note):
                    self.expr(value)
                else:
                    self.wrapped(value)
                for note in notes:
                    self.put(" ")
                    self.note(note)
                return
        self.site(expr, start)

    def wrapped(self, expr: Expr) -> None:
        if isinstance(expr, Join | Spec):
            self.put("(")
            self.expr(expr)
            self.put(")")
        else:
            self.expr(expr)

    def note(self, note: Tag | Order) -> None:
        start = self.size
        if isinstance(note, Tag):
            self.put(f"#{note.name}")
        else:
            self.put(f"#{note.hi} {note.sign} #{note.lo}")
        self.site(note, start)


def texts(files: Files) -> list[str]:
    """The text of each file."""
    return Printer().program(files).texts


def sources(files: Files, names: list[str] | None = None) -> tuple[Source, ...]:
    """The files as sources."""
    given = texts(files)
    names = names or [f"f{i}.l3" for i in range(len(given))]
    return tuple(Source(name, text) for name, text in zip(names, given, strict=True))


def shuffled(files: Files, choices: Choices) -> Files:
    """The same program with operands of <+>, labels and files in another order."""
    again = copy.deepcopy(files)
    for block in again:
        for part in walk(block):
            match part:
                case Block(items=items):
                    _shuffle(items, choices)
                case Join(operands=operands):
                    _shuffle(operands, choices)
                case Note(notes=notes):
                    _shuffle(notes, choices)
                case _:
                    pass
    _shuffle(again, choices)
    return again


def _shuffle(items: list, choices: Choices) -> None:  # type: ignore[type-arg]
    for i in range(len(items) - 1, 0, -1):
        j = choices.below(i + 1)
        items[i], items[j] = items[j], items[i]


def walk(root: Expr) -> Iterator[object]:
    """Every piece of an expression."""
    todo: list[object] = [root]
    while todo:
        part = todo.pop()
        yield part
        match part:
            case Block(items=items):
                todo.extend(items)
            case Item(value=value):
                todo.append(value)
            case Join(operands=operands) | Spec(operands=operands):
                todo.extend(operands)
            case Note(value=value, notes=notes):
                todo.append(value)
                todo.extend(notes)
            case _:
                pass


choices = st.binary(min_size=120, max_size=360).map(Choices)
programs = choices.map(build)
