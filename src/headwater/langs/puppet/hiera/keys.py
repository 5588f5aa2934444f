"""Dotted keys: ``a.b.0``, with quotes around parts that hold dots."""

from __future__ import annotations

import re

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.merge import NOT_FOUND, Found
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern

_PART = LatePattern(r"""\s*(?:"([^"]+)"|'([^']+)'|([^'".]+))\s*(\.|\Z)""")


def split_key(key: str) -> list[str | int]:
    """The parts of a key; a part that is a number is an integer."""
    if '"' not in key and "'" not in key:
        if "." not in key:
            return [key]
        pieces = key.split(".")
        if not all(pieces):
            raise _ill_formed(key)
        return [_plain(piece) for piece in pieces]
    parts: list[str | int] = []
    at = 0
    while at <= len(key):
        found = _PART.match(key, at)
        if found is None:
            raise _ill_formed(key)
        double, single, plain, end = found.groups()
        if plain is None:
            parts.append(double if double is not None else single)
        else:
            parts.append(_plain(plain))
        at = found.end()
        if not end:
            break
    return parts


def _plain(piece: str) -> str | int:
    """A part that no quotes are around."""
    text = piece.strip()
    is_number = text[-1:].isdigit() and re.fullmatch(r"[+-]?[0-9]+", text) is not None
    return int(text) if is_number else text


def _ill_formed(key: str) -> Problem:
    return Problem(codes.LOOKUP_FAILED, message=f"'{key}' is not a well-formed key")


def dig(value: Value, segments: list[str | int], key: str) -> Found:
    """What lies in a value along the parts of a key, or `NOT_FOUND`."""
    for segment in segments:
        if value is None:
            return NOT_FOUND
        if isinstance(value, list):
            if not isinstance(segment, int):
                raise _unfit(value, segment, key)
            if not 0 <= segment < len(value):
                return NOT_FOUND
            value = value[segment]
        elif isinstance(value, Hash):
            if segment not in value:
                return NOT_FOUND
            value = value[segment]
        else:
            raise _unfit(value, segment, key)
    return value


def _unfit(value: object, segment: str | int, key: str) -> Problem:
    kind = "an array" if isinstance(value, list) else "no hash"
    message = f"'{segment}' of the key '{key}' asks for an entry of what is {kind}"
    return Problem(codes.LOOKUP_FAILED, message=message)
