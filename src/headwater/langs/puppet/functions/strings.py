"""Functions on strings, also applied to every string of an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.bytestrings import Incompatible
from headwater.langs.puppet.bytestrings import joined as put_together
from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.iteration import elements
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.rubytext import capitalize, inspect, strip, to_s
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Binary, Sensitive

_BLANK = "\t\n\v\f\r \0"
_ITERABLE = "Iterable[Variant[String, Numeric]] arg"


def _camelcase(text: str) -> str:
    parts = text.split("_")
    while parts and not parts[-1]:
        parts.pop()
    return put_together([capitalize(part) for part in parts])


def _chomp(text: str) -> str:
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def _chop(text: str) -> str:
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def _per_string(name: str, change: Callable[[str], str]) -> None:
    """Declares a function of numbers (unchanged), strings, and iterables of both."""

    @dispatch(name, "Numeric arg")
    def number(call: Call, value: Value) -> Value:
        return value

    @dispatch(name, "String arg")
    def string(call: Call, value: str) -> str:
        return change(value)

    @dispatch(name, _ITERABLE)
    def iterable(call: Call, value: Value) -> list[Any]:
        if not isinstance(value, list | PuppetIterator):
            raise Failed(f"undefined method `map' for {inspect(value)}")
        found = elements(value)
        assert found is not None
        return [change(item) if isinstance(item, str) else item for item in found]


_per_string("camelcase", _camelcase)
_per_string("capitalize", capitalize)
_per_string("chomp", _chomp)
_per_string("chop", _chop)
_per_string("lstrip", lambda text: text.lstrip(_BLANK))
_per_string("rstrip", lambda text: text.rstrip(_BLANK))
_per_string("strip", strip)

_DATA = {"StringData": "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"}


def _cased(name: str, change: Callable[[str], str], plain: Callable[[str], str]) -> None:
    """Declares ``upcase`` or ``downcase``, which go into arrays and hashes at any depth."""

    def deep(value: Value) -> Value:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [deep(item) for item in value]
        if isinstance(value, Hash):
            return value.map_pairs(lambda key, item: (deep(key), deep(item)))
        return value

    @dispatch(name, "Numeric arg")
    @dispatch(name, "String arg")
    @dispatch(name, "Array[StringData] arg", local=_DATA)
    @dispatch(name, "Hash[StringData, StringData] arg", local=_DATA)
    def body(call: Call, value: Value) -> Value:
        return plain(value) if value.__class__ is str else deep(value)


_cased("downcase", lambda text: text.lower(), str.lower)
_cased("upcase", lambda text: text.upper(), str.upper)


@dispatch("join", "Array arg, String delimiter?")
def _join(call: Call, value: list[Any], delimiter: str = "") -> str:
    return joined(value, delimiter)


def joined(items: list[Any], delimiter: str) -> str:
    """The texts of the items; arrays among them are joined the same way."""
    parts = [joined(item, delimiter) if isinstance(item, list) else to_s(item) for item in items]
    try:
        return put_together(parts, delimiter)
    except Incompatible as error:
        raise Failed(str(error)) from None


@dispatch("length", "Collection arg")
@dispatch("length", "String arg")
def _length(call: Call, value: str | list[Any] | Hash) -> int:
    return len(value)


@dispatch("length", "Binary arg")
def _length_binary(call: Call, value: Binary) -> int:
    return len(value.data)


@dispatch("size", "Variant[Collection, String, Binary] arg")
def _size(call: Call, value: str | list[Any] | Hash | Binary) -> int:
    return len(value.data) if isinstance(value, Binary) else len(value)


@dispatch("empty", "Collection coll")
def _empty_collection(call: Call, value: Value) -> bool:
    return not value


@dispatch("empty", "Sensitive[String] str")
def _empty_sensitive(call: Call, value: Sensitive) -> bool:
    return not value.value


@dispatch("empty", "String str")
def _empty_string(call: Call, value: str) -> bool:
    return not value


@dispatch("empty", "Numeric num")
def _empty_number(call: Call, value: Value) -> bool:
    call.context.log("warning", "Calling function empty() with Numeric value is deprecated.")
    return False


@dispatch("empty", "Binary bin")
def _empty_binary(call: Call, value: Binary) -> bool:
    return not value.data


@dispatch("empty", "Undef x")
def _empty_undef(call: Call, value: None) -> bool:
    return True
