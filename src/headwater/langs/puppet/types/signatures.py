"""Signatures of built-in functions: choosing one by the arguments, or saying why none fits.

A signature is written as Puppet prints it: ``String str, Integer[1] size, Any *rest``;
a ``?`` after a name makes a parameter optional, ``*`` before it makes it repeat
(``+`` : at least once).  Types are read when the function is first called, by a `Parse` that
is passed along: reading types is built on this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import define
from headwater.langs.puppet.types.matching import is_instance
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.assignability import assignable, tuple_size
    from headwater.langs.puppet.types.description import describe, merge_descriptions
    from headwater.langs.puppet.types.inference import callable_type, infer_set
    from headwater.langs.puppet.types.lambdas import Lambda
    from headwater.langs.puppet.types.mismatches import Mismatch, Path, Step, keyed, sized
    from headwater.langs.puppet.types.show import show_type
else:
    when_called(globals(), "headwater.langs.puppet.types.assignability", "assignable tuple_size")
    when_called(
        globals(), "headwater.langs.puppet.types.description", "describe merge_descriptions"
    )
    when_called(globals(), "headwater.langs.puppet.types.inference", "callable_type infer_set")
    when_called(globals(), "headwater.langs.puppet.types.mismatches", "Step keyed sized")
    when_called(globals(), "headwater.langs.puppet.types.show", "show_type")


class Parse(Protocol):
    """Reads a type; texts of `ours` are few, and what they spell is kept."""

    def __call__(
        self, text: str, lookup: m.Lookup | None = None, *, ours: bool = False
    ) -> m.Type: ...


class Mistyped(Exception):
    """Arguments that no signature accepts; the message is Puppet's."""


class Failed(Exception):
    """A call that cannot be done; the message is Puppet's."""


class Signature(msgspec.Struct):
    """One way to call a function; `complain` marks one that only makes the message."""

    text: str
    run: Callable[..., Any]
    block: str | None = None
    """The type of the lambda; None when there may be none, ``?`` at the end when it may miss."""
    complain: bool = False
    local: dict[str, str] = msgspec.field(default_factory=dict)
    when: Callable[[LanguageLevel], bool] | None = None
    """At which language levels it is there; None: at all."""
    types: tuple[m.Type, ...] = ()
    names: tuple[str, ...] = ()
    least: int = 0
    most: int | None = 0
    block_type: m.Type | None = None
    block_arity: tuple[int, int | None] | None = None
    """How many arguments the lambda gets, where only their number counts."""
    ready: bool = False

    def prepare(self, parse: Parse) -> None:
        """Reads the types."""

        def local(name: str) -> m.Type | None:
            return _local(name, tuple(self.local.items()), parse)

        types: list[m.Type] = []
        names: list[str] = []
        self.least, self.most = 0, 0
        for spelled in _split(self.text):
            type_text, _, name = spelled.rpartition(" ")
            repeated = name[:1] in ("*", "+")
            if repeated:
                self.most = None
                self.least += name[0] == "+"
            else:
                self.most = (self.most or 0) + 1
                self.least += not name.endswith("?")
            types.append(parse(type_text, local, ours=True))
            names.append(name.strip("*+?"))
        self.types, self.names = tuple(types), tuple(names)
        if self.block is not None:
            spelled = self.block.rstrip("?") or "Callable"
            self.block_type = parse(spelled, ours=True)
            if self.block.endswith("?"):
                self.block_type = m.OptionalType(self.block_type)
        self.settle_block()
        self.ready = True

    def settle_block(self) -> None:
        """Notes how many arguments the lambda gets, once its type is known."""
        self.block_arity = _arity(self.block_type)

    def accepts(self, args: Sequence[Any], block: Lambda | None) -> bool:
        """Whether the arguments and the lambda fit."""
        if not self.takes(len(args), block):
            return False
        last = len(self.types) - 1
        for index, value in enumerate(args):
            if not is_instance(self.types[min(index, last)], value):
                return False
        return True

    def takes(self, count: int, block: Lambda | None) -> bool:
        """Whether so many arguments and the lambda fit."""
        if count < self.least or (self.most is not None and count > self.most):
            return False
        return self._accepts_block(block)

    def _accepts_block(self, block: Lambda | None) -> bool:
        if block is None:
            return self.block is None or self.block.endswith("?")
        if self.block_type is None:
            return False
        if self.block_arity is not None:
            low, high = self.block_arity
            least, most = block.arity
            return bool(least <= low and (most is None or (high is not None and high <= most)))
        inner = _lambda_type(self.block_type)
        return inner == m.CALLABLE or assignable(inner, callable_type(block))

    def params(self) -> m.TupleType:
        """The parameters as a type."""
        if not self.types:
            return m.TupleType((), m.IntegerType(0, 0))
        if self.least == self.most == len(self.types):
            return m.TupleType(self.types)
        return m.TupleType(self.types, m.IntegerType(self.least, self.most))

    def show(self) -> str:
        """The signature as it stands in a message."""
        parts: list[str] = []
        limit = len(self.names)
        for index, (type_, name) in enumerate(zip(self.types, self.names, strict=True)):
            mark = ""
            if self.most is None and index == limit - 1:
                mark = "+" if self.least == limit else "*"
            elif index + 1 > self.least:
                mark = "?"
                if isinstance(type_, m.OptionalType) and type_.type is not None:
                    type_ = type_.type
            parts.append(f"{show_type(type_)} {name}{mark}")
        match self.block_type:
            case m.OptionalType(type=inner) if inner is not None:
                parts.append(f"{show_type(inner)} block?")
            case m.CallableType():
                parts.append(f"{show_type(self.block_type)} block")
        return ", ".join(parts)


