"""Results that other compilers print in SmartFrog's own syntax."""

from __future__ import annotations

from collections.abc import Callable

from headwater.langs.protocol import Job, Outcome
from headwater.langs.smartfrog.fields import Fields
from headwater.text import Source
from headwater.tree import Value


def read_specification(text: str, format: str, compile: Callable[[Job[Fields]], Outcome]) -> Value:
    """The attributes that a text lists, with or without sfConfig around them."""
    if format != "sf":
        raise ValueError(f"SmartFrog has no results in {format}")
    problem = ""
    for written in (text, f"sfConfig extends {{ {text} }}"):
        for dialect in ("core", "production"):
            outcome = compile(Job((Source("printed.sf", written),), Fields(), dialect=dialect))
            if outcome.result is not None:
                return outcome.result.get(())
            problem = outcome.errors[0].message
    raise ValueError(problem)
