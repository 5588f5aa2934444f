"""The languages: the protocol they satisfy, and the table that finds one by name or file."""

from headwater.langs.protocol import (
    Address,
    Causes,
    Job,
    Language,
    Options,
    Outcome,
    Result,
    Step,
)
from headwater.langs.table import (
    LANGUAGES,
    all_codes,
    families_of,
    language_for,
    language_named,
)

__all__ = [
    "LANGUAGES",
    "Address",
    "Causes",
    "Job",
    "Language",
    "Options",
    "Outcome",
    "Result",
    "Step",
    "all_codes",
    "families_of",
    "language_for",
    "language_named",
]