def _lambda_type(t: m.Type) -> m.Type:
    if isinstance(t, m.OptionalType):
        assert t.type is not None
        return t.type
    return t


def _arity(t: m.Type | None) -> tuple[int, int | None] | None:
    if t is None:
        return None
    inner = _lambda_type(t)
    if not isinstance(inner, m.CallableType) or inner.params is None or inner.params.size is None:
        return None
    if any(item != m.UNIT for item in inner.params.types):
        return None
    return inner.params.size.low or 0, inner.params.size.high


_LOCAL: dict[tuple[str, tuple[tuple[str, str], ...]], m.AliasType] = {}


def _local(wanted: str, aliases: tuple[tuple[str, str], ...], parse: Parse) -> m.Type | None:
    """An alias that a signature brings along, by its name in lower case; made once."""
    for name, text in aliases:
        if name.lower() == wanted:
            known = _LOCAL.get((name, aliases))
            if known is None:
                known = _LOCAL[name, aliases] = m.AliasType(name)
                try:
                    define(known, parse(text, lambda other: _local(other, aliases, parse)))
                except BaseException:  # a time limit may end it half made
                    del _LOCAL[name, aliases]
                    raise
            return known
    return None


def _split(text: str) -> list[str]:
    """The parameters of a signature: commas inside brackets do not separate."""
    parts: list[str] = []
    depth, start, quote = 0, 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "'/" and depth:
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts


def choose(
    name: str,
    signatures: Sequence[Signature],
    args: Sequence[Any],
    block: Lambda | None,
    parse: Parse,
) -> Signature:
    """The first signature that accepts the arguments; raises `Mistyped`."""
    for signature in signatures:
        if not signature.ready:
            signature.prepare(parse)
        if signature.accepts(args, block):
            if signature.complain:
                raise Mistyped(f"'{name}' {signature.run(*args)}")
            return signature
    raise Mistyped(explain(name, signatures, args, block))


def explain(
    name: str, signatures: Sequence[Signature], args: Sequence[Any], block: Lambda | None
) -> str:
    """Why no signature accepts the arguments."""
    real = [signature for signature in signatures if not signature.complain]
    types = [infer_set(value) for value in args]
    given = None if block is None else callable_type(block)
    return describe_signatures(name, real, types, given)


def describe_signatures(
    name: str, real: Sequence[Signature], types: list[m.Type], given: m.CallableType | None
) -> str:
    """The message for arguments of these types; `name` is ``lambda`` for a lambda."""
    found = [
        _argument_mismatches(signature, types, (Step("signature", index),))
        for index, signature in enumerate(real)
    ]
    if not all(found):
        blocks = [
            _block_mismatches(signature, given, (Step("signature", index),))
            for index, signature in enumerate(real)
        ]
        wrong = sum(bool(one) for one in blocks)
        if wrong == len(blocks):
            found = blocks
        elif wrong:
            found = [one or blocks[index] for index, one in enumerate(found)]
    label = "block" if name == "lambda" else f"'{name}'"
    errors = merge_descriptions(0, "count", found)
    if len(errors) == 1:
        return f"{label}{errors[0].format()}"
    if len(real) == 1:
        lines = [f"{label} expects ({real[0].show()})"]
        lines += [f"  rejected:{error.chopped(0).format()}" for error in found[0]]
        return "\n".join(lines)
    lines = [
        f"The function {label} was called with arguments it does not accept. It expects one of:"
    ]
    for signature, one in zip(real, found, strict=True):
        lines.append(f"  ({signature.show()})")
        lines += [f"    rejected:{error.chopped(0).format()}" for error in one]
    return "\n".join(lines)


def _argument_mismatches(signature: Signature, types: list[m.Type], path: Path) -> list[Mismatch]:
    wanted = tuple_size(signature.params())
    if not signature.types:
        wanted = m.IntegerType(0, 0)
    size = m.IntegerType(len(types), len(types))
    if not assignable(wanted, size):
        return [sized("count", path, wanted, size)]
    last = len(signature.types) - 1
    for index, actual in enumerate(types):
        place = min(index, last)
        expected = signature.types[place]
        if not assignable(expected, actual):
            step = Step("parameter", signature.names[place])
            found = describe(expected, actual, (*path, step))
            if found:
                return found
    return []


def _block_mismatches(
    signature: Signature, given: m.CallableType | None, path: Path
) -> list[Mismatch]:
    wanted = signature.block_type
    if given is not None:
        if wanted is None:
            return [keyed("no-block", path)]
        return describe(wanted, given, (*path, Step("block", "block")))
    if wanted is None or assignable(wanted, m.UNDEF):
        return []
    return [keyed("block", path)]
