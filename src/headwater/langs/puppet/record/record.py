"""`Record`: all the evidence of one compilation; it is frozen when the compilation ends."""

from __future__ import annotations

from typing import NoReturn, TypeVar

from headwater.langs.puppet.record.acts import (
    Act,
    Arrow,
    Collector,
    Decrypted,
    Override,
    Read,
    Realize,
    Result,
    Secret,
)
from headwater.langs.puppet.record.frames import Frame, Guard, Guesses, Scope

T = TypeVar("T")


class Record:
    """What happened, in order; `clock` counts assignments, decisions and scopes.

    The clock tells what was there when something was read: all that was written before.
    """

    def __init__(self) -> None:
        self.clock = 0
        self.decisions: list[Guard] = []
        """Conditions that anything but a value hangs on, and calls of lambdas that do things."""
        self.guesses = Guesses()
        self.declarations: dict[str, list[Act]] = {}
        """Every declaration of a class, the one that took effect first."""
        self.acts: list[Act] = []
        self.reads: list[Read] = []
        self.results: list[Result] = []
        """What calls gave whose frames are kept anyway."""
        self.entered: list[Frame] = []
        """The frames of functions written in Puppet."""
        self.secrets: list[Secret | Decrypted] = []
        self.collectors: list[Collector | Realize] = []
        self.overrides: dict[str, list[Override]] = {}
        """Overrides by reference, by the type of their target, whether they apply or not."""
        self.arrows: list[Arrow] = []
        self.scopes: dict[str, Scope] = {}
        """The scopes of classes and of the node definition, by name."""
        self._opened: list[Frame] = []
        self.top: Scope
        self.node_scope: Scope | None = None

    def opens(self, frame: Frame) -> None:
        """Notes a scope, or a frame in one that has variables of its own."""
        self._opened.append(frame)

    def declare(self, name: str, act: Act) -> None:
        """Notes a declaration of a class."""
        self.declarations.setdefault(name, []).append(act)

    def base(self) -> Scope:
        """The scope from which data are looked up: of the node definition, or the top."""
        return self.node_scope or self.top

    def forget(self) -> None:
        """Takes apart the circles that scopes and frames are in."""
        for frame in self._opened:
            del frame.bindings
            if isinstance(frame, Scope):
                del frame.scope, frame.record, frame.compilation, frame.resource
                frame.defaults = {}

    def freeze(self) -> None:
        """From now on nothing is added: whoever explains only reads."""
        self.decisions = Frozen(self.decisions)
        self.guesses.unsettled = Frozen(self.guesses.unsettled)
        self.guesses.computed = Frozen(self.guesses.computed)
        self.acts = Frozen(self.acts)
        self.reads = Frozen(self.reads)
        self.results = Frozen(self.results)
        self.entered = Frozen(self.entered)
        self.secrets = Frozen(self.secrets)
        self.collectors = Frozen(self.collectors)
        self.arrows = Frozen(self.arrows)
        self.declarations = FrozenDict((k, Frozen(v)) for k, v in self.declarations.items())
        self.overrides = FrozenDict((k, Frozen(v)) for k, v in self.overrides.items())
        self.scopes = FrozenDict(self.scopes)
        self._opened = Frozen(self._opened)


def refuse(*_: object, **__: object) -> NoReturn:
    """Refuses: a record that is frozen was written to."""
    raise AssertionError("the record of a compilation is frozen when it ends")


class Frozen(list[T]):
    """A list that nothing changes any more."""

    append = extend = insert = remove = pop = clear = sort = reverse = refuse
    __iadd__ = __imul__ = __setitem__ = __delitem__ = refuse


class FrozenDict(dict[str, T]):
    """A dict that nothing changes any more."""

    update = setdefault = pop = popitem = clear = refuse
    __ior__ = __setitem__ = __delitem__ = refuse
