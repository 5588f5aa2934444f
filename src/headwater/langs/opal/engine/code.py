"""Flat code for the machine: a program becomes one list of instructions with jumps.

An instruction is a list: its number, then what it needs.  S-expressions that read no
world become one instruction each, `PURE`, with their own little postfix code.  With
`effects`, the code also carries what branches and worlds may write, for the trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from headwater.langs.opal.effects import (
    NO_EFFECT,
    Effect,
    Sequence,
    assigned,
    committed,
    either,
    handled,
)
from headwater.langs.opal.syntax import (
    And,
    Assign,
    At,
    Bool,
    Com,
    Commit,
    Cons,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Seq,
    Sexp,
    Skip,
    Truth,
    Weight,
    With,
    World,
    WorldVar,
)

Instruction: TypeAlias = list[Any]
Pure: TypeAlias = tuple[Sexp, ...]

(
    OP, PURE, TICK, SKIP, BRANCH, JUMP, JOIN, ENDORSE, DISMISS, ARRIVE, LEAVE, HANDLE, UNHANDLE,
    ASSIGN, COMMIT, WORLD, HYP, UNHYP, PAIR, WEIGHT, TRUTH, EQUAL, MEMBER, SHORT, BOTH,
) = range(25)  # fmt: skip


class Code:
    """The instructions of a program, and the postfix code of its handles' expressions."""

    __slots__ = ("handlers", "instructions", "merges")

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.handlers: dict[int, Pure] = {}
        self.merges: dict[int, Pure] = {}


def postfix(s: Sexp) -> Pure:
    """An S-expression, parts before wholes."""
    found: list[Sexp] = []
    todo = [s]
    while todo:
        part = todo.pop()
        found.append(part)
        if isinstance(part, Cons):
            todo += (part.left, part.right)
    found.reverse()
    return tuple(found)


def compile_program(program: Com, *, effects: bool) -> Code:
    """The code of a program."""
    compiler = _Compiler(effects=effects)
    compiler.run(program)
    return compiler.code


def compile_more(code: Code, command: Com, handlers: Mapping[str, Place], *, effects: bool) -> int:
    """Adds the code of a command that arrived later; where it begins."""
    compiler = _Compiler(effects=effects)
    start = len(code.instructions)
    compiler.code, compiler.out = code, code.instructions
    compiler.handlers = {op: [place] for op, place in handlers.items()}
    compiler.run(command)
    return start


