"""Parameters: how arguments of methods, lambdas and blocks reach their variables.

Methods and lambdas are strict about numbers.  Blocks are not: what is missing is nil, what
is too much is dropped, and one array for several parameters is taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.values import Keywords, Proc, RubyValue, Symbol, positional, symbol

Make = Callable[[s.Expr], Callable[[Frame], Any]]


class Parameters:
    """The parameters of a method or block, sorted by how they are filled."""

    def __init__(self, items: list[s.Parameter], slots: dict[str, int], make: Make) -> None:
        self.before: list[int | Parameters] = []
        self.optional: list[tuple[int, Callable[[Frame], Any]]] = []
        self.rest: int | None = None
        self.has_rest = False
        self.after: list[int | Parameters] = []
        self.keywords: list[tuple[Symbol, int, Callable[[Frame], Any] | None]] = []
        self.keyrest: int | None = None
        self.has_keyrest = False
        self.block: int | None = None
        self.named: list[tuple[str, str]] = []
        comma = bool(items) and items[-1].kind == "comma"
        for item in items[:-1] if comma else items:
            slot = slots.get(item.name, -1)
            self.named.append((item.kind, item.name))
            match item.kind:
                case "required" | "nested":
                    one = Parameters(item.nested, slots, make) if item.kind == "nested" else slot
                    late = self.has_rest or bool(self.optional)
                    (self.after if late else self.before).append(one)
                case "optional":
                    assert item.default is not None
                    self.optional.append((slot, make(item.default)))
                case "rest":
                    self.has_rest = True
                    self.rest = slot if item.name else None
                case "keyword":
                    default = None if item.default is None else make(item.default)
                    self.keywords.append((symbol(item.name), slot, default))
                case "keyrest":
                    self.has_keyrest = True
                    self.keyrest = slot if item.name else None
                case _:
                    self.block = slot if item.name else None
        self.least = len(self.before) + len(self.after)
        self.most = None if self.has_rest else self.least + len(self.optional)
        self.takes_keywords = bool(self.keywords) or self.has_keyrest
        simple = not (self.optional or self.has_rest or self.after or self.takes_keywords or comma)
        self.plain: list[int] | None = None
        """The slots, where there are only required parameters (and perhaps a block)."""
        if simple and all(isinstance(one, int) for one in self.before):
            self.plain = [one for one in self.before if isinstance(one, int)]
        count = self.least + len(self.optional)
        several = self.has_rest or self.takes_keywords or comma
        self.takes_apart = count > 1 or (count == 1 and several)

    def current(self, variables: list[Any]) -> Iterator[Any]:
        """The values of the parameters, as arguments that would fill them again."""
        slots = [one for one in self.before if isinstance(one, int)]
        slots += [slot for slot, _ in self.optional]
        for slot in slots:
            yield variables[slot]
        if self.rest is not None:
            yield from variables[self.rest]
        for one in self.after:
            if isinstance(one, int):
                yield variables[one]
        if self.takes_keywords:
            named = [(name, variables[slot]) for name, slot, _ in self.keywords]
            more = [] if self.keyrest is None else list(variables[self.keyrest].pairs())
            given = Keywords({})
            for name, value in [*named, *more]:
                given.put(name, value)
            yield given

    @property
    def arity(self) -> int:
        """``arity``: negative where the number can vary."""
        needed = any(default is None for _, _, default in self.keywords)
        if self.optional or self.has_rest or (self.takes_keywords and not needed):
            return -(self.least + needed) - 1
        return self.least + needed

    def strict(self, machine: Machine, frame: Frame, args: list[Any], block: Proc | None) -> None:
        """Fills the variables of a method or lambda."""
        if args and args[-1].__class__ is Keywords and not self.takes_keywords:
            args = positional(args)
        if self.plain is not None:
            if len(args) != len(self.plain):
                raise machine.wrong_count(len(args), self.least, self.most)
            slots = frame.vars
            for slot, value in zip(self.plain, args, strict=True):
                slots[slot] = value
        else:
            keywords: Hash | None = None
            if self.takes_keywords and args and args[-1].__class__ is Keywords:
                args, keywords = args[:-1], args[-1]
            count = len(args)
            if count < self.least or (self.most is not None and count > self.most):
                raise machine.wrong_count(count, self.least, self.most)
            self._fill(machine, frame, args)
            if self.takes_keywords:
                self._fill_keywords(machine, frame, keywords)
        if self.block is not None:
            frame.vars[self.block] = block

    def loose(self, machine: Machine, frame: Frame, args: list[Any], block: Proc | None) -> None:
        """Fills the variables of a block."""
        if args and args[-1].__class__ is Keywords and not self.takes_keywords:
            args = positional(args)
        if self.takes_apart and len(args) == 1 and args[0].__class__ is list:
            args = args[0]
        if self.plain is not None:
            slots = frame.vars
            for slot, value in zip(self.plain, args, strict=False):
                slots[slot] = value
        else:
            keywords: Hash | None = None
            if self.takes_keywords and args and args[-1].__class__ is Keywords:
                args, keywords = args[:-1], args[-1]
            if len(args) < self.least:
                args = [*args, *[None] * (self.least - len(args))]
            elif self.most is not None and len(args) > self.most:
                args = args[: self.most]
            self._fill(machine, frame, args)
            if self.takes_keywords:
                self._fill_keywords(machine, frame, keywords)
        if self.block is not None:
            frame.vars[self.block] = block

    def _fill(self, machine: Machine, frame: Frame, args: list[Any]) -> None:
        spare = len(args) - self.least
        place = 0
        for one in self.before:
            self._put(machine, frame, one, args[place])
            place += 1
        for slot, default in self.optional:
            if spare > 0:
                frame.vars[slot] = args[place]
                place += 1
                spare -= 1
            else:
                frame.vars[slot] = default(frame)
        if self.has_rest:
            if self.rest is not None:
                frame.vars[self.rest] = args[place : place + spare]
            place += spare
        for one in self.after:
            self._put(machine, frame, one, args[place])
            place += 1

    def _put(self, machine: Machine, frame: Frame, one: int | Parameters, value: RubyValue) -> None:
        if isinstance(one, int):
            frame.vars[one] = value
        else:
            one.loose(machine, frame, value if value.__class__ is list else [value], None)

    def _fill_keywords(self, machine: Machine, frame: Frame, given: Hash | None) -> None:
        left = Hash() if given is None else given
        missing = []
        for name, slot, default in self.keywords:
            if name in left:
                frame.vars[slot] = left[name]
            elif default is not None:
                frame.vars[slot] = default(frame)
            else:
                missing.append(name)
        if missing:
            word = "keyword" if len(missing) == 1 else "keywords"
            names = ", ".join(f":{name.name}" for name in missing)
            raise machine.error("ArgumentError", f"missing {word}: {names}")
        left = left.without([name for name, _, _ in self.keywords])
        if self.has_keyrest:
            if self.keyrest is not None:
                frame.vars[self.keyrest] = left
        elif len(left):
            word = "keyword" if len(left) == 1 else "keywords"
            names = ", ".join(machine.inspect(name) for name in left)
            raise machine.error("ArgumentError", f"unknown {word}: {names}")
