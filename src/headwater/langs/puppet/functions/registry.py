"""How built-in functions are declared and called.

A function of the 4.x kind has signatures; the first that accepts the arguments runs.
A function of the 3.x kind checks only how many arguments it has, and sees undef as ''.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.functions_protocol import Block, Context, Function
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.calls import chooser
from headwater.langs.puppet.types.iteration import TooMany
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.refusals import (
    BadFormat,
    BadNumber,
    BadRegexp,
    BadStringFormat,
    BadTime,
    BadTimespan,
    BadUri,
    BadVersion,
    TooWide,
    TooWideTime,
)
from headwater.langs.puppet.types.rubytext import inspect, to_s
from headwater.langs.puppet.types.signatures import Failed, Mistyped, Signature
from headwater.langs.puppet.types.value import Value

F = TypeVar("F", bound=Callable[..., Any])
SIGNATURES: dict[str, list[Signature]] = {}
OLD: dict[str, tuple[Callable[..., Any], int, int | None]] = {}
REFUSALS = (
    Failed, BadType, BadRegexp, BadNumber, BadFormat, BadStringFormat, BadTimespan, BadTime,
    BadUri, BadVersion, TooMany, TooWide, TooWideTime,
)  # fmt: skip
DEEP = "the value is nested too deeply to be worked on (more levels than the interpreter's stack)"


class Call(msgspec.Struct):
    """One call of a built-in function: the compiler it happens in and the lambda after it."""

    context: Context
    block: Block | None

    def run(self, *args: Value) -> Value:
        """Calls the lambda, which is there."""
        assert self.block is not None
        return self.block(*args)

    def one(self) -> Callable[[Any], Any]:
        """The lambda as a function of one argument."""
        assert self.block is not None
        return self.block.one()

    def two(self) -> Callable[[Any, Any], Any]:
        """The lambda as a function of two arguments."""
        assert self.block is not None
        return self.block.two()


def dispatch(
    name: str, signature: str, *, block: str | None = None, local: dict[str, str] | None = None,
    when: Callable[[LanguageLevel], bool] | None = None,
) -> Callable[[F], F]:  # fmt: skip
    """Declares one way to call a function; the body gets a `Call` and the arguments.

    `when` tells at which language levels it is there, if not at all of them.
    """

    def declare(body: F) -> F:
        known = SIGNATURES.setdefault(name, [])
        place = len(known)
        # Decorators on one body run from the last to the first; they are kept as written.
        while place and known[place - 1].run is body:
            place -= 1
        known.insert(place, Signature(signature, body, block, local=local or {}, when=when))
        return body

    return declare


def complaint(name: str, signature: str, *, local: dict[str, str] | None = None,
              block: str | None = None) -> Callable[[F], F]:  # fmt: skip
    """Declares what to say about arguments of a certain shape; the body gets the arguments."""

    def declare(body: F) -> F:
        SIGNATURES.setdefault(name, []).append(
            Signature(signature, body, block, complain=True, local=local or {})
        )
        return body

    return declare


def old(name: str, least: int, most: int | None) -> Callable[[F], F]:
    """Declares a function of the 3.x kind."""

    def declare(body: F) -> F:
        OLD[name] = (body, least, most)
        return body

    return declare


def function(name: str, level: LanguageLevel = DEFAULT) -> Function:
    """A declared function, with the signatures that it has at a language level."""
    entry = OLD.get(name)
    if entry is not None:
        return _old(name, *entry)
    return _new(name, [one for one in SIGNATURES[name] if one.when is None or one.when(level)])


def table() -> dict[str, Function]:
    """Every declared function."""
    return {name: function(name) for name in sorted({*SIGNATURES, *OLD})}


def _new(name: str, signatures: list[Signature]) -> Function:
    blocks = [signature.block for signature in signatures]
    needed = "must" if all(b is not None and not b.endswith("?") for b in blocks) else (
        "may" if any(blocks) else "no"
    )  # fmt: skip

    known, choose = chooser(name, signatures)

    def call(context: Context, args: Sequence[Any], block: Block | None) -> Value:
        try:
            result: Value
            if block is None and len(args) == 1:
                (only,) = args
                chosen = known.get((type(only),))
                if chosen is not None:
                    result = chosen.run(Call(context, None), only)
                    return result
            else:
                chosen = known.get(tuple(map(type, args))) if block is None else None
            if chosen is None:
                chosen = choose(args, block)
            result = chosen.run(Call(context, block), *args)
            return result
        except Mistyped as error:
            context.mistyped(str(error))
        except REFUSALS as error:
            context.fail(str(error))
        except RecursionError:
            context.fail(DEEP)

    return Function(call, block=needed)


def _old(name: str, body: Callable[..., Any], least: int, most: int | None) -> Function:
    def call(context: Context, args: Sequence[Any], block: Block | None) -> Value:
        count = len(args)
        if count < least or (most is not None and count > most):
            bound = f"{least}" if least == most else f"minimum {least}"
            context.mistyped(f"{name}(): Wrong number of arguments given ({count} for {bound})")
        try:
            given = list(args)
            if not _AS_THEY_ARE.issuperset(map(type, given)):
                given = [_plain(arg) for arg in given]
            result: Value = body(context, given)
            return result
        except Mistyped as error:
            context.mistyped(str(error))
        except REFUSALS as error:
            context.fail(str(error))
        except RecursionError:
            context.fail(DEEP)

    return Function(call, least, most)


_AS_THEY_ARE = frozenset([str, int])


def _plain(value: Value, inner: bool = False) -> Value:
    """An argument as functions of the 3.x kind see it."""
    if value.__class__ in _AS_THEY_ARE:
        return value
    match value:
        case None:
            return None if inner else ""
        case Bytes():
            return value
        case list():
            return [_plain(item, True) for item in value]
        case Hash():
            return value.map_pairs(lambda key, item: (_plain(key, True), _plain(item, True)))
        case v.Regexp():
            return inspect(value)
        case v.ResourceRef() | v.ClassRef():
            return str(value)
        case v.SemVer() | v.SemVerRange() | v.Binary() | v.Timespan() | v.Timestamp():
            return to_s(value)
        case PuppetIterator():
            raise Failed("Use of an Iterator is not supported here")
    return value
