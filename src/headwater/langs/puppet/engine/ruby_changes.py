"""Ruby changes what it is given: arrays and hashes of the program, in place.

Whoever holds such an array sees the change: variables, parameters of resources.  So a change is a
write, with its place in the order of things (`record.acts.Changed`), and what is explained later
knows of it.  What no program may see changed stays as it is: facts are frozen, as they are in
Puppet, and data files, which outlive a compilation, keep a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.data import keep_apart
from headwater.langs.puppet.record.acts import Changed
from headwater.langs.puppet.ruby.exchange import bounded, has_symbols, settle
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.values import RubyValue
from headwater.langs.puppet.types.value import Value

Held = dict[int, Any]
"""Arrays and hashes by identity."""


class Changes:
    """The arrays and hashes that Ruby has been given, and those that it has changed."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._waiting: list[tuple[Any, Any]] = []
        """Values as Puppet has them and as Ruby got them, which nobody has looked into yet."""
        self._given: Held = {}
        self._copied: Held = {}
        self._told: dict[int, tuple[Any, Any]] = {}
        """Values of variables that Ruby has set, with symbols in them, and as Ruby has them."""
        self._frozen: Held | None = None
        self._unsettled: dict[int, Changed] = {}

    def give(self, value: Value, made: RubyValue) -> RubyValue:
        """Notes a value that Ruby gets, as it gets it."""
        if made.__class__ is list or made.__class__ is Hash:
            self._waiting.append((value, made))
        return made

    def keep(self, value: Value, told: RubyValue) -> None:
        """Notes what Ruby put into a variable: it finds the symbols in it again."""
        if value is not told and isinstance(value, list | Hash) and has_symbols(told):
            self._told[id(value)] = (value, told)

    def as_told(self, value: Value) -> RubyValue:
        """A value that Ruby put into a variable, as it did; None for all others."""
        found = self._told.get(id(value))
        return None if found is None else found[1]

    def look_into(self, value: Value) -> None:
        """Refuses a value that Ruby has put into itself."""
        if self._unsettled and isinstance(value, list | Hash):
            bounded(value)

    def before(self, call: Call, value: list[Any] | Hash) -> None:
        """Before an array or hash changes: a write, if it is one of the program."""
        key = id(value)
        if key in self._unsettled:
            return
        for held, made in self._waiting:
            into = self._given if held is made else self._copied
            into.update((id(one), one) for one in containers(made))
        self._waiting.clear()
        if key in self._copied:
            raise Beyond("a change of an array or hash with patterns or symbols in it")
        if key not in self._given:
            return
        if key in self._facts(call):
            kind = "Hash" if value.__class__ is Hash else "Array"
            shown = self._machine.inspect(value)
            raise self._machine.error("FrozenError", f"can't modify frozen {kind}: {shown}")
        keep_apart(value)
        changed = self._unsettled[key] = Changed(value, value.copy())
        work, record = call.compilation.work, call.compilation.record
        work.weights.pop(key, None)
        work.changed = True
        record.clock += 1
        record.acts.append(call.act("change", changed))

    def settle(self) -> None:
        """What Ruby has put into arrays and hashes of the program becomes the program's."""
        if not self._unsettled:
            return
        changed = list(self._unsettled.values())
        self._unsettled.clear()
        try:
            for one in changed:
                settle(one.value)
        except (Beyond, Exhausted):
            for one in changed:  # nobody is to see what was refused
                _put_back(one)
            raise

    def _facts(self, call: Call) -> Held:
        if self._frozen is None:
            top = call.compilation.record.top.vars
            frozen = [top.get(name) for name in ("facts", "trusted", "server_facts")]
            self._frozen = {id(one): one for value in frozen for one in containers(value)}
        return self._frozen


def _put_back(changed: Changed) -> None:
    value, before = changed.value, changed.before
    if isinstance(value, Hash) and isinstance(before, Hash):
        value.entries, value.odd = before.entries, before.odd
    elif isinstance(value, list):
        value[:] = before


def parts(value: list[Any] | Hash) -> list[Any]:
    """What lies in an array or hash."""
    return list(value.values()) if isinstance(value, Hash) else list(value)


def containers(value: RubyValue) -> Iterator[Any]:
    """A value and all that lies in it, as far as it is an array or a hash; each once."""
    seen: set[int] = set()
    todo = [value]
    while todo:
        at = todo.pop()
        if (at.__class__ is list or isinstance(at, Hash)) and id(at) not in seen:
            seen.add(id(at))
            yield at
            todo += [one for one in parts(at) if one.__class__ is not str]
