"""``$settings::*``: what a server's settings are, unless a job says otherwise.

The defaults are those of Puppet 7.23 as data (settings.json), changed by the language level;
``$confdir`` and the like in them are replaced by the values of those settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.hashes import from_data
from headwater.langs.puppet.late import shipped
from headwater.langs.puppet.levels import LEVELS, LanguageLevel, level_of
from headwater.langs.puppet.types.value import Value
from headwater.report import nearest
from headwater.text.patterns import LatePattern

_REFERENCE = LatePattern(r"\$(\w+)")
_STRICT = ("off", "warning", "error")
_TRUTHS = {"true": True, "false": False}
_OF_A_JOB = {"servername": "", "serverip": "", "disable_warnings": ""}
"""Settings that only matter if somebody gives them."""


@cache
def _shipped() -> dict[str, Any]:
    return shipped("catalog/settings.json")


def setting(level: LanguageLevel, given: Mapping[str, Any], name: str) -> Value:
    """One setting of those that the levels differ in."""
    return given[name] if name in given else level.settings[name]


def all_settings(level: LanguageLevel, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting by name: those given, and the defaults of the level for the others."""
    values = {**_shipped(), **level.settings, **given}

    def resolved(value: Value) -> Value:
        for _ in range(3):
            if not isinstance(value, str) or "$" not in value:
                break
            value = _REFERENCE.sub(lambda m: str(values.get(m[1], m[0])), value)
        return value

    return {name: resolved(value) for name, value in sorted(values.items())}


def given_settings(given: Fields, *, strict: bool = False) -> tuple[LanguageLevel, dict[str, Any]]:
    """The language level of a job, and the settings that it gives.

    `settings` has them by name, `setting` as ``NAME=VALUE`` each; with `strict` doubtful things
    are errors unless they say otherwise.
    """
    level = level_of(given.puppet)
    if level is None:
        levels = ", ".join(map(str, LEVELS))
        raise Problem(codes.BAD_INPUT, message=f"puppet is none of the levels {levels}")
    found = {name: from_data(value) for name, value in (given.settings or {}).items()}
    for pair in given.set or ():
        name, _, value = pair.partition("=")
        if name in ("strict", "strict_variables"):
            found[name] = value
    for pair in given.setting or ():
        name, sign, value = pair.partition("=")
        known = {**_OF_A_JOB, **_shipped(), **level.settings}
        if not sign or name not in known:
            close = nearest(name, known)
            hint = f"; did you mean {close}?" if close and sign else ""
            what = f"there is no setting {name}{hint}" if sign else f"{pair} is not NAME=VALUE"
            raise Problem(codes.BAD_INPUT, message=what)
        found[name] = _as_its_default(value, known[name])
    if strict:
        found.setdefault("strict", "error")
    return level, {name: _checked(name, value) for name, value in found.items()}


def _as_its_default(text: str, default: object) -> bool | int | str:
    """The value that a text of the command line spells."""
    if isinstance(default, bool):
        return _TRUTHS.get(text, text)
    if isinstance(default, int) and text.isascii() and text.isdigit():
        return int(text)
    return text


def _checked(name: str, value: Value) -> Value:
    """A setting that decides what is refused, in the form that it has here."""
    if name == "strict" and value is True:
        return "error"
    if name == "strict" and value not in _STRICT:
        raise Problem(codes.BAD_INPUT, message=f"strict is off, warning or error, not {value}")
    if name == "strict_variables":
        value = _TRUTHS.get(value, value) if isinstance(value, str) else value
        if not isinstance(value, bool):
            raise Problem(codes.BAD_INPUT, message=f"strict_variables is a truth, not {value}")
    return value
