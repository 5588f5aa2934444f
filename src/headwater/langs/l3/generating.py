"""Random L3 programs.

A program is built from a string of bytes, one for each choice.  References mostly go to earlier
labels, so most programs have a meaning; some do not.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.langs import choices

VALUES = ("1", "2", "true", "1.0", '"a"', "none", "[1, true]", '"1"', "false", "0", "[true, 1]")
TAGS = ("default", "final", "p", "q", "r", "s")
PLAIN = ("p", "q", "r", "s")
INNER = ("x", "y", "z")
TOPS = ("a", "b", "c", "d", "e", "f")


@dataclass
class Lit:
    """``1``"""

    text: str


@dataclass
class Undef:
    """``undef``"""


@dataclass
class Tag:
    """``#name``"""

    name: str


@dataclass
class Order:
    """``#hi > #lo``"""

    hi: str
    lo: str
    sign: str = ">"


@dataclass
class Ref:
    """``$a.b``"""

    path: list[str]


@dataclass
class Block:
    """``{ a: 1 }``"""

    items: list[Item] = field(default_factory=list)


@dataclass
class Item:
    """``a: 1``"""

    label: str
    value: Expr


@dataclass
class Join:
    """``a <+> b``"""

    operands: list[Expr]


@dataclass
class Spec:
    """``a +> b``"""

    operands: list[Expr]


@dataclass
class Note:
    """``a #tag``"""

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


class Choices(choices.Choices):
    """Choices with chances in per cent."""

    __slots__ = ()

    def of(self, options: tuple[str, ...] | list[str]) -> str:
        """One of them."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """Yes, in so many cases of a hundred."""
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
