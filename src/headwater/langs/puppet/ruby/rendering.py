"""Rendering a template: what it writes, piece by piece, with the place of each piece."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.bytestrings import Incompatible, joined
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.classes import OBJECT
from headwater.langs.puppet.ruby.evaluate import fresh_frame, program
from headwater.langs.puppet.ruby.frames import Break, LoopBreak, LoopNext, Next, Retry, Return
from headwater.langs.puppet.ruby.machine import LONGEST, Machine, Part
from headwater.langs.puppet.ruby.methods.conversions import incompatible
from headwater.langs.puppet.ruby.refusals import Exhausted, Unreadable, too_large
from headwater.langs.puppet.ruby.values import RubyObject, Text
from headwater.text.named import NamedTuple

BUFFER = "_erbout"
"""The variable of ERB that holds what a template has written so far."""


class Piece(NamedTuple):
    """A piece of what a template wrote: how many characters, and by which part of the template.

    `value` is what was inserted, where the part is ``<%= … %>``.
    """

    size: int
    at: int
    end: int
    inserted: bool
    value: Any = None


class Page:
    """What a template writes (`machine.Output`)."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._size = 0

    def add(self, part: Part) -> None:
        """A piece of the template's own text, or a value that is inserted."""
        self._size += len(part[0])
        if self._size > LONGEST:
            raise Exhausted("size of a value of Ruby", LONGEST)
        self._parts.append(part)

    @property
    def pieces(self) -> list[Piece]:
        """What was written, in order."""
        return [Piece(len(text), *rest) for text, *rest in self._parts]

    @property
    def whole(self) -> str:
        """All that was written."""
        return joined(["", *[part[0] for part in self._parts]])

    @property
    def misfit(self) -> int:
        """Where the first piece stands that does not go together with what is before it."""
        sofar = ""
        for text, at, *_ in self._parts:
            try:
                sofar = joined([sofar, text])
            except Incompatible:
                return at
        return 0


class Buffer(Page):
    """What a template writes that names ``_erbout``: it may read and change it meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.held = Text("")

    def add(self, part: Part) -> None:
        if len(self.held.s) + len(part[0]) > LONGEST:
            raise Exhausted("size of a value of Ruby", LONGEST)
        self.held.s = joined([self.held.s, part[0]])

    @property
    def whole(self) -> str:
        """All that was written."""
        return self.held.s


def render(machine: Machine, tree: s.Program, file: str, self_: RubyObject) -> tuple[str, Page]:
    """The text of a template, and its pieces; of one that changes ``_erbout`` there are none."""
    run = program(machine, tree, file)
    frame = fresh_frame(machine, tree, self_, (OBJECT,))
    page: Page
    if BUFFER in tree.names:
        page = buffer = Buffer()
        frame.vars[tree.names.index(BUFFER)] = buffer.held
    else:
        page = Page()
    machine.output = page
    try:
        run(frame)
    except Return as jump:
        return machine.text(machine.send([jump.value], "join", [])), Buffer()
    except (Break, Next, LoopBreak, LoopNext, Retry) as jump:
        word = type(jump).__name__.removeprefix("Loop").lower()
        raise Unreadable(f"Can't escape from eval with {word}", machine.at[1]) from None
    except Incompatible as error:
        raise incompatible(machine, error) from None
    except (ValueError, OverflowError) as error:
        raise too_large(error) or error from None
    except RecursionError:
        raise machine.error("SystemStackError", "stack level too deep") from None
    try:
        return page.whole, page
    except Incompatible as error:
        machine.at = (file, page.misfit)
        raise incompatible(machine, error) from None
