"""Results that other compilers print in SmartFrog's own syntax."""

from __future__ import annotations

from headwater.langs.protocol import Job
from headwater.langs.smartfrog.fields import Fields
from headwater.text import Source
from headwater.tree import Value


def read_specification(text: str, format: str) -> Value:
    """The attributes that a text lists, with or without sfConfig around them."""
    from headwater.langs.smartfrog.language import LANGUAGE

    if format != "sf":
        raise ValueError(f"SmartFrog has no results in {format}")
    problem = ""
    for written in (text, f"sfConfig extends {{ {text} }}"):
        for dialect in ("core", "production"):
            outcome = LANGUAGE.compile(
                Job((Source("printed.sf", written),), Fields(), dialect=dialect)
            )
            if outcome.result is not None:
                return outcome.result.get(())
            problem = outcome.errors[0].message
    raise ValueError(problem)