class _Compiler:
    """A work list of syntax still to be compiled and of actions for when a part is done."""

    def __init__(self, *, effects: bool) -> None:
        self.code = Code()
        self.out = self.code.instructions
        self.effects = effects
        self.made: list[Effect] = []
        self.handlers: dict[str, list[Place]] = {}
        self.todo: list[tuple[Any, ...]] = []
        self.visit = {
            Skip: self.skip, Op: self.op, Seq: self.seq, If: self.if_, With: self.with_,
            At: self.at, Assign: self.assign, Commit: self.commit, Handle: self.handle,
            Truth: self.truth, And: self.junction, Or: self.junction, Eq: self.compare,
            Mem: self.compare, WorldVar: self.world_var, Hyp: self.hyp,
        }  # fmt: skip

    def run(self, program: Com) -> None:
        """Works off the list."""
        self.todo.append((self.visit[type(program)], program))
        todo = self.todo
        while todo:
            action, *arguments = todo.pop()
            action(*arguments)

    def next(self, *items: tuple[Any, ...] | Com | Bool | World) -> None:
        """These come next, the first one first."""
        for item in reversed(items):
            if isinstance(item, tuple):
                self.todo.append(item)
            else:
                self.todo.append((self.visit[type(item)], item))

    def emit(self, *instruction: object) -> Instruction:
        """Adds an instruction."""
        made = list(instruction)
        self.out.append(made)
        return made

    # --- commands ---------------------------------------------------------------------

    def skip(self, c: Skip) -> None:
        """``skip``"""
        self.emit(SKIP, c.at)
        self.made.append(NO_EFFECT)

    def op(self, c: Op) -> None:
        """An operation."""
        self.emit(OP, c)
        open_handles = self.handlers.get(c.name)
        if self.effects and open_handles:
            self.made.append(Effect(frozenset((open_handles[-1],))))
        else:
            self.made.append(NO_EFFECT)

    def seq(self, c: Seq) -> None:
        """Each command, its effect added to those before."""
        sequence = Sequence()
        items: list[Any] = []
        for command in c.commands:
            items += (command, (self.sequenced, sequence))
        self.next(*items, (self.end_sequence, sequence))

    def sequenced(self, sequence: Sequence) -> None:
        """After a command of a sequence."""
        effect = self.made.pop()
        if self.effects:
            sequence.add(effect)

    def end_sequence(self, sequence: Sequence) -> None:
        """After the last one."""
        self.made.append(sequence.whole())

    def if_(self, c: If) -> None:
        """Test, branch, both blocks, join."""
        self.emit(TICK, c.at)
        branch: Instruction = [BRANCH, 0, None, None]
        jump: Instruction = [JUMP, 0]
        self.next(
            c.test,
            (self.out.append, branch),
            c.then,
            (self.out.append, jump),
            (self.here, branch),
            c.orelse,
            (self.here, jump),
            (self.join, branch),
        )

    def here(self, jump: Instruction) -> None:
        """A jump leads to the next instruction."""
        jump[1] = len(self.out)

    def join(self, branch: Instruction) -> None:
        """The end of an if; its branch instruction gets the effects of both blocks."""
        orelse, then = self.made.pop(), self.made.pop()
        branch[2], branch[3] = then, orelse
        self.emit(JOIN)
        self.made.append(either(then, orelse) if self.effects else NO_EFFECT)

    def with_(self, c: With) -> None:
        """Ask, run, give the permission back."""
        self.emit(ENDORSE, c)
        self.next(c.body, (self.emit, DISMISS, c.node))

    def at(self, c: At) -> None:
        """There and back; the first instruction knows where the last one is."""
        arrive = self.emit(ARRIVE, c, 0)
        self.next(c.body, (self.leave, arrive))

    def leave(self, arrive: Instruction) -> None:
        """The end of an at."""
        arrive[2] = len(self.out)
        self.emit(LEAVE, arrive[1])

    def handle(self, c: Handle) -> None:
        """Bind, run, unbind operation and merge."""
        self.code.handlers[id(c)] = postfix(c.handler)
        self.code.merges[id(c)] = postfix(c.merge)
        self.handlers.setdefault(c.op, []).append(c.place)
        self.emit(HANDLE, c)
        self.next(c.body, (self.unhandle, c))

    def unhandle(self, c: Handle) -> None:
        """The end of a handle."""
        self.handlers[c.op].pop()
        self.emit(UNHANDLE, c)
        body = self.made.pop()
        self.made.append(handled(c.place, body) if self.effects else NO_EFFECT)

    def assign(self, c: Assign) -> None:
        """``u := w``"""
        self.emit(TICK, c.at)
        self.next(c.world, (self.emit, ASSIGN, c), (self.world_done, c))

    def commit(self, c: Commit) -> None:
        """``commit w``"""
        self.emit(TICK, c.at)
        self.next(c.world, (self.emit, COMMIT, c), (self.world_done, c))

    def world_done(self, c: Assign | Commit) -> None:
        """The effect of using a world."""
        hyp = self.made.pop()
        if not self.effects:
            self.made.append(NO_EFFECT)
        elif isinstance(c, Assign):
            self.made.append(assigned(c.name, c.world, hyp))
        else:
            self.made.append(committed(c.world, hyp))

    # --- worlds, S-expressions, Booleans ----------------------------------------------

    def world_var(self, w: WorldVar) -> None:
        """A world by name."""
        self.emit(WORLD, w)
        self.made.append(NO_EFFECT)

    def hyp(self, w: Hyp) -> None:
        """A world by running it."""
        self.emit(HYP, w)
        self.next(w.body, (self.unhyp, w))

    def unhyp(self, w: Hyp) -> None:
        """The end of a hyp, with what it may write."""
        self.emit(UNHYP, w, self.made[-1].writes)

    def sexp(self, s: Sexp) -> None:
        """One `PURE` instruction, or the parts around the worlds it reads."""
        parts = postfix(s)
        if not any(isinstance(part, Weight) for part in parts):
            self.emit(PURE, parts)
            return
        items: list[Any] = []
        for part in parts:
            match part:
                case Cons():
                    items.append((self.emit, PAIR, part))
                case Weight(world):
                    items += (world, (self.weight, part))
                case _:
                    items.append((self.emit, PURE, (part,)))
        self.next(*items)

    def weight(self, s: Weight) -> None:
        """A read in a world; the effect of the world does not matter."""
        self.made.pop()
        self.emit(WEIGHT, s)

    def truth(self, b: Truth) -> None:
        """``true`` or ``false``"""
        self.emit(TRUTH, b)

    def compare(self, b: Eq | Mem) -> None:
        """Both sides, then the comparison."""
        number = EQUAL if isinstance(b, Eq) else MEMBER
        self.next((self.sexp, b.left), (self.sexp, b.right), (self.emit, number, b))

    def junction(self, b: And | Or) -> None:
        """The left side decides alone if it can."""
        short: Instruction = [SHORT, 0, isinstance(b, Or)]
        self.next(b.left, (self.out.append, short), b.right, (self.emit, BOTH), (self.here, short))
