"""What runs: frames with their variables, and the jumps that leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headwater.langs.puppet.ruby.values import Class, DefinedMethod, Matched, Proc, RubyValue


class Activation:
    """One call of a method: what ``return``, ``yield`` and ``super`` refer to."""

    __slots__ = ("args", "block", "match", "method", "receiver", "vars")

    def __init__(
        self, method: DefinedMethod | None, receiver: RubyValue, args: list[Any], block: Proc | None
    ) -> None:
        self.method = method
        self.receiver = receiver
        self.args = args
        self.block = block
        self.match: Matched | None = None
        """``$~``: the last match in this call."""
        self.vars: list[Any] | None = None
        """Its variables: what ``super`` alone passes on are the parameters as they are now.  The
        frame itself would be a circle, and wait for Python to look for garbage."""


class Frame:
    """The variables of a method, block or file; a block's frame has the one around it."""

    __slots__ = ("activation", "lexical", "outer", "self_", "vars")

    def __init__(
        self,
        self_: RubyValue,
        size: int,
        outer: Frame | None,
        activation: Activation,
        lexical: tuple[Class, ...],
    ) -> None:
        self.self_ = self_
        self.vars: list[Any] = [None] * size
        self.outer = outer
        self.activation = activation
        self.lexical = lexical
        """The classes and modules around, innermost first: where constants are looked for."""


class Break(Exception):
    """``break`` in a block: ends the call that the block was given to."""

    def __init__(self, tag: object, value: RubyValue) -> None:
        self.tag = tag
        self.value = value


class Next(Exception):
    """``next`` in a block: ends this turn of it."""

    def __init__(self, value: RubyValue) -> None:
        self.value = value


class LoopBreak(Exception):
    """``break`` in a loop."""

    def __init__(self, value: RubyValue) -> None:
        self.value = value


class LoopNext(Exception):
    """``next`` in a loop."""


class Return(Exception):
    """``return``: ends the call of a method."""

    def __init__(self, activation: Activation, value: RubyValue) -> None:
        self.activation = activation
        self.value = value


class Throw(Exception):
    """``throw``: ends the ``catch`` of the same tag."""

    def __init__(self, tag: RubyValue, value: RubyValue) -> None:
        self.tag = tag
        self.value = value


class Retry(Exception):
    """``retry``: begins again what was rescued."""
