"""``$settings::*``: what a server's settings are, unless a job says otherwise.

The defaults are those of Puppet 7.23 as data (settings.json); ``$confdir`` and the like in them
are replaced by the values of those settings.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from headwater.langs.puppet.late import LatePattern

_REFERENCE = LatePattern(r"\$(\w+)")


@cache
def _defaults() -> dict[str, Any]:
    data = pkgutil.get_data("headwater.langs.puppet.catalog", "settings.json")
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return found


def all_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting by name: those given, and Puppet's defaults for the others."""
    values = {**_defaults(), **given}

    def resolved(value: object) -> Any:
        for _ in range(3):
            if not isinstance(value, str) or "$" not in value:
                break
            value = _REFERENCE.sub(lambda m: str(values.get(m[1], m[0])), value)
        return value

    return {name: resolved(value) for name, value in sorted(values.items())}
