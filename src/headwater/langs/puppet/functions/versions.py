"""versioncmp."""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.text.patterns import LatePattern

_PART = LatePattern(r"[-.]|\d+|[^-.\d]+", re.ASCII)


@dispatch("versioncmp", "String a, String b, Boolean ignore_trailing_zeroes?")
def _versioncmp(call: Call, a: str, b: str, zeroes: bool = False) -> int:
    return versioncmp(a, b, zeroes)


def versioncmp(a: str, b: str, ignore_zeroes: bool = False) -> int:
    """-1, 0 or 1 as version `a` is before, with or after `b`, part by part."""
    if len(a) + len(b) < _SHORT and a.__class__ is str and b.__class__ is str:
        return _known(a, b, ignore_zeroes)
    return _compared(a, b, ignore_zeroes)


_SHORT = 100


@lru_cache(maxsize=1024)  # programs ask about the same few versions everywhere
def _known(a: str, b: str, ignore_zeroes: bool) -> int:
    return _compared(a, b, ignore_zeroes)


def _compared(a: str, b: str, ignore_zeroes: bool) -> int:
    if ignore_zeroes:
        a, b = _trimmed(a), _trimmed(b)
    for one, two in zip(_PART.findall(a), _PART.findall(b), strict=False):
        if one == two:
            continue
        for mark in "-.":
            if one == mark:
                return -1
            if two == mark:
                return 1
        if one.isdigit() and two.isdigit() and one[0] != "0" and two[0] != "0":
            return _order(int(one), int(two))
        return _order(one.upper(), two.upper())
    return _order(a, b)


def _trimmed(version: str) -> str:
    first, dash, rest = version.partition("-")
    return first.rstrip(".0") + dash + rest


def _order(a: int | str, b: int | str) -> int:
    return (a > b) - (a < b)  # type: ignore[operator]
