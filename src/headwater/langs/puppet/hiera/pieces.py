"""Texts of data taken apart: what stands around interpolations, and what each of them names.

A text is taken apart once per process, however often it is interpolated: those of hiera.yaml are,
for every node.
"""

from __future__ import annotations

from functools import lru_cache

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import UTF8, Bytes, Incompatible, joined
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.foreign import Foreign
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import SINGLE
from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

_METHOD = LatePattern(r"(\w+)\((?:\"([^\"]+)\"|'([^']+)')\)\Z")
_EMPTY = frozenset(["", "::", '""', "''", '"::"', "'::'"])
_MOST_KEPT = 2_000
"""Characters of a text whose pieces are kept."""


class Piece(NamedTuple):
    """An interpolation, with the text before it."""

    before: str
    whole: str
    """As it is written."""
    name: str
    """What stands in it; empty if it stands for nothing."""
    method: str | None
    """The function that it calls with a key, which then is its `name`."""


def pieces(text: str) -> tuple[tuple[Piece, ...], str]:
    """The interpolations of a text, and what stands after the last; one that is never closed stays
    as it is."""
    if text.__class__ is Bytes and text.encoding == UTF8:
        raise Problem(codes.LOOKUP_FAILED, message="invalid byte sequence in UTF-8")
    return _kept(text) if len(text) <= _MOST_KEPT and text.__class__ is str else _apart(text)


def _apart(text: str) -> tuple[tuple[Piece, ...], str]:
    found: list[Piece] = []
    at = 0
    while (start := text.find("%{", at)) >= 0:
        end = text.find("}", start)
        if end < 0:
            break
        before, at, whole = text[at:start], end + 1, str(text[start : end + 1])
        name = whole[2:-1].strip()
        call = _METHOD.match(name) if "(" in name else None
        if name in _EMPTY:
            found.append(Piece(before, whole, "", None))
        elif call is None:
            found.append(Piece(before, whole, name, None))
        else:
            found.append(Piece(before, whole, call[2] or call[3], call[1]))
    return tuple(found), text[at:]


_kept = lru_cache(1_000)(_apart)


def together(text: str, out: list[str]) -> str:
    """What became of a text, of which it or something in it is a string of bytes."""
    try:
        return joined([text[:0], *out])
    except Incompatible as error:
        raise Problem(codes.MIXED_ENCODINGS, what=str(error)) from None


@lru_cache(1_000)
def segments(name: str) -> tuple[str | int, ...]:
    """The parts of the name of a variable."""
    return tuple(split_key(name))


def can_be_looked_up(value: object) -> bool:
    """Whether what a file of data has for a key can be looked up: keys are texts or numbers."""
    if isinstance(value, Hash):
        return all(
            isinstance(key, str | int | float) and not isinstance(key, bool) for key in value
        ) and all(map(can_be_looked_up, value.values()))
    if isinstance(value, list):
        return all(map(can_be_looked_up, value))
    return not isinstance(value, Foreign)


def plain(value: Value) -> bool:
    """Whether a value that can be looked up has no interpolations in it."""
    if isinstance(value, str):
        return "%{" not in value
    if isinstance(value, Hash):
        return value.odd is None and all(map(plain, value)) and all(map(plain, value.values()))
    return all(map(plain, value)) if isinstance(value, list) else True


def copied(value: Value) -> Value:
    """The same data, in arrays and hashes of their own."""
    if isinstance(value, list):
        single = SINGLE.issuperset(map(type, value))
        return value.copy() if single else [copied(item) for item in value]
    if isinstance(value, Hash):
        entries = value.entries
        if SINGLE.issuperset(map(type, entries.values())):
            return Hash(dict(entries))
        return Hash({key: copied(item) for key, item in entries.items()})
    return value
