"""Other languages inside Puppet: regular expressions, and heredocs that name a syntax."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from functools import cache

from headwater.text.patterns import LatePattern

_SAFE = LatePattern(r"[\^A-Za-z0-9 _:;,/=<>@%&~\"'-]*(?:\\?\.[*+?]?[A-Za-z0-9_-]*)*\$?\Z")
_REPEAT = LatePattern(r"\{([0-9]{1,9}),([0-9]{1,9})\}")
_RUBY_PREFIX = "(?WDS)"
"""Makes Oniguruma's \\w, \\d and \\s ASCII, as they are in Ruby."""


Fault = Callable[[str, str], str | None]

MOST_PATTERN = 50_000
"""How long a regular expression may be."""


@cache
def regex_fault(pattern: str) -> str | None:
    """Why a regular expression cannot be read, as Ruby reads them; None when it can."""
    if _SAFE.match(pattern):
        return None
    if len(pattern) > MOST_PATTERN:
        return f"it is longer than {MOST_PATTERN:,} characters"
    import onigurumacffi  # type: ignore[import-untyped]

    try:
        onigurumacffi.compile(_RUBY_PREFIX + pattern)
    except onigurumacffi.OnigError as error:
        return str(error)
    except UnicodeEncodeError:
        return "it holds a lone surrogate"
    # Ruby refuses what Oniguruma reads the other way round.
    for low, high in _REPEAT.findall(re.sub(r"\\.|\[[^\]]*+\]?", "", pattern)):
        if int(low) > int(high):
            return f"the repeat range {{{low},{high}}} is upside down"
    return None


def embedded_fault(syntax: str, text: str, puppet: Fault) -> str | None:
    """Why a text does not follow the syntax that its heredoc names; None when it does.

    Only the last part of ``data+json`` counts; a syntax nobody knows is not checked.  `puppet`
    says what is wrong with a text of Puppet under a name.
    """
    match syntax.rpartition("+")[2]:
        case "json":
            return _json(text)
        case "base64":
            return _base64(text)
        case "pp":
            return puppet(text, "heredoc.pp")
        case "epp":
            return puppet(text, "heredoc.epp")
        case _:
            return None


def _json(text: str) -> str | None:
    try:
        json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        return "it is nested too deep"
    except ValueError as error:
        return str(error)
    return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _base64(text: str) -> str | None:
    cleaned = re.sub(r"[\r\n?\s]", "", text)
    try:
        base64.b64decode(cleaned.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        return str(error).lower()
    return None
