"""Random Opal programs, well-typed, from a string of bytes, each of which decides one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from headwater.langs.choices import Choices
from headwater.langs.opal.syntax import (
    PRESETS,
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Conflict,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Skip,
    Truth,
    Var,
    Weight,
    With,
    World,
    WorldVar,
)

NODES = ("n", "m")
VARS = ("x", "y", "z")
OPS = ("f", "g", "k")
WORLDS = ("u", "v", "w")
ATOMS = ("a", 'wëb "1"', 0, -3, True, False)
MERGES = (("o", "h", "c"), ("a", "b", "d"), ("x", "y", "z"))


@dataclass(frozen=True)
class Scope:
    """Π, Σ and H, and the worlds Ω."""

    pi: frozenset[str] = frozenset()
    sigma: tuple[Place, ...] = ()
    ops: tuple[str, ...] = ()
    omega: tuple[str, ...] = ()


class Generator:
    """Makes well-typed commands; `hyp_merges` gives every handle the merge HYP.

    With `ext` there are atoms, presets and now and then ``conflict``.
    """

    def __init__(self, choices: Choices, *, hyp_merges: bool, ext: bool) -> None:
        self.choices = choices
        self.hyp_merges = hyp_merges
        self.ext = ext

    def program(self) -> tuple[Com, Com]:
        """A program with two permissions and at most two handles around a body, and that body."""
        scope = Scope(frozenset(NODES))
        places = [Place("n", "x"), Place("m" if self.choices.below(2) else "n", "y")]
        del places[: (0, 0, 1, 2)[self.choices.below(4)]]
        handles = []
        for place, op in zip(places, OPS, strict=False):
            handles.append((place, op, *self.expressions(place, scope)))
            scope = replace(scope, sigma=(*scope.sigma, place), ops=(*scope.ops, op))
        body = self.block(scope, 4)[0]
        return self.around(body, handles), body

    def around(
        self, body: Com, handles: list[tuple[Place, str, Sexp, Sexp, tuple[str, str, str]]]
    ) -> Com:
        """The body inside its handles and permissions."""
        for place, op, handler, merge, names in reversed(handles):
            body = Handle(place, op, handler, *names, merge, body)
        return With("n", With("m", body))

    def expressions(self, place: Place, scope: Scope) -> tuple[Sexp, Sexp, tuple[str, str, str]]:
        """Handler, merge, and the names of the merge."""
        inner = replace(scope, sigma=(*scope.sigma, place))
        handler: Sexp
        match self.choices.below(3):
            case 0:
                handler = Cons(Empty(), Var(place))
            case _:
                handler = self.sexp(inner, 2)
        names = MERGES[self.choices.below(3)]
        sides = [Place(place.node, name) for name in names]
        if self.hyp_merges:
            return handler, Var(sides[1]), names
        if self.ext and self.choices.below(3):
            name = (*PRESETS, "conflict")[self.choices.below(len(PRESETS) + 1)]
            return handler, Conflict() if name == "conflict" else Preset(name), names
        match self.choices.below(4):
            case 0:
                merge: Sexp = Var(sides[1])
            case 1:
                merge = Var(sides[2])
            case _:
                merge = self.sexp(replace(scope, sigma=(*sides, *scope.sigma)), 2)
        return handler, merge, names

    def block(self, scope: Scope, depth: int) -> tuple[Com, Scope]:
        """One to four commands."""
        commands = []
        for _ in range(1 + self.choices.below(4)):
            command, scope = self.command(scope, depth)
            commands.append(command)
        return (commands[0] if len(commands) == 1 else Seq(tuple(commands))), scope

    def command(self, scope: Scope, depth: int) -> tuple[Com, Scope]:
        """One command."""
        choice = self.choices.below(20)
        if choice < 5 or depth == 0 or self.choices.spent:
            if scope.ops:
                return Op(scope.ops[self.choices.below(len(scope.ops))]), scope
            return (self.handle(scope, depth) if depth else Skip()), scope
        match choice:
            case 5:
                return Skip(), scope
            case 6 | 7 | 8:
                test = self.bool(scope, 2)
                then, one = self.block(scope, depth - 1)
                orelse, other = self.block(scope, depth - 1)
                omega = tuple(u for u in one.omega if u in other.omega)
                return If(test, then, orelse), replace(scope, omega=omega)
            case 9:
                body, after = self.block(scope, depth - 1)
                return At(("m", "p")[self.choices.below(2)], body), replace(
                    scope, omega=after.omega
                )
            case 10:
                node = ("n", "p")[self.choices.below(2)]
                inner = replace(scope, pi=scope.pi | {node})
                body, after = self.block(inner, depth - 1)
                return With(node, body), replace(scope, omega=after.omega)
            case 11 | 12:
                return self.handle(scope, depth), scope
            case 13 | 14 | 15:
                name = WORLDS[self.choices.below(3)]
                world, scope = self.world(scope, depth)
                return Assign(name, world), _with_world(scope, name)
            case 16:
                return self.raced(scope, depth), scope
            case _:
                world, scope = self.world(scope, depth)
                return Commit(world), scope

    def handle(self, scope: Scope, depth: int) -> Com:
        """A handle around a block."""
        nodes = sorted(scope.pi)
        place = Place(nodes[self.choices.below(len(nodes))], VARS[self.choices.below(4) % 3])
        op = OPS[self.choices.below(3)]
        handler, merge, names = self.expressions(place, scope)
        inner = Scope(
            scope.pi, tuple({*scope.sigma, place}), tuple(dict.fromkeys((*scope.ops, op)))
        )
        inner = replace(inner, sigma=tuple(sorted(inner.sigma)))
        body, _ = self.block(inner, max(depth - 1, 0))
        return Handle(place, op, handler, *names, merge, body)

    def raced(self, scope: Scope, depth: int) -> Com:
        """A world that handles a variable, perhaps a second handle of one, then the commit."""
        before = Assign("t", Hyp(self.handle(scope, depth - 1)))
        commands: tuple[Com, ...] = (before, Commit(WorldVar("t")))
        if self.choices.below(2):
            commands = (before, self.handle(scope, depth - 1), commands[1])
        return Handle(Place("n", "t"), "t", Empty(), "o", "h", "c", Empty(), Seq(commands))

    def world(self, scope: Scope, depth: int) -> tuple[World, Scope]:
        """A world that is used up, and the scope without it."""
        if scope.omega and self.choices.below(4):
            name = scope.omega[self.choices.below(len(scope.omega))]
            return WorldVar(name), replace(scope, omega=tuple(u for u in scope.omega if u != name))
        return self.hyp(scope, depth), scope

    def hyp(self, scope: Scope, depth: int) -> Hyp:
        """A world that is tried."""
        return Hyp(self.block(replace(scope, omega=()), max(depth - 1, 0))[0])

    def sexp(self, scope: Scope, depth: int, *, worlds: bool = False) -> Sexp:
        """An expression."""
        readable = [place for place in scope.sigma if place.node in scope.pi]
        choice = self.choices.below(8)
        if worlds and readable and choice == 7:
            place = readable[self.choices.below(len(readable))]
            if scope.omega and self.choices.below(3):
                return Weight(WorldVar(scope.omega[self.choices.below(len(scope.omega))]), place)
            return Weight(self.hyp(scope, 1), place)
        if readable and choice > 3:
            return Var(readable[self.choices.below(len(readable))])
        if self.ext and choice == 0:
            return Atom(ATOMS[self.choices.below(len(ATOMS))])
        if depth == 0 or choice < 2:
            return Empty()
        return Cons(
            self.sexp(scope, depth - 1, worlds=worlds), self.sexp(scope, depth - 1, worlds=worlds)
        )

    def bool(self, scope: Scope, depth: int) -> Bool:
        """A test."""
        match self.choices.below(7) if depth else self.choices.below(5):
            case 0 | 1 | 2:
                return Eq(self.sexp(scope, 2, worlds=True), self.sexp(scope, 2, worlds=True))
            case 3:
                return Mem(self.sexp(scope, 1, worlds=True), self.sexp(scope, 2, worlds=True))
            case 4:
                return Truth(bool(self.choices.below(2)))
            case 5:
                return And(self.bool(scope, depth - 1), self.bool(scope, depth - 1))
            case _:
                return Or(self.bool(scope, depth - 1), self.bool(scope, depth - 1))


def _with_world(scope: Scope, name: str) -> Scope:
    return replace(scope, omega=tuple(dict.fromkeys((*scope.omega, name))))


def program(data: bytes, *, hyp_merges: bool = False, ext: bool = False) -> tuple[Com, Com]:
    """The well-typed program that the bytes decide, and its body inside the handles."""
    return Generator(Choices(data), hyp_merges=hyp_merges, ext=ext).program()


_WORD = re.compile(r"[a-z]+(?:\.[a-z]+)*")
_KINDS = (
    tuple(f"{n}.{v}" for n in ("n", "m", "p") for v in (*VARS, "h")),
    ("u.n.x", "v.n.x", "u.m.y", "w.n.h"),
    (*OPS, "q"),
    (*WORLDS, "t"),
    ("n", "m", "p"),
    ("o", "h", "c"),
)


def mutated(text: str, data: bytes) -> str:
    """The text with one to three of its names exchanged for others of the same kind."""
    choices = Choices(data)
    for _ in range(1 + choices.below(3)):
        words = [m for m in _WORD.finditer(text) if any(m[0] in kind for kind in _KINDS)]
        if not words:
            return text
        word = words[choices.below(256) * 7 % len(words)]
        kind = next(kind for kind in _KINDS if word[0] in kind)
        if kind is _KINDS[0] and choices.below(4) == 0:
            kind = _KINDS[1]
        new = kind[choices.below(len(kind))]
        text = text[: word.start()] + new + text[word.end() :]
    return text
