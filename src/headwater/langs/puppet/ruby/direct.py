"""Methods that are settled before a call: those of Ruby's own values.

No program may change Ruby's own classes (`Machine.check_open`), and their values have no methods
of their own.  So the Python class of such a value, a name and a number of arguments settle which
method answers, and that everybody may call it.  Each place of a call has a table of what it met.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from headwater.langs.puppet.ruby.access import KEPT, PLAIN
from headwater.langs.puppet.ruby.classes import OF_TYPE
from headwater.langs.puppet.ruby.machine import Builtin

Answer: TypeAlias = Callable[..., Any]
"""The Python of a method: ``answer(machine, receiver, *args)``."""


def settled(kind: type, name: str, count: int) -> Builtin | None:
    """The method by which values of a Python class answer a message with so many arguments; None
    if only the call itself can tell, or refuse it."""
    cls = OF_TYPE.get(kind)
    if cls is None or cls.name not in PLAIN or name in KEPT:
        return None
    method = cls.find(name)
    if not isinstance(method, Builtin) or count < method.least:
        return None
    return method if method.most is None or count <= method.most else None


class Direct(dict[type, "Answer | None"]):
    """The methods of one place of a call, by the Python class of the receiver."""

    __slots__ = ("count", "name")

    def __init__(self, name: str, count: int) -> None:
        self.name = name
        self.count = count

    def __missing__(self, kind: type) -> Answer | None:
        method = settled(kind, self.name, self.count)
        found = None if method is None else self._answer(method)
        self[kind] = found
        return found

    def _answer(self, method: Builtin) -> Answer | None:
        return partial(method.run, block=None) if method.takes_block else method.run


class DirectWithBlock(Direct):
    """The same for a call with a block: ``answer(machine, receiver, *args, block=…)``."""

    __slots__ = ()

    def _answer(self, method: Builtin) -> Answer | None:
        return method.run if method.takes_block else None
