"""Random specifications of any dialect, most of them valid (§8.2).

A skeleton is drawn first: components, names, values, and places for references.  The
references are chosen among the paths that the skeleton has, then the compiler is run; where
it complains, the statement it complains about is made simpler, until nothing is left to
complain about.  The same seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from headwater.langs.generation import Wanted
from headwater.langs.protocol import Job, Outcome
from headwater.langs.smartfrog.fields import Fields
from headwater.report import Diagnostic
from headwater.text import Source

NAMES = ("a", "b", "c", "d", "x", "y", "port", "web", "_z")
WORDS = ("", "text", "two words", 'q\\"q', "tab\\tnew\\n", "back\\\\slash")
MOST_REPAIRS = 80

Compile: TypeAlias = Callable[[Job[Fields]], Outcome]


@dataclass(slots=True, eq=False)
class Statement:
    """A statement to be: a component has a `block`, anything else a `text`."""

    path: tuple[str, ...]
    text: str = ""
    protos: list[str] = field(default_factory=list)
    block: list[Statement] | None = None
    merge: bool = False
    tags: str = ""
    order: bool = False


def errors_in(compile: Compile, text: str, dialect: str) -> tuple[Diagnostic, ...]:
    """What the compiler complains about."""
    return compile(Job((Source("generated.sf", text),), Fields(), dialect=dialect)).errors


class Writer:
    """Writes one specification."""

    def __init__(self, random: Random, dialect: str, wanted: Wanted, compile: Compile) -> None:
        self.random = random
        self.compile = compile
        self.wanted = wanted
        self.dialect = dialect
        self.production = dialect == "production"
        self.known: list[tuple[tuple[str, ...], bool]] = []

    def program(self) -> list[Statement]:
        """A skeleton: a few components and values, then sfConfig."""
        most = self.wanted.size
        top = [self.statement(2) for _ in range(self.random.randint(0, most - 1))]
        if self.may("links", "prototypes") and self.random.random() < 0.7:
            top += self.scoped()
        main = Statement(("sfConfig",), block=self.block(4), protos=self.wanted_protos())
        if (
            self.may("links", "prototypes")
            and self.random.random() < 0.7
            and main.block is not None
        ):
            main.block += self.scoped()
        top.insert(self.random.randint(0, len(top)) if self.dialect != "core" else len(top), main)
        if self.random.random() < 0.3:
            top.append(Statement(("sfConfig", self.name()), text=self.basic()))
        return top

    def block(self, depth: int) -> list[Statement]:
        """The statements of a component."""
        made = [self.statement(depth - 1) for _ in range(self.random.randint(0, self.wanted.size))]
        ordered = self.dialect == "extended" and self.may("order")
        if ordered and len(made) > 1 and self.random.random() < 0.3:
            first, second = self.random.sample(range(len(made)), 2)
            text = f"order {made[first].path[-1]} < {made[second].path[-1]}"
            made.append(Statement(("order",), text=text, order=True))
        return made

    def statement(self, depth: int) -> Statement:
        """A statement without its references."""
        random = self.random
        one = random.random() < 0.8 or not self.may("placements")
        path = (self.name(),) if one else (self.name(), self.name())
        kind = random.random()
        tags = ""
        if self.production and self.may("tags") and random.random() < 0.15:
            tags = random.choice(["[sfLocal] ", "[sfTemp] ", "[note] ", "[note, other] "])
        if depth > 0 and kind < 0.4:
            merge = self.dialect == "extended" and self.may("merge") and random.random() < 0.3
            block = self.block(depth) if random.random() < 0.8 else None
            protos = self.wanted_protos()
            block = [] if block is None and not protos else block
            return Statement(path, "", protos, block, merge, tags)
        if kind < 0.65 and self.may("links"):
            return Statement(path, "?", tags=tags)
        if self.production and kind < 0.85 and self.may("operators", "links"):
            return Statement(path, self.expression(2), tags=tags)
        return Statement(path, self.basic(), tags=tags)

    def wanted_protos(self) -> list[str]:
        """Places for prototypes."""
        most = 2 if self.may("many-prototypes") else 1
        count = min(self.random.choice([0, 0, 0, 1, 1, 2]), most)
        return ["?"] * count if self.may("prototypes") else []

    def may(self, *features: str) -> bool:
        """Whether these features are wanted."""
        return not self.wanted.without.intersection(features)

    def scoped(self) -> list[Statement]:
        """A name that means different things in a prototype, where it is inherited to, and
        around both, and links to it from each of these places."""
        random = self.random
        name, other, proto, heir = random.sample(NAMES, 4)
        numbers = random.sample(range(100), 3)
        written = Statement((other,), text=name)
        inner = [Statement((name,), text=str(numbers[0])), written]
        random.shuffle(inner)
        if random.random() < 0.4:
            inner.remove(next(s for s in inner if s is not written))
        own = [Statement((name,), text=str(numbers[1]))] if random.random() < 0.6 else []
        own.append(Statement((random.choice(NAMES),), text=random.choice([name, other])))
        made = [
            Statement((proto,), block=inner),
            Statement((heir,), protos=[proto], block=own),
        ]
        if random.random() < 0.8:
            made.insert(random.randint(0, 1), Statement((name,), text=str(numbers[2])))
        return made

    def name(self) -> str:
        """Some name."""
        return self.random.choice(NAMES)

    def basic(self) -> str:
        """A literal, a vector or a data reference."""
        random = self.random
        match random.randint(0, 6):
            case 0:
                return random.choice([*(["true", "false"] if self.may("booleans") else ["1", "2"]),
                                      *(["NULL"] if self.may("null") else ["3"])])  # fmt: skip
            case 1 if self.may("strings"):
                return f'"{random.choice(WORDS)}"'
            case 2 if self.may("data"):
                return f"DATA {self.name()}:{self.name()}"
            case 3 if self.may("vectors"):
                inner = ", ".join(str(random.randint(0, 9)) for _ in range(random.randint(0, 3)))
                return f"[|{inner}|]" if self.production else f"[{inner}]"
            case 4 if self.may("floats"):
                return f"{random.randint(-9, 9)}.5"
            case _:
                return str(random.randint(-3, 99))

    def expression(self, depth: int) -> str:
        """Something only the production dialect has."""
        random = self.random
        part = "?" if depth == 0 or random.random() < 0.5 else str(random.randint(0, 9))
        other = self.expression(depth - 1) if depth and random.random() < 0.3 else part
        match random.randint(0, 8):
            case 0:
                return f"({part} + {other})"
            case 1:
                return f'("v" ++ {other} ++ {part})'
            case 2:
                return f"[{part}, {other}]"
            case 3:
                return f"IF ({part} == {random.randint(0, 3)}) THEN {other} ELSE {part} FI"
            case 4:
                return f"OPTIONAL({random.randint(0, 9)}) ?"
            case 5:
                return "LAZY ?"
            case 6:
                return f"([{part}] <> [{other}])"
            case 7:
                return random.choice(["PARENT:?", "ROOT:?", "HERE ?", "ATTRIB ?", "THIS:?"])
            case _:
                return f"({part} == {other})"

    def link(self, statements: list[Statement], ns: tuple[str, ...]) -> None:
        """Chooses the references of a skeleton among its paths."""
        self.known = list(_paths(statements, ()))
        self.fill(statements, ns)

    def fill(self, statements: list[Statement], ns: tuple[str, ...]) -> None:
        """Puts a reference where there is a place for one."""
        for statement in statements:
            while "?" in statement.text:
                statement.text = statement.text.replace("?", self.reference(ns, False), 1)
            statement.protos = [self.reference(ns, True) for _ in statement.protos]
            if statement.block is not None:
                self.fill(statement.block, (*ns, *statement.path))

    def reference(self, ns: tuple[str, ...], component: bool) -> str:
        """A path that something can be seen by from a namespace, most of the time."""
        scope = ns[: self.random.randint(0, len(ns))]
        found = [
            path[len(scope) :]
            for path, is_component in self.known
            if path[: len(scope)] == scope and len(path) > len(scope)
            if is_component or not component
        ]
        short = [path for path in found if len(path) <= 3]
        return ":".join(self.random.choice(short)) if short else self.name()

    def repaired(self, top: list[Statement]) -> str:
        """The text after everything the compiler complains about has been made simpler."""
        text, owners = _show(top)
        for _ in range(MOST_REPAIRS):
            errors = errors_in(self.compile, text, self.dialect)
            if not errors:
                break
            line = errors[0].at.first.line
            self.simplify(top, owners.get(line), errors[0].at.text)
            text, owners = _show(top)
        return text

    def simplify(self, top: list[Statement], wrong: Statement | None, subject: str) -> None:
        """Takes away from a statement what may be wrong with it."""
        if wrong is None:
            top[:] = [s for s in top if s.path == ("sfConfig",)] or [Statement(("sfConfig",))]
            top[0].block = top[0].block or []
        elif wrong.order:
            _remove(top, wrong)
        elif subject in wrong.protos:
            wrong.protos = [name for name in wrong.protos if name != subject]
            wrong.block = wrong.block if wrong.block is not None else []
        elif len(wrong.path) > 1:
            wrong.path = wrong.path[-1:]
        elif wrong.protos:
            wrong.protos = []
            wrong.block = wrong.block if wrong.block is not None else []
        elif wrong.tags:
            wrong.tags = ""
        elif wrong.path == ("sfConfig",):
            wrong.text, wrong.block = "", wrong.block or []
        elif wrong.block is None and not wrong.text.isdigit():
            wrong.text = str(self.random.randint(0, 99))
        else:
            _remove(top, wrong)


def _paths(
    statements: list[Statement], ns: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The paths a skeleton has, and whether each is a component."""
    for statement in statements:
        if statement.order:
            continue
        path = (*ns, *statement.path)
        component = statement.block is not None or bool(statement.protos)
        yield path, component
        if statement.block:
            yield from _paths(statement.block, path)


def _show(top: list[Statement]) -> tuple[str, dict[int, Statement]]:
    """The text, a statement a line, and which line belongs to which statement."""
    lines: list[str] = []
    owners: dict[int, Statement] = {}

    def show(statements: list[Statement], indent: str) -> None:
        for statement in statements:
            owners[len(lines) + 1] = statement
            if statement.order:
                lines.append(f"{indent}{statement.text};")
                continue
            head = f"{indent}{statement.tags}{':'.join(statement.path)}"
            if statement.block is None and not statement.protos:
                lines.append(f"{head} {statement.text};")
                continue
            names = ", ".join(statement.protos)
            head += " extends " + ("merge " if statement.merge else "") + names
            if statement.block is None:
                lines.append(head)
                continue
            head += ", " if names else ""
            lines.append(head + "{")
            show(statement.block, indent + "  ")
            lines.append(indent + "}")

    show(top, "")
    return "\n".join(lines) + "\n", owners


def _remove(statements: list[Statement], wrong: Statement) -> None:
    """Takes a statement out of a skeleton."""
    for statement in list(statements):
        if statement is wrong:
            statements.remove(statement)
        elif statement.block is not None:
            _remove(statement.block, wrong)
